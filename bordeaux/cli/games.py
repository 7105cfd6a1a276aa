"""Options of the commands that play games: players, thinking time, end of a game."""

from __future__ import annotations

from collections.abc import Sequence

import click

from bordeaux.arena import player_specs
from bordeaux.board.map import Map
from bordeaux.cli.options import count_option, joined, limit_options, seed_option
from bordeaux.players.base import Limit
from bordeaux.players.spec import parse_list
from bordeaux.press.language.levels import LEVELS, NO_PRESS

DEFAULT_SECONDS = 0.2
LAST_YEAR = 1935
STALE_YEARS = 5
LATEST = 9998
STANDARD = "standard"


game_options = joined(
    limit_options(
        f"Seconds for a player and phase; {DEFAULT_SECONDS} without --nodes.",
        "Nodes of a player's search in a phase.",
    ),
    count_option("--until", between=(1, LATEST), default=LAST_YEAR, metavar="YEAR", help="The last year."),
    count_option(
        "--stale",
        between=(0, LATEST),
        default=STALE_YEARS,
        help="End a game when no centre changes hands for N years; 0: never.",
    ),
    seed_option("Seed of random choices."),
    click.option(
        "--map",
        "map",
        metavar="NAME|FILE",
        default=STANDARD,
        help="The map: a bundled one or a map file.  [default: standard]",
    ),
    click.option(
        "--level",
        type=click.Choice([str(level) for level in LEVELS]),
        default=str(NO_PRESS),
        metavar="N",
        callback=lambda context, parameter, text: int(text),
        help="What players may say to each other, not how strong they play: 0, 10, ... 130 or 8000."
        "  [default: 0, nothing]",
    ),
)
"""Add --time, --nodes, --until, --stale, --seed, --map and --level; the command gets the name of the map."""


def limit_of(time: float | None, nodes: int | None) -> Limit:
    """The limit of a player for a phase."""
    return Limit(DEFAULT_SECONDS if time is None and nodes is None else time, nodes)


def table_map(name: str, until: int) -> Map:
    """The map of a name. Raises MapError, and BordeauxError if the game cannot end by that year."""
    board = Map.load(name)
    board.check_end(until, "--until")
    return board


def players_of(texts: Sequence[str]) -> list[str]:
    """The specs in lists of players, checked. Raises BordeauxError."""
    specs = [spec for text in texts for spec in parse_list(text)]
    for spec in dict.fromkeys(specs):
        player_specs.check(spec)
    return specs
