"""Every player of DumbBot's kind gives sound orders anywhere, and the same ones for the same seat."""

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
    assert_sound,
    assert_sound_game,
    faults,
    human_positions,
    orders_for,
    play,
    table,
)
from tests.players.strip import STRIP

PLAYERS = ("hold", "random", "dumbbot", "dumbbot-weak", "dumbbot:neutral_value=0", "diplominator", "blabbot")
MAPS = {
    "pure": Map.load("pure"),
    "capitals": Map.load("capitals"),
    "message": map_from_mdf(map_to_mdf(Map.load("gulfs")), "message"),
    "strip": STRIP,
}


@pytest.fixture(scope="module")
def sampled(recorded_games: Path) -> list[Position]:
    """Positions of every kind of phase, in which somebody owes orders."""
    chance = random.Random(23)
    by_kind: dict[str, list[Position]] = {"M": [], "R": [], "A": []}
    for human_position in human_positions(recorded_games, 15):
        if human_position.phase.kind in by_kind and human_position.orderable():
            by_kind[human_position.phase.kind].append(human_position)
    return [position for sampled in by_kind.values() for position in chance.sample(sampled, 25)]


@pytest.mark.parametrize("spec", PLAYERS)
def test_orders_are_sound_in_real_games(spec: str, sampled: list[Position]) -> None:
    for seed, where in enumerate(sampled):
        for power in where.orderable():
            if spec == "hold" and where.adjustments(power) < 0:
                continue  # It leaves removals to the rules; see its own tests.
            player = create(spec, Seat(power, where.map, seed))
            assert faults(where, power, player.orders(where, FREE)) == []


@pytest.mark.parametrize("spec", PLAYERS[1:])
@pytest.mark.parametrize("name", MAPS)
def test_orders_are_sound_on_other_maps(spec: str, name: str) -> None:
    start = Position.start(MAPS[name])
    players = table([spec] * len(start.map.powers), start.map, 3)
    for turn in play(players, start, start.phase.year + 6).turns:
        for power, orders in turn.orders.items():
            assert faults(turn.before, power, orders) == []


@pytest.mark.parametrize("spec", PLAYERS[1:])
def test_a_seat_repeats_its_orders_and_another_seed_does_not(spec: str) -> None:
    start = Position.start()
    games = [play(table([spec] * 7, start.map, seed), start, 1906).turns for seed in (5, 5, 6)]
    assert games[0] == games[1]
    assert [turn.orders for turn in games[0]] != [turn.orders for turn in games[2]]


def test_the_players_of_a_table_do_not_draw_the_same_numbers() -> None:
    seats = [Seat(power, Map.standard(), 1) for power in Map.standard().powers]
    assert len({create("dumbbot", seat).chance.random() for seat in seats}) == 7  # type: ignore[attr-defined]


def test_a_seat_spells_its_power_as_the_map_does() -> None:
    player = create("dumbbot", Seat("fra", Map.standard()))
    assert isinstance(player, Player)
    assert player.seat.power == "FRANCE"
    with pytest.raises(MapError, match="unknown power 'FRANKREICH'"):
        create("hold", Seat("FRANKREICH", Map.standard()))


RIVALS = ("haai-vanilla", "haai-berserk", "manchi-attack", "manchi-defence")


@pytest.mark.parametrize("spec", RIVALS)
def test_orders_are_sound_in_recorded_positions(spec: str, recorded_games: Path) -> None:
    positions = list(human_positions(recorded_games, games=6))[::2]
    assert {position.phase.kind for position in positions} == {"M", "R", "A"}
    for position in positions:
        for power in position.orderable():
            assert_sound(position, power, orders_for(spec, position, power))


@pytest.mark.parametrize("spec", RIVALS)
@settings(max_examples=examples(15), deadline=None)
@given(position=positions(), seed=st.integers(0, 9))
def test_orders_are_sound_in_made_up_positions(spec: str, position: Position, seed: int) -> None:
    for power in position.orderable():
        assert_sound(position, power, orders_for(spec, position, power, seed))


@pytest.mark.parametrize("spec", RIVALS)
@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_whole_games_on_other_maps(spec: str, name: str) -> None:
    board = Map.load(name)
    start = Position.start(board)
    played = play(table([spec] * len(board.powers), board, 0), start, start.phase.year + 5)
    assert_sound_game(played)
    assert played.last.owners.count(None) < start.owners.count(None) or None not in start.owners
