"""``tools/older.py`` and its adapter: worktrees are made once, and this build plays through the lines."""

from __future__ import annotations

import importlib.util
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from bordeaux import BordeauxError, Map, Position
from bordeaux.players.base import Limit, Seat, Turn
from bordeaux.players.program import Program
from bordeaux.players.registry import create
from tests.cli.conftest import complaint
from tests.players.playing import faults, human_positions

TOOLS = Path(__file__).parents[2] / "tools"
ADAPTER = TOOLS / "older_adapter.py"
MAP = Map.standard()
FRANCE = Seat("FRANCE", MAP, 7)


def load(name: str) -> ModuleType:
    """A script of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


older = load("older")


def command(*options: str) -> str:
    """The player that this build is through the adapter."""
    return "program:" + shlex.join([sys.executable, "-P", str(ADAPTER), *options])


def git(folder: Path, *words: str) -> str:
    name = ("-c", "user.name=test", "-c", "user.email=test")
    done = subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with two commits, whose file says which it is."""
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet")
    for number in (1, 2):
        (folder / "which").write_text(str(number))
        git(folder, "add", "which")
        git(folder, "commit", "--quiet", "--message", str(number))
    return folder


def test_a_commit_is_built_once(repository: Path, tmp_path: Path) -> None:
    built: list[Path] = []
    into = tmp_path / "first"

    def prepare(commit: str) -> Path:
        folder = older.prepare(repository, commit, into, ready=lambda at: at in built, make=built.append)
        assert isinstance(folder, Path)
        return folder

    assert prepare("HEAD~1") == into
    assert (into / "which").read_text() == "1"
    assert prepare(git(repository, "rev-parse", "HEAD~1")[:7]) == into
    assert built == [into]
    # A build that was broken off is made again.
    built.clear()
    prepare("HEAD~1")
    assert built == [into]
    with pytest.raises(older.CannotError, match="holds something else"):
        prepare("HEAD")


def test_without_a_folder_it_is_one_of_the_cache(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = older.prepare(repository, "HEAD", make=lambda at: None)
    assert folder.parent == tmp_path / "cache" / "bordeaux-older"
    assert git(repository, "rev-parse", "HEAD").startswith(folder.name)


def test_what_cannot_be_done_is_told_in_one_line(repository: Path, tmp_path: Path) -> None:
    with pytest.raises(older.CannotError, match="no commit 'nonsense'"):
        older.prepare(repository, "nonsense")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("mine")
    with pytest.raises(older.CannotError, match="no worktree"):
        older.prepare(repository, "HEAD", tmp_path / "full")
    # Nor a folder inside another worktree.
    (repository / "inside").mkdir()
    (repository / "inside" / "letter").write_text("mine")
    with pytest.raises(older.CannotError, match="something else"):
        older.prepare(repository, "HEAD", repository / "inside")
    for asked in (["nonsense"], ["HEAD", "--nodes", "0"]):
        assert complaint(CliRunner().invoke(older.main, asked))


@pytest.mark.slow
def test_orders_are_sound_in_every_kind_of_phase() -> None:
    positions = list(human_positions(TOOLS.parent / "tests" / "data", games=2))[::3]
    assert {position.phase.kind for position in positions} == {"M", "R", "A"}
    player = create(command("--nodes", "60"), FRANCE)
    try:
        for position in positions:
            if "FRANCE" in position.orderable():
                assert faults(position, "FRANCE", player.orders(position, Limit())) == []
                player.observe(Turn(position, {}, position))
    finally:
        player.close()


def test_the_processors_time_runs_only_while_it_works() -> None:
    script = (
        f"import sys, time; sys.path.insert(0, {str(TOOLS)!r}); import older_adapter;"
        "older_adapter.by_processor(); from time import monotonic;"
        "begun = monotonic(); time.sleep(0.3); print(monotonic() - begun < 0.3)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.slow
def test_options_that_make_no_sense_end_the_program() -> None:
    with pytest.raises(BordeauxError, match="unknown idea"):
        create(command("--without", "nonsense"), FRANCE)
    with pytest.raises(BordeauxError, match="positive"):
        create(command("--nodes", "0"), FRANCE)
    player = create(command("--without", "people", "--nodes", "40"), FRANCE)
    assert isinstance(player, Program)
    assert faults(Position.start(), "FRANCE", player.orders(Position.start(), Limit())) == []
    player.close()
