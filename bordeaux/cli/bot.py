"""``bordeaux bot``: play one game on a DAIDE server."""

from __future__ import annotations

from typing import Any

import click

from bordeaux.board.cleaning import clean
from bordeaux.cli.claim import claim_of, claim_options
from bordeaux.cli.options import json_option, seconds, whole
from bordeaux.cli.output import print_json
from bordeaux.daide import language as d
from bordeaux.daide.client.base import NAME
from bordeaux.daide.client.bot import Bot, PlayerBot
from bordeaux.daide.client.envoy import TALK
from bordeaux.openings.book import Book
from bordeaux.players.protocol import Turn

__all__ = ["command"]

MOST_NODES = 2**62
MOST_SEED = 2**63 - 1
ENGINE = "bordeaux"


@click.command("bot")
@click.argument("address", metavar="HOST[:PORT]")
@click.option("--time", type=seconds, metavar="S", help="Think S seconds a phase at most; 5 without --nodes.")
@click.option("--nodes", type=whole(1, MOST_NODES), metavar="N", help="Search N nodes a phase at most.")
@click.option("--player", metavar="NAME", help="Play with another player than the engine, like dumbbot.")
@click.option(
    "--character",
    metavar="NAME",
    help="What kind of diplomat the engine is: honest, tit-for-tat or opportunist.  [default: honest]",
)
@click.option("--name", metavar="N", help=f"The name that the summary shows.  [default: {NAME}]")
@click.option("--version", "version", metavar="V", default="", help="The version that the summary shows.")
@click.option(
    "--level", type=whole(0, 8000), metavar="L", default=10, help="Speak press up to L.  [default: 10]"
)
@click.option(
    "--talk",
    type=seconds,
    metavar="S",
    default=TALK,
    help=f"Talk S seconds a phase at most, for players that do.  [default: {TALK:g}]",
)
@claim_options
@click.option(
    "--seed", type=whole(0, MOST_SEED), metavar="N", default=0, help="Seed of all chance.  [default: 0]"
)
@click.option(
    "--no-book", "no_book", is_flag=True, help="Search from the first phase on, without the opening book."
)
@json_option
def command(
    address: str,
    time: float | None,
    nodes: int | None,
    player: str | None,
    character: str | None,
    name: str | None,
    version: str,
    level: int,
    talk: float,
    power: str | None,
    passcode: int | None,
    seed: int,
    no_book: bool,
    as_json: bool,
) -> None:
    """Play a game on the DAIDE server at HOST:PORT, to its end.

    Orders go out early and better ones later; deadlines of the game shorten the time. A lost link is
    taken up again. Ends with exit code 2 and one line when the server is lost, silent or refuses.

    \b
    Examples:
      bordeaux bot 127.0.0.1:16713 --time 10
      bordeaux bot 127.0.0.1:16713 --player dumbbot --name Rival
      bordeaux bot 127.0.0.1:16713 --power FRA --passcode 4711
    """
    if level not in d.LEVELS:
        raise click.BadParameter(f"no language level {level}; there are 0, 10, 20 ... 130 and 8000")
    rest: dict[str, Any] = {
        "version": version,
        "time": time,
        "nodes": nodes,
        "level": level,
        "talk": talk,
        "seed": seed,
        "claim": claim_of(power, passcode),
    }
    if character is not None and player not in (None, ENGINE):
        raise click.BadParameter("--character is for the engine without --player")
    shown = name or (NAME if player in (None, ENGINE) else str(player).partition(":")[0])
    bot: Bot
    if player is None or player == ENGINE:
        book = None if no_book else Book.load()
        bot = (Bot if as_json else TalkingBot)(
            address, name=shown, book=book, character=character or "honest", **rest
        )
    else:
        bot = (PlayerBot if as_json else TalkingPlayerBot)(address, player, name=shown, **rest)
    ending = bot.run()
    if as_json:
        print_json(ending.to_json())
    else:
        click.echo(clean(str(ending)))


class Talking:
    """Prints what happens, a line for every phase."""

    table: Any

    def begin(self) -> None:
        """Say what we play, and how to come back."""
        table = self.table
        click.echo(f"playing {table.power}, passcode {table.passcode}, press level {table.level}")

    def observe(self, turn: Turn) -> None:
        """Say what we ordered and how many centres we have."""
        super().observe(turn)  # type: ignore[misc]
        power = self.table.power
        orders = turn.orders.get(power, ())
        if orders:
            owned = len(turn.after.centres.get(power, ()))
            click.echo(f"{turn.before.phase} {power} ({owned}): {'; '.join(map(str, orders))}")

    def tell(self, line: str) -> None:
        """Say it on standard error."""
        click.echo(clean(f"bordeaux: {line}"), err=True)


class TalkingBot(Talking, Bot):
    """The engine, talking."""


class TalkingPlayerBot(Talking, PlayerBot):
    """Another player, talking."""
