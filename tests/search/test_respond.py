"""Candidates that are drawn, and compared by nothing but playing on."""

from __future__ import annotations

import pytest

from bordeaux import Engine, Map, Position, bench
from bordeaux.board.code import codes_in
from bordeaux.evaluation import evaluator
from bordeaux.search.agreements import Agreement
from bordeaux.search.bonds import Bonds
from bordeaux.search.budget import Budget
from bordeaux.search.paper.candidate import ROLLOUTS, SURE
from bordeaux.search.paper.finding import BESIDE_DRAWS
from bordeaux.search.paper.movement import MovementSearch
from bordeaux.search.paper.pruning import Maxims
from bordeaux.search.respond import DRAWN, FEWEST, FOR_ALL, MOST_TIMES, PLENTY, POOLED
from bordeaux.search.paper.situation import Situation
from bordeaux.search.ideas import Ideas

MAP = Map.standard()
MIDDLE = next(position for position, _ in bench.positions() if str(position.phase) == "S1904M")
FALL = next(position for position, _ in bench.positions() if str(position.phase) == "F1904M")
POWER = max(MAP.powers, key=lambda power: len(MIDDLE.units_of(power)))
ALL = sum(DRAWN.values()) + POOLED


def searched(
    *left_out: str, nodes: int = 30_000, position: Position = MIDDLE, bonds: Bonds | None = None
) -> MovementSearch:
    situation = Situation(
        position, evaluator(MAP), maxims=Maxims.named(), ideas=Ideas.without(left_out), bonds=bonds
    )
    search = MovementSearch(situation)
    for _ in search.run([POWER], Budget(nodes=nodes)):
        pass
    return search


def sets(search: MovementSearch, nodes: float) -> list[bytes]:
    draw = search.decision.propose.draw
    assert draw is not None
    return draw.sets(search.sides[POWER], nodes)


def test_the_best_so_far_comes_first_and_no_set_twice() -> None:
    search = searched()
    found = sets(search, PLENTY)
    assert found[0] == search.sides[POWER].best and len(found) == len(set(found))
    assert ALL / 3 < len(found) <= ALL


def test_there_are_fewer_with_few_nodes_and_more_with_many() -> None:
    search = searched()
    counts = [len(sets(search, nodes)) for nodes in (1, FOR_ALL / 4, FOR_ALL, 100 * PLENTY)]
    assert FEWEST <= counts[0] < counts[1] < counts[2] < counts[3] <= MOST_TIMES * ALL


def test_what_another_process_holds_for_the_best_is_compared_as_well() -> None:
    search = searched()
    side = search.sides[POWER]
    odd = side.space.orders(side.space.completed(side.space.node_of(b"")))
    side.offer(odd, -1e6)
    assert odd in sets(search, PLENTY)[:2]


@pytest.mark.parametrize(("idea", "models"), [("people", {"people"}), ("league", {"league"})])
def test_an_idea_that_is_left_out_is_not_drawn_from(idea: str, models: set[str]) -> None:
    draw = searched(idea, nodes=3_000).decision.propose.draw
    assert draw is not None and set(draw.models) == set(DRAWN) - models


def test_a_candidate_is_worth_the_sum_of_its_scores_and_the_best_is_played() -> None:
    search = searched(position=FALL)
    decided = search.situation.decided[POWER]
    halving = search.decision.cases[POWER].halving
    assert halving is not None and len(decided) == len(halving.candidates) > FEWEST
    assert all(list(each.scores) == [SURE, ROLLOUTS] for each in decided.values())
    assert search.sides[POWER].best == halving.candidates[halving.alive[0]]
    worth = halving.scores()
    best = search.sides[POWER].best
    for orders, each in decided.items():
        # The level is that of the rollouts; the differences are those of the halving.
        assert each.value - decided[best].value == pytest.approx(worth[orders] - worth[best])


def test_most_of_the_nodes_are_for_playing_on() -> None:
    search = searched(nodes=60_000)
    taken = sum(side.space.nodes for side in search.sides.values())
    assert BESIDE_DRAWS * 0.7 < taken / search.nodes < BESIDE_DRAWS * 2
    assert search.decision.rollout.nodes > search.nodes / 2 and search.nodes < 61_000
    assert search.sampler.mixtures == {}


def test_what_is_drawn_keeps_to_what_was_agreed() -> None:
    """Peace with all neighbours: no draw of a policy goes where one of them is."""
    others = [power for power in MAP.powers if power != POWER and MIDDLE.units_of(power)]
    bonds = Bonds(MIDDLE, tuple(Agreement("peace", (POWER, other)) for other in others))
    drawn = sets(searched(bonds=bonds), PLENTY)
    assert len(drawn) > FEWEST
    word = bonds.own(POWER)
    assert not any(bond.breaks(code) for orders in drawn for code in codes_in(orders) for bond in word)
    # Without a word some draws would have broken it.
    free = sets(searched(), PLENTY)
    assert any(bond.breaks(code) for orders in free for code in codes_in(orders) for bond in word)


def test_the_same_seed_finds_the_same_and_another_something_else() -> None:
    found = []
    for seed in (1, 1, 2):
        with Engine(seed=seed) as engine:
            found.append(engine.search(MIDDLE, POWER, nodes=10_000).lines)
    assert found[0] == found[1] != found[2]
