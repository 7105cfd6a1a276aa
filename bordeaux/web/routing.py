"""The state that all routes share: studies and listeners. Turns a request into a call, and a failure into one
line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from bordeaux.board.errors import FormatError, quote
from bordeaux.formats.source import decode, parse_json
from bordeaux.protocols.request_guard import LARGEST_BODY, Json
from bordeaux.studies.host import StudyHost, fault_of
from bordeaux.studies.readings import Readings
from bordeaux.studies.store import Store
from bordeaux.studies.study import Refused, Study
from bordeaux.web.events import Hub
from bordeaux.web.recorded_games import GameFile

__all__ = ["RouteRequest", "ServerState", "Work", "failed", "route"]


class ServerState(StudyHost):
    """Objects with the lifetime of the server: the store of studies, and the hub that informs the tabs.

    `book_of` and `play_of` give additional data of a study for the page: the nodes that the opening book has,
    and the game that is played in it. `players` are the available players. `games` is the file of games for
    look-ups, if any.
    """

    def __init__(self, store: Store, log: Callable[[str], None] = lambda line: None) -> None:
        super().__init__(store, log)
        self.hub = Hub()
        self.readings = Readings()
        self.book_of: Callable[[Study], Mapping[str, bool | None]] = lambda study: {}
        self.play_of: Callable[[Study], dict[str, Any] | None] = lambda study: None
        self.players: Callable[[], list[dict[str, str]]] = list
        self.games: GameFile | None = None

    def publish(self, identity: str, name: str, data: Any) -> None:
        """Send an event to all tabs of a study."""
        self.hub.publish(identity, name, data)

    def stop(self) -> None:
        """End what requests wait for: streams, and texts that are being read."""
        self.hub.close()
        self.readings.close()

    def close(self) -> None:
        """End all work and all streams."""
        self.stop()
        super().close()


class RouteRequest(NamedTuple):
    """A request for a route: the parts of its path, its query, and its JSON, None without a body."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any

    @property
    def version(self) -> int | None:
        """The version of the study that the change is based on, from ``?version=``. Raises FormatError."""
        text = self.query.get("version")
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise FormatError(f"version is a whole number, not {quote(text)}")
        return int(text)

    def table(self) -> dict[str, Any]:
        """The body, which must be a JSON object; a missing one counts as empty. Raises FormatError."""
        if self.body is None:
            return {}
        if not isinstance(self.body, dict):
            raise FormatError(f"the request must be a JSON object, not {quote(self.body)}")
        return self.body

    def text(self, key: str, default: str | None = None) -> str:
        """A text of the body. Raises FormatError if it is not a text, or missing without a default."""
        value = self.table().get(key, default)
        if not isinstance(value, str):
            raise FormatError(f"{key!r} must be text, not {quote(value)}")
        return value


Work = Callable[[ServerState, RouteRequest], Any]


def route(path: str, work: Work, methods: Iterable[str] = ("GET",)) -> Route:
    """A route whose handler runs in a thread, and returns a value for JSON or a response."""

    async def endpoint(request: Request) -> Response:
        server_state: ServerState = request.app.state.server_state
        try:
            ask = RouteRequest(request.path_params, request.query_params, await _body(request))
            answer = await run_in_threadpool(work, server_state, ask)
            return answer if isinstance(answer, Response) else Json(answer)
        except Exception as error:
            return failed(server_state, error)

    return Route(path, endpoint, methods=list(methods), name=f"{' '.join(methods)} {path}")


async def _body(request: Request) -> Any:
    """The JSON of a request. Raises Refused if it is too large, FormatError if it is invalid."""
    if request.method in ("GET", "HEAD"):
        return None
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise Refused(
                413, f"the request is larger than {LARGEST_BODY >> 20} MB; send one game or position"
            )
        parts.append(part)
    data = b"".join(parts)
    return await run_in_threadpool(lambda: parse_json(decode(data))) if data.strip() else None


def failed(server_state: ServerState, error: Exception) -> Json:
    """One line and a status for an exception. That a client went away while it was heard is no fault."""
    status, line = (
        (400, "the request is not whole") if isinstance(error, ClientDisconnect) else fault_of(error)
    )
    if status == 500:
        server_state.log(line)
    return Json({"error": line}, status)
