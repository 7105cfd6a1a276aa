"""The game that a server holds: the one in its file, or a new one named after it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bordeaux.board.errors import BordeauxError
from bordeaux.cli import main
from bordeaux.daide.server.game import claimed, opened
from bordeaux.formats.games import write_document
from tests.patience import PATIENCE

from .processes import server
from .test_saved import interrupted


@pytest.mark.parametrize(
    ("name", "kept"),
    [("evening.json", "evening"), ("an-evening in May.json.gz", "anevenin"), ("ä_1.json", "_1")],
)
def test_a_new_game_is_named_after_its_file_as_daide_allows(tmp_path: Path, name: str, kept: str) -> None:
    game = opened(str(tmp_path / name), None, 0, level=20)
    assert (game.settings.save, game.settings.level) == (kept, 20)
    assert opened(None, None, 0).settings.save == ""


def test_a_game_in_a_file_goes_on_with_what_is_given_anew(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_document(str(path), interrupted(save="evening").game.saved())
    game = opened(str(path), None, 0, mtl=7)
    assert (game.settings.save, game.settings.mtl) == ("evening", 7)


def test_a_file_without_a_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("[]")
    with pytest.raises(BordeauxError, match=f"--save {path}: "):
        opened(str(path), None, 0)


HOLDER = """
import sys, time
from bordeaux.daide.server.game import claimed
with claimed(sys.argv[1], "--save"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.mark.slow
async def test_a_second_server_on_the_same_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    (tmp_path / "link.json").symlink_to(path)

    async with server("--save", str(path)) as first:
        table = await first.game()
        for name in ("game.json", "link.json"):
            second = CliRunner().invoke(main, ["server", "--port", "0", "--save", str(tmp_path / name)])
            assert second.exit_code == 2 and second.stdout == ""
            assert second.stderr == (
                f"bordeaux: --save: {tmp_path / name} is in use by another server;"
                " name another file, or end that one\n"
            )
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, "it holds passcodes"
        first.process.kill()
        await first.process.wait()
        for client in table.values():
            await client.close()
    async with server("--save", str(path)) as again:
        assert again.port
        again.process.send_signal(signal.SIGTERM)
        await again.end()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json", "link.json"]


def test_the_lock_goes_with_its_owner_however_that_ends(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    command = [sys.executable, "-P", "-c", HOLDER, str(path)]
    holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    with pytest.raises(BordeauxError, match="in use by another server;"), claimed(str(path), "--save"):
        pass
    holder.kill()
    holder.communicate()
    for _ in range(2):
        with claimed(str(path), "--save"):
            pass
        assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_many_who_come_at_once_never_hold_it_together(tmp_path: Path) -> None:
    script = """
import os, sys, time
from bordeaux.board.errors import BordeauxError
from bordeaux.daide.server.game import claimed
path, got = sys.argv[1], 0
while got < 5:
    try:
        with claimed(path, "--save"):
            os.close(os.open(path + ".alone", os.O_CREAT | os.O_EXCL))
            os.unlink(path + ".alone")
            got += 1
    except BordeauxError:
        time.sleep(0.001)
"""
    path = tmp_path / "game.json"
    many = [subprocess.Popen([sys.executable, "-P", "-c", script, str(path)]) for _ in range(3)]
    assert [process.wait(PATIENCE) for process in many] == [0] * 3


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(BordeauxError, match=r"--save: .* cannot be locked: No such file"),
        claimed(str(tmp_path / "no" / "game.json"), "--save"),
    ):
        pass


def test_a_private_file_that_was_open_to_all_is_so_no_more(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    write_document(path, {"a": 1})
    path.chmod(0o644)
    write_document(path, {"a": 2}, private=True)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    mask = os.umask(0)
    os.umask(mask)
    write_document(tmp_path / "open.json", {"a": 1})
    assert stat.S_IMODE((tmp_path / "open.json").stat().st_mode) == 0o666 & ~mask
