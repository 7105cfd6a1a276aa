"""Better orders by the user: a person's orders in a phase, compared with the played ones."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.engine import Limit
from bordeaux.jobs import gentle
from bordeaux.jobs.background import GivenUp, background
from bordeaux.review.comparison import Attempt, Weighed, weighed
from bordeaux.studies.orders import history_of, legal_set
from bordeaux.studies.study import Refused
from bordeaux.web.engine_input import limit_of
from bordeaux.web.routing import NODE, PageRoute, RouteRequest, ServerState

SECONDS, LONGEST = 1.0, 30.0
"""The default and the maximum number of seconds of the search, for which a person waits."""
PATIENCE = 120.0
NICENESS = 5
NAMED = {
    "try": "your try",
    "played": "what was played",
    "better": "the review’s orders",
    "": "the engine’s orders",
}
"""The compared sets; of equal sets the first name is kept, and the last one has those of a search."""


def weigh(attempt: Attempt) -> list[Weighed]:
    """Evaluate an attempt in this process. Raises what `weighed` raises."""
    gentle(NICENESS)
    return weighed(attempt)


def tried(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Evaluate the orders of a request: a person's `try`, the `played` ones, and the known `better` ones.
    Raises Refused if it takes too long."""
    study, node, given = server_state.study(ask), ask.path["node"], ask.table()
    position, power = study.position(node), study.map.power(ask.text("power"))
    if power not in position.orderable():
        nothing = f"{power} has nothing to order in {position.phase}"
        raise BordeauxError(f"{nothing}; choose another power or phase")
    sets = {
        name: legal_set(position, power, given[name], name, lenient=name != "try")
        for name in filter(None, NAMED)
        if given.get(name) is not None
    }
    if "try" not in sets:
        raise FormatError("'try' has the orders to be weighed: a list of texts")
    limit = limit_of(given)
    if limit == Limit():
        limit = Limit(SECONDS)
    if (limit.time or 0) > LONGEST:
        raise FormatError(f"'time' is at most {LONGEST:g} seconds here")
    ends = monotonic() + PATIENCE
    room = server_state.part(background, weigh)
    try:
        answer: list[Weighed] = room.answer(
            Attempt(position, power, sets, history_of(study, node), limit), stop=lambda: monotonic() > ends
        )
    except GivenUp:
        raise Refused(503, "the engine is busy with other orders; try again") from None
    told = [{**one._asdict(), "orders": list(one.orders), "told": NAMED[one.name]} for one in answer]
    return {"power": power, "sets": told}


ROUTES: Sequence[PageRoute] = (PageRoute(f"{NODE}/try", tried, "POST"),)
