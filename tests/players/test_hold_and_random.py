"""The two players below all others: one that never moves, and one that leaves all to chance."""

from __future__ import annotations

from collections import Counter

from bordeaux import Map, Position, Unit, legal_orders
from bordeaux.board.code import codes_in
from bordeaux.board.order import Dislodged
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.dumbbot import DumbBot
from bordeaux.players.hold_and_random import Hold, RandBot
from bordeaux.players.people import Person
from bordeaux.players.registry import create
from bordeaux.players.talkers import BlabBot
from bordeaux.policy.net import memory_of
from bordeaux.policy.people import People
from bordeaux.search.beliefs import given_in, note
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


# BlabBot: DumbBot until it has a friend.

FRANCE = Seat("FRANCE", MAP, 3)
OWNERS = {"FRANCE": ["PAR"], "GERMANY": ["MUN"], "ENGLAND": ["LON"]}
WHERE = Position(MAP, "F1902M", [Unit("FRANCE", "A", "BUR"), Unit("GERMANY", "A", "PIC")], OWNERS)


def seen(player: DumbBot) -> dict[str, int]:
    """What some centres are worth, and how large the threat to Paris is, after orders."""
    player.orders(WHERE, FREE)
    survey = player.policy.survey(WHERE.packed, player.number)
    worth = {tag: survey["proximity"][0][MAP.location("A", tag).index] for tag in ("MUN", "LON")}
    return worth | {"threat": survey["threat"][MAP.province("PAR").index]}


def test_a_friend_counts_a_quarter() -> None:
    player = BlabBot(FRANCE)
    before = seen(player)
    assert before["threat"] == 21
    player.make_peace("GERMANY")
    after = seen(player)
    assert after["threat"] == 21 * 25 // 100
    assert after["MUN"] == before["MUN"] * 25 // 100
    assert after["LON"] == before["LON"]


def test_at_peace_with_all_it_ignores_friendship_or_keeps_it() -> None:
    ignoring, asking = BlabBot(FRANCE), BlabBot(FRANCE, peace="draw")
    plain = seen(DumbBot(FRANCE))
    for player in (ignoring, asking):
        player.make_peace("GERMANY")
        assert not player.at_peace(WHERE)
        assert seen(player) != plain
        player.make_peace("ENGLAND")
        # The other powers have neither units nor centres.
        assert player.at_peace(WHERE)
    assert seen(ignoring) == plain
    assert seen(asking) != plain


# The player who plays like people: sound anywhere, moved by what it saw, and the same for the same seat.

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
