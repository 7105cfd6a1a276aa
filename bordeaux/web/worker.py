"""The page's routes for a worker in a browser, where the page and all that answers it are in one tab.

`PageHost` answers what the page asks, as the server does: the same routes, the same lines for faults. Streams
of events become calls of a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from bordeaux.formats.source import parse_json
from bordeaux.studies.store import Store
from bordeaux.studies.study import Missing, Refused
from bordeaux.web.events import Put, encoded
from bordeaux.web.rooms import ROUTES
from bordeaux.web.routing import EventStream, PageRoute, RouteReply, RouteRequest, ServerState, answered


class PageHost:
    """Answers a page from the studies of a folder. `log` takes lines about faults."""

    def __init__(self, folder: Path, log: Callable[[str], None] = lambda line: None) -> None:
        self.state = ServerState(Store(folder, log), log)
        self._routes = [(pattern(route.path), route) for route in ROUTES]
        self._streams: dict[str, tuple[str, Put]] = {}

    def answer(self, method: str, address: str, body: str | None = None) -> RouteReply:
        """The answer to a request, with the text of its body."""
        answer = answered(self.state, partial(self._work, method, address, body))
        if isinstance(answer, EventStream):
            return RouteReply.json({"error": f"{address} is a stream of events"}, 400)
        return answer

    def listen(self, key: str, address: str, send: Callable[[str, str], None]) -> RouteReply | None:
        """Let `send` hear the events of a stream, each with its name and its data as JSON, until `leave` with
        the same key. Returns the fault if there is no such stream, with its status."""
        answer = answered(self.state, partial(self._work, "GET", address, None))
        if isinstance(answer, RouteReply):
            return answer

        def put(event: tuple[str, str] | None) -> None:
            if event is None:
                self.leave(key)
            else:
                send(*event)

        self._streams[key] = answer.topic, put
        self.state.hub.listen(answer.topic, put)
        for name, data in answer.first():
            send(name, encoded(data))
        return None

    def leave(self, key: str) -> None:
        """Listen no more."""
        stream = self._streams.pop(key, None)
        if stream is not None:
            self.state.hub.leave(*stream)

    def _work(self, method: str, address: str, body: str | None) -> Any:
        parts = urlsplit(address)
        route, path = self._found(method, parts.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        return route.work(self.state, RouteRequest(path, query, parse_json(body) if body else None))

    def _found(self, method: str, path: str) -> tuple[PageRoute, Mapping[str, str]]:
        """The route of a path, and the parts of the path. Raises Missing, and Refused for another method."""
        matches = [(route, match) for known, route in self._routes if (match := known.fullmatch(path))]
        for route, match in matches:
            if route.method == method:
                return route, {name: unquote(part) for name, part in match.groupdict().items()}
        if matches:
            raise Refused(405, f"{path} takes no {method}")
        raise Missing(f"there is nothing at {path}")


def pattern(path: str) -> re.Pattern[str]:
    """What matches the paths of a route."""
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)))
