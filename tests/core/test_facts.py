"""The input of a learnt policy from a board."""

from __future__ import annotations

import numpy as np
import pytest

from bordeaux import Map, Position
from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux.board.code import as_bytes, make_code
from bordeaux.board.order import OrderKind
from tests.core.nets import FACTS, MAP, NAMELESS, options, remembered
from tests.rubbish import POSITIONS

PER_NODE, PER_POWER = 12, 6
HOLD_OWN, MOVE_OTHER, WAIVE = 3, 6, 14


def location(name: str, kind: str = "A") -> int:
    return MAP.location(kind, name).index


def province(name: str) -> int:
    return next(province.index for province in MAP.provinces if province.name == name)


def rows(position: Position, power: str, memory: Memory | None = None, facts: Facts = FACTS) -> np.ndarray:
    seen = facts.seen(position.packed, MAP.powers.index(power), memory)
    return np.frombuffer(seen, np.uint16)[:-PER_POWER].reshape(-1, PER_NODE)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position.phase))
def test_options_are_all_that_is_legal(position: Position) -> None:
    legal = position.packed.legal()
    for power in range(len(MAP.powers)):
        listed = options(position, power)
        expected = [int(code) for codes in legal.get(power, {}).values() for code in codes]
        given = listed[listed["kind"] != WAIVE]
        assert sorted(given["code"].tolist()) == sorted(expected)
        waived = position.phase.kind == "A" and position.packed.due(power) > 0
        assert len(listed) - len(given) == waived
        if position.phase.kind != "A":
            units = [int(code) >> 16 & 0xFFFF for code in listed["code"]]
            assert len(set(zip(listed["unit"].tolist(), units, strict=True))) == len(legal.get(power, {}))
            assert sorted(set(listed["unit"].tolist())) == list(range(len(legal.get(power, {}))))


def test_options_tell_own_help_from_help_for_others() -> None:
    position = Position.start()
    for power in range(len(MAP.powers)):
        listed = options(position, power)
        own = {province(unit.location.partition("/")[0]) for unit in position.units_of(MAP.powers[power])}
        for option in listed[(listed["kind"] >= HOLD_OWN) & (listed["kind"] <= MOVE_OTHER)]:
            assert (option["other"] in own) == (option["kind"] in (3, 5))
        assert set(listed["source"].tolist()) == own


@pytest.mark.parametrize("facts", [FACTS, NAMELESS])
def test_rows_are_of_the_table_and_names_come_last(facts: Facts) -> None:
    for position in POSITIONS:
        for power in MAP.powers:
            seen = rows(position, power, remembered(position) if position.phase.kind == "M" else None, facts)
            assert seen.max() < facts.n_rows
            assert (seen[:, :8] < facts.n_general).all()
            if facts.names:
                assert (seen[:, 8:11] >= facts.n_general).all()
            else:
                assert not seen[:, 8:].any()


def test_a_province_differs_by_what_stands_there_and_who_looks() -> None:
    start = Position.start()
    seen = {power: rows(start, power) for power in MAP.powers}
    vienna, london, north_sea = province("VIE"), province("LON"), province("NTH")
    occupant, centre, terrain = 0, 1, 2
    # Armies and fleets, own and others': four rows; what stands nowhere is a fifth.
    kinds = {
        seen[power][place, occupant]
        for power, place in (
            ("AUSTRIA", vienna),
            ("ITALY", vienna),
            ("ENGLAND", london),
            ("FRANCE", london),
            ("FRANCE", north_sea),
        )
    }
    assert len(kinds) == 5
    assert seen["ITALY"][vienna, occupant] == seen["TURKEY"][vienna, occupant]
    assert seen["AUSTRIA"][vienna, centre] != seen["ITALY"][vienna, centre]
    assert seen["AUSTRIA"][north_sea, terrain] != seen["AUSTRIA"][vienna, terrain]


def test_nothing_remembered_is_row_0() -> None:
    position = Position.start()
    assert not rows(position, "FRANCE")[:, 5:8].any()
    known = rows(position, "FRANCE", remembered(position))
    assert known[:, 7].all()
    with_neighbours = [province(name) for name in ("MUN", "ROM")]
    assert known[with_neighbours, 5].all()
    assert not known[province("PAR"), 5]


def test_a_memory_tells_deeds_and_what_was_ordered() -> None:
    position = Position.start()
    france, germany, italy = (MAP.powers.index(name) for name in ("FRANCE", "GERMANY", "ITALY"))
    attack = make_code(OrderKind.MOVE, location("PAR"), location("MUN"))
    held = make_code(OrderKind.HOLD, location("MAR"))
    help = make_code(OrderKind.SUPPORT_HOLD, location("ROM"), location("PAR"))
    memory = Memory(
        MAP.tables,
        position.packed,
        [
            (france, as_bytes([attack, held])),
            (italy, as_bytes([help])),
            (germany, as_bytes([make_code(1, location("MUN"))])),
        ],
    )
    again = {int(option["code"]) for option in options(position, france, memory) if option["again"] == 1}
    # Paris cannot order Munich, but stands where it was: only what is legal can be repeated.
    assert again == {held}
    of_germany, of_france, of_italy = (
        rows(position, name, memory) for name in ("GERMANY", "FRANCE", "ITALY")
    )
    munich, paris, rome = province("MUN"), province("PAR"), province("ROM")
    # Attacked and attacker see it, each from its side, and a helper and its friend see something else.
    assert len({of_germany[paris, 5], of_france[munich, 5], of_italy[paris, 5], of_france[rome, 5]}) == 4
    assert of_germany[rome, 5] == of_germany[province("VIE"), 5]
    # France tried Munich: own and others' tries differ, and so do places that nobody tried.
    assert len({of_france[munich, 7], of_germany[munich, 7], of_france[rome, 7]}) == 3


def test_a_unit_that_moved_can_go_back_and_repeats_nothing() -> None:
    position = Position.start()
    austria = MAP.powers.index("AUSTRIA")
    came = make_code(OrderKind.MOVE, location("GAL"), location("VIE"))
    memory = Memory(MAP.tables, position.packed, [(austria, as_bytes([came]))])
    listed = options(position, austria, memory)
    back = make_code(OrderKind.MOVE, location("VIE"), location("GAL"))
    assert listed["code"][listed["again"] > 0].tolist() == [back]
    assert listed["again"].max() == 2
    stayed = Memory(MAP.tables, position.packed, [(austria, as_bytes([make_code(1, location("VIE"))]))])
    vienna = province("VIE")
    assert rows(position, "AUSTRIA", memory)[vienna, 7] != rows(position, "AUSTRIA", stayed)[vienna, 7]


def test_a_power_is_told_what_it_did_of_late() -> None:
    position = Position.start()
    austria = MAP.powers.index("AUSTRIA")
    held = [make_code(OrderKind.HOLD, location(name)) for name in ("VIE", "BUD")]
    helped = [
        make_code(OrderKind.SUPPORT_HOLD, location(name), location("TRI", "F")) for name in ("VIE", "BUD")
    ]

    def told(orders: list[int] | None, power: int = austria) -> list[int]:
        memory = (
            None if orders is None else Memory(MAP.tables, position.packed, [(austria, as_bytes(orders))])
        )
        return np.frombuffer(FACTS.seen(position.packed, power, memory), np.uint16)[-2:].tolist()

    assert told(None) == [0, 0]
    assert len({tuple(told(orders)) for orders in (held, held[:1], helped, helped[:1], [])}) == 5
    assert told(held, MAP.powers.index("ITALY")) == told([])


def test_patterns_tell_powers_goals_and_places_apart() -> None:
    position = Position.start()
    for power in range(len(MAP.powers)):
        patterns = options(position, power)["pattern"]
        assert patterns.max() < FACTS.pattern_rows
        assert len({tuple(row) for row in patterns.tolist()}) == len(patterns)
    later = Position(MAP, "F1901M", position.units, position.centres)
    spring, fall = options(position, 0)["pattern"], options(later, 0)["pattern"]
    assert (spring[:, 0] != fall[:, 0]).all()
    assert (spring[:, 1:] == fall[:, 1:]).all()


@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_other_maps_have_the_same_general_rows(name: str) -> None:
    map = Map.load(name)
    facts = Facts(map.tables, names=False)
    assert facts.n_rows == facts.n_general == NAMELESS.n_rows
    position = Position.start(map)
    for power in range(len(map.powers)):
        seen = np.frombuffer(facts.seen(position.packed, power), np.uint16)
        assert len(seen) == len(map.provinces) * PER_NODE + PER_POWER
        assert seen.max() < facts.n_rows
        assert facts.options(position.packed, power) or not position.units_of(map.powers[power])


def test_what_makes_no_sense_is_refused() -> None:
    position = Position.start()
    elsewhere = Position.start(Map.load("pure"))
    with pytest.raises(ValueError, match="another map"):
        FACTS.seen(elsewhere.packed, 0)
    with pytest.raises(ValueError, match="no power number 7"):
        FACTS.options(position.packed, 7)
    with pytest.raises(ValueError, match="no power number 9"):
        Memory(MAP.tables, position.packed, [(9, b"")])
    with pytest.raises(ValueError, match="not on the map"):
        Memory(MAP.tables, position.packed, [(0, as_bytes([make_code(OrderKind.MOVE, 9999, 0)]))])
    with pytest.raises(ValueError, match="another map"):
        Memory(MAP.tables, elsewhere.packed, [])
