"""What one search of a movement phase is given: the position, the settings, the evaluations."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

from bordeaux._ext.influence import Evaluator
from bordeaux._ext.value import Valuer
from bordeaux.board.code import codes_in, unit_of
from bordeaux.board.neighbours import Neighbourhood
from bordeaux.board.position import Position
from bordeaux.search.bestfirst import Maxims
from bordeaux.search.config import SearchConfig
from bordeaux.search.ideas import Ideas
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.task import SearchTask

__all__ = ["Situation"]


@dataclass(frozen=True)
class Situation:
    """The inputs of a search, which do not change; what it finds is in a `PaperState`.

    The seeds of the `task` are sets from which powers start, in addition to all hold. `evaluator` evaluates
    the next phase; `value`, if given, values the ends of rollouts in its place. `rendezvous` exchanges
    results with other processes.
    """

    task: SearchTask
    evaluator: Evaluator
    value: Valuer | None = None
    rendezvous: Rendezvous = field(default_factory=Rendezvous)

    @property
    def ends(self) -> Valuer:
        """The value of the ends of rollouts."""
        return self.value or self.evaluator

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self.task.position

    @property
    def config(self) -> SearchConfig:
        """The settings."""
        return self.task.config

    @property
    def seeds(self) -> Mapping[str, list[bytes]]:
        """Sets from which powers start."""
        return self.task.seeds

    @functools.cached_property
    def neighbourhood(self) -> Neighbourhood:
        """Who is near whom."""
        return Neighbourhood(self.position)

    @property
    def maxims(self) -> Maxims:
        """The maxims that apply."""
        return self.config.obeyed

    @property
    def ideas(self) -> Ideas:
        """The ideas in use."""
        return self.config.ideas

    @property
    def present(self) -> list[str]:
        """The powers that have units."""
        return [power for power in self.position.map.powers if self.position.units_of(power)]

    def worth_to(self, powers: Mapping[str, float], joint: bytes) -> float:
        """The weighted points of some powers after joint orders of all."""
        numbered = [(self._owner[unit_of(code)], code) for code in codes_in(joint)]
        after, *_ = self.position.packed.adjudicate(numbered)
        number, evaluate = self.position.map.powers.index, self.evaluator.evaluate
        return sum(part * evaluate(after, number(power))[0] for power, part in powers.items())

    @functools.cached_property
    def _owner(self) -> dict[int, int]:
        """The powers of all units, by number, by location."""
        map = self.position.map
        return {
            map.location(unit.kind, unit.location).index: map.powers.index(unit.power)
            for unit in self.position.units
        }
