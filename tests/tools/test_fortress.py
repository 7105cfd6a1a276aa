"""No orders break the stalemate lines that are said to hold, and the orders that break others do."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import verify_stalemates
from bordeaux import BordeauxError, Map
from bordeaux.evaluation import StalemateLine, stalemate_lines
from fortress import verify
from siege import besiege

MAP = Map.standard()
LINES = {line.name: line for line in stalemate_lines(MAP)}


@pytest.mark.parametrize("name", LINES)
def test_the_data_says_what_is_proved(name: str) -> None:
    """The proof, every assault, a few storms, and the orders of `broken_by` on the board."""
    seen = verify_stalemates.examine(MAP, LINES[name], 2, random.Random(name))
    assert seen["agrees"], seen
    assert seen["assaults"] > len(LINES[name].units)


def test_published_lines_hold_against_anybody_but_for_fleets() -> None:
    published = {name: line.no_fleets for name, line in LINES.items() if line.source}
    assert len(published) == 13
    assert {name for name, waters in published.items() if waters} == {
        "beshera-III-1",
        "lipton-southern-1",
        "lipton-southern-2",
        "lipton-southern-3",
        "england-atlantic",
    }


@pytest.mark.parametrize("name", ["walker-1", "verheiden-eastern-1", "beshera-III-3"])
def test_without_any_one_support_a_line_is_judged_alike_by_proof_and_siege(name: str) -> None:
    line = LINES[name]
    judged = set()
    for helper in line.supports:
        weaker = replace(line, supports={h: t for h, t in line.supports.items() if h != helper})
        verdict = verify(MAP, weaker)
        assert {breach.province for breach in verdict.breaks} == set(besiege(MAP, weaker, 2000).fallen)
        assert all(verify_stalemates.broken(MAP, weaker, breach.orders) for breach in verdict.breaks)
        judged.add(verdict.unbreakable)
    assert False in judged


def test_proof_and_siege_agree_on_any_supports() -> None:
    """Lines with supports at random, most of which do not hold."""
    rng = random.Random(4)
    for line in rng.choices([line for line in LINES.values() if len(line.units) < 14], k=15):
        supports = {}
        for unit, place in zip(line.units, line.held, strict=True):
            near = {name.partition("/")[0] for name in MAP.adjacent(*unit.split(" "))} & set(line.held)
            if near and rng.random() < 0.8:
                supports[place] = rng.choice(sorted(near))
        other = replace(line, supports=supports)
        assert {breach.province for breach in verify(MAP, other).breaks} == set(
            besiege(MAP, other, 2000).fallen
        )


def test_waters_must_be_closed_for_no_fleet_to_come() -> None:
    """Attackers without fleets in the Mid-Atlantic get them there from anywhere beside it."""
    line = replace(LINES["england-atlantic"], no_fleets=("GAS", "SPA/NC"))
    assert ("F BRE - GAS",) in [breach.orders for breach in verify(MAP, line).breaks]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"supports": {"SEV": "TRI"}}, "A SEV cannot support TRI"),
        ({"supports": {"SEV": "RUM"}}, "no units for SEV S RUM"),
        ({"sheltered": ("SEV",)}, "a province is held twice, or held and sheltered"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(change: dict[str, Any], message: str) -> None:
    parts = {"units": ("A SEV", "A TRI"), "supports": {}, "sheltered": ()} | change
    with pytest.raises(BordeauxError, match=message):
        verify(MAP, StalemateLine(name="odd", centres=(), **parts))
