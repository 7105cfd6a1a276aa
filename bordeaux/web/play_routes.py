"""Routes of games against our players: begin, give orders, ask for a hint, talk, leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bordeaux.board import pieces
from bordeaux.board.errors import FormatError, quote
from bordeaux.studies.games import checked, game_of_study, new_game, own_orders
from bordeaux.studies.study import Refused
from bordeaux.web.routing import MOST_SEED, PageRoute, RouteReply, RouteRequest, ServerState
from bordeaux.web.studies import answer, games_of

PLAY = "/api/studies/{study}/play"
LAST_YEAR = 9999


def begun(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A new game, in a study of its own."""
    given = ask.table()
    players = {name: ask_text(spec) for name, spec in pieces.table(given.get("players"), "'players'").items()}
    board = pieces.named_map(given.get("map", "standard"))
    study = new_game(
        board,
        players,
        level=given.get("level", 0),
        limit=ask.limit(),
        seed=ask.whole("seed", 0, MOST_SEED) or 0,
        until=ask.whole("until", board.start_phase.year, LAST_YEAR),
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
    study = server_state.study(ask)
    game = game_of_study(study)
    if game is None:
        raise Refused(409, f"no game is played in study {study.id}; begin one")
    orders = own_orders(study, game, ask.table().get("orders") or {})
    games_of(server_state).submit(study.id, orders, game.you if ask.flag("draw") else ())
    return RouteReply.json({"phase": str(study.position(game.node).phase)}, 202)


def hinted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Note a hint, which the engine's analysis then gives."""
    return {"phase": games_of(server_state).hint(ask.path["study"])}


def said(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Send a message in plain English; returns it as understood."""
    study = server_state.study(ask)
    game = game_of_study(study)
    power = study.map.power(ask.text("power", game.you[0] if game is not None and game.you else None))
    to = [study.map.power(name) for name in pieces.string_list(ask.table().get("to"), "'to'")]
    return {"understood": games_of(server_state).say(study.id, power, to, ask.text("text"))}


def left(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The person leaves: one of our players continues, or the game ends."""
    spec, identity = ask.table().get("player"), ask.path["study"]
    games_of(server_state).leave(identity, None if spec is None else checked(ask_text(spec)))
    return answer(server_state, server_state.store.get(identity))


ROUTES: Sequence[PageRoute] = (
    PageRoute("/api/play", begun, "POST"),
    PageRoute(f"{PLAY}/submit", submitted, "POST"),
    PageRoute(f"{PLAY}/hint", hinted, "POST"),
    PageRoute(f"{PLAY}/say", said, "POST"),
    PageRoute(f"{PLAY}/leave", left, "POST"),
)
