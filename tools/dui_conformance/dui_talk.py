"""A connection through pipes to an engine under test."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
import time

HANDSHAKE, ANSWER, ENDING = 20.0, 10.0, 5.0
"""Seconds for the handshake, for an answer, and for exiting."""
OVER = 2.0
"""Seconds by which an answer may exceed its limit, for slow machines."""


class Failed(Exception):
    """A check failed; the text gives the reason."""


class Early(Exception):
    """A message came too early."""


class Talk:
    """One run of the engine: lines out and lines in. A context manager; the process is ended in any case."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.seen: list[str] = []

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            for line in self._process.stdout:
                self._lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self._lines.put(None)

    def send(self, *lines: str | bytes) -> None:
        """Send lines."""
        assert self._process.stdin is not None
        try:
            for line in lines:
                data = line if isinstance(line, bytes) else line.encode()
                self._process.stdin.write(data + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise Failed("it reads no more: it has ended") from None

    def until(self, word: str, patience: float = ANSWER) -> str:
        """The next line that begins with a word; earlier ones are stored in `seen`."""
        deadline = time.monotonic() + patience
        self.seen = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise Failed(f"no {word} within {patience:g} s") from None
            if line is None:
                raise Failed(f"it ended before it wrote {word}")
            if line.split(" ", 1)[0] == word:
                return line
            self.seen.append(line)

    def quiet(self, seconds: float, word: str) -> None:
        """Fail if a line that begins with a word comes within some seconds."""
        with contextlib.suppress(Failed):
            line = self.until(word, seconds)
            raise Early(f"{word} came too early: {line[:60]}")

    def shake_hands(self) -> None:
        """The handshake."""
        self.send("dui")
        self.until("duiok", HANDSHAKE)

    def ready(self, patience: float = ANSWER) -> None:
        """Wait for readyok."""
        self.send("isready")
        self.until("readyok", patience)

    def orders(self, patience: float = ANSWER) -> list[str]:
        """The orders of the next bestorders."""
        line = self.until("bestorders", patience).partition(" ")[2]
        return [order.strip() for order in line.split(";") if order.strip()]

    def ask(self, dfen: str, power: str, go: str = "go movetime 200", patience: float = ANSWER) -> list[str]:
        """The orders for a power in a position."""
        self.send(f"position {dfen}", f"setpower {power}", go)
        return self.orders(patience)

    def end_input(self) -> None:
        """Close the engine's input."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def ended(self) -> int:
        """The exit code of an engine that ends by itself."""
        try:
            return self._process.wait(ENDING)
        except subprocess.TimeoutExpired:
            raise Failed(f"it is still there after {ENDING:g} s") from None
