"""Server-sent events: topics, their listeners, and delivery.

A topic is a text: the id of a study, or of something else that reports its progress.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from starlette.responses import StreamingResponse

__all__ = ["Event", "Hub"]

PING = 15.0
"""Seconds of silence after which a stream sends a ping."""
MOST_WAITING = 1000
"""Events that may wait for a listener; with more its stream ends, and the page opens another."""
MOST_LISTENERS = 200
AGAIN = 1000
"""Milliseconds after which a page reopens a stream that has ended."""

Event = tuple[str, Any]
"""The name of an event and its data, for JSON."""


class Hub:
    """Topics and their listeners. `publish` and `close` may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, set[Listener]] = {}
        self._closed = False

    def publish(self, topic: str, name: str, data: Any) -> None:
        """Send an event to all listeners of a topic."""
        text = told(name, data)
        with self._lock:
            listeners = list(self._listeners.get(topic, ()))
        for listener in listeners:
            listener.put(text)

    def listeners(self, topic: str) -> int:
        """The number of listeners of a topic."""
        with self._lock:
            return len(self._listeners.get(topic, ()))

    def end(self, topic: str) -> None:
        """End the streams of a topic, after the events published so far."""
        with self._lock:
            listeners = list(self._listeners.get(topic, ()))
        for listener in listeners:
            listener.put(None)

    def stream(self, topic: str, first: Callable[[], Iterable[Event]] = tuple) -> StreamingResponse:
        """A stream of a topic's events. It begins with those of `first`, which is called after the stream has
        subscribed, so that no event is missed."""
        return StreamingResponse(self._told(topic, first), media_type="text/event-stream")

    def close(self) -> None:
        """End all streams, present and future."""
        with self._lock:
            self._closed = True
            listeners = [listener for group in self._listeners.values() for listener in group]
        for listener in listeners:
            listener.put(None)

    async def _told(self, topic: str, first: Callable[[], Iterable[Event]]) -> AsyncIterator[str]:
        listener = Listener(asyncio.get_running_loop())
        with self._lock:
            if self._closed or sum(map(len, self._listeners.values())) >= MOST_LISTENERS:
                return
            self._listeners.setdefault(topic, set()).add(listener)
        try:
            yield f"retry: {AGAIN}\n\n" + "".join(told(name, data) for name, data in first())
            while (text := await listener.next()) is not None:
                yield text
        finally:
            with self._lock:
                group = self._listeners.get(topic, set())
                group.discard(listener)
                if not group:
                    self._listeners.pop(topic, None)


class Listener:
    """One stream: the queue of unsent events, where None is the end."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()

    def put(self, text: str | None) -> None:
        """Queue a text, or the end; from any thread."""
        # A loop that is closed says so: then nobody listens any more.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._put, text)

    def _put(self, text: str | None) -> None:
        size = self._queue.qsize()
        if size < MOST_WAITING:
            self._queue.put_nowait(text)
        elif size == MOST_WAITING:
            self._queue.put_nowait(None)

    async def next(self) -> str | None:
        """The next event, a ping after a while without one, None at the end."""
        try:
            return await asyncio.wait_for(self._queue.get(), PING)
        except TimeoutError:
            return told("ping", {})


def told(name: str, data: Any) -> str:
    """An event in the format of the stream; its JSON is on one line."""
    return f"event: {name}\ndata: {json.dumps(data, allow_nan=False, separators=(',', ':'))}\n\n"
