"""The core and the oracle must agree on every movement phase."""

from __future__ import annotations

import pytest

from bordeaux.board.map import Map
from tests.oracle import Unit
from tests.oracle.scenarios import FLAVOURS, Flavour, Scenario, Seeded, scenario
from tests.patience import examples
from tests.rules.bridge import board, differences
from tests.rules.playing import POWERS, small_map

SEEDS = examples(150)
"""Phases of each flavour in every run."""

PANDIN = [
    # Two equal attacks on a convoying fleet, one of them supported by the convoy's target.
    {
        "ENGLAND": ["F NTH C A NWY - BEL"],
        "ITALY": ["A NWY - BEL VIA", "F NWG - NTH", "F YOR S F HOL - NTH"],
        "AUSTRIA": ["F BEL S F NWG - NTH"],
        "GERMANY": ["F HOL - NTH"],
    },
    {
        "AUSTRIA": ["F EDI S F NWY - NWG", "F BAR - NWG"],
        "ENGLAND": ["A CLY - EDI VIA", "F NWY - NWG", "F NAO S F BAR - NWG"],
        "ITALY": ["F NWG C A CLY - EDI"],
    },
    {
        "AUSTRIA": ["F NTH C A LON - NWY"],
        "FRANCE": ["F SKA - NTH", "F NWY S F SKA - NTH", "F YOR S F ENG - NTH"],
        "ENGLAND": ["A LON - NWY VIA", "F ENG - NTH"],
    },
]
"""Phases that the core once got wrong."""


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_seeded(flavour: str) -> None:
    game_map = Map.standard()
    for seed in range(SEEDS):
        phase = scenario(board(game_map), game_map.powers, FLAVOURS[flavour], Seeded(f"{flavour}{seed}"))
        assert not differences(phase, game_map), f"{flavour} {seed}"


def test_seeded_on_small_maps() -> None:
    for seed in range(SEEDS):
        choose = Seeded(seed)
        game_map = small_map(choose)
        for _ in range(5):
            phase = scenario(board(game_map), POWERS, small_flavour(choose), choose)
            assert not differences(phase, game_map), seed


@pytest.mark.parametrize("orders", PANDIN)
def test_once_wrong(orders: dict[str, list[str]]) -> None:
    units = [Unit(power, text[0], text.split()[1]) for power, texts in orders.items() for text in texts]
    assert not differences(Scenario(units, orders), Map.standard())


def small_flavour(choose: Seeded) -> Flavour:
    """A flavour for a map that is crowded as a whole."""
    kind = choose.choice(("supports", "moves", "circles", "one power", "convoys", "knots"))
    return FLAVOURS[kind]._replace(terrain="all", size=(12,))
