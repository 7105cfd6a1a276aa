"""A part of a budget, by a clock that is told what it is."""

from __future__ import annotations

import pytest

from bordeaux.search.budget import Allotment


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_whole_goes_from_begin_to_end() -> None:
    clock = Clock()
    whole = Allotment(clock, 1000)
    assert whole.nodes == 1000
    for now in (0.0, 0.25, 1.0, 1.5):
        clock.now = now
        assert whole.progress() == now


def test_a_share_of_what_is_left_begins_now() -> None:
    clock = Clock()
    clock.now = 0.5
    half = Allotment(clock, 1000).left(0.5)
    assert (half.begin, half.end, half.nodes) == (0.5, 0.75, 250)
    assert half.progress() == 0
    clock.now = 0.625
    assert half.progress() == pytest.approx(0.5)
    clock.now = 0.8
    assert half.progress() == pytest.approx(1.2)
    # Of a part that is over nothing is left, and that is over at once.
    nothing = half.left()
    assert nothing.nodes == 0 and nothing.progress() == 1


def test_parts_add_up_to_the_whole() -> None:
    clock = Clock()
    whole = Allotment(clock, 900)
    nodes = 0.0
    for number in range(3, 0, -1):
        part = whole.left(1 / number)
        nodes += part.nodes
        clock.now = part.end
    assert nodes == pytest.approx(900) and clock.now == pytest.approx(1)


def test_a_search_that_was_stopped_has_nothing_left() -> None:
    clock = Clock()
    clock.now = float("inf")
    whole = Allotment(clock, 1000)
    assert whole.progress() > 1 and whole.left(0.5).nodes == 0 and whole.left(0.5).progress() >= 1
