"""Messages as plain JSON values, with a complete check on input.

A value is an object with its name, which holds its fields: ``{"Propose": {"term": {"Peace": {"powers":
["FRANCE", "ITALY"]}}}}``. Orders and phases are texts. The text of an order does not name the seas of a
convoy, so these are separate: ``{"order": "A LON - NWY VIA", "route": ["NTH"]}``.
"""

from __future__ import annotations

import typing
from dataclasses import fields
from functools import cache
from typing import Any, get_args, get_origin

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import MESSAGES, TERMS, is_sound_message

_NAMED: dict[str, type] = {kind.__name__: kind for kind in (*TERMS, *MESSAGES, p.Share, p.Station)}


def to_json(value: p.Message | p.Term | p.Share | p.Station) -> dict[str, Any]:
    """A message, or a part of one, as plain JSON values."""
    return {type(value).__name__: {field.name: _plain(getattr(value, field.name)) for field in fields(value)}}


def message_from_json(data: object, map: Map) -> p.Message:
    """The message of what `to_json` gives, about powers and provinces of a map. Raises FormatError for
    anything else."""
    try:
        value = _value(data, map)
    except RecursionError:
        raise FormatError("a message that is too deep") from None
    except FormatError:
        raise
    except BordeauxError as error:
        raise FormatError(str(error)) from None
    if not is_sound_message(value, map):
        raise FormatError(f"{quote(data)} is no message")
    return typing.cast(p.Message, value)


@cache
def _hints(kind: type) -> tuple[tuple[str, Any], ...]:
    """The fields of a kind of value with their types."""
    return tuple(typing.get_type_hints(kind).items())


def _plain(value: Any) -> Any:
    if isinstance(value, Order):
        return {"order": str(value), "route": list(value.route)} if value.route else str(value)
    if isinstance(value, Phase):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return to_json(value) if type(value) in _NAMED.values() else value


def _value(data: object, map: Map) -> object:
    """The value of an object that holds one name."""
    if not isinstance(data, dict) or len(data) != 1:
        raise FormatError(f"{quote(data)} is no message: it must be an object with one name")
    ((name, held),) = data.items()
    kind = _NAMED.get(name)
    if kind is None or not isinstance(held, dict) or held.keys() != {name for name, _ in _hints(kind)}:
        raise FormatError(f"{quote(data)} is no message: {quote(name)} with these fields is unknown")
    return kind(**{name: _field(held[name], hint, map) for name, hint in _hints(kind)})


def _field(data: object, hint: Any, map: Map) -> object:
    if get_origin(hint) is tuple:
        if not isinstance(data, list):
            raise FormatError(f"{quote(data)} is no list")
        return tuple(_field(item, get_args(hint)[0], map) for item in data)
    if hint is Order:
        whole = data if isinstance(data, dict) else {"order": data, "route": []}
        text, route = whole.get("order"), whole.get("route")
        if not isinstance(text, str) or not isinstance(route, list):
            raise FormatError(f"{quote(data)} is no order")
        return parse_order(text, map)._replace(route=tuple(route))
    if isinstance(data, str) and Phase in (hint, *get_args(hint)):
        return Phase.parse(data)
    return _value(data, map) if isinstance(data, dict) else data
