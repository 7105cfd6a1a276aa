"""What the learnt net is told of the phases before: which they are, and whose orders of them count."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position, adjudicate
from bordeaux._ext.net.facts import Facts
from bordeaux._ext.net.memory import Memory
from bordeaux.board.code import as_bytes
from bordeaux.board.phase import Phase
from bordeaux.policy.net import Seen, memory_of, movements_before
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.sets import from_orders, in_full

MAP = Map.standard()
FACTS = Facts(MAP.tables, True)
START = Position.start()
SPRING = {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN S A PAR - BUR"]}
FALL = {"FRANCE": ["A MAR - SPA", "F MAO - POR"], "GERMANY": ["A BER - KIE", "F KIE - HOL"]}


def told(position: Position, memory: Memory | None) -> list[bytes]:
    """What each power sees of a position."""
    return [FACTS.seen(position.packed, number, memory) for number in range(len(MAP.powers))]


def given(position: Position, orders: dict[str, list[str]]) -> list[tuple[int, bytes]]:
    """Orders as the core takes them; who has none holds."""
    sets = {power: from_orders(position, power, listed) for power, listed in orders.items()}
    return [
        (MAP.powers.index(power), as_bytes(in_full(position, power, codes).values()))
        for power, codes in sets.items()
    ]


@pytest.mark.parametrize(
    ("phase", "last", "before"),
    [
        ("S1903M", "F1902", "S1902"),
        ("S1903R", "S1903", "F1902"),
        ("F1903M", "S1903", "F1902"),
        ("F1903R", "F1903", "S1903"),
        ("W1903A", "F1903", "S1903"),
    ],
)
def test_the_movement_phases_before_a_phase(phase: str, last: str, before: str) -> None:
    movements = movements_before(Phase.parse(phase))
    assert [f"{season}{year}" for year, season in movements] == [last, before]


def test_beliefs_remember_the_last_two_movements() -> None:
    beliefs = Beliefs(MAP)
    fall = adjudicate(START, SPRING).after
    winter = adjudicate(fall, FALL).after
    assert memory_of(START, beliefs.seen) is None
    beliefs.observe(START, SPRING)
    assert told(fall, memory_of(fall, beliefs.seen)) == told(
        fall, Memory(MAP.tables, fall.packed, given(START, SPRING))
    )
    beliefs.observe(fall, FALL)
    assert str(winter.phase) == "W1901A"
    both = Memory(MAP.tables, winter.packed, given(fall, FALL), given(START, SPRING))
    assert told(winter, memory_of(winter, beliefs.seen)) == told(winter, both)
    # Each of the two phases is seen in what is told.
    assert told(winter, both) != told(winter, Memory(MAP.tables, winter.packed, given(fall, FALL)))


def test_what_is_older_is_forgotten() -> None:
    beliefs = Beliefs(MAP)
    beliefs.observe(START, SPRING)
    later = Position.from_json({**START.to_json(), "name": "S1903M"})
    assert memory_of(later, beliefs.seen) is None
    alone: Seen = {"FRANCE": {"F": (1902, {}), "S": (1901, {})}}
    known = memory_of(later, alone)
    assert known is not None and told(later, known) != told(later, None)
