"""The line of each key in a TOML file, for error messages; the parser does not keep it."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["Lines"]

_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_DOTTED = rf"({_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)"
_HEADER = re.compile(rf"[ \t]*\[\[?[ \t]*{_DOTTED}[ \t]*\]")
_ENTRY = re.compile(rf"[ \t]*{_DOTTED}[ \t]*=")
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
