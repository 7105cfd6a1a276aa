"""The DATC cases as data: reading them, and holding them to their form.

The file holds a list of cases. Every order stands as ``[text, [words]]`` with the document's words
(DATC 4.E.2) for what becomes of it; `after` says what the board looks like then.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bordeaux.board.order import Unit

__all__ = ["Case", "cases", "orders_of", "units_of"]

Case = dict[str, Any]

FILE = Path(__file__).parent / "cases.json"


def cases() -> list[Case]:
    """All cases of the file."""
    read: list[Case] = json.loads(FILE.read_text())
    return read


def units_of(stage: Case) -> list[Unit]:
    """The units of a stage or of what comes after it."""
    return [Unit(power, text[0], text[2:]) for power, texts in stage["units"].items() for text in texts]


def orders_of(stage: Case) -> dict[str, list[str]]:
    """The texts of the orders by power."""
    return {power: [text for text, _ in entries] for power, entries in stage["orders"].items()}


def expectations(stage: Case) -> Iterator[tuple[str, str, list[str]]]:
    """Power, text and expected words of every order."""
    for power, entries in stage["orders"].items():
        for text, words in entries:
            yield power, text, words
