"""Games between players in the simplest loop, and what must be true of any orders that a player gives."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bordeaux import Map, Order, Position, Unit
from bordeaux.board.map import parse_map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import HELPS, OrderKind
from bordeaux.board.submission import check
from bordeaux.formats.games import read_games
from bordeaux.players.base import Limit, Player, Seat, Turn
from bordeaux.players.registry import create

FREE = Limit(nodes=200)


class Played(NamedTuple):
    """A game: its turns, its last position, and how many centres were owned at the end of each year."""

    turns: list[Turn]
    last: Position
    owned: dict[int, int]

    def share(self, power: str) -> float:
        """The sum-of-squares score of a power: all of it for a solo."""
        if self.last.victor:
            return float(self.last.victor == power)
        squares = {name: len(centres) ** 2 for name, centres in self.last.centres.items()}
        return squares.get(power, 0) / sum(squares.values())


def table(specs: Sequence[str], map: Map, seed: int) -> dict[str, Player]:
    """A player in every chair, by power."""
    return {
        power: create(spec, Seat(power, map, seed)) for power, spec in zip(map.powers, specs, strict=True)
    }


def play(players: dict[str, Player], start: Position, until: int) -> Played:
    """Play to a solo, or to the end of a year, and close the players."""
    position, turns, owned = start, [], {}
    while position.phase.kind != "-" and position.phase.year <= until:
        orders = {power: players[power].orders(position, FREE) for power in position.orderable()}
        after = position.next(orders)
        turns.append(Turn(position, orders, after))
        for player in players.values():
            player.observe(turns[-1])
        owned[position.phase.year] = sum(owner is not None for owner in after.owners)
        position = after
    for player in players.values():
        player.close()
    return Played(turns, position, owned)


def read_orders(position: Position, orders: Sequence[Order | str]) -> list[Order]:
    """Orders as values, whatever the player gives."""
    return [
        order if isinstance(order, Order) else parse_order(order, position.map, position) for order in orders
    ]


def faults(position: Position, power: str, orders: Sequence[Order | str]) -> list[str]:
    """What is wrong with a player's orders: illegal ones, units without one, too many or too few."""
    given = read_orders(position, orders)
    wrong = [f"{order}: {fault}" for order in given if (fault := check(position, power, order).fault)]
    placed = [order.location.partition("/")[0] for order in given if order.kind != OrderKind.WAIVE]
    if len(placed) != len(set(placed)):
        wrong.append(f"a province twice in {placed}")
    if position.phase.kind == "A":
        if len(given) != abs(position.adjustments(power)):
            wrong.append(f"{len(given)} orders for {position.adjustments(power)} adjustments")
    else:
        owed = {place.partition("/")[0] for place in position.orderable().get(power, ())}
        if set(placed) != owed:
            wrong.append(f"orders for {sorted(placed)}, not {sorted(owed)}")
    return wrong


def human_positions(recorded_games: Path, games: int) -> Iterator[Position]:
    """All positions of some recorded games that are not too short."""
    long = (game for game in read_games(recorded_games / "human.jsonl.gz") if len(game.phases) > 12)
    for game in itertools.islice(long, games):
        for number in range(len(game.phases)):
            yield game.position(number)


def standard(
    phase: str, units: Mapping[str, Sequence[str]], centres: Mapping[str, Sequence[str]] | None = None
) -> Position:
    """A position on the standard map, ``{"FRANCE": ["A PAR"]}``."""
    return Position.from_json({"name": phase, "units": units, "centers": centres or {}})


def orders_for(spec: str, position: Position, power: str, seed: int = 0) -> list[Order]:
    """What a player that has just sat down orders for a power."""
    player = create(spec, Seat(power, position.map, seed))
    orders = player.orders(position, Limit())
    player.close()
    return read_orders(position, orders)


def assert_sound(position: Position, power: str, orders: Sequence[Order | str]) -> None:
    """The orders are legal, complete, and do not cross each other: no two units go to one province,
    none goes where another stays, no two change places, and help for own units is for what is ordered."""
    given = read_orders(position, orders)
    shown = f"{power}, {position.phase}: {'; '.join(map(str, given))}"
    assert faults(position, power, orders) == [], shown
    goals = [
        (order.destination if order.kind in (OrderKind.MOVE, OrderKind.RETREAT) else order.location)
        for order in given
        if order.kind not in (OrderKind.DISBAND, OrderKind.WAIVE)
    ]
    assert len({goal.partition("/")[0] for goal in goals}) == len(goals), shown
    moves = {order.location: order.destination for order in given if order.kind == OrderKind.MOVE}
    assert not any(moves.get(goal) == start for start, goal in moves.items()), shown
    for order in given:
        target = position.unit_at(order.target.partition("/")[0]) if order.kind in HELPS else None
        # What another power's unit does is not ours to order.
        if target is not None and target.power == power:
            assert moves.get(order.target, "") == order.destination, shown


# A map small enough for values to be worked out by hand: three coastal centres in a row and two seas.


STRIP: Map = parse_map("""
name = "strip"

[powers.REDS]
homes = "AAA"

[powers.BLUES]
homes = "CCC"

[provinces.AAA]
centre = true
kind = "coastal"
army = "BBB"
fleet = "SEA"

[provinces.BBB]
centre = true
kind = "coastal"
army = "AAA CCC"
fleet = { NC = "SEA", SC = "SEA SOU" }

[provinces.CCC]
centre = true
kind = "coastal"
army = "BBB"
fleet = "SEA"

[provinces.SEA]
kind = "sea"
fleet = "AAA BBB/NC BBB/SC CCC"

[provinces.SOU]
kind = "sea"
fleet = "BBB/SC"
""")

OWNERS = {"REDS": ["AAA"], "BLUES": ["CCC"]}


def position(phase: str, *units: str, owners: dict[str, list[str]] | None = None) -> Position:
    """A position from ``"REDS A AAA"`` and the like; centres as at the start unless given."""
    standing = [Unit(*unit.split()) for unit in units]
    return Position(STRIP, phase, standing, OWNERS if owners is None else owners)
