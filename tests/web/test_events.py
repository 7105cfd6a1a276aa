"""Who is told what: topics, listeners, and how a stream ends."""

import json
import threading
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux.web import events, server
from bordeaux.web.events import Hub
from bordeaux.web.routing import ServerState
from bordeaux.web.server import told

from .conftest import Make


async def reading(hub: Hub, topic: str, *args: Any) -> tuple[Any, str]:
    """An open stream and its beginning; it listens from now on."""
    pieces = told(hub, topic, *args)
    return pieces, str(await anext(pieces))


def read(text: str) -> tuple[str, Any]:
    """The name and data of one event."""
    name, data, *rest = text.split("\n")
    assert rest == ["", ""] and name.startswith("event: ") and data.startswith("data: ")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


async def test_all_listeners_of_a_topic_are_told_from_any_thread() -> None:
    hub, data = Hub(), {"text": "two\nlines\u2028<script>"}
    (first, _), (second, _), (other, _) = [await reading(hub, topic) for topic in ("a", "a", "b")]
    thread = threading.Thread(target=hub.publish, args=("a", "changed", data))
    thread.start()
    assert [read(await anext(stream)) for stream in (first, second)] == [("changed", data)] * 2
    thread.join()
    hub.publish("b", "last", 1)
    hub.close()
    assert read(await anext(other)) == ("last", 1)
    for stream in (first, second, other):
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
    assert hub._listeners == {}


async def test_a_stream_begins_with_what_is_known_once_it_listens() -> None:
    hub = Hub()

    def first() -> list[tuple[str, Any]]:
        hub.publish("a", "between", 2)
        return [("known", 1)]

    stream, begins = await reading(hub, "a", first)
    assert begins.startswith("retry: 1000\n\n")
    assert read(begins.removeprefix("retry: 1000\n\n")) == ("known", 1)
    assert read(await anext(stream)) == ("between", 2)


async def test_a_topic_ends_after_what_was_said() -> None:
    hub = Hub()
    stream, _ = await reading(hub, "a")
    hub.publish("a", "last", {})
    hub.end("a")
    assert read(await anext(stream)) == ("last", {})
    with pytest.raises(StopAsyncIteration):
        await anext(stream)
    hub.publish("a", "nobody", {})


async def test_silence_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PING", 0.01)

    stream, _ = await reading(Hub(), "a")
    assert read(await anext(stream)) == ("ping", {})


async def test_who_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_WAITING", 3)

    hub = Hub()
    stream, _ = await reading(hub, "a")
    for number in range(10):
        hub.publish("a", "count", number)
    assert [read(await anext(stream))[1] for _ in range(3)] == [0, 1, 2]
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_there_are_no_more_listeners_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_LISTENERS", 2)

    hub = Hub()
    open_ones = [await reading(hub, topic) for topic in ("a", "b")]
    with pytest.raises(StopAsyncIteration):
        await reading(hub, "c")
    await open_ones[0][0].aclose()
    await reading(hub, "c")
    hub.close()
    with pytest.raises(StopAsyncIteration):
        await reading(hub, "d")


def test_every_change_is_told_once(client: TestClient, make: Make, server_state: ServerState) -> None:
    study = make()
    heard: list[tuple[str, str, Any]] = []
    server_state.hub.publish = lambda *said: heard.append(said)  # type: ignore[method-assign]
    path = f"/api/studies/{study['id']}"
    for _ in range(2):
        client.put(f"{path}/nodes/0/draft", json={"FRANCE": ["A PAR H"]})
        client.post(f"{path}/nodes/0/adjudicate", json={})
    client.put(f"{path}/nodes/0/comment", json={"text": "x"})
    client.delete(path)
    details = [
        {"version": 2 + number, "node": "0", "what": what}
        for number, what in enumerate(("draft", "tree", "comment"))
    ]
    assert heard == [*((study["id"], "changed", told) for told in details), (study["id"], "deleted", {})]
