"""The engine on streams: what is answered in the middle of a search, and how it ends."""

from __future__ import annotations

import io
import threading
from collections import Counter
from collections.abc import Iterator

import pytest

import fuzz_protocol
from bordeaux.protocols.dui import mind
from bordeaux.protocols.dui import runner as runner_module
from bordeaux.protocols.dui.machine import LONGEST, EngineTask, Machine
from bordeaux.protocols.dui.runner import Runner, serve
from tests.patience import PATIENCE, examples


class Answers(io.RawIOBase):
    """Keeps lines, and lets a test wait for one."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._new = threading.Condition()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        with self._new:
            assert data.endswith(b"\n") and data.count(b"\n") == 1, "one line is written at a time, and whole"
            self.lines.append(data.decode().rstrip("\n"))
            self._new.notify_all()
        return len(data)

    def wait(self, word: str, count: int = 1) -> None:
        """Wait until so many lines have begun with a word."""
        with self._new:
            arrived = self._new.wait_for(lambda: self.count(word) >= count, PATIENCE)
        assert arrived, f"no {word} among {self.lines}"

    def count(self, word: str) -> int:
        return sum(line.split(" ", 1)[0] == word for line in self.lines)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that comes to its end is waited for, however busy the machine is."""
    monkeypatch.setattr(runner_module, "FAREWELL", PATIENCE)


def started(*lines: str) -> tuple[Runner, Answers]:
    answers = Answers()
    running = Runner(Machine(), answers)  # type: ignore[arg-type]
    for line in lines:
        assert running.hear(line.encode())
    return running, answers


def test_ready_stop_and_new_commands_in_the_middle_of_a_search() -> None:
    running, answers = started("setpower france", "go infinite")
    answers.wait("info")
    running.hear(b"isready")
    assert answers.count("readyok") == 1 and not answers.count("bestorders")
    running.hear(b"setpower italy")
    running.hear(b"xyzzy")
    assert any("unknown command" in line for line in answers.lines)
    running.hear(b"stop")
    answers.wait("bestorders")
    assert "F bre" in next(line for line in answers.lines if line.startswith("bestorders"))
    running.close()


def test_searches_are_answered_in_order_and_a_stop_ends_all() -> None:
    running, answers = started("setpower france", "go infinite", "setpower italy", "go infinite")
    running.hear(b"setpower turkey")
    running.hear(b"go infinite")
    running.hear(b"stop")
    answers.wait("bestorders", 3)
    lines = [line for line in answers.lines if line.startswith("bestorders")]
    assert ["bre" in lines[0], "nap" in lines[1], "ank" in lines[2]] == [True] * 3
    running.hear(b"isready")
    answers.wait("readyok")
    running.close()
    assert answers.count("bestorders") == 3


def test_quit_and_the_end_of_input_answer_what_goes_on() -> None:
    for last in (b"quit\ndui\n", b""):
        answers = Answers()
        source = io.BytesIO(b"setpower france\ngo infinite\npeople\n" + last)
        serve(source, answers, Machine())  # type: ignore[arg-type]
        assert answers.count("bestorders") == 1 and not answers.count("id")


def test_lines_that_are_too_long_are_passed_over_whole() -> None:
    answers = Answers()
    long = b"x" * (3 * LONGEST) + b" isready"
    serve(io.BytesIO(long + b"\nisready\n" + b"y" * LONGEST + b"\n" + b"z" * LONGEST), answers, Machine())  # type: ignore[arg-type]
    assert sorted(line.split()[0] for line in answers.lines) == ["info", "info", "info", "readyok"]
    assert (
        "bytes at most" in answers.lines[0] and sum("unknown command" in line for line in answers.lines) == 2
    )


def test_too_many_commands_that_wait_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "MOST_WAITING", 3)
    running, answers = started("setpower france", "go infinite")
    answers.wait("info")
    for _ in range(6):
        running.hear(b"go infinite")
    assert answers.count("bestorders") == 3
    assert sum("commands wait" in line for line in answers.lines) == 3
    running.hear(b"stop")
    answers.wait("bestorders", 7)
    running.close()


def test_nobody_reading_any_more_ends_it() -> None:
    class Deaf(io.RawIOBase):
        def write(self, data: bytes) -> int:  # type: ignore[override]
            raise BrokenPipeError

    running = Runner(Machine(), Deaf())  # type: ignore[arg-type]
    assert not running.hear(b"dui")
    running.close()


def test_a_search_that_does_not_end_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner_module, "FAREWELL", 0.2)
    running, _ = started()
    stuck = threading.Event()

    def deaf(stop: threading.Event) -> Iterator[str]:
        stuck.wait(PATIENCE)
        yield "bestorders"

    running._queue(EngineTask("search", deaf))
    running.close()
    assert running._thread.is_alive()
    stuck.set()


def test_a_search_without_end_shows_that_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    # So short that no round ends before its time, with nothing left to find.
    monkeypatch.setattr(mind, "FIRST_ROUND", 0.002)
    monkeypatch.setattr(mind, "LONGEST_ROUND", 0.002)
    running, answers = started("setpower turkey", "go infinite")
    answers.wait("info", 20)
    running.hear(b"stop")
    answers.wait("bestorders")
    running.close()


# Random lines: no crash, one line of error at most for each, one answer for each go. Memory does not grow:
# `tools/fuzz_protocol.py --pipe` shows it.


LINES = max(40, examples(120))


def test_random_lines_to_the_machine() -> None:
    counted: Counter[str] = Counter()
    assert fuzz_protocol.here(11, LINES, counted) == []
    assert counted["lines"] == LINES and LINES / 10 < counted["errors"] < LINES * 0.9
    assert counted["answers"] == counted["go"] > 0


def test_random_lines_through_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    counted: Counter[str] = Counter()
    faults = fuzz_protocol.through_pipes(12, LINES // 2, counted)
    assert [fault for fault in faults if "grown" not in fault] == []
    assert counted["answers"] == counted["go"] > 0 and counted["errors"] <= counted["lines"] == LINES // 2
