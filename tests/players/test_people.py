"""The player who plays like people: sound anywhere, moved by what it saw, and the same for the same seat."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.board.code import codes_in
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.people import Person
from bordeaux.players.registry import check, create
from bordeaux.policy.net import memory_of
from bordeaux.policy.people import People
from bordeaux.search.beliefs import given_in, note

MAP = Map.standard()
START = Position.start()
TURKEY = Seat("TURKEY", MAP, 5)


def test_the_colder_it_is_the_likelier_it_plays() -> None:
    different = []
    for spec in ("people:temperature=0.01", "people", "people:temperature=5"):
        player = create(spec, TURKEY)
        different.append(len({tuple(map(str, player.orders(START, Limit()))) for _ in range(40)}))
    assert 1 == different[0] < different[1] < different[2]


def test_it_draws_from_what_it_saw() -> None:
    orders = {"AUSTRIA": ["A BUD - SER"], "TURKEY": ["A CON - BUL"], "RUSSIA": ["F SEV - BLA"]}
    fall = START.next(orders)
    seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {}
    note(seen, START, given_in(START, orders))
    player = Person(TURKEY, temperature=1.0)
    player.observe(Turn(START, orders, fall))
    people = People(MAP, seed=Chair(TURKEY).chance.getrandbits(64))
    knowing = [people.draw(fall, "TURKEY", memory_of(fall, seen)) for _ in range(6)]
    drawn = [player.orders(fall, Limit()) for _ in range(6)]
    assert drawn == [decoded(MAP, codes_in(orders)) for orders in knowing]
    # What it saw counts.
    assert people.choices(fall, "TURKEY") != people.choices(fall, "TURKEY", memory_of(fall, seen))


@pytest.mark.parametrize("temperature", ["0", "-1", "nan", "inf", "1000", "warm"])
def test_a_temperature_that_is_none_is_refused(temperature: str) -> None:
    with pytest.raises(BordeauxError, match="temperature") as caught:
        check(f"people:temperature={temperature}")
    assert len(str(caught.value).splitlines()) == 1
