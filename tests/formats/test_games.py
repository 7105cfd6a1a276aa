"""Saved games: read one at a time, checked, with retreats found where none are recorded."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.board.errors import FormatError, OrderError, PositionError
from bordeaux.formats.games import Game, GamePhase, game_from_json, read_games, write_document

ORDERS = {
    "ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"],
    "AUSTRIA": ["F TRI H", "A VIE - BUD"],
    "RUSSIA": None,
}


def saved() -> dict[str, Any]:
    """A small saved game, in which Trieste falls and retreats are not recorded."""
    centers = {"AUSTRIA": ["TRI"], "ITALY": ["VEN"], "RUSSIA": ["WAR"]}
    units = {"AUSTRIA": ["F TRI", "A VIE"], "ITALY": ["A VEN", "A TYR"], "RUSSIA": ["A GAL"]}
    after = {"AUSTRIA": ["*F TRI", "A BUD"], "ITALY": ["A TRI", "A TYR"], "RUSSIA": ["A GAL"]}
    return {
        "id": "small",
        "map": "standard",
        "phases": [
            {"name": "S1901M", "state": {"units": units, "centers": centers}, "orders": ORDERS},
            {"name": "S1901R", "state": {"units": after, "centers": centers}, "orders": {}},
        ],
    }


def test_retreats_come_from_the_phase_before() -> None:
    position = game_from_json(saved()).position(1)
    assert [(str(unit), retreats) for unit, retreats in position.dislodged] == [("F TRI", ("ADR", "ALB"))]
    assert position == game_from_json(saved()).position(-1)
    assert position == game_from_json(saved()).position(0).next(ORDERS | {"RUSSIA": []})  # type: ignore[arg-type]


def test_a_standoff_and_the_attackers_origin_are_no_retreats() -> None:
    data = saved()
    # Venice attacked from; Albania contested by nobody; the Adriatic contested by two fleets.
    for phase in data["phases"]:
        phase["state"]["units"]["RUSSIA"] = ["F ION", "F APU"]
    data["phases"][0]["orders"] = {**ORDERS, "RUSSIA": ["F ION - ADR", "F APU - ADR"]}
    assert game_from_json(data).position(1).dislodged[0].retreats == ("ALB",)


def test_orders_and_rules_may_be_missing() -> None:
    data = saved()
    assert game_from_json(data).phases[0].orders["RUSSIA"] == []
    del data["phases"][1]["orders"]
    game = game_from_json({**data, "rules": None})
    assert game.rules == ()
    assert game.phases[1].orders == {}
    assert game.phases[1].results == {}


def test_the_index_of_a_phase() -> None:
    game = game_from_json(saved())
    assert game.index("S1901R") == 1
    assert game.index(" s1901m ") == 0
    with pytest.raises(FormatError, match="no phase 'F1901M'; its phases go from S1901M to S1901R"):
        game.index("F1901M")
    for number in (2, -3):
        with pytest.raises(FormatError, match="no phase"):
            game.position(number)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: [], "a saved game must be an object"),
        (lambda data: {**data, "phases": None}, "phases of game 'small' must be a list"),
        (lambda data: {"id": "small"}, "game 'small' has no 'phases'"),
        (lambda data: {**data, "map": 7}, "'id' and 'map' must be texts"),
        (lambda data: {**data, "phases": [7]}, "game 'small', phase 1 must be an object"),
        (lambda data: {**data, "phases": [{}]}, "game 'small', phase 1 has no 'name'"),
        (
            lambda data: {**data, "phases": [{"name": "S1901M", "state": {}, "orders": {"ITALY": [7]}}]},
            "must hold texts, not '7'",
        ),
    ],
)
def test_a_game_is_checked_piece_by_piece(change: Any, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        game_from_json(change(saved()))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("where", "value", "error", "message"),
    [
        ("1 name", "X1901M", PositionError, "game 'small', phase 'X1901M': unknown phase 'X1901M'"),
        ("1 name", "F1901R", OrderError, ""),
        (
            "1 state",
            {"name": "S1905R", "units": {}, "centers": {}},
            FormatError,
            "its state is of phase S1905R",
        ),
        (
            "1 state units",
            {"ITALY": ["A ADR"]},
            PositionError,
            "phase 'S1901R': units of ITALY: an army cannot",
        ),
        (
            "0 orders",
            {"ITALY": ["A VEN fell"]},
            OrderError,
            "game 'small', phase 'S1901M': order 'A VEN fell'",
        ),
    ],
)
def test_errors_name_game_and_phase(
    where: str, value: object, error: type[BordeauxError], message: str
) -> None:
    """Something else stands at a path such as "0 state name"."""
    data: Any = saved()
    *path, last = where.split()
    inner = data["phases"]
    for step in path:
        inner = inner[int(step) if step.isdecimal() else step]
    inner[last] = value
    game = game_from_json(data)
    if not message:
        # The phase before is another season's: its orders tell nothing.
        assert game.position(1).dislodged[0].retreats == ("ADR", "ALB", "VEN")
        return
    with pytest.raises(error) as caught:
        game.position(1)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["game.json", "game.jsonl", "game.json.gz"])
def test_a_written_game_reads_back(tmp_path: Path, name: str) -> None:
    game = game_from_json(saved())
    write_document(tmp_path / name, game.to_json())
    assert list(read_games(tmp_path / name)) == [game]
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert game_from_json(json.loads(json.dumps(game.to_json()))) == game


def test_writing_replaces_the_file_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_document(path, game_from_json(saved()).to_json())
    before = path.read_bytes()
    cannot_be_saved = Game("bad", "standard", (), (GamePhase("S1901M", {"units": object()}, {}),))
    with pytest.raises(TypeError):
        write_document(path, cannot_be_saved.to_json())
    assert path.read_bytes() == before
    with pytest.raises(OSError, match="nowhere"):
        write_document(tmp_path / "nowhere" / "game.json", game_from_json(saved()).to_json())
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_document(tmp_path / "folder", game_from_json(saved()).to_json())
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder", "game.json"]


def test_one_game_over_many_lines_and_many_games_a_line_each(tmp_path: Path) -> None:
    line = json.dumps(saved())
    one = tmp_path / "one.json"
    one.write_text("\n\n" + json.dumps(saved(), indent=2), encoding="utf-8")
    assert [game.id for game in read_games(one)] == ["small"]
    many = tmp_path / "many.jsonl.gz"
    many.write_bytes(gzip.compress(f"{line}\n\n{line}\r\n{line}".encode()))
    assert [game.id for game in read_games(many)] == ["small"] * 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"7", "game 1: neither an object of JSON nor a list of orders below headings such as 'Spring 1901'"),
        (b'{"phases": [', "game 1: JSON is cut short"),
        (b'{"id": "a", "phases": []}\n{"id": ', "game 2: line 2: JSON is cut short"),
        (b'{"id": "a", "phases": []}\n' + b"\n" * 70_000, "game 2: line 2: more than 64 kB of blank lines"),
        (b'{"id": "a", "phases": []}\n\xff', "game 2: line 2: not UTF-8 text"),
        (gzip.compress(b'{"id": "a", "phases": []}' * 50, mtime=0)[:40], "damaged or cut short"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(FormatError) as caught:
        list(read_games(path))
    assert message in str(caught.value)
    assert "bad.jsonl" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_recorded_games_have_the_retreats_that_rules_give(recorded_games: Path) -> None:
    """Taken away, the retreats that the package recorded are found again. (It also lists occupied
    provinces for a unit that a convoyed army dislodges; no position keeps those.)"""
    checked = 0
    for game in islice(read_games(recorded_games / "selfplay.jsonl.gz"), 8):
        bare = tuple(
            GamePhase(phase.name, {**phase.state, "retreats": None}, phase.orders) for phase in game.phases
        )
        again = Game(game.id, game.map, game.rules, bare)
        for index, phase in enumerate(game.phases):
            if phase.name.endswith("R"):
                recorded = game.position(index).dislodged
                assert again.position(index).dislodged == recorded, (game.id, phase.name)
                checked += len(recorded)
    assert checked > 30
