"""TOML from untrusted sources, rejected early if parsing would take very long or all memory; and the line
of each key, for error messages.

The parser of the standard library is made for files that people write. A dotted key of 100,000 parts takes it
minutes and gigabytes, and some inputs raise other exceptions.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from bordeaux.board.errors import FormatError

MOST_KEYS = 20_000
"""Most keys and tables; the file of the standard map has some 300."""
DEEPEST = 20
"""Most parts of a dotted key."""

# Without its end it is taken as well, so that nothing is looked at twice.
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"?|'[^'\n]*+'?")
_DOTTED = re.compile(rf"(?<![\w.-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{DEEPEST}}}")
_AT_LINE = re.compile(r"(.*) \(at line (\d+), column \d+\)", re.DOTALL)


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML. Raises FormatError, whose text begins with ``line N: `` if the line is known."""
    if text.count("=") > MOST_KEYS or text.count("]") > MOST_KEYS:
        raise FormatError(f"more than {MOST_KEYS:,} keys; no file of ours has that many")
    # A text may hold anything; a part of a key in quotes counts as one.
    if _DOTTED.search(_STRING.sub("q", text)):
        raise FormatError(f"a key of more than {DEEPEST} parts; no file of ours has one")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FormatError("nested too deeply for a file of ours") from None
    except tomllib.TOMLDecodeError as error:
        match = _AT_LINE.fullmatch(str(error))
        raise FormatError(f"line {match[2]}: {match[1]}" if match else str(error)) from None
    except ValueError as error:
        # Not all that the parser refuses has an error of its own: a number of 5,000 digits has not.
        raise FormatError(str(error)) from None


_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_PATH = rf"({_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)"
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*{_PATH}[ \t]*\]")
_ENTRY = re.compile(rf"[ \t]*{_PATH}[ \t]*=")
_PART = re.compile(_KEY)
LONGEST_HEAD = 300
"""Characters of a line in which its key is looked for."""


class Lines:
    """The lines of a file called `source`, by the paths of their keys.

    Keys are found by their appearance: strings over several lines may hide or imitate some. A message then
    names a line nearby, in the right file.
    """

    def __init__(self, text: str, source: str) -> None:
        self.source = source
        self.lines = text.splitlines()
        self._paths: dict[tuple[str, ...], int] = {}
        for number, path in self._keys():
            for depth in range(1, len(path) + 1):
                self._paths.setdefault(path[:depth], number)
        self._starts = sorted(set(self._paths.values()))

    def _keys(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        table: tuple[str, ...] = ()
        for number, line in enumerate(self.lines):
            head = line[:LONGEST_HEAD]
            if match := _HEADER.match(head):
                table = _parts(match[1])
                yield number, table
            elif match := _ENTRY.match(head):
                yield number, table + _parts(match[1])

    def depth(self, path: tuple[str, ...]) -> int:
        """The number of keys of a path that are in the file, one below the other."""
        return next((depth for depth in range(len(path), 0, -1) if path[:depth] in self._paths), 0)

    def place(self, path: tuple[str, ...], word: str = "") -> str:
        """``map.toml, line 3``: the line of a path, or of a `word` below it.

        A path that does not exist is shortened until it does.
        """
        depth = self.depth(path)
        if not depth:
            return self.source
        first = self._paths[path[:depth]]
        after = next((start for start in self._starts if start > first), len(self.lines))
        whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
        index = next((n for n in range(first, after) if word and whole.search(self.lines[n])), first)
        return f"{self.source}, line {index + 1}"


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))
