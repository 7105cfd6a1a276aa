"""Positions (DFEN) and orders as DUI writes them, with its names of provinces, powers and their letters."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from bordeaux.board.errors import FormatError, MapError, PositionError, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import Placement, parse_order
from bordeaux.board.order import Dislodged, Order, OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import open_retreats
from bordeaux.board.position import Position

# A province is its tag in lower case, except those in `_NAMES`. On input every name that the map has is read.
# A power is its full name in lower case, or in a position its first letter.

NOBODY = "N"
"""The letter of a centre that nobody owns."""
_NAMES = {"standard": {"LYO": "gol", "NWG": "nrg"}}
"""The names of provinces, by map and tag, that are other words."""


def province_to_dui(tag: str, map: Map) -> str:
    """The name of a province given by its tag."""
    return _NAMES.get(map.name, {}).get(tag, tag.lower())


@functools.cache
def letters(map: Map) -> dict[str, str]:
    """The letter of each power. Raises MapError if two powers share one, or if one is the letter of neutral
    centres."""
    letters = {power: power[0].upper() for power in map.powers}
    if len({*letters.values(), NOBODY}) <= len(letters):
        raise MapError(f"the powers of map {map.name} have no letters of their own in DFEN; write JSON")
    return letters


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
    map, own, phase = position.map, letters(position.map), position.phase
    if phase.kind == "-":
        raise FormatError("the game is over, which DFEN cannot say")
    owned = {
        **position.centres,
        NOBODY: [tag for tag, owner in position.owner_of.items() if owner is None],
    }
    parts = (
        [_unit_to_dfen(unit, map) for unit in position.units],
        [
            own.get(power, NOBODY) + name
            for power, tags in owned.items()
            for name in sorted(province_to_dui(tag, map) for tag in tags)
        ],
        [
            f"{_unit_to_dfen(each.unit, map)}<{province_to_dui(_attacked_from(position, each)[0], map)}"
            for each in position.dislodged
        ],
    )
    kind, season = ("b", "f") if phase.kind == "A" else (phase.kind.lower(), phase.season.lower())
    return "/".join((f"{phase.year}{season}{kind}", *(",".join(part) or NOTHING for part in parts)))


def lost_in_dfen(position: Position) -> list[str]:
    """What the line of a position does not express, a sentence for each; empty if it is complete."""
    lost = []
    if position.map.name != Map.standard().name:
        lost.append(f"the map, which is {position.map.name}")
    for dislodged in position.dislodged:
        if barred := _attacked_from(position, dislodged)[1]:
            unit = f"{dislodged.unit.power} {dislodged.unit}"
            lost.append(f"that {unit} may not retreat to {', '.join(barred)}, which the line leaves open")
    return lost


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
    standing, owned, driven = ([] if part in (NOTHING, "") else part.split(",") for part in parts[1:])
    units = [_unit_from_dfen(item, map) for item in standing]
    centres: dict[str, list[str]] = {}
    for item in owned:
        letter, name = _parts(_CENTRE, item, "centre", "'Avie' or 'Ntun'")
        owner = "" if letter.upper() == NOBODY else _power(letter, map)
        tag = _province(name, item, map)
        if tag not in map.centres:
            raise PositionError(f"{quote(item)}: {tag} is not a supply centre")
        centres.setdefault(owner, []).append(tag)
    free = set(centres.pop("", []))
    for power, tags in centres.items():
        if both := free.intersection(tags):
            raise PositionError(f"centre {min(both)} belongs to both {power} and nobody")
    dislodged = []
    taken = {unit.province for unit in units}
    for item in driven:
        driven_out, sign, origin = item.partition("<")
        if not sign:
            raise FormatError(f"{quote(item)} does not say where the attack came from; write 'Aavie<boh'")
        unit = _unit_from_dfen(driven_out, map)
        retreats = open_retreats(map, unit, taken | {_province(origin, item, map)})
        dislodged.append(Dislodged(unit, retreats))
    return Position(map, phase, units, centres, dislodged)


def _parts(pattern: re.Pattern[str], text: str, what: str, examples: str) -> tuple[str, ...]:
    if (match := pattern.fullmatch(text.lower())) is None:
        raise FormatError(f"no {what} {quote(text)} in DFEN; write it like {examples}")
    return match.groups("")


def _phase_from_dfen(text: str) -> Phase:
    year, season, kind = _parts(_PHASE, text, "phase", "'1901sm', '1902fr' or '1901fb'")
    if season not in ("fw" if kind == "b" else "sf"):
        raise FormatError(f"no phase {quote(text)} in DFEN: builds come in 'f', all else in 's' or 'f'")
    return Phase(int(year), "W" if kind == "b" else season.upper(), "A" if kind == "b" else kind.upper())


def _unit_from_dfen(text: str, map: Map) -> Unit:
    letter, kind, name, coast = _parts(_UNIT, text, "unit", "'Aavie' or 'Rfstp.sc'")
    power = _power(letter, map)
    with placed(quote(text), PositionError):
        location = map.location(kind.upper(), f"{name}/{coast}" if coast else name)
    return Unit(power, kind.upper(), location.name)


def _power(letter: str, map: Map) -> str:
    by_letter = {own: power for power, own in letters(map).items()}
    if (power := by_letter.get(letter.upper())) is None:
        raise FormatError(f"no power has the letter {quote(letter)}; letters: {' '.join(by_letter)}")
    return power


def _province(name: str, text: str, map: Map) -> str:
    with placed(quote(text), PositionError):
        return map.province(name).name


# Provinces are in lower case, coasts after a slash. Retreats are ``A vie R boh`` and ``F tri D``, builds
# ``A vie B``, a waived build ``W``. Semicolons separate the orders of a phase. A move by convoy has no
# mark: on input an army uses a convoy if there is no other way; ``VIA`` is also read.

WAIVED = "W"


def order_from_dson(text: str, map: Map, position: Placement | None = None) -> Order:
    """Read one order, in DUI's form or any other that `parse_order` reads. Raises OrderError."""
    if text.strip().upper() == WAIVED:
        return Order(OrderKind.WAIVE)
    return parse_order(text.strip(), map, position)


def orders_to_dson(orders: Iterable[Order], map: Map) -> str:
    """Orders of one power in one line, ``A vie H ; A bud - rum``; "" for none."""
    texts = []
    for order in orders:
        location, target, destination = (
            province_to_dui(tag, map) + slash + coast.lower() if tag else ""
            for tag, slash, coast in (
                each.partition("/") for each in (order.location, order.target, order.destination)
            )
        )
        written = order._replace(location=location, target=target, destination=destination, via=False)
        held = " H" if order.kind == OrderKind.SUPPORT_HOLD else ""
        texts.append(WAIVED if order.kind == OrderKind.WAIVE else f"{written}{held}")
    return " ; ".join(texts)


def orders_from_dson(text: str, map: Map, position: Placement | None = None) -> list[Order]:
    """Read orders separated by semicolons; none from an empty text. Raises OrderError."""
    return [order_from_dson(part, map, position) for part in text.split(";") if part.strip()]
