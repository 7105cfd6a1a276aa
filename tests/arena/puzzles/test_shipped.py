"""The puzzles that come with the package: sound, proved, varied, and a floor under what a search solves."""

from collections import Counter

import pytest

from bordeaux.arena.puzzles import KINDS, Puzzle, attempt, report, sample, shipped, solves
from bordeaux.rules.legal import legal_orders

LEAST = 500
LEAST_OF_A_KIND = 20

FLOOR_NODES = 3_000
FLOOR_SAMPLE = 35
FLOOR = 0.5
"""What a search of so many nodes solves at least, of a sample: a little below what it does today."""


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return shipped()


def test_there_are_many_and_none_twice(puzzles: list[Puzzle]) -> None:
    counts = Counter(puzzle.kind for puzzle in puzzles)
    assert counts.keys() == set(KINDS)
    assert min(counts.values()) >= LEAST_OF_A_KIND
    assert len(puzzles) >= LEAST
    assert all(counts[kind] >= 40 for kind in KINDS if kind not in ("convoy", "stop"))
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert len({(puzzle.game, puzzle.phase, puzzle.power, puzzle.goal) for puzzle in puzzles}) == len(puzzles)


def test_they_are_of_all_powers_and_times(puzzles: list[Puzzle]) -> None:
    powers = Counter(puzzle.power for puzzle in puzzles)
    assert len(powers) == 7 and min(powers.values()) >= len(puzzles) / 30
    years = Counter(puzzle.position.phase.year for puzzle in puzzles)
    assert max(years.values()) < len(puzzles) / 3 and len(years) >= 10


def test_every_recorded_solution_is_proved(puzzles: list[Puzzle]) -> None:
    assert [puzzle.id for puzzle in puzzles if not solves(puzzle, puzzle.solution)] == []


def test_no_puzzle_is_solved_by_doing_nothing(puzzles: list[Puzzle]) -> None:
    moving = [puzzle for puzzle in puzzles if puzzle.kind not in ("retreat", "build")]
    assert [puzzle.id for puzzle in moving if solves(puzzle, [])] == []
    assert all(0 <= puzzle.chance < 0.5 for puzzle in puzzles)


def test_solutions_are_complete_and_legal(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        legal = {order for orders in legal_orders(puzzle.position, puzzle.power).values() for order in orders}
        assert set(puzzle.solution) <= legal, puzzle.id
        if puzzle.position.phase.kind == "M":
            assert len(puzzle.solution) == len(puzzle.position.units_of(puzzle.power)), puzzle.id


def test_kinds_say_what_a_goal_is(puzzles: list[Puzzle]) -> None:
    for puzzle in puzzles:
        owned = sum(owner == puzzle.power for owner in puzzle.position.owners)
        goal = puzzle.goal
        match puzzle.kind:
            case "win":
                assert goal.centres == 18 > owned
            case "stop":
                assert not goal.keeping and goal.centres == 17 and goal.whose != puzzle.power
            case "capture":
                assert goal.centres > owned
            case "keep":
                assert goal.centres == owned
            case "convoy":
                assert any(order.endswith(" VIA") for order in puzzle.solution)


@pytest.mark.slow
def test_a_search_solves_its_share_of_a_sample(puzzles: list[Puzzle]) -> None:
    chosen = sample(puzzles, FLOOR_SAMPLE)
    solved = [attempt(puzzle, [FLOOR_NODES]) for puzzle in chosen]
    figures = report(chosen, solved, [FLOOR_NODES])
    share = sum(row["solved"] for row in figures["puzzles"].values()) / len(chosen)
    assert share >= FLOOR, figures["budgets"][0]["failed"]
