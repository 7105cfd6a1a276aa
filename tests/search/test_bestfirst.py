"""The best-first search: agenda, greedy descent, cache, expansion of supports and convoys, maxims."""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Sequence

import pytest

from bordeaux import BordeauxError, Map, Position, legal_orders
from bordeaux._ext.search.expand import Expander
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.bestfirst import (
    ALL_MAXIMS,
    Agenda,
    AgendaNode,
    Maxims,
    best_first,
    greedy_descent,
    perturbed,
    search_space,
)
from bordeaux.search.sets import from_orders, repeated

from .paper.boards import standing as board

MAP = Map.standard()


def space_of(
    position: Position,
    power: str,
    heights: dict[str, float] | None = None,
    maxims: Sequence[str] = ALL_MAXIMS,
    name: str = "default",
) -> Expander:
    judge = evaluator(position.map, name, {power: heights} if heights else None)
    return search_space(position, power, judge, Maxims.named(maxims))


def texts(position: Position, space: Expander, node: bytes) -> list[str]:
    return [
        str(decode(position.map, code)) for code in struct.unpack(f"<{space.n_units}Q", space.orders(node))
    ]


def test_agenda_gives_the_best_and_drops_the_worst() -> None:
    agenda = Agenda(beam=3)
    for value in (1.0, 5.0, 3.0, 2.0, 4.0):
        agenda.add(AgendaNode(value, b"%d" % value))
    assert [agenda.pop().value for _ in range(len(agenda))] == [5.0, 4.0, 3.0]
    with pytest.raises(IndexError):
        agenda.pop()


@pytest.mark.parametrize(
    ("orders", "points"),
    [
        (["A BUR H", "A GAS H", "A MAR H", "A PAR H"], 0),
        # A foreign army beside Burgundy may resist; nobody can reach Marseilles or Brest.
        (["A BUR H", "A PAR S A BUR"], 0.04),
        (["A MAR H", "A GAS S A MAR"], 0.01),
        (["A BUR - RUH", "A MAR - BUR", "A PAR S A MAR - BUR"], 0.04),
        (["A GAS - BRE", "A PAR S A GAS - BRE"], 0.01),
        (["A MAR - BUR", "A GAS S A MAR"], -0.5),
        (["A GAS S A MAR", "A PAR S A BUR"], 0.05),
    ],
)
def test_between_equal_sets_support_counts_a_little_and_more_where_somebody_may_resist(
    orders: list[str], points: float
) -> None:
    position = board(FRANCE=["A BUR", "A GAS", "A MAR", "A PAR"], GERMANY=["A MUN"])
    space = space_of(position, "FRANCE")
    node = space.node_of(from_orders(position, "FRANCE", orders))
    assert space.value(node) - space.values(node, [b""])[0] == pytest.approx(points, abs=0.004)


def test_permutations_meet_in_the_cache() -> None:
    position = Position.start()
    space = space_of(position, "TURKEY")
    first = {node: value for value, node in space.expand(space.root_node(), 1000)}
    depth_two = [node for parent in first for _, node in space.expand(parent, 1000)]
    assert len(depth_two) == len(set(depth_two))
    assert not set(depth_two) & set(first)


def test_a_node_is_worth_what_the_plain_interface_says() -> None:
    position = Position.start()
    space = space_of(position, "RUSSIA")
    judge = evaluator(MAP)
    for value, node in space.expand(space.root_node(), 1000):
        orders = texts(position, space, node)
        after = position.next({"RUSSIA": orders})
        assert value == pytest.approx(judge.evaluate(after.packed, MAP.powers.index("RUSSIA"))[0], abs=0.3)


def test_the_doubly_supported_fleet_falls_at_once() -> None:
    """Section 4.3.1: four fleets against F MAO with two supports; found by the first expansion."""
    position = board(ENGLAND=["F MAO", "F IRI", "F GAS"], TURKEY=["F NAF", "F WES", "F SPA/SC", "F POR"])
    space = space_of(position, "TURKEY", {"MAO": 500})
    england = space_of(position, "ENGLAND")
    defence = from_orders(position, "ENGLAND", ["F IRI S F MAO", "F GAS S F MAO", "F MAO H"])
    assert len(defence) == 8 * england.n_units
    space.set_backgrounds([defence], [1.0])
    _value, node = space.expand(space.root_node(), 1)[0]
    orders = texts(position, space, node)
    assert sum("- MAO" in order and " S " in order for order in orders) == 3
    after = position.next({"ENGLAND": ["F IRI S F MAO", "F GAS S F MAO"], "TURKEY": orders})
    there = after.unit_at("MAO")
    assert there is not None and there.power == "TURKEY"


def test_a_long_convoy_is_found_at_once() -> None:
    position = board(TURKEY=["A SMY", "F EAS", "F ION", "F TYS"])
    space = space_of(position, "TURKEY", {"ROM": 500, "ION": 1, "EAS": 1, "TYS": 1})
    successors = [texts(position, space, node) for _, node in space.expand(space.root_node(), 1000)]
    assert [
        "F EAS C A SMY - ROM",
        "F ION C A SMY - ROM",
        "A SMY - ROM VIA",
        "F TYS C A SMY - ROM",
    ] in successors


def test_search_equals_enumeration_on_small_boards() -> None:
    """Against the best of all combinations of legal orders, by the plain interface."""
    position = board(
        centres={"AUSTRIA": ["VIE", "BUD"], "RUSSIA": ["RUM", "WAR"]},
        AUSTRIA=["A SER", "A BUD"],
        RUSSIA=["A RUM", "A GAL"],
    )
    space = space_of(position, "AUSTRIA")
    best = list(best_first(space, space.node_of(b""), lambda: False, 10_000))[-1]
    judge, number = evaluator(MAP), MAP.powers.index("AUSTRIA")
    every = itertools.product(*legal_orders(position, "AUSTRIA").values())
    values = [judge.evaluate(position.next({"AUSTRIA": orders}).packed, number)[0] for orders in every]
    assert best.value == pytest.approx(max(values), abs=0.1)


def test_moves_away_from_the_front_lose() -> None:
    """Section 4.3.3: with half the board won, A SMY - SYR is worth less than a move to the front."""
    centres = {
        "TURKEY": [c for c in MAP.centres if c not in ("MUN", "KIE", "BER", "DEN")][:17],
        "GERMANY": ["MUN"],
    }
    position = board(
        centres=centres, TURKEY=["A SMY", "A BUD", "A VIE", "A TRI"], GERMANY=["A MUN", "A BOH", "A TYR"]
    )
    space = space_of(position, "TURKEY")
    smyrna = next(i for i, order in enumerate(texts(position, space, space.node_of(b""))) if "SMY" in order)
    values = {}
    for value, node in space.expand(space.root_node(), 1000):
        orders = texts(position, space, node)
        if all(order.endswith(" H") for i, order in enumerate(orders) if i != smyrna):
            values[orders[smyrna]] = value
    assert values["A SMY - CON"] > values["A SMY - SYR"]
    assert values["A SMY - ANK"] > values["A SMY - SYR"]


def test_supports_are_preferred_to_holds() -> None:
    """All else being equal, and more so where somebody may resist."""
    position = board(centres={"FRANCE": ["PAR"]}, FRANCE=["A PAR", "A BUR"], GERMANY=["A MUN", "A RUH"])
    space = space_of(position, "FRANCE", {"PAR": 100, "BUR": 100})
    values = {
        tuple(texts(position, space, node)): value for value, node in space.expand(space.root_node(), 1000)
    }
    hold = space.value(space.node_of(b""))
    threatened, safe = ("A BUR H", "A PAR S A BUR"), ("A BUR S A PAR", "A PAR H")
    assert hold < values[safe] < values[threatened] < hold + 0.1


def test_set_maxims_can_be_switched_off() -> None:
    position = board(FRANCE=["A PAR", "A BUR"], GERMANY=["A MUN"])
    strict = space_of(position, "FRANCE")
    free = space_of(position, "FRANCE", maxims=())

    def pairs(space: Expander) -> set[tuple[str, ...]]:
        space.forget()
        pairs = set()
        for _, node in space.expand(space.root_node(), 1000):
            for _, deeper in space.expand(node, 1000):
                pairs.add(tuple(texts(position, space, deeper)))
        return pairs

    clash = ("A BUR - PIC", "A PAR - PIC")
    swap = ("A BUR - PAR", "A PAR - BUR")
    assert clash in pairs(free) and clash not in pairs(strict)
    assert swap in pairs(free) and swap not in pairs(strict)
    with pytest.raises(BordeauxError, match="unknown maxim"):
        Maxims.named(["never retreat"])


def test_greedy_descent_gives_a_complete_set() -> None:
    position = Position.start()
    for power in MAP.powers:
        space = space_of(position, power)
        node = greedy_descent(space, Agenda(100))
        assert b"\xff\xff" not in [node.choices[i : i + 2] for i in range(0, len(node.choices), 2)]
        assert node.value >= space.value(space.node_of(b""))


def test_nodes_that_do_not_fit_are_refused() -> None:
    space = space_of(Position.start(), "TURKEY")
    with pytest.raises(ValueError, match="3 units"):
        space.value(b"\0")
    with pytest.raises(ValueError, match="no candidate"):
        space.value(b"\xfe\xff" * 3)
    with pytest.raises(ValueError, match="seed"):
        space.set_seed(space.root_node())
    with pytest.raises(ValueError, match="backgrounds"):
        space.set_backgrounds([], [])


def test_seeds_repeat_the_orders_of_units_that_stayed() -> None:
    position = board(FRANCE=["A PAR", "A BUR"], GERMANY=["A MUN"])
    previous = {"FRANCE": ["A PAR - PIC", "A GAS - BUR"], "GERMANY": ["A MUN - BUR"]}
    seeds = repeated(position, previous)
    space = space_of(position, "FRANCE")
    assert texts(position, space, space.node_of(seeds["FRANCE"])) == ["A BUR H", "A PAR - PIC"]
    assert len(seeds["GERMANY"]) == 8


def test_perturbed_seeds_are_legal_and_repeatable() -> None:
    position = Position.start()
    space = space_of(position, "RUSSIA")
    nodes = [perturbed(space, space.node_of(b""), random.Random(seed)) for seed in (1, 1, 2, 3, 4)]
    assert nodes[0] == nodes[1] and len(set(nodes)) > 1
    legal = {order for orders in legal_orders(position, "RUSSIA").values() for order in orders}
    assert all(set(texts(position, space, node)) <= legal for node in nodes)
