"""DAIDE messages as text: parsing tokens, brackets and strings into nested tuples, and writing them.

``NOW (SPR 1901) (AUS FLT TRI)`` becomes ``("NOW", ("SPR", "1901"), ("AUS", "FLT", "TRI"))``. Every token is
text in capitals. A string in quotes keeps its quotes, and a quote within it is written twice.
`bordeaux.daide.language` uses this module as well and interprets the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from bordeaux.board.errors import FormatError, quote

Tree: TypeAlias = tuple[Any, ...]
"""Tokens and inner trees, in turn."""

DEEPEST = 50
_WORD = re.compile(r"\s*([()]|'[^']*(?:''[^']*)*'|-?[A-Za-z0-9]+(?!\w))")


def words(text: str) -> Iterator[tuple[str, int]]:
    """Brackets, quoted strings and words in capitals, with the place in the text where each ends.

    Raises FormatError for anything else.
    """
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _WORD.match(text, at)
        if match is None:
            raise unreadable(text, at)
        word, at = match[1], match.end()
        yield word if word[0] == "'" else word.upper(), at


def unreadable(text: str, at: int) -> FormatError:
    """The error for a text that cannot be read from a place on."""
    return FormatError(f"not DAIDE: cannot read {quote(text[at : at + 30].strip())}")


def parse_daide(text: str) -> Tree:
    """Read a text. Raises FormatError for a stray character or bracket."""
    open_groups: list[list[Any]] = [[]]
    for word, end in words(text):
        if word == "(":
            if len(open_groups) > DEEPEST:
                raise FormatError(f"not DAIDE: brackets nested more than {DEEPEST} deep")
            open_groups.append([])
        elif word == ")":
            if len(open_groups) == 1:
                before = text[max(0, end - 31) : end - 1].strip()
                raise FormatError(f"not DAIDE: ')' without '(' after {quote(before)}")
            group = tuple(open_groups.pop())
            open_groups[-1].append(group)
        else:
            open_groups[-1].append(word)
    if len(open_groups) > 1:
        raise FormatError(f"not DAIDE: {len(open_groups) - 1} '(' not closed; it is cut short")
    return tuple(open_groups[0])


def show(tree: Tree | str) -> str:
    """Write tokens and trees as text."""
    if isinstance(tree, str):
        return tree
    return " ".join(item if isinstance(item, str) else f"({show(item)})" for item in tree)
