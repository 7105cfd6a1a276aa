"""What a player sends: the short cut must say what the rules of submission say."""

import random

import pytest

from bordeaux import Map, Order, Position
from bordeaux.arena.guard import MOST_READ, read
from bordeaux.board.submission import decode, submit

from .troublemakers import RUBBISH


def positions(board: Map, seed: int, phases: int) -> list[tuple[Position, dict[str, list[Order]]]]:
    """A game of random legal orders, with the orders of every phase."""
    chance = random.Random(seed)
    positions: list[tuple[Position, dict[str, list[Order]]]] = []
    position = Position.start(board)
    while position.phase.kind != "-" and len(positions) < phases:
        orders = {
            board.powers[number]: [decode(board, chance.choice(codes)) for codes in units.values()]
            for number, units in position.packed.legal().items()
        }
        positions.append((position, orders))
        position = position.next(orders)
    return positions


@pytest.mark.parametrize("name", ["standard", "gulfs"])
def test_legal_orders_have_the_codes_of_submission(name: str) -> None:
    board = Map.load(name)
    kinds = set()
    for position, orders in positions(board, 5, 120):
        kinds.add(position.phase.kind)
        for power, given in orders.items():
            number = board.powers.index(power)
            owed = given[: abs(position.adjustments(power))] if position.phase.kind == "A" else given
            # Removals of all units at once are more than are owed; the first ones count.
            expected = [code for _, code in submit(position, {power: owed}).codes()]
            for form in (owed, [str(order) for order in owed]):
                sent = read(position, number, form)
                assert sent.codes == expected
                assert [str(order) for order in sent.orders] == [str(order) for order in owed]
                assert sent.illegal == sent.void == []
    assert kinds == {"M", "R", "A"}


def test_every_legal_order_is_legal_here_and_none_of_another_power() -> None:
    board = Map.standard()
    for position, _ in positions(board, 8, 60):
        by_power = position.packed.legal()
        for number, units in by_power.items():
            for codes in units.values():
                for code in random.Random(code_seed(codes)).sample(codes, min(6, len(codes))):
                    order = decode(board, code)
                    sent = read(position, number, [order])
                    power = board.powers[number]
                    assert sent.codes == [code for _, code in submit(position, {power: [order]}).codes()]
                    assert sent.orders == [order]
                    other = (number + 1) % len(board.powers)
                    assert read(position, other, [order]).codes == []


def code_seed(codes: list[int]) -> int:
    return sum(codes) % 1000


@pytest.mark.parametrize("entry", RUBBISH, ids=repr)
def test_rubbish_is_counted_and_harms_nothing(entry: object) -> None:
    position = Position.start()
    france = position.map.powers.index("FRANCE")
    sent = read(position, france, ["A PAR - BUR", entry, "F BRE H"])
    assert [str(order) for order in sent.orders] == ["A PAR - BUR", "F BRE H"]
    assert len(sent.illegal) == 1
    assert sent.illegal[0]


def test_the_first_legal_order_counts_and_the_same_again_is_no_fault() -> None:
    position = Position.start()
    france = position.map.powers.index("FRANCE")
    sent = read(position, france, ["A PAR - MOS", "a par-bur", "A PAR - BUR", "A PAR H", "F PAR - PIC"])
    assert [str(order) for order in sent.orders] == ["A PAR - BUR"]
    assert len(sent.illegal) == 3
    assert [str(order) for order in sent.void] == ["A PAR - MOS", "A PAR H", "A PAR - PIC"]


def test_wrong_kinds_and_coasts_of_the_unit_are_forgiven_as_in_submission() -> None:
    position = Position.start()
    russia = position.map.powers.index("RUSSIA")
    for text in ("F STP - BOT", "A STP - BOT", "F STP/NC - BOT"):
        sent = read(position, russia, [text])
        assert [str(order) for order in sent.orders] == ["F STP/SC - BOT"]
        assert sent.illegal == []


def winter(units: dict[str, list[str]], centres: dict[str, list[str]]) -> Position:
    return Position.from_json({"name": "W1901A", "units": units, "centers": centres})


def test_no_more_builds_count_than_are_owed() -> None:
    position = winter({"FRANCE": ["A SPA"]}, {"FRANCE": ["PAR", "MAR", "BRE"]})
    france = position.map.powers.index("FRANCE")
    sent = read(position, france, ["A PAR B", "A PAR B", "F MAR B", "A MAR B", "F BRE B"])
    assert [str(order) for order in sent.orders] == ["A PAR B", "F MAR B"]
    assert len(sent.illegal) == 2
    sent = read(position, france, ["WAIVE", "WAIVE", "WAIVE"])
    assert (len(sent.codes), len(sent.illegal)) == (2, 1)
    # As the core itself counts them.
    assert len(position.next({"FRANCE": ["A PAR B", "A PAR B", "F MAR B", "A MAR B"]}).units) == 3


def test_no_more_removals_count_than_are_owed() -> None:
    position = winter({"FRANCE": ["A SPA", "A GAS", "A BUR"]}, {"FRANCE": ["PAR"]})
    france = position.map.powers.index("FRANCE")
    sent = read(position, france, ["A GAS D", "A SPA D", "A BUR D"])
    assert [str(order) for order in sent.orders] == ["A GAS D", "A SPA D"]
    assert sent.illegal == ["A BUR D: one order too many"]


def test_a_flood_is_not_read_to_its_end() -> None:
    position = Position.start()
    sent = read(position, 0, ["A VIE H"] * (MOST_READ + 100))
    assert len(sent.codes) == 1
    assert "more than" in sent.illegal[0]
