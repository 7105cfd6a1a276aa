"""Who leaves whom alone: trust that is earned by deeds, and lost by an attack."""

from __future__ import annotations

import pytest

from bordeaux import Position
from bordeaux.press.diplomat.stance import FIRST, Restraint

from .boards import MAP, SIDE

HOLDS = {"FRANCE": ["A BUR H", "A MAR H"], "GERMANY": ["A MUN H", "A RUH H"], "ITALY": ["A TYR H"]}
ATTACK = {**HOLDS, "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}


def seen(*phases: dict[str, list[str]], position: Position = SIDE) -> Restraint:
    restraint = Restraint(position.map)
    for orders in phases:
        restraint.observe(position, orders)
    return restraint


def test_who_lets_be_is_trusted_more_and_more_and_who_attacks_is_not() -> None:
    trust = [seen(*[HOLDS] * count).trust("FRANCE", "GERMANY") for count in range(6)]
    assert trust == sorted(trust) and trust[0] == FIRST and trust[1] > trust[0] and trust[-1] == 1.0
    broken = seen(*[HOLDS] * 5, ATTACK)
    assert broken.trust("FRANCE", "GERMANY") == broken.trust("GERMANY", "FRANCE") == 0.0
    assert broken.trust("FRANCE", "ITALY") > 0
    # A single quiet phase does not mend it; several do.
    assert seen(ATTACK, HOLDS).trust("FRANCE", "GERMANY") == 0.0
    assert seen(ATTACK, *[HOLDS] * 6).trust("FRANCE", "GERMANY") > FIRST


def test_who_could_do_nothing_earns_nothing() -> None:
    assert seen(*[HOLDS] * 5).trust("ITALY", "ENGLAND") == FIRST
    with pytest.raises(KeyError):
        seen().trust("ITALY", "ITALY")


def test_help_is_trusted_and_pressure_is_a_warning() -> None:
    helped = {**HOLDS, "ITALY": ["A TYR S A MUN"]}
    assert seen(helped).trust("GERMANY", "ITALY") > seen(HOLDS).trust("GERMANY", "ITALY")
    pressing = {**HOLDS, "FRANCE": ["A BUR H", "A MAR - PIE"]}
    assert seen(HOLDS, pressing).trust("ITALY", "FRANCE") < seen(HOLDS, HOLDS).trust("ITALY", "FRANCE")


def test_retreats_and_builds_teach_nothing() -> None:
    restraint = Restraint(MAP)
    restraint.observe(Position(MAP, "W1902A", SIDE.units, SIDE.centres), {"FRANCE": ["A PAR B"]})
    assert restraint.trust("FRANCE", "GERMANY") == FIRST
