"""What a budget allows, by a clock that the test turns."""

from __future__ import annotations

import pytest

from bordeaux.search import budget
from bordeaux.search.budget import Budget


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(budget, "clock", made)
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
