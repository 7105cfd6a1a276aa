"""Builds any commit of Bordeaux beside this one, as an opponent for the arena.

    python tools/older.py COMMIT [--into DIR] [--nodes N] [--time S] [--without a+b] [--processor]

makes a git worktree of the commit outside this tree (by default in a folder for caches, one for each
commit). It builds the commit there in a virtual environment of its own, and prints a player:
``program:...``. An existing build is reused. So a match against an older engine is one line::

    bordeaux arena --players bordeaux --against "$(python tools/older.py cfa787b)" --time 0.1

The other options are those of the player, see ``tools/older_adapter.py``. Needs git and a C compiler; the
build takes a minute or two. Exit code 2, with one line on standard error, if it cannot be done.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

import click
from platformdirs import user_cache_path

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import MOST_NODES, seconds, whole
from bordeaux.cli.program import Script

HERE = Path(__file__).resolve().parent
ADAPTER = HERE / "older_adapter.py"
ENVIRONMENT = ".venv"
LETTERS = 12
"""Letters of a commit's name in the name of its folder."""


class CannotError(BordeauxError):
    """Gives the reason in one line."""


def run(*command: str | Path, cwd: Path | None = None) -> str:
    """The output of a command. Raises CannotError with its last words if it fails."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CannotError(f"cannot run {command[0]}: {error.strerror}") from None
    if done.returncode:
        words = [line for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise CannotError(f"{shlex.join(map(str, command[:4]))}: {words[-1].strip() if words else 'failed'}")
    return done.stdout.strip()


def full_name(repository: Path, commit: str) -> str:
    """The full name of a commit. Raises CannotError for an unknown one."""
    try:
        return run("git", "-C", repository, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}")
    except CannotError:
        raise CannotError(f"no commit {commit!r} in {repository}; git log shows them") from None


def cache() -> Path:
    """The folder of the worktrees."""
    return user_cache_path("bordeaux-older")


def checked_out(repository: Path, commit: str, folder: Path) -> bool:
    """Make sure that a folder holds a commit (its full name); returns whether it had to be made.

    Raises CannotError for a folder with other contents.
    """
    if folder.exists() and any(folder.iterdir()):
        try:
            top, there = run("git", "-C", folder, "rev-parse", "--show-toplevel", "HEAD").splitlines()
        except (CannotError, ValueError):
            raise CannotError(f"{folder} is there and no worktree; give another folder with --into") from None
        if Path(top).resolve() != folder.resolve() or there != commit:
            raise CannotError(f"{folder} holds something else than {commit[:LETTERS]}; give another --into")
        return False
    folder.parent.mkdir(parents=True, exist_ok=True)
    run("git", "-C", repository, "worktree", "prune")
    run("git", "-C", repository, "worktree", "add", "--detach", folder, commit)
    return True


def interpreter(folder: Path) -> Path:
    """The Python of a build."""
    return folder / ENVIRONMENT / "bin" / "python"


def sound(folder: Path) -> bool:
    """Whether a build exists and can search."""
    if not interpreter(folder).exists():
        return False
    try:
        run(interpreter(folder), ADAPTER, "--check", cwd=folder)
    except CannotError:
        return False
    return True


def build(folder: Path) -> None:
    """Build a worktree in an environment of its own. Raises CannotError if that fails."""
    venv.create(folder / ENVIRONMENT, with_pip=True, clear=True)
    run(interpreter(folder), "-m", "pip", "install", "--quiet", "--editable", ".", cwd=folder)
    # Of a build that does not search this says why.
    run(interpreter(folder), ADAPTER, "--check", cwd=folder)


def prepare(
    repository: Path,
    commit: str,
    into: Path | None = None,
    *,
    ready: Callable[[Path], bool] = sound,
    make: Callable[[Path], None] = build,
) -> Path:
    """The folder with a build of a commit, made if necessary. Raises CannotError."""
    name = full_name(repository, commit)
    folder = (into or cache() / name[:LETTERS]).absolute()
    fresh = checked_out(repository, name, folder)
    if fresh or not ready(folder):
        print(f"building {name[:LETTERS]} in {folder}", file=sys.stderr)
        make(folder)
    return folder


def spec(folder: Path, rest: Sequence[str] = ()) -> str:
    """The player of a build, with options of the adapter."""
    return "program:" + shlex.join([str(interpreter(folder)), str(ADAPTER), *rest])


@click.command(cls=Script)
@click.argument("commit")
@click.option("--into", type=Path, metavar="DIR", help="The folder of the worktree.")
@click.option("--nodes", type=whole(1, MOST_NODES), metavar="N", help="Nodes for each phase.")
@click.option("--time", "span", type=seconds, metavar="S", help="Seconds for each phase.")
@click.option("--without", metavar="a+b", help="Ideas that the engine is to leave out.")
@click.option("--processor", is_flag=True, help="Seconds are those of the processor.")
def main(
    commit: str,
    into: Path | None,
    nodes: int | None,
    span: float | None,
    without: str | None,
    processor: bool,
) -> None:
    """Build an older COMMIT as an opponent for the arena, and print the player."""
    rest = []
    for name, value in (("nodes", nodes), ("time", span), ("without", without)):
        if value is not None:
            rest += [f"--{name}", str(value)]
    rest += ["--processor"] if processor else []
    print(spec(prepare(HERE.parent, commit, into), rest))


if __name__ == "__main__":
    main()
