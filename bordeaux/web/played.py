"""Routes of a file of games: the results of the games that reached a node, and each of them as a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from starlette.routing import BaseRoute

from bordeaux.board.errors import FormatError, quote
from bordeaux.openings.results import PlayedGame, fates
from bordeaux.web.gamefile import YEARS, GameFile
from bordeaux.web.house import Ask, House, route
from bordeaux.web.intake import identified, read_any
from bordeaux.web.nodes import NODE
from bordeaux.web.studies import answer
from bordeaux.web.study import Missing, Study

__all__ = ["ROUTES"]

LISTED, MOST_LISTED = 20, 1000
"""Games that are listed unless told otherwise, and at most."""
NOBODY = "nobody"
"""The filter for games that nobody won alone."""


def games_of(house: House) -> GameFile:
    """The file of games given to the server. Raises Missing."""
    if house.games is None:
        raise Missing("there are no games to look up; start bordeaux analyse with --games FILE")
    return house.games


def played(house: House, ask: Ask) -> dict[str, Any]:
    """The results of the games that reached a node, for each power, and the games themselves. With ``won``
    only those with a solo of a power, or without a solo."""
    games = games_of(house)
    position = house.store.get(ask.path["study"]).position(ask.path["node"])
    text = ask.query.get("limit", str(LISTED))
    if not (text.isascii() and text.isdigit() and 0 < int(text[:5]) <= MOST_LISTED):
        raise FormatError(f"limit is a whole number from 1 to {MOST_LISTED}, not {quote(text)}")
    through = games.through(position)
    won = ask.query.get("won", "")
    victor = "" if won in ("", NOBODY) else position.map.power(won)
    chosen = [game for game in through if not won or game.victor == victor]
    return {
        "file": games.name,
        "all": len(games),
        "through": len(through),
        "years": YEARS,
        "won": dict(Counter(game.victor or NOBODY for game in through)),
        "chosen": len(chosen),
        "powers": {power: fate.to_json() for power, fate in fates(chosen, position.map).items()},
        "games": [summary(game) for game in chosen[: int(text)]],
    }


def summary(game: PlayedGame) -> dict[str, Any]:
    """A game as the page lists it."""
    return {
        "number": game.number,
        "id": game.id,
        "last": game.last,
        "won": game.victor,
        "centres": {power: count for power, count in game.centres.items() if count},
    }


def opened(house: House, ask: Ask) -> dict[str, Any]:
    """A game of the file as a study, which is saved; `at` is its node of a phase, or the first node."""
    games, text = games_of(house), ask.path["number"]
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise Missing(f"{quote(text)} is no number of a game")
    phase = ask.text("phase", "")
    data = games.document(int(text))
    read = read_any(data, name=f"{games.name}, game {int(text)}", count=False)
    study = house.store.add(identified(read.study, data))
    return {**answer(house, study), "at": node_of(study, phase)}


def node_of(study: Study, phase: str) -> str:
    """The node of the main line at a phase, or the first node."""
    line = study.main_line()
    return next((node.id for node in line if node.phase == phase), line[0].id)


ROUTES: Sequence[BaseRoute] = (
    route(f"{NODE}/games", played),
    route("/api/games/{number}", opened, ["POST"]),
)
