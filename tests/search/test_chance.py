"""The random element of the search path (paper 002, section 4.3.5)."""

from __future__ import annotations

import collections
import random

import pytest

from bordeaux import Map, Position
from bordeaux.evaluation import evaluator
from bordeaux.search.agenda import Agenda, Node
from bordeaux.search.bestfirst import best_first, drawn_rank
from bordeaux.search.candidates import search_space
from bordeaux.search.maxims import Maxims

MAP = Map.standard()


def test_the_agenda_gives_a_node_by_its_rank() -> None:
    agenda = Agenda(beam=10)
    for value in range(5):
        agenda.add(Node(float(value), b"%d" % value))
    assert [agenda.pop(rank).value for rank in (1, 0, 7, 1)] == [3.0, 4.0, 0.0, 1.0]
    assert agenda.pop(3).value == 2.0
    with pytest.raises(IndexError):
        agenda.pop(3)


@pytest.mark.parametrize("decay", [0.3, 0.7])
def test_ranks_are_drawn_with_a_decaying_probability(decay: float) -> None:
    chance = random.Random(1)
    counts = collections.Counter(drawn_rank(chance, decay) for _ in range(20_000))
    assert counts[0] / 20_000 == pytest.approx(1 - decay, abs=0.02)
    for rank in range(3):
        assert counts[rank + 1] / counts[rank] == pytest.approx(decay, abs=0.05)


def test_chance_changes_the_path_and_repeats_with_its_seed() -> None:
    position = Position.start()
    space = search_space(position, "RUSSIA", evaluator(MAP), Maxims.named())

    def path(seed: int | None) -> list[tuple[Node, int]]:
        begun = space.nodes
        chance = None if seed is None else random.Random(seed)
        found = best_first(space, space.node_of(b""), lambda: space.nodes - begun > 4000, 10_000, chance, 0.8)
        return [(node, space.nodes - begun) for node in found]

    by_seed = [path(seed) for seed in (None, 1, 1, 2)]
    assert by_seed[1] == by_seed[2]
    assert len({tuple(each) for each in by_seed}) > 1
    assert all(each[-1][0].value >= each[0][0].value for each in by_seed)


def test_with_chance_a_small_search_still_finds_the_best() -> None:
    position = Position.start()
    space = search_space(position, "TURKEY", evaluator(MAP), Maxims.named())
    seed = space.node_of(b"")
    plain, drawn = (
        list(best_first(space, seed, lambda: False, 10_000, chance))[-1].value
        for chance in (None, random.Random(3))
    )
    assert drawn == pytest.approx(plain, abs=1e-3)
