"""The grammar file, parsed into rules; the head of the file describes its notation.

The rules are data. `automaton` makes a matcher from them, `building` the conversion of matched tokens to
values, and `writing` the conversion of values to tokens.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple, NoReturn, TypeAlias

NOBODY = -1
"""The level of observers and of clients that have not introduced themselves."""

CLASSES = frozenset({"power", "province", "coast", "season", "number", "string", "any"})


class OneOf(NamedTuple):
    """One of the named tokens; its value counts only if it has a label."""

    tokens: tuple[str, ...]
    label: str | None
    repeat: str


class OneOfClass(NamedTuple):
    """One token of a class; for `string` a run of characters, for `any` anything with matching brackets."""

    name: str
    label: str
    repeat: str


class Reference(NamedTuple):
    """Another rule, without alternatives that begin with the token `barred`."""

    rule: str
    barred: str | None
    label: str
    repeat: str


class Bracketed(NamedTuple):
    """Parts between DAIDE's brackets."""

    parts: tuple[Part, ...]


class Several(NamedTuple):
    """Parts that are repeated together, or make one tuple."""

    parts: tuple[Part, ...]
    label: str | None
    repeat: str


Part: TypeAlias = OneOf | OneOfClass | Reference | Bracketed | Several
"""`repeat` is '', '+', '*' or '?'."""


class Alternative(NamedTuple):
    """One form of a rule, legal from a level on; `lenient` ones are not part of the language."""

    level: int
    lenient: bool
    parts: tuple[Part, ...]

    @property
    def head(self) -> tuple[str, ...]:
        """The tokens that may come first outside brackets; empty if a rule or a class comes first."""
        return next((part.tokens for part in self.parts if isinstance(part, OneOf)), ())


@dataclass(frozen=True)
class Rule:
    """A rule; `makes` is the class of its value, 'token', or "" if alternatives decide."""

    name: str
    makes: str
    alternatives: tuple[Alternative, ...]


class Grammar:
    """Rules by name, and the levels with a difference, lowest first."""

    def __init__(self, text: str) -> None:
        """Read a grammar. Raises SyntaxError with the wrong line."""
        self.rules = {rule.name: rule for rule in _rules(text)}
        self.levels = sorted(
            {alternative.level for rule in self.rules.values() for alternative in rule.alternatives}
        )
        for rule in self.rules.values():
            for alternative in rule.alternatives:
                for name in _references(alternative.parts):
                    if name not in self.rules:
                        raise SyntaxError(f"grammar: {rule.name} refers to {name}, which is no rule")

    def level(self, level: int) -> int:
        """The highest level of the grammar that is not above the given one."""
        return max((known_level for known_level in self.levels if known_level <= level), default=NOBODY)

    def lowest_levels(self, name: str) -> dict[str, int]:
        """The lowest level at which each token is allowed in a rule, or in rules below it.

        Rules whose value is a token are skipped: they list tokens that are only mentioned.
        """
        tokens: dict[str, int] = {}
        entered: dict[str, int] = {}
        waiting = [(name, NOBODY)]
        while waiting:
            rule, level = waiting.pop()
            if self.rules[rule].makes == "token" or entered.get(rule, level + 1) <= level:
                continue
            entered[rule] = level
            for alternative in self.rules[rule].alternatives:
                least = max(level, alternative.level)
                for token in _literals(alternative.parts):
                    tokens[token] = min(least, tokens.get(token, least))
                waiting.extend((other, least) for other in _references(alternative.parts))
        return tokens


@functools.cache
def grammar() -> Grammar:
    """The shipped grammar of DAIDE."""
    path = resources.files("bordeaux.daide") / "data" / "grammar.ebnf"
    return Grammar(path.read_text("utf-8"))


def _references(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Reference):
            yield part.rule
        elif isinstance(part, (Bracketed, Several)):
            yield from _references(part.parts)


def _literals(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, OneOf):
            yield from part.tokens
        elif isinstance(part, (Bracketed, Several)):
            yield from _literals(part.parts)


_HEADER = re.compile(r"(\w+)(?:\s*->\s*(\w+))?\s*$")
_LINE = re.compile(r"\s+@(-|\d+)(~?)\s+(.*)")
_WORD = re.compile(r"\s*(?:(\w+:)?(?:(\w+)(?:!(\w+))?|(\{))|([()|}]))\s*([+*?]?)")

_REPEAT = re.compile(r"\s*([+*?]?)")


def _rules(text: str) -> Iterator[Rule]:
    """The rules of a grammar's text."""
    name, makes = "", ""
    alternatives: list[Alternative] = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].rstrip()
        if not line:
            continue
        if match := _LINE.match(line):
            level = NOBODY if match[1] == "-" else int(match[1])
            choices = _Reader(match[3], number).choices()
            alternatives += [Alternative(level, bool(match[2]), parts) for parts in choices]
        elif match := _HEADER.match(line):
            if name:
                yield Rule(name, makes, tuple(alternatives))
            name, makes, alternatives = match[1], match[2] or "", []
        else:
            raise SyntaxError(f"grammar, line {number}: neither a rule's name nor an alternative")
    yield Rule(name, makes, tuple(alternatives))


class _Reader:
    """Reads the alternatives of one line."""

    def __init__(self, text: str, number: int) -> None:
        self.text = text
        self.number = number
        self.at = 0

    def choices(self, until: str = "") -> list[tuple[Part, ...]]:
        """Alternatives up to a closing bracket or brace, or to the end of the line."""
        sequences: list[tuple[Part, ...]] = []
        parts: list[Part] = []
        while self.at < len(self.text):
            match = _WORD.match(self.text, self.at)
            if match is None:
                self.fail("cannot be read")
            label, word, barred, brace, sign, repeat = match.groups()
            self.at = match.start(6) if sign == "}" else match.end()
            if sign == "|":
                sequences.append(tuple(parts))
                parts = []
            elif sign == "(":
                parts.append(self.bracketed())
            elif sign and sign == until:
                return [*sequences, tuple(parts)]
            elif sign:
                self.fail(f"has {sign!r} too many")
            elif brace:
                parts.append(self.braced(label and label[:-1]))
            else:
                parts.append(_part(word, barred, label and label[:-1], repeat))
        if until:
            self.fail(f"has no {until!r}")
        return [*sequences, tuple(parts)]

    def bracketed(self) -> Bracketed:
        choices = self.choices(")")
        if len(choices) > 1:
            self.fail("has '|' within brackets; name a rule for that")
        return Bracketed(choices[0])

    def braced(self, label: str | None) -> Part:
        """A choice of tokens, or grouped parts, and the following sign of repetition."""
        choices = self.choices("}")
        match = _REPEAT.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        if len(choices) == 1:
            return Several(choices[0], label, match[1])
        tokens = [part.tokens for parts in choices for part in parts if isinstance(part, OneOf)]
        if any(len(parts) > 1 for parts in choices) or len(tokens) < len(choices):
            self.fail("has '|' between more than tokens; name a rule for that")
        return OneOf(tuple(token for group in tokens for token in group), label, match[1])

    def fail(self, what: str) -> NoReturn:
        raise SyntaxError(f"grammar, line {self.number}: {self.text!r} {what} at {self.at}")


def _part(word: str, barred: str | None, label: str | None, repeat: str) -> Part:
    if word.isupper():
        return OneOf((word,), label, repeat)
    if word in CLASSES:
        return OneOfClass(word, label or word, repeat)
    return Reference(word, barred, label or word, repeat)
