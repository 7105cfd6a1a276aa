"""The rules by which records and the engine's values become weights: parameters from a TOML file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import resources
from pathlib import Path
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, name_of, quote
from bordeaux.board.toml import parse_toml
from bordeaux.formats.source import LARGEST_TEXT, open_source, read_text
from bordeaux.openings.entry import SOURCES
from bordeaux.openings.schema import BookError

TABLES = {
    "games": ("trust", "unplayed", "doubt"),
    "weights": ("popularity", "result", "value", "probability", "least"),
    "cut": ("weight", "sets", "listed"),
}


@dataclass(frozen=True)
class Rules:
    """The parameters; ``openings/data/rules.toml`` and docs/book.md describe each. All are numbers from 0 on;
    `trust` has one for each source of games."""

    trust: Mapping[str, float]
    unplayed: float
    doubt: float
    popularity: float
    result: float
    value: float
    probability: float
    least: float
    weight: float
    sets: float
    listed: float

    @classmethod
    def load(cls, path: str | Path | None = None) -> Rules:
        """The rules in a file, or the bundled ones. Raises BookError, with the wrong name, for a file that
        does not have this form."""
        if path is None:
            text = (resources.files("bordeaux.openings") / "data" / "rules.toml").read_text("utf-8")
            return cls.read(text)
        with open_source(path) as handle:
            try:
                text = read_text(handle, most=LARGEST_TEXT)
            except FormatError as error:
                raise BookError(f"{name_of(path)}: {error}") from None
        try:
            return cls.read(text)
        except BordeauxError as error:
            raise BookError(f"{name_of(path)}: {error}") from None

    @classmethod
    def read(cls, text: str) -> Rules:
        """The rules in a text. Raises BookError."""
        try:
            data = parse_toml(text)
        except FormatError as error:
            raise BookError(f"not TOML: {error}") from None
        values: dict[str, Any] = {}
        for table, names in TABLES.items():
            given = data.pop(table, None)
            if not isinstance(given, dict):
                raise BookError(f"no table [{table}]")
            for name in names:
                if name not in given:
                    raise BookError(f"no {name!r} in [{table}]")
                values[name] = _checked(name, given.pop(name))
            _nothing_left(given, f"[{table}]")
        _nothing_left(data, "rules")
        if not values["least"] or values["sets"] < 1:
            raise BookError("'least' must be above 0 and 'sets' at least 1")
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """The parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _nothing_left(table: Mapping[str, object], where: str) -> None:
    for name in table:
        raise BookError(f"{where} has no {quote(name)}")


def _checked(name: str, value: object) -> object:
    if name != "trust":
        return _number(name, value)
    if not isinstance(value, dict) or sorted(value) != sorted(SOURCES):
        raise BookError(f"'trust' must have a number for each of {', '.join(SOURCES)}")
    return {source: _number(f"trust of {source}", value[source]) for source in SOURCES}


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise BookError(f"{name!r} must be a number from 0 on, not {quote(value)}")
    return float(value)
