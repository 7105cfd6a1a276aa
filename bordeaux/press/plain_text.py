"""Messages as terse text, made of the names of their values: ``Propose(Peace(FRANCE, ITALY))``."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

from bordeaux.press import language as p

__all__ = ["in_words"]


def in_words(message: p.Message) -> str:
    """A message as terse text; what is empty is left out."""
    return _text(message)


def _text(value: object) -> str:
    if is_dataclass(value):
        parts = [_text(getattr(value, field.name)) for field in fields(value)]
        return f"{type(value).__name__}({', '.join(filter(None, parts))})"
    if type(value) is tuple:
        return ", ".join(map(_text, value))
    return "" if value is None else str(value)
