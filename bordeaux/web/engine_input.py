"""The input of an engine from a study: the line that leads to a node, and the page's request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bordeaux.board import pieces
from bordeaux.board.errors import FormatError, quote
from bordeaux.engine import Agreement, Limit, Request
from bordeaux.jobs import spare_cores
from bordeaux.rules.rulesets import rules_named
from bordeaux.search.config import LEARNT, SEARCHES
from bordeaux.search.task import LINES, MOST_THREADS
from bordeaux.studies.orders import history_of
from bordeaux.studies.study import Study
from bordeaux.web.analyses import EngineOptions, SearchAsk

MOST_LINES = 50
MOST_NODES = 10**9
MOST_SEED = 2**63 - 1
MOST_SECONDS = 86_400.0


def ask_of(study: Study, node: str, body: Mapping[str, Any]) -> SearchAsk:
    """The search that the page requests at a node; see the API. Raises Missing, and BordeauxError for an
    invalid request."""
    position = study.position(node)
    history = history_of(study, node)
    rules = rules_named(study.rules)
    powers = body.get("powers")
    named = () if powers is None else tuple(pieces.string_list(powers, "'powers'"))
    limit = limit_of(body)
    given = pieces.power_lists(body.get("given") or {}, "'given'", study.map)
    agreements = body.get("agreements") or []
    if not isinstance(agreements, list):
        raise FormatError(f"'agreements' must be a list of objects, not {quote(agreements)}")
    request = Request(
        position,
        named,
        limit,
        previous=history[-1][1] if history else {},
        given=given,
        agreements=[Agreement.from_json(agreement) for agreement in agreements],
        rules=rules,
        lines=whole(body, "lines", 1, MOST_LINES) or LINES,
    )
    book = body.get("book", False)
    if not isinstance(book, bool):
        raise FormatError(f"'book' must be true or false, not {quote(book)}")
    search = body.get("search", LEARNT)
    if not isinstance(search, str) or search not in SEARCHES:
        raise FormatError(f"'search' must be {' or '.join(SEARCHES)}, not {quote(search)}")
    seed = whole(body, "seed", 0, MOST_SEED) or 0
    # One process of the paper's search gives the same answer every time, and so do any threads of the other.
    threads = min(spare_cores(), MOST_THREADS) if search == LEARNT else 1
    return SearchAsk(request, history, EngineOptions(seed, threads, book, search))


def limit_of(body: Mapping[str, Any]) -> Limit:
    """The limit in ``time`` (seconds) and ``nodes``; either may be missing. Raises FormatError."""
    time = body.get("time")
    if time is not None and (
        isinstance(time, bool) or not isinstance(time, int | float) or not 0 < time <= MOST_SECONDS
    ):
        most = f"{MOST_SECONDS:g}"
        raise FormatError(f"'time' must be a number of seconds above 0 and up to {most}, not {quote(time)}")
    return Limit(None if time is None else float(time), whole(body, "nodes", 1, MOST_NODES))


def whole(body: Mapping[str, Any], name: str, least: int, most: int) -> int | None:
    """A whole number of a body within bounds, None if it is missing. Raises FormatError."""
    value = body.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise FormatError(f"{name!r} must be a whole number from {least} to {most}, not {quote(value)}")
    return value
