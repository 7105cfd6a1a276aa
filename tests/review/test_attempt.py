"""Sets of orders weighed against each other and against what a search finds."""

import pytest

from bordeaux import Limit, Position
from bordeaux.board.errors import OrderError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.unit import Unit
from bordeaux.review.comparison import Attempt, weighed

START = Position.start()
LIMIT = Limit(None, 400)


def read(position: Position, *texts: str) -> tuple[Order, ...]:
    return tuple(parse_order(text, position.map, position) for text in texts)


def test_taking_a_free_centre_is_worth_more_than_staying_beside_it() -> None:
    units = [Unit("FRANCE", "A", "SPA"), Unit("GERMANY", "A", "BER")]
    position = Position(START.map, "F1902M", units, {"FRANCE": ["PAR"], "GERMANY": ["BER"]})
    sets = {"takes": read(position, "A SPA - POR"), "stays": read(position, "A SPA - GAS")}
    by_name = {
        weighed_set.name: weighed_set
        for weighed_set in weighed(Attempt(position, "FRANCE", sets, limit=LIMIT))
    }
    assert by_name["takes"].expected > by_name["stays"].expected
    assert by_name["stays"].behind > 0 and by_name["stays"].doubt >= 0
    assert by_name["stays"].orders == ("A SPA - GAS",)


def test_equal_sets_are_weighed_once_under_their_first_name() -> None:
    sets = {"one": read(START, "A PAR H"), "other": ()}
    sets_weighed = weighed(Attempt(START, "FRANCE", sets, limit=LIMIT))
    assert [weighed_set.name for weighed_set in sets_weighed].count("one") == 1 and "other" not in {
        weighed_set.name for weighed_set in sets_weighed
    }


def test_the_best_comes_first_and_is_behind_nothing() -> None:
    sets = {"hold": read(START, "A PAR H")}
    sets_weighed = weighed(Attempt(START, "FRANCE", sets, limit=LIMIT))
    assert sets_weighed[0].behind == 0 and len(sets_weighed) > 1
    assert [weighed_set.expected for weighed_set in sets_weighed] == sorted(
        (weighed_set.expected for weighed_set in sets_weighed), reverse=True
    )


def test_builds_are_weighed_too() -> None:
    winter = Position(START.map, "W1901A", [], {"RUSSIA": ["STP", "MOS"], "TURKEY": ["CON"]})
    sets = {"builds": read(winter, "A MOS B", "F STP/NC B"), "waives": ()}
    by_name = {
        weighed_set.name: weighed_set for weighed_set in weighed(Attempt(winter, "RUSSIA", sets, limit=LIMIT))
    }
    assert by_name["builds"].expected > by_name["waives"].expected


def test_illegal_orders_are_refused() -> None:
    with pytest.raises(OrderError, match="A PAR - MOS is illegal in S1901M"):
        weighed(Attempt(START, "FRANCE", {"try": read(START, "A PAR - MOS")}, limit=LIMIT))
