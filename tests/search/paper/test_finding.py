"""Finding: the wanted power has its half, whatever is believed of the others, and a pool to choose from."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from bordeaux import Map, Position
from bordeaux.arena import bench
from bordeaux.evaluation import evaluator
from bordeaux.search.beliefs import PRIOR, Beliefs
from bordeaux.search.config import PAPER, SearchConfig
from bordeaux.search.models import SEARCH
from bordeaux.search.paper import MovementSearch, Situation
from bordeaux.search.paper.finding import FINDING
from bordeaux.search.task import Budget, SearchTask

MAP = Map.standard()
MOVEMENTS = [position for position, _ in bench.positions() if position.phase.kind == "M"]
#: What may be believed of everybody.
BELIEFS = {"search": {SEARCH: 1.0}, "mixed": PRIOR, "dumbbot": {SEARCH: 0.02, "dumbbot": 0.98}}


class Found:
    """A finding of so many nodes' budget: the nodes of the wanted power and of all, turns by power, the
    sets of the wanted power's pool."""

    def __init__(self, position: Position, power: str, believed: str, nodes: int) -> None:
        beliefs = Beliefs(MAP, BELIEFS[believed])
        task = SearchTask(position, SearchConfig(PAPER), seed=1, beliefs=beliefs)
        search = MovementSearch(Situation(task, evaluator(MAP)))
        self.turns: Counter[str] = Counter()
        improve = search.finding._improve

        def noting(power: str, budget: Budget) -> bool:
            self.turns[power] += 1
            return improve(power, budget)

        search.finding._improve = noting  # type: ignore[method-assign]
        search.state.want([power])
        budget = Budget(nodes=nodes)
        for _ in search.finding.open_wanted():
            pass
        search.finding.open_rivals(budget)
        for _ in search.finding.run(budget, FINDING):
            pass
        self.own = search.sides[power].space.nodes
        self.nodes = search.nodes
        self.pool = search.sides[power].ranked()


@cache
def cases(step: int) -> list[tuple[Position, str]]:
    """Every so many positions, with each power that has units."""
    return [
        (movement, power)
        for movement in MOVEMENTS[::step]
        for power in MAP.powers
        if movement.units_of(power)
    ]


@pytest.mark.parametrize(
    ("believed", "nodes", "step"),
    [*((believed, 3_000, 9) for believed in BELIEFS), ("mixed", 13_500, 20), ("search", 67_500, 20)],
)
@pytest.mark.slow
def test_at_least_half_is_the_wanted_powers(believed: str, nodes: int, step: int) -> None:
    for position, power in cases(step):
        finding = Found(position, power, believed, nodes)
        described = f"{position.phase} {power}: {finding.own} of {finding.nodes}, {finding.turns}"
        assert finding.turns[power] >= 1, described
        # A dive that an enemy has begun is not cut short.
        assert finding.own >= 0.4 * finding.nodes, described
        # The others are looked at as well, where they are believed to search and there is time.
        if nodes == 67_500:
            assert len(finding.turns) > 1, described
