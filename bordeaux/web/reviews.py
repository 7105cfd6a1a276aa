"""Reviews of the games of studies: made in a process beside the page, with progress reports, and saved as a
page; and better orders that a person tries."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.board.map import Map
from bordeaux.formats.games import Game
from bordeaux.formats.whole_files import whole
from bordeaux.jobs import gentle, process, spare_cores
from bordeaux.jobs.background import BackgroundTask, GivenUp, background
from bordeaux.review import DEFAULT, review_game
from bordeaux.review.comparison import Attempt, Weighed, weighed
from bordeaux.search.task import Limit
from bordeaux.studies.orders import history_of, legal_set
from bordeaux.studies.saved import game_of
from bordeaux.studies.store import StudyHost
from bordeaux.studies.study import Missing, Refused
from bordeaux.view.review.page import csp, page
from bordeaux.web.routing import NODE, PageRoute, RouteReply, RouteRequest, ServerState

REVIEW = "/api/studies/{study}/review"
NICENESS, HASTY = 10, 5
"""Of a review, and of the comparison of some sets."""
TOLD = ("phase", "played", "best", "loss", "expected", "sent", "book")
"""The reported fields of the orders of a power in a phase."""
CHOICES = {"stab": "⚔", "peace kept": "!?"}
"""The signs of kinds that are no mistakes."""
NONE, DONE = {"done": 0, "all": 1, "status": "none"}, {"done": 1, "all": 1, "status": "done"}
"""What is told where there is no review, and of one that is made."""


class Ended(Exception):
    """A review was asked to come to an end."""


class ReviewJob(NamedTuple):
    """A game to be reviewed, and the nodes of its phases."""

    game: Game
    nodes: tuple[str, ...]
    map: Map
    limit: Limit


def review(job: ReviewJob) -> tuple[str, str]:
    """Review a game; returns the JSON for the page beside the board, and the page. Raises Ended."""
    gentle(NICENESS)

    def progress(done: int, all: int) -> None:
        if process.stopped():
            raise Ended
        process.tell((done, all))

    review = review_game(job.game, limit=job.limit, progress=progress, map=job.map, processes=spare_cores())
    return json.dumps(told_of(review.to_json(), job.nodes), allow_nan=False), page(review)


def told_of(result: Mapping[str, Any], nodes: Sequence[str]) -> dict[str, Any]:
    """The JSON of a review for the page beside the board: accuracies, and the nodes of turning points and of
    each phase of a power. A node has its orders, with a glyph if they were bad."""
    return {
        "powers": {
            power: {
                "accuracy": of_power["accuracy"],
                "phases": [
                    {"node": nodes[one["number"]], **{name: one[name] for name in TOLD}}
                    for one in of_power["phases"]
                ],
            }
            for power, of_power in result["powers"].items()
        },
        "points": [
            {**point, "node": nodes[point["number"]], "glyph": glyph(point)}
            for point in result["turning_points"]
        ],
    }


def glyph(point: Mapping[str, Any]) -> str:
    """The sign of a turning point in chess notation: a blunder if that is certain, a mistake; a stab, or a
    peace that was kept, which is a choice."""
    return CHOICES.get(point["kind"]) or ("??" if point["sure"] else "?")


class Reviews:
    """The reviews of a server, one at a time; others are queued. Methods may be called from any thread."""

    def __init__(self, host: StudyHost) -> None:
        self._host = host
        self._room = background(review)
        self._lock = threading.Lock()
        self._running: dict[str, BackgroundTask] = {}
        self._latest: dict[str, dict[str, Any]] = {}

    def files(self, study: str) -> tuple[Path, Path]:
        """The files of a study's review: the JSON for the page beside the board, and the page."""
        page = self._host.store.folder / f"{study}.review.html"
        return page.with_suffix(".points"), page

    def told(self, study: str) -> dict[str, Any]:
        """The progress of a study's review, in the form of its events. Raises Missing."""
        self._host.store.get(study)
        with self._lock:
            if study in self._running or self._latest.get(study, NONE)["status"] == "failed":
                return self._latest[study]
        return DONE if self.files(study)[1].exists() else NONE

    def begin(self, study: str, limit: Limit) -> None:
        """Begin the review of the main line of a study. Raises Missing, and Refused while one is running."""
        kept = self._host.store.get(study)
        line = kept.main_line()
        if len(line) < 2:
            raise BordeauxError("there is nothing to review yet: no orders have been given")

        def heard(message: tuple[int, int]) -> None:
            done, all = message
            self._publish(study, {"done": done, "all": all, "status": "running"})

        def over(made: tuple[str, str] | None, error: Exception | None) -> None:
            with self._lock:
                del self._running[study]
            try:
                for path, text in zip(self.files(study), made or (), strict=False):
                    with whole(path) as part:
                        part.write_text(text, encoding="utf-8")
            except OSError as fault:
                error = fault
            if not self._host.store.has(study):
                # It was deleted meanwhile, and leaves nothing.
                for path in self.files(study):
                    path.unlink(missing_ok=True)
            elif isinstance(error, GivenUp | Ended):
                self._publish(study, self.told(study))
            elif error is None:
                self._publish(study, DONE)
            else:
                text = " ".join(f"the review failed: {error}".split())
                self._publish(study, {"done": 0, "all": 1, "status": "failed", "error": text})

        with self._lock:
            if study in self._running:
                raise Refused(409, "a review of this study is being made; wait for it")
            job = ReviewJob(game_of(kept, line), tuple(node.id for node in line), kept.map, limit)
            self._running[study] = task = BackgroundTask(job, over, heard)
            self._latest[study] = {"done": 0, "all": 1, "status": "running"}
            self._room.do(task)

    def give_up(self, study: str) -> None:
        """Stop the review of a study, if one is running."""
        with self._lock:
            task = self._running.get(study)
        if task is not None:
            self._room.stop(task)

    def close(self) -> None:
        """End the process."""
        self._room.close()

    def _publish(self, study: str, progress: dict[str, Any]) -> None:
        self._latest[study] = progress
        self._host.publish(study, "review", progress)


def reviews_of(server_state: ServerState) -> Reviews:
    """The reviews of a server."""
    return server_state.part(Reviews, server_state)


def begun(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """Begin a review."""
    limit = ask.limit()
    reviews_of(server_state).begin(ask.path["study"], DEFAULT if limit == Limit() else limit)
    return RouteReply.json({"study": ask.path["study"]}, 202)


def ended(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """Ask a review to stop."""
    study = server_state.study(ask).id
    reviews_of(server_state).give_up(study)
    return RouteReply.json({"study": study}, 202)


def state(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The progress of a study's review."""
    return reviews_of(server_state).told(ask.path["study"])


def kept(server_state: ServerState, ask: RouteRequest) -> tuple[str, str]:
    """The files of the latest review of a study. Raises Missing."""
    study = server_state.study(ask).id
    try:
        points, page = (path.read_text("utf-8") for path in reviews_of(server_state).files(study))
    except FileNotFoundError:
        raise Missing(f"there is no review of study {study} yet; begin one") from None
    return points, page


def found(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The result of the latest review of a study, with the nodes that still exist."""
    report: dict[str, Any] = json.loads(kept(server_state, ask)[0])
    nodes = server_state.study(ask).nodes
    return report | {"points": [point for point in report["points"] if point["node"] in nodes]}


def shown(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The page of the latest review of a study."""
    text = kept(server_state, ask)[1]
    return RouteReply(text, "text/html", {"Content-Security-Policy": csp(text)})


# A person's orders in a phase, compared with the played ones.

SECONDS, LONGEST = 1.0, 30.0
"""The default and the maximum number of seconds of the search, for which a person waits."""
PATIENCE = 120.0
NAMED = {
    "try": "your try",
    "played": "what was played",
    "better": "the review’s orders",
    "": "the engine’s orders",
}
"""The compared sets; of equal sets the first name is kept, and the last one has those of a search."""


def weigh(attempt: Attempt) -> list[Weighed]:
    """Evaluate an attempt in this process. Raises what `weighed` raises."""
    gentle(HASTY)
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
    limit = ask.limit()
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


ROUTES: Sequence[PageRoute] = (
    PageRoute(REVIEW, state),
    PageRoute(REVIEW, begun, "POST"),
    PageRoute(f"{REVIEW}/stop", ended, "POST"),
    PageRoute(f"{REVIEW}.html", shown),
    PageRoute(f"{REVIEW}.json", found),
    PageRoute(f"{NODE}/try", tried, "POST"),
)
