"""Pages of the hobby's sites on the command line: games like others, with notes of what could not be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.formats import position_to_backstabbr, position_to_playdiplomacy
from tests.formats.hobby.made_backstabbr import backstabbr_pages
from tests.formats.hobby.small_game import ARCHIVE, PHASES

from .conftest import Run, Save


def test_a_page_and_a_folder_of_pages_replay_without_a_mismatch(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "orders.html"
    page.write_text(ARCHIVE, encoding="utf-8")
    folder = tmp_path / "seasons"
    folder.mkdir()
    for number, text in enumerate(backstabbr_pages(PHASES)):
        (folder / f"{number}.html").write_text(text, encoding="utf-8")
    result = run("replay", str(page), str(folder), "--json", "--processes", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = json.loads(result.stdout)
    assert (answer["games"], answer["phases"], answer["mismatches"], answer["notes"]) == (2, 6, [], [])


def test_what_could_not_be_read_is_a_line_on_standard_error(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "orders.html"
    page.write_text(ARCHIVE.replace("move to Belgium", "move to Nowhere"), encoding="utf-8")
    result = run("legal", str(page), "--phase", "F1901M", "--power", "FRANCE", "--json")
    assert result.exit_code == 0 and "BUR" in json.loads(result.stdout)
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("bordeaux: note: ") and "F1901M: line " in result.stderr
    noted = json.loads(run("replay", str(page), "--json", "--processes", "1").stdout)["notes"]
    assert len(noted) == 1 and "Nowhere" in noted[0]


@pytest.mark.parametrize("write", [position_to_backstabbr, position_to_playdiplomacy])
def test_positions_are_read_from_pages(run: Run, save: Save, write: object) -> None:
    assert callable(write)
    position = Position.start().next({"FRANCE": ["A PAR - BUR"]})
    path, plain = save("page.txt", write(position)), save("p.json", position.to_json())
    assert run("legal", path, "--json").stdout == run("legal", plain, "--json").stdout
    result = run("orders", path, "--power", "FRANCE", "--nodes", "100", "--json")
    assert result.exit_code == 0 and json.loads(result.stdout)["phase"] == "F1901M"


def test_a_broken_page_is_one_line(run: Run, save: Save) -> None:
    path = save("page.html", '<html>\n<script>\nvar unitsByPlayer = {"France": {\n</script>')
    result = run("legal", path)
    assert result.exit_code == 2
    assert result.stderr == f"bordeaux: {path}: line 3: cannot read the value of unitsByPlayer: no JSON\n"
    unfinished = save("q.html", '<html>\nterritories = {"Par": "France"}')
    assert "no position" in run("legal", unfinished).stderr
    refused = run("legal", save("r.html", "<html>\n<body>Hello</body>"))
    assert refused.exit_code == 2 and "no position" in refused.stderr
