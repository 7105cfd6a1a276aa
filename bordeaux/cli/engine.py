"""``bordeaux engine``: the engine on standard input and output, for other programs."""

from __future__ import annotations

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.program import Stopped, stoppable
from bordeaux.protocols.dui.machine import ERROR, Machine
from bordeaux.protocols.dui.runner import serve, standard_streams


@click.command("engine")
@click.option(
    "--set",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="Set an option as setoption does, like Threads=2; may be repeated.",
)
def command(options: tuple[str, ...]) -> int | None:
    """Take commands, one a line, on standard input, and answer on standard output.

    The protocol is DUI, which is for Diplomacy what UCI is for chess, with commands of our own beside it; see
    docs/protocol.md. It ends with quit, or when its input does. Nothing else is written to standard output.

    \b
    Examples:
      bordeaux engine
      bordeaux engine --set Threads=2 --set UseBook=true
      bordeaux play --players 'dui:bordeaux engine,dumbbot*6' --time 1
    """
    machine = Machine()
    for option in options:
        name, _, value = option.partition("=")
        answer = machine.answer(f"setoption name {name} value {value}")
        if answer:
            raise BordeauxError(f"--set: {answer[0].removeprefix(ERROR)}")
    try:
        with stoppable(), standard_streams() as (source, target):
            serve(source, target, machine)
    except Stopped as told_to_end:
        return told_to_end.code
    return None
