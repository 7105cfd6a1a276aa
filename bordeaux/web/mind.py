"""Routes for information on a node: running analyses, people's orders, values, the opening book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bordeaux.board.errors import FormatError, quote
from bordeaux.web.analyses import Analyses, RunningAnalysis
from bordeaux.web.events import Event
from bordeaux.web.house import House, RouteRequest, failed, route
from bordeaux.web.lines import ask_of, history_of
from bordeaux.web.nodes import NODE
from bordeaux.web.opinions import book_of, evaluation_of, known_in_book, people_of
from bordeaux.web.study import Missing, Study

__all__ = ["ROUTES", "open_up", "warm_up"]

LINES = 5
"""The default number of sets of a power by people's net."""

_analyses: WeakKeyDictionary[House, Analyses] = WeakKeyDictionary()


def open_up(house: House) -> None:
    """Let studies show which nodes the opening book has."""
    house.book_of = book_nodes


def warm_up(house: House) -> None:
    """Start the engine's process before it is needed."""
    analyses_of(house).warm_up()


def analyses_of(house: House) -> Analyses:
    """The analyses of a house."""
    if house not in _analyses:
        _analyses[house] = Analyses(house.hub)
        house.closing.append(_analyses[house].close)
    return _analyses[house]


def book_nodes(study: Study) -> Mapping[str, bool | None]:
    """The nodes of a study that the opening book has."""
    return {name: known_in_book(study, name) for name in study.nodes}


def begun(house: House, ask: RouteRequest) -> dict[str, Any]:
    """Begin an analysis of a node."""
    study = house.store.get(ask.path["study"])
    node, body = ask.path["node"], ask.table()
    after = body.get("after")
    analysis = analyses_of(house).begin(
        ask_of(study, node, body), f"{study.id} {node}", after if isinstance(after, str) else None
    )
    return {"analysis": analysis.id}


def stopped(house: House, ask: RouteRequest) -> dict[str, Any]:
    """Ask an analysis to end."""
    analysis = known(house, ask.path["analysis"])
    analyses_of(house).stop(analysis)
    return {"analysis": analysis.id}


def known(house: House, identity: str) -> RunningAnalysis:
    """The analysis of an id. Raises Missing."""
    analysis = analyses_of(house).get(identity)
    if analysis is None:
        raise Missing(f"there is no analysis {quote(identity)} any more; begin another")
    return analysis


async def events(request: Request) -> Response:
    """The stream of an analysis, with the latest events first."""
    house: House = request.app.state.house
    try:
        analysis = known(house, request.path_params["analysis"])
    except Missing as error:
        return failed(house, error)

    def first() -> Iterator[Event]:
        yield from analysis.newest()
        if analysis.ended is not None:
            house.hub.end(analysis.id)

    return house.hub.stream(analysis.id, first)


def people(house: House, ask: RouteRequest) -> dict[str, Any]:
    """The sets of orders that people would play at a node."""
    study, node = house.store.get(ask.path["study"]), ask.path["node"]
    text = ask.query.get("lines", str(LINES))
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise FormatError(f"lines is a whole number, not {quote(text)}")
    return people_of(study.position(node), history_of(study, node), int(text))


def evaluation(house: House, ask: RouteRequest) -> dict[str, Any]:
    """The value of a node for each power."""
    return evaluation_of(house.store.get(ask.path["study"]).position(ask.path["node"]))


def book(house: House, ask: RouteRequest) -> dict[str, Any]:
    """The entries of the opening book at a node."""
    return book_of(house.store.get(ask.path["study"]), ask.path["node"])


ROUTES: Sequence[BaseRoute] = (
    route(f"{NODE}/analyses", begun, ["POST"]),
    route("/api/analyses/{analysis}/stop", stopped, ["POST"]),
    Route("/api/analyses/{analysis}/events", events, methods=["GET"]),
    route(f"{NODE}/people", people),
    route(f"{NODE}/evaluation", evaluation),
    route(f"{NODE}/book", book),
)
