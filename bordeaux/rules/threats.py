"""What others can attack in the next movement phase: units and centres of a power, by whom, how strongly."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from bordeaux.board.order import Unit
from bordeaux.board.position import Position


class Attack(NamedTuple):
    """The most that one power can do against a province: its `strength`, one for the unit that moves and one
    for each support, and the locations of these units (`origins`). A convoy by its own fleets counts."""

    power: str
    strength: int
    origins: tuple[str, ...]


class Threat(NamedTuple):
    """A `province` that others can attack, each alone; the strongest attack is first. `defence` is what
    holds it at best: the unit in it and the supports of others of its power, or those that can come. An
    attack that is stronger succeeds unless supports are cut."""

    province: str
    defence: int
    attacks: tuple[Attack, ...]


def threats(position: Position, power: str) -> tuple[Threat, ...]:
    """The provinces with a unit or a centre of a power that others can attack, those in most danger first.

    Raises MapError for an unknown power.
    """
    board, power = position.map, position.map.power(power)
    near = {unit: _near(position, unit) for unit in position.units}
    held = {unit.province for unit in position.units_of(power)}
    found = []
    for province in board.provinces:
        tag = province.name
        if tag not in held and tag not in position.centres.get(power, ()):
            continue
        attacks = [
            attack
            for other in board.powers
            if other != power and (attack := _attack(position, other, tag, near)) is not None
        ]
        if attacks:
            defence = sum(tag in near[unit] or unit.province == tag for unit in position.units_of(power))
            attacks.sort(key=lambda attack: -attack.strength)
            found.append(Threat(tag, defence, tuple(attacks)))
    return tuple(sorted(found, key=lambda threat: threat.defence - threat.attacks[0].strength))


def _near(position: Position, unit: Unit) -> frozenset[str]:
    """The provinces that a unit can move into without a convoy."""
    return frozenset(place.partition("/")[0] for place in position.map.adjacent(unit.kind, unit.location)) - {
        unit.province
    }


def _attack(position: Position, power: str, tag: str, near: Mapping[Unit, Collection[str]]) -> Attack | None:
    """The strongest attack of a power on a province; None if there is none."""
    own = [unit for unit in position.units_of(power) if unit.province != tag]
    direct = [unit for unit in own if tag in near[unit]]
    best = direct
    for army in own:
        if army.kind == "A" and army not in direct and position.map.province(tag).kind != "sea":
            route = _route(position, army, tag, own, direct, near)
            if route is not None:
                # A fleet that convoys supports nothing.
                coming = [army, *(unit for unit in direct if unit not in route)]
                best = max(best, coming, key=len)
    return Attack(power, len(best), tuple(unit.location for unit in best)) if best else None


def _route(
    position: Position,
    army: Unit,
    tag: str,
    own: Collection[Unit],
    direct: Collection[Unit],
    near: Mapping[Unit, Collection[str]],
) -> tuple[Unit, ...] | None:
    """The convoy of an army to a province that takes the fewest units away that could go there themselves."""
    fleets = [unit for unit in own if unit.kind == "F" and position.map.province(unit.province).kind == "sea"]
    # By price, then by number of fleets; no route visits a fleet twice.
    routes: list[tuple[int, tuple[Unit, ...]]] = [
        (int(fleet in direct), (fleet,)) for fleet in fleets if army.province in near[fleet]
    ]
    done: set[Unit] = set()
    while routes:
        routes.sort(key=lambda route: (route[0], len(route[1])))
        price, route = routes.pop(0)
        last = route[-1]
        if last in done:
            continue
        done.add(last)
        if tag in near[last]:
            return route
        routes += [
            (price + (fleet in direct), (*route, fleet))
            for fleet in fleets
            if fleet not in done and fleet.province in near[last]
        ]
    return None
