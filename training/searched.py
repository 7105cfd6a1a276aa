"""What searches came to in games of self-play (`training.selfplay`): soft targets for the policy."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bordeaux.board.errors import FormatError, quote
from bordeaux.formats.source import documents, first_line, open_source

__all__ = ["Lines", "drawn", "searched_lines"]


class Lines(NamedTuple):
    """The lines of a search: sets of orders as text, and how probable each is."""

    orders: Sequence[Sequence[str]]
    probabilities: Sequence[float]


def searched_lines(path: str | Path) -> dict[tuple[str, str], dict[str, Lines]]:
    """What was searched in the games of a file: lines by power, by the game's id and the name of the phase.

    Raises FormatError for a file that cannot be read, and for lines that make no sense.
    """
    found: dict[tuple[str, str], dict[str, Lines]] = {}
    with open_source(path) as handle:
        for game in documents(handle, first_line(handle)):
            for phase in game.get("phases", ()) if isinstance(game, dict) else ():
                for power, lines in phase.get("searched", {}).items():
                    try:
                        read = Lines(
                            [[str(order) for order in line["orders"]] for line in lines],
                            [float(line["probability"]) for line in lines],
                        )
                    except (KeyError, TypeError, ValueError):
                        raise FormatError(f"{path}: {quote(lines)} are no lines of a search") from None
                    if read.orders and min(read.probabilities) >= 0 and sum(read.probabilities) > 0:
                        found.setdefault((str(game["id"]), phase["name"]), {})[power] = read
    return found


def drawn(lines: Mapping[str, Lines], game: str, phase: str) -> dict[str, Sequence[str]]:
    """One line for each power of a phase, drawn by probability; the same whenever it is asked for.

    Over many phases the loss towards what was drawn is that towards the whole mixture.
    """
    chosen = {}
    for power, each in lines.items():
        seed = int.from_bytes(hashlib.sha256(f"{game} {phase} {power}".encode()).digest()[:8], "big")
        chosen[power] = random.Random(seed).choices(each.orders, each.probabilities)[0]
    return chosen
