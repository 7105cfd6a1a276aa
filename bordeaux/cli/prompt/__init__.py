"""Interactive sessions at the terminal: a seat for a person in a DAIDE game, and walks through a book."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bordeaux.board.errors import FormatError

__all__ = ["input_lines"]

LONGEST = 100_000
"""Most characters of a line with commands."""


def input_lines() -> Iterator[str]:
    """The lines of standard input. Raises FormatError for one that no command has."""
    while line := sys.stdin.readline(LONGEST + 1):
        if len(line) > LONGEST:
            raise FormatError(f"standard input: a line of more than {LONGEST:,} characters is no command")
        yield line
