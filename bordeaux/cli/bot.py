"""``bordeaux bot``: play one game on a DAIDE server."""

from __future__ import annotations

from typing import Any

import click

from bordeaux.board.cleaning import clean
from bordeaux.cli.options import json_option
from bordeaux.cli.playing import claim_of, claim_options, created, playing_options
from bordeaux.cli.report.output import print_json
from bordeaux.daide.client.base import NAME
from bordeaux.daide.client.bot import Bot, PlayerBot
from bordeaux.players.base import Turn


@click.command("bot")
@click.argument("address", metavar="HOST[:PORT]")
@playing_options(10)
@click.option("--name", metavar="N", help=f"The name that the summary shows.  [default: {NAME}]")
@click.option("--version", "version", metavar="V", default="", help="The version that the summary shows.")
@claim_options
@json_option
def command(
    address: str,
    version: str,
    power: str | None,
    passcode: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Play a game on the DAIDE server at HOST:PORT, to its end.

    Orders go out early and better ones later; deadlines of the game shorten the time. A lost link is
    renewed. Ends with exit code 2 and one line when the server is lost, silent or refuses.

    \b
    Examples:
      bordeaux bot 127.0.0.1:16713 --time 10
      bordeaux bot 127.0.0.1:16713 --player dumbbot --name Rival
      bordeaux bot 127.0.0.1:16713 --player bordeaux:level=3
      bordeaux bot 127.0.0.1:16713 --power FRA --passcode 4711
    """
    bots = (Bot, PlayerBot) if as_json else (TalkingBot, TalkingPlayerBot)
    bot = created(*bots, address, version=version, claim=claim_of(power, passcode), **options)
    ending = bot.run()
    if as_json:
        print_json(ending.to_json())
    else:
        click.echo(clean(str(ending)))


class Talking:
    """Prints the events of a game, a line for every phase."""

    table: Any

    def begin(self) -> None:
        """Print the power, and how to take it over again."""
        table = self.table
        click.echo(f"playing {table.power}, passcode {table.passcode}, press level {table.level}")

    def observe(self, turn: Turn) -> None:
        """Print our orders and our number of centres."""
        super().observe(turn)  # type: ignore[misc]
        power = self.table.power
        orders = turn.orders.get(power, ())
        if orders:
            owned = len(turn.after.centres.get(power, ()))
            click.echo(f"{turn.before.phase} {power} ({owned}): {'; '.join(map(str, orders))}")

    def tell(self, line: str) -> None:
        """Print a line on standard error."""
        click.echo(clean(f"bordeaux: {line}"), err=True)


class TalkingBot(Talking, Bot):
    """The engine, with a report."""


class TalkingPlayerBot(Talking, PlayerBot):
    """Another player, with a report."""
