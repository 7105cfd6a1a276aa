"""The orders of people in phases of held-out games, in one comparable form.

A *key* is a tuple of numbers that is the same for equal orders: kind, location of the unit, target,
destination. It omits whether a move insists on its convoy. It also omits the coasts of units that are
supported or convoyed and of their destinations. The coast of the unit's own destination counts.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import as_bytes, codes_in, destination_of, kind_of, make_code, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.formats.games import read_games
from training.split import PARTS, PlayedPhase, part_of, played_phases

Key = tuple[int, int, int, int]

KINDS = "MRA"
"""Kinds of phases."""

#: Earlier movement phases that are kept; they include a power's last ones of both seasons.
HISTORY = 8
ADJUSTMENT = -1
"""The location of the single choice in Winter, which covers all due orders."""


class Asked(NamedTuple):
    """A phase of a game: all orders in it, as bytes of codes by power (`in_full`), the locations with a legal
    order, and the movement phases before, in order. Also the number of centres of each power in the last
    phase of the game."""

    game: str
    position: Position
    orders: Mapping[str, bytes]
    sent: Mapping[str, frozenset[int]]
    history: Sequence[PlayedPhase]
    result: Mapping[str, int] = {}


def key_of(map: Map, code: int) -> Key:
    """The key of an order by its code."""
    kind = kind_of(code)
    target, goal = target_of(code), destination_of(code)
    if kind in (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
        target = map.locations[target].province
        goal = 0 if kind == OrderKind.SUPPORT_HOLD else map.locations[goal].province
        return int(kind), unit_of(code), target, goal
    return int(kind), unit_of(code), target if kind in (OrderKind.MOVE, OrderKind.RETREAT) else 0, 0


def keys_of(map: Map, orders: bytes) -> tuple[Key, ...]:
    """The keys of a set of orders, sorted: equal sets have equal keys."""
    return tuple(sorted(key_of(map, code) for code in codes_in(orders)))


def place_of(position: Position, key: Key) -> int:
    """The choice of an order, as `choices` counts them."""
    return ADJUSTMENT if position.phase.kind == "A" else key[1]


def kind_name(position: Position, power: str, key: Key) -> str:
    """The name of an order in the tables: supports and convoys are divided into those of own and of others'
    units."""
    kind = OrderKind(key[0])
    if kind not in (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY):
        return kind.name.lower()
    helped = position.unit_at(position.map.provinces[key[2]].name)
    own = helped is not None and helped.power == power
    return f"{kind.name.lower().replace('_', ' ')}, {'own' if own else 'other'}"


def choices(position: Position, power: str) -> dict[int, list[Key]]:
    """The options of each choice of a power, by location of the unit.

    In Winter there is one choice, at `ADJUSTMENT`, to be made as often as orders are due; waiving is one of
    its options for builds. A unit with a single order has no choice and is left out.
    """
    map = position.map
    legal = position.packed.legal().get(map.powers.index(power), {})
    listed: dict[int, list[Key]] = {}
    if position.phase.kind == "A":
        options = [key_of(map, code) for codes in legal.values() for code in codes]
        due = position.adjustments(power)
        if due > 0:
            options.append((int(OrderKind.WAIVE), 0, 0, 0))
        if len(options) > abs(due):
            listed[ADJUSTMENT] = options
        return listed
    for location, codes in legal.items():
        options = list(dict.fromkeys(key_of(map, code) for code in codes))
        if len(options) > 1:
            listed[location] = options
    return listed


def in_full(position: Position, power: str, codes: bytes) -> bytes:
    """The legal orders of a power, with the defaults for missing ones.

    A missing order is a hold in movement, a disband in retreats, a waive for builds; of removals only the
    given ones count. No more adjustments count than are due.
    """
    if position.phase.kind != "A":
        kind = OrderKind.HOLD if position.phase.kind == "M" else OrderKind.DISBAND
        full = {}
        for place, options in position.packed.legal()[position.map.powers.index(power)].items():
            # The same order may have been written in another way than the one that is listed.
            listed = {key_of(position.map, code): code for code in reversed(options)}
            given = next((code for code in codes_in(codes) if unit_of(code) == place), make_code(kind, place))
            full[place] = given if given in options else listed.get(key_of(position.map, given), given)
        return as_bytes(full.values())
    due = position.adjustments(power)
    ordered = list(dict.fromkeys(code for code in codes_in(codes) if kind_of(code) != OrderKind.WAIVE))
    ordered = ordered[: abs(due)]
    return as_bytes([*ordered, *[make_code(OrderKind.WAIVE)] * (due - len(ordered))])


def asked(game: str, played: PlayedPhase, history: Sequence[PlayedPhase], result: Mapping[str, int]) -> Asked:
    """A phase that was played, with the powers that count."""
    position = played.position
    orders, sent = {}, {}
    for number, codes in played.orders.items():
        power = position.map.powers[number]
        if power in position.orderable() and choices(position, power):
            full = in_full(position, power, codes)
            if full:
                orders[power], sent[power] = full, frozenset(unit_of(code) for code in codes_in(codes))
    return Asked(game, position, orders, sent, history, result)


def sampled(
    paths: Sequence[str], count: int | None, seed: int, *, part: str = "test", kinds: str = KINDS
) -> Iterator[Asked]:
    """Phases of the games of one part (`training.split`) in which a power had a choice and gave orders.

    They are drawn uniformly, the wanted number or all (None), and are in the order of the games. Phases in
    which no power counts are skipped, so there may be slightly fewer. Raises FormatError for files without
    games.
    """
    games = [game for path in paths for game in read_games(path) if PARTS[part_of(game.id)] == part]
    places = [
        (number, phase.name)
        for number, game in enumerate(games)
        for phase in game.phases
        if phase.name[-1:] in kinds and any(phase.orders.values())
    ]
    if count is not None and count < len(places):
        places = random.Random(seed).sample(places, count)
    wanted: dict[int, set[str]] = {}
    for number, name in places:
        wanted.setdefault(number, set()).add(name)
    for number in sorted(wanted):
        movements: list[PlayedPhase] = []
        owned = games[number].phases[-1].state.get("centers", {})
        result = {power: len(owned.get(power, ())) for power in Map.standard().powers}
        for played in played_phases(games[number], Map.standard()):
            if str(played.position.phase) in wanted[number]:
                case = asked(games[number].id, played, movements[-HISTORY:], result)
                if case.orders:
                    yield case
            if played.position.phase.kind == "M":
                movements.append(played)
