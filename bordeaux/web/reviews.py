"""Reviews of the games of studies: made in a process beside the page, with progress reports, and saved as a
page."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.formats.games import Game
from bordeaux.formats.whole_files import whole
from bordeaux.jobs import gentle, process, spare_cores
from bordeaux.jobs.background import BackgroundTask, GivenUp, background
from bordeaux.review import DEFAULT, review_game
from bordeaux.review.journal import game_hash
from bordeaux.search.task import Limit
from bordeaux.studies.saved import game_of
from bordeaux.studies.study import Missing, Refused
from bordeaux.view.review.page import csp, page
from bordeaux.web.engine_input import limit_of
from bordeaux.web.routing import PageRoute, RouteReply, RouteRequest, ServerState, route

REVIEW = "/api/studies/{study}/review"
NICENESS = 10
TOLD = ("phase", "played", "best", "loss", "expected", "sent", "book")
"""The reported fields of the orders of a power in a phase."""
CHOICES = {"stab": "⚔", "peace kept": "!?"}
"""The signs of kinds that are no mistakes."""
STOPPED = {"done": 0, "all": 1, "status": "stopped"}
"""The report of a review that can continue."""


class Ended(Exception):
    """A review was asked to come to an end."""


class ReviewJob(NamedTuple):
    """A game to be reviewed, the nodes of its phases, and the journal of finished phases, empty at first."""

    game: Game
    nodes: tuple[str, ...]
    map: Map
    limit: Limit
    journal: bytes


def review(job: ReviewJob) -> tuple[str, str]:
    """Review a game, and report progress with the journal so far; returns the JSON for the page beside the
    board, and the page. Raises what `review_game` raises, OSError, and Ended."""
    gentle(NICENESS)
    with TemporaryDirectory() as folder:
        journal = Path(folder, "journal")
        journal.write_bytes(job.journal)

        def progress(done: int, all: int) -> None:
            if process.stopped():
                raise Ended
            process.tell((done, all, journal.read_bytes()))

        review = review_game(
            job.game,
            limit=job.limit,
            progress=progress,
            journal=journal,
            map=job.map,
            processes=spare_cores(),
        )
    return json.dumps(told_of(review.to_json(), job.nodes), allow_nan=False), page(review)


def told_beside(target: Path) -> Path:
    """The file with the JSON of a review for the page beside the board."""
    return target.with_suffix(".points")


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

    def __init__(self, server_state: ServerState) -> None:
        self._house = server_state
        self._room = background(review)
        self._lock = threading.Lock()
        self._running: dict[str, BackgroundTask] = {}
        self._latest: dict[str, dict[str, Any]] = {}
        server_state.closing.append(self._room.close)
        server_state.leaving.append(self._give_up)

    def target(self, study: str) -> Path:
        """The file of a study's review, which may not exist yet."""
        return self._house.store.folder / f"{study}.review.html"

    def told(self, study: str) -> dict[str, Any]:
        """The progress of a study's review, in the form of its events. The status is "none" without a review,
        and "stopped" for one that was begun: with the same limit it continues. Raises Missing."""
        self._house.store.get(study)
        with self._lock:
            if study in self._running or self._latest.get(study, {}).get("status") == "failed":
                return self._latest[study]
        if self._journals(study):
            return STOPPED
        if self.target(study).exists():
            return {"done": 1, "all": 1, "status": "done"}
        return {"done": 0, "all": 1, "status": "none"}

    def begin(self, study: str, node: str | None, limit: Limit) -> None:
        """Begin the review of the main line of a study, or of the line through a node. Raises Missing, and
        Refused while one is running."""
        kept = self._house.store.get(study)
        line = kept.main_line() if node is None else [*kept.line(node)[:-1], *kept.main_line(node)]
        if len(line) < 2:
            raise BordeauxError("there is nothing to review yet: no orders have been given")
        game = game_of(kept, line)
        target = self.target(study)

        def heard(message: tuple[int, int, bytes]) -> None:
            done, all, finished = message
            # What dies goes on from there.
            task.job = task.job._replace(journal=finished)
            # Without it a stopped review begins anew, which is no reason to end this one.
            with suppress(OSError), whole(journal) as part:
                part.write_bytes(finished)
            self._publish(study, {"done": done, "all": all, "status": "running"})

        def kept_beside(told: str, shown: str) -> None:
            for path, text in ((told_beside(target), told), (target, shown)):
                with whole(path) as part:
                    part.write_text(text, encoding="utf-8")
            journal.unlink(missing_ok=True)

        def over(made: tuple[str, str] | None, error: Exception | None) -> None:
            with self._lock:
                del self._running[study]
            try:
                if made is not None and self._house.store.has(study):
                    kept_beside(*made)
            except OSError as fault:
                made, error = None, fault
            if not self._house.store.has(study):
                # It was deleted meanwhile, and leaves nothing.
                for left in (target, told_beside(target), *self._journals(study)):
                    left.unlink(missing_ok=True)
            elif made is not None:
                self._publish(study, {"done": 1, "all": 1, "status": "done"})
            elif isinstance(error, GivenUp | Ended):
                self._publish(study, STOPPED)
            else:
                text = " ".join(f"the review failed: {error}".split())
                self._publish(study, {"done": 0, "all": 1, "status": "failed", "error": text})

        with self._lock:
            if study in self._running:
                raise Refused(409, "a review of this study is being made; wait for it")
            nodes = tuple(node.id for node in line)
            journal = self._journal(study, game, limit)
            before = journal.read_bytes() if journal.exists() else b""
            job = ReviewJob(game, nodes, kept.map, limit, before)
            self._running[study] = task = BackgroundTask(job, over, heard, died=lambda text: task.job)
            self._latest[study] = {"done": 0, "all": 1, "status": "running"}
            self._room.do(task)

    def stop(self, study: str) -> None:
        """Stop the review of a study, if one is running; finished phases are kept. Raises Missing."""
        self._house.store.get(study)
        self._give_up(study)

    def _give_up(self, study: str) -> None:
        with self._lock:
            task = self._running.get(study)
        if task is not None:
            self._room.stop(task)

    def _journals(self, study: str) -> list[Path]:
        """The files with the finished phases of stopped reviews."""
        return list(self._house.store.folder.glob(f"{study}.review.*.journal"))

    def _journal(self, study: str, game: Game, limit: Limit) -> Path:
        """The file for the finished phases of a review; those of other reviews of the study are removed."""
        mark = hashlib.sha256(f"{game_hash(game)} {limit.time} {limit.nodes}".encode()).hexdigest()[:16]
        journal = self._house.store.folder / f"{study}.review.{mark}.journal"
        for other in set(self._journals(study)) - {journal}:
            other.unlink(missing_ok=True)
        return journal

    def _publish(self, study: str, progress: dict[str, Any]) -> None:
        self._latest[study] = progress
        self._house.hub.publish(study, "review", progress)


_reviews: WeakKeyDictionary[ServerState, Reviews] = WeakKeyDictionary()


def open_up(server_state: ServerState) -> None:
    """Create the reviews of a server, and end their process with it."""
    _reviews[server_state] = Reviews(server_state)


def reviews_of(server_state: ServerState) -> Reviews:
    """The reviews of a server."""
    return _reviews[server_state]


def begun(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """Begin a review."""
    limit = limit_of(ask.table())
    if limit.time is None and limit.nodes is None:
        limit = DEFAULT
    node = None if ask.table().get("node") is None else ask.text("node")
    reviews_of(server_state).begin(ask.path["study"], node, limit)
    return RouteReply.json({"study": ask.path["study"]}, 202)


def ended(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """Ask a review to stop."""
    reviews_of(server_state).stop(ask.path["study"])
    return RouteReply.json({"study": ask.path["study"]}, 202)


def state(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The progress of a study's review."""
    return reviews_of(server_state).told(ask.path["study"])


def found(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The result of the latest review of a study, with the nodes that still exist."""
    study = server_state.store.get(ask.path["study"])
    try:
        report = json.loads(told_beside(reviews_of(server_state).target(study.id)).read_text("utf-8"))
    except FileNotFoundError:
        raise Missing(f"there is no review of study {study.id} yet; begin one") from None
    report["points"] = [point for point in report["points"] if point["node"] in study.nodes]
    return {**report}


def shown(server_state: ServerState, ask: RouteRequest) -> RouteReply:
    """The page of the latest review of a study."""
    study = server_state.store.get(ask.path["study"])
    try:
        text = reviews_of(server_state).target(study.id).read_text("utf-8")
    except FileNotFoundError:
        raise Missing(f"there is no review of study {study.id} yet; begin one") from None
    return RouteReply(text, "text/html", {"Content-Security-Policy": csp(text)})


ROUTES: Sequence[PageRoute] = (
    route(REVIEW, state),
    route(REVIEW, begun, ["POST"]),
    route(f"{REVIEW}/stop", ended, ["POST"]),
    route(f"{REVIEW}.html", shown),
    route(f"{REVIEW}.json", found),
)
