"""Routes of a file of games: the results of the games that reached a node, and each of them as a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bordeaux.board.errors import FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.openings.results import PlayedGame, fates, fates_by_set
from bordeaux.studies.intake import identified, read_any
from bordeaux.studies.study import Missing
from bordeaux.web.recorded_games import GameFile
from bordeaux.web.routing import NODE, PageRoute, RouteRequest, ServerState
from bordeaux.web.studies import answer

LISTED, MOST_LISTED = 20, 1000
"""The default and the maximum number of listed games."""
SETS = 20
"""Sets of orders of a power that are listed, the most played ones."""
NOBODY = "nobody"
"""The filter for games without a solo."""
LARGEST = 999_999
"""The largest number in a filter."""
RESULTS: Mapping[str, Callable[[PlayedGame, str], bool]] = {
    "": lambda game, power: True,
    "solo": lambda game, power: game.victor == power,
    "survived": lambda game, power: game.centres.get(power, 0) > 0,
    "eliminated": lambda game, power: not game.centres.get(power, 0),
}
"""Possible results of a power in a game."""


def games_of(server_state: ServerState) -> GameFile:
    """The file of games given to the server. Raises Missing, and FormatError if it cannot be read."""
    if server_state.games is None:
        raise Missing("there are no games to look up; start bordeaux analyse with --games FILE")
    if server_state.games.fault:
        raise FormatError(server_state.games.fault)
    return server_state.games


def filter_of(ask: RouteRequest, board: Map) -> Callable[[PlayedGame], bool]:
    """What holds for the games that a request wants. In its query there may be `won` (a solo of a power, or
    NOBODY), a `power` with a `result` (of RESULTS) and `least` to `most` centres at the end, and the years
    `since` to `until` of the end. Raises FormatError and MapError for invalid conditions."""
    won, power, result = (ask.query.get(name, "") for name in ("won", "power", "result"))
    least, most, since, until = (
        ask.number(name, 0, LARGEST) if ask.query.get(name) else None
        for name in ("least", "most", "since", "until")
    )
    if result not in RESULTS:
        raise FormatError(f"result is one of {', '.join(filter(None, RESULTS))}, not {quote(result)}")
    if not power and (result or least is not None or most is not None):
        raise FormatError("result, least and most are those of a power; name it as well")
    won, power = won if won in ("", NOBODY) else board.power(won), board.power(power) if power else ""

    def holds(game: PlayedGame) -> bool:
        year = year_of(game)
        if won and (game.victor or NOBODY) != won:
            return False
        if (since or until) and (year is None or not within(year, since, until)):
            return False
        count = game.centres.get(power, 0)
        return not power or (RESULTS[result](game, power) and within(count, least, most))

    return holds


def within(number: int, least: int | None, most: int | None) -> bool:
    """Whether a number lies within bounds, where None is no bound."""
    return (least is None or number >= least) and (most is None or number <= most)


def year_of(game: PlayedGame) -> int | None:
    """The year in which a game ended."""
    year = game.last[1:5]
    return int(year) if year.isascii() and year.isdigit() else None


def played(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The results of the games that reached a node and pass the filter of the query, for each power, what
    each played next with its results, and the games themselves. Until the file is read only the number of
    games so far."""
    games, position = games_of(server_state), server_state.position(ask)
    limit, wanted = ask.number("limit", 1, MOST_LISTED) or LISTED, filter_of(ask, position.map)
    if not games.ready:
        return {"file": games.name, "reading": len(games)}
    through = games.through(position)
    chosen = [game for game in through if wanted(game)]
    years = [year for game in through if (year := year_of(game)) is not None]
    return {
        "file": games.name,
        "all": len(games),
        "through": len(through),
        "years": [min(years), max(years)] if years else None,
        "won": dict(Counter(game.victor or NOBODY for game in through)),
        "chosen": len(chosen),
        "powers": {power: fate.to_json() for power, fate in fates(chosen, position.map).items()},
        "next": {
            power: sets for power in position.map.powers if (sets := played_next(chosen, position, power))
        },
        "games": [summary(game) for game in chosen[:limit]],
    }


def played_next(games: Sequence[PlayedGame], position: Position, power: str) -> list[dict[str, Any]]:
    """What a power played in games at a position, the most played first: the orders, and its results after
    them; `part` is their share of the games in which it gave orders."""
    by_set = fates_by_set(games, position, power)
    count = sum(named[power].games for named in by_set.values())
    return [
        {"orders": list(orders), "part": named[power].games / count, **named[power].to_json()}
        for orders, named in list(by_set.items())[:SETS]
    ]


def summary(game: PlayedGame) -> dict[str, Any]:
    """A game in the page's list."""
    centres = {power: count for power, count in game.centres.items() if count}
    told = {"number": game.number, "id": game.id, "last": game.last, "won": game.victor}
    return {**told, "centres": centres}


def opened(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A game of the file as a study, which is saved; `at` is its node of a phase, or the first node."""
    games, text = games_of(server_state), ask.path["number"]
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise Missing(f"{quote(text)} is no number of a game")
    phase = ask.text("phase", "")
    data = games.document(int(text))
    read = read_any(data, name=f"{games.name}, game {int(text)}", count=False)
    study = server_state.store.add(identified(read.study, data))
    line = study.main_line()
    at = next((node.id for node in line if node.phase == phase), line[0].id)
    return {**answer(server_state, study), "at": at}


ROUTES: Sequence[PageRoute] = (
    PageRoute(f"{NODE}/games", played),
    PageRoute("/api/games/{number}", opened, "POST"),
)
