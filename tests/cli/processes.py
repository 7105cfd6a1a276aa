"""Commands as processes of their own, on pipes and on terminals."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

from tests.patience import PATIENCE

__all__ = ["PATIENCE", "Terminal", "command", "lines_in", "piped", "terminal"]
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[=>()][0-9A-B]?)")


def command(*words: str) -> list[str]:
    """The command line of a ``bordeaux`` command."""
    return [sys.executable, "-m", "bordeaux", *words]


def piped(*words: str) -> subprocess.Popen[str]:
    """A command on pipes; close it with ``with``."""
    return subprocess.Popen(
        command(*words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


class Terminal:
    """A command on a terminal of its own; `text` is all that it has written, without escapes."""

    def __init__(self, process: subprocess.Popen[bytes], handle: int) -> None:
        self.process = process
        self._handle = handle
        self.raw = ""

    @property
    def text(self) -> str:
        return _ESCAPES.sub("", self.raw).replace("\r", "")

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._handle, keys.encode())

    def until(self, words: str, since: int = 0) -> int:
        """Read until some words were written, behind so many characters; where they end."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.text[since:]:
            assert time.monotonic() < deadline, f"{words!r} is not in:\n{self.text[-3000:]}"
            assert self._read(), f"{words!r} is not in:\n{self.text[-3000:]}"
        return self.text.index(words, since) + len(words)

    def _read(self) -> bool:
        """Read what is there; False when the terminal is closed."""
        if select.select([self._handle], [], [], 0.1)[0]:
            try:
                data = os.read(self._handle, 65536)
            except OSError:  # the other side is gone
                return False
            self.raw += data.decode("utf-8", "replace")
            return bool(data)
        return True

    def end(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + PATIENCE
        while self._read() and time.monotonic() < deadline:
            pass
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def terminal(*words: str, columns: int = 120, lines: int = 50) -> Iterator[Terminal]:
    """A command on a terminal of a size."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    # Nobody answers when the prompt asks where the cursor is.
    surroundings = {**os.environ, "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}
    surroundings.pop("NO_COLOR", None)
    process = subprocess.Popen(
        command(*words), stdin=theirs, stdout=theirs, stderr=theirs, env=surroundings, start_new_session=True
    )
    os.close(theirs)
    try:
        yield Terminal(process, ours)
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(ours)


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0
