"""The command line: one module per command, each with a click command named ``command``.

`main` is what the console script ``bordeaux`` runs. A command's module is imported only when the command is
called or listed, so that no command pays for what another one needs.
"""

from __future__ import annotations

import click

from bordeaux.cli.program import Program

__all__ = ["main"]


@click.command(
    "bordeaux",
    cls=Program,
    # Called without a command it shows its help, which click would count as an error.
    invoke_without_command=True,
    no_args_is_help=False,
    package="bordeaux.cli",
    command_names=(
        "orders",
        "adjudicate",
        "replay",
        "legal",
        "evaluate",
        "board",
        "play",
        "arena",
        "bench",
        "graph",
        "book",
        "engine",
        "bot",
        "server",
        "observe",
        "human",
    ),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="bordeaux", prog_name="bordeaux", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Bordeaux, a Diplomacy engine: it takes a position and gives orders.

    POSITION is a file (a position or saved game as JSON, plain text, DAIDE text or DFEN; .gz is fine),
    - for standard input, or the word start.

    Exit codes: 0 done; 1 the answer is no (an illegal order, a mismatch); 2 bad input or usage.

    \b
    Examples:
      bordeaux orders start --power FRANCE --time 2
      bordeaux adjudicate game.json --phase F1903M --orders orders.json
      bordeaux replay games.jsonl.gz
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
