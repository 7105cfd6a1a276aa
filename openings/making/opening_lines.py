"""The opening of a saved game: the orders of its first phases, and the later course of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game
from bordeaux.openings.book import phase_number, phase_order
from bordeaux.openings.canonical import UnitView, canonical, is_idle, position_key, unit_view
from bordeaux.openings.entry import Orders

SPANS = (2, 4)
"""Years after which centres are counted."""


Time = tuple[int, ...]
NEVER: Time = (10_000,)


class End(NamedTuple):
    """The result of a game for a power: whether it survived, whether it had a solo, its score, and its number
    of centres."""

    survived: bool
    solo: bool
    score: float
    centres: int


class LineStep(NamedTuple):
    """A phase of a game: key and name, the canonical orders of every power that had to give some, and the
    powers that sent any. Also the powers' views (none in a retreat phase), and their centres two and four
    years later, None if the game was over before."""

    key: str
    phase: str
    orders: Mapping[str, Orders]
    sent: frozenset[str]
    views: Mapping[str, UnitView]
    later: Mapping[str, tuple[int | None, ...]]


class Trace(NamedTuple):
    """The first phases of a game and its end. `fault` is the reason why it stops, if the record does not
    follow the rules."""

    steps: tuple[LineStep, ...]
    ends: Mapping[str, End]
    fault: str


def trace_of(game: Game, depth: int, map: Map) -> Trace:
    """The first phases of a game, adjudicated again from the start, to a `depth` of three a year.

    A power without a valid order in the record sent none; its units hold. If the record differs from the
    result of the rules, the trace ends. Never raises for invalid records.
    """
    steps: list[LineStep] = []
    centres = [_centres(phase.state, map) for phase in game.phases]
    times = [_time(phase.name) for phase in game.phases]
    ends = _ends(centres[-1], map) if centres else {}
    position = Position.start(map)
    for index, phase in enumerate(game.phases):
        if position.phase.kind == "-" or phase_number(position.phase, map.start_phase) >= depth:
            break
        try:
            recorded = game.position(index, map)
        except BordeauxError as error:
            return Trace(tuple(steps), ends, str(error))
        if str(position.phase) != phase.name or (recorded.units, recorded.owners) != (
            position.units,
            position.owners,
        ):
            fault = f"game {game.id}, phase {phase.name}: not what the rules make of the phase before"
            return Trace(tuple(steps), ends, fault)
        later = [_later(times, centres, position, years, ends) for years in SPANS]
        step = _step(position, phase.orders, later)
        steps.append(step)
        position = position.next(step.orders)
    return Trace(tuple(steps), ends, "")


def _step(
    position: Position, recorded: Mapping[str, Sequence[str]], later: Sequence[Mapping[str, int] | None]
) -> LineStep:
    phase = str(position.phase)
    given = {}
    for name, texts in recorded.items():
        try:
            given[position.map.power(name)] = texts
        except BordeauxError:
            continue
    orderable = position.orderable()
    owing = [power for power in position.map.powers if orderable.get(power)]
    orders = {power: canonical(position, power, given.get(power, ())) for power in owing}
    sent = frozenset(power for power in owing if _sent(position, power, given.get(power, ()), orders[power]))
    views = {power: unit_view(position, power) for power in owing} if position.phase.kind in "MA" else {}
    counts = {
        power: tuple(None if table is None else table.get(power, 0) for table in later) for power in owing
    }
    return LineStep(position_key(position), phase, orders, sent, views, counts)


def _sent(position: Position, power: str, recorded: Sequence[str], orders: Orders) -> bool:
    """Whether a power took part: absent people leave no orders, or a few without effect."""
    if not recorded:
        return False
    return position.phase.kind != "M" or not is_idle(orders) or len(recorded) >= len(orders)


def _centres(state: Mapping[str, object], map: Map) -> dict[str, int]:
    """Centres by power in a recorded state."""
    given = state.get("centers")
    counts = {}
    for name, owned in given.items() if isinstance(given, dict) else ():
        if isinstance(name, str) and isinstance(owned, list):
            try:
                counts[map.power(name)] = len(owned)
            except BordeauxError:
                continue
    return counts


def _ends(centres: Mapping[str, int], map: Map) -> dict[str, End]:
    squares = sum(count * count for count in centres.values())
    winner = next((power for power, count in centres.items() if 2 * count > len(map.centres)), None)
    ends = {}
    for power in map.powers:
        count = centres.get(power, 0)
        if winner is not None:
            score = float(power == winner)
        else:
            score = count * count / squares if squares else 1 / len(map.powers)
        ends[power] = End(count > 0, power == winner, score, count)
    return ends


def _time(phase: str) -> Time:
    """The sort key of phases; one with an unknown name comes last."""
    try:
        return phase_order(phase)
    except BordeauxError:
        return NEVER


def _later(
    times: Sequence[Time],
    centres: Sequence[Mapping[str, int]],
    position: Position,
    years: int,
    ends: Mapping[str, End],
) -> Mapping[str, int] | None:
    """Centres some years after a position: in the same season, or the first phase after that. They are those
    of the end if a power had won before, and None if the game was over without a winner."""
    year, *rest = phase_order(position.phase)
    wanted = (year + years, *rest)
    for time, table in zip(times, centres, strict=True):
        if wanted <= time < NEVER:
            return table
    return centres[-1] if any(end.solo for end in ends.values()) else None
