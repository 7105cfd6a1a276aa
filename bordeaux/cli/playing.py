"""Options for playing on any kind of server, and the bot for them."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from bordeaux.board.map import Map
from bordeaux.cli.options import (
    count_option,
    joined,
    limit_options,
    seconds,
    seed_option,
    threads_option,
    whole,
)
from bordeaux.cli.report import report
from bordeaux.cli.report.event_output import EventPrinter
from bordeaux.daide import language as d
from bordeaux.daide.client.base import NAME
from bordeaux.daide.client.bot import Bot, PlayerBot
from bordeaux.daide.client.envoy import TALK
from bordeaux.openings.book import standard_book
from bordeaux.players.base import Turn
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
    if power is not None and passcode is None and VARIABLE in os.environ:
        try:
            passcode = whole(LEAST_PASSCODE, MOST_PASSCODE)(os.environ[VARIABLE])
        except click.BadParameter as error:
            raise click.UsageError(f"{VARIABLE}: {error.message}") from None
    if power is None and passcode is None:
        return None
    if power is None or passcode is None:
        raise click.UsageError("--power and --passcode belong together; give both or neither")
    name = power.strip().upper()
    standard = Map.standard()
    return name if len(name) == TOKEN and name.isalnum() else standard.tags[standard.power(name)], passcode


ENGINE = "bordeaux"


def playing_options(level: int) -> Callable[[Command], Command]:
    """Add the options that `created` takes; `level` is the default level of press."""
    return joined(
        limit_options("Think S seconds a phase; 5 without --nodes.", "Search N nodes a phase at most."),
        threads_option(),
        click.option(
            "--player",
            metavar="PLAYER",
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
        seed_option(),
        click.option(
            "--book/--no-book",
            "opened",
            help="Play from the opening book where it can.  [default: no book]",
        ),
    )


def created(
    engine: type[Bot],
    other: type[PlayerBot],
    place: Any,
    *,
    player: str | None,
    character: str | None,
    level: int,
    threads: int | None,
    opened: bool,
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
    if player not in (None, ENGINE):
        for option, given in (("--character", character), ("--threads", threads), ("--book", opened or None)):
            if given is not None:
                raise click.BadParameter(f"{option} is for the engine without --player")
        return other(place, player, name=name or parse(player).short, level=level, **rest)
    book = standard_book() if opened else None
    character = character or "honest"
    return engine(
        place, name=name or NAME, level=level, threads=threads, book=book, character=character, **rest
    )


class Told:
    """Reports the phases of a bot's game, as text or as one JSON object a line."""

    table: Any
    teller: EventPrinter

    def observe(self, turn: Turn) -> None:
        """Report our orders and our number of centres."""
        super().observe(turn)  # type: ignore[misc]
        power = self.table.power or ""
        orders = [str(order) for order in turn.orders.get(power, ())]
        if orders or self.teller.as_json:
            owned = len(turn.after.centres.get(power, ()))
            line = f"{turn.before.phase} {power} ({owned}): {'; '.join(orders)}"
            name = str(turn.before.phase)
            self.teller.line(line, event="phase", name=name, orders=orders, centres=owned)

    def tell(self, line: str) -> None:
        """Print a line on standard error; for programs it is an event."""
        if self.teller.as_json:
            self.teller.line(line)
        else:
            report(line)
