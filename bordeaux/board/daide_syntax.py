"""DAIDE messages as text: tokens, brackets and strings, read into nested tuples and written again.

``NOW (SPR 1901) (AUS FLT TRI)`` becomes ``("NOW", ("SPR", "1901"), ("AUS", "FLT", "TRI"))``. Every
token is text in capitals; a string in quotes keeps its quotes.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from bordeaux.board.errors import FormatError, quote

__all__ = ["Tree", "parse_daide", "show"]

Tree: TypeAlias = tuple[Any, ...]
"""Tokens and inner trees, in turn."""

DEEPEST = 50
_TOKEN = re.compile(r"\s*(?:([()])|('[^'\n]*')|(-?[A-Za-z0-9]+))")


def parse_daide(text: str) -> Tree:
    """Read a text. Raises FormatError for a stray character or bracket."""
    open_groups: list[list[Any]] = [[]]
    at = 0
    end = len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormatError(f"not DAIDE: cannot read {quote(text[at : at + 30].strip())}")
        bracket, string, word = match.groups()
        if bracket == "(":
            if len(open_groups) > DEEPEST:
                raise FormatError(f"not DAIDE: brackets nested more than {DEEPEST} deep")
            open_groups.append([])
        elif bracket == ")":
            if len(open_groups) == 1:
                raise FormatError(
                    f"not DAIDE: ')' without '(' after {quote(text[max(0, at - 30) : at].strip())}"
                )
            group = tuple(open_groups.pop())
            open_groups[-1].append(group)
        else:
            open_groups[-1].append(string or word.upper())
        at = match.end()
    if len(open_groups) > 1:
        raise FormatError(f"not DAIDE: {len(open_groups) - 1} '(' not closed; it is cut short")
    return tuple(open_groups[0])


def show(tree: Tree | str) -> str:
    """Write tokens and trees as text."""
    if isinstance(tree, str):
        return tree
    return " ".join(item if isinstance(item, str) else f"({show(item)})" for item in tree)
