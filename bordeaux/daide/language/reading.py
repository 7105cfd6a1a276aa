"""Reading: from text or tokens to typed values, with all checks; and the reply to an invalid message."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, cast

from bordeaux.board.errors import FormatError, quote
from bordeaux.daide.language.automaton import State, Stuck, automaton
from bordeaux.daide.language.grammar import NOBODY, grammar
from bordeaux.daide.language.messages import HUH, PRN, Message, Tokens
from bordeaux.daide.language.writing import tokens_from_text, tokens_to_text
from bordeaux.daide.tokens import Vocabulary

# A message has one error, at the furthest point that any alternative reaches. The reference server does the
# same (LANGUAGE.md and the overview of DAIDE, section 4 in both). The server makes the checks that need a
# game.

Side: TypeAlias = Literal["client", "server"]
"""The sender of a message."""

Standing: TypeAlias = Literal["player", "observer", "unknown"]
"""The role in which a client has introduced itself."""

DEEPEST = 100
"""The largest depth of brackets, except in messages that may contain anything (HUH). Deeper ones are answered
like any other misplaced token."""

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
    listed = (
        token for alternative in grammar().rules["try_token"].alternatives for token in alternative.head
    )
    return MappingProxyType({token: levels[token] for token in listed})


def start(side: Side, level: int, standing: Standing, lenient: bool) -> State:
    """The initial state for a whole message."""
    if side == "client" and standing != "player":
        level = NOBODY
    return automaton(side, grammar().level(level), lenient).start


def check(
    message: str | Tokens,
    *,
    side: Side = "client",
    level: int = 0,
    standing: Standing = "player",
    vocabulary: Vocabulary | None = None,
    lenient: bool = False,
) -> None:
    """Raise LanguageError unless `read` accepts the message with the same arguments."""
    tokens = tokens_from_text(message) if isinstance(message, str) else message
    if quoted_by_prn(tokens) is not None:
        return
    vocabulary = vocabulary or Vocabulary.standard()
    begin = start(side, level, standing, lenient)
    if first_error(begin, tokens, vocabulary) is not None:
        raise failure(tokens, begin, start(side, HIGHEST, "player", lenient), vocabulary)


def quoted_by_prn(tokens: Tokens) -> Tokens | None:
    """The quotation in a ``PRN``, the only message whose brackets need not match; None for any other. Raises
    LanguageError for a ``PRN`` without brackets of its own."""
    if tokens[:1] != ("PRN",):
        return None
    if len(tokens) < 3 or tokens[1] != "(" or tokens[-1] != ")":
        raise LanguageError(tokens, 1, "brackets")
    return tokens[2:-1]


def first_error(state: State, tokens: Tokens, vocabulary: Vocabulary) -> int | None:
    """The index of the first token that no alternative allows, or their number if some are missing at the
    end; None for a valid message."""
    outside: list[State] = []
    symbols = vocabulary.symbols
    for at, token in enumerate(tokens):
        symbol = symbols[token]
        try:
            if symbol == "(":
                outside.append(state)
                state = state[symbol]
                if len(outside) > DEEPEST and not state.free:
                    return at
            elif symbol == ")":
                if not outside:
                    return at
                outer = outside.pop()
                state = (state.exits.get(outer) or state.leave(outer))[0]
            else:
                state = state[symbol]
        except Stuck:
            return at
    return None if state.ends and not outside else len(tokens)


def failure(tokens: Tokens, begin: State, highest: State, vocabulary: Vocabulary) -> LanguageError:
    """The error of a message that cannot be read from `begin`; `highest` is the initial state when everything
    is allowed."""
    open_at = unmatched(tokens)
    if open_at is not None:
        return LanguageError(tokens, open_at, "brackets")
    at = first_error(begin, tokens, vocabulary)
    assert at is not None
    further = first_error(highest, tokens, vocabulary)
    return LanguageError(tokens, at, "level" if further is None or further > at else "syntax")


def unmatched(tokens: Tokens) -> int | None:
    """The first ')' without a '(', or the end if a '(' is left open; None if brackets match."""
    deep = 0
    for at, token in enumerate(tokens):
        if token == "(":
            deep += 1
        elif token == ")":
            deep -= 1
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
    quoted = quoted_by_prn(tokens)
    if quoted is not None:
        return PRN(quoted)
    vocabulary = vocabulary or Vocabulary.standard()
    begin = start(side, level, standing, lenient)
    try:
        return cast(Message, _value(begin, tokens, vocabulary))
    except Stuck:
        raise failure(tokens, begin, start(side, HIGHEST, "player", lenient), vocabulary) from None


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
    vocabulary = vocabulary or Vocabulary.standard()
    begin = automaton(rule, grammar().level(level), lenient).start
    try:
        return _value(begin, tokens, vocabulary)
    except Stuck:
        raise failure(tokens, begin, automaton(rule, HIGHEST, lenient).start, vocabulary) from None


def _value(state: State, tokens: Tokens, vocabulary: Vocabulary) -> Any:
    """The value of tokens, matched from a state on. Raises Stuck if that is impossible."""
    outside: list[tuple[State, list[Any], int]] = []
    children: list[Any] = []
    for at, symbol in enumerate(map(vocabulary.symbols.__getitem__, tokens)):
        if symbol == "(":
            outside.append((state, children, at))
            state = state[symbol]
            children = []
            if len(outside) > DEEPEST and not state.free:
                raise Stuck
        elif symbol == ")":
            if not outside:
                raise Stuck
            outer, siblings, begin = outside.pop()
            state, build = state.exits.get(outer) or state.leave(outer)
            siblings.append(build(children) if build else tokens[begin + 1 : at])
            children = siblings
        else:
            state = state[symbol]
            children.append(tokens[at])
    if outside or not state.ends:
        raise Stuck
    build = state.ends[0].build
    return build(children) if build else tokens
