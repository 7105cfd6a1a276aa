"""Routes of games against our players: begin, give orders, ask for a hint, talk, leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from bordeaux.board import pieces
from bordeaux.board.errors import FormatError, quote
from bordeaux.studies.games import Games, checked, game_of_study, new_game, offered, own_orders
from bordeaux.studies.study import Refused
from bordeaux.web.engine_input import MOST_SEED, limit_of, whole
from bordeaux.web.routing import PageRoute, RouteReply, RouteRequest, ServerState, route
from bordeaux.web.studies import answer

PLAY = "/api/studies/{study}/play"
LAST_YEAR = 9999

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


def begun(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A new game, in a study of its own."""
    given = ask.table()
    players = {name: ask_text(spec) for name, spec in pieces.table(given.get("players"), "'players'").items()}
    board = pieces.named_map(given.get("map", "standard"))
    study = new_game(
        board,
        players,
        level=given.get("level", 0),
        limit=limit_of(given),
        seed=whole(given, "seed", 0, MOST_SEED) or 0,
        until=whole(given, "until", board.start_phase.year, LAST_YEAR),
        name=ask.text("name", ""),
    )
    return answer(server_state, server_state.store.add(study))


def ask_text(value: object) -> str:
    """A player's spec from a request. Raises FormatError."""
    if not isinstance(value, str) or not value:
        raise FormatError(f"a player is named by a text like 'dumbbot', not {quote(value)}")
    return value


def submitted(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """Take the person's orders for a phase."""
    identity, given = ask.path["study"], ask.table()
    study = server_state.store.get(identity)
    game = game_of_study(study)
    if game is None:
        raise Refused(409, f"no game is played in study {identity}; begin one")
    position = study.position(game.node)
    orders = own_orders(study, game, given.get("orders") or {})
    draw = given.get("draw", False)
    if not isinstance(draw, bool):
        raise FormatError(f"'draw' must be true or false, not {quote(draw)}")
    games_of(server_state).submit(identity, orders, game.you if draw else ())
    return RouteReply.json({"phase": str(position.phase)}, 202)


def hinted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Note a hint, which the engine's analysis then gives."""
    return {"phase": games_of(server_state).hint(ask.path["study"])}


def said(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Send a message in plain English; returns it as understood."""
    study = server_state.store.get(ask.path["study"])
    game = game_of_study(study)
    power = study.map.power(ask.text("power", game.you[0] if game is not None and game.you else None))
    to = [study.map.power(name) for name in pieces.string_list(ask.table().get("to"), "'to'")]
    text = ask.text("text")
    return {"understood": games_of(server_state).say(study.id, power, to, text)}


def left(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The person leaves: one of our players continues, or the game ends."""
    spec = ask.table().get("player")
    identity = ask.path["study"]
    games_of(server_state).leave(identity, None if spec is None else checked(ask_text(spec)))
    return answer(server_state, server_state.store.get(identity))


ROUTES: Sequence[PageRoute] = (
    route("/api/play", begun, ["POST"]),
    route(f"{PLAY}/submit", submitted, ["POST"]),
    route(f"{PLAY}/hint", hinted, ["POST"]),
    route(f"{PLAY}/say", said, ["POST"]),
    route(f"{PLAY}/leave", left, ["POST"]),
)
