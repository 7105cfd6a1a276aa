"""A message with sender and recipients, the interface of a negotiating player, and the validation of
letters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import NamedTuple, Protocol, get_args, runtime_checkable

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.press.language import messages as p


class Letter(NamedTuple):
    """A message with its sender and recipients, and the reason that the sender gives to a reader, if any. The
    reason is part of no agreement."""

    sender: str
    to: tuple[str, ...]
    message: p.Message
    reason: str = ""


@runtime_checkable
class Talker(Protocol):
    """A player that negotiates: in addition to the calls of a player, it is asked for messages.

    In each phase with press `open_talks` comes first, then `hear` for every letter, in one order that is
    common to all powers, and `quiet` whenever no letter is waiting. The talks end when no talker has a
    message, or when their time or the number of messages is used up; then orders are requested. Letters with
    another sender, above the level, to the talker itself, or to eliminated powers are not delivered. Equal
    letters in the same order give equal answers. An exception counts as silence.
    """

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        """A phase begins, in which messages up to a level are allowed: the first messages."""

    def hear(self, letter: Letter) -> Iterable[Letter]:
        """A letter has arrived; the answers, to any power."""

    def quiet(self) -> Iterable[Letter]:
        """All letters have been delivered and answered: further messages, if any."""

    def draw(self) -> tuple[str, ...] | None:
        """The powers of the draw that is acceptable in this phase; an empty tuple for all survivors, None for
        no draw. Called after the talks."""


# Letters come from others and may contain anything. The parts of a value are checked by the names of their
# fields, without recursion, before any other use.

#: The maximum depth of messages and terms, the maximum number of parts, and characters of text that count as
#: one part.
DEEPEST, MOST_PARTS, TEXT = 40, 1000, 10

LONGEST_REASON = 200
"""Characters of a reason."""

TERMS, MESSAGES = get_args(p.Term), get_args(p.Message)
_SAID = frozenset((*TERMS, *MESSAGES, p.Share, p.Station))
_FIELDS_OF_AN_ORDER = tuple(type(field) for field in Order(OrderKind.HOLD))


def is_sound(letter: Letter, map: Map) -> bool:
    """Whether a letter is from one power of a map to others, with a sound message and reason. Never
    raises."""
    checks = _Checks(map)
    return (
        checks.power(letter.sender)
        and checks.powers(letter.to)
        and letter.sender not in letter.to
        and type(letter.reason) is str
        and len(letter.reason) <= LONGEST_REASON
        and is_sound_message(letter.message, map)
    )


def is_sound_message(message: object, map: Map) -> bool:
    """Whether a value is a message that names only powers and provinces of a map, in the right places, with a
    limited depth and length. Never raises."""
    checks = _Checks(map)
    waiting: list[tuple[object, int]] = [(message, 0)]
    seen = 0
    while waiting:
        said, depth = waiting.pop()
        if depth > DEEPEST or type(said) not in _SAID:
            return False
        for field in fields(said):  # type: ignore[arg-type]
            value = getattr(said, field.name)
            if not checks.of(said, field.name, value):
                return False
            inside = value if type(value) is tuple else (value,)
            seen += len(value) // TEXT if field.name == "text" else len(inside)
            if seen > MOST_PARTS:
                return False
            waiting += [(part, depth + 1) for part in inside if type(part) in _SAID]
    return type(message) in MESSAGES


class _Checks:
    """The allowed values of fields, by their names, for one map."""

    def __init__(self, map: Map) -> None:
        self._powers = set(map.powers)
        self._provinces = {province.name for province in map.provinces}
        self._by_name: dict[str, Callable[[object], bool]] = {
            **dict.fromkeys(("powers", "against", "senders"), self.powers),
            **dict.fromkeys(("power", "sender", "also", "debtor", "creditor"), self.power),
            **dict.fromkeys(("helped", "owner"), lambda value: value == "" or self.power(value)),
            "to": lambda value: self.power(value) or self.powers(value),
            "target": lambda value: self.power(value) or self.place(value),
            **dict.fromkeys(("provinces", "centres"), lambda value: _each(value, self.place)),
            "order": self.order,
            "kind": lambda value: value in ("A", "F", p.ANY_UNIT),
            "location": self.place,
            **dict.fromkeys(("first", "phase"), _is_phase),
            "last": lambda value: value is None or _is_phase(value),
            **dict.fromkeys(("least", "most"), lambda value: type(value) is int and value >= 0),
            "parts": lambda value: _each(value, _is(*TERMS)),
            **dict.fromkeys(("units", "stations"), lambda value: _each(value, _is(p.Station))),
            "shares": lambda value: _each(value, _is(p.Share)),
            "unit": _is(p.Station),
            **dict.fromkeys(("term", "condition"), _is(*TERMS)),
            **dict.fromkeys(("message", "then"), _is(*MESSAGES)),
            "otherwise": lambda value: value is None or type(value) in MESSAGES,
            "text": _is(str),
            "removal": _is(bool),
        }

    def of(self, said: object, name: str, value: object) -> bool:
        """Whether a value is allowed in a field of a message."""
        match said:
            case p.State(p.Ask()) | p.Think(p.Ask()) | p.Not(p.Ask()) | p.Draw(()):
                return True
            case p.Sorry() | p.OnBoard():
                return type(value) is (p.Explain if isinstance(said, p.Sorry) else p.Why)
        if not self._by_name[name](value):
            return False
        if isinstance(said, p.Peace):
            return len(set(said.powers)) > 1
        # Fields are looked at in their order: `least` is known to be a number when `most` comes.
        return name != "most" or said.least <= said.most  # type: ignore[attr-defined]

    def power(self, value: object) -> bool:
        """Whether it is a power."""
        return type(value) is str and value in self._powers

    def powers(self, value: object) -> bool:
        """Whether it is a list of powers that is not empty."""
        return _each(value, self.power)

    def place(self, value: object) -> bool:
        """Whether it is a province, or a place in one."""
        return type(value) is str and value.partition("/")[0] in self._provinces

    def order(self, value: object) -> bool:
        """Whether it is an order for places of the map."""
        if type(value) is not Order or tuple(map(type, value)) != _FIELDS_OF_AN_ORDER:
            return False
        if value.kind == OrderKind.WAIVE:
            return value == Order(OrderKind.WAIVE)
        goals = [place for place in (value.target, value.destination) if place]
        units = value.unit in ("A", "F") and value.target_unit in ("A", "F", "")
        return units and all(map(self.place, (value.location, *goals, *value.route)))


def _each(value: object, check: Callable[[object], bool]) -> bool:
    return type(value) is tuple and bool(value) and all(map(check, value))


def _is(*types: type) -> Callable[[object], bool]:
    return lambda value: type(value) in types


def _is_phase(value: object) -> bool:
    return (
        type(value) is Phase
        and type(value.year) is int
        and 0 <= value.year <= 9999
        and (value.season, value.kind) in {("S", "M"), ("S", "R"), ("F", "M"), ("F", "R"), ("W", "A")}
    )
