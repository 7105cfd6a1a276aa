"""Tokens as readable text: ``SND (FRA) ('It''s late')``.

The text has names of three letters in any case, decimal numbers, brackets, and strings in single quotes. A
quote within a string is written twice; DAIDE's own description leaves this open. Tokens without a name are
written ``0x4C01``. Source: LANGUAGE.md, section 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bordeaux.board.daide_syntax import unreadable, words
from bordeaux.board.errors import FormatError, quote
from bordeaux.daide.tokens import LEAST_NUMBER, MOST_NUMBER, Token, Tokens

_TOKEN = re.compile(r"(-?[0-9]+)|0X([0-9A-F]{4})|([A-Z0-9]{3})")
_BRACKETS = ("(", ")")
_CHARACTERS = [f"'{chr(byte)}" for byte in range(256)]


def characters(text: str) -> list[Token]:
    """The tokens of a string: one for each byte of UTF-8. Raises FormatError for half a character."""
    try:
        return [_CHARACTERS[byte] for byte in text.encode("utf-8", "surrogateescape")]
    except UnicodeEncodeError:
        raise FormatError(f"DAIDE: {quote(text)} holds half a character") from None


def string(tokens: list[str]) -> str:
    """The string of its tokens. Invalid UTF-8 becomes surrogates, so that no byte is lost."""
    text = "".join(tokens)[1::2]
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")


def tokens_from_text(text: str) -> Tokens:
    """The tokens of a text; brackets need not match. Raises FormatError for an invalid token."""
    tokens: list[Token] = []
    at, after_string = 0, False
    for word, end in words(text):
        is_string = word[0] == "'"
        if is_string:
            if after_string:
                raise FormatError(f"not DAIDE: two strings touch before {quote(text[end:][:30])}")
            tokens += characters(word[1:-1].replace("''", "'"))
        elif word in _BRACKETS:
            tokens.append(word)
        else:
            match = _TOKEN.fullmatch(word)
            if match is None:
                raise unreadable(text, at)
            number, opaque, name = match.groups()
            if number is not None and not LEAST_NUMBER <= int(number[:9]) <= MOST_NUMBER:
                raise FormatError(f"not DAIDE: {quote(number)} is not {LEAST_NUMBER} to {MOST_NUMBER}")
            tokens.append(name or (int(number) if number else f"0x{opaque}"))
        at, after_string = end, is_string
    return tuple(tokens)


def tokens_to_text(tokens: Tokens) -> str:
    """Tokens as text, brackets close to what they hold."""
    parts: list[str] = []
    spaced = False
    for word in _words(tokens):
        if spaced and word != ")":
            parts.append(" ")
        parts.append(word)
        spaced = word != "("
    return "".join(parts)


def _words(tokens: Tokens) -> Iterator[str]:
    """Tokens as words, the characters of a string in one."""
    run: list[str] = []
    for token in tokens:
        if isinstance(token, str):
            if token[0] == "'":
                run.append(token)
                continue
            word = token
        else:
            word = str(token)
        if run:
            yield _quoted(run)
            run = []
        yield word
    if run:
        yield _quoted(run)


def _quoted(run: list[str]) -> str:
    return "'" + string(run).replace("'", "''") + "'"
