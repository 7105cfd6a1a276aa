"""Events for whoever listens, on one event loop: server-sent events with a memory for those who come late."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import contextmanager
from collections.abc import Iterator
from typing import Any

__all__ = ["Channel", "Event", "as_text", "server_sent"]

Event = tuple[str, Any]
"""Its name, and what it says, ready for JSON."""
Text = tuple[str, str]

MOST_WAITING = 256
"""Events that wait for a listener who does not take them; with more it gets what is newest instead."""
PING = 15.0
"""Seconds after which a quiet stream says that it is alive, so that a lost listener is noticed."""


class Channel:
    """One stream of events. A new listener first gets what `newest` gives: events that stand for all that was
    sent before. `listeners` counts those who listen now."""

    def __init__(self, newest: Callable[[], Iterable[Event]] = tuple) -> None:
        self._newest = newest
        self._queues: set[asyncio.Queue[Text | None]] = set()
        self._closed = False

    @property
    def listeners(self) -> int:
        """How many listen."""
        return len(self._queues)

    def send(self, name: str, content: Any) -> None:
        """Tell everybody who listens."""
        text = as_text((name, content))
        for queue in self._queues:
            if queue.qsize() >= MOST_WAITING:
                while not queue.empty():
                    queue.get_nowait()
                for event in self._newest():
                    queue.put_nowait(as_text(event))
            else:
                queue.put_nowait(text)

    def close(self) -> None:
        """End the stream, for those who come later too, after what was sent before."""
        self._closed = True
        for queue in self._queues:
            queue.put_nowait(None)

    async def listen(self, ping: float = PING) -> AsyncIterator[Text]:
        """The events from now on, as text, until the stream ends. A ``ping`` after every so many quiet seconds."""
        with self._queue() as queue:
            while True:
                try:
                    text = await asyncio.wait_for(queue.get(), ping)
                except TimeoutError:
                    yield "ping", "{}"
                    continue
                if text is None:
                    return
                yield text

    @contextmanager
    def _queue(self) -> Iterator[asyncio.Queue[Text | None]]:
        queue: asyncio.Queue[Text | None] = asyncio.Queue()
        for event in self._newest():
            queue.put_nowait(as_text(event))
        if self._closed:
            queue.put_nowait(None)
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)


def as_text(event: Event) -> Text:
    """An event with its content as one line of JSON."""
    return event[0], json.dumps(event[1], ensure_ascii=False, separators=(",", ":"))


async def server_sent(events: AsyncIterator[Text]) -> AsyncIterator[str]:
    """Events as the text of a server-sent stream (HTML standard, section 9.2)."""
    async for name, text in events:
        yield f"event: {name}\ndata: {text}\n\n"
