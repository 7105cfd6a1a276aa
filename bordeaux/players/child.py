"""A child process with line-based communication, where every wait has a limit; its first fault ends it."""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from typing import IO

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.jobs.process import reap
from bordeaux.jobs.supervisor import Lifeline

#: Bytes of the longest line from the child; longer ones are refused.
LONGEST = 1 << 20
#: Bytes that are kept of the end of the child's standard error.
LAST_WORDS = 2000
#: Seconds that a child has to exit on its own after its input was closed.
FAREWELL = 1.0


def read_command(command: str) -> list[str]:
    """The words of a command line, split as in a shell. Raises BordeauxError for one that cannot be split,
    and for an unknown program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BordeauxError(f"command line {quote(command)}: {error}") from None
    if not words:
        raise BordeauxError("an empty command line; give a program")
    find(words[0])
    return words


def find(program: str) -> None:
    """Raise BordeauxError if there is no executable program of this name."""
    if shutil.which(program) is None:
        raise BordeauxError(
            f"no program {quote(program)} that can be run; give its path, and make it executable"
        )


class Late(BordeauxError, TimeoutError):
    """A program or engine has not answered in time; the arena counts this as a stall."""


class Child:
    """A command in a process of its own, which ends with this one (see `bordeaux.jobs.supervisor`).

    Lines are sent and received through pipes. No call blocks on a child that does not read or write: unsent
    data is buffered. A child that is late, dies, closes its output, or sends a line without end is ended.
    `ended` is the reason then, with its `name`, and every later call raises it as a `fault`, BordeauxError or
    `Late`. Raises BordeauxError if the command cannot be started. Needs a system with POSIX pipes.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        find(command[0])
        self.name = name
        self.ended = ""
        self.fault: type[BordeauxError] = BordeauxError
        self._lifeline = Lifeline()
        try:
            self._process = subprocess.Popen(
                self._lifeline.command(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                **self._lifeline.options,
            )
        except OSError as error:
            self._lifeline.cut()
            raise BordeauxError(f"cannot start {quote(command[0])}: {error.strerror}") from None
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._errors = bytearray()
        self._mute = self._silent = self._closed = False
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    def _pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        process = self._process
        assert process.stdin and process.stdout and process.stderr
        return process.stdin, process.stdout, process.stderr

    def check(self) -> None:
        """Raise the error of a child that was ended."""
        if self.ended:
            raise self.fault(self.ended)

    def end(self, fate: str, fault: type[BordeauxError] = BordeauxError) -> BordeauxError:
        """End the child at once; returns the error, which all later calls raise as well."""
        self.ended, self.fault = f"{self.name} {fate}", fault
        self._close(kill=True)
        return fault(self.ended)

    def send(self, line: str) -> None:
        """Send the child a line; data that it does not take at once is sent later."""
        self.check()
        self._outbox += line.encode() + b"\n"
        self._write()

    def receive(self, deadline: float) -> str:
        """The next line from the child, without its end, by `deadline`, a value of ``time.monotonic()``."""
        self.check()
        try:
            self._fill(deadline)
        except TimeoutError:
            raise self.end("stalled and was stopped: no answer in time", Late) from None
        except EOFError:
            raise self.end(self.obituary()) from None
        except ValueError as error:
            raise self.end(f"was stopped: it wrote {error}") from None
        line, _, self._inbox = self._inbox.partition(b"\n")
        return line.decode("utf-8", "replace")

    def waits(self, deadline: float) -> bool:
        """Whether there is a line, or none can come, by `deadline`; it is not consumed."""
        try:
            with contextlib.suppress(EOFError, ValueError):
                self._fill(deadline)
        except TimeoutError:
            return False
        return True

    def _fill(self, deadline: float) -> None:
        """Wait for the end of a line. Raises TimeoutError if there is none by the deadline, EOFError if the
        child has closed its output, and ValueError for a line that is too long."""
        entry, output, errors = self._pipes()
        while b"\n" not in self._inbox:
            if len(self._inbox) > LONGEST:
                raise ValueError(f"more than {LONGEST} bytes without an end of line")
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            with selectors.DefaultSelector() as selector:
                selector.register(output, selectors.EVENT_READ)
                if self._outbox:
                    selector.register(entry, selectors.EVENT_WRITE)
                if not self._mute:
                    # A child that writes much to standard error would wait for somebody to read it.
                    selector.register(errors, selectors.EVENT_READ)
                selector.select(left)
            self._write()
            self._read_errors()
            piece = self._read(output)
            if piece == b"":
                raise EOFError
            self._inbox += piece or b""

    def _write(self) -> None:
        try:
            while self._outbox:
                sent = os.write(self._pipes()[0].fileno(), self._outbox[:65536])
                del self._outbox[:sent]
        except BlockingIOError:
            return
        except OSError:
            # A child that reads no more may still write; if it is dead, reading will tell.
            self._outbox.clear()

    def _read(self, pipe: IO[bytes]) -> bytes | None:
        """The data in a pipe: empty at its end, None if there is none yet."""
        try:
            return os.read(pipe.fileno(), 65536)
        except BlockingIOError:
            return None

    def _read_errors(self) -> None:
        # Not until there is nothing left: a child could write for ever.
        for _ in range(16):
            piece = self._read(self._pipes()[2])
            self._mute = piece == b""
            if not piece:
                return
            self._errors += piece
            del self._errors[:-LAST_WORDS]

    def overhear(self) -> list[int]:
        """Read and discard the child's output, except its last words; returns the open file descriptors. For
        a child without line-based communication."""
        for _ in range(16):
            piece = None if self._silent else self._read(self._pipes()[1])
            self._silent = self._silent or piece == b""
            if not piece:
                break
        self._read_errors()
        _, output, errors = self._pipes()
        ended = {output: self._silent, errors: self._mute}
        return [pipe.fileno() for pipe in (output, errors) if not ended[pipe]]

    @property
    def dead(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def obituary(self, what: str = "closed its output") -> str:
        """How the child has ended, in words: `what` it did if it still runs, and its last words."""
        code = self._exit_code()
        self._read_errors()
        lines = [line.strip() for line in self._errors.decode(errors="replace").split("\n") if line.strip()]
        fate = what if code is None else f"died with exit code {code}"
        return fate + (f", saying {quote(lines[-1], 200)}" if lines else "")

    def _exit_code(self) -> int | None:
        """The exit code of a child that ends within a while (128 + n for a signal n); None if it does not."""
        try:
            return self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return None

    def close(self, farewell: str = "") -> None:
        """Send a last line, close the child's input, wait a while for its end, and kill it."""
        if not self.ended:
            if farewell:
                self.send(farewell)
            self.ended = f"{self.name} has been closed"
        self._close()

    def _close(self, *, kill: bool = False) -> None:
        if self._closed:
            return
        self._closed = True
        self._write()
        with contextlib.suppress(OSError):
            self._pipes()[0].close()
        if not kill:
            self._exit_code()
        self._lifeline.cut()
        reap(self._process)
        for pipe in self._pipes()[1:]:
            pipe.close()
