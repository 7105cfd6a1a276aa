"""The turning points of a game: the findings of its phases, weighed against each other and described."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bordeaux.board.position import Position
from bordeaux.review.peace import Stab, Word, quiet_before, stabs
from bordeaux.review.record import GameRecord, RecordedPhase
from bordeaux.review.result import KINDS, Judged, Moment, PowerReview, TurningPoint, relative_loss
from bordeaux.review.telling import TurningTeller

MOST, OF_A_KIND, OF_A_POWER = 16, 8, 5
"""The maximum number of turning points of a game, of one kind, and of one power."""
MOST_OF = {"peace kept": 4}
"""The same for kinds with a lower maximum."""
AGAIN = {"missed solo": 2, "missed capture": 2, "loss": 1, "peace kept": 4}
"""Years in which only the most serious of a power's turning points of a kind is reported."""
GRAVE, GRAVE_PART, SURE = 0.03, 0.12, 3.0
"""The smallest loss of the final share that is reported, its smallest part of the expected share, and its
smallest number of standard errors."""
BLUNDER = 0.1
"""The loss from which on a mistake is a blunder, if it is certain."""
SLIGHT = 0.01
"""A share of the final result: the smallest effect of a stab that took a centre, and the smallest cost of
missed centres."""
CONFIRMED = 0.2
"""The part of a loss that hindsight must confirm for a turning point."""
DECIDING = ("missed solo", "missed stop")
"""Kinds that precede all others."""
CHOICE = 0.5
"""The weight of a stab that was not made, relative to a mistake of the same size."""


def turning_points(
    record: GameRecord,
    reviews: Mapping[str, PowerReview],
    moments: Sequence[Moment],
    broken: Iterable[Word] = (),
) -> list[TurningPoint]:
    """The most important turning points, in the order of the game; `broken` are broken promises."""
    finder = _Finder(record, reviews, moments)
    candidates = sorted([*finder.of_orders(), *finder.of_stabs(broken), *finder.of_peace()], key=_rank)
    # The worst phase of a power is one of them, whatever else there is.
    mistakes = [candidate for candidate in candidates if candidate.kind != "peace kept"]
    first = {(mistake.power, mistake.number): mistake for mistake in reversed(mistakes)}
    kept = [first[place] for place in finder.worst() if place in first]
    for candidate in candidates:
        same = any(_alike(candidate, other) for other in kept)
        of_kind = sum(other.kind == candidate.kind for other in kept)
        of_power = sum(other.power == candidate.power for other in kept)
        full = of_kind >= MOST_OF.get(candidate.kind, OF_A_KIND) or of_power >= OF_A_POWER
        if not same and not full and len(kept) < MOST:
            kept.append(candidate)
    return sorted(kept, key=lambda point: (point.number, list(KINDS).index(point.kind), point.power))


def _rank(point: TurningPoint) -> tuple[bool, float, int, str]:
    return point.kind not in DECIDING, -point.weight, point.number, point.power


def _alike(one: TurningPoint, other: TurningPoint) -> bool:
    """Whether two findings are of the same power and phase, or describe the same repeated mistake."""
    apart = abs(int(one.phase[1:5]) - int(other.phase[1:5]))
    again = one.kind == other.kind and apart <= AGAIN.get(one.kind, -1)
    return one.power == other.power and (one.number == other.number or again)


class _Finder:
    """Searches the judged phases for turning points."""

    def __init__(
        self, record: GameRecord, reviews: Mapping[str, PowerReview], moments: Sequence[Moment]
    ) -> None:
        self.record = record
        self.reviews = reviews
        self.moments = {moment.number: moment for moment in moments}
        self.turns = {turn.number: turn for turn in record.turns}
        self.need = record.map.majority
        self.quiet = quiet_before(record)
        self.teller = TurningTeller(record)

    def worst(self) -> list[tuple[str, int]]:
        """Each power's worst movement phase, by its number, if its loss is large."""
        worst = ((power, review.worst) for power, review in self.reviews.items())
        return [(power, one.number) for power, one in worst if one is not None and self._grave(one)]

    def of_orders(self) -> Iterator[TurningPoint]:
        """Opportunities that powers missed."""
        for power, review in self.reviews.items():
            for judged in review.phases:
                turn = self.turns[judged.number]
                if judged.stop:
                    yield self._stop(power, judged)
                elif judged.forced and (missed := self._missed(turn, power, judged)):
                    yield self._forced(turn, power, judged, missed)
                elif self._grave(judged) and self._confirmed(judged):
                    places, why = map(_province, judged.key or ()), self.teller.loss(turn, power, judged)
                    weight = self._weight(judged)
                    point = _point("loss", judged, power, "", judged.best, judged.loss, why, places, weight)
                    yield point._replace(sure=_certain(judged))

    def _weight(self, judged: Judged) -> float:
        """The geometric mean of the lost share of the result and the lost part of the power's own share."""
        return math.sqrt(judged.loss * relative_loss(judged, len(self.record.map.powers)))

    def _stop(self, power: str, judged: Judged) -> TurningPoint:
        winner = self.record.last.victor or ""
        why, lost = self.teller.stop(power, winner, judged), max(judged.hindsight_loss, judged.loss, GRAVE)
        places = [_province(order) for order in judged.stop if order not in judged.played]
        point = _point("missed stop", judged, power, winner, judged.stop, lost, why, places, lost)
        return point._replace(sure=True)

    def _forced(self, turn: RecordedPhase, power: str, judged: Judged, missed: int) -> TurningPoint:
        solo = judged.forced >= self.need
        why = self.teller.forced(turn, power, judged, missed, solo)
        kind, lost = "missed capture", judged.loss
        if solo:
            kind, lost = "missed solo", 1 - self.moments[judged.number].shares[power]
        places, weight = self.teller.taken(turn, power, judged), self._weight(judged)
        point = _point(kind, judged, power, "", judged.forced_by, lost, why, places, weight)
        return point._replace(sure=solo or _certain(judged))

    def _grave(self, judged: Judged) -> bool:
        part = relative_loss(judged, len(self.record.map.powers))
        sure = judged.loss >= SURE * judged.doubt
        return not judged.book and judged.loss >= GRAVE and part >= GRAVE_PART and sure

    def _confirmed(self, judged: Judged) -> bool:
        """Whether there is a loss when all orders are known too. Retreats are exempt. The value of
        adjustments is seen too late to be sure of it."""
        if not judged.phase.endswith("M"):
            return judged.phase.endswith("R")
        return judged.hindsight_loss >= CONFIRMED * judged.loss

    def _missed(self, turn: RecordedPhase, power: str, judged: Judged) -> int:
        """How many centres a power stayed below its forced result, if that reduced its share."""
        after = self._settled(turn)
        count = judged.forced - after.owners.count(power)
        won = after.victor == power
        return count if count > 0 and not won and judged.loss >= max(SLIGHT, judged.doubt) else 0

    def _settled(self, turn: RecordedPhase) -> Position:
        """The first position after a Fall movement in which centres have changed hands."""
        year = turn.before.phase.year
        later = [later.before for later in self.record.turns if later.number > turn.number]
        for position in (*later, self.record.last):
            if position.phase.kind in "A-" or position.phase.year > year:
                return position
        return turn.after

    def of_stabs(self, broken: Iterable[Word]) -> Iterator[TurningPoint]:
        """Stabs that had a result, or broke a promise."""
        for stab in stabs(self.record, self.quiet, broken):
            before, after = self.moments[stab.turn.number].shares, self._next_moment(stab.turn).shares
            moved = before[stab.victim] - after[stab.victim]
            if not stab.word and moved < (SLIGHT if stab.taken else GRAVE):
                continue
            judged = self._judged(stab)
            costly = judged.loss >= max(SLIGHT, SURE * judged.doubt)
            why = self.teller.stab(stab, before, after, judged, judged.loss if costly else 0.0)
            better, lost = judged.best if costly else (), max(moved, 0.0)
            weight = math.sqrt(lost * min(1.0, lost / max(before[stab.victim], SLIGHT)))
            yield _point("stab", judged, stab.power, stab.victim, better, lost, why, stab.entered, weight)

    def of_peace(self) -> Iterator[TurningPoint]:
        """Stabs with a large gain that were not made."""
        for power, review in self.reviews.items():
            for judged in review.judged:
                worth = judged.stab_worth
                part = worth / max(judged.expected - judged.loss, SLIGHT)
                grave = worth >= max(GRAVE, SURE * judged.stab_doubt) and part >= GRAVE_PART
                if judged.book or judged.broke or not judged.otherwise or not judged.victims or not grave:
                    continue
                weight = CHOICE * math.sqrt(worth * min(1.0, part))
                why, victim, other = self.teller.spared(power, judged), judged.victims[0], judged.otherwise
                places = [_province(order) for order in other if order not in judged.best]
                yield _point("peace kept", judged, power, victim, other, worth, why, places, weight)

    def _judged(self, stab: Stab) -> Judged:
        """The judgement of the orders of a stab, without a loss if the power was not judged."""
        turn, review = stab.turn, self.reviews.get(stab.power)
        played = tuple(map(str, turn.orders.get(stab.power, ())))
        unjudged = Judged(str(turn.before.phase), turn.number, played, True)
        phases = review.phases if review is not None else ()
        return next((judged for judged in phases if judged.number == turn.number), unjudged)

    def _next_moment(self, turn: RecordedPhase) -> Moment:
        """The state at the next movement phase, or at the end."""
        numbers = [movement.number for movement in self.record.movements()]
        return self.moments[
            min((number for number in numbers if number > turn.number), default=max(self.moments))
        ]


def _point(
    kind: str,
    judged: Judged,
    power: str,
    victim: str,
    better: tuple[str, ...],
    loss: float,
    why: str,
    places: Iterable[str],
    weight: float,
) -> TurningPoint:
    when, looked_at = (judged.phase, judged.number), tuple(dict.fromkeys(places))
    lost, weighed = round(loss, 4), round(weight, 4)
    return TurningPoint(kind, *when, power, victim, judged.played, better, lost, why, looked_at, weighed)


def _certain(judged: Judged) -> bool:
    """Whether a loss is a blunder for certain, before the phase and in hindsight (movement phases only)."""
    known = judged.loss - SURE * judged.doubt
    after = judged.hindsight_loss - SURE * judged.hindsight_doubt if judged.hindsight else known
    return min(known, after) >= BLUNDER


def _province(order: str) -> str:
    """The province of the unit that an order is for."""
    return order.split()[1].partition("/")[0]
