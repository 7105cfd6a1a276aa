"""Routes of studies: list, create, rename, delete, set up by hand, and the server's capabilities."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bordeaux
from bordeaux.board.errors import FormatError, quote
from bordeaux.board.mapfile import known_maps
from bordeaux.board.pieces import named_map, table
from bordeaux.board.position import Position
from bordeaux.jobs import LACKS
from bordeaux.rules.rulesets import rules_named
from bordeaux.studies.details import study_details, units_told
from bordeaux.studies.games import Games, offered
from bordeaux.studies.intake import Read, Reading, study_of_position
from bordeaux.studies.saved import study_from_json, study_to_json
from bordeaux.studies.store import named
from bordeaux.studies.study import Study
from bordeaux.view.board import svg
from bordeaux.view.board.heat import HEATS
from bordeaux.web.engine_routes import known_in_book
from bordeaux.web.reviews import reviews_of
from bordeaux.web.routing import EventStream, PageRoute, RouteReply, RouteRequest, ServerState

WAYS = ("text", "state", "permalink", "start")


def games_of(server_state: ServerState) -> Games:
    """The games that are played in the studies of a server."""
    return server_state.part(Games, server_state)


def answer(server_state: ServerState, study: Study) -> dict[str, Any]:
    """A study in the form that every route returns; a game that is played in it goes on."""
    book = {name: known_in_book(study, name) for name in study.nodes}
    return study_details(study, book, games_of(server_state).told(study))


def about(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The capabilities of this server."""
    png, pillow = (importlib.util.find_spec(name) is not None for name in ("resvg_py", "PIL"))
    return {
        "version": bordeaux.__version__,
        "maps": list(known_maps()),
        "heats": list(HEATS),
        "players": offered(),
        "png": png,
        "gif": png and pillow,
        "games": None if server_state.games is None else server_state.games.name,
        "lacks": dict(LACKS),
    }


def listed(server_state: ServerState, ask: RouteRequest) -> list[dict[str, Any]]:
    """All studies, the newest first."""
    return server_state.store.listed()


def created(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A new study from the body."""
    given = ask.table()
    ways = [way for way in WAYS if given.get(way)]
    if len(ways) != 1:
        made_of = f"a new study is made of one of {', '.join(WAYS)}"
        raise FormatError(f"{made_of}; this request has {len(ways)} of them")
    read = _read(server_state, ask, ways[0], named(ask.text("name", "")))
    study = server_state.store.add(read.study)
    return {**answer(server_state, study), **({"games": read.games} if read.games else {})}


def _read(server_state: ServerState, ask: RouteRequest, way: str, name: str) -> Read:
    given = ask.table()
    board = named_map(given["map"]) if given.get("map") is not None else None
    if way == "text":
        index = given.get("index", 0)
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            raise FormatError(f"'index' is the number of a game, from 0 on, not {quote(index)}")
        return server_state.readings.read(Reading(ask.text("text"), board, index, name))
    if way == "permalink":
        return server_state.readings.read(Reading(ask.text("permalink"), name=name, link=True))
    if way == "state":
        position = Position.from_json(table(given["state"], "a position"), board)
    else:
        position = Position.start(board)
    return Read(study_of_position(position, name), 0)


def shown(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A study."""
    return answer(server_state, server_state.study(ask))


def renamed(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Change the name of a study, or the rules for future orders."""
    given, changes = ask.table(), dict[str, Any]()
    if "name" in given:
        changes["name"] = named(ask.text("name"))
        if not changes["name"]:
            raise FormatError("the name of a study must not be empty")
    if "rules" in given:
        changes["rules"] = rules_named(ask.text("rules")).name
    if not changes:
        raise FormatError("give a 'name' or 'rules'")
    study = server_state.change(ask.path["study"], lambda old: replace(old, **changes), ask.version)
    return answer(server_state, study)


def deleted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Delete a study and inform its listeners."""
    identity = ask.path["study"]
    server_state.store.delete(identity)
    games_of(server_state).give_up(identity)
    reviews_of(server_state).give_up(identity)
    server_state.hub.publish(identity, "deleted", {})
    server_state.hub.end(identity)
    return {"deleted": identity}


def all_saved(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """All studies that can be read, by id, as one file."""
    store = server_state.store
    readable = [head["id"] for head in store.listed() if "error" not in head]
    reply = RouteReply.json({"studies": {each: study_to_json(store.get(each)) for each in readable}})
    return reply._replace(headers={"Content-Disposition": 'attachment; filename="bordeaux-studies.json"'})


def all_added(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Add the studies of such a file, all or none; those that are there stay as they are."""
    given = table(ask.table().get("studies"), "the studies of a file")
    read = [study_from_json(identity, data) for identity, data in given.items()]
    new = [study for study in read if not server_state.store.has(study.id)]
    return {"added": [server_state.store.add(study).id for study in new], "there": len(read) - len(new)}


def events(server_state: ServerState, ask: RouteRequest) -> EventStream:
    """The stream of a study's events."""
    identity = server_state.study(ask).id
    return EventStream(identity, lambda: [("changed", {"version": server_state.store.get(identity).version})])


def given(server_state: ServerState, ask: RouteRequest) -> Position:
    """The position of a request, on the map of its study. Raises BordeauxError for an impossible one."""
    board = server_state.study(ask).map
    return Position.from_json(table(ask.table().get("state"), "a position"), board)


def examined(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A state, completed, with its picture."""
    position = given(server_state, ask)
    return {
        "state": position.to_json(),
        "units": list(units_told(position)),
        "owners": position.owner_of,
        "svg": svg(position, style="bare"),
    }


def studied(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A new study from a state."""
    position, map_text = given(server_state, ask), server_state.study(ask).map_text
    study = study_of_position(position, named(ask.text("name", "")), map_text)
    return answer(server_state, server_state.store.add(study))


ROUTES: Sequence[PageRoute] = (
    PageRoute("/api/about", about),
    PageRoute("/api/studies", listed),
    PageRoute("/api/studies", created, "POST"),
    PageRoute("/api/studies.json", all_saved),
    PageRoute("/api/studies.json", all_added, "POST"),
    PageRoute("/api/studies/{study}", shown),
    PageRoute("/api/studies/{study}", renamed, "PATCH"),
    PageRoute("/api/studies/{study}", deleted, "DELETE"),
    PageRoute("/api/studies/{study}/events", events),
    PageRoute("/api/studies/{study}/position", examined, "POST"),
    PageRoute("/api/studies/{study}/position/study", studied, "POST"),
)
