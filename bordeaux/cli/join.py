"""``bordeaux join``: play a power on a server of the PyPI package ``diplomacy``."""

from __future__ import annotations

import os
from typing import Any

import click

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.cli.options import json_option, seconds
from bordeaux.cli.playing import created, playing_options
from bordeaux.cli.report.event_output import EventPrinter
from bordeaux.daide import language as d
from bordeaux.formats.source import LARGEST_TEXT, open_source, read_text
from bordeaux.players.base import Turn
from bordeaux.protocols.package import AccountSeat, JoinBot, JoinPlayerBot
from bordeaux.protocols.package.connection import place_of, require
from bordeaux.protocols.package.gateway import COMEBACK

LEVEL = 40
PASSWORD = "BORDEAUX_PASSWORD"
GAME_PASSWORD = "BORDEAUX_GAME_PASSWORD"
"""The variables for the passwords, because other users can read the command line."""


@click.command("join")
@click.argument("address", metavar="ADDRESS")
@click.option("--game", metavar="ID", required=True, help="The ID of the game.")
@click.option("--power", metavar="P", required=True, help="The power to play.")
@click.option(
    "--name", "account", metavar="N", help="The account on the server; else bordeaux and the power."
)
@click.option("--password", metavar="WORD", help=f"Its password; better in {PASSWORD}, others see this one.")
@click.option("--password-file", metavar="FILE", help="A file whose first line is the password.")
@click.option(
    "--game-password-file",
    metavar="FILE",
    help=f"The same for the game's own password, if it has one; or {GAME_PASSWORD}.",
)
@click.option(
    "--words",
    "form",
    type=click.Choice(["english", "daide"]),
    default="english",
    help="How to write to powers that have not written yet.  [default: english]",
)
@click.option(
    "--comeback",
    type=seconds,
    metavar="S",
    default=COMEBACK,
    help=f"Give up when the server is gone for S seconds.  [default: {COMEBACK:g}]",
)
@playing_options(LEVEL)
@json_option
def command(
    address: str,
    game: str,
    power: str,
    account: str | None,
    password: str | None,
    password_file: str | None,
    game_password_file: str | None,
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
        _password(password, password_file, PASSWORD, "--password-file") or _missing(),
        _password(None, game_password_file, GAME_PASSWORD, "--game-password-file"),
        secure,
    )
    bot = created(TellingBot, TellingPlayerBot, seat, teller=EventPrinter(as_json), **options)
    ending = bot.run()
    EventPrinter(as_json).line(str(ending), event="end", **ending.to_json())


def _password(given: str | None, path: str | None, variable: str, option: str) -> str | None:
    """The password as given, or from the first line of a file, or from the environment."""
    if given is not None and path is not None:
        raise click.UsageError(f"--password and {option} are two passwords; give one")
    if path is None:
        return given if given is not None else os.environ.get(variable)
    try:
        with open_source(path) as handle:
            lines = read_text(handle, most=LARGEST_TEXT).splitlines()
    except BordeauxError as error:
        raise BordeauxError(f"{option} {path}: {error}") from None
    if not lines or not lines[0].strip():
        raise BordeauxError(f"{option} {path}: the first line is empty; write the password into it")
    return lines[0].strip()


def _missing() -> str:
    raise click.UsageError(f"no password: put it into {PASSWORD}, or into a file for --password-file")


class Telling(JoinBot):
    """Reports the events of a game, as text or as one JSON object a line."""

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

    def observe(self, turn: Turn) -> None:
        """Report our orders and our number of centres."""
        super().observe(turn)
        power = self.table.power or ""
        orders = [str(order) for order in turn.orders.get(power, ())]
        if orders or self.teller.as_json:
            owned = len(turn.after.centres.get(power, ()))
            details: dict[str, Any] = {"name": str(turn.before.phase), "orders": orders, "centres": owned}
            line = f"{turn.before.phase} {power} ({owned}): {'; '.join(orders)}"
            self.teller.line(line, event="phase", **details)

    def letter(self, sender: str, to: str, text: str, press: d.Press | None) -> None:
        """Show a letter, and whether it was understood."""
        meaning = None if press is None else d.text(press)
        note = "" if press is not None else " (not understood)"
        details: dict[str, Any] = {"sender": sender, "to": to, "text": text, "press": meaning}
        self.teller.line(f"{sender} to {to}: {text}{note}", event="letter", **details)

    def tell(self, line: str) -> None:
        """Print a line on standard error; for programs it is an event."""
        if self.teller.as_json:
            self.teller.line(line)
        else:
            click.echo(clean(f"bordeaux: {line}"), err=True)


class TellingBot(Telling):
    """The engine, with a report."""


class TellingPlayerBot(Telling, JoinPlayerBot):
    """Another player, with a report."""
