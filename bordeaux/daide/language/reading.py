"""Reading: from text or tokens to typed values."""

from __future__ import annotations

from typing import Any, cast

from bordeaux.daide.language.automaton import State, Stuck, automaton
from bordeaux.daide.language.checking import (
    DEEPEST,
    HIGHEST,
    Side,
    Standing,
    failure,
    quoted_by_prn,
    start,
)
from bordeaux.daide.language.grammar import grammar
from bordeaux.daide.language.messages import PRN, Message
from bordeaux.daide.language.notation import tokens_from_text
from bordeaux.daide.language.values import Tokens
from bordeaux.daide.tokens import Vocabulary

__all__ = ["read", "read_part"]


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
