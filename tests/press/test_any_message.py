"""Whatever is said, by whomever: no exception, no contradiction, and no end of memory.
`tools/press_fuzz.py` runs the same for as long as is wanted."""

from __future__ import annotations

from random import Random

import pytest

from bordeaux import Map, Position
from bordeaux.press.letter import Letter
from bordeaux.press.levels import LEVELS
from bordeaux.press.soundness import is_sound

from .messages import Talk, nonsense
from .storm import Storm

MAP = Map.standard()


@pytest.mark.parametrize("seed", range(3))
def test_thousands_of_messages_between_random_turns_leave_the_ledger_sound(seed: int) -> None:
    storm = Storm(seed, per_turn=40)
    while storm.letters < 1000:
        storm.phase()
    assert storm.deals > 10 and storm.breaches > 3


@pytest.mark.parametrize("level", LEVELS[1:])
def test_all_that_the_language_can_say_is_sound(level: int) -> None:
    talk = Talk(Position.start(), Random(level))
    for _ in range(100):
        letter = talk.letter(level)
        assert is_sound(letter, MAP), letter


def test_nonsense_is_not_sound() -> None:
    random = Random(0)
    talk = Talk(Position.start(), random)
    letters = [nonsense(random, talk.letter(10)) for _ in range(300)]
    assert not any(is_sound(letter, MAP) for letter in letters)


def test_a_letter_of_nothing_is_not_sound() -> None:
    assert not is_sound(Letter(None, None, None), MAP)  # type: ignore[arg-type]
