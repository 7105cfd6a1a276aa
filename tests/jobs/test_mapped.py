"""A function mapped over a stream by processes, and the end of them (point 18 of issue 14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from bordeaux.jobs.pool import AHEAD, BATCH, mapped

from .chores import long_after_the_first, signal_itself

pytestmark = pytest.mark.usefixtures("importable")


@pytest.mark.parametrize("processes", [1, 3])
def test_answers_come_in_order(processes: int, own_children: Callable[[], list[int]]) -> None:
    with mapped(abs, range(-100, 0), processes) as answers:
        assert list(answers) == list(range(100, 0, -1))
    assert own_children() == []


def test_leaving_early_waits_for_nothing_that_has_begun(own_children: Callable[[], list[int]]) -> None:
    taken: list[int] = []

    def stream() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    with pytest.raises(KeyboardInterrupt), mapped(long_after_the_first, stream(), 2) as answers:
        assert [next(answers) for _ in range(BATCH)] == list(range(BATCH))
        raise KeyboardInterrupt
    assert own_children() == []
    assert len(taken) <= 2 * AHEAD * BATCH


def test_processes_leave_ctrl_c_to_the_parent() -> None:
    with mapped(signal_itself, range(2 * BATCH), 2) as answers:
        assert list(answers) == [0] * 2 * BATCH
