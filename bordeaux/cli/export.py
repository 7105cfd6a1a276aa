"""``bordeaux export``: a game in the form of another program, or as text."""

from __future__ import annotations

from collections.abc import Iterator

import click

from bordeaux.board.errors import BordeauxError, name_of, quote
from bordeaux.board.map import Map
from bordeaux.cli.options import game_option, is_wanted, json_option, map_option
from bordeaux.cli.report import report
from bordeaux.cli.report.output import check_places, print_result, write_whole
from bordeaux.formats.games import Game, read_games
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
    as GAME again. A GAME is anything that replay takes.

    \b
    Examples:
      bordeaux export game.json --format judge --out history.txt
      bordeaux export games.jsonl.gz --game 3 --format text --out -
    """
    if out != "-":
        check_places({"--out": out})
    chosen = (
        game
        for number, game in enumerate(read_games(source), 1)
        if wanted is None or is_wanted(wanted, number, game.id)
    )
    game = next(chosen, None)
    if game is None:
        missing = "1" if wanted is None else wanted
        raise BordeauxError(f"{name_of(source)}: there is no game {quote(missing)} in it")
    if wanted is None and goes_on(chosen):
        report(f"{name_of(source)} has more games; this is the first, {quote(game.id)}: --game takes another")
    text = exported(game, form, board)
    if out == "-":
        click.echo(text, nl=False)
        return
    write_whole(out, text)
    phases = len(game.phases)
    value = {"written": out, "game": game.id, "phases": phases}
    print_result(as_json, value, f"written to {out}: {phases} phases of game {game.id}")


def goes_on(games: Iterator[Game]) -> bool:
    """Whether there is another game, be it damaged."""
    try:
        return next(games, None) is not None
    except BordeauxError:
        return True
