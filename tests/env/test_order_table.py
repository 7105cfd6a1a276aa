"""The table of all orders: complete, without orders that can never be legal, and the same for ever."""

from __future__ import annotations

import numpy as np
import pytest

from bordeaux import Map, Position, Unit
from bordeaux.board.errors import OrderError
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode, submit
from bordeaux.env import order_table

# Nets are trained on these numbers: a change of either breaks them all.
ORDERS = 19331
DIGEST = "ec2f6e1cf090583197923940d174dee19b4944d554348b04fb9616331e02d540"


def test_numbers_of_the_standard_map_never_change() -> None:
    table = order_table()
    assert len(table) == len(set(table.texts)) == ORDERS
    assert table.digest == DIGEST
    assert table.texts[0] == "F ADR H" and table.texts[-1] == "WAIVE"


def test_codes_texts_and_numbers_say_the_same() -> None:
    table = order_table()
    numbers = np.arange(len(table)).reshape(-1, 1)
    assert np.array_equal(table.numbers(table.codes[numbers]), numbers)
    assert table.number("A PAR - BUR") == table.texts.index("A PAR - BUR")
    assert table.numbers([0]).tolist() == [-1]
    with pytest.raises(OrderError, match="no order 'A PAR - ROM' can be legal on map standard"):
        table.number("A PAR - ROM")
    with pytest.raises(ValueError, match="not on the map"):
        table.numbers([2**63])


@pytest.mark.parametrize("map", ["standard", "pure", "capitals"])
def test_every_order_is_legal_on_a_board_full_of_fleets(map: str) -> None:
    """With its own unit, the other unit that it names, and fleets in all other seas."""
    game_map = Map.load(map)
    power = game_map.powers[0]
    seas = [province.name for province in game_map.provinces if province.kind == "sea"]
    table = order_table(game_map)
    for code in table.codes[:: max(1, len(table) // 400)]:
        order = decode(game_map, int(code))
        if order.kind > OrderKind.CONVOY:
            continue
        units = {sea: Unit(power, "F", sea) for sea in seas}
        units[order.location.partition("/")[0]] = Unit(power, order.unit, order.location)
        if order.target:
            units[order.target.partition("/")[0]] = Unit(power, order.target_unit, order.target)
        position = Position(game_map, "S1901M", units.values(), {})
        assert submit(position, {power: [order]}).orders[0].fault == "", order


def test_retreats_removals_and_builds_are_in_the_table() -> None:
    texts = set(order_table().texts)
    moves = {text for text in texts if " - " in text and len(text.split()) == 4}
    assert {text for text in texts if " R " in text} == {text.replace(" - ", " R ") for text in moves}
    holds = {text.removesuffix(" H") for text in texts if text.endswith(" H")}
    assert {text.removesuffix(" D") for text in texts if text.endswith(" D")} == holds
    builds = {text.split()[1].partition("/")[0] for text in texts if text.endswith(" B")}
    assert builds == {home for homes in Map.standard().homes.values() for home in homes}
