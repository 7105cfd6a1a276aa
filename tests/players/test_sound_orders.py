"""Every player gives sound orders anywhere, and the same ones for the same seat."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map, Position
from bordeaux.board.errors import MapError
from bordeaux.formats.daide import map_from_mdf, map_to_mdf
from bordeaux.players.base import Player, Seat
from bordeaux.players.registry import create
from tests.board.positions import positions
from tests.fuzzing import examples
from tests.players.playing import (
    FREE,
    STRIP,
    assert_sound,
    assert_sound_game,
    faults,
    human_positions,
    orders_for,
    play,
    table,
)

RIVALS = ("haai-vanilla", "haai-berserk", "manchi-attack", "manchi-defence", "diplobot")
"""Their orders do not cross each other either."""
PLAIN = ("hold", "random", "dumbbot", "dumbbot-weak", "dumbbot:neutral_value=0", "diplominator", "blabbot")
SAMPLERS = ("people", "sampler:nodes=60", "iterated:nodes=60")
PLAYERS = (*RIVALS, *PLAIN, *SAMPLERS)
MESSAGE = map_from_mdf(map_to_mdf(Map.load("gulfs")), "message")


@pytest.fixture(scope="module")
def sampled(recorded_games: Path) -> list[Position]:
    """Positions of every kind of phase, in which somebody owes orders."""
    chance = random.Random(23)
    by_kind: dict[str, list[Position]] = {"M": [], "R": [], "A": []}
    for human_position in human_positions(recorded_games, 15):
        if human_position.phase.kind in by_kind and human_position.orderable():
            by_kind[human_position.phase.kind].append(human_position)
    return [position for found in by_kind.values() for position in chance.sample(found, 12)]


@pytest.mark.parametrize("spec", PLAYERS)
def test_orders_are_sound_in_real_games(spec: str, sampled: list[Position]) -> None:
    for seed, where in enumerate(sampled[:: 4 if spec in SAMPLERS else 1]):
        for power in where.orderable():
            if spec == "hold" and where.adjustments(power) < 0:
                continue  # It leaves removals to the rules; see its own tests.
            given = create(spec, Seat(power, where.map, seed)).orders(where, FREE)
            assert faults(where, power, given) == []
            if spec in RIVALS:
                assert_sound(where, power, given)


@pytest.mark.parametrize("spec", RIVALS)
@settings(max_examples=examples(10), deadline=None)
@given(position=positions(), seed=st.integers(0, 9))
def test_orders_are_sound_in_made_up_positions(spec: str, position: Position, seed: int) -> None:
    for power in position.orderable():
        assert_sound(position, power, orders_for(spec, position, power, seed))


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec != "hold"])
@pytest.mark.parametrize("map", [STRIP, MESSAGE], ids=lambda map: map.name)
def test_orders_are_sound_on_other_maps(spec: str, map: Map) -> None:
    start = Position.start(map)
    years = 2 if spec in SAMPLERS else 5
    game = play(table([spec] * len(map.powers), map, 3), start, start.phase.year + years)
    for turn in game.turns:
        for power, orders in turn.orders.items():
            assert faults(turn.before, power, orders) == []
    if spec in RIVALS:
        assert_sound_game(game)


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec != "hold"])
def test_a_seat_repeats_its_orders_and_another_seed_does_not(spec: str) -> None:
    start = Position.start()
    until = 1901 if spec in SAMPLERS else 1904
    games = [play(table([spec] * 7, start.map, seed), start, until).turns for seed in (5, 5, 6)]
    assert games[0] == games[1]
    assert [turn.orders for turn in games[0]] != [turn.orders for turn in games[2]]


def test_the_players_of_a_table_do_not_draw_the_same_numbers() -> None:
    seats = [Seat(power, Map.standard(), 1) for power in Map.standard().powers]
    assert len({create("dumbbot", seat).chance.random() for seat in seats}) == 7  # type: ignore[attr-defined]


def test_a_seat_spells_its_power_as_the_map_does() -> None:
    player = create("dumbbot", Seat("fra", Map.standard()))
    assert isinstance(player, Player)
    assert player.seat.power == "FRANCE"
    with pytest.raises(MapError, match="unknown power 'RURITANIA'"):
        create("hold", Seat("RURITANIA", Map.standard()))
