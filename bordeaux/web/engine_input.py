"""The input of an engine from a study: the line that leads to a node, and the page's request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bordeaux.board import errors, pieces
from bordeaux.board.errors import FormatError, quote
from bordeaux.engine import Agreement, Limit, Request
from bordeaux.jobs import spare_cores
from bordeaux.rules.rulesets import rules_named
from bordeaux.search.config import LEARNT, SEARCHES
from bordeaux.search.task import LINES, MOST_THREADS
from bordeaux.studies.orders import history_of
from bordeaux.studies.study import Study
from bordeaux.web.analyses import EngineOptions, SearchAsk
from bordeaux.web.routing import RouteRequest

MOST_LINES = 50
MOST_NODES = 10**9
MOST_SEED = 2**63 - 1
MOST_SECONDS = 86_400.0


def ask_of(study: Study, node: str, ask: RouteRequest) -> SearchAsk:
    """The search that the page requests at a node; see the API. Raises Missing, and BordeauxError for an
    invalid request."""
    body, history = ask.table(), history_of(study, node)
    powers, agreements = body.get("powers"), body.get("agreements") or []
    if not isinstance(agreements, list):
        raise FormatError(f"'agreements' must be a list of objects, not {quote(agreements)}")
    request = Request(
        study.position(node),
        () if powers is None else tuple(pieces.string_list(powers, "'powers'")),
        limit_of(body),
        previous=history[-1][1] if history else {},
        given=pieces.power_lists(body.get("given") or {}, "'given'", study.map),
        agreements=[Agreement.from_json(agreement) for agreement in agreements],
        rules=rules_named(study.rules),
        lines=whole(body, "lines", 1, MOST_LINES) or LINES,
    )
    search = body.get("search", LEARNT)
    if not isinstance(search, str) or search not in SEARCHES:
        raise FormatError(f"'search' must be {' or '.join(SEARCHES)}, not {quote(search)}")
    # One process of the paper's search gives the same answer every time, and so do any threads of the other.
    threads = min(spare_cores(), MOST_THREADS) if search == LEARNT else 1
    seed = whole(body, "seed", 0, MOST_SEED) or 0
    return SearchAsk(request, history, EngineOptions(seed, threads, ask.flag("book"), search))


def limit_of(body: Mapping[str, Any]) -> Limit:
    """The limit in ``time`` (seconds) and ``nodes``; either may be missing. Raises FormatError."""
    time = body.get("time")
    sound = isinstance(time, int | float) and not isinstance(time, bool)
    if time is not None and not (sound and 0 < time <= MOST_SECONDS):
        most = f"{MOST_SECONDS:g}"
        raise FormatError(f"'time' must be a number of seconds above 0 and up to {most}, not {quote(time)}")
    return Limit(None if time is None else float(time), whole(body, "nodes", 1, MOST_NODES))


def whole(body: Mapping[str, Any], name: str, least: int, most: int) -> int | None:
    """A whole number of a body within bounds, None if it is missing. Raises BordeauxError."""
    value = body.get(name)
    return None if value is None else errors.whole(repr(name), value, least, most)
