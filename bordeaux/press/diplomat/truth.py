"""Truth maintenance: which facts hold, and why, while justifications are added and removed.

A fact holds by any one of its justifications. A justification counts while all facts that it rests on hold,
and none of those that would defeat it. Facts that only support each other do not hold. The result is the
well-founded model (Van Gelder, Ross and Schlipf, 1991), which is unique, whatever the order of the
justifications. Facts that depend on their own absence, or on each other's absence in a cycle, are undecided
and do not hold. Sources: Hall and Loeb (1995), section 5; Doyle, *A Truth Maintenance System*, 1979.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple


class Reason(NamedTuple):
    """The reason for a fact: the reasons for the facts that it depends on, none for a premise, and the facts
    that would have defeated it."""

    fact: Hashable
    because: tuple[Reason, ...] = ()
    unless: tuple[Hashable, ...] = ()


class _Ground(NamedTuple):
    """A justification of a fact: facts that must hold and facts that must not."""

    fact: Hashable
    because: tuple[Hashable, ...]
    unless: tuple[Hashable, ...]


class Truth:
    """Facts (any hashable values) and their justifications. A change re-evaluates only what it can affect."""

    def __init__(self) -> None:
        self._grounds: dict[Hashable, dict[_Ground, None]] = {}
        self._mentions: dict[Hashable, dict[_Ground, None]] = {}
        self._support: dict[Hashable, _Ground] = {}
        self._open: dict[Hashable, _Ground] = {}

    def add(self, fact: Hashable, because: Iterable[Hashable] = (), unless: Iterable[Hashable] = ()) -> None:
        """Give a fact a justification: it holds if all of `because` do and none of `unless`. Without either
        it is a premise. An existing justification is not added again."""
        ground = _ground(fact, because, unless)
        if ground in self._grounds.setdefault(fact, {}):
            return
        self._grounds[fact][ground] = None
        for premise in (*ground.because, *ground.unless):
            self._mentions.setdefault(premise, {})[ground] = None
        if fact not in self._support:
            self._settle([fact])

    def retract(
        self, fact: Hashable, because: Iterable[Hashable] = (), unless: Iterable[Hashable] = ()
    ) -> None:
        """Remove one justification from a fact, if it has it; by default that of a premise."""
        ground = _ground(fact, because, unless)
        if ground in self._grounds.get(fact, ()):
            self._remove(ground)
            if self._support.get(fact) in (ground, None):
                self._settle([fact])

    def forget(self, fact: Hashable) -> None:
        """Remove a fact with its justifications, and the facts that depended on it and have no justification
        left."""
        gone, changed = [fact], {fact: None}
        for lost in gone:
            for ground in list(self._grounds.get(lost, ())):
                self._remove(ground)
            for ground in list(self._mentions.get(lost, ())):
                if lost in ground.because:
                    self._remove(ground)
                    changed[ground.fact] = None
                    if ground.fact not in self._grounds:
                        gone.append(ground.fact)
        self._settle(changed)

    def holds(self, fact: Hashable) -> bool:
        """Whether a fact holds."""
        return fact in self._support

    def grounds(self) -> Iterator[tuple[Hashable, tuple[Hashable, ...], tuple[Hashable, ...]]]:
        """All justifications, active or not: a fact, what it depends on, and what would defeat it."""
        return (ground for grounds in self._grounds.values() for ground in grounds)

    def facts(self) -> Iterator[Hashable]:
        """All facts that hold."""
        return iter(self._support)

    def why(self, fact: Hashable) -> Reason:
        """The reason for a fact; a fact that two others depend on occurs in both. Raises LookupError if it
        does not hold."""
        if fact not in self._support:
            raise LookupError(f"{fact} does not hold")
        reasons: dict[Hashable, Reason] = {}
        waiting = [fact]
        while waiting:
            ground = self._support[waiting[-1]]
            missing = [premise for premise in ground.because if premise not in reasons]
            if missing:
                waiting += missing
            else:
                because = tuple(reasons[premise] for premise in ground.because)
                reasons[waiting.pop()] = Reason(ground.fact, because, ground.unless)
        return reasons[fact]

    def __len__(self) -> int:
        """The number of justifications."""
        return sum(map(len, self._grounds.values()))

    def _remove(self, ground: _Ground) -> None:
        _discard(self._grounds, ground.fact, ground)
        for premise in (*ground.because, *ground.unless):
            _discard(self._mentions, premise, ground)

    def _settle(self, changed: Iterable[Hashable]) -> None:
        """Re-evaluate the changed facts, and all that depend on them (Van Gelder's alternating fixpoint,
        restricted to what can have changed): the set of facts that certainly hold and the set that may hold
        converge."""
        reached = dict.fromkeys(changed)
        for fact in (agenda := list(reached)):
            for ground in self._mentions.get(fact, ()):
                if ground.fact not in reached:
                    reached[ground.fact] = None
                    agenda.append(ground.fact)
        for fact in reached:
            self._support.pop(fact, None)
            self._open.pop(fact, None)
        sure: dict[Hashable, _Ground] = {}
        while True:
            may = self._derive(reached, self._possible, ChainMap(sure, self._support).__contains__)
            surer = self._derive(reached, self.holds, ChainMap(may, self._support, self._open).__contains__)
            if len(surer) == len(sure):
                break
            # What was found first keeps its ground: of what it takes for false, it is no cause itself.
            sure = surer | sure
        self._support |= sure
        self._open |= {fact: ground for fact, ground in may.items() if fact not in sure}

    def _possible(self, fact: Hashable) -> bool:
        return fact in self._support or fact in self._open

    def _derive(
        self,
        facts: Iterable[Hashable],
        given: Callable[[Hashable], bool],
        defeats: Callable[[Hashable], bool],
    ) -> dict[Hashable, _Ground]:
        """The facts among some that follow from the given ones, each with a justification that depends on
        facts found before it; defeated justifications do not count."""
        grounds: dict[Hashable, _Ground] = {}
        lacking: dict[_Ground, int] = {}
        ready: list[_Ground] = []
        for fact in facts:
            for ground in self._grounds.get(fact, ()):
                if not any(map(defeats, ground.unless)):
                    lacking[ground] = sum(not given(premise) for premise in ground.because)
                    if not lacking[ground]:
                        ready.append(ground)
        for ground in ready:
            if ground.fact in grounds:
                continue
            grounds[ground.fact] = ground
            for other in self._mentions.get(ground.fact, ()):
                if other in lacking and ground.fact in other.because:
                    lacking[other] -= 1
                    if not lacking[other]:
                        ready.append(other)
        return grounds


def _ground(fact: Hashable, because: Iterable[Hashable], unless: Iterable[Hashable]) -> _Ground:
    return _Ground(fact, tuple(dict.fromkeys(because)), tuple(dict.fromkeys(unless)))


def _discard(index: dict[Hashable, dict[_Ground, None]], key: Hashable, ground: _Ground) -> None:
    of_key = index.get(key, {})
    of_key.pop(ground, None)
    if not of_key:
        index.pop(key, None)
