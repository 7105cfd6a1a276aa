"""Positions (DFEN) and orders as DUI writes them, with its names of provinces, powers and their letters."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterable
from pathlib import Path

from bordeaux.board.errors import FormatError, MapError, PositionError, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import Placement, parse_order
from bordeaux.board.order import Dislodged, Order, OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import open_retreats
from bordeaux.board.position import Position

# A province is its tag in lower case, except those in ``data/names.json``. On input every name that the map
# has is read. A power is its full name in lower case, or in a position its first letter.

NOBODY = "N"
"""The letter of a centre that nobody owns."""


@functools.cache
def _special() -> dict[str, dict[str, str]]:
    return json.loads((Path(__file__).parent / "data" / "names.json").read_text("utf-8"))["dui"]


def province_to_dui(tag: str, map: Map) -> str:
    """The name of a province given by its tag."""
    return _special().get(map.name, {}).get(tag, tag.lower())


@functools.cache
def letters(map: Map) -> dict[str, str]:
    """The letter of each power. Raises MapError if two powers share one, or if one is the letter of neutral
    centres."""
    letters = {power: power[0].upper() for power in map.powers}
    if len({*letters.values(), NOBODY}) <= len(letters):
        raise MapError(f"the powers of map {map.name} have no letters of their own in DFEN; write JSON")
    return letters


def power_of_letter(letter: str, map: Map) -> str:
    """The power of a letter. Raises FormatError for an unknown one."""
    for power, own in letters(map).items():
        if own == letter.upper():
            return power
    raise FormatError(f"no power has the letter {quote(letter)}; letters: {' '.join(letters(map).values())}")


# ::
#
# 1901sm/Aabud,Aavie,Aftri,.../Abud,Atri,Avie,...,Ntun/- 1902fr/Aavie,Rfstp.sc/Abud,...,Ntun/Aftri<ven
#
# PHASE is a year, the season ``s`` or ``f``, and ``m`` for movement, ``r`` for retreats or ``b`` for builds
# (only with ``f``). A unit is the letter of its power, ``a`` or ``f``, and its province, with the coast
# after a dot. CENTRES lists all centres, with ``N`` for neutral ones; a missing centre is read as neutral.
# DISLODGED has units with the origin of the attack on each. ``-`` is an empty list. Case and blanks are
# ignored on input.
#
# DFEN cannot express retreats that a standoff bars (see `lost_in_dfen`), the map, or earlier phases. A
# position stores the possible retreats, not the origin of the attack. So a province is written that
# explains the barred retreats, if there is one.

NOTHING = "-"
_PHASE = re.compile(r"(\d{1,4})([sfw])([mrb])", re.ASCII)
_UNIT = re.compile(r"([a-z])([af])(\w+)(?:\.([a-z]+))?", re.ASCII)
_CENTRE = re.compile(r"([a-z])(\w+)", re.ASCII)


def position_to_dfen(position: Position) -> str:
    """A position in one line; `lost_in_dfen` gives what the line cannot express. Raises FormatError for the
    end of a game, and MapError for a map whose powers have no letters of their own."""
    map, own = position.map, letters(position.map)
    units = [_unit_to_dfen(unit, map) for unit in position.units]
    centres = [
        own[power] + name
        for power, owned in position.centres.items()
        for name in sorted(province_to_dui(tag, map) for tag in owned)
    ]
    nobody = [tag for tag, owner in zip(map.centres, position.owners, strict=True) if owner is None]
    centres += [NOBODY + name for name in sorted(province_to_dui(tag, map) for tag in nobody)]
    dislodged = [
        f"{_unit_to_dfen(dislodged.unit, map)}<{province_to_dui(_attacked_from(position, dislodged)[0], map)}"
        for dislodged in position.dislodged
    ]
    parts = (",".join(part) or NOTHING for part in (units, centres, dislodged))
    return "/".join((_phase_to_dfen(position.phase), *parts))


def lost_in_dfen(position: Position) -> list[str]:
    """What the line of a position does not express, a sentence for each; empty if it is complete."""
    lost = []
    if position.map.name != Map.standard().name:
        lost.append(f"the map, which is {position.map.name}")
    for dislodged in position.dislodged:
        barred = _attacked_from(position, dislodged)[1]
        if barred:
            unit = f"{dislodged.unit.power} {dislodged.unit}"
            lost.append(f"that {unit} may not retreat to {', '.join(barred)}, which the line leaves open")
    return lost


def _phase_to_dfen(phase: Phase) -> str:
    if phase.kind == "-":
        raise FormatError("the game is over, which DFEN cannot say")
    kind, season = ("b", "f") if phase.kind == "A" else (phase.kind.lower(), phase.season.lower())
    return f"{phase.year}{season}{kind}"


def _unit_to_dfen(unit: Unit, map: Map) -> str:
    tag, _, coast = unit.location.partition("/")
    name = province_to_dui(tag, map)
    return f"{letters(map)[unit.power]}{unit.kind.lower()}{name}{'.' if coast else ''}{coast.lower()}"


def _attacked_from(position: Position, dislodged: Dislodged) -> tuple[str, list[str]]:
    """A possible origin of the attack, and the other barred provinces."""
    unit = dislodged.unit
    taken = {other.province for other in position.units}
    free = {place.partition("/")[0] for place in open_retreats(position.map, unit, taken)}
    barred = sorted(free - {place.partition("/")[0] for place in dislodged.retreats})
    attacker = position.unit_at(unit.province)
    beside = () if attacker is None else position.map.adjacent(attacker.kind, attacker.location)
    near = {place.partition("/")[0] for place in beside}
    if barred:
        # Where nothing that is barred borders on the attacker, it came by convoy.
        origin = next((place for place in barred if place in near), barred[0])
        return origin, [other for other in barred if other != origin]
    # Nothing is barred: somebody stands again where the attack came from.
    standing = {other.province for other in position.units} - {unit.province}
    return min(near & standing or standing or {unit.province}), []


def position_from_dfen(text: str, map: Map | None = None) -> Position:
    """Read a position, by default on the standard map. A dislodged unit may retreat to every free neighbour,
    except the origin of the attack. Raises FormatError or PositionError."""
    map = map or Map.standard()
    parts = re.sub(r"\s", "", text).split("/")
    if len(parts) != 4:
        raise FormatError(
            f"DFEN has four parts, PHASE/UNITS/CENTRES/DISLODGED, not {len(parts)}: {quote(text)}"
        )
    phase = _phase_from_dfen(parts[0])
    units = [_unit_from_dfen(item, map) for item in _items(parts[1])]
    centres: dict[str, list[str]] = {}
    for item in _items(parts[2]):
        owner, tag = _centre_from_dfen(item, map)
        centres.setdefault(owner, []).append(tag)
    free = set(centres.pop("", []))
    for power, owned in centres.items():
        if both := free.intersection(owned):
            raise PositionError(f"centre {min(both)} belongs to both {power} and nobody")
    dislodged = []
    taken = {unit.province for unit in units}
    for item in _items(parts[3]):
        driven_out, sign, origin = item.partition("<")
        if not sign:
            raise FormatError(f"{quote(item)} does not say where the attack came from; write 'Aavie<boh'")
        unit, barred = _unit_from_dfen(driven_out, map), _province(origin, item, map)
        retreats = open_retreats(map, unit, taken)
        left = tuple(place for place in retreats if place.partition("/")[0] != barred)
        dislodged.append(Dislodged(unit, left))
    return Position(map, phase, units, centres, dislodged)


def _items(part: str) -> list[str]:
    return [] if part in (NOTHING, "") else part.split(",")


def _phase_from_dfen(text: str) -> Phase:
    match = _PHASE.fullmatch(text.lower())
    if match is None:
        raise FormatError(f"no phase {quote(text)} in DFEN; write it like '1901sm', '1902fr' or '1901fb'")
    year, season, kind = match.groups()
    if season not in ("fw" if kind == "b" else "sf"):
        raise FormatError(f"no phase {quote(text)} in DFEN: builds come in 'f', all else in 's' or 'f'")
    return Phase(int(year), "W" if kind == "b" else season.upper(), "A" if kind == "b" else kind.upper())


def _unit_from_dfen(text: str, map: Map) -> Unit:
    match = _UNIT.fullmatch(text.lower())
    if match is None:
        raise FormatError(f"no unit {quote(text)} in DFEN; write it like 'Aavie' or 'Rfstp.sc'")
    letter, kind, name, coast = match.groups()
    power = power_of_letter(letter, map)
    with placed(quote(text), PositionError):
        location = map.location(kind.upper(), f"{name}/{coast}" if coast else name)
    return Unit(power, kind.upper(), location.name)


def _centre_from_dfen(text: str, map: Map) -> tuple[str, str]:
    match = _CENTRE.fullmatch(text.lower())
    if match is None:
        raise FormatError(f"no centre {quote(text)} in DFEN; write it like 'Avie' or 'Ntun'")
    letter, name = match.groups()
    owner = "" if letter.upper() == NOBODY else power_of_letter(letter, map)
    tag = _province(name, text, map)
    if tag not in map.centres:
        raise PositionError(f"{quote(text)}: {tag} is not a supply centre")
    return owner, tag


def _province(name: str, text: str, map: Map) -> str:
    with placed(quote(text), PositionError):
        return map.province(name).name


# Provinces are in lower case, coasts after a slash. Retreats are ``A vie R boh`` and ``F tri D``, builds
# ``A vie B``, a waived build ``W``. Semicolons separate the orders of a phase. A move by convoy has no
# mark: on input an army uses a convoy if there is no other way; ``VIA`` is also read.

WAIVED = "W"


def order_to_dson(order: Order, map: Map) -> str:
    """One order."""
    if order.kind == OrderKind.WAIVE:
        return WAIVED
    written = order._replace(
        location=_place(order.location, map),
        target=_place(order.target, map),
        destination=_place(order.destination, map),
        via=False,
    )
    text = str(written)
    return f"{text} H" if order.kind == OrderKind.SUPPORT_HOLD else text


def _place(location: str, map: Map) -> str:
    if not location:
        return ""
    tag, slash, coast = location.partition("/")
    return province_to_dui(tag, map) + slash + coast.lower()


def order_from_dson(text: str, map: Map, position: Placement | None = None) -> Order:
    """Read one order, in DUI's form or any other that `parse_order` reads. Raises OrderError."""
    if text.strip().upper() == WAIVED:
        return Order(OrderKind.WAIVE)
    return parse_order(text.strip(), map, position)


def orders_to_dson(orders: Iterable[Order], map: Map) -> str:
    """Orders of one power in one line, ``A vie H ; A bud - rum``; "" for none."""
    return " ; ".join(order_to_dson(order, map) for order in orders)


def orders_from_dson(text: str, map: Map, position: Placement | None = None) -> list[Order]:
    """Read orders separated by semicolons; none from an empty text. Raises OrderError."""
    return [order_from_dson(part, map, position) for part in text.split(";") if part.strip()]
