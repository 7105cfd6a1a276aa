"""The parts that DAIDE messages are made of, and the base of all their typed values.

A value is a tuple with named fields: it unpacks, prints as the call that makes it, turns to DAIDE text
with ``str``, and stands in ``match``. Other than in plain tuples, two values are equal only when they
are of one class: ``YES(x) != REJ(x)``. Powers, provinces, coasts and unit types are DAIDE's tokens of
three letters ('AUS', 'TRI', 'SCS', 'FLT'). Source: DAIDE Message Syntax 0.178, sections 1 and 2.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Self, dataclass_transform

from bordeaux.daide.tokens import Token, Tokens

__all__ = ["Place", "Token", "Tokens", "Turn", "Unit", "UnitAt", "Value"]


@dataclass_transform(frozen_default=True)
class _Fields(type):
    """Makes a tuple with named fields of a class that annotates them; a field may have a default."""

    fields: tuple[str, ...]
    defaults: tuple[Any, ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _Fields:
        fields = tuple(namespace.get("__annotations__", ()))
        defaults = tuple(namespace.pop(field) for field in fields if field in namespace)
        for index, field in enumerate(fields):
            namespace[field] = property(itemgetter(index))
        namespace.update(__slots__=(), __match_args__=fields, fields=fields, defaults=defaults)
        return super().__new__(mcs, name, bases, namespace)


class Value(tuple[Any, ...], metaclass=_Fields):
    """The base of all values; made with its fields by position or by name, in the order listed."""

    def __new__(cls, *args: Any, **named: Any) -> Self:
        """Make a value. Raises TypeError for fields that are missing, unknown or given twice."""
        missing = len(cls.fields) - len(args)
        if missing or named:
            args = (*args, *_filled(cls, len(args), named))
        return tuple.__new__(cls, args)

    def __eq__(self, other: object) -> bool:
        """True for the same fields in a value of the same class."""
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self))})"

    def __str__(self) -> str:
        """The value as DAIDE text."""
        from bordeaux.daide.language.writing import text

        return text(self)


def _filled(cls: type[Value], given: int, named: dict[str, Any]) -> list[Any]:
    """The fields after the first `given`, from names and defaults."""
    fields, defaults = cls.fields, cls.defaults
    first_default = len(fields) - len(defaults)
    values = []
    for index in range(given, len(fields)):
        field = fields[index]
        if field in named:
            values.append(named.pop(field))
        elif index >= first_default:
            values.append(defaults[index - first_default])
        else:
            raise TypeError(f"{cls.__name__} needs {field!r}")
    if given > len(fields) or named:
        raise TypeError(f"{cls.__name__} takes {', '.join(fields) or 'nothing'}, once each")
    return values


class Turn(Value):
    """A turn: ``SPR 1901``. Seasons: SPR and FAL movement, SUM and AUT retreats, WIN adjustments."""

    season: str
    year: int


class Place(Value):
    """Where a unit stands or goes: ``TRI``, or ``(SPA SCS)`` with the coast."""

    province: str
    coast: str | None = None


class Unit(Value):
    """A unit: ``AUS FLT TRI``. `kind` is AMY or FLT, within OCC also UNT (either)."""

    power: str
    kind: str
    place: Place


class UnitAt(Value):
    """A unit as NOW and MIS list it.

    `retreats` is None for a unit that stands; for a dislodged one the places it may retreat to
    (``MRT``), none for a unit that can only be disbanded.
    """

    unit: Unit
    retreats: tuple[Place, ...] | None = None
