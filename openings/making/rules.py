"""The rules by which records and the engine's values become weights: parameters from a TOML file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from bordeaux.board.errors import FormatError, name_of, placed
from bordeaux.board.toml import parse_toml
from bordeaux.formats.source import LARGEST_TEXT, open_source, read_text
from bordeaux.openings.entry import SOURCES
from bordeaux.openings.schema import AMOUNT, TABLE, BookError, Form, LineFields

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
        with open_source(path) as handle, placed(name_of(path), BookError):
            return cls.read(read_text(handle, most=LARGEST_TEXT))

    @classmethod
    def read(cls, text: str) -> Rules:
        """The rules in a text. Raises BookError."""
        try:
            data = LineFields(parse_toml(text), "rules")
        except FormatError as error:
            raise BookError(f"not TOML: {error}") from None
        values: dict[str, Any] = {}
        for table, names in TABLES.items():
            given = LineFields(data.take(table, TABLE), f"[{table}]")
            for name in names:
                if name == "trust":
                    values[name] = {source: float(trust) for source, trust in given.take(name, TRUST).items()}
                else:
                    values[name] = float(given.take(name, AMOUNT))
            given.end()
        data.end()
        if not values["least"] or values["sets"] < 1:
            raise BookError("'least' must be above 0 and 'sets' at least 1")
        return cls(**values)

    def to_json(self) -> dict[str, Any]:
        """The parameters by name."""
        return asdict(self)


TRUST = Form(
    lambda value: (
        TABLE.holds(value)
        and sorted(value) == sorted(SOURCES)
        and all(AMOUNT.holds(trust) for trust in value.values())
    ),
    f"a number from 0 on for each of {', '.join(SOURCES)}",
)
