"""Reading: from text or tokens to typed values, with all checks; and the reply to an invalid message."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from bordeaux.board.errors import FormatError, quote
from bordeaux.daide.language.grammar import NOBODY, grammar
from bordeaux.daide.language.matching import NOTHING, Match, whole
from bordeaux.daide.language.messages import HUH, PRN, Message
from bordeaux.daide.language.writing import tokens_from_text, tokens_to_text
from bordeaux.daide.tokens import Tokens, Vocabulary

# A message has one error, at the furthest point that any alternative reaches. The reference server does the
# same (LANGUAGE.md and the overview of DAIDE, section 4 in both). The server makes the checks that need a
# game.

Side: TypeAlias = Literal["client", "server"]
"""The sender of a message."""

Standing: TypeAlias = Literal["player", "observer", "unknown"]
"""The role in which a client has introduced itself."""

LONGEST = 32767
"""Tokens that fit in one message."""

LEVELS = (*range(0, 140, 10), 8000)
"""The levels that a game may be played at; 8000 is free text."""

HIGHEST = LEVELS[-1]
"""The level at which all of the language is allowed."""


class LanguageError(FormatError):
    """A message that the language does not allow.

    `tokens` are the message, `at` is the place of the error. `kind` is 'brackets', 'syntax' or 'level' (valid
    at a higher level, or from a player). `reply` is the prescribed answer: PRN, HUH, or None to a message
    that was PRN or HUH itself.
    """

    def __init__(self, tokens: Tokens, at: int, kind: Literal["brackets", "syntax", "level"]) -> None:
        self.tokens = tokens
        self.at = at
        self.kind = kind
        shown = quote(tokens_to_text((*tokens[max(at - 20, 0) : at], "ERR", *tokens[at : at + 10])), 200)
        super().__init__(f"DAIDE: {_WHAT[kind]} in {shown}")

    @property
    def reply(self) -> PRN | HUH | None:
        """The answer. If it exceeds the length of a message it is cut (PRN) or reduced to `ERR`."""
        if self.tokens[:1] in (("PRN",), ("HUH",)):
            return None
        if self.kind == "brackets":
            return PRN(self.tokens[: LONGEST - 3])
        if len(self.tokens) > LONGEST - 4:
            return HUH(("ERR",))
        return HUH((*self.tokens[: self.at], "ERR", *self.tokens[self.at :]))


_WHAT = {
    "brackets": "brackets do not match",
    "syntax": "a token is out of place, or one is missing,",
    "level": "a token is above the level of the game",
}


@functools.cache
def press_levels() -> Mapping[str, int]:
    """The lowest level at which each token is allowed in press, for those that TRY may list."""
    levels = grammar().lowest_levels("press")
    listed = grammar().rules["try_token"].alternatives
    return MappingProxyType({token: levels[token] for alternative in listed for token in alternative.head})


def unmatched(tokens: Tokens) -> int | None:
    """The first ')' without a '(', or the end if a '(' is left open; None if brackets match."""
    deep = 0
    for at, token in enumerate(tokens):
        deep += (token == "(") - (token == ")")
        if deep < 0:
            return at
    return len(tokens) if deep else None


def read(
    message: str | Tokens,
    *,
    side: Side = "client",
    level: int = 0,
    standing: Standing = "player",
    vocabulary: Vocabulary | None = None,
    lenient: bool = False,
) -> Message:
    """Read one message that `side` has sent.

    `level` is that of the game: 0 to 130 in tens, 8000; below 0 only messages that everybody may send.
    `standing` applies to messages of clients: those that do not play may send only these. `vocabulary` has
    the tokens of the map, if not the standard ones. `lenient` also accepts known messages of programs that
    are not in the language. Raises LanguageError with the prescribed reply; FormatError for text that is not
    tokens.
    """
    tokens = tokens_from_text(message) if isinstance(message, str) else message
    if tokens[:1] == ("PRN",):  # the only message whose brackets need not match
        if len(tokens) < 3 or tokens[1] != "(" or tokens[-1] != ")":
            raise LanguageError(tokens, 1, "brackets")
        return PRN(tokens[2:-1])
    plays = side == "server" or standing == "player"
    return read_part(side, tokens, level=level if plays else NOBODY, vocabulary=vocabulary, lenient=lenient)


def read_part(
    rule: str,
    text: str | Tokens,
    *,
    level: int = HIGHEST,
    vocabulary: Vocabulary | None = None,
    lenient: bool = False,
) -> Any:
    """Read the tokens of a rule of the grammar: 'order', 'press', 'arrangement', 'unit', 'turn'...

    It has no brackets of its own: ``(ENG FLT LON) HLD`` is an order. Raises LanguageError.
    """
    tokens = tokens_from_text(text) if isinstance(text, str) else text
    open_at = unmatched(tokens)
    if open_at is not None:
        raise LanguageError(tokens, open_at, "brackets")
    value, at = _matched(rule, tokens, level, vocabulary, lenient)
    if value is not NOTHING:
        return value
    highest, further = _matched(rule, tokens, HIGHEST, vocabulary, lenient)
    raise LanguageError(tokens, at, "level" if highest is not NOTHING or further > at else "syntax")


def _matched(
    rule: str, tokens: Tokens, level: int, vocabulary: Vocabulary | None, lenient: bool
) -> tuple[Any, int]:
    """The value of tokens, or `NOTHING`, and the first token that the level does not allow."""
    match = Match(tokens, vocabulary or Vocabulary.standard())
    return whole(rule, (grammar().level(level), lenient, None))(match, 0, len(tokens)), match.furthest
