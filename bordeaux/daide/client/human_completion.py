"""Completions for a person's input: commands, units, their orders, powers, press."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bordeaux.board.errors import MapError
from bordeaux.board.map import Map
from bordeaux.daide.client.human import Human
from bordeaux.daide.client.human_orders import OrderSheet
from bordeaux.daide.client.human_press import may_follow

__all__ = ["TypedCompletion", "candidates", "order_candidates", "pieces"]

_BLANKS = re.compile(r"\s+")
#: The parts of an order: the unit, then its action, with a supported or convoyed unit and its goal separate.
_ORDER = re.compile(r"([AF] \S+) ((?:- |R )\S+(?: VIA)?|[SC] [AF] \S+(?= )|[SC] [AF] \S+|[HDB])(?: (.+))?")
#: Commands with powers as arguments, followed by press.
_PRESS, _POWERS = frozenset({"press"}), frozenset({"say", "talk", "draw"})
_UNITS = frozenset({"clear", "legal"})
_COASTS = {"N": "north", "S": "south", "E": "east", "W": "west"}


class TypedCompletion(NamedTuple):
    """A text that replaces the last `replaces` characters typed; `shown` is its new part, `meaning` explains
    it."""

    text: str
    replaces: int
    shown: str
    meaning: str = ""


def candidates(typed: str, human: Human, commands: Mapping[str, str]) -> Iterator[TypedCompletion]:
    """All completions of the typed text; `commands` maps their names to their purpose."""
    line = typed.lstrip()
    word, blank, rest = line.partition(" ")
    if blank and word.lower() in commands:
        yield from _arguments(word.lower(), rest, human)
        return
    if not blank and line:
        yield from (
            TypedCompletion(f"{name} ", len(line), name, meaning)
            for name, meaning in commands.items()
            if name.startswith(line.lower())
        )
    if human.sheet is not None:
        yield from order_candidates(typed.rpartition(";")[2].lstrip(), human.sheet)


def _arguments(command: str, rest: str, human: Human) -> Iterator[TypedCompletion]:
    map = human.table.map
    if map is None:
        return
    last = rest.rpartition(" ")[2]
    if command in _UNITS and human.sheet is not None:
        for place in human.sheet.legal:
            unit = _unit_of(place, human.sheet)
            if unit.startswith(rest.upper()) or place.startswith(rest.upper()):
                yield TypedCompletion(unit, len(rest), unit, _name(map, place))
    elif command in _POWERS | _PRESS:
        words = rest.split() if not last else rest.split()[:-1]
        named = [word for word in words if _is_power(word, map)]
        if len(named) == len(words):
            for power in map.powers:
                tag = map.tags[power]
                if power != human.table.power and tag not in named and _begins(last, tag, power):
                    yield TypedCompletion(f"{tag} ", len(last), tag, power)
        if command in _PRESS and named:
            yield from _press(rest, len(named), human)


def _press(rest: str, count: int, human: Human) -> Iterator[TypedCompletion]:
    """Tokens that may come next in press, after `count` powers."""
    written = rest.split(maxsplit=count)[count:]
    press = "" if not written else written[0]
    match = re.search(r"[A-Za-z0-9]*$", press)
    part = match[0] if match else ""
    for word in may_follow(press[: len(press) - len(part)], human.table.level, human.vocabulary):
        if word.startswith(part.upper()) and word != part.upper():
            yield TypedCompletion(word, len(part), word)


def _is_power(word: str, map: Map) -> bool:
    try:
        map.power(word)
    except MapError:
        return False
    return True


def _begins(part: str, *names: str) -> bool:
    return any(name.upper().startswith(part.upper()) for name in names)


# Orders.


def pieces(order: str) -> list[str]:
    """An order divided where a person may pause: ``A MAR``, ``S A PAR``, ``- BUR``."""
    match = _ORDER.fullmatch(order)
    return [order] if match is None else [piece for piece in match.groups() if piece]


def order_candidates(typed: str, sheet: OrderSheet) -> Iterator[TypedCompletion]:
    """The next piece of every legal order that begins with the typed text."""
    map = sheet.position.map
    plain = _with_kind(_BLANKS.sub(" ", typed.upper()), sheet)
    seen: set[str] = set()
    for order in _by_need(sheet):
        begun = ""
        for piece in pieces(order):
            whole = f"{begun} {piece}".strip()
            if len(whole) > len(plain):
                fits = whole.startswith(plain) or (not begun and _named(plain, piece, map))
                if fits and whole not in seen:
                    seen.add(whole)
                    yield TypedCompletion(whole, len(typed), piece, _meaning(piece, map))
                break
            if not plain.startswith(whole):
                break
            begun = whole


def _by_need(sheet: OrderSheet) -> Iterator[str]:
    """All legal orders, those for units without an order first."""
    given = {str(order.location).partition("/")[0] for order in sheet.orders}
    for later in (False, True):
        for place, orders in sheet.legal.items():
            if (place.partition("/")[0] in given) == later:
                yield from orders


def _with_kind(plain: str, sheet: OrderSheet) -> str:
    """``PAR - B`` as ``A PAR - B``."""
    first, blank, rest = plain.partition(" ")
    for place in sheet.legal:
        if blank and first in (place, place.partition("/")[0]):
            return f"{_unit_of(place, sheet)} {rest}"
    return plain


def _unit_of(place: str, sheet: OrderSheet) -> str:
    """The unit in a place, or the one that is built there, as in its orders."""
    return " ".join(sheet.legal[place][0].split()[:2])


def _named(plain: str, unit: str, map: Map) -> bool:
    """Whether a unit's place or name begins with the typed text: ``PA``, ``Paris``, ``A PA``."""
    if not plain or plain.endswith(" "):
        return False
    tag = unit.partition(" ")[2].partition("/")[0]
    return any(_begins(plain, name) for name in _full_names(map, tag))


def _full_names(map: Map, tag: str) -> Iterable[str]:
    try:
        province = map.province(tag)
    except MapError:
        return ()
    return (province.name, province.full)


def _meaning(piece: str, map: Map) -> str:
    """A piece in words: ``- BUR`` is ``move to Burgundy``."""
    words = piece.split()
    place = _name(map, words[-1] if words[-1] != "VIA" else words[-2])
    match words:
        case ["-", _]:
            return f"to {place}"
        case ["-", _, "VIA"]:
            return f"to {place} by convoy"
        case ["R", _]:
            return f"retreat to {place}"
        case ["S", *_]:
            return f"support {place}"
        case ["C", *_]:
            return f"convoy {place}"
        case ["H"]:
            return "hold"
        case ["D"]:
            return "disband"
        case ["B"]:
            return "build"
        case ["WAIVE"]:
            return "build nothing"
    return place


def _name(map: Map, place: str) -> str:
    """The full name of a place, with its coast."""
    tag, _, coast = place.partition("/")
    try:
        full = map.province(tag).full
    except MapError:
        return ""
    return f"{full}, {''.join(_COASTS.get(letter, '') for letter in coast[:-1])} coast" if coast else full
