"""Events: topics and their listeners.

A topic is a text: the id of a study, or of something else that reports its progress.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

MOST_LISTENERS = 200

Event = tuple[str, Any]
"""The name of an event and its data, for JSON."""
Put = Callable[[tuple[str, str] | None], None]
"""Takes an event's name and its data as JSON, or None at the end; called from any thread."""


class Hub:
    """Topics and their listeners. `publish` and `close` may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, list[Put]] = {}
        self._closed = False

    def publish(self, topic: str, name: str, data: Any) -> None:
        """Send an event to all listeners of a topic."""
        self._tell(topic, (name, encoded(data)))

    def end(self, topic: str) -> None:
        """End the streams of a topic, after the events published so far."""
        self._tell(topic, None)

    def _tell(self, topic: str, event: tuple[str, str] | None) -> None:
        with self._lock:
            listeners = list(self._listeners.get(topic, ()))
        for put in listeners:
            put(event)

    def listeners(self, topic: str) -> int:
        """The number of listeners of a topic."""
        with self._lock:
            return len(self._listeners.get(topic, ()))

    def listen(self, topic: str, put: Put) -> bool:
        """Let `put` hear the events of a topic, and None at the end. Gives whether there is room for it."""
        with self._lock:
            if self._closed or sum(map(len, self._listeners.values())) >= MOST_LISTENERS:
                return False
            self._listeners.setdefault(topic, []).append(put)
            return True

    def leave(self, topic: str, put: Put) -> None:
        """Let `put` hear no more of a topic."""
        with self._lock:
            group = self._listeners.get(topic, [])
            if put in group:
                group.remove(put)
            if not group:
                self._listeners.pop(topic, None)

    def close(self) -> None:
        """End all streams, present and future."""
        with self._lock:
            self._closed = True
            topics = list(self._listeners)
        for topic in topics:
            self.end(topic)


def encoded(data: Any) -> str:
    """A value as JSON, on one line."""
    return json.dumps(data, allow_nan=False, separators=(",", ":"))
