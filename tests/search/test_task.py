"""What a budget allows, by a clock that the test turns."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError
from bordeaux.search import task
from bordeaux.search.task import Budget


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(task, "clock", made)
    return made


@pytest.mark.parametrize(("time", "kept"), [(0.05, 0.046), (2.0, 1.996), (0.002, 0.001)])
def test_a_search_is_over_a_little_before_its_time(clock: Clock, time: float, kept: float) -> None:
    """The answer has to be handed over as well; of a very short time, half is searched."""
    made = Budget(time=time)
    clock.now = 100.0 + kept * 0.999
    assert not made.over()
    clock.now = 100.0 + kept * 1.001
    assert made.over() and clock.now < 100.0 + time


def test_whichever_limit_comes_first_ends_it(clock: Clock) -> None:
    made = Budget(time=10.0, nodes=100)
    made.used = 99
    assert not made.over()
    made.used = 100
    assert made.over()
    made.used = 0
    clock.now += 10.0
    assert made.over()


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({}, "time in seconds or a number of nodes"),
        ({"time": 0.0}, "time must be a positive number, not 0.0"),
        ({"time": float("nan")}, "time must be a positive number, not nan"),
        ({"nodes": 0}, "nodes must be a whole number from 1 on, not 0"),
        ({"time": 1.0, "nodes": -3}, "nodes must be a whole number from 1 on, not -3"),
    ],
)
def test_a_limit_that_is_none_is_refused(limit: dict[str, float], message: str) -> None:
    with pytest.raises(BordeauxError, match=message):
        Budget(**limit)  # type: ignore[arg-type]


def test_a_stop_from_outside_is_the_end_whatever_is_left() -> None:
    asked = [False, False, True]
    made = Budget(nodes=1000, stop=lambda: asked.pop(0))
    assert [made.progress(), made.over(), made.progress()] == [0.0, False, float("inf")]


@pytest.mark.parametrize(
    ("time", "nodes", "roomy"),
    [
        (0.25, None, True),
        (None, 49_999, False),
        (0.25, 50_000, True),
        (0.25, 49_999, False),
        (0.249, 50_000, False),
    ],
)
def test_there_is_room_from_a_quarter_of_a_second_and_fifty_thousand_nodes_on(
    time: float | None, nodes: int | None, roomy: bool
) -> None:
    assert Budget(None if time is None else time + task.RESERVE, nodes).roomy is roomy


@pytest.mark.parametrize(
    ("time", "nodes", "size", "breadth", "rounds"),
    [
        (None, 3_000, 3_000, 1.0, 1),
        (None, 50_000, 50_000, 2.5, 1),
        (None, 160_000, 160_000, 8.0, 1),
        (None, 4_000_000, 4_000_000, 8.0, 3),
        (1.0, None, 120_000, 6.0, 1),
        (3.999, None, 479_880, 8.0, 1),
        (8.0, None, 960_000, 8.0, 3),
        (0.5, 4_000_000, 60_000, 3.0, 1),
    ],
)
def test_what_is_planned_follows_from_the_limits(
    time: float | None, nodes: int | None, size: float, breadth: float, rounds: int
) -> None:
    """By 120,000 nodes a second; two limits count as the smaller one."""
    made = Budget(None if time is None else time + task.RESERVE, nodes)
    assert made.size == pytest.approx(size) and made.breadth == pytest.approx(breadth)
    assert made.rounds == rounds
