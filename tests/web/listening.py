"""Servers with a socket, and what they tell."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from tests.patience import PATIENCE

Events = list[tuple[str, Any]]


class Server(NamedTuple):
    """A running server: its process, its address and its token, and the study and node that it opens."""

    process: subprocess.Popen[str]
    base: str
    token: str
    study: str | None = None
    node: str | None = None

    @property
    def place(self) -> tuple[str, int]:
        """Where it listens."""
        host, _, port = self.base.removeprefix("http://").partition(":")
        return host, int(port)

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """What it answers, as JSON."""
        with self.open(method, path, body) as response:
            return json.load(response)

    def open(self, method: str, path: str, body: Any = None) -> Any:
        """A response that can be read."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = Request(f"{self.base}{path}", data, headers, method=method)
        return urlopen(request, timeout=PATIENCE)

    def events(self, path: str) -> Iterator[tuple[str, Any]]:
        """The events of a stream, to its end."""
        with self.open("GET", path) as response:
            name = ""
            for line in response:
                head, _, text = line.decode().rstrip("\n").partition(": ")
                if head == "event":
                    name = text
                elif head == "data":
                    yield name, json.loads(text)


@contextmanager
def serving(folder: Path, *arguments: str, **options: Any) -> Iterator[Server]:
    """A server with its studies in a folder."""
    command = [sys.executable, "-m", "bordeaux", "analyse", "--port", "0", *arguments]
    command += ["--studies", str(folder), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as process:
        try:
            assert process.stdout is not None
            answer = json.loads(process.stdout.readline())
            base = answer["address"].partition("?")[0].rstrip("/")
            yield Server(process, base, answer["token"], answer["study"], answer["node"])
        finally:
            process.terminate()


def hearing(server: Server, path: str) -> Callable[[], Events]:
    """Listen in a thread; what is called gives all events, when the stream has ended."""
    events: Events = []
    thread = threading.Thread(target=lambda: events.extend(server.events(path)), daemon=True)
    thread.start()

    def ended() -> Events:
        thread.join(PATIENCE)
        assert not thread.is_alive()
        return events

    return ended
