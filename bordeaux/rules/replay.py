"""Recorded games adjudicated again and compared with the recorded next states.

Every phase starts from the recorded state, so one difference does not cause others. Where two states
differ, `bordeaux.rules.replay_diagnosis` looks for a proven explanation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, GamePhase
from bordeaux.rules.adjudication import adjudicate
from bordeaux.rules.recorded import Recorded
from bordeaux.rules.replay_diagnosis import Discrepancy, explain

__all__ = ["Mismatch", "ReplayReport", "ResultDifference", "replay_game"]


class Mismatch(NamedTuple):
    """A phase after which record and rules differ.

    `expected` is the recorded next state, `got` the adjudicated one; `difference` lists in words what only
    one of them has. `explanation` names the rule that differs, None if none is known.
    """

    game: str
    phase: str
    expected: Recorded
    got: Recorded
    difference: tuple[str, ...]
    explanation: str | None

    def to_json(self) -> dict[str, Any]:
        """The mismatch as ``bordeaux replay --json`` gives it."""
        return {
            "game": self.game,
            "phase": self.phase,
            "expected": self.expected.to_json(),
            "got": self.got.to_json(),
            "difference": list(self.difference),
            "explanation": self.explanation,
        }


class ResultDifference(NamedTuple):
    """A unit with different results in record and rules; the states may agree."""

    game: str
    phase: str
    unit: str
    order: str
    expected: tuple[str, ...]
    got: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The difference as ``bordeaux replay --json`` gives it."""
        return {**self._asdict(), "expected": list(self.expected), "got": list(self.got)}


@dataclass
class ReplayReport:
    """The result of replaying one game.

    `phases` counts recorded phases, `compared` those with a next state; `results` counts orders with a
    recorded result. `unreadable` lists orders that could not be read; their units had none.
    """

    game: str
    phases: int = 0
    compared: int = 0
    results: int = 0
    mismatches: list[Mismatch] = field(default_factory=list)
    differences: list[ResultDifference] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def add(self, other: ReplayReport) -> None:
        """Add the counts and findings of another game to this report."""
        self.phases += other.phases
        self.compared += other.compared
        self.results += other.results
        self.mismatches += other.mismatches
        self.differences += other.differences
        self.unreadable += other.unreadable


def replay_game(game: Game) -> ReplayReport:
    """Adjudicate every phase of a game and compare it with the recorded next one.

    Raises FormatError if a recorded state is not a position.
    """
    report = ReplayReport(game.id)
    following: Position | None = None
    for index, phase in enumerate(game.phases):
        report.phases += 1
        try:
            position = following if following is not None else game.position(index)
            following = None
            if position.phase.kind == "-":
                continue
            orders = read_orders(position, phase.orders, report)
            if any(phase.results.values()):
                resolution = adjudicate(position, orders)
                got = resolution.after
                compare_results(report, phase.name, orders, phase.results, resolution.results)
            else:
                got = position.next(orders)
            if index + 1 == len(game.phases):
                continue
            report.compared += 1
            adjudicated = Recorded.of_position(got)
            if agrees_at_sight(adjudicated, game.phases[index + 1]):
                following = got
                continue
            expected = recorded(game, index + 1)
        except BordeauxError as error:
            named = str(error).startswith("game ")
            raise FormatError(
                str(error) if named else f"game {quote(game.id)}, phase {phase.name}: {error}"
            ) from None
        if adjudicated.agrees(expected):
            following = got
        else:
            why = explain(Discrepancy(position, orders, got, adjudicated, expected))
            difference = adjudicated.differences(expected)
            report.mismatches.append(Mismatch(game.id, phase.name, expected, adjudicated, difference, why))
    return report


def agrees_at_sight(adjudicated: Recorded, phase: GamePhase) -> bool:
    """Whether a recorded state has exactly the words of `adjudicated`, which saves parsing it.

    If not, it may still be the same state in other words, or invalid.
    """
    try:
        return adjudicated.agrees(Recorded.of_state(phase.name, phase.state))
    except (AttributeError, TypeError):
        return False


def recorded(game: Game, index: int) -> Recorded:
    """The recorded state of a phase, in the words of positions. Raises FormatError."""
    said = Recorded.of_position(game.position(index))
    phase = game.phases[index]
    return said._replace(retreats=Recorded.of_state(phase.name, phase.state).retreats)


def read_orders(
    position: Position, recorded: Mapping[str, list[str] | None], report: ReplayReport
) -> dict[str, list[Order]]:
    """Read the recorded orders; unreadable ones are listed and omitted."""
    orders: dict[str, list[Order]] = {}
    for power, texts in recorded.items():
        orders[power] = []
        for text in texts or ():
            try:
                orders[power].append(parse_order(text, position.map, position))
            except OrderError as error:
                report.unreadable.append(f"{report.game} {position.phase} {power}: {error}")
    return orders


def compare_results(
    report: ReplayReport,
    phase: str,
    orders: Mapping[str, list[Order]],
    recorded: Mapping[str, list[str]],
    adjudicated: Mapping[str, list[str]],
) -> None:
    """Compare the results of every unit that both record and resolution have."""
    order_of = {f"{order.unit} {order.location}": str(order) for given in orders.values() for order in given}
    for unit, words in recorded.items():
        if unit not in adjudicated:
            continue
        report.results += 1
        # The record writes success as no words or as one empty word.
        expected = tuple(sorted(filter(None, words)))
        got = tuple(sorted(adjudicated[unit]))
        if expected != got:
            report.differences.append(
                ResultDifference(report.game, phase, unit, order_of.get(unit, ""), expected, got)
            )
