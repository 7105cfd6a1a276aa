"""The grammar file, parsed into rules; the head of the file describes its notation.

The rules are data. `matching` makes values of tokens by them, and `writing` tokens of values.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from importlib import resources
from typing import NamedTuple, TypeAlias

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


class Rule(NamedTuple):
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
                for part in _within(alternative.parts):
                    if isinstance(part, Reference) and part.rule not in self.rules:
                        raise SyntaxError(f"grammar: {rule.name} refers to {part.rule}, which is no rule")

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
                for part in _within(alternative.parts):
                    if isinstance(part, OneOf):
                        tokens |= {token: min(least, tokens.get(token, least)) for token in part.tokens}
                    elif isinstance(part, Reference):
                        waiting.append((part.rule, least))
        return tokens


@functools.cache
def grammar() -> Grammar:
    """The shipped grammar of DAIDE."""
    path = resources.files("bordeaux.daide") / "data" / "grammar.ebnf"
    return Grammar(path.read_text("utf-8"))


def _within(parts: tuple[Part, ...]) -> Iterator[Part]:
    """Parts, and all that they hold."""
    for part in parts:
        yield part
        if isinstance(part, (Bracketed, Several)):
            yield from _within(part.parts)


_HEADER = re.compile(r"(\w+)(?:\s*->\s*(\w+))?\s*$")
_LINE = re.compile(r"\s+@(-|\d+)(~?)\s+(.*)")
_WORD = re.compile(r"(?:(\w+):)?(?:(\w+)(?:!(\w+))?|([(){}|]))([+*?]?)\s*")


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
            try:
                if _WORD.sub("", match[3]):
                    raise ValueError("it cannot be read")
                choices, _ = _choices(_WORD.finditer(match[3]))
            except ValueError as error:
                raise SyntaxError(f"grammar, line {number}: {error}") from None
            alternatives += [Alternative(level, bool(match[2]), parts) for parts in choices]
        elif match := _HEADER.match(line):
            if name:
                yield Rule(name, makes, tuple(alternatives))
            name, makes, alternatives = match[1], match[2] or "", []
        else:
            raise SyntaxError(f"grammar, line {number}: neither a rule's name nor an alternative")
    yield Rule(name, makes, tuple(alternatives))


def _choices(words: Iterator[re.Match[str]], until: str = "the end") -> tuple[list[tuple[Part, ...]], str]:
    """Alternatives up to a closing bracket or brace, or to the end of the line, and the sign of repetition
    there. Raises ValueError."""
    choices: list[list[Part]] = [[]]
    for match in words:
        label, word, barred, sign, repeat = match.groups()
        parts = choices[-1]
        if sign == until:
            return list(map(tuple, choices)), repeat
        if sign == "|":
            choices.append([])
        elif sign == "(":
            inner, _ = _choices(words, ")")
            if len(inner) > 1:
                raise ValueError("'|' within brackets; name a rule for that")
            parts.append(Bracketed(inner[0]))
        elif sign == "{":
            parts.append(_braced(*_choices(words, "}"), label))
        elif sign:
            raise ValueError(f"{sign!r} is too many")
        elif word.isupper():
            parts.append(OneOf((word,), label, repeat))
        elif word in CLASSES:
            parts.append(OneOfClass(word, label or word, repeat))
        else:
            parts.append(Reference(word, barred, label or word, repeat))
    if until != "the end":
        raise ValueError(f"there is no {until!r}")
    return list(map(tuple, choices)), ""


def _braced(choices: list[tuple[Part, ...]], repeat: str, label: str | None) -> Part:
    """A choice of tokens, or grouped parts."""
    if len(choices) == 1:
        return Several(choices[0], label, repeat)
    tokens: list[str] = []
    for parts in choices:
        if len(parts) > 1 or not isinstance(parts[0], OneOf):
            raise ValueError("'|' between more than tokens; name a rule for that")
        tokens += parts[0].tokens
    return OneOf(tuple(tokens), label, repeat)
