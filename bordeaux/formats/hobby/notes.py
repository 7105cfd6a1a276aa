"""Warnings about pages that could not be read completely."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

__all__ = ["MOST_TOLD", "ReadingNote", "tell"]

MOST_TOLD = 12
"""Notes of one game that are reported one by one; the game has all of them."""


class ReadingNote(UserWarning):
    """A part of a page that could not be read, or that differs from the rules. The game is read
    nevertheless."""


def tell(notes: Iterable[str], source: str, most: int | None = MOST_TOLD) -> None:
    """Warn of every note, or of `most`, with the source; the command line prints them on standard error."""
    listed = list(notes)
    for note in listed[:most]:
        warnings.warn(f"{source}: {note}", ReadingNote, stacklevel=3)
    if most is not None and (more := len(listed) - most) > 0:
        warnings.warn(f"{source}: {more} more notes; replay --json has all", ReadingNote, stacklevel=3)
