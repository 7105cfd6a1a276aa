"""The events of a game on a server: text for people, or one JSON object a line for programs."""

from __future__ import annotations

import sys
from typing import IO, Any

from rich.console import Console, RenderableType
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.cli.errors import report
from bordeaux.cli.files import check_place
from bordeaux.cli.output import console, print_json
from bordeaux.formats.games import write_document

__all__ = ["Saving", "Teller"]


class Teller:
    """Prints to `stream`, standard output by default; with `as_json`, only what is data."""

    def __init__(self, as_json: bool = False, stream: IO[str] | None = None) -> None:
        self.as_json = as_json
        self._stream = stream

    @property
    def console(self) -> Console:
        """A console for what standard output is now: a prompt puts another stream there for a while."""
        return console(self._stream)

    def line(self, text: str, /, style: str = "", event: str = "told", **data: Any) -> None:
        """One line of text, whatever others have put into it; for programs the data, or else the text."""
        self.show(Text(clean(text), style=style), event, **(data or {"text": text}))

    def show(self, shown: RenderableType, /, event: str, **data: Any) -> None:
        """Something to look at; for programs the data, nothing if there is none."""
        if not self.as_json:
            self._print(shown)
        elif data:
            print_json({"event": event, **data})
        (self._stream or sys.stdout).flush()

    def _print(self, shown: RenderableType) -> None:
        """Print, without the blanks that tables end their lines with where nobody sees them."""
        console = self.console
        if console.is_terminal:
            console.print(shown)
            return
        # A line of text stays one line, for whoever reads them one by one.
        with console.capture() as captured:
            console.print(shown, soft_wrap=isinstance(shown, Text))
        for line in captured.get().splitlines():
            print(line.rstrip(), file=self._stream or sys.stdout)


class Saving:
    """Writes the saved game to a file again and again; without a file it is None.

    A failure is reported once and remembered: the game goes on, and the command fails in the end.
    """

    def __init__(self, path: str, private: bool = False) -> None:
        self.path = path
        self.private = private
        self.failure = ""

    @classmethod
    def to(cls, path: str | None, private: bool = False, *, fresh: bool = True) -> Saving | None:
        """For the option --save. What is `private` can be read by the user alone. Raises BordeauxError where
        the file could never be written, and with `fresh` where there is one already."""
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
        """Say so if the game was not saved in the end; whether that is so."""
        if self.failure:
            report(f"--save {self.path}: the end of the game is not saved: {self.failure}")
        return bool(self.failure)
