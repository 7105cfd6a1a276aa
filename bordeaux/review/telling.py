"""A review in words: turning points with the missed chance and its consequences, and a row for each power."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.press.language.english.names import listed
from bordeaux.review.peace import Stab
from bordeaux.review.record import GameRecord, RecordedPhase, held, owned_after
from bordeaux.review.result import Judged, Review

ACCURACY = (
    "Accuracy is 100 where nothing was lost, 82 where a tenth of all that a power could expect was, and 37 "
    "where half was. Lost is the mean of a movement phase, in the score of the whole game."
)
"""What the figures of a summary mean."""
WORDS = {
    "peace": "the peace that they had agreed",
    "alliance": "their alliance",
    "demilitarised": "the zone that they had agreed to stay out of",
    "support": "the help that it had promised",
}
HARD = 0.02
"""The probability below which people rarely give an order."""


class TurningTeller:
    """Describes the turning points of a record."""

    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.map = record.map

    def loss(self, turn: RecordedPhase, power: str, judged: Judged) -> str:
        """Why orders were a mistake."""
        name = power.title()
        best, given = percent(judged.expected), percent(judged.expected - judged.loss)
        sentence = f"{name}'s expected score was {best} with its best orders, {given} with these"
        moves = turn.before.phase.kind == "M"
        if moves:
            sentence += f" (they cost {percent(judged.hindsight_loss)} as the others played)"
        if judged.key is not None:
            sentence += f"; what mattered most was {judged.key[0]} in place of {judged.key[1]}"
            if judged.foreseen is not None:
                often = f"which {percent(judged.foreseen)} of people would give"
                sentence += f", {often if judged.foreseen >= HARD else 'which people hardly ever find'}"
        elif better := [order for order in judged.best if order not in judged.played]:
            sentence += f"; better was {listed(better[:3])}"
        sentence += "."
        came = self._instead(turn, power, judged.best) if moves else ""
        if came:
            sentence += f" As the others played, the better orders would have {came}."
        return sentence + self._later(turn, power)

    def forced(self, turn: RecordedPhase, power: str, judged: Judged, missed: int, solo: bool) -> str:
        """The centres that could have been forced."""
        name, count = power.title(), judged.forced
        if solo:
            sure = f"these orders make {count} centres sure, whatever the others do"
            return f"{name} could have won at once: {sure}."
        into = self.taken(turn, power, judged)
        by = f", with {self._places(into)}" if into else ""
        could = f"{name} could have owned {count} centres after this Fall{by}"
        return f"Whatever the others did, {could}; it came to {count - missed}."

    def stop(self, power: str, winner: str, judged: Judged) -> str:
        """How a victory could have been stopped."""
        orders = [order for order in judged.stop if order not in judged.played] or judged.stop
        return (
            f"{winner.title()} won with this phase, and {power.title()} alone could have stopped it: "
            f"with {listed(orders[:4])}{' and more' if len(orders) > 4 else ''} it keeps "
            f"{winner.title()} short of {self.map.majority} centres."
        )

    def stab(
        self, stab: Stab, before: Mapping[str, float], after: Mapping[str, float], judged: Judged, cost: float
    ) -> str:
        """The attacker, the victim, the peace that was broken, the gain, and better orders."""
        power, victim = stab.power.title(), stab.victim.title()
        if stab.word:
            sentence = f"{power} broke {WORDS.get(stab.word, 'its word')} with {victim}"
        else:
            sentence = f"{power} attacked {victim} after {_years(stab.quiet)} in which they let each other be"
        if stab.taken:
            sentence += f", and came to stand in {self._places(stab.taken)}"
        elif stab.entered:
            sentence += f", and came into {self._places(stab.entered)}"
        theirs = f"{percent(before[stab.victim])} to {percent(after[stab.victim])}"
        own = f"{percent(before[stab.power])} to {percent(after[stab.power])}"
        sentence += f". {victim}'s expected score went from {theirs}, {power}'s from {own}."
        if stab.victim in judged.broke and judged.otherwise:
            worth = signed(judged.stab_worth)
            sentence += f" By what {power} could know, the stab was worth {worth} to it."
        if cost:
            sentence += f" {power} could have done it better, by {percent(cost)}."
        return sentence

    def spared(self, power: str, judged: Judged) -> str:
        """The cost of a peace that was kept."""
        name, whom = power.title(), listed([victim.title() for victim in judged.victims])
        orders = [order for order in judged.otherwise if order not in judged.best]
        sentence = f"{name} kept the peace with {whom}; a stab was worth {signed(judged.stab_worth)}"
        if orders:
            sentence += f", with {listed(orders[:3])}{' and more' if len(orders) > 3 else ''}"
        return sentence + ". That was a choice, and counts for nothing in its accuracy."

    def _instead(self, turn: RecordedPhase, power: str, better: Sequence[str]) -> str:
        """The results of better orders beside those of the played ones, against the others' actual orders."""
        other = turn.before.next({**turn.orders, power: better})
        before = held(turn.before, power)
        more = owned_after(other, power) - owned_after(turn.after, power)
        fall = turn.before.phase.season == "F"
        parts = []
        if kept := sorted(more & before):
            parts.append(f"held {self._places(kept)}")
        if taken := sorted(more - before):
            parts.append(f"{'taken' if fall else 'come into'} {self._places(taken)}")
        gone, instead = (
            {(str(unit), unit.power) for unit, _ in after.dislodged} for after in (turn.after, other)
        )
        saved = sorted(unit for unit, whose in gone - instead if whose == power)
        if saved and not kept:
            parts.append(f"kept {listed(saved)} from being dislodged")
        hit = [f"{unit} of {whose.title()}" for unit, whose in sorted(instead - gone) if whose != power]
        if hit and not taken:
            parts.append(f"dislodged {listed(hit)}")
        return listed(parts)

    def _later(self, turn: RecordedPhase, power: str) -> str:
        """The power's later losses within a year, if any."""
        now = turn.before.owners.count(power)
        year = turn.before.phase.year
        later = [later.before for later in self.record.turns if later.before.phase.year > year + 1]
        then = (later[0] if later else self.record.last).owners.count(power)
        return f" It had {now} centres, and a year later {then}." if then < now else ""

    def taken(self, turn: RecordedPhase, power: str, judged: Judged) -> list[str]:
        """The foreign or neutral centres to which forced moves go."""
        read = [parse_order(order, self.map, turn.before) for order in judged.forced_by]
        goals = [order.destination.partition("/")[0] for order in read if order.kind == OrderKind.MOVE]
        had = held(turn.before, power)
        return [goal for goal in dict.fromkeys(goals) if goal in self.map.centres and goal not in had]

    def _places(self, tags: Iterable[str]) -> str:
        return listed([self.map.province(tag).full for tag in tags])


def percent(share: float) -> str:
    """A share for people: ``7 %``, ``0.4 %`` if it is small, and ``> 99 %`` if it is nearly all."""
    points = 100 * share
    if 99.5 <= points < 100:
        return "> 99 %"
    return f"{points:.1f} %" if 0.05 <= points < 0.95 else f"{whole(points)} %"


def whole(value: float) -> int:
    """The nearest whole number; halves go up, as in the analysis page, so that both show one figure."""
    return math.floor(value + 0.5)


def signed(share: float) -> str:
    """A share with its sign: ``+7 %``."""
    size = percent(abs(share))
    return size if size == "0 %" else f"{'-' if share < 0 else '+'}{size}"


def within(told: str, error: float) -> str:
    """A figure with its standard error, unless that rounds to 0."""
    wide = percent(error)
    return told if wide == "0 %" else f"{told} ± {wide}"


def _years(phases: int) -> str:
    years = phases / 2
    return f"{years:g} year{'s' * (years != 1)}"


class SummaryRow(NamedTuple):
    """A power: its `centres` at the end, and as texts its `accuracy`, its mean loss per movement phase
    (`lost`), and its `worst` phase with the loss. `point` is the number of the turning point of that phase
    from 1, or 0. Texts are "" if there is no value."""

    power: str
    centres: int
    accuracy: str
    lost: str
    worst: str
    point: int
    opening: str
    silent: int


def summary(review: Review) -> list[SummaryRow]:
    """The rows of all powers that were judged, in the order of the map."""
    places = [(point.power, point.number) for point in review.turning_points]
    rows = []
    for power, of_power in review.powers.items():
        accuracy = "" if of_power.accuracy is None else str(whole(of_power.accuracy))
        lost, worst, point = percent(of_power.lost) if of_power.judged else "", "", 0
        if of_power.worst is not None and (place := (power, of_power.worst.number)) in places:
            worst, point = f"{of_power.worst.phase}, {percent(of_power.worst.loss)}", places.index(place) + 1
        centres, silent = review.moments[-1].centres[power], len(of_power.silent)
        rows.append(SummaryRow(power, centres, accuracy, lost, worst, point, of_power.opening.name, silent))
    return rows
