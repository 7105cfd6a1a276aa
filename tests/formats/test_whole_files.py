"""What a killed writer leaves is removed by the next one."""

from __future__ import annotations

import os
import subprocess
import sys
from glob import escape
from pathlib import Path

import pytest

from bordeaux.arena.tournament import GamesFile
from bordeaux.cli.report.output import write_whole
from bordeaux.formats import whole_files as module
from bordeaux.formats.games import write_document
from bordeaux.formats.whole_files import beside
from bordeaux.openings.book import Book

KILLED = """
import os, signal, sys
from glob import escape
from pathlib import Path
from bordeaux.formats.whole_files import beside
for name in sys.argv[1:]:
    beside(Path(name)).write_text("half of it")
os.kill(os.getpid(), signal.SIGKILL)
"""


def left_by_a_killed_writer(*targets: Path, old: bool = True) -> list[Path]:
    """Files that a process was writing for `targets` when it was killed, long ago or just now."""
    subprocess.run([sys.executable, "-c", KILLED, *map(str, targets)], check=False)
    left = [part for target in targets for part in target.parent.glob(f".{escape(target.name)}.*.part")]
    assert len(left) == len(targets)
    for part in left if old else ():
        os.utime(part, (1, 1))
    return left


@pytest.mark.parametrize("writer", ["document", "whole", "book", "games"])
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path, writer: str) -> None:
    target, other = tmp_path / "a file [1].json", tmp_path / "other.json"
    gone, kept = left_by_a_killed_writer(target, other)
    alive = tmp_path / f".{target.name}.{os.getppid()}.part"
    strange = [tmp_path / f".{target.name}.{text}.part" for text in ("x1", "1.2", "")]
    for path in (alive, *strange):
        path.write_text("of others")
        os.utime(path, (1, 1))
    if writer == "document":
        write_document(target, {"id": "0"})
    elif writer == "whole":
        write_whole(str(target), "text")
    elif writer == "book":
        Book.load().save(target)
    else:
        with GamesFile(target) as games:
            games.append(1, {"id": "1-0"})
            games.append(0, {"id": "0-0"})
    assert target.stat().st_size > 0
    assert not gone.exists()
    assert kept.exists()
    assert all(path.exists() for path in (alive, *strange))


def test_what_was_written_just_now_is_left_alone_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its writer may be in another container, where processes have other numbers."""
    target = tmp_path / "game.json"
    (young,) = left_by_a_killed_writer(target, old=False)
    beside(target)
    assert young.exists()
    os.utime(young, (1, 1))
    beside(target)
    assert young.exists(), "a folder is not looked through at every phase of a game"
    monkeypatch.setattr(module, "LOOK", 0.0)
    beside(target)
    assert not young.exists()


def test_a_folder_that_cannot_be_read_is_no_reason_not_to_write(tmp_path: Path) -> None:
    assert beside(tmp_path / "nowhere" / "x").name == f".x.{os.getpid()}.part"
