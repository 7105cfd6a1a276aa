"""``bordeaux export``: a game in the form of another program, or as text."""

from __future__ import annotations

import click

from bordeaux.board.map import Map
from bordeaux.cli.options import game_of, game_option, json_option, map_option
from bordeaux.cli.report.output import check_places, plural, print_result, write_whole
from bordeaux.rules.replay import FORMS, exported


@click.command("export")
@click.argument("source", metavar="GAME")
@click.option("--format", "form", type=click.Choice(sorted(FORMS)), required=True, help="What to write.")
@click.option("--out", metavar="FILE|-", required=True, help="Where to write; - is standard output.")
@game_option
@map_option
@json_option
def command(source: str, form: str, out: str, wanted: str | None, board: Map | None, as_json: bool) -> None:
    """Write a game for another program, or for people.

    The forms are json, that of the PyPI package diplomacy; judge, the history as a judge mails it, which
    jDip imports (File, Import); and text, the orders with their results, for people. All of them are read
    as GAME again. Only json holds a game that does not begin as its map does. A GAME is anything that
    replay takes.

    \b
    Examples:
      bordeaux export game.json --format judge --out history.txt
      bordeaux export games.jsonl.gz --game 3 --format text --out -
    """
    if out != "-":
        check_places({"--out": out})
    elif as_json:
        raise click.UsageError("--json and the game cannot both go to standard output; name a file in --out")
    game = game_of(source, wanted, board)
    text = exported(game, form, board)
    if out == "-":
        click.echo(text, nl=False)
        return
    write_whole(out, text)
    phases = len(game.phases)
    value = {"written": out, "game": game.id, "phases": phases}
    print_result(as_json, value, f"written to {out}: {plural(phases, 'phase')} of game {game.id}")
