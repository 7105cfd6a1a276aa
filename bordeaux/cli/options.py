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
    from bordeaux.formats.games import Game

Command = TypeVar("Command", bound=Callable[..., Any])

MOST_NODES, MOST_SEED = 2**62, 2**63 - 1
"""The greatest limit in nodes and the greatest seed that a command takes."""
VARIABLE = "_BORDEAUX_COMPLETE"
"""Set in the environment by a shell that completes a command line."""
LONGEST = 100_000_000.0
"""Seconds, some three years: the longest time that a search may be given."""


def _number(text: str, kind: type[int] | type[float]) -> float:
    """A number, or one that is in no range."""
    try:
        return kind(text)
    except ValueError:
        return math.nan


def seconds(text: str) -> float:
    """Read a span of time: a finite number of seconds above 0."""
    value = _number(text, float)
    if not 0 < value <= LONGEST:
        raise click.BadParameter(
            f"{quote(text)} is not a number of seconds above 0 and up to {LONGEST:,.0f}, like 1 or 0.5."
        )
    return value


def between(least: float, most: float, example: str = "") -> Callable[[str], float]:
    """A parser of numbers from `least` to `most`; its message ends with an `example`, if there is one."""

    def read(text: str) -> float:
        value = _number(text, float)
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
        value = _number(text, int)
        if not least <= value <= most:
            raise click.BadParameter(f"{quote(text)} is not a whole number from {least} to {most}.")
        return int(value)

    return read


def joined(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """All of these options, in their order."""

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def count_option(
    *names: str, between: tuple[int, int], default: int, help: str, metavar: str = "N"
) -> Callable[[Command], Command]:
    """An option of a whole number `between` two, both included, that tells its default."""
    told = f"{help}  [default: {default}]"
    return click.option(*names, type=whole(*between), metavar=metavar, default=default, help=told)


def limit_options(time: str, nodes: str) -> Callable[[Command], Command]:
    """Add --time S and --nodes N with these helps; None without them."""
    return joined(
        click.option("--time", type=seconds, metavar="S", help=time),
        click.option("--nodes", type=whole(1, MOST_NODES), metavar="N", help=nodes),
    )


def seed_option(help: str = "Seed of all random choices.") -> Callable[[Command], Command]:
    """Add --seed N, 0 by default."""
    return count_option("--seed", between=(0, MOST_SEED), default=0, help=help)


phase_option = click.option(
    "--phase", metavar="NAME", help="The phase of a saved game, like F1903M; else its last."
)


def _loaded(context: click.Context, option: click.Parameter, name: str | None) -> Map | None:
    from bordeaux.board.map import Map

    return None if name is None else Map.load(name)


def _map_option(help: str) -> Callable[[Command], Command]:
    return click.option("--map", "board", metavar="NAME|FILE", callback=_loaded, help=help)


map_option = _map_option(
    "The map: a bundled one or a map file; else the one that the game or position names."
)
bare_map_option = _map_option("The map: a bundled one or a map file; else the standard one.")
"""Add --map NAME|FILE; the command gets the map as ``board``, None without the option."""
position_options = joined(click.argument("position", metavar="POSITION"), phase_option, map_option)
"""Add POSITION (a file, ``-`` for standard input, or ``start``), --phase and --map."""
start_options = joined(
    click.argument("position", metavar="[POSITION]", default="start"), phase_option, map_option
)
"""The same, with the start where no POSITION is given."""


def powers_option(help: str) -> Callable[[Command], Command]:
    """Add --power P, which may be repeated; the command gets them as ``names``, for `powers_of`."""
    return click.option("--power", "names", metavar="P|all", multiple=True, help=help)


game_option = click.option(
    "--game", "wanted", metavar="ID|N", help="Which game of a file of several: its id or its number."
)
"""Add --game ID|N; the command gets the text as ``wanted``, None without the option."""


def is_wanted(wanted: str, number: int, identity: object) -> bool:
    """Whether --game `wanted` means the game with this number, from 1, and this id. Of a file the first such
    game is taken."""
    return wanted in (str(identity), str(number))


def game_of(source: str, wanted: str | None, map: Map | None) -> Game:
    """The one game of a file, or that with an id or number; lists of orders are read on a `map`. Raises
    FormatError, and BordeauxError if it is unclear which one is meant."""
    from bordeaux.formats.games import read_games

    first: Game | None = None
    number = 0
    for number, game in enumerate(read_games(source, map), 1):
        if wanted is None:
            if first is not None:
                raise BordeauxError(
                    f"there is more than one game in {source}; name one with --game, like --game {first.id}"
                )
            first = game
        elif is_wanted(wanted, number, game.id):
            return game
    if first is None:
        raise BordeauxError(f"there is no game {quote(wanted)} among the {number} of {source}")
    return first


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
"""Every command has it but the one that speaks a protocol."""
force_option = click.option("--force", is_flag=True, help="Write over a file that is there already.")
"""Without it a command does not overwrite a file."""
save_options = joined(
    click.option("--save", "path", metavar="FILE", help="Save the game; .gz packs it."), force_option
)
"""Add --save FILE, as ``path``, and --force."""
evaluation_option = click.option(
    "--evaluation",
    metavar="NAME",
    help="The evaluation: default, paper for that of Hall and Loeb, another name such as hand or centres,"
    " or a .toml or .npz file of weights.  [default: default]",
)
"""The command gets None without it."""


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
    every = [name for name in names if name.strip().lower() == "all"]
    wanted = {board.power(name) for name in names if name not in every}
    return tuple(power for power in board.powers if every or power in wanted)


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
