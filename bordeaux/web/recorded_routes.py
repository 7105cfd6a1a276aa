"""Routes of a file of games: the results of the games that reached a node, and each of them as a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from bordeaux.board.errors import FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.openings.results import PlayedGame, fates, fates_by_set
from bordeaux.studies.intake import identified, read_any
from bordeaux.studies.study import Missing, Study
from bordeaux.web.nodes import NODE
from bordeaux.web.recorded_games import GameFile
from bordeaux.web.routing import PageRoute, RouteRequest, ServerState, route
from bordeaux.web.studies import answer

LISTED, MOST_LISTED = 20, 1000
"""The default and the maximum number of listed games."""
SETS = 20
"""Sets of orders of a power that are listed, the most played ones."""
NOBODY = "nobody"
"""The filter for games without a solo."""
LONGEST = 6
"""Digits of a number in a filter."""


def games_of(server_state: ServerState) -> GameFile:
    """The file of games given to the server. Raises Missing, and FormatError if it cannot be read."""
    if server_state.games is None:
        raise Missing("there are no games to look up; start bordeaux analyse with --games FILE")
    if server_state.games.fault:
        raise FormatError(server_state.games.fault)
    return server_state.games


class Filter(NamedTuple):
    """The conditions for listed games: a solo of `won`, a power, or NOBODY; a `result` (of RESULTS) of
    `power`, with `least` to `most` centres at the end; an end in the years `since` to `until`. "" and None
    are no condition."""

    won: str = ""
    power: str = ""
    result: str = ""
    least: int | None = None
    most: int | None = None
    since: int | None = None
    until: int | None = None

    def holds(self, game: PlayedGame) -> bool:
        """Whether a game meets the conditions."""
        if self.won and (game.victor or NOBODY) != self.won:
            return False
        year = year_of(game)
        if (self.since or self.until) and (year is None or not _within(year, self.since, self.until)):
            return False
        if not self.power:
            return True
        count = game.centres.get(self.power, 0)
        return RESULTS[self.result](game, self.power) and _within(count, self.least, self.most)


RESULTS: Mapping[str, Callable[[PlayedGame, str], bool]] = {
    "": lambda game, power: True,
    "solo": lambda game, power: game.victor == power,
    "survived": lambda game, power: game.centres.get(power, 0) > 0,
    "eliminated": lambda game, power: not game.centres.get(power, 0),
}
"""Possible results of a power in a game."""


def _within(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)


def year_of(game: PlayedGame) -> int | None:
    """The year in which a game ended."""
    return _digits(game.last[1:5], 4)


def filter_of(query: Mapping[str, str], board: Map) -> Filter:
    """The filter in a request. Raises FormatError and MapError for invalid conditions."""
    won, power, result = (query.get(name, "") for name in ("won", "power", "result"))
    if result not in RESULTS:
        raise FormatError(f"result is one of {', '.join(filter(None, RESULTS))}, not {quote(result)}")
    numbers = {name: _number(query, name) for name in ("least", "most", "since", "until")}
    if not power and (result or numbers["least"] is not None or numbers["most"] is not None):
        raise FormatError("result, least and most are those of a power; name it as well")
    return Filter(
        won if won in ("", NOBODY) else board.power(won),
        board.power(power) if power else "",
        result,
        **numbers,
    )


def _number(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name, "")
    number = _digits(text, LONGEST)
    if text and number is None:
        raise FormatError(f"{name} is a whole number of at most {LONGEST} digits, not {quote(text)}")
    return number


def _digits(text: str, most: int) -> int | None:
    """The number that `most` digits or fewer write, None for other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most else None


def played(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The results of the games that reached a node and pass a `Filter`, whose fields are in the query, for
    each power, what each played next with its results, and the games themselves. Until the file is read only
    the number of games so far."""
    games = games_of(server_state)
    position = server_state.store.get(ask.path["study"]).position(ask.path["node"])
    text = ask.query.get("limit", str(LISTED))
    limit = _digits(text, 5)
    if limit is None or not 0 < limit <= MOST_LISTED:
        raise FormatError(f"limit is a whole number from 1 to {MOST_LISTED}, not {quote(text)}")
    wanted = filter_of(ask.query, position.map)
    if not games.ready:
        return {"file": games.name, "reading": len(games)}
    through = games.through(position)
    chosen = [game for game in through if wanted.holds(game)]
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
    return {
        "number": game.number,
        "id": game.id,
        "last": game.last,
        "won": game.victor,
        "centres": {power: count for power, count in game.centres.items() if count},
    }


def opened(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A game of the file as a study, which is saved; `at` is its node of a phase, or the first node."""
    games, text = games_of(server_state), ask.path["number"]
    number = _digits(text, 11)
    if number is None:
        raise Missing(f"{quote(text)} is no number of a game")
    phase = ask.text("phase", "")
    data = games.document(number)
    read = read_any(data, name=f"{games.name}, game {number}", count=False)
    study = server_state.store.add(identified(read.study, data))
    return {**answer(server_state, study), "at": node_of(study, phase)}


def node_of(study: Study, phase: str) -> str:
    """The node of the main line at a phase, or the first node."""
    line = study.main_line()
    return next((node.id for node in line if node.phase == phase), line[0].id)


ROUTES: Sequence[PageRoute] = (
    route(f"{NODE}/games", played),
    route("/api/games/{number}", opened, ["POST"]),
)
