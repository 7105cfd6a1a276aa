"""Matching messages: a pushdown automaton for brackets, built from the grammar on demand.

A state is the set of all places in all forms (see `building`) that the tokens so far may have reached. So
every alternative that the level permits is followed at once, and each token is read once. At '(' the state
is pushed, and the forms of all shapes allowed there begin. At ')' the complete forms determine the next
state. Each place in a state can be extended to a legal end. So the first token without a next state is the
furthest point of any alternative, where ERR belongs (LANGUAGE.md, section 4). States are cached, and DAIDE
has few (some 600 at the highest level), so a token finally costs one lookup in a table. Method: visibly
pushdown automata, made deterministic as they run (Alur and Madhusudan, 2004).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

from bordeaux.daide.language.building import Form, Shape, Shapes
from bordeaux.daide.language.grammar import grammar

__all__ = ["Automaton", "State", "Stuck", "automaton"]

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
