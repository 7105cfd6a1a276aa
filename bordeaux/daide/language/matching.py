"""Matching messages: the values that the grammar makes of tokens, or the first token that it bars."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from bordeaux.daide.language.grammar import Bracketed, OneOf, OneOfClass, Part, Reference, Several, grammar
from bordeaux.daide.language.messages import Value
from bordeaux.daide.language.writing import string
from bordeaux.daide.tokens import Tokens, Vocabulary

# What a bracket holds is matched as a whole: the first alternative of its rule that takes all of it counts.
# Outside brackets nothing in DAIDE nests, and a part takes as much as it can. Rules and parts become
# functions, at first use.

DEEPEST = 100
"""The largest depth of brackets, except in messages that may contain anything (HUH). Deeper ones are answered
like any other misplaced token."""

VALUES = {kind.__name__: kind for kind in Value.__subclasses__()}
"""The classes of values by name."""


class Match:
    """A message with matching brackets that is being matched. `furthest` is the first token that no
    alternative allows, and `closing` gives the end of each bracket."""

    def __init__(self, tokens: Tokens, vocabulary: Vocabulary) -> None:
        self.tokens = tokens
        self.symbols = [*map(vocabulary.symbols.__getitem__, tokens), "the end"]
        self.furthest = 0
        self.closing: dict[int, int] = {}
        self.known: dict[tuple[Whole, int], Any] = {}
        opened: list[int] = []
        for at, token in enumerate(tokens):
            if token == "(":
                opened.append(at)
            elif token == ")":
                begin = opened.pop()
                if len(opened) < DEEPEST:
                    self.closing[begin] = at

    def reach(self, at: int) -> None:
        """All tokens before this one are allowed."""
        if at > self.furthest:
            self.furthest = at


Step: TypeAlias = Callable[[Match, int, list[Any]], int]
"""Matches from a token on, appends the values that are held, and returns the token after them, or -1."""
Whole: TypeAlias = Callable[[Match, int, int], Any]
"""Matches all tokens from one to another; the value, or `NOTHING`."""
NOTHING = object()
Mode: TypeAlias = tuple[int, bool, str | None]
"""The level, whether reading is lenient, and the token with which alternatives may not begin."""


class Choice(NamedTuple):
    """An alternative: the symbols that it may begin with (none: any), and how its value is made."""

    first: frozenset[str]
    step: Step
    build: Callable[[list[Any]], Any]


@functools.cache
def whole(name: str, mode: Mode) -> Whole:
    """The function that matches a rule."""
    alternatives: list[Choice] = []

    def match(message: Match, at: int, end: int) -> Any:
        value = message.known.get((match, at))
        if value is None:
            value = NOTHING
            alternatives.extend(() if alternatives else choices(name, mode))
            message.reach(at)
            for first, step, build in alternatives:
                if first and message.symbols[at] not in first:
                    continue
                held: list[Any] = []
                after = step(message, at, held)
                if after == end:
                    value = build(held)
                    break
                message.reach(after)
            message.known[match, at] = value
        return value

    return match


@functools.cache
def choices(name: str, mode: Mode) -> list[Choice]:
    """The alternatives of a rule."""
    return [
        Choice(_first(parts[0]), _sequence(parts, inner, makes == "token"), _builder(makes, parts))
        for makes, parts, inner in _flat(name, mode)
    ]


def _first(part: Part) -> frozenset[str]:
    """The symbols with which a part begins; none if any other rule decides."""
    match part:
        case OneOf(tokens):
            return frozenset(tokens)
        case OneOfClass(name) if name not in ("any", "string"):
            return frozenset({name})
        case Bracketed():
            return frozenset({"("})
    return frozenset()


def _flat(name: str, mode: Mode) -> Iterator[tuple[str, tuple[Part, ...], Mode]]:
    """The alternatives of a rule that the mode permits, with those of the rules whose value it hands on."""
    level, lenient, barred = mode
    rules = grammar().rules
    rule = rules[name]
    if name == "press":
        barred = None
    for alternative in rule.alternatives:
        if alternative.level > level or alternative.lenient > lenient or barred in alternative.head:
            continue
        match alternative.parts:
            case (Reference(inner, without, _, ""),) if rule.makes in ("", rules[inner].makes):
                yield from _flat(inner, (level, lenient, without or barred))
            case parts:
                yield rule.makes, parts, (level, lenient, barred)


def _sequence(parts: tuple[Part, ...], mode: Mode, flat: bool) -> Step:
    """Matches parts one after the other; with `flat` all tokens and values are appended as they come."""
    steps = [_step(part, mode, flat) for part in parts]

    def match(message: Match, at: int, held: list[Any]) -> int:
        for step in steps:
            at = step(message, at, held)
            if at < 0:
                break
        return at

    return match


def _step(part: Part, mode: Mode, flat: bool) -> Step:
    """Matches a part as often as it is repeated."""
    if isinstance(part, Bracketed):
        return _bracket(part.parts, mode, flat)
    once, repeat = _once(part, mode, flat), part.repeat
    several = isinstance(part, Several) or repeat in ("+", "*")
    if repeat == "" and (flat or not several):
        return once

    def match(message: Match, at: int, held: list[Any]) -> int:
        inner = held if flat else []
        after = once(message, at, inner)
        if after < 0 and repeat in ("", "+"):
            return after
        while after >= 0:
            at, after = after, once(message, after, inner) if repeat in ("+", "*") else -1
        if not flat:
            held.append(tuple(inner) if several else inner[0] if inner else None)
        return at

    return match


def _anything(message: Match, at: int, end: int) -> Any:
    return message.tokens[at:end]


def _bracket(parts: tuple[Part, ...], mode: Mode, flat: bool) -> Step:
    """Matches brackets, and what they hold as a whole."""
    match parts:
        case (OneOfClass("any"),):
            hold: Whole | None = _anything
        case (Reference(name, without, _, ""),):
            hold = whole(name, (*mode[:2], without or mode[2]))
        case _:
            hold = None
    inner = _sequence(parts, mode, flat)

    def match(message: Match, at: int, held: list[Any]) -> int:
        message.reach(at)
        close = message.closing.get(at, -1)
        if close < 0:
            return -1
        if hold is None:
            after = inner(message, at + 1, held)
            message.reach(after)
            return close + 1 if after == close else -1
        value = hold(message, at + 1, close)
        held.append(value)
        return -1 if value is NOTHING else close + 1

    return match


def _once(part: OneOf | OneOfClass | Reference | Several, mode: Mode, flat: bool) -> Step:
    """Matches a part once."""
    match part:
        case Several(parts):
            return _sequence(parts, mode, True)
        case Reference(name, without):
            inner = (*mode[:2], without or mode[2])

            def refer(message: Match, at: int, held: list[Any]) -> int:
                message.reach(at)
                for first, step, build in choices(name, inner):
                    if first and message.symbols[at] not in first:
                        continue
                    found: list[Any] = []
                    after = step(message, at, found)
                    if after >= 0:
                        held.append(build(found))
                        return after
                return -1

            return refer
        case OneOfClass("string"):

            def spell(message: Match, at: int, held: list[Any]) -> int:
                after = at
                while message.symbols[after] == "text":
                    after += 1
                message.reach(after)
                held.append(string(message.tokens[at:after]))
                return after if after > at else -1

            return spell
    allowed = frozenset(part.tokens if isinstance(part, OneOf) else (part.name,))
    kept = flat or bool(part.label) or len(allowed) > 1

    def take(message: Match, at: int, held: list[Any]) -> int:
        if at > message.furthest:
            message.furthest = at
        if message.symbols[at] not in allowed:
            return -1
        if kept:
            held.append(message.tokens[at])
        return at + 1

    return take


def _labels(parts: tuple[Part, ...]) -> list[str | None]:
    """The labels of the values that parts hold; None for a token that names the class."""
    labels: list[str | None] = []
    for part in parts:
        if isinstance(part, Bracketed):
            labels += _labels(part.parts)
        elif part.label or not isinstance(part, OneOf) or len(part.tokens) > 1:
            labels.append(part.label)
    return labels


def _builder(makes: str, parts: tuple[Part, ...]) -> Callable[[list[Any]], Any]:
    """Makes a value of what parts hold: of a class of the grammar, of that named by the first token, or the
    one value itself."""
    head = (makes,) if makes else next((part.tokens for part in parts if isinstance(part, OneOf)), ("",))
    kinds = [VALUES[name] for name in head if name in VALUES]
    if not kinds:
        return lambda held: held[0]
    labels, kind, new = _labels(parts), kinds[0], tuple.__new__
    if labels == list(kind.fields):
        return lambda held: new(kind, held)
    places = [labels.index(field) if field in labels else None for field in kind.fields]
    defaults = [kind.defaults.get(field) for field in kind.fields]
    named = labels.index(None) if len(kinds) > 1 else None

    def build(held: list[Any]) -> Any:
        chosen = kind if named is None else VALUES[held[named]]
        fields = [
            default if place is None else held[place] for place, default in zip(places, defaults, strict=True)
        ]
        return new(chosen, fields)

    return build
