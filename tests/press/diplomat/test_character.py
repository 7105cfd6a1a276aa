"""press/character.py: three places of one dial."""

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.press.diplomat.character import CHARACTERS, character


def test_from_the_most_honest_on() -> None:
    honest, tit_for_tat, opportunist = CHARACTERS.values()
    assert [honest.name, tit_for_tat.name, opportunist.name] == ["honest", "tit-for-tat", "opportunist"]
    assert honest.greed == 0 < tit_for_tat.greed and opportunist.greed > 0
    assert honest.warns and not tit_for_tat.warns and not opportunist.warns
    assert honest.shadow > tit_for_tat.shadow > opportunist.shadow
    assert honest.grudge > tit_for_tat.grudge > opportunist.grudge
    assert character("honest") is honest


def test_an_unknown_one_is_told_of() -> None:
    with pytest.raises(
        BordeauxError, match=r"unknown character 'honets'.*honest.*known: honest, tit-for-tat"
    ):
        character("honets")
