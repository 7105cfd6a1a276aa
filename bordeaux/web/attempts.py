"""Better orders by the user: a person's orders in a phase, compared with the played ones."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.engine import Limit
from bordeaux.jobs import gentle
from bordeaux.jobs.background import BackgroundRoom, GivenUp, background
from bordeaux.review.comparison import Attempt, Weighed, weighed
from bordeaux.studies.orders import history_of, legal_set
from bordeaux.studies.study import Refused
from bordeaux.web.engine_input import limit_of
from bordeaux.web.nodes import NODE
from bordeaux.web.routing import PageRoute, RouteRequest, ServerState, route

SECONDS, LONGEST = 1.0, 30.0
"""The default and the maximum number of seconds of the search, for which a person waits."""
PATIENCE = 120.0
NICENESS = 5
SETS = ("try", "played", "better")
"""The compared sets; of equal sets the first name is kept."""
NAMED = {
    "try": "your try",
    "played": "what was played",
    "better": "the review’s orders",
    "": "the engine’s orders",
}


def weigh(attempt: Attempt) -> list[Weighed]:
    """Evaluate an attempt in this process. Raises what `weighed` raises."""
    gentle(NICENESS)
    return weighed(attempt)


_rooms: WeakKeyDictionary[ServerState, BackgroundRoom] = WeakKeyDictionary()


def open_up(server_state: ServerState) -> None:
    """Create the process for the attempts of a server, and end it with the server."""
    _rooms[server_state] = background(weigh)
    server_state.closing.append(_rooms[server_state].close)


def tried(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Evaluate the orders of a request: a person's `try`, the `played` ones, and the known `better` ones."""
    study, node, given = server_state.store.get(ask.path["study"]), ask.path["node"], ask.table()
    position, power = study.position(node), study.map.power(ask.text("power"))
    if power not in position.orderable():
        raise BordeauxError(
            f"{power} has nothing to order in {position.phase}; choose another power or phase"
        )
    sets = {
        name: legal_set(position, power, given[name], name, lenient=name != "try")
        for name in SETS
        if given.get(name) is not None
    }
    if "try" not in sets:
        raise FormatError("'try' has the orders to be weighed: a list of texts")
    limit = limit_of(given)
    if limit.time is None and limit.nodes is None:
        limit = Limit(SECONDS)
    if (limit.time or 0) > LONGEST:
        raise FormatError(f"'time' is at most {LONGEST:g} seconds here")
    answer = done(_rooms[server_state], Attempt(position, power, sets, history_of(study, node), limit))
    return {
        "power": power,
        "sets": [
            {**attempt._asdict(), "orders": list(attempt.orders), "told": NAMED[attempt.name]}
            for attempt in answer
        ],
    }


def done(room: BackgroundRoom, attempt: Attempt) -> list[Weighed]:
    """Evaluate an attempt in a room's process. Raises what that raises, and Refused if it takes too long."""
    ends = monotonic() + PATIENCE
    try:
        weighed_sets: list[Weighed] = room.answer(attempt, stop=lambda: monotonic() > ends)
    except GivenUp:
        raise Refused(503, "the engine is busy with other orders; try again") from None
    return weighed_sets


ROUTES: Sequence[PageRoute] = (route(f"{NODE}/try", tried, ["POST"]),)
