"""``bordeaux server``: run one game for DAIDE clients."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import queue
import secrets
import shlex
import sys
import threading
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from bordeaux.board.map import Map
from bordeaux.cli.options import MOST_SEED, Command, count_option, json_option, seconds, whole
from bordeaux.cli.report.output import check_place, print_json
from bordeaux.daide import language as d
from bordeaux.daide.server.fill import Fill
from bordeaux.daide.server.game import ServerGame, claimed, opened
from bordeaux.daide.server.host import Host
from bordeaux.daide.server.settings import MOST_IDLE, MOST_SECONDS, MOST_YEAR
from bordeaux.formats.games import write_document
from bordeaux.jobs import ENDING_SIGNALS

MOST = 20_000
"""Lines that may wait to be written; further ones are dropped."""
MOST_LETTERS = 8_000_000
"""Letters that they may have together."""
PATIENCE = 2.0
"""Seconds that the last lines have to be written at the end."""


class Background:
    """Writes lines to standard error from a thread of its own; a context manager.

    A pipe without a reader is full after some hundred lines, and then writing blocks for ever. Here only the
    thread blocks. If standard error is not a file (in tests), lines are written at once.
    """

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue(MOST)
        self._letters = 0
        self._written = 0
        self._thread: threading.Thread | None = None
        with contextlib.suppress(OSError, ValueError, AttributeError):
            number = sys.stderr.fileno()
            self._thread = threading.Thread(target=self._write, args=(number,), daemon=True)

    def __enter__(self) -> Background:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        if self._thread is not None:
            with contextlib.suppress(queue.Full):
                self._lines.put(None, timeout=PATIENCE)
                self._thread.join(PATIENCE)

    def line(self, text: str) -> None:
        """Queue a line."""
        if self._thread is None:
            with contextlib.suppress(OSError):
                click.echo(text, err=True)
        elif self._letters - self._written <= MOST_LETTERS:
            with contextlib.suppress(queue.Full):
                self._lines.put_nowait(text)
                self._letters += len(text)

    def _write(self, number: int) -> None:
        # Past Python's own buffer: a thread that waits inside it would keep the program from ending.
        while (text := self._lines.get()) is not None:
            # Each of the two counts has one thread that changes it.
            self._written += len(text)
            data = (text + "\n").encode(errors="backslashreplace")
            try:
                while data:
                    data = data[os.write(number, data) :]
            except OSError:  # nobody is there to read it any more
                return


PORT = 16713
"""The usual port of DAIDE servers."""


def limit_option(name: str, what: str) -> Callable[[Command], Command]:
    """An option for the seconds of a kind of turn."""
    return click.option(
        f"--{name}", type=whole(1, MOST_SECONDS), metavar="S", help=f"Seconds for {what}; else no limit."
    )


def flag(name: str, help: str) -> Callable[[Command], Command]:
    """A flag without a negative form."""
    return click.option(f"--{name}", is_flag=True, default=None, help=help)


@click.command("server")
@click.option("--host", metavar="H", default="127.0.0.1", show_default=True, help="The address to listen on.")
@count_option("--port", between=(0, 65535), default=PORT, metavar="PORT", help="The port; 0: any free one.")
@click.option(
    "--level", type=whole(0, d.HIGHEST), metavar="L", help="Press level: 0, 10 ... 130, 8000.  [default: 0]"
)
@limit_option("mtl", "movement")
@limit_option("rtl", "retreats")
@limit_option("btl", "builds")
@flag("dsd", "Stop the clock while a power that owes orders is away.")
@flag("aoa", "Accept any order for an own unit; illegal ones fail.")
@flag("pda", "Allow draws that leave survivors out.")
@flag("npr", "No press in retreat turns.")
@flag("npb", "No press in build turns.")
@click.option(
    "--no-press-before",
    "ptl",
    type=whole(0, MOST_SECONDS),
    metavar="S",
    help="No press in the last S seconds of movement.",
)
@click.option(
    "--until", type=whole(1, MOST_YEAR), metavar="YEAR", help="The last game year; then the survivors draw."
)
@click.option("--variant", metavar="MAP", help="A bundled map or a map file.  [default: standard]")
@click.option(
    "--fill",
    "player",
    metavar="PLAYER",
    help="Seat our own players in empty chairs, like dumbbot or bordeaux:level=3.",
)
@count_option("--open", "kept", between=(0, 256), default=1, help="Chairs that --fill leaves.")
@click.option(
    "--idle",
    type=whole(1, MOST_IDLE),
    metavar="S",
    help="Without a limit: warn a power that is silent for S seconds; go on after S more.",
)
@click.option("--fill-time", type=seconds, metavar="S", help="Seconds that our players think a phase.")
@click.option(
    "--save", "path", metavar="FILE", help="Save the game after every phase; resume it if FILE exists."
)
@click.option(
    "--wait",
    "patience",
    type=seconds,
    metavar="S",
    help="Resume after S seconds although powers are missing.",
)
@click.option(
    "--linger",
    type=seconds,
    metavar="S",
    default=5.0,
    help="Seconds that clients may stay at the end.  [default: 5]",
)
@click.option(
    "--seed",
    type=whole(0, MOST_SEED),
    metavar="N",
    help="Seed of all chance: who plays what, passcodes.  [default: chance]",
)
@click.option("--verbose", is_flag=True, help="Log every message.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    /,
    host: str,
    port: int,
    player: str | None,
    kept: int,
    fill_time: float | None,
    path: str | None,
    patience: float | None,
    linger: float,
    seed: int | None,
    variant: str | None,
    verbose: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Hold one game for DAIDE clients, to its end.

    Prints its address first, and reports the game on standard error. With --save a server that was
    stopped in any way goes on from there when it is started again. Clients take their powers over
    with IAM. Ends with exit code 0 when the game is over, with 1 if its end could not be saved.

    \b
    Examples:
      bordeaux server --port 0 --fill dumbbot
      bordeaux server --level 20 --mtl 60 --rtl 20 --btl 20 --save game.json
      bordeaux server --fill bordeaux --open 0 --fill-time 2 --save game.json
    """
    check_place(path, "--save")
    given = {name: value for name, value in options.items() if value is not None}
    seed = secrets.randbelow(MOST_SEED) if seed is None else seed
    with claimed(path, "--save"), Background() as background:
        game = opened(path, None if variant is None else Map.load(variant), seed, **given)
        held = Host(
            game,
            save=None if path is None else functools.partial(save, path),
            log=background.line,
            verbose=verbose,
            linger=linger,
            patience=patience,
        )
        extra = ["--level", str(game.settings.level)]
        extra += [] if fill_time is None else ["--time", f"{fill_time:g}"]
        fill = None
        if player is not None:
            fill = Fill(player, game, held.logbook, kept=kept, seed=seed, options=extra)
        code, address = asyncio.run(hold(held, fill, host, port))
        if code:
            background.line(farewell(context, game, path, held, address))
        elif held.unsaved:
            background.line(
                f"bordeaux: --save {path}: the end of the game is not saved, the disk may be full"
            )
    if as_json and not code:
        print_json(result(game))
    return code or int(held.unsaved)


def save(path: str, document: dict[str, Any]) -> None:
    """Write the game to its file. Raises OSError with the name of the file."""
    try:
        write_document(path, document, private=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


async def hold(held: Host, fill: Fill | None, host: str, port: int) -> tuple[int, str]:
    """Run the game; returns the exit code, and the address."""
    loop = asyncio.get_running_loop()
    code = 0
    filling: list[asyncio.Task[None]] = []

    def empty() -> None:
        # Once: a second cancel would break off the ending of the children.
        for task in filling:
            if not task.cancelling():
                task.cancel()

    def stop(number: int) -> None:
        nonlocal code
        code = code or 128 + number
        held.stop()
        empty()

    address = await held.listen(host, port)
    for number in ENDING_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        click.echo(f"listening on {address}")
        if fill is not None:
            filling.append(asyncio.create_task(fill.run(reachable(address))))
        end = await held.play()
    finally:
        empty()
        for problem in await asyncio.gather(*filling, return_exceptions=True):
            if isinstance(problem, Exception):
                held.logbook.note(f"players of ours cannot be seated: {type(problem).__name__}: {problem}")
        for number in ENDING_SIGNALS:
            loop.remove_signal_handler(number)
    return (0 if end == "over" else code), address


def reachable(address: str) -> str:
    """An address that a client on this machine can connect to."""
    where, _, port = address.rpartition(":")
    return f"{ {'0.0.0.0': '127.0.0.1', '[::]': '[::1]'}.get(where, where) }:{port}"


def farewell(context: click.Context, game: ServerGame, path: str | None, held: Host, address: str) -> str:
    """The state of a stopped game, and how to continue it."""
    if game.state == "waiting" and not game.vacant:
        return "bordeaux: stopped before the game began"
    phase = f"bordeaux: stopped in {game.position.phase}"
    if path is None:
        return f"{phase}; the game is lost (--save FILE would have kept it)"
    if held.unsaved:
        return f"{phase}; the game could not be saved, {path} is of an earlier phase"
    words = ["bordeaux", "server"]
    for option in context.command.params:
        name = option.name or ""
        if name == "port":
            words += ["--port", address.rpartition(":")[2]]
        elif name != "seed" and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            value = context.params[name]
            words.append(option.opts[0])
            if value is not True:
                words.append(f"{value:g}" if isinstance(value, float) else str(value))
    return f"{phase}; to go on: {shlex.join(words)}"


def result(game: ServerGame) -> dict[str, Any]:
    """The result of the game, as plain values."""
    outcome, position = game.outcome, game.position
    assert outcome is not None
    return {
        "ending": outcome.kind,
        "powers": list(outcome.powers),
        "phase": str(position.phase),
        "centres": {power: len(position.centres.get(power, ())) for power in game.map.powers},
    }
