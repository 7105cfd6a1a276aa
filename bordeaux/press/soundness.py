"""What is worth noting at all: messages of the language, about this map, of a bearable size."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import get_args

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.press import language as p
from bordeaux.press.letter import Letter

__all__ = ["is_sound"]

#: Levels of messages and terms within each other, and parts in all; DAIDE's own limit on length allows more.
DEEPEST, MOST_PARTS = 40, 1000

_SAID = (*get_args(p.Term), *get_args(p.Message), p.Share, p.Station)
_POWERS = frozenset(
    {"powers", "against", "power", "helped", "owner", "sender", "senders", "to", "also", "debtor", "creditor"}
)
_PROVINCES = frozenset({"provinces", "centres"})


def is_sound(letter: Letter, map: Map) -> bool:
    """Whether a letter is from one power of a map to others, and its message names powers and provinces of
    that map only, and is neither deeper nor longer than can be of use. Nothing is raised, whatever it
    holds."""
    powers, provinces = set(map.powers), {province.name for province in map.provinces}
    if letter.sender not in powers or not letter.to or not set(letter.to) <= powers - {letter.sender}:
        return False
    waiting: list[tuple[object, int]] = [(letter.message, 0)]
    seen = 0
    while waiting:
        said, depth = waiting.pop()
        seen += 1
        if seen > MOST_PARTS or depth > DEEPEST or not is_dataclass(said) or not isinstance(said, _SAID):
            return False
        for field in fields(said):
            value = getattr(said, field.name)
            listed = value if type(value) is tuple else (value,)
            seen += len(listed)
            if field.name in _POWERS:
                empty = field.name in ("helped", "owner") and value == ""
                if not empty and not all(each in powers for each in listed):
                    return False
            elif field.name in _PROVINCES:
                if not all(each in provinces for each in listed):
                    return False
            elif not all(_is_leaf(each, provinces) for each in listed if not is_dataclass(each)):
                return False
            waiting += [(each, depth + 1) for each in listed if is_dataclass(each)]
    return _counts(letter.message)


def _is_leaf(value: object, provinces: set[str]) -> bool:
    if isinstance(value, Order):
        places = (value.location, value.target, value.destination)
        return all(place.partition("/")[0] in provinces for place in places if place)
    return value is None or isinstance(value, str | int | Phase)


def _counts(message: object) -> bool:
    return True
