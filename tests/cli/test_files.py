"""Files that commands write: never in place of a device, a pipe or a link."""

import os
from pathlib import Path

import pytest

from bordeaux.arena.tournament import GamesFile
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.report.files import check_place, check_places, write_whole
from bordeaux.formats.games import read_games, write_document

from .conftest import Run

SHORT = ("--until", "1901", "--nodes", "5")


@pytest.mark.parametrize("option", ["--save", "--games-file", "--csv", "--plot"])
def test_a_pipe_is_not_replaced(run: Run, tmp_path: Path, option: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run("arena", "--players", "hold", *SHORT, "--games", "1", option, pipe)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{option}: {pipe} is no ordinary file" in result.stderr
    assert pipe.is_fifo()


def test_play_does_not_replace_a_pipe(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run("play", "--players", "hold*7", *SHORT, "--save", pipe)
    assert result.exit_code == 2
    assert pipe.is_fifo()


def test_a_device_is_no_place_and_neither_is_a_link_to_it(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    for path in ("/dev/null", str(link)):
        with pytest.raises(BordeauxError, match="no ordinary file"):
            check_place(path, "--csv")


def test_a_link_stays_a_link(run: Run, tmp_path: Path) -> None:
    table, link = tmp_path / "table", tmp_path / "link"
    link.symlink_to(table)
    check_place(str(link), "--csv")
    write_whole(str(link), "one\n")
    assert link.is_symlink()
    assert table.read_text() == "one\n"
    write_document(link, {"id": "0"})
    assert link.is_symlink()
    assert table.read_text() == '{"id": "0"}\n'
    result = run("play", "--players", "hold*7", *SHORT, "--save", link, "--force")
    assert result.exit_code == 0, result.stderr
    assert link.is_symlink()
    assert len(list(read_games(table))) == 1


def test_games_put_in_order_stay_behind_a_link(tmp_path: Path) -> None:
    games, link = tmp_path / "games", tmp_path / "link"
    link.symlink_to(games)
    with GamesFile(link) as file:
        file.append(1, {"id": "1-0"})
        file.append(0, {"id": "0-0"})
    assert link.is_symlink()
    assert games.read_text() == '{"id": "0-0"}\n{"id": "1-0"}\n'


def test_two_options_do_not_share_a_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "one")
    check_places({"--csv": str(tmp_path / "one"), "--plot": str(tmp_path / "two"), "--save": None})
    with pytest.raises(BordeauxError, match=r"--plot: .*link is the file of --csv already"):
        check_places({"--csv": str(tmp_path / "one"), "--plot": str(tmp_path / "link")})
