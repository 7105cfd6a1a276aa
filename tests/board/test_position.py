"""Which powers are near which, by units."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Phase
from bordeaux.board.position import Neighbourhood, near
from tests.press.diplomat.accounts import SIDE


def test_who_is_near_is_counted_by_units() -> None:
    close = near(SIDE)
    assert close["GERMANY", "FRANCE"] == 2 and close["FRANCE", "GERMANY"] == 1
    assert close["ITALY", "GERMANY"] == 1 and ("ITALY", "ENGLAND") not in close
    assert near(SIDE, 2)["FRANCE", "ITALY"] == 2


def test_enemies_are_those_near_the_most_units_first() -> None:
    counts = {enemy: units for (enemy, power), units in near(SIDE, 2).items() if power == "FRANCE"}
    enemies = Neighbourhood(SIDE).enemies("FRANCE")
    assert set(enemies) == set(counts) and "GERMANY" in enemies
    assert [counts[enemy] for enemy in enemies] == sorted(counts.values(), reverse=True)


# Phases in the short form and in words.


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("s1901m", "S1901M"),
        ("Spring, 1901", "S1901M"),
        ("Spring 1901 Retreats", "S1901R"),
        ("Summer 1901", "S1901R"),
        ("Autumn, 1901, Diplomacy", "F1901M"),
        ("Autumn 1901, Unit-placing", "W1901A"),
        ("Winter 1901", "W1901A"),
        ("completed", "COMPLETED"),
    ],
)
def test_phases_are_read(text: str, phase: str) -> None:
    assert str(Phase.parse(text)) == phase


@pytest.mark.parametrize(
    "text",
    ["Spring", "1901", "Spring 19010", "Winter 1901 Retreats", "Spring 1901 Sunny"],
)
def test_what_is_no_phase(text: str) -> None:
    with pytest.raises(BordeauxError, match="unknown phase"):
        Phase.parse(text)
