"""Levels of strength: what each is made of, and that one plays as its number says."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position
from bordeaux.board.errors import BordeauxError
from bordeaux.players import registry
from bordeaux.players.base import Limit, Seat
from bordeaux.players.bordeaux import Bordeaux
from bordeaux.players.limits import FULL, LEVELS, level
from bordeaux.players.people import Person

MAP = Map.standard()
START = Position.start(MAP)


def seated(number: int, seed: int = 0, **options: object) -> Bordeaux:
    text = ",".join(f"{name}={value}" for name, value in {"level": number, **options}.items())
    player = registry.create(f"bordeaux:{text}", Seat("FRANCE", MAP, seed))
    assert isinstance(player, Bordeaux)
    return player


def test_levels_are_numbered_from_one_and_err_less_with_each() -> None:
    assert [level.number for level in LEVELS] == list(range(1, FULL + 1))
    assert len({level.name for level in LEVELS}) == len(LEVELS)
    temperatures = [level.temperature for level in LEVELS if level.temperature is not None]
    assert temperatures == sorted(temperatures, reverse=True)
    searching = [level for level in LEVELS if level.temperature is None]
    assert searching == list(LEVELS[len(temperatures) :]) and searching[-1].nodes is None
    nodes = [level.nodes for level in searching[:-1] if level.nodes is not None]
    assert nodes == sorted(nodes) and len(nodes) == len(searching) - 1


@pytest.mark.parametrize("number", [level.number for level in LEVELS if level.temperature is not None])
def test_a_low_level_orders_what_its_seat_would_draw_of_people(number: int) -> None:
    person = Person(Seat("FRANCE", MAP, 3), temperature=level(number).temperature or 0, wide=True)
    player = seated(number, 3)
    for _ in range(4):
        assert list(player.orders(START, Limit(nodes=5))) == list(person.orders(START, Limit()))
    assert player.answer is None


def test_a_high_level_searches_within_its_nodes_and_the_table_s() -> None:
    for number, given, most in ((6, None, 150), (6, 40, 40), (7, 3_000, 2_000), (FULL, 3_000, 3_000)):
        player = seated(number)
        assert player.limit(Limit(nodes=given)).nodes == most
        player.close()
    player = seated(6)
    assert len(player.orders(START, Limit())) == 3
    assert player.answer is not None and player.answer.nodes <= 2 * 150
    player.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("level=0", "level must be a number from 1"),
        ("level=9", "level must be a number from 1"),
        ("level=club", "must be a whole number"),
        ("level=2,press=10", "leave press out"),
    ],
)
def test_what_is_no_level_is_told(text: str, message: str) -> None:
    with pytest.raises(BordeauxError, match=message):
        registry.check(f"bordeaux:{text}")
