"""Routes for what the engine, people's net and the opening book say of a node, with and without a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import Any

from bordeaux.board import pieces
from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.position import Position
from bordeaux.engine import Agreement, Request
from bordeaux.evaluation import evaluate, prospect
from bordeaux.evaluation.prospect import expected_shares
from bordeaux.openings.book import Book, standard_book
from bordeaux.openings.canonical import canonical
from bordeaux.openings.names import alliances_of, entry_to_json, name_of
from bordeaux.rules.rulesets import rules_named
from bordeaux.search.config import LEARNT, SEARCHES
from bordeaux.search.task import LINES
from bordeaux.studies.orders import history_of, people_of
from bordeaux.studies.study import Missing, Study
from bordeaux.web.analyses import Analyses, RunningAnalysis, SearchAsk
from bordeaux.web.events import Event
from bordeaux.web.routing import NODE, EventStream, PageRoute, RouteRequest, ServerState

YEARS = 3
"""Years after which no position is looked up in the book, which ends before."""
COURSE = 4096
"""Positions whose expected shares are kept."""
PEOPLE = 5
"""The default number of sets of a power by people's net."""
MOST_LINES = 50
"""Lines of a search for a power."""


def evaluation(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The value of a node for each power: points, and the prospect from recorded games (expected
    share of squares of centres, and probability of a solo)."""
    position = server_state.position(ask)
    expected = prospect(position)
    return {
        "powers": {
            power: {
                "value": value.value,
                "expect": {"square": expected[power].share, "solo": expected[power].solo},
            }
            for power, value in evaluate(position).items()
        }
    }


def known_in_book(study: Study, node: str) -> bool:
    """Whether the book has the position of a node. Raises Missing."""
    book = standard_book()
    if book.map is not study.map:
        return False
    phase, first = study.node(node).phase, study.map.start_phase.year
    return phase[1:5].isdigit() and int(phase[1:5]) < first + YEARS and study.position(node) in book


def book(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The entries of the opening book at a node. For each power there are its sets, the most played first,
    with names, counts and results. There are also the names of the orders of several powers on the way here,
    and where the line has left the book (None if it has not)."""
    position, line, known = server_state.position(ask), server_state.study(ask), standard_book()
    if known.map is not position.map:
        return {"powers": {}, "exact": False, "left": None, "names": []}
    entries_by_power = {power: known.entries(position, power) for power in position.map.powers}
    powers = {
        power: [entry_to_json(position, power, entry) for entry in entries]
        for power, entries in entries_by_power.items()
        if entries
    }
    return {
        "powers": powers,
        "exact": position in known,
        "left": left_of(line, ask.path["node"], known),
        "names": names_on_the_way(line, ask.path["node"]),
    }


def left_of(study: Study, node: str, book: Book) -> dict[str, Any] | None:
    """Where the line to a node first left the book; None if it is in the book. The reason is either a set
    that is not in the book, with the powers that played one, or a phase that the book does not have. In the
    second case no power is named."""
    for parent, child in pairwise(study.line(node)):
        position = study.position(parent.id)
        if position.phase.kind == "R":
            continue
        strayed, known = [], False
        for power in position.orderable():
            sets = {entry.orders for entry in book.entries(position, power)}
            known |= bool(sets)
            if sets and child.orders.get(power):
                played: tuple[str, ...] = ()
                with suppress(BordeauxError):
                    played = canonical(position, power, child.orders[power])
                strayed += [power] * (played not in sets)
        if strayed or not known:
            left: dict[str, Any] = {"node": parent.id, "phase": parent.phase, "powers": strayed}
            return {**left, "power": strayed[0]} if strayed else left
    return None


def names_on_the_way(study: Study, node: str) -> list[str]:
    """The names of the first orders of the line: of each power, and of several together."""
    line = study.line(node)
    if len(line) < 2 or study.position(line[0].id) != Position.start():
        return []
    names = []
    with suppress(BordeauxError):
        for power, orders in line[1].orders.items():
            if (name := name_of(power, orders)) is not None:
                names.append(f"{power}: {name}")
        names += alliances_of(line[1].orders)
    return names


def analyses_of(server_state: ServerState) -> Analyses:
    """The analyses of a server."""
    return server_state.part(Analyses, server_state.hub)


def ask_of(study: Study, node: str, ask: RouteRequest) -> SearchAsk:
    """The search that the page requests at a node; see the API. Raises BordeauxError."""
    body, history = ask.table(), history_of(study, node)
    powers, agreements = body.get("powers"), body.get("agreements") or []
    if not isinstance(agreements, list):
        raise FormatError(f"'agreements' must be a list of objects, not {quote(agreements)}")
    request = Request(
        study.position(node),
        () if powers is None else tuple(pieces.string_list(powers, "'powers'")),
        ask.limit(),
        previous=history[-1][1] if history else {},
        given=pieces.power_lists(body.get("given") or {}, "'given'", study.map),
        agreements=[Agreement.from_json(agreement) for agreement in agreements],
        rules=rules_named(study.rules),
        lines=ask.whole("lines", 1, MOST_LINES) or LINES,
    )
    search = body.get("search", LEARNT)
    if not isinstance(search, str) or search not in SEARCHES:
        raise FormatError(f"'search' must be {' or '.join(SEARCHES)}, not {quote(search)}")
    return SearchAsk(request, history, search)


def begun(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Begin an analysis of a node."""
    study, node, body = server_state.study(ask), ask.path["node"], ask.table()
    after = body.get("after")
    analysis = analyses_of(server_state).begin(
        ask_of(study, node, ask), f"{study.id} {node}", after if isinstance(after, str) else None
    )
    return {"analysis": analysis.id}


def known(server_state: ServerState, ask: RouteRequest) -> RunningAnalysis:
    """The analysis of a request. Raises Missing."""
    identity = ask.path["analysis"]
    analysis = analyses_of(server_state).get(identity)
    if analysis is None:
        raise Missing(f"there is no analysis {quote(identity)} any more; begin another")
    return analysis


def stopped(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Ask an analysis to end."""
    analysis = known(server_state, ask)
    analyses_of(server_state).stop(analysis)
    return {"analysis": analysis.id}


def events(server_state: ServerState, ask: RouteRequest) -> EventStream:
    """The stream of an analysis, with the latest events first."""
    analysis = known(server_state, ask)

    def first() -> Iterator[Event]:
        yield from analysis.newest()
        if analysis.ended is not None:
            server_state.hub.end(analysis.id)

    return EventStream(analysis.id, first)


def people(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The sets of orders that people would play at a node."""
    study, node = server_state.study(ask), ask.path["node"]
    lines = ask.number("lines", 0, 999)
    return people_of(study.position(node), history_of(study, node), PEOPLE if lines is None else lines)


def course(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The expected share of every power at each node of a study."""
    study = server_state.study(ask)
    return {name: shares_at(study.position(name)) for name in study.nodes}


@lru_cache(maxsize=COURSE)
def shares_at(position: Position) -> dict[str, float]:
    """The expected shares of a position, in thousandths."""
    return {power: round(share, 3) for power, share in expected_shares(position).items()}


ROUTES: Sequence[PageRoute] = (
    PageRoute(f"{NODE}/analyses", begun, "POST"),
    PageRoute("/api/analyses/{analysis}/stop", stopped, "POST"),
    PageRoute("/api/analyses/{analysis}/events", events),
    PageRoute(f"{NODE}/people", people),
    PageRoute(f"{NODE}/evaluation", evaluation),
    PageRoute(f"{NODE}/book", book),
    PageRoute("/api/studies/{study}/course", course),
)
