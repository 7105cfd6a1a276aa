"""The turning points of a game: what is found in its phases, weighed against each other and told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bordeaux.board.position import Position
from bordeaux.review.accuracy import relative_loss
from bordeaux.review.record import Record, Turn
from bordeaux.review.result import KINDS, Judged, Moment, PowerReview, TurningPoint
from bordeaux.review.stabs import Stab
from bordeaux.review.telling import Teller

__all__ = ["turning_points"]

MOST, OF_A_KIND, OF_A_POWER = 16, 6, 4
"""Turning points of a game, those of one kind, and those of one power, at most."""
AGAIN = 2
"""Years in which a power that misses centres again is told of once."""
GRAVE, GRAVE_PART, SURE = 0.03, 0.12, 2.0
"""A loss is told of from so much of the end on, if it is such a part of what there was, and so many of its
standard errors."""
SLIGHT = 0.01
"""Of the end: what a stab must have moved, and what missed centres must have cost, to be told of."""


def turning_points(
    record: Record,
    reviews: Mapping[str, PowerReview],
    moments: Sequence[Moment],
    stabs: Iterable[Stab],
) -> list[TurningPoint]:
    """The gravest turning points, in the order of the game."""
    finder = _Finder(record, reviews, moments)
    found = [*finder.of_orders(), *finder.of_stabs(stabs)]
    decided = [each for each in found if each.kind in ("missed solo", "missed stop")]
    rest = [each for each in found if each not in decided]
    kept: list[TurningPoint] = []
    for each in sorted(decided, key=_weight) + sorted(rest, key=_weight):
        same = any(_alike(each, other) for other in kept)
        of_kind = sum(other.kind == each.kind for other in kept)
        of_power = sum(other.power == each.power for other in kept)
        if not same and of_kind < OF_A_KIND and of_power < OF_A_POWER and len(kept) < MOST:
            kept.append(each)
    return sorted(kept, key=lambda each: (each.number, list(KINDS).index(each.kind), each.power))


def _weight(point: TurningPoint) -> tuple[float, int, str]:
    return -point.loss, point.number, point.power


def _alike(one: TurningPoint, other: TurningPoint) -> bool:
    """Whether two are of one power and one phase, or tell of what it missed year after year."""
    apart = abs(int(one.phase[1:5]) - int(other.phase[1:5]))
    again = one.kind == other.kind == "missed capture" and apart <= AGAIN
    return one.power == other.power and (one.number == other.number or again)


class _Finder:
    """Looks through what was judged."""

    def __init__(self, record: Record, reviews: Mapping[str, PowerReview], moments: Sequence[Moment]) -> None:
        self.record = record
        self.reviews = reviews
        self.moments = {moment.number: moment for moment in moments}
        self.turns = {turn.number: turn for turn in record.turns}
        self.need = len(record.map.centres) // 2 + 1
        self.teller = Teller(record)

    def of_orders(self) -> Iterator[TurningPoint]:
        """What powers did not do that they could have done."""
        for power, review in self.reviews.items():
            for judged in review.phases:
                if not judged.sent:
                    continue
                turn = self.turns[judged.number]
                if judged.stop:
                    yield self._stop(turn, power, judged)
                elif judged.forced and (missed := self._missed(turn, power, judged)):
                    yield self._forced(turn, power, judged, missed)
                elif self._grave(judged):
                    why = self.teller.loss(turn, power, judged)
                    lost = (judged.loss + judged.hindsight_loss) / 2
                    places = map(_province, judged.key or ())
                    yield _point("loss", judged, power, "", judged.best, lost, why, places)

    def _stop(self, turn: Turn, power: str, judged: Judged) -> TurningPoint:
        winner = self.record.last.victor or ""
        why = self.teller.stop(turn, power, winner, judged)
        lost = max(judged.hindsight_loss, judged.loss, GRAVE)
        places = [_province(order) for order in judged.stop if order not in judged.played]
        return _point("missed stop", judged, power, winner, judged.stop, lost, why, places)

    def _forced(self, turn: Turn, power: str, judged: Judged, missed: int) -> TurningPoint:
        solo = judged.forced >= self.need
        why = self.teller.forced(turn, power, judged, missed, solo)
        kind = "missed solo" if solo else "missed capture"
        lost = 1 - self.moments[judged.number].shares[power] if solo else judged.loss
        places = self.teller.taken(turn, power, judged)
        return _point(kind, judged, power, "", judged.forced_by, lost, why, places)

    def _grave(self, judged: Judged) -> bool:
        part = relative_loss(judged, len(self.record.map.powers))
        sure = judged.loss >= SURE * judged.doubt
        return not judged.book and judged.loss >= GRAVE and part >= GRAVE_PART and sure

    def _missed(self, turn: Turn, power: str, judged: Judged) -> int:
        """By how many centres a power came to less than it could have forced, if that cost something."""
        after = self._settled(turn)
        count = judged.forced - after.owners.count(power)
        won = after.victor == power
        return count if count > 0 and not won and judged.loss >= max(SLIGHT, judged.doubt) else 0

    def _settled(self, turn: Turn) -> Position:
        """The first position after a Fall movement in which centres have changed hands."""
        year = turn.before.phase.year
        later = [each.before for each in self.record.turns if each.number > turn.number]
        for position in (*later, self.record.last):
            if position.phase.kind in "A-" or position.phase.year > year:
                return position
        return turn.after

    def of_stabs(self, stabs: Iterable[Stab]) -> Iterator[TurningPoint]:
        """Stabs that moved something, or broke a word."""
        for stab in stabs:
            before = self.moments[stab.turn.number].shares
            after = self._next_moment(stab.turn).shares
            moved = before[stab.victim] - after[stab.victim]
            if not stab.word and moved < SLIGHT:
                continue
            review = self.reviews.get(stab.power)
            judged = next(
                (each for each in review.phases if each.number == stab.turn.number) if review else iter(()),
                None,
            )
            costly = judged is not None and judged.loss >= max(SLIGHT, SURE * judged.doubt)
            if judged is None:
                judged = Judged(
                    str(stab.turn.before.phase),
                    stab.turn.number,
                    tuple(map(str, stab.turn.orders.get(stab.power, ()))),
                    True,
                )
            why = self.teller.stab(stab, before, after, judged.loss if costly else 0.0)
            better = judged.best if costly else ()
            lost = max(moved, judged.loss if costly else 0.0)
            yield _point("stab", judged, stab.power, stab.victim, better, lost, why, stab.entered)

    def _next_moment(self, turn: Turn) -> Moment:
        """How powers stood at the next movement phase, or at the end."""
        later = [each for each in self.record.movements() if each.number > turn.number]
        if later:
            return self.moments[later[0].number]
        return self.moments[max(self.moments)]


def _point(
    kind: str,
    judged: Judged,
    power: str,
    victim: str,
    better: tuple[str, ...],
    loss: float,
    why: str,
    places: Iterable[str],
) -> TurningPoint:
    lost, looked_at = round(loss, 4), tuple(dict.fromkeys(places))
    return TurningPoint(
        kind, judged.phase, judged.number, power, victim, judged.played, better, lost, why, looked_at
    )


def _province(order: str) -> str:
    """The province of the unit that an order is for."""
    return order.split()[1].partition("/")[0]
