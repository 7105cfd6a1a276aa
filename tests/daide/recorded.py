"""Conversations that the PyPI package `diplomacy` ships to test its own DAIDE server with."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple

from bordeaux import Map, Order, Position
from bordeaux.daide import language as d
from bordeaux.daide.language import Token, Tokens
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.translate import order_of, value_of

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


# Messages and frames gone wrong, for tests that want rubbish which is nearly right.

__all__ = ["mutated", "mutated_bytes"]

STRANGE: tuple[Token, ...] = (
    "(",
    ")",
    "ERR",
    "PRN",
    "HUH",
    "UNO",
    "0x4C01",
    "XXX",
    "'a",
    "')",
    0,
    -8192,
    "MRT",
    "FOR",
)


def mutated(tokens: Tokens, random: Random, times: int = 1) -> Tokens:
    """A message with some tokens lost, doubled, exchanged, moved or out of nowhere."""
    changed = list(tokens)
    for _ in range(times):
        at = random.randrange(len(changed) + 1)
        end = min(len(changed), at + random.choice((1, 1, 1, 2, 3, 8)))
        match random.randrange(6):
            case 0:
                del changed[at:end]
            case 1:
                changed[at:at] = changed[at:end]
            case 2:
                changed.insert(at, random.choice(STRANGE))
            case 3 if changed:
                changed[at : at + 1] = [random.choice(tokens or STRANGE)]
            case 4:
                del changed[at:]
            case _:
                changed[at:end] = reversed(changed[at:end])
    return tuple(changed)


def mutated_bytes(data: bytes, random: Random) -> bytes:
    """Bytes with some changed, lost, doubled or inserted."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(changed) + 1)
        match random.randrange(5):
            case 0 if at < len(changed):
                changed[at] = random.randrange(256)
            case 1 if at < len(changed):
                changed[at] ^= 1 << random.randrange(8)
            case 2:
                del changed[at : at + random.choice((1, 2, 4))]
            case 3:
                changed[at:at] = random.randbytes(random.choice((1, 2, 6)))
            case _:
                changed[at:at] = changed[at : at + random.choice((1, 2, 8))]
    return bytes(changed)


# Orders in DAIDE's text, by way of the values of the language.


def order_to_daide(order: Order, power: str, position: Position) -> str:
    """The text of an order that a power gives in a position."""
    return str(value_of(order, power, position))


def order_from_daide(text: str, map: Map) -> tuple[str, Order]:
    """The power that gives an order, and the order, of a text."""
    return order_of(d.read_part("order", text, vocabulary=Vocabulary.for_map(map)), map)
