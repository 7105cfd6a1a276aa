"""The search for orders that decide the game in a Fall, and what is told as forced."""

from __future__ import annotations

import pytest

from bordeaux import Engine
from bordeaux.arena.puzzles import Puzzle, shipped, solves
from bordeaux.board.submission import texts
from bordeaux.evaluation.prospect import MOST_CHANCE, prospect
from bordeaux.search.decisive import Certainty, Decisive, certain, deciding_goals
from bordeaux.search.proof import Goal
from bordeaux.search.sets import from_orders

from .test_forcing import besieged, eighteenth

PUZZLES = [puzzle for puzzle in shipped() if puzzle.kind in ("win", "stop")]


def test_the_goals_are_an_own_victory_and_none_of_a_leader() -> None:
    position = eighteenth()
    assert deciding_goals(position, "TURKEY") == [Goal("TURKEY", True, 18)]
    assert deciding_goals(position, "AUSTRIA") == [Goal("TURKEY", False, 17, "TURKEY")]
    assert deciding_goals(besieged(), "AUSTRIA") == []


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_the_goal_of_a_puzzle_is_not_left_out(puzzle: Puzzle) -> None:
    assert puzzle.goal in deciding_goals(puzzle.position, puzzle.power)


def test_most_puzzles_are_solved_from_holds_alone_and_all_answers_are_proofs() -> None:
    some, solved = PUZZLES[::5], 0
    for puzzle in some:
        decisive = Decisive(puzzle.position, puzzle.power, puzzle.goal, 5_000)
        orders = decisive.found()
        if orders is not None:
            solved += 1
            assert solves(puzzle, texts(puzzle.position.map, orders))
            for variant in decisive.variants(orders, []):
                assert solves(puzzle, texts(puzzle.position.map, variant))
    assert solved >= 0.6 * len(some)


def test_what_cannot_be_forced_takes_no_more_than_its_share() -> None:
    position = eighteenth()
    decisive = Decisive(position, "TURKEY", Goal("TURKEY", True, 20), 5_000)
    assert decisive.found() is None and decisive.among([]) is None
    assert decisive.nodes <= 5_000


def test_a_set_is_told_as_forced_only_if_it_is() -> None:
    position = eighteenth()
    sure = ["A GAL - VIE", "A BUD S A GAL - VIE", "A TRI S A GAL - VIE"]
    sets = [from_orders(position, "TURKEY", orders) for orders in (sure, ["A GAL - VIE"])]
    assert certain(position, "TURKEY", sets) == [Certainty.WON, Certainty.OPEN]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_forced_victory_is_starred_and_nothing_else_is_certain(threads: int) -> None:
    position = eighteenth()
    with Engine(seed=1, threads=threads) as engine:
        answer, chances = engine.advised(engine.search(position, "TURKEY", nodes=3_000))
    assert chances[0].forced and (chances[0].share, chances[0].solo) == (1, 1)
    sets = [line.codes for line in answer.lines]
    for chance, outcome in zip(chances, certain(position, "TURKEY", sets), strict=True):
        assert chance.forced == (outcome is Certainty.WON)
        assert chance.forced or max(chance.share, chance.solo) <= MOST_CHANCE
        assert chance.forced or not chance.level


def test_nobody_is_expected_to_win_for_certain_before_it_has() -> None:
    assert max(one.solo for one in prospect(eighteenth()).values()) <= MOST_CHANCE
