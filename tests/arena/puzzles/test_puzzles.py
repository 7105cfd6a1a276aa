"""Puzzles as lines of a file, samples of them, and the figures."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bordeaux.arena.puzzles import (
    Puzzle,
    attempt,
    others_builds,
    read_puzzles,
    report,
    sample,
    shipped,
    solves,
    stand,
    sure_after_winter,
)
from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.board.map import Map
from bordeaux.board.order import Dislodged, Unit
from bordeaux.board.position import Position
from bordeaux.rules.adjudication import legal_orders
from bordeaux.search.proof import choices, sure_after_retreats
from tests.players.playing import standard


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return shipped()


def test_a_puzzle_survives_its_line(puzzles: list[Puzzle], tmp_path: Path) -> None:
    some = puzzles[::40]
    path = tmp_path / "some.jsonl"
    path.write_text("\n\n".join(json.dumps(puzzle.to_json()) for puzzle in some), "utf-8")
    assert read_puzzles(path) == some


def test_a_sample_is_drawn_from_its_seed_and_has_all_kinds(puzzles: list[Puzzle]) -> None:
    chosen = sample(puzzles, 45, seed=3)
    assert len(chosen) == 45 == len({puzzle.id for puzzle in chosen})
    assert chosen == sample(puzzles, 45, seed=3)
    assert chosen != sample(puzzles, 45, seed=4)
    whole, part = Counter(p.kind for p in puzzles), Counter(p.kind for p in chosen)
    assert all(abs(part[kind] - 45 * count / len(puzzles)) <= 1 for kind, count in whole.items())
    assert sample(puzzles, len(puzzles) + 1) == puzzles
    with pytest.raises(BordeauxError, match="at least one"):
        sample(puzzles, 0)


def test_the_figures_count_what_was_solved(puzzles: list[Puzzle]) -> None:
    three = puzzles[:3]
    figures = report(three, [{5}, {5, 7}, set()], [5, 7])
    kind = puzzles[0].kind
    assert figures["nodes"] == 5, "20,000 was not run, so the first budget stands at the top"
    assert figures["puzzles"] == {kind: {"count": 3, "solved": 2}}
    assert figures["budgets"][1] == {
        "puzzles": {kind: {"count": 3, "solved": 1}},
        "nodes": 7,
        "failed": [puzzles[0].id, puzzles[2].id],
    }
    assert report(three, [set()] * 3, [5, 20_000])["nodes"] == 20_000


def test_an_attempt_repeats_itself(puzzles: list[Puzzle]) -> None:
    puzzle = next(puzzle for puzzle in puzzles if puzzle.kind == "capture")
    assert attempt(puzzle, [300, 900], seed=2) == attempt(puzzle, [300, 900], seed=2)


def test_more_than_the_goal_is_accepted(puzzles: list[Puzzle]) -> None:
    puzzle = next(puzzle for puzzle in puzzles if puzzle.kind == "capture")
    easier = puzzle._replace(goal=puzzle.goal._replace(centres=puzzle.goal.centres - 1))
    assert solves(easier, puzzle.solution)
    harder = puzzle._replace(goal=puzzle.goal._replace(centres=34))
    assert not solves(harder, puzzle.solution)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"kind": "mate"}, "unknown kind of puzzle 'mate'"),
        ({"goal": 3}, "a state and a goal"),
        *(
            ({"goal": {"whose": "FRANCE", "keeping": True, "centres": centres}}, "a number of centres, 34 at")
            for centres in ("3", True, -1, 35)
        ),
        ({"goal": {"whose": "NOBODY", "keeping": True, "centres": 3}}, "unknown power 'NOBODY'"),
        ({"power": "SPAIN"}, "unknown power 'SPAIN'"),
        ({"solution": "A PAR H"}, "a solution is a list"),
        ({"chance": "half"}, "a chance is a number"),
        ({"kind": "retreat"}, "cannot be in F"),
        ({"state": {"name": "F1905M", "units": {"FRANCE": ["A NTH"]}, "centers": {}}}, "NTH"),
    ],
)
def test_a_faulty_line_is_named(
    puzzles: list[Puzzle], tmp_path: Path, change: dict[str, object], complaint: str
) -> None:
    good = puzzles[0].to_json()
    path = tmp_path / "some.jsonl"
    path.write_text(json.dumps(good) + "\n" + json.dumps({**good, **change}) + "\n", "utf-8")
    with pytest.raises(FormatError, match=f"some.jsonl, line 2: .*{complaint}"):
        read_puzzles(path)


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(FormatError, match="/dev/zero: more than 64 MB"):
        read_puzzles("/dev/zero")


FLOOR_NODES = 3_000
FLOOR_SAMPLE = 25
FLOOR = 0.5
"""What a search of so many nodes solves at least, of a sample: a little below what it does today."""


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


@pytest.mark.parametrize(("disputed", "taken"), [((), 2), (("BUL/SC",), 1), (("GRE",), 1)])
def test_a_retreat_takes_what_nobody_can_dispute(disputed: tuple[str, ...], taken: int) -> None:
    # Austria may retreat from Serbia to Albania, to Greece, its own, or to Bulgaria, which is Turkey's.
    own = Dislodged(Unit("AUSTRIA", "A", "SER"), ("ALB", "BUL", "GRE"))
    other = Dislodged(Unit("TURKEY", "F", "AEG"), disputed)
    centres = {"AUSTRIA": ["GRE", "SER"], "TURKEY": ["BUL"]}
    position = Position(Map.standard(), "F1904R", [Unit("TURKEY", "A", "SER")], centres, [own, other])
    sure = {
        choice[0]: sure_after_retreats(position, "AUSTRIA", choice) for choice in choices(position, "AUSTRIA")
    }
    kept = int("GRE" not in disputed)
    assert sure == {"A SER R ALB": kept, "A SER R BUL": taken, "A SER R GRE": 1, "A SER D": kept}


def test_other_phases_are_refused() -> None:
    with pytest.raises(ValueError, match="retreats of a Fall"):
        sure_after_retreats(Position.start(), "AUSTRIA", [])
    with pytest.raises(ValueError, match="adjustments"):
        sure_after_winter(Position.start(), "AUSTRIA", [], 3)


def winter(own: list[str], owned: list[str]) -> Position:
    units = {"AUSTRIA": own, "ITALY": ["A VEN", "A TYR", "A BOH"]}
    return standard("W1903A", units, {"AUSTRIA": owned, "ITALY": ["VEN", "ROM", "NAP"]})


def test_who_guards_a_home_is_not_removed() -> None:
    position = winter(["A VIE", "A GAL", "A RUM"], ["VIE", "RUM"])
    assert position.adjustments("AUSTRIA") == -1
    assert list(others_builds(position, "AUSTRIA")) == [()]
    assert sure_after_winter(position, "AUSTRIA", ["A RUM D"], 2)
    assert not sure_after_winter(position, "AUSTRIA", ["A VIE D"], 2)
    assert not sure_after_winter(position, "AUSTRIA", ["A GAL D"], 2), "two attack Vienna"
    assert sure_after_winter(position, "AUSTRIA", ["A GAL D"], 1)


def test_a_stand_is_given_as_orders() -> None:
    units = {"AUSTRIA": ["A VIE", "A BUD"], "ITALY": ["A TYR", "A BOH"]}
    position = standard("F1903M", units, {"AUSTRIA": ["VIE", "BUD"]})
    assert stand(position, "AUSTRIA", 2) == ["A BUD S A VIE"]
    assert stand(position, "AUSTRIA", 3) is None
