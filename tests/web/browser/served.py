"""A server as people start it: a process of `bordeaux analyse` on a free port."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.patience import PATIENCE

__all__ = ["Served"]


class Served:
    """A server with its folder of studies, more words of its command, and options of its process; `with`
    starts and ends it. `opened` are the study and the node that it opens, if any."""

    process: subprocess.Popen[str]
    token: str
    opened: tuple[str, str]

    def __init__(self, folder: Path, *words: str, port: int = 0, **options: Any) -> None:
        self.folder, self.words, self.port = folder, words, port
        self.options = {"stderr": subprocess.DEVNULL, **options}

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def base(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """Where the page is, with its token."""
        return f"{self.base}/?token={self.token}"

    def start(self) -> None:
        """Start it, again on the port that it had."""
        words = ["analyse", "--json", "--port", str(self.port), "--studies", str(self.folder), *self.words]
        command = [sys.executable, "-m", "bordeaux", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **self.options)
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.port = int(told["address"].split(":")[2].partition("/")[0])
        self.token, self.opened = told["token"], (told["study"], told["node"])

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        """End it, by a signal; without a word where the signal is SIGKILL."""
        with self.process:
            self.process.send_signal(sign)
            self.process.wait(PATIENCE)

    def open(self, method: str, path: str, body: Any = None) -> Any:
        """A response that can be read."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        return urlopen(Request(f"{self.base}{path}", data, headers, method=method), timeout=PATIENCE)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Ask the API as a program does."""
        with self.open(method, path, body) as response:
            return json.load(response)

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

    def study(self, **body: Any) -> str:
        """Make a study, of the start position without words; its id."""
        return str(self.call("POST", "/api/studies", body or {"start": True, "map": "standard"})["id"])

    def game(self, spec: str, **body: Any) -> str:
        """Begin a game of a person, who is France, against six players; the id of its study."""
        others = ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
        players = {**dict.fromkeys(others, spec), "FRANCE": "you"}
        return str(self.call("POST", "/api/play", {"players": players, **body})["id"])

    def node(self, study: str, node: str = "0") -> dict[str, Any]:
        """The details of a node."""
        answer: dict[str, Any] = self.call("GET", f"/api/studies/{study}/nodes/{node}")
        return answer
