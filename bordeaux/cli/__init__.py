"""The command line: one module per command, each with a click command named ``command``.

The console script ``bordeaux`` runs `main`. A command's module is imported only when the command is called or
listed, so that the other imports cost nothing.
"""

from __future__ import annotations

import logging
import sys

import click

from bordeaux.board.cleaning import clean
from bordeaux.cli.program import CommandGroup

__all__ = ["main"]

COLOURS = {"auto": None, "always": True, "never": False}
LEVELS = ("error", "warning", "info", "debug")


class LineFormatter(logging.Formatter):
    """One line a record, in the form of all that the program says on standard error."""

    def format(self, record: logging.LogRecord) -> str:
        message = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[1] is not None:
            message += f": {type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        return clean(f"bordeaux: {record.levelname.lower()}: {message}")


def log(level: str) -> None:
    """Send what the package logs, from a level on, to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    package = logging.getLogger("bordeaux")
    package.handlers = [handler]
    package.setLevel(level.upper())


@click.command(
    "bordeaux",
    cls=CommandGroup,
    package="bordeaux.cli",
    command_names=(
        *("orders", "adjudicate", "replay", "legal", "evaluate", "board", "analyse", "review", "export"),
        *("play", "arena", "bench", "graph", "book", "engine", "bot", "join", "mcp", "server", "observe"),
        *("human", "completion"),
    ),
)
@click.version_option(package_name="bordeaux-diplomacy", prog_name="bordeaux", message="%(prog)s %(version)s")
@click.option(
    "--color", type=click.Choice(list(COLOURS)), default="auto", help="Colours; auto: on a terminal alone."
)
@click.option("--log-level", type=click.Choice(LEVELS), default="warning", help="What to log besides errors.")
@click.pass_context
def main(context: click.Context, color: str, log_level: str) -> None:
    """Bordeaux, a Diplomacy engine: it takes a position and gives orders.

    POSITION is a file (a position or saved game as JSON, plain text, DAIDE text or DFEN; .gz is fine),
    - for standard input, or the word start.

    Exit codes: 0 done; 1 the answer is no (an illegal order, a mismatch); 2 bad input or usage.

    Defaults of your own: [orders] and below it time = 2 in ~/.config/bordeaux/config.toml
    (BORDEAUX_CONFIG names another file), or BORDEAUX_ORDERS_TIME=2 in the environment.

    \b
    Examples:
      bordeaux orders start --power FRANCE --time 2
      bordeaux adjudicate game.json --phase F1903M --orders orders.json
      bordeaux replay games.jsonl.gz
    """
    context.color = COLOURS[color]
    log(log_level)
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
