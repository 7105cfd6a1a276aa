"""Tuples with named fields, declared by annotations: the base of all values."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Self, dataclass_transform


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


class Fields(tuple[Any, ...], metaclass=_Fields):
    """A tuple with named fields, made with them by position or by name, in the order listed."""

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


def _filled(cls: type[Fields], given: int, named: dict[str, Any]) -> list[Any]:
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
