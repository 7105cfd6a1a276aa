"""A server as people start it: a process of `bordeaux analyse` on a free port."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.patience import PATIENCE

__all__ = ["Served"]


class Served:
    """A server with its folder of studies, and more words of its command; `with` starts and ends it."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder, self.words, self.port, self.token = folder, words, 0, ""
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Served:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def address(self) -> str:
        """Where the page is, with its token."""
        return f"http://127.0.0.1:{self.port}/?token={self.token}"

    def start(self) -> None:
        """Start it, again on the port that it had."""
        words = ["analyse", "--port", str(self.port), "--studies", str(self.folder), *self.words]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bordeaux", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        parts = urlsplit(self.process.stdout.readline())
        assert parts.port is not None, "the server did not begin"
        self.port, self.token = parts.port, parse_qs(parts.query)["token"][0]

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        """End it, by a signal; without a word where the signal is SIGKILL."""
        if self.process is not None:
            self.process.send_signal(sign)
            self.process.wait(PATIENCE)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Ask the API as a program does."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or "null")

    def study(self, **body: Any) -> str:
        """Make a study, of the start position without words; its id."""
        return str(self.call("POST", "/api/studies", body or {"start": True, "map": "standard"})["id"])

    def node(self, study: str, node: str = "0") -> dict[str, Any]:
        """The details of a node."""
        answer: dict[str, Any] = self.call("GET", f"/api/studies/{study}/nodes/{node}")
        return answer
