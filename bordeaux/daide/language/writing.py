"""The base of all values, tuples with named fields; and writing: from values to tokens, text and bytes.

For each class of values one function is generated from the grammar's alternatives, and compiled on first
use. The filled fields of a value determine the alternative that it is written as.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, NamedTuple, Self, dataclass_transform

from bordeaux.board.errors import FormatError, quote
from bordeaux.board.mapmessage import unreadable, words
from bordeaux.daide.language.grammar import (
    Alternative,
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
    defaults: tuple[Any, ...]

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _Fields:
        fields = tuple(namespace.get("__annotations__", ()))
        defaults = tuple(namespace.pop(field) for field in fields if field in namespace)
        for index, field in enumerate(fields):
            namespace[field] = property(itemgetter(index))
        namespace.update(__slots__=(), __match_args__=fields, fields=fields, defaults=defaults)
        return super().__new__(mcs, name, bases, namespace)


class Fields(tuple[Any, ...], metaclass=_Fields):
    """A tuple with named fields, made with them by position or by name, in the order listed."""

    def __new__(cls, *args: Any, **named: Any) -> Self:
        """Make a value. Raises TypeError for fields that are missing, unknown or given twice."""
        missing = len(cls.fields) - len(args)
        if missing or named:
            args = (*args, *_filled(cls, len(args), named))
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


def _filled(cls: type[Fields], given: int, named: dict[str, Any]) -> list[Any]:
    """The fields after the first `given`, from names and defaults."""
    fields, defaults = cls.fields, cls.defaults
    first_default = len(fields) - len(defaults)
    values = []
    for index in range(given, len(fields)):
        field = fields[index]
        if field in named:
            values.append(named.pop(field))
        elif index >= first_default:
            values.append(defaults[index - first_default])
        else:
            raise TypeError(f"{cls.__name__} needs {field!r}")
    if given > len(fields) or named:
        raise TypeError(f"{cls.__name__} takes {', '.join(fields) or 'nothing'}, once each")
    return values


Write = Callable[[Any, list[Token]], None]


def tokens(value: Fields | Tokens) -> Tokens:
    """The tokens of a value (tokens are returned unchanged). Raises FormatError for an invalid combination of
    fields; `check` tells whether the level of a game permits it."""
    if not isinstance(value, Fields):
        return value
    out: list[Token] = []
    _WRITERS[type(value)](value, out)
    return tuple(out)


def text(value: Fields | Tokens) -> str:
    """A value, or tokens, as DAIDE text."""
    return tokens_to_text(tokens(value))


def encode(value: Fields | Tokens, vocabulary: Vocabulary | None = None) -> bytes:
    """The body of the DM message with this content. Raises FormatError for tokens not in the vocabulary."""
    return (vocabulary or Vocabulary.standard()).encode(tokens(value))


class _Writers(dict[type, Write]):
    """The writer of each class: a value, one token, or tokens in a tuple."""

    def __missing__(self, kind: type) -> Write:
        if not issubclass(kind, Fields):
            raise FormatError(f"DAIDE cannot say {quote(kind.__name__)}")
        self[kind] = write = _compiled(kind)
        return write


_WRITERS = _Writers(
    {
        str: lambda value, out: out.append(value),
        int: lambda value, out: out.append(value),
        tuple: lambda value, out: out.extend(value),
    }
)


def _unsaid(value: Fields) -> FormatError:
    return FormatError(f"DAIDE cannot say {quote(repr(value))}: its fields do not go together")


class _Template(NamedTuple):
    """How one alternative is written: conditions on the fields, and statements."""

    conditions: tuple[str, ...]
    lines: tuple[str, ...]


def _compiled(kind: type[Fields]) -> Write:
    """The function that writes values of a class."""
    lines = ["def write(value, out):"]
    if kind.fields:
        lines.append(f"    {', '.join(kind.fields)}, = value")
    for template in _templates(kind):
        lines.append(f"    if {' and '.join(template.conditions) or 'True'}:")
        lines += [f"        {line}" for line in template.lines]
        lines.append("        return")
    lines.append("    raise unsaid(value)")
    names: dict[str, Any] = {
        "characters": characters,
        "unsaid": _unsaid,
        "writers": _WRITERS,
    }
    exec("\n".join(lines), names)
    write: Write = names["write"]
    return write


def _templates(kind: type[Fields]) -> list[_Template]:
    """The different ways to write a class, as the grammar has them."""
    defaults = dict(zip(reversed(kind.fields), reversed(kind.defaults), strict=False))
    templates: dict[_Template, None] = {}
    for alternative in _alternatives(kind.__name__):
        fields = dict(_fields(alternative.parts))
        conditions = []
        for field in kind.fields:
            absent = f"not {field}" if defaults.get(field) == () else f"{field} is None"
            if field not in fields:
                conditions.append(absent)
            elif fields[field] != "?" and (fields[field], defaults.get(field)) != ("*", ()):
                conditions.append(f"not ({absent})")
                if field in _EITHER.get(kind.__name__, ()):
                    conditions.append(f"{'' if fields[field] else 'not '}type({field}) is tuple")
        template = _Template(tuple(conditions), tuple(_Lines(kind.__name__).of(alternative.parts)))
        templates[template] = None
    return list(templates)


_EITHER = {"FOR": ("when",), "Home": ("owner",)}
"""Fields that hold either one value or a tuple of values."""


def _alternatives(kind: str) -> Iterator[Alternative]:
    """The alternatives that make a class of values; those of the language before lenient ones."""
    for lenient in (False, True):
        for rule in grammar().rules.values():
            for alternative in rule.alternatives:
                handed_on = (
                    isinstance(alternative.parts[0], Reference)
                    and len(alternative.parts) == 1
                    and (grammar().rules[alternative.parts[0].rule].makes == rule.makes)
                )
                makes = rule.makes == kind or (not rule.makes and kind in alternative.head)
                if makes and not handed_on and alternative.lenient == lenient:
                    yield alternative


def _fields(parts: tuple[Part, ...]) -> Iterator[tuple[str, str]]:
    """The fields that parts fill, and how each is repeated ('' for once)."""
    for part in parts:
        if isinstance(part, Bracketed):
            yield from _fields(part.parts)
        elif isinstance(part, Several) and part.label:
            yield part.label, "+"
        elif part.label:
            yield part.label, part.repeat


class _Lines:
    """Makes the statements that write parts, with adjacent tokens merged."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.lines: list[str] = []
        self.row: list[str] = []

    def of(self, parts: tuple[Part, ...]) -> list[str]:
        """The statements for an alternative."""
        self.add(parts)
        self.flush()
        return self.lines or ["pass"]

    def add(self, parts: tuple[Part, ...]) -> None:
        for part in parts:
            match part:
                case OneOf(names, None, ""):
                    self.row.append(repr(self.kind if self.kind in names else names[0]))
                case OneOfClass("string", label, _):
                    self.line(f"out += characters({label})")
                case OneOfClass("any", label, _):
                    self.line(f"out += {label}")
                case OneOf(_, label, repeat) | OneOfClass(_, label, repeat):
                    assert label, "a choice that no field records"
                    self.token(label, repeat)
                case Reference(rule, _, label, repeat):
                    self.refer(rule, label, repeat)
                case Bracketed(inner):
                    self.row.append("'('")
                    self.add(inner)
                    self.row.append("')'")
                case Several(inner, label, _):
                    assert label, "parts that no field records"
                    self.several(inner, label)

    def token(self, label: str, repeat: str) -> None:
        if repeat == "?":
            self.line(f"if {label} is not None: out.append({label})")
        elif repeat:
            self.line(f"out += {label}")
        else:
            self.row.append(label)

    def refer(self, name: str, label: str, repeat: str) -> None:
        makes = grammar().rules[name].makes
        if makes == "token":
            self.token(label, repeat)
        elif repeat:
            self.line(f"for each in {label}: writers[{'type(each)'}](each, out)")
        else:
            self.line(f"writers[type({label})]({label}, out)")

    def several(self, parts: tuple[Part, ...], label: str) -> None:
        """The tokens of a field that holds a tuple: tokens, or values each in brackets."""
        kinds = {isinstance(part, Bracketed) for part in _flat(parts)}
        assert len(kinds) == 1, "tokens and brackets in one field"
        if kinds == {True}:
            self.line(f"for each in {label}:")
            self.lines += ["    out.append('(')", "    writers[type(each)](each, out)", "    out.append(')')"]
        else:
            self.line(f"out += {label}")

    def line(self, line: str) -> None:
        self.flush()
        self.lines.append(line)

    def flush(self) -> None:
        if self.row:
            self.lines.append(f"out += ({', '.join(self.row)},)")
            self.row = []


def _flat(parts: tuple[Part, ...]) -> Iterator[Part]:
    for part in parts:
        if isinstance(part, Several):
            yield from _flat(part.parts)
        else:
            yield part


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
