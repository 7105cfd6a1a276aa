"""``bordeaux human``: play as a person on a DAIDE server, from the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator

import click

from bordeaux.cli.options import force_option, json_option
from bordeaux.cli.playing import claim_of, claim_options
from bordeaux.cli.prompt.seat import Commands, Quit, TerminalPerson, plain_lines, prompted_lines
from bordeaux.cli.report import BAD_INPUT
from bordeaux.cli.report.event_output import EventPrinter, Saving
from bordeaux.daide.client.table import Ending


@click.command("human")
@click.argument("address", metavar="HOST[:PORT]")
@click.option("--name", metavar="N", default="Human", show_default=True, help="Your name in the summary.")
@claim_options
@click.option("--save", "path", metavar="FILE", help="Save the game after every phase; .gz packs it.")
@force_option
@json_option
def command(
    address: str,
    name: str,
    power: str | None,
    passcode: int | None,
    path: str | None,
    force: bool,
    as_json: bool,
) -> int:
    """Play on the DAIDE server at HOST:PORT, as a person.

    Type orders, like A PAR - BUR or all hold, then done; Tab completes, help lists the commands. An illegal
    order is refused at once, with those that are legal. Talk to others in plain English: talk FRA peace? Your
    passcode is shown at the start: with it and --power you can take your seat again from anywhere. Lines
    may come through a pipe as well: they wait until the game has begun, and the command next waits for the
    next phase.

    \b
    Examples:
      bordeaux human 127.0.0.1:16713 --name Alice
      bordeaux human 127.0.0.1:16713 --power FRA --passcode 4711
      printf 'A PAR - BUR; A MAR - SPA; F BRE - MAO\\ndone\\nnext\\n' | bordeaux human 127.0.0.1:16713
    """
    claim = claim_of(power, passcode)
    # A player who comes back goes on with the file, which has our passcode.
    save = Saving.to(path, private=True, fresh=not force and claim is None)
    person = TerminalPerson(address, EventPrinter(as_json), name=name, claim=claim, save=save)
    ending = asyncio.run(take_part(person))
    if ending is not None:
        person.end(ending)
    else:
        back = person.return_line()
        text = f"You have left. To come back: {back}" if back else "You have left."
        person.teller.line(text, event="left", back=back)
    return BAD_INPUT if save is not None and save.complain() else 0


async def take_part(person: TerminalPerson) -> Ending | None:
    """Play until the game ends, or the person leaves: then None."""
    typed = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    seen = typed and not person.teller.as_json
    lines = prompted_lines(person) if seen else plain_lines()
    game = asyncio.create_task(person.play())
    reading = asyncio.create_task(follow(lines, Commands(person, patient=not seen)))
    try:
        await asyncio.wait((game, reading), return_when=asyncio.FIRST_COMPLETED)
        if not game.done():
            await reading
            if not person.table.over:
                return None
        return await game
    finally:
        for task in (reading, game):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


async def follow(lines: AsyncIterator[str], commands: Commands) -> None:
    """Carry out the lines, to their end or until quit."""
    with contextlib.suppress(Quit):
        async for line in lines:
            await commands.run(line)
        # Input that ends at once does not keep us from hearing that there is no game here.
        await commands.person.joined.wait()
