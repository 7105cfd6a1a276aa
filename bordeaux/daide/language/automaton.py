"""Matching messages: a pushdown automaton for brackets, built from the grammar on demand, and the values
that it makes of their contents."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from bordeaux.daide.language import messages
from bordeaux.daide.language.grammar import (
    Alternative,
    Bracketed,
    Grammar,
    OneOf,
    OneOfClass,
    Part,
    Reference,
    Rule,
    Several,
    grammar,
)
from bordeaux.daide.language.writing import string

# A bracket's content is a *shape*: one of several *forms*, each a sequence of *steps*. One step takes one
# child (a token, or the value of an inner bracket), or any number of children. Nothing in DAIDE nests
# without brackets, so a sequence of steps needs no stack. The children of a form are a plain list. So its
# value is one expression over that list, generated from the grammar and compiled once. For ``( unit ) MTO
# place`` it is ``new(MTO, (c[0], (c[2] if type(c[2]) is Place else OF_TOKEN['Place', c[2]]), ))``.

VALUES: dict[str, type[messages.Value]] = {
    name: made_class
    for name in messages.__all__
    if isinstance(made_class := getattr(messages, name), type) and issubclass(made_class, messages.Value)
}
"""The classes of values by name."""

PRESS = "press"


class BuildStep(NamedTuple):
    """Takes a token with one of the symbols (None: any at all) or a bracket of one of the shapes.

    `repeat` is '' for exactly one child, '?' for one or none, '*' for any number.
    """

    symbols: frozenset[str] | None
    shapes: tuple[Shape, ...]
    repeat: str


class Form:
    """One way to fill a shape. `source` is the value as an expression over the children `c`; it is empty if
    the value is the tokens themselves (`any`)."""

    def __init__(self, shape: Shape, steps: tuple[BuildStep, ...], source: str) -> None:
        self.shape = shape
        self.steps = steps
        self.source = source

    @property
    def free(self) -> bool:
        """Whether this accepts anything with matching brackets."""
        return self.steps[0].symbols is None if self.steps else False

    @property
    def build(self) -> Callable[[list[Any]], Any] | None:
        """The value of a list of children; None if it is the tokens themselves."""
        return _compiled(self.source) if self.source else None


class Shape:
    """The possible contents of two brackets; its forms are computed at first use."""

    def __init__(self, name: str, forms: Callable[[Shape], list[Form]]) -> None:
        self.name = name
        self._forms = forms

    @functools.cached_property
    def forms(self) -> list[Form]:
        """The forms in the order of the grammar."""
        return self._forms(self)


class Shapes:
    """The shapes of a grammar that a level and leniency permit."""

    def __init__(self, grammar: Grammar, level: int, lenient: bool) -> None:
        self.grammar = grammar
        self.level = level
        self.lenient = lenient
        self._made: dict[object, Shape] = {}
        inner = Shape("any", lambda shape: [Form(shape, (self.anything,), "None")])
        self.anything = BuildStep(None, (inner,), "*")

    def rule(self, name: str, barred: str | None = None) -> Shape:
        """The shape of a rule that fills brackets on its own."""
        if name == PRESS:
            barred = None
        rule = self.grammar.rules[name]
        return self._shape((name, barred), name, lambda shape: self._forms(shape, rule, barred))

    def parts(self, parts: tuple[Part, ...], makes: str, barred: str | None) -> Shape:
        """The shape of parts that fill brackets together."""
        match parts:
            case (Reference(rule, without, _, ""),):
                return self.rule(rule, without or barred)
        return self._shape(
            (parts, makes, barred),
            makes or "brackets",
            lambda shape: [_Row(self, barred).form(shape, parts, makes)],
        )

    def _shape(self, key: object, name: str, forms: Callable[[Shape], list[Form]]) -> Shape:
        return self._made.setdefault(key, Shape(name, forms))

    def permitted(self, rule: Rule, barred: str | None) -> list[Alternative]:
        """The alternatives of a rule that the level permits."""
        return [
            alternative
            for alternative in rule.alternatives
            if alternative.level <= self.level
            and alternative.lenient <= self.lenient
            and barred not in alternative.head
        ]

    def _forms(self, shape: Shape, rule: Rule, barred: str | None) -> list[Form]:
        forms: list[Form] = []
        for alternative in self.permitted(rule, barred):
            match alternative.parts:
                case (Reference(name, without, _, ""),) if rule.makes in ("", self.grammar.rules[name].makes):
                    below = None if name == PRESS else without or barred
                    forms += self._forms(shape, self.grammar.rules[name], below)
                case _:
                    forms.append(_Row(self, barred).form(shape, alternative.parts, rule.makes))
        return forms

    def single(self, rule: Rule, barred: str | None) -> BuildStep | None:
        """The step that takes all of a rule as one child; None if it may be more than one."""
        symbols: set[str] = set()
        shapes: list[Shape] = []
        for alternative in self.permitted(rule, barred):
            match alternative.parts:
                case (OneOf(tokens, _, ""),):
                    symbols.update(tokens)
                case (OneOfClass(name, _, ""),) if name not in ("string", "any"):
                    symbols.add(name)
                case (Bracketed(parts),):
                    shapes.append(self.parts(parts, rule.makes, barred))
                case _:
                    return None
        return BuildStep(frozenset(symbols), tuple(shapes), "")


_ONE = "({0} if type({0}) is KIND else OF_TOKEN['KIND', {0}])"
_EACH = "tuple([x if type(x) is KIND else OF_TOKEN['KIND', x] for x in {}])"


class _Row:
    """Lays out the parts of one alternative as a row of steps, then gives the place of each value."""

    def __init__(self, shapes: Shapes, barred: str | None) -> None:
        self.shapes = shapes
        self.barred = barred
        self.steps: list[BuildStep] = []

    def form(self, shape: Shape, parts: tuple[Part, ...], makes: str) -> Form:
        """The form of the parts; its value is of the class `makes`, or of the first token's class."""
        sources = self.lay(parts)
        if any(isinstance(part, OneOfClass) and part.name == "any" for part in parts):
            return Form(shape, tuple(self.steps), "")
        named = {label: source() for label, source in sources}
        head = next((part for part in parts if isinstance(part, OneOf)), None)
        if makes in VALUES:
            source = _made(makes, VALUES[makes], named)
        elif not makes and head is not None and head.tokens[0] in VALUES:
            kind = head.tokens[0]
            chosen = kind if len(head.tokens) == 1 else f"VALUES[{self.child(parts.index(head))}]"
            source = _made(chosen, VALUES[kind], named)
        elif makes == "token":
            source = self.child(0)
        elif len(named) == 1:
            (source,) = named.values()
        else:
            source = f"({''.join(f'{value}, ' for value in named.values())})"
        return Form(shape, tuple(self.steps), source)

    def lay(self, parts: tuple[Part, ...]) -> list[tuple[str, Callable[[], str]]]:
        """Add the steps of parts; gives, by label, a function for the places of their values once all steps
        are laid."""
        sources: list[tuple[str, Callable[[], str]]] = []
        for part in parts:
            at = len(self.steps)
            match part:
                case OneOf(tokens, label, repeat):
                    self.add(BuildStep(frozenset(tokens), (), ""), repeat)
                    if label:
                        sources.append((label, self.value(at, repeat)))
                case OneOfClass("any", label, _):
                    self.steps.append(self.shapes.anything)
                    sources.append((label, str))
                case OneOfClass("string", label, _):
                    self.add(BuildStep(frozenset({"text"}), (), ""), "+")
                    sources.append((label, functools.partial(self.span, at, len(self.steps), "string({})")))
                case OneOfClass(name, label, repeat):
                    self.add(BuildStep(frozenset({name}), (), ""), repeat)
                    sources.append((label, self.value(at, repeat)))
                case Reference(name, without, label, repeat):
                    sources.append((label, self.refer(name, without or self.barred, repeat)))
                case Bracketed(inner):
                    self.add(BuildStep(frozenset(), (self.shapes.parts(inner, "", self.barred),), ""), "")
                    labels = _labels(inner)
                    for index, label in enumerate(labels):
                        pick = f"[{index}]" if len(labels) > 1 else ""
                        sources.append((label, functools.partial(self.child, at, pick)))
                case Several(inner, label, repeat):
                    self.lay(inner)
                    if repeat:
                        assert repeat == "+" and len(inner) == 1, "a repetition that is not known here"
                        self.steps += [step._replace(repeat="*") for step in self.steps[at:]]
                    if label:
                        sources.append(
                            (label, functools.partial(self.span, at, len(self.steps), "tuple({})"))
                        )
        return sources

    def refer(self, name: str, barred: str | None, repeat: str) -> Callable[[], str]:
        """Lay out another rule within this row."""
        rule = self.shapes.grammar.rules[name]
        at = len(self.steps)
        step = self.shapes.single(rule, barred)
        if step is not None:
            self.add(step, repeat)
            return self.value(at, repeat, rule.makes if rule.makes in VALUES else "")
        (only,) = self.shapes.permitted(rule, barred)
        sources = self.lay(only.parts)
        return lambda: _made(rule.makes, VALUES[rule.makes], {label: source() for label, source in sources})

    def add(self, step: BuildStep, repeat: str) -> None:
        if repeat == "+":
            self.steps.append(step)
        self.steps.append(step._replace(repeat="*" if repeat == "+" else repeat))

    def value(self, at: int, repeat: str, makes: str = "") -> Callable[[], str]:
        """The value of the step, or repeated step, that was added last; tokens become `makes`."""
        if repeat in ("+", "*"):
            form = _EACH.replace("KIND", makes) if makes else "tuple({})"
            return functools.partial(self.span, at, len(self.steps), form)
        if repeat == "?":
            return lambda: f"(c[{at}] if len(c) > {at} else None)"
        if makes:
            return lambda: _ONE.replace("KIND", makes).format(self.child(at))
        return functools.partial(self.child, at)

    def child(self, at: int, pick: str = "") -> str:
        """The child of a step that takes exactly one."""
        before, after = self.steps[:at], self.steps[at + 1 :]
        if not any(step.repeat for step in before):
            return f"c[{len(before)}]{pick}"
        assert not any(step.repeat for step in after), "two repetitions in one alternative"
        return f"c[-{len(after) + 1}]{pick}"

    def span(self, at: int, end: int, form: str) -> str:
        """The children of a run of steps."""
        before, after = self.steps[:at], self.steps[end:]
        assert not any(step.repeat for step in before + after), "two repetitions in one alternative"
        if not before and not after:
            return form.format("c")
        return form.format(f"c[{at}:{-len(after) if after else ''}]")


def _labels(parts: tuple[Part, ...]) -> list[str]:
    """The labels of the values that parts hold."""
    labels: list[str] = []
    for part in parts:
        if isinstance(part, Bracketed):
            labels += _labels(part.parts)
        elif part.label:
            labels.append(part.label)
    return labels


def _made(kind: str, fields_of: type[messages.Value], named: dict[str, str]) -> str:
    """The expression for a value of the class `kind`, with fields by name."""
    unknown = set(named) - set(fields_of.fields)
    assert not unknown, f"{kind} has no field {unknown}"
    default = dict(zip(reversed(fields_of.fields), reversed(fields_of.defaults), strict=False))
    fields = (named.get(field, repr(default.get(field))) for field in fields_of.fields)
    return f"new({kind}, ({''.join(f'{field}, ' for field in fields)}))"


class _OfToken(dict[tuple[str, str], messages.Value]):
    """Values made of one token, by the name of their class and the token."""

    def __missing__(self, key: tuple[str, str]) -> messages.Value:
        if len(self) >= 1 << 12:
            self.clear()
        self[key] = made = VALUES[key[0]](key[1])
        return made


_NAMES = {
    **VALUES,
    "VALUES": VALUES,
    "OF_TOKEN": _OfToken(),
    "string": string,
    "new": tuple.__new__,
}


@functools.cache
def _compiled(source: str) -> Callable[[list[Any]], Any]:
    """The function of an expression over children `c`. Expressions come only from the shipped grammar."""
    return eval(f"lambda c: {source}", _NAMES)


Places = tuple[tuple[Form, int], ...]


class Stuck(Exception):
    """No alternative allows the next token."""


class State(dict[str, "State"]):
    """The transition of each symbol, including '('; computed at first use. Raises Stuck if there is none."""

    __slots__ = ("_owner", "ends", "exits", "free", "places")

    def __init__(self, owner: Automaton, places: Places) -> None:
        self._owner = owner
        self.places = places
        self.exits: dict[State, tuple[State, Callable[[list[Any]], Any] | None]] = {}
        """By the state before the brackets: the state after ')', and the function that makes the value of the
        brackets from its children (None: the value is the tokens)."""
        self.ends = [form for form, at in places if at == len(form.steps)]
        """Forms that are complete."""
        self.free = all(form.free for form, _ in places)
        """Whether anything with matching brackets is accepted here."""

    # States are kept once each and compared as such; their tables change.
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__
    __ne__ = object.__ne__

    def __missing__(self, symbol: str) -> State:
        if symbol == "(":
            shapes = dict.fromkeys(
                shape for form, at in self.places for step in form.steps[at : at + 1] for shape in step.shapes
            )
            state = self._owner.state((form, 0) for shape in shapes for form in shape.forms)
        else:
            state = self._owner.state(
                (form, at if step.repeat == "*" else at + 1)
                for form, at in self.places
                for step in form.steps[at : at + 1]
                if step.symbols is None or symbol in step.symbols
            )
        self[symbol] = state
        return state

    def leave(self, outer: State) -> tuple[State, Callable[[list[Any]], Any] | None]:
        """The transition of ')' from here within `outer`; cached in `exits`. Raises Stuck if there is
        none."""
        complete: dict[Shape, Form] = {}
        for form in self.ends:
            complete.setdefault(form.shape, form)
        forms: list[Form] = []
        after: list[tuple[Form, int]] = []
        for form, at in outer.places:
            for step in form.steps[at : at + 1]:
                inner = [complete[shape] for shape in step.shapes if shape in complete]
                if inner:
                    forms += inner
                    after.append((form, at if step.repeat == "*" else at + 1))
        leaving = self._owner.state(after), forms[0].build
        self.exits[outer] = leaving
        return leaving


class Automaton:
    """A matcher for one rule at one level."""

    def __init__(self, rule: str, level: int, lenient: bool) -> None:
        self._states: dict[frozenset[tuple[Form, int]], State] = {}
        self.start = self.state((form, 0) for form in Shapes(grammar(), level, lenient).rule(rule).forms)

    def state(self, places: Iterable[tuple[Form, int]]) -> State:
        """The state of some places and of those reachable from them by skipping optional steps. Raises Stuck
        for no places."""
        reached: dict[tuple[Form, int], None] = {}
        for form, at in places:
            reached[form, at] = None
            while at < len(form.steps) and form.steps[at].repeat:
                at += 1
                reached[form, at] = None
        if not reached:
            raise Stuck
        key = frozenset(reached)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = State(self, tuple(reached))
        return state

    def __len__(self) -> int:
        """The number of states made so far."""
        return len(self._states)


@functools.cache
def automaton(rule: str, level: int, lenient: bool) -> Automaton:
    """The matcher of a rule at a level of the grammar (see `Grammar.level`), cached."""
    return Automaton(rule, level, lenient)
