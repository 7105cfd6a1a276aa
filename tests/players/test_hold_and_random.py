"""The two players below all others: one that never moves, and one that leaves all to chance."""

from __future__ import annotations

from collections import Counter

from bordeaux import Map, Position, Unit, legal_orders
from bordeaux.board.order import Dislodged
from bordeaux.players.base import Seat
from bordeaux.players.hold_and_random import Hold, RandBot
from tests.players.playing import FREE

MAP = Map.standard()


def test_hold_holds_disbands_waives_and_leaves_removals_to_the_rules() -> None:
    player = Hold(Seat("FRANCE", MAP))
    assert [str(order) for order in player.orders(Position.start(), FREE)] == [
        "F BRE H",
        "A MAR H",
        "A PAR H",
    ]
    driven = [Dislodged(Unit("FRANCE", "A", "MUN"), ("RUH", "BUR"))]
    retreat = Position(MAP, "F1901R", [Unit("GERMANY", "A", "MUN")], {}, driven)
    assert [str(order) for order in player.orders(retreat, FREE)] == ["A MUN D"]
    build = Position(MAP, "W1901A", [Unit("FRANCE", "A", "SPA")], {"FRANCE": ["PAR", "MAR", "SPA"]})
    assert [str(order) for order in player.orders(build, FREE)] == ["WAIVE", "WAIVE"]
    remove = Position(
        MAP, "W1901A", [Unit("FRANCE", "A", "PAR"), Unit("FRANCE", "A", "MOS")], {"FRANCE": ["PAR"]}
    )
    assert player.orders(remove, FREE) == []
    assert remove.next({"FRANCE": []}).units == (Unit("FRANCE", "A", "PAR"),)


def test_random_orders_are_all_equally_likely() -> None:
    start, draws = Position.start(), 4000
    player = RandBot(Seat("FRANCE", MAP, 2))
    drawn = Counter(str(order) for _ in range(draws) for order in player.orders(start, FREE))
    for orders in legal_orders(start, "FRANCE").values():
        even = draws / len(orders)
        for order in orders:
            assert abs(drawn[order] - even) < 5 * even**0.5


def test_random_builds_are_in_different_homes_of_any_kind() -> None:
    where = Position(MAP, "W1901A", [Unit("RUSSIA", "A", "UKR")], {"RUSSIA": ["MOS", "SEV", "STP", "WAR"]})
    player = RandBot(Seat("RUSSIA", MAP, 4))
    drawn: Counter[str] = Counter()
    for _ in range(300):
        orders = [str(order) for order in player.orders(where, FREE)]
        assert len({order[2:5] for order in orders}) == 3
        drawn.update(orders)
    kinds = {f"A {home} B" for home in MAP.homes["RUSSIA"]} | {"F SEV B", "F STP/NC B", "F STP/SC B"}
    assert set(drawn) == kinds


def test_random_removals_are_any_units() -> None:
    units = [Unit("FRANCE", "A", place) for place in ("PAR", "MAR", "BUR")]
    where = Position(MAP, "W1901A", units, {"FRANCE": ["PAR"]})
    player = RandBot(Seat("FRANCE", MAP, 4))
    pairs = {tuple(sorted(str(order) for order in player.orders(where, FREE))) for _ in range(60)}
    assert pairs == {("A BUR D", "A MAR D"), ("A BUR D", "A PAR D"), ("A MAR D", "A PAR D")}
