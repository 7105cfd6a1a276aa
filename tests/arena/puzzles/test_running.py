"""Puzzles as lines of a file, samples of them, and the figures."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bordeaux.arena.puzzles import attempt, read_puzzles, report, sample, shipped, solves
from bordeaux.board.errors import BordeauxError, FormatError


def test_a_puzzle_survives_its_line(tmp_path: Path) -> None:
    puzzles = shipped()[::40]
    path = tmp_path / "some.jsonl"
    path.write_text("\n\n".join(json.dumps(puzzle.to_json()) for puzzle in puzzles), "utf-8")
    assert read_puzzles(path) == puzzles


def test_a_sample_is_drawn_from_its_seed_and_has_all_kinds() -> None:
    puzzles = shipped()
    chosen = sample(puzzles, 45, seed=3)
    assert len(chosen) == 45 == len({puzzle.id for puzzle in chosen})
    assert chosen == sample(puzzles, 45, seed=3)
    assert chosen != sample(puzzles, 45, seed=4)
    whole, part = Counter(p.kind for p in puzzles), Counter(p.kind for p in chosen)
    assert all(abs(part[kind] - 45 * count / len(puzzles)) <= 1 for kind, count in whole.items())
    assert sample(puzzles, len(puzzles) + 1) == puzzles
    with pytest.raises(BordeauxError, match="at least one"):
        sample(puzzles, 0)


def test_the_figures_count_what_was_solved() -> None:
    puzzles = shipped()[:3]
    figures = report(puzzles, [{5}, {5, 7}, set()], [5, 7])
    kind = puzzles[0].kind
    assert figures["nodes"] == 5, "20,000 was not run, so the first budget stands at the top"
    assert figures["puzzles"] == {kind: {"count": 3, "solved": 2}}
    assert figures["budgets"][1] == {
        "puzzles": {kind: {"count": 3, "solved": 1}},
        "nodes": 7,
        "failed": [puzzles[0].id, puzzles[2].id],
    }
    assert report(puzzles, [set()] * 3, [5, 20_000])["nodes"] == 20_000


def test_an_attempt_repeats_itself() -> None:
    puzzle = next(puzzle for puzzle in shipped() if puzzle.kind == "capture")
    assert attempt(puzzle, [300, 900], seed=2) == attempt(puzzle, [300, 900], seed=2)


def test_more_than_the_goal_is_accepted() -> None:
    puzzle = next(puzzle for puzzle in shipped() if puzzle.kind == "capture")
    easier = puzzle._replace(goal=puzzle.goal._replace(centres=puzzle.goal.centres - 1))
    assert solves(easier, puzzle.solution)
    harder = puzzle._replace(goal=puzzle.goal._replace(centres=34))
    assert not solves(harder, puzzle.solution)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"kind": "mate"}, "unknown kind of puzzle 'mate'"),
        ({"goal": 3}, "a state and a goal"),
        ({"goal": {"whose": "FRANCE", "keeping": True, "centres": "3"}}, "a goal has a number of centres"),
        ({"goal": {"whose": "NOBODY", "keeping": True, "centres": 3}}, "unknown power 'NOBODY'"),
        ({"power": "SPAIN"}, "unknown power 'SPAIN'"),
        ({"solution": "A PAR H"}, "a solution is a list"),
        ({"chance": "half"}, "a chance is a number"),
        ({"kind": "retreat"}, "cannot be in F"),
        ({"state": {"name": "F1905M", "units": {"FRANCE": ["A NTH"]}, "centers": {}}}, "NTH"),
    ],
)
def test_a_faulty_line_is_named(tmp_path: Path, change: dict[str, object], complaint: str) -> None:
    good = shipped()[0].to_json()
    path = tmp_path / "some.jsonl"
    path.write_text(json.dumps(good) + "\n" + json.dumps({**good, **change}) + "\n", "utf-8")
    with pytest.raises(FormatError, match=f"some.jsonl, line 2: .*{complaint}"):
        read_puzzles(path)
