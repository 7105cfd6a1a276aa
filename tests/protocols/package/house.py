"""A server of the package `diplomacy` in a process of its own, that can be killed and started again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "package_server.py"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


class House:
    """The server; its data stay in `folder`, and its port stays the same."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.options = options
        self.port = 0
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(SCRIPT), "--websocket", str(self.folder), "--port", str(self.port)]
        self.process = subprocess.Popen([*command, *self.options], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        self.port = int(line.rpartition(":")[2])

    def kill(self) -> None:
        """Without a warning: what was not saved is lost."""
        self.process.kill()
        self.process.communicate()


@contextmanager
def house(folder: Path, *options: str) -> Iterator[House]:
    running = House(folder, *options)
    try:
        yield running
    finally:
        running.kill()
