"""Every player gives sound orders anywhere, and the same ones for the same seat."""

from __future__ import annotations

import random
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map, Position
from bordeaux.board.errors import MapError
from bordeaux.evaluation.prospect import write_value_net
from bordeaux.formats.daide import map_from_mdf, map_to_mdf
from bordeaux.players.base import Limit, Player, Seat
from bordeaux.players.hold_and_random import LegalSets
from bordeaux.players.limits import Clock, tightest
from bordeaux.players.registry import create
from tests.board.positions import positions
from tests.core.test_value_net import net
from tests.patience import examples
from tests.players.playing import (
    FREE,
    STRIP,
    assert_sound,
    faults,
    human_positions,
    orders_for,
    play,
    standard,
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
    for human_position in human_positions(recorded_games, 8):
        if human_position.phase.kind in by_kind and human_position.orderable():
            by_kind[human_position.phase.kind].append(human_position)
    return [position for found in by_kind.values() for position in chance.sample(found, 8)]


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
                assert_sound(turn.before, power, orders)


@pytest.mark.parametrize("spec", [spec for spec in PLAYERS if spec != "hold"])
def test_a_seat_repeats_its_orders_and_another_seed_does_not(spec: str) -> None:
    start = Position.start()
    until = 1901 if spec in SAMPLERS else 1902
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


# The player that draws sets of orders: sound anywhere, within its limits, and better the more it draws.

MAP = Map.standard()
TURKEY = Seat("TURKEY", MAP, 5)


@pytest.mark.parametrize("spec", ["sampler", "iterated"])
def test_the_eighteenth_centre_is_taken(spec: str) -> None:
    centres = list(MAP.centres)
    winning = standard(
        "F1910M", {"TURKEY": ["A BUL", "F AEG"]}, {"TURKEY": centres[:17], "RUSSIA": [centres[17]]}
    )
    assert winning.next({"TURKEY": create(spec, TURKEY).orders(winning, Limit())}).victor == "TURKEY"


def test_nodes_are_counted_and_kept() -> None:
    clock = Clock(Limit(nodes=10))
    clock.nodes = 6
    assert clock.progress() == 0.6
    assert clock.affords(4) and not clock.affords(5)
    assert Clock(Limit()).affords(10**9)
    assert tightest(Limit(1.0, None), Limit(0.5, 7)) == Limit(0.5, 7)


def test_sets_are_what_is_owed() -> None:
    start = Position.start()
    legal = LegalSets(start, MAP.powers.index("TURKEY"), Random(0))
    drawn = [legal.random() for _ in range(50)]
    assert {len(orders) for orders in drawn} == {3}
    assert len({tuple(sorted(orders)) for orders in drawn}) > 30
    for orders in drawn:
        changed = legal.mutated(orders, 1)
        assert len(set(orders) & set(changed)) >= 2
    winter = standard("W1901A", {"TURKEY": ["A BUL"]}, {"TURKEY": ["ANK", "CON", "SMY"]})
    builds = LegalSets(winter, MAP.powers.index("TURKEY"), Random(0))
    for _ in range(30):
        orders = builds.random()
        changed = builds.mutated(orders, 1)
        places = {code >> 16 & 0xFFFF for code in changed}
        assert len(orders) == len(changed) == len(places) == 2
    assert not LegalSets(winter, MAP.powers.index("FRANCE"), Random(0)).owed


def test_a_policy_by_name_is_that_of_people() -> None:
    start = Position.start()
    by_file = create("policy:file=people,temperature=1.0", Seat("ITALY", MAP, 4)).orders(start, Limit())
    assert by_file == create("people", Seat("ITALY", MAP, 4)).orders(start, Limit())


def test_the_value_decides(tmp_path: Path) -> None:
    file = tmp_path / "value.npz"
    write_value_net(file, net(scale=3000.0), {})
    start, limit = Position.start(), Limit(nodes=600)
    spec = "sampler:policy=engines,movements=0"
    answers, plain = (
        {tuple(create(name, Seat("FRANCE", MAP, seed)).orders(start, limit)) for seed in range(3)}
        for name in (f"{spec},value={file}", spec)
    )
    assert answers != plain
