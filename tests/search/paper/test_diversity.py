"""Sets that differ: far apart in what units do, not in a support that nobody needs."""

from __future__ import annotations

import random

from bordeaux import Map, Position, Unit
from bordeaux.evaluation import evaluator
from bordeaux.search.bestfirst import AgendaNode, Maxims, search_space
from bordeaux.search.paper.power_search import PowerSearch, distances, distinct_in_effect, diverse
from bordeaux.search.sets import from_orders

MAP = Map.standard()


def france() -> Position:
    units = [Unit("FRANCE", "A", tag) for tag in ("PAR", "BUR", "MAR")]
    units += [Unit("GERMANY", "A", tag) for tag in ("MUN", "RUH")]
    return Position(MAP, "S1902M", units, {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]})


POSITION = france()


def orders_of(*orders: str, power: str = "FRANCE") -> bytes:
    return from_orders(POSITION, power, orders)


HOLD = orders_of("A PAR H", "A BUR H", "A MAR H")
HELD = orders_of("A PAR S A BUR", "A BUR H", "A MAR H")
HELD_TWICE = orders_of("A PAR S A BUR", "A BUR H", "A MAR S A BUR")
ATTACK = orders_of("A PAR H", "A BUR - MUN", "A MAR H")
LEAVE = orders_of("A PAR - PIC", "A BUR - BEL", "A MAR - PIE")


def test_distance_counts_units_with_other_goals() -> None:
    apart = distances([HOLD, HELD, ATTACK, LEAVE])
    assert apart.tolist() == [[0, 0.5, 1, 3], [0.5, 0, 1.5, 3], [1, 1.5, 0, 3], [3, 3, 3, 0]]
    assert distances([]).shape == (0, 0)


def test_a_useless_support_makes_no_other_set() -> None:
    """Against a single attack no support is needed at all."""
    scores = {HOLD: 1.0, HELD: 3.0, HELD_TWICE: 2.0, LEAVE: 0.0}
    single = orders_of("A MUN - BUR", "A RUH H", power="GERMANY")
    assert distinct_in_effect(POSITION, scores, [single]) == [HELD, LEAVE]


def test_the_few_that_are_chosen_are_good_and_differ() -> None:
    scores = {HELD: 100.0, HELD_TWICE: 99.5, HOLD: 99.0, ATTACK: 92.0, LEAVE: 90.0}
    assert diverse(scores, 5) == [HELD, HELD_TWICE, HOLD, ATTACK, LEAVE]
    assert diverse(scores, 2) == [HELD, LEAVE]
    assert set(diverse(scores, 3)) == {HELD, LEAVE, HELD_TWICE}
    assert diverse(scores, 2, penalty=0) == [HELD, HELD_TWICE]
    # A difference is not worth any price.
    assert diverse({**scores, LEAVE: 60.0, ATTACK: 60.0}, 2) == [HELD, HELD_TWICE]


def test_a_side_keeps_its_best_and_sets_that_differ() -> None:
    position = Position.start()
    space = search_space(position, "RUSSIA", evaluator(MAP), Maxims.named())
    side = PowerSearch("RUSSIA", MAP.powers.index("RUSSIA"), space)
    best = side.best = side.keep(AgendaNode(50.0, space.node_of(b"")))
    chance = random.Random(3)
    for _ in range(300):
        wild = b"".join(chance.randrange(count).to_bytes(2, "little") for count in space.counts())
        kept = side.keep(AgendaNode(chance.uniform(0, 100), wild))
        assert kept in side.pool and best in side.pool
        assert len(side.pool) <= side.room == 24
    values = [side.pool[orders] for orders in side.ranked()]
    assert values == sorted(values, reverse=True) and values[1] > 90
    apart = distances(side.ranked())
    assert apart[apart > 0].mean() > 2
