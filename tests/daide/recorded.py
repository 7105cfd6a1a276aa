"""Conversations that the PyPI package `diplomacy` ships to test its own DAIDE server with."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from bordeaux.daide.language import Token, Tokens

__all__ = ["Recorded", "recorded", "recorded_files"]


class Recorded(NamedTuple):
    """One message: who sent it, over which connection, and where it stands."""

    side: Literal["client", "server"]
    connection: str
    tokens: Tokens
    source: str


def recorded_files() -> list[Path]:
    """The files of conversations; none where the package is not installed."""
    package = importlib.util.find_spec("diplomacy")
    if package is None or package.origin is None:
        return []
    return sorted((Path(package.origin).parent / "daide" / "tests").glob("game_data_*.csv"))


def recorded(path: Path) -> Iterator[Recorded]:
    """The messages of a file: lines of connection, request, notifications; comments begin with '#'."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line and not line.startswith("#"):
            connection, *messages = line.split(",")
            for column, message in enumerate(messages):
                if message:
                    side: Literal["client", "server"] = "server" if column else "client"
                    yield Recorded(side, connection, _tokens(message), f"{path.name}, line {number}")


def _tokens(text: str) -> Tokens:
    """Tokens as the files write them: `#1901` is a number, a single letter one of a string, and
    nothing between two spaces a space."""

    def token(word: str) -> Token:
        if word.startswith("#"):
            return int(word[1:])
        return word if len(word) == 3 or word in ("(", ")") else f"'{word or ' '}"

    return tuple(map(token, text.split(" ")))
