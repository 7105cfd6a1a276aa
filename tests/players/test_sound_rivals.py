"""HaAI and Man'chi give sound orders anywhere: in recorded and made-up positions, on other maps."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map, Position
from tests.board.positions import positions
from tests.fuzzing import examples
from tests.players.playing import human_positions, play, table
from tests.players.seats import assert_sound, assert_sound_game, orders_for

PLAYERS = ("haai-vanilla", "haai-berserk", "manchi-attack", "manchi-defence")


@pytest.mark.parametrize("spec", PLAYERS)
def test_orders_are_sound_in_recorded_positions(spec: str, recorded_games: Path) -> None:
    positions = list(human_positions(recorded_games, games=6))[::2]
    assert {position.phase.kind for position in positions} == {"M", "R", "A"}
    for position in positions:
        for power in position.orderable():
            assert_sound(position, power, orders_for(spec, position, power))


@pytest.mark.parametrize("spec", PLAYERS)
@settings(max_examples=examples(15), deadline=None)
@given(position=positions(), seed=st.integers(0, 9))
def test_orders_are_sound_in_made_up_positions(spec: str, position: Position, seed: int) -> None:
    for power in position.orderable():
        assert_sound(position, power, orders_for(spec, position, power, seed))


@pytest.mark.parametrize("spec", PLAYERS)
@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_whole_games_on_other_maps(spec: str, name: str) -> None:
    board = Map.load(name)
    start = Position.start(board)
    played = play(table([spec] * len(board.powers), board, 0), start, start.phase.year + 5)
    assert_sound_game(played)
    assert played.last.owners.count(None) < start.owners.count(None) or None not in start.owners
