"""Matching messages: an automaton with a stack of brackets, made of the grammar as messages need it.

A state is the set of all places in all forms (see `building`) where the tokens so far may have led, so
every alternative that the level permits is tried at once and one look at each token is enough. At '(' the
state is put by and the forms of all shapes that it may hold are begun; at ')' the forms that are complete
say how it goes on. Since each place in a state can be led to a legal end, the first token without a next
state is the furthest that any alternative reaches: there ERR belongs (LANGUAGE.md, section 4). States are
kept, and DAIDE has few (some 600 at the highest level), so that in the end a token costs one look into a
table.
Method: visibly pushdown automata, made deterministic as they run (Alur and Madhusudan, 2004).
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
    """Where each symbol leads, '(' included; worked out when first met. Raises Stuck if nowhere."""

    __slots__ = ("_owner", "ends", "exits", "free", "places")

    def __init__(self, owner: Automaton, places: Places) -> None:
        self._owner = owner
        self.places = places
        self.exits: dict[State, tuple[State, Callable[[list[Any]], Any] | None]] = {}
        """By the state outside the brackets: the state behind ')', and what makes the brackets' value of
        their children (None: the value is the tokens)."""
        self.ends = [form for form, at in places if at == len(form.steps)]
        """Forms that are complete."""
        self.free = all(form.free for form, _ in places)
        """Whether whatever has matching brackets is taken here."""

    # States are kept once each and compared as such; their tables change.
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__
    __ne__ = object.__ne__

    def __missing__(self, symbol: str) -> State:
        if symbol == "(":
            shapes = dict.fromkeys(
                shape for form, at in self.places for step in form.steps[at : at + 1] for shape in step.shapes
            )
            found = self._owner.state((form, 0) for shape in shapes for form in shape.forms)
        else:
            found = self._owner.state(
                (form, at if step.repeat == "*" else at + 1)
                for form, at in self.places
                for step in form.steps[at : at + 1]
                if step.symbols is None or symbol in step.symbols
            )
        self[symbol] = found
        return found

    def leave(self, outer: State) -> tuple[State, Callable[[list[Any]], Any] | None]:
        """What ')' leads to from here within `outer`; kept in `exits`. Raises Stuck if nowhere."""
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
        found = self._owner.state(after), forms[0].build
        self.exits[outer] = found
        return found


class Automaton:
    """A matcher for one rule at one level."""

    def __init__(self, rule: str, level: int, lenient: bool) -> None:
        self._states: dict[frozenset[tuple[Form, int]], State] = {}
        self.start = self.state((form, 0) for form in Shapes(grammar(), level, lenient).rule(rule).forms)

    def state(self, places: Iterable[tuple[Form, int]]) -> State:
        """The state of some places and of those that can be reached from them by skipping steps that
        may be left out. Raises Stuck for no places."""
        found: dict[tuple[Form, int], None] = {}
        for form, at in places:
            found[form, at] = None
            while at < len(form.steps) and form.steps[at].repeat:
                at += 1
                found[form, at] = None
        if not found:
            raise Stuck
        key = frozenset(found)
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = State(self, tuple(found))
        return state

    def __len__(self) -> int:
        """The number of states made so far."""
        return len(self._states)


@functools.cache
def automaton(rule: str, level: int, lenient: bool) -> Automaton:
    """The matcher of a rule at a level of the grammar (see `Grammar.level`); each is made once."""
    return Automaton(rule, level, lenient)
