"""Events without end: the first are told, the rest is counted."""

from __future__ import annotations

from bordeaux.daide.repeats import MINUTE, MOST, Repeats


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_first_of_a_minute_are_told_and_the_others_counted() -> None:
    told: list[str] = []
    clock = Clock()
    repeats = Repeats(told.append, clock)
    for number in range(3000):
        repeats.line("storms", f"storm {number}")
    repeats.line("calms", "one calm")
    assert told == [*(f"storm {number}" for number in range(MOST)), "one calm"], "each kind for itself"
    repeats.look()
    assert len(told) == MOST + 1
    clock.now = MINUTE
    repeats.look()
    assert told.pop() == f"not told in the last minute: {3000 - MOST:,} storms"
    repeats.line("storms", "again")
    assert told.pop() == "again"


def test_the_last_numbers_are_told_at_the_end_and_nothing_of_nothing() -> None:
    told: list[str] = []
    repeats = Repeats(told.append, Clock())
    repeats.look(last=True)
    assert told == []
    for _ in range(MOST + 2):
        repeats.line("storms", "storm")
    del told[:]
    repeats.look(last=True)
    repeats.look(last=True)
    assert told == ["not told in the last minute: 2 storms"]
