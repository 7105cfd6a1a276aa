"""Pages of the hobby's sites on the command line: games like others, with notes of what could not be read."""

from __future__ import annotations

import json
from pathlib import Path

from tests.formats.hobby.made_backstabbr import backstabbr_pages
from tests.formats.hobby.small_game import ARCHIVE, PHASES

from .conftest import Run


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


def test_an_address_without_a_network_says_what_to_save(run: Run) -> None:
    result = run("review", "http://127.0.0.1/board.php?gameID=5", "--out", "x.html")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "private network" in result.stderr and "open it in a browser, save it" in result.stderr


def test_a_page_that_is_no_game_and_an_address_without_its_scheme_are_told(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "other.html"
    page.write_text("<html><body>Forum</body></html>", encoding="utf-8")
    for source, says in (
        (str(page), "no page of a game that is known"),
        ("webdiplomacy.net/board.php?gameID=5", "an address begins with https://"),
        ("ftp://webdiplomacy.net/5", "an address begins with https://"),
    ):
        result = run("review", source, "--out", "x.html")
        assert result.exit_code == 2 and result.stderr.count("\n") == 1
        assert says in result.stderr
    shown = run("board", str(page), "--out", "x.svg")
    assert (shown.exit_code, shown.stderr.count("\n")) == (2, 1)
    assert "no page of a game that is known" in shown.stderr
