"""Arguments and options that several commands share, and the numbers they accept."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bordeaux.board.errors import BordeauxError, quote

if TYPE_CHECKING:
    from bordeaux.board.map import Map

Command = TypeVar("Command", bound=Callable[..., Any])

MOST_NODES, MOST_SEED = 2**62, 2**63 - 1
"""The greatest limit in nodes and the greatest seed that a command takes."""
VARIABLE = "_BORDEAUX_COMPLETE"
"""Set in the environment by a shell that completes a command line."""
LONGEST = 100_000_000.0
"""Seconds, some three years: the longest time that a search may be given."""


def seconds(text: str) -> float:
    """Read a span of time: a finite number of seconds above 0."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= LONGEST:
        raise click.BadParameter(f"{quote(text)} is not a number of seconds above 0, like 1 or 0.5.")
    return value


def between(least: float, most: float, example: str = "") -> Callable[[str], float]:
    """A parser of numbers from `least` to `most`; its message ends with an `example`, if there is one."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not least <= value <= most:
            like = f", like {example}" if example else ""
            raise click.BadParameter(f"{quote(text)} is not a number from {least:g} to {most:g}{like}.")
        return value

    return read


share = between(0, 1, "0.5")
"""Read a share: a number from 0 to 1."""


def whole(least: int, most: int) -> Callable[[str], int]:
    """A parser of whole numbers from `least` to `most`."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise click.BadParameter(f"{quote(text)} is not a whole number from {least} to {most}.")
        return value

    return read


def count_option(
    *names: str, between: tuple[int, int], default: int, help: str, metavar: str = "N"
) -> Callable[[Command], Command]:
    """An option of a whole number `between` two, both included, that tells its default."""
    told = f"{help}  [default: {default}]"
    return click.option(*names, type=whole(*between), metavar=metavar, default=default, help=told)


def node_limits(text: str) -> list[int]:
    """Read limits in nodes, joined by commas: in order, each once."""
    read = whole(1, MOST_NODES)
    return sorted({read(part) for part in text.split(",")})


def position_argument(command: Command) -> Command:
    """Add POSITION: a file, ``-`` for standard input, or ``start``."""
    return click.argument("position", metavar="POSITION")(command)


def phase_option(command: Command) -> Command:
    """Add --phase NAME, which selects a phase of a saved game."""
    return click.option(
        "--phase", metavar="NAME", help="The phase of a saved game, like F1903M; else its last."
    )(command)


def map_option(command: Command) -> Command:
    """Add --map NAME|FILE; the command gets the map as ``board``, None without the option."""
    from bordeaux.board.map import Map

    return click.option(
        "--map",
        "board",
        metavar="NAME|FILE",
        callback=lambda context, option, name: None if name is None else Map.load(name),
        help="The map of POSITION: a bundled one or a map file; else the one that POSITION names.",
    )(command)


def game_option(command: Command) -> Command:
    """Add --game ID|N; the command gets the text as ``wanted``, None without the option."""
    return click.option(
        "--game", "wanted", metavar="ID|N", help="Which game of a file of several: its id or its number."
    )(command)


def is_wanted(wanted: str, number: int, identity: object) -> bool:
    """Whether --game `wanted` means the game with this number, from 1, and this id. Of a file the first such
    game is taken."""
    return wanted in (str(identity), str(number))


def json_option(command: Command) -> Command:
    """Add --json, which every command has but the one that speaks a protocol."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(command)


def force_option(command: Command) -> Command:
    """Add --force, without which a command does not overwrite a file."""
    return click.option("--force", is_flag=True, help="Write over a file that is there already.")(command)


def evaluation_option(command: Command) -> Command:
    """Add --evaluation NAME."""
    return click.option(
        "--evaluation",
        metavar="NAME",
        default="default",
        show_default=True,
        help="The evaluation: default, paper for that of Hall and Loeb, another name such as hand or centres,"
        " or a .toml or .npz file of weights.",
    )(command)


def threads_option(
    help: str = "Threads of the search.  [default: one a core]",
) -> Callable[[Command], Command]:
    """Add --threads N; without it the command gets None."""
    from bordeaux.search.task import MOST_THREADS

    return click.option("--threads", type=whole(1, MOST_THREADS), metavar="N", help=help)


def processes_option(help: str) -> Callable[[Command], Command]:
    """Add --processes N; without it the command gets None."""
    from bordeaux.search.task import MOST_THREADS

    return click.option("--processes", type=whole(1, MOST_THREADS), metavar="N", help=help)


def powers_of(board: Map, names: tuple[str, ...]) -> tuple[str, ...]:
    """The powers of `names`, in the order of the map, each once; ``all`` means all of them.

    Raises MapError for an unknown name, and UsageError without any.
    """
    if not names:
        raise click.UsageError(
            f"--power is missing: name {', '.join(board.powers[:-1])} or {board.powers[-1]}, or all"
        )
    if any(name.strip().lower() == "all" for name in names):
        return board.powers
    wanted = {board.power(name) for name in names}
    return tuple(power for power in board.powers if power in wanted)


def folder_named(name: str | None) -> Path:
    """The folder of studies that an option names, or the default one. Raises BordeauxError if it is none."""
    if name is None:
        from bordeaux.studies.store import default_folder

        return default_folder()
    if not name or "\0" in name:
        raise BordeauxError(f"--studies: {name!r} is not the name of a folder")
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise BordeauxError(f"--studies: {name} is no folder; name one")
    return folder
