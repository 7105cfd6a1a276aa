"""The base of all values, tuples with named fields; and writing: from values to tokens, text and bytes.

The filled fields of a value determine the alternative of the grammar that it is written as.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any, Self, TypeAlias, dataclass_transform

from bordeaux.board.errors import FormatError, quote
from bordeaux.board.mapmessage import unreadable, words
from bordeaux.daide.language.grammar import (
    Bracketed,
    OneOf,
    OneOfClass,
    Part,
    Reference,
    Several,
    grammar,
)
from bordeaux.daide.tokens import LEAST_NUMBER, MOST_NUMBER, Token, Tokens, Vocabulary


@dataclass_transform(frozen_default=True)
class _Fields(type):
    """Makes a tuple with named fields of a class that annotates them; a field may have a default."""

    fields: tuple[str, ...]
    defaults: dict[str, Any]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _Fields:
        fields = tuple(namespace.get("__annotations__", ()))
        defaults = {field: namespace.pop(field) for field in fields if field in namespace}
        for index, field in enumerate(fields):
            namespace[field] = property(itemgetter(index))
        namespace.update(__slots__=(), __match_args__=fields, fields=fields, defaults=defaults)
        return super().__new__(mcs, name, bases, namespace)


class Fields(tuple[Any, ...], metaclass=_Fields):
    """A tuple with named fields, made with them by position or by name, in the order listed."""

    def __new__(cls, *args: Any, **named: Any) -> Self:
        """Make a value. Raises TypeError for fields that are missing, unknown or given twice."""
        fields = cls.fields
        if named or len(args) != len(fields):
            values = {**cls.defaults, **named, **dict(zip(fields, args, strict=False))}
            if len(args) > len(fields) or values.keys() != {*fields} or named.keys() & {*fields[: len(args)]}:
                raise TypeError(f"{cls.__name__} takes {', '.join(fields) or 'nothing'}, each once")
            args = tuple(values[field] for field in fields)
        return tuple.__new__(cls, args)

    def __eq__(self, other: object) -> bool:
        """True for the same fields in a value of the same class."""
        return type(self) is type(other) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self))})"


def tokens(value: Fields | Tokens) -> Tokens:
    """The tokens of a value (tokens are returned unchanged). Raises FormatError for an invalid combination of
    fields; reading tells whether the level of a game permits it."""
    if not isinstance(value, Fields):
        return value
    out: list[Token] = []
    _write(value, out)
    return tuple(out)


def text(value: Fields | Tokens) -> str:
    """A value, or tokens, as DAIDE text."""
    return tokens_to_text(tokens(value))


def encode(value: Fields | Tokens, vocabulary: Vocabulary | None = None) -> bytes:
    """The body of the DM message with this content. Raises FormatError for tokens not in the vocabulary."""
    return (vocabulary or Vocabulary.standard()).encode(tokens(value))


def _write(value: Any, out: list[Token]) -> None:
    """Write a value, one token, or tokens in a tuple."""
    if isinstance(value, Fields):
        for tests, steps in _ways(type(value)):
            if all(test(field) for test, field in zip(tests, value, strict=True)):
                for step in steps:
                    step(value, out)
                return
        raise FormatError(f"DAIDE cannot say {quote(repr(value))}: its fields do not go together")
    if type(value) is tuple:
        out += value
    elif type(value) in (str, int):
        out.append(value)
    else:
        raise FormatError(f"DAIDE cannot say {quote(type(value).__name__)}")


Test: TypeAlias = Callable[[Any], bool]
"""Whether a field can be written as an alternative has it."""
Step: TypeAlias = Callable[[Any, list[Token]], None]
"""Writes a part of a value."""


@functools.cache
def _ways(kind: type[Fields]) -> list[tuple[list[Test], list[Step]]]:
    """The alternatives that make a class of values, those of the language before lenient ones."""
    ways = []
    for lenient in (False, True):
        for rule in grammar().rules.values():
            for alternative in rule.alternatives:
                match alternative.parts:
                    case (Reference(name),) if grammar().rules[name].makes == rule.makes:
                        continue
                makes = rule.makes == kind.__name__ or (not rule.makes and kind.__name__ in alternative.head)
                if makes and alternative.lenient == lenient:
                    repeats = dict(_repeats(alternative.parts))
                    tests = [_test(kind, field, repeats.get(field)) for field in kind.fields]
                    ways.append((tests, list(_steps(alternative.parts, kind))))
    return ways


def _repeats(parts: tuple[Part, ...]) -> Iterator[tuple[str, str]]:
    """The fields that parts fill, and how each is repeated ('' for once)."""
    for part in parts:
        if isinstance(part, Bracketed):
            yield from _repeats(part.parts)
        elif part.label:
            yield part.label, "+" if isinstance(part, Several) or part[0] == "any" else part.repeat


_EITHER = {("FOR", "when"), ("Home", "owner")}
"""Fields that hold either one value or a tuple of values."""


def _test(kind: type[Fields], field: str, repeat: str | None) -> Test:
    """The test of a field that an alternative repeats so, or (None) does not have."""
    default, many = kind.defaults.get(field), repeat in ("+", "*")
    if repeat is None:
        return lambda value: value is None or value == () == default
    if repeat == "?" or (repeat == "*" and default == ()):
        return lambda value: True
    if (kind.__name__, field) in _EITHER:
        return lambda value: (type(value) is tuple) == many
    return lambda value: value is not None and not value == () == default


def _steps(parts: tuple[Part, ...], kind: type[Fields]) -> Iterator[Step]:
    """What writes the parts of a class of values."""
    for part in parts:
        match part:
            case Bracketed(inner):
                yield _token("(")
                yield from _steps(inner, kind)
                yield _token(")")
            case OneOf(names, None):
                yield _token(kind.__name__ if kind.__name__ in names else names[0])
            case Several(inner, str(label)):
                yield _field(kind.fields.index(label), "+", isinstance(inner[0], Bracketed))
            case OneOfClass("string", label):
                yield _string(kind.fields.index(label))
            case OneOf(_, str(label), repeat) | OneOfClass(_, label, repeat) | Reference(_, _, label, repeat):
                yield _field(kind.fields.index(label), repeat, False)


def _token(token: Token) -> Step:
    return lambda value, out: out.append(token)


def _string(index: int) -> Step:
    return lambda value, out: out.extend(characters(value[index]))


def _field(index: int, repeat: str, bracketed: bool) -> Step:
    def write(value: Any, out: list[Token]) -> None:
        field = value[index]
        for each in field if repeat in ("+", "*") else [field] * (field is not None):
            if bracketed:
                out.append("(")
            _write(each, out)
            if bracketed:
                out.append(")")

    return write


# Tokens as readable text: ``SND (FRA) ('It''s late')``.
# The text has names of three letters in any case, decimal numbers, brackets, and strings in single quotes. A
# quote within a string is written twice; DAIDE's own description leaves this open. Tokens without a name are
# written ``0x4C01``. Source: LANGUAGE.md, section 1.

_TOKEN = re.compile(r"(-?[0-9]+)|0X([0-9A-F]{4})|([A-Z0-9]{3})")
_BRACKETS = ("(", ")")
_CHARACTERS = [f"'{chr(byte)}" for byte in range(256)]


def characters(text: str) -> list[Token]:
    """The tokens of a string: one for each byte of UTF-8. Raises FormatError for half a character."""
    try:
        return [_CHARACTERS[byte] for byte in text.encode("utf-8", "surrogateescape")]
    except UnicodeEncodeError:
        raise FormatError(f"DAIDE: {quote(text)} holds half a character") from None


def string(tokens: Iterable[Token]) -> str:
    """The string of its tokens. Invalid UTF-8 becomes surrogates, so that no byte is lost."""
    text = "".join(map(str, tokens))[1::2]
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
