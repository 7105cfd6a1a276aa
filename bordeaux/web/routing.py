"""The state that all routes share, and routes as values: a path, methods, and the function that answers. They
know neither a server nor a browser's worker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from bordeaux.board.errors import FormatError, quote, whole
from bordeaux.board.position import Position
from bordeaux.search.task import Limit
from bordeaux.studies.intake import Readings
from bordeaux.studies.store import Store, StudyHost, fault_of
from bordeaux.studies.study import Study
from bordeaux.web.events import Event, Hub, encoded
from bordeaux.web.recorded_games import GameFile

NODE = "/api/studies/{study}/nodes/{node}"
"""The path of a node, with which those of its routes begin."""
MOST_NODES, MOST_SEED, MOST_SECONDS = 10**9, 2**63 - 1, 86_400.0


Part = TypeVar("Part")


class ServerState(StudyHost):
    """Objects with the lifetime of the server: the store of studies, the hub that informs the tabs, and what
    routes need beside them. `games` is the file of games for look-ups, if any."""

    def __init__(self, store: Store, log: Callable[[str], None] = lambda line: None) -> None:
        super().__init__(store, log)
        self.hub = Hub()
        self.readings = Readings()
        self.games: GameFile | None = None
        self._parts: dict[Any, Any] = {}
        self._lock = threading.RLock()

    def part(self, kind: Callable[..., Part], *args: Any) -> Part:
        """The only object of a kind, made of its arguments when first needed, closed with the server."""
        with self._lock:
            if kind not in self._parts:
                made: Any = kind(*args)
                self._parts[kind] = made
                self.closing.append(made.close)
            part: Part = self._parts[kind]
            return part

    def study(self, ask: RouteRequest) -> Study:
        """The study of a request. Raises Missing."""
        return self.store.get(ask.path["study"])

    def position(self, ask: RouteRequest) -> Position:
        """The position of the node of a request. Raises Missing."""
        return self.study(ask).position(ask.path["node"])

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
        return self.number("version", 0, 10**15)

    def number(self, name: str, least: int, most: int) -> int | None:
        """A whole number of the query within bounds, None if it is missing. Raises FormatError."""
        text = self.query.get(name)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
            raise FormatError(f"{name} is a whole number from {least} to {most}, not {quote(text)}")
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

    def whole(self, key: str, least: int, most: int) -> int | None:
        """A whole number of the body within bounds, None if it is missing. Raises BordeauxError."""
        value = self.table().get(key)
        return None if value is None else whole(repr(key), value, least, most)

    def limit(self) -> Limit:
        """The limit of the body in ``time`` (seconds) and ``nodes``, if any. Raises BordeauxError."""
        time = self.table().get("time")
        sound = isinstance(time, int | float) and not isinstance(time, bool)
        if time is not None and not (sound and 0 < time <= MOST_SECONDS):
            most = f"{MOST_SECONDS:g}"
            raise FormatError(
                f"'time' must be a number of seconds above 0 and up to {most}, not {quote(time)}"
            )
        return Limit(None if time is None else float(time), self.whole("nodes", 1, MOST_NODES))

    def flag(self, key: str) -> bool:
        """True or false of the body; false if it is missing. Raises FormatError for anything else."""
        value = self.table().get(key, False)
        if not isinstance(value, bool):
            raise FormatError(f"{key!r} must be true or false, not {quote(value)}")
        return value


class RouteReply(NamedTuple):
    """An answer to a request, as HTTP has it; `headers` are those beside the media type."""

    content: str | bytes
    media_type: str
    headers: Mapping[str, str] = {}
    status: int = 200

    @classmethod
    def json(cls, value: Any, status: int = 200) -> RouteReply:
        """A value as JSON."""
        return cls(encoded(value), "application/json", {}, status)


class EventStream(NamedTuple):
    """An answer that goes on: the events of a topic. It begins with those of `first`, which is called once
    the listener is heard, so that no event is missed."""

    topic: str
    first: Callable[[], Iterable[Event]] = tuple


class PageRoute(NamedTuple):
    """A path, with names in braces for its parts; the function that answers, with a `RouteReply`, an
    `EventStream` or a value for JSON; the method."""

    path: str
    work: Callable[[ServerState, RouteRequest], Any]
    method: str = "GET"


def answered(server_state: ServerState, work: Callable[[], Any]) -> RouteReply | EventStream:
    """The answer of a route's work; a failure is one line with its status."""
    try:
        answer = work()
    except Exception as error:
        status, line = fault_of(error)
        if status == 500:
            server_state.log(line)
        return RouteReply.json({"error": line}, status)
    return answer if isinstance(answer, RouteReply | EventStream) else RouteReply.json(answer)
