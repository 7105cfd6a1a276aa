"""All that the language can say is sound, nonsense is not."""

from __future__ import annotations

from random import Random

import pytest

from bordeaux import Map, Position
from bordeaux.press.language.letter import Letter, is_sound
from bordeaux.press.language.levels import LEVELS

from .messages import Talk, nonsense

MAP = Map.standard()


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
