"""``bordeaux bot``: play one game on a DAIDE server."""

from __future__ import annotations

from typing import Any

import click

from bordeaux.cli.options import json_option
from bordeaux.cli.playing import Told, claim_of, claim_options, created, playing_options
from bordeaux.cli.report.event_output import EventPrinter
from bordeaux.cli.report.output import print_json
from bordeaux.daide.client.base import NAME
from bordeaux.daide.client.bot import Bot, PlayerBot


@click.command("bot")
@click.argument("address", metavar="HOST[:PORT]")
@playing_options(10)
@click.option("--name", metavar="N", help=f"The name that the summary shows.  [default: {NAME}]")
@click.option("--version", metavar="V", default="", help="The version that the summary shows.")
@claim_options
@json_option
def command(address: str, power: str | None, passcode: int | None, as_json: bool, **options: Any) -> None:
    """Play a game on the DAIDE server at HOST:PORT, to its end.

    Orders go out early and better ones later; deadlines of the game shorten the time. A lost link is
    renewed. Ends with exit code 2 and one line when the server is lost, silent or refuses.

    \b
    Examples:
      bordeaux bot 127.0.0.1:16713 --time 10
      bordeaux bot 127.0.0.1:16713 --player dumbbot --name Rival
      bordeaux bot 127.0.0.1:16713 --power FRA --passcode 4711
    """
    bots = (Bot, PlayerBot) if as_json else (TalkingBot, TalkingPlayerBot)
    bot = created(*bots, address, claim=claim_of(power, passcode), **options)
    ending = bot.run()
    if as_json:
        print_json(ending.to_json())
    else:
        EventPrinter().line(str(ending))


class TalkingBot(Told, Bot):
    """The engine, with a line for every phase."""

    teller = EventPrinter()

    def begin(self) -> None:
        """Print the power, and how to take it over again."""
        table = self.table
        self.teller.line(f"playing {table.power}, passcode {table.passcode}, press level {table.level}")


class TalkingPlayerBot(TalkingBot, PlayerBot):
    """Another player, with the same lines."""
