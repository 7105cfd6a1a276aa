"""The events of a game on a server: text for people, or one JSON object a line for programs."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.cli.report import report
from bordeaux.cli.report.output import check_place, print_json, print_shown
from bordeaux.formats.games import write_document


class EventPrinter:
    """Prints to standard output; with `as_json`, only data."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json

    def line(self, text: str, /, style: str = "", event: str = "told", **data: Any) -> None:
        """One line of text with any content; for programs the data, or else the text."""
        self.show(Text(clean(text), style=style), event, **(data or {"text": text}))

    def show(self, shown: RenderableType, /, event: str, **data: Any) -> None:
        """Something to show; for programs the data, nothing if there is none."""
        if not self.as_json:
            print_shown(shown)
        elif data:
            print_json({"event": event, **data})
        sys.stdout.flush()


class Saving:
    """Writes the saved game to a file repeatedly; without a file it is None.

    A failure is reported once and recorded: the game continues, and the command fails at the end.
    """

    def __init__(self, path: str, private: bool = False) -> None:
        self.path = path
        self.private = private
        self.failure = ""

    @classmethod
    def to(cls, path: str | None, private: bool = False, *, fresh: bool = True) -> Saving | None:
        """For the option --save. A `private` file is readable by the user only. Raises BordeauxError if the
        file cannot be written, and with `fresh` if it exists already."""
        check_place(path, "--save", fresh=fresh)
        return None if path is None else cls(path, private)

    def __call__(self, document: dict[str, Any]) -> None:
        """Write the game."""
        try:
            write_document(self.path, document, private=self.private)
        except OSError as error:
            if not self.failure:
                report(f"--save {self.path}: {error.strerror or error}; the game goes on")
            self.failure = error.strerror or str(error)
        else:
            self.failure = ""

    def complain(self) -> bool:
        """Report if the game was not saved at the end; returns whether that is so."""
        if self.failure:
            report(f"--save {self.path}: the end of the game is not saved: {self.failure}")
        return bool(self.failure)
