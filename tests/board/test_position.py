"""Which powers are near which, by units."""

from __future__ import annotations

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
