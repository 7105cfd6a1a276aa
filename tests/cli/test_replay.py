from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Position
from tests.formats.hobby.made_backstabbr import backstabbr_pages
from tests.formats.hobby.small_game import ARCHIVE, PHASES

from .conftest import Run, Save


@pytest.fixture
def game(start: dict[str, Any]) -> dict[str, Any]:
    """A saved game of two phases, as it should be."""
    orders = {"AUSTRIA": ["A VIE - GAL"], "RUSSIA": ["A WAR - GAL"], "ITALY": None}
    fall = Position.start().next({"AUSTRIA": ["A VIE - GAL"], "RUSSIA": ["A WAR - GAL"]}).to_json()
    results = {"A VIE": ["bounce"], "A WAR": ["bounce"], "A PAR": [""]}
    return {
        "id": "one",
        "map": "standard",
        "phases": [
            {"name": "S1901M", "state": start, "orders": orders, "results": results},
            {"name": "F1901M", "state": fall, "orders": {}},
        ],
    }


@pytest.fixture
def wrong(game: dict[str, Any]) -> dict[str, Any]:
    """The same with a next state that the rules do not lead to."""
    spoilt = copy.deepcopy(game)
    spoilt["id"] = "two"
    spoilt["phases"][1]["state"]["units"]["RUSSIA"][0] = "A GAL"
    return spoilt


def test_a_right_game(run: Run, save: Save, game: dict[str, Any]) -> None:
    result = run("replay", save("game.json", game), "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout) == {
        "games": 1,
        "phases": 2,
        "compared": 1,
        "mismatches": [],
        "unexplained": 0,
        "results": {"compared": 3, "differences": []},
        "unreadable": [],
        "notes": [],
    }


def test_a_mismatch_is_told_and_the_answer_is_no(
    run: Run, save: Save, game: dict[str, Any], wrong: dict[str, Any]
) -> None:
    path = save("games.jsonl", "\n".join(map(json.dumps, [game, wrong])))
    answer = run.told("replay", path, code=1)
    assert (answer["games"], answer["phases"], answer["unexplained"]) == (2, 4, 1)
    (mismatch,) = answer["mismatches"]
    assert set(mismatch) == {"game", "phase", "expected", "got", "difference", "explanation"}
    assert (mismatch["game"], mismatch["phase"], mismatch["explanation"]) == ("two", "S1901M", None)
    assert mismatch["expected"]["units"]["RUSSIA"] != mismatch["got"]["units"]["RUSSIA"]
    readable = run("replay", path)
    assert readable.exit_code == 1
    assert "1 mismatch, 1 of them unexplained" in readable.stdout
    assert "RUSSIA: unit A GAL expected, not got" in readable.stdout


def test_an_explained_mismatch_is_counted_under_its_rule(run: Run, save: Save) -> None:
    winter = {"name": "W1905A", "units": {"FRANCE": ["A PRU", "F SKA"]}, "centers": {"FRANCE": ["BER"]}}
    spring = {**winter, "name": "S1906M", "units": {"FRANCE": ["F SKA"]}}
    phases = [{"name": state["name"], "state": state, "orders": {}} for state in (winter, spring)]
    result = run("replay", save("game.json", {"id": "g", "phases": phases}))
    assert result.exit_code == 0
    assert "1 mismatch, 0 of them unexplained" in result.stdout
    assert "civil disorder (DATC 4.D.8)" in result.stdout


def test_results_that_differ_are_told_and_do_not_count(run: Run, save: Save, game: dict[str, Any]) -> None:
    game["phases"][0]["results"]["A PAR"] = ["void"]
    path = save("game.json", game)
    (difference,) = run.told("replay", path)["results"]["differences"]
    assert (difference["unit"], difference["expected"], difference["got"]) == ("A PAR", ["void"], [])
    assert "3 results compared: 1 difference" in run("replay", path).stdout


# Pages of the hobby's sites on the command line: games like others, with notes of what could not be read.


def test_a_page_and_a_folder_of_pages_replay_without_a_mismatch(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "orders.html"
    page.write_text(ARCHIVE, encoding="utf-8")
    folder = tmp_path / "seasons"
    folder.mkdir()
    for number, text in enumerate(backstabbr_pages(PHASES)):
        (folder / f"{number}.html").write_text(text, encoding="utf-8")
    answer = run.told("replay", str(page), str(folder), "--processes", "1")
    assert (answer["games"], answer["phases"], answer["mismatches"], answer["notes"]) == (2, 6, [], [])


def test_what_could_not_be_read_is_a_line_on_standard_error(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "orders.html"
    page.write_text(ARCHIVE.replace("move to Belgium", "move to Nowhere"), encoding="utf-8")
    result = run("legal", str(page), "--phase", "F1901M", "--power", "FRANCE", "--json")
    assert result.exit_code == 0 and "BUR" in json.loads(result.stdout)
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("bordeaux: note: ") and "F1901M: line " in result.stderr
    noted = run.told("replay", str(page), "--processes", "1")["notes"]
    assert len(noted) == 1 and "Nowhere" in noted[0]
