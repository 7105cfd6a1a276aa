"""What of a text is no order: quoted, struck, crossed or commented out, conditional, or said to somebody.

One rule for lists, files, JSON, tools and Python: `unmeant` text is refused, or left out with a note. A
comment behind an order and the tick of a list are dropped (`bare_order`).
"""

from __future__ import annotations

import re

SPOKEN = "it is said to somebody"

_CONDITION = re.compile(
    r"\b(?:if|unless|in case|provided|assuming|otherwise|maybe|perhaps|possibly|when(?:ever)?|depend(?:s|ing)"
    r"|alternatively|wenn|falls|sinon|sauf si|only as|as long as|except)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"\W*(?:if|unless|when|should|in case|otherwise|else|falls|wenn|sinon)\b", re.IGNORECASE
)
_ITEM = r"\s*(?:[-*+\u2022]\s*|\d{1,3}[.)]\s*)?"
_UNMEANT = tuple(
    (re.compile(pattern, re.IGNORECASE), why)
    for pattern, why in (
        (r"\s*(?:>|&gt;|[\u00bb\u2502\u2503\u2595\u258e\u258c]|\|(?![^\n]*\|))\s*\S", "it is quoted"),
        (r"\[/?quote\b", "it is quoted"),
        (rf"{_ITEM}(?:~~|\[/?(?:s|strike|del)\]|</?(?:s|strike|del)>)", "it is struck out"),
        (rf"{_ITEM}~[^~]+~\s*$|.*?[\u0335-\u0338]", "it is struck out"),
        (
            r"[^(\[]*[(\[]\s*(?:cancel|withdr|revoked|retracted|old\b|obsolete|superseded|replaced|deleted|scrapped"
            r"|scratch|draft|ignore|not sent)",
            "it is withdrawn",
        ),
        (rf"{_ITEM}(?://|/\*|<!--)", "it is commented out"),
        (
            rf"{_ITEM}(?:[\u2610\u2612\u2613\u2715-\u2718\u274c\u274e\U0001f6ab\u26d4\u2573]|\[[ ~-]?\]\s)",
            "it is crossed out",
        ),
        (
            rf"{_ITEM}[*_]*(?:from|to|sen[dt]|tell|told|message|msg|dm|pm|press|broadcast|rumou?r|gossip|letter"
            r"|note to)\b[^:]{0,60}:|\s*@\w+\s",
            SPOKEN,
        ),
    )
)
_SPANS = re.compile(
    r"~~.*?~~|/\*.*?\*/|<!--.*?-->|\[(s|strike|del|quote)\b[^\]]*\].*?\[/\1\]"
    r"|<(s|strike|del|think|thinking|reasoning)>[^<]*</\2>",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"(?<!:)\s//.*$|\s\u2190.*$")
_TICK = re.compile(rf"{_ITEM}(?:\[[xX\u2713\u2714]\]|[\u2705\u2611])\s*")


def is_condition(text: str) -> bool:
    """Whether a text makes an order depend on something, as ``if Germany agrees``."""
    return _CONDITION.search(text) is not None


def unmeant(text: str, *, line: bool = False) -> str:
    """Why a text is no order although it may have the words of one; "" if nothing speaks against it. Of a
    `line`, which may have several, only what concerns all of them counts."""
    for pattern, why in _UNMEANT:
        if pattern.match(text) is not None:
            return why
    if _SPANS.search(text) is not None:
        return "a part of it is struck out or commented out"
    conditional = _LEADING.match(text) is not None if line else is_condition(text)
    return "it has a condition, and orders have none" if conditional else ""


def bare_order(text: str) -> str:
    """A text without the comment behind it (``// x``) and the tick before it (``[x]``)."""
    tick = _TICK.match(text)
    text = text if tick is None else text[tick.end() :]
    comment = _BEHIND.search(text)
    return text if comment is None or is_condition(comment[0]) else text[: comment.start()]


def without_spans(text: str) -> str:
    """A line without its parts that are struck out, commented out or quoted."""
    return _SPANS.sub(" ", text)


_BLOCKS = tuple(
    (re.compile(begin, re.IGNORECASE), re.compile(end, re.IGNORECASE), why)
    for begin, end, why in (
        (r"/\*", r"\*/", "it is commented out"),
        (r"<!--", r"-->", "it is commented out"),
        (
            r"<(?:think|thinking|details|blockquote|reasoning)\b[^>]*>",
            r"</(?:think|thinking|details|blockquote|reasoning)>",
            "it is set apart",
        ),
        (r"\[(?:quote|spoiler)\b[^\]]*\]", r"\[/(?:quote|spoiler)\]", "it is quoted"),
        (r"^\s*(?:press|broadcast)(?: to\b.*)?\s*$", r"^\s*end ?(?:press|broadcast)", SPOKEN),
    )
)


class LineBlocks:
    """Follows the blocks of lines that are no orders: comments, thoughts, quotes, messages."""

    def __init__(self) -> None:
        self._end: re.Pattern[str] | None = None
        self._why = ""

    def why(self, line: str) -> str:
        """Why a line is no order because of the block that it lies in; "" if it lies in none."""
        if self._end is not None:
            why = self._why
            if self._end.search(line) is not None:
                self._end = None
            return why
        for begin, end, why in _BLOCKS:
            if (match := begin.search(line)) is not None and end.search(line, match.end()) is None:
                self._end, self._why = end, why
                return why
        return ""
