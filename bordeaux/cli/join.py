"""``bordeaux join``: play a power on a server of the PyPI package ``diplomacy``."""

from __future__ import annotations

import os
from typing import Any

import click

from bordeaux.board.errors import BordeauxError, placed
from bordeaux.board.map import Map
from bordeaux.cli.options import json_option
from bordeaux.cli.playing import Told, created, playing_options
from bordeaux.cli.report.event_output import EventPrinter
from bordeaux.daide import language as d
from bordeaux.formats.source import LARGEST_TEXT, open_source, read_text
from bordeaux.protocols.package import AccountSeat, JoinBot, JoinPlayerBot
from bordeaux.protocols.package.connection import place_of, require

LEVEL = 40
PASSWORD = "BORDEAUX_PASSWORD"
GAME_PASSWORD = "BORDEAUX_GAME_PASSWORD"
"""The variables for the passwords of the account and of the game: other users can read the command line."""


@click.command("join")
@click.argument("address", metavar="ADDRESS")
@click.option("--game", metavar="ID", required=True, help="The ID of the game.")
@click.option("--power", metavar="P", required=True, help="The power to play.")
@click.option(
    "--name", "account", metavar="N", help="The account on the server; else bordeaux and the power."
)
@click.option(
    "--password-file", metavar="FILE", help=f"A file whose first line is its password; else {PASSWORD} is."
)
@playing_options(LEVEL)
@json_option
def command(
    address: str,
    game: str,
    power: str,
    account: str | None,
    password_file: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Play a power on a server of the PyPI package diplomacy, to the end of the game.

    ADDRESS is HOST, HOST:PORT, or wss://HOST:PORT. The server makes the account if it has none of that
    name. Orders go out early and better ones later; deadlines of the game shorten the time. The program
    waits for a lost server. It writes and reads letters in plain English, and answers DAIDE's words in
    DAIDE's words. With --json every event is an object of one line, the end the last. Ends with exit code 2
    and one line when the server is lost or refuses. Takes the extra join: pip install
    'bordeaux-diplomacy[join]'.

    \b
    Examples:
      BORDEAUX_PASSWORD=secret bordeaux join localhost --game 42 --power FRANCE
      bordeaux join wss://example.org:8433 --game 42 --power TUR --name mirko --password-file key --time 30
    """
    require()
    host, port, secure = place_of(address)
    named = power.strip().upper()
    # The server wants whole names. The game's map is not known before, so tags are those of the standard one.
    named = {tag: name for name, tag in Map.standard().tags.items()}.get(named, named)
    seat = AccountSeat(
        host,
        port,
        game,
        named,
        account or f"bordeaux-{named.lower()}",
        _password(password_file),
        os.environ.get(GAME_PASSWORD),
        secure,
    )
    teller = EventPrinter(as_json)
    ending = created(TellingBot, TellingPlayerBot, seat, teller=teller, **options).run()
    teller.line(str(ending), event="end", **ending.to_json())


def _password(path: str | None) -> str:
    """The password from the first line of a file, or from the environment."""
    if path is None:
        if (given := os.environ.get(PASSWORD)) is None:
            raise click.UsageError(f"no password: put it into {PASSWORD}, or into a file for --password-file")
        return given
    with placed(f"--password-file {path}", BordeauxError), open_source(path) as handle:
        lines = read_text(handle, most=LARGEST_TEXT).splitlines()
        if not lines or not lines[0].strip():
            raise BordeauxError("the first line is empty; write the password into it")
        return lines[0].strip()


class TellingBot(Told, JoinBot):
    """The engine, with a report."""

    def __init__(self, seat: AccountSeat, *args: Any, teller: EventPrinter, **rest: Any) -> None:
        super().__init__(seat, *args, **rest)
        self.teller = teller

    def begin(self) -> None:
        """Report the power."""
        level = self.envoy.level
        self.teller.line(
            f"playing {self.table.power} in game {self.seat.game}, press level {level}",
            event="game",
            game=self.seat.game,
            power=self.table.power,
            level=level,
            seconds=self.table.options.get("MTL"),
        )

    def letter(self, sender: str, to: str, text: str, press: d.Press | None) -> None:
        """Show a letter, and whether it was understood."""
        meaning = None if press is None else d.text(press)
        note = "" if press is not None else " (not understood)"
        details: dict[str, Any] = {"sender": sender, "to": to, "text": text, "press": meaning}
        self.teller.line(f"{sender} to {to}: {text}{note}", event="letter", **details)


class TellingPlayerBot(TellingBot, JoinPlayerBot):
    """Another player, with the same report."""
