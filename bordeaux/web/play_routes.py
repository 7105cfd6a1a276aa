"""Routes of games against our players: begin, give orders, talk, leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from starlette.responses import Response
from starlette.routing import BaseRoute

from bordeaux.board import pieces
from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.players import limits, registry
from bordeaux.press.language.levels import FREE_TEXT, LEVELS
from bordeaux.protocols.loopback import Json
from bordeaux.studies.games import Games, StudyGame, game_of_study, opened
from bordeaux.studies.intake import study_of_position
from bordeaux.studies.store import named
from bordeaux.studies.study import Refused
from bordeaux.studies.table import YOU
from bordeaux.web.engine_input import MOST_SEED, limit_of, whole
from bordeaux.web.nodes import given_orders
from bordeaux.web.routing import RouteRequest, ServerState, route
from bordeaux.web.studies import answer

__all__ = ["ROUTES", "open_up"]

PLAY = "/api/studies/{study}/play"
SECONDS = 1.0
"""The default number of seconds that players have for a phase."""
LONGEST_SAID = 1000
LAST_YEAR = 9999
NAMED = "bordeaux"
"""The player that has levels of strength."""

_games: WeakKeyDictionary[ServerState, Games] = WeakKeyDictionary()


def open_up(server_state: ServerState) -> None:
    """Let games continue when the page asks for them, and end their players with the server."""
    server_state.play_of = games_of(server_state).told
    server_state.players = offered


def games_of(server_state: ServerState) -> Games:
    """The games of a server."""
    if server_state not in _games:
        _games[server_state] = Games(server_state)
        server_state.closing.append(_games[server_state].close)
        server_state.leaving.append(_games[server_state].give_up)
    return _games[server_state]


def checked(spec: str) -> str:
    """A player's spec. Raises BordeauxError if not everybody may ask for it, or if it cannot be made."""
    registry.admitted(spec)
    registry.check(spec)
    return spec


def offered() -> list[dict[str, str]]:
    """The players that the page offers, each with its name and a description: levels of the engine, the
    strongest first, then all others by their specs."""
    opponents = [
        {
            "spec": NAMED if level.number == limits.FULL else f"{NAMED}:level={level.number}",
            "name": level.name,
            "told": level.line,
        }
        for level in reversed(limits.LEVELS)
    ]
    others = (name for name in registry.open_names() if name != NAMED)
    return opponents + [{"spec": name, "name": name, "told": registry.describe(name)} for name in others]


def begun(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A new game, in a study of its own."""
    given = ask.table()
    board = pieces.named_map(given.get("map", "standard"))
    players = {
        board.power(name): ask_text(spec)
        for name, spec in pieces.table(given.get("players"), "'players'").items()
    }
    missing = [power for power in board.powers if power not in players]
    if missing:
        raise FormatError(
            f"'players' names nobody for {', '.join(missing)}; each power needs a player or 'you'"
        )
    if YOU not in players.values():
        raise FormatError("'players' has no 'you'; to watch programs play use bordeaux play")
    players = {power: players[power] for power in board.powers}
    for spec in set(players.values()) - {YOU}:
        checked(spec)
    level = given.get("level", 0)
    if level not in LEVELS or isinstance(level, bool) or level == FREE_TEXT:
        known = ", ".join(str(level) for level in LEVELS if level != FREE_TEXT)
        raise FormatError(f"'level' must be one of {known}, not {quote(level)}")
    limit = limit_of(given)
    if limit.time is None and limit.nodes is None:
        limit = limit._replace(time=SECONDS)
    start = Position.start(board)
    game = StudyGame(
        players,
        whole(given, "seed", 0, MOST_SEED) or 0,
        limit.time,
        limit.nodes,
        level,
        whole(given, "until", start.phase.year, LAST_YEAR),
    )
    you = " and ".join(power.capitalize() for power in game.you)
    study = study_of_position(start, named(ask.text("name", f"You as {you}")))
    # The id is known only when the study is kept, and seeds nothing.
    study = replace(study, play=opened(study, replace(game, node=study.root.id)).to_json())
    return answer(server_state, server_state.store.add(study))


def ask_text(value: object) -> str:
    """A player's spec from a request. Raises FormatError."""
    if not isinstance(value, str) or not value:
        raise FormatError(f"a player is named by a text like 'dumbbot', not {quote(value)}")
    return value


def submitted(server_state: ServerState, ask: RouteRequest) -> Response:
    """Take the person's orders for a phase."""
    identity, given = ask.path["study"], ask.table()
    study = server_state.store.get(identity)
    game = game_of_study(study)
    if game is None:
        raise Refused(409, f"no game is played in study {identity}; begin one")
    position = study.position(game.node)
    orders = given_orders(position, given.get("orders") or {})
    for power in orders:
        if power not in game.you:
            raise BordeauxError(f"{power} is not yours in this game")
    for submitted in submit(position, orders).orders:
        if submitted.fault:
            raise OrderError(
                f"{submitted.power}: {submitted.order} is illegal in {position.phase}: {submitted.fault}"
            )
    draw = given.get("draw", False)
    if not isinstance(draw, bool):
        raise FormatError(f"'draw' must be true or false, not {quote(draw)}")
    games_of(server_state).submit(identity, orders, game.you if draw else ())
    return Json({"phase": str(position.phase)}, 202)


def said(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Send a message in plain English; returns it as understood."""
    study = server_state.store.get(ask.path["study"])
    game = game_of_study(study)
    power = study.map.power(ask.text("power", game.you[0] if game is not None and game.you else None))
    to = [study.map.power(name) for name in pieces.string_list(ask.table().get("to"), "'to'")]
    text = ask.text("text")
    if len(text) > LONGEST_SAID:
        raise FormatError(f"a message has at most {LONGEST_SAID} characters, not {len(text)}; shorten it")
    return {"understood": games_of(server_state).say(study.id, power, to, text)}


def left(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The person leaves: one of our players continues, or the game ends."""
    spec = ask.table().get("player")
    identity = ask.path["study"]
    games_of(server_state).leave(identity, None if spec is None else checked(ask_text(spec)))
    return answer(server_state, server_state.store.get(identity))


ROUTES: Sequence[BaseRoute] = (
    route("/api/play", begun, ["POST"]),
    route(f"{PLAY}/submit", submitted, ["POST"]),
    route(f"{PLAY}/say", said, ["POST"]),
    route(f"{PLAY}/leave", left, ["POST"]),
)
