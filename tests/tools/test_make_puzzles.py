"""The tool that makes puzzles: rare kinds are found again where they were, and a file is added to."""

import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from shapely import Polygon, box

from bordeaux.arena.puzzles import Puzzle, shipped, solves
from bordeaux.view.board.geometry import SIZES, unfolded

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import make_puzzles
import puzzle_rare
import puzzle_search
from mapmaking import marks, shapes
from mapmaking.atlas import Sheet


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
    assert done.exit_code == 2 and done.stdout == ""
    assert message in done.stderr and done.stderr.count("\n") == 1
    assert not made.exists()


# The tool that makes the picture of the standard map: its projection, its borders, its marks.


FLAT = {"middle": [10.0, 50.0], "parallels": [40.0, 60.0], "box": [-1000, -500, 1000, 500], "width": 800}


def test_a_conic_projection_keeps_its_middle_and_its_scale() -> None:
    sheet = Sheet(FLAT, {})
    assert sheet.size == (800, 400)
    middle, north, east = sheet(np.array([[10.0, 50.0], [10.0, 51.0], [11.0, 50.0]]))
    assert middle == pytest.approx([400, 200])
    assert north[0] == pytest.approx(400) and east[1] == pytest.approx(200, abs=0.5)
    # A degree of latitude is 111 km; between the parallels a conformal map of this kind is a little small.
    assert 0.97 < (200 - north[1]) / (111.2 * 0.4) < 1.0
    assert (east[0] - 400) / (200 - north[1]) == pytest.approx(np.cos(np.radians(50)), rel=0.02)


def test_neighbours_share_their_arcs() -> None:
    squares = [shapes.Region("A", True, box(0, 0, 10, 10)), shapes.Region("B", True, box(10, 0, 20, 10))]
    all_arcs, rings = shapes.arcs_of(squares)
    shared = {n if n >= 0 else ~n for n in rings[0][0]} & {n if n >= 0 else ~n for n in rings[1][0]}
    (border,) = shared
    assert sorted(unfolded(all_arcs[border], shapes.GRID)) == [(10.0, 0.0), (10.0, 10.0)]


def test_an_island_and_the_hole_it_lies_in_share_their_arc() -> None:
    island = box(4, 4, 6, 6)
    sea = Polygon(box(0, 0, 10, 10).exterior, [island.exterior])
    all_arcs, rings = shapes.arcs_of([shapes.Region("A", True, island), shapes.Region("B", False, sea)])
    assert len(all_arcs) == 2
    assert {n if n >= 0 else ~n for n in rings[1][1]} == {n if n >= 0 else ~n for n in rings[0][0]}


def test_marks_are_placed_in_a_province_and_refused_where_there_is_no_room() -> None:
    placed = marks.province_marks(box(0, 0, 120, 90), True, None, box(500, 500, 501, 501))
    assert set(placed) == {"unit", "name", "centre"}
    # The unit stands in the middle; its centre's mark is apart from it.
    assert placed["unit"] == pytest.approx((60, 45), abs=15)
    one, other = (box(*marks.box(mark, placed[mark])) for mark in ("unit", "centre"))
    assert one.distance(other) >= marks.APART
    with pytest.raises(marks.MarksError):
        marks.province_marks(box(0, 0, 24, 24), True, None, box(500, 500, 501, 501))


def test_the_tool_and_the_picture_agree_on_the_size_of_marks() -> None:
    assert marks.SIZES == SIZES
