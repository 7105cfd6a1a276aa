"""Notes on unreadable input, as lines on standard error."""

from __future__ import annotations

import warnings
from typing import TextIO

from bordeaux.cli.report.errors import report
from bordeaux.formats.hobby.notes import ReadingNote

__all__ = ["tell_notes"]


def tell_notes() -> None:
    """From now on show every ReadingNote as a line ``bordeaux: note: ...``; other warnings are unchanged."""
    warnings.simplefilter("always", ReadingNote)
    others = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, ReadingNote):
            report(f"note: {message}")
        else:
            others(message, category, filename, lineno, file, line)

    warnings.showwarning = show
