"""The searches of tools, in a process of their own: one works, and can be ended whatever it does."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from bordeaux.board.code import as_bytes
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.engine import Engine, Limit, Request
from bordeaux.formats.games import Game, Played
from bordeaux.jobs import gentle, process, spare_cores
from bordeaux.openings.book import standard_book
from bordeaux.review import review_game
from bordeaux.review.comparison import Attempt, Weighed, weighed
from bordeaux.review.judge import forced_captures
from bordeaux.review.telling import SummaryRow, summary
from bordeaux.search.analysis import found_to_json
from bordeaux.search.sets import in_full
from bordeaux.search.task import MOST_THREADS

NICENESS = 5
REVIEW_SECONDS = 180.0


def do(job: tuple[Callable[..., Any], Sequence[Any]]) -> Any:
    """Call a function in this process, which lets the server go first."""
    gentle(NICENESS)
    function, given = job
    return function(*given)


def best(request: Request, history: Sequence[Played], book: bool) -> dict[str, Any]:
    """The answer for the one power of a request, explained, as `found_to_json` tells it."""
    (power,) = request.powers
    with Engine(
        threads=min(spare_cores(), MOST_THREADS),
        map=request.position.map,
        explain=True,
        book=standard_book() if book else None,
    ) as engine:
        for before, orders in history:
            engine.observe(before, orders)
        found = deque(engine.analyse(request, process.stopped), maxlen=1).pop().answers[power]
        return found_to_json(found, explained=True)


def compare(attempt: Attempt) -> list[Weighed]:
    """The sets of an attempt, and the best of a search."""
    return weighed(attempt, process.stopped)


def force(position: Position, powers: Sequence[str]) -> dict[str, tuple[int, tuple[str, ...]]]:
    """The centres that each power is certain to own after this phase, and the orders that force them."""
    return {
        power: forced_captures(position, power, as_bytes(in_full(position, power, b"").values()))
        for power in powers
    }


def review(game: Game, powers: Sequence[str], nodes: int, map: Map) -> tuple[list[SummaryRow], list[str]]:
    """Review a game: a row for each power, and the turning points in words. Raises BordeauxError if that
    takes too long."""
    began = monotonic()

    def progress(done: int, total: int) -> None:
        seconds = monotonic() - began
        if seconds > REVIEW_SECONDS and done < total:
            raise BordeauxError(
                f"only {done} of {total} phases were reviewed in {seconds:.0f} s; name one power or"
                " fewer nodes, or run bordeaux review"
            )

    reviewed = review_game(
        game, limit=Limit(nodes=nodes), powers=powers, processes=spare_cores(), progress=progress, map=map
    )
    points = [f"{point.phase}, {point.power}: {point.why}" for point in reviewed.turning_points]
    return summary(reviewed), points
