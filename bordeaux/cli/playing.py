"""Options for playing on any kind of server, and the bot for them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from bordeaux.board.map import Map
from bordeaux.cli.options import MOST_NODES, MOST_SEED, count_option, seconds, threads_option, whole
from bordeaux.daide import language as d
from bordeaux.daide.client.base import NAME
from bordeaux.daide.client.bot import Bot, PlayerBot
from bordeaux.daide.client.envoy import TALK
from bordeaux.openings.book import Book
from bordeaux.players.limits import NAMES
from bordeaux.players.spec import parse

Command = TypeVar("Command", bound=Callable[..., Any])

LEAST_PASSCODE, MOST_PASSCODE = -8192, 8191
TOKEN = 3
VARIABLE = "BORDEAUX_PASSCODE"
"""The variable for the passcode, because other users can read the command line."""


def claim_options(command: Command) -> Command:
    """Add --power P and --passcode N, for `claim_of`."""
    add_passcode = click.option(
        "--passcode",
        type=whole(LEAST_PASSCODE, MOST_PASSCODE),
        metavar="N",
        help=f"The passcode of that power; or put it into {VARIABLE}.",
    )
    add_power = click.option("--power", metavar="P", help="Take over power P, like FRA; with --passcode.")
    return add_power(add_passcode(command))


def claim_of(power: str | None, passcode: int | None) -> tuple[str, int] | None:
    """The DAIDE token of the power and its passcode; None if neither is given.

    Three letters are taken unchanged, a longer name is one of the standard map. Raises UsageError if only one
    of the two is given, MapError for an unknown name.
    """
    if power is not None and passcode is None:
        passcode = _passcode_of_surroundings()
    if power is None or passcode is None:
        if power is None and passcode is None:
            return None
        raise click.UsageError("--power and --passcode belong together; give both or neither")
    name = power.strip().upper()
    standard = Map.standard()
    return name if len(name) == TOKEN and name.isalnum() else standard.tags[standard.power(name)], passcode


def _passcode_of_surroundings() -> int | None:
    """The passcode in the environment, if there is one. Raises UsageError for an invalid one."""
    text = os.environ.get(VARIABLE)
    if text is None:
        return None
    digits = text.strip().removeprefix("-")
    number = int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 4 else None
    if number is None or not LEAST_PASSCODE <= number <= MOST_PASSCODE:
        raise click.UsageError(f"{VARIABLE} must be a number from {LEAST_PASSCODE} to {MOST_PASSCODE}")
    return number


ENGINE = "bordeaux"


def playing_options(level: int) -> Callable[[Command], Command]:
    """Add the options that `created` takes; `level` is the default level of press."""
    options = (
        click.option(
            "--time", type=seconds, metavar="S", help="Think S seconds a phase at most; 5 without --nodes."
        ),
        click.option(
            "--nodes", type=whole(1, MOST_NODES), metavar="N", help="Search N nodes a phase at most."
        ),
        threads_option(),
        click.option(
            "--player",
            metavar="NAME",
            help="Play with another player than the engine: dumbbot, mine.py:Bot; or with a weaker engine,"
            f" bordeaux:level=N: {NAMES}.",
        ),
        click.option(
            "--character",
            metavar="NAME",
            help="The engine as a diplomat: honest, tit-for-tat, opportunist.  [default: honest]",
        ),
        count_option("--level", between=(0, 8000), default=level, metavar="L", help="Speak press up to L."),
        click.option(
            "--talk",
            type=seconds,
            metavar="S",
            default=TALK,
            help=f"Talk S seconds a phase at most, for players that do.  [default: {TALK:g}]",
        ),
        count_option("--seed", between=(0, MOST_SEED), default=0, help="Seed of all random choices."),
        click.option(
            "--no-book",
            "no_book",
            is_flag=True,
            help="Search from the first phase on, without the opening book.",
        ),
    )

    def add(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def created(
    engine: type[Bot],
    other: type[PlayerBot],
    place: Any,
    *,
    player: str | None,
    character: str | None,
    level: int,
    threads: int | None,
    no_book: bool,
    name: str | None = None,
    **rest: Any,
) -> Bot:
    """The bot at a `place`: one of the class `engine`, or of the class `other` for another player.

    Raises BadParameter for options that contradict each other.
    """
    if level not in d.LEVELS:
        raise click.BadParameter(
            f"no language level {level}; there are 0, 10, 20 ... 130 and 8000;"
            " how strong it plays is another level: --player bordeaux:level=3"
        )
    if character is not None and player not in (None, ENGINE):
        raise click.BadParameter("--character is for the engine without --player")
    if threads is not None and player not in (None, ENGINE):
        raise click.BadParameter("--threads is for the engine without --player; a player has its own options")
    if player is None or player == ENGINE:
        shown = name or NAME
        book = None if no_book else Book.load()
        return engine(
            place,
            name=shown,
            level=level,
            threads=threads,
            book=book,
            character=character or "honest",
            **rest,
        )
    return other(place, player, name=name or parse(player).short, level=level, **rest)
