"""The tool that makes puzzles: rare kinds are found again where they were, and a file is added to."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import make_puzzles
import puzzle_rare
import puzzle_search
from bordeaux.arena.puzzles import Puzzle, shipped, solves
from tests.cli.conftest import complaint


@pytest.fixture(scope="module")
def puzzles() -> list[Puzzle]:
    return shipped()


@pytest.mark.parametrize("kind", ["retake", "cut", "convoy", "stop"])
def test_a_rare_kind_is_found_where_it_is(kind: str, puzzles: list[Puzzle]) -> None:
    known = [puzzle for puzzle in puzzles if puzzle.kind == kind]
    known = sorted(known, key=lambda puzzle: len(puzzle.position.units))[:3]
    made = [
        made_puzzle
        for puzzle in known
        for made_puzzle in puzzle_rare.rare(puzzle.position, puzzle.power, {kind}, puzzle.game, 5)
    ]
    assert made
    for puzzle in made:
        assert puzzle.kind == kind
        assert solves(puzzle, puzzle.solution) and not solves(puzzle, [])


def test_the_short_way_to_tell_agrees_with_the_proof(puzzles: list[Puzzle]) -> None:
    puzzle = min(
        (puzzle for puzzle in puzzles if puzzle.kind == "retake"),
        key=lambda puzzle: len(puzzle.position.units),
    )
    searcher = puzzle_search.Searcher(puzzle.position, puzzle.power, puzzle.goal)
    policy = puzzle_search.policy(puzzle.position.map, 0)
    sets = puzzle_search.drawn(puzzle.position, puzzle.power, policy, 30)
    sets.append(searcher.prover.fixed(puzzle.solution))
    count = puzzle.goal.centres
    short = [puzzle_search.forces(searcher, orders, count) for orders in sets]
    assert short == [searcher.prover.judge(orders, count).holds for orders in sets]
    assert short[-1] and not all(short)


def test_puzzles_merged_stay_and_count_towards_the_quotas(puzzles: list[Puzzle]) -> None:
    some = [puzzle for puzzle in puzzles if puzzle.kind == "stop"][:4]
    written = list(make_puzzles.make(iter(()), {"stop": 4}, 0, 1, some))
    assert written == [some]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xba\xd0garbage\n", "games.jsonl, line 1: not UTF-8 text: byte 1 is 0xba"),
        (b'\n{"a\n', "games.jsonl, line 2: JSON is cut short"),
        (b"\x1f\x8bno gzip", "games.jsonl is damaged or cut short"),
        (b"[1]\n", "games.jsonl, line 1: a saved game must be an object"),
        (None, "cannot read "),
    ],
)
def test_what_holds_no_games_is_one_line(data: bytes | None, message: str, tmp_path: Path) -> None:
    games, made = tmp_path / "games.jsonl", tmp_path / "made.jsonl"
    if data is not None:
        games.write_bytes(data)
    done = CliRunner().invoke(make_puzzles.main, [str(games), "--out", str(made), "--processes", "1"])
    assert message in complaint(done)
    assert not made.exists()
