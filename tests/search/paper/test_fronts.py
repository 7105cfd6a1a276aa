"""Fronts that do not interact are searched apart (Hall and Loeb 1995, section 4.3.5)."""

from __future__ import annotations

import random
import struct
from collections.abc import Collection, Iterable, Sequence

import pytest

from bordeaux import Map, Position, legal_orders
from bordeaux._ext.search.expand import Expander
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.bestfirst import AgendaNode, Maxims, best_first, greedy_descent, search_space
from bordeaux.search.paper.fronts import by_fronts, fronts

from .boards import standing as board

MAP = Map.standard()
MAXIMS = Maxims.named()
PATIENCE = 14


def space_of(position: Position, power: str) -> Expander:
    return search_space(position, power, evaluator(MAP), MAXIMS)


def names(position: Position, power: str, groups: Iterable[Sequence[int]]) -> list[set[str]]:
    """The groups as sets of locations."""
    space = space_of(position, power)
    orders = struct.unpack(f"<{space.n_units}Q", space.orders(space.node_of(b"")))
    places = [decode(MAP, code).location for code in orders]
    return [{places[unit] for unit in group} for group in groups]


@pytest.fixture
def two_fronts() -> Position:
    """The paper's Turkey: its fleets push westward while its armies are busy around Moscow."""
    return board(
        TURKEY=["F WES", "F NAF", "F TUN", "F LYO", "A UKR", "A SEV", "A RUM", "A GAL"],
        ENGLAND=["F MAO", "F SPA/SC", "F POR"],
        RUSSIA=["A MOS", "A WAR", "A LVN", "A STP"],
        centres={
            "TURKEY": ["TUN", "SEV", "RUM", "CON", "ANK", "SMY", "BUL", "GRE"],
            "RUSSIA": ["MOS", "WAR", "STP"],
            "ENGLAND": ["SPA", "POR", "LON"],
        },
    )


FLEETS, ARMIES = {"WES", "NAF", "TUN", "LYO"}, {"UKR", "SEV", "RUM", "GAL"}
NEAR = (
    {"WES", "NAF", "TUN", "LYO", "MAO", "SPA", "POR", "TYS", "ION", "GAS", "BRE", "ENG", "IRI", "NAO", "MAR"},
    {"UKR", "SEV", "RUM", "GAL", "MOS", "WAR", "LVN", "STP", "ARM", "BUD", "BUL", "SER", "SIL", "BOH", "VIE"},
)
"""What the fleets, and what the armies could reach, those next to them included."""


def test_fleets_in_the_west_and_armies_in_the_east_stand_on_two_fronts(two_fronts: Position) -> None:
    groups = fronts(two_fronts, "TURKEY", MAXIMS)
    assert sorted(map(sorted, names(two_fronts, "TURKEY", groups))) == sorted(map(sorted, (FLEETS, ARMIES)))


def test_units_that_only_own_units_can_meet_are_apart() -> None:
    """Ankara and Smyrna have neighbours in common, but nobody else is near."""
    position = board(TURKEY=["A ANK", "A SMY"], RUSSIA=["A MOS"])
    assert len(fronts(position, "TURKEY", MAXIMS)) == 1
    near = board(TURKEY=["A SMY", "A CON"], RUSSIA=["A SER"])
    assert names(near, "TURKEY", fronts(near, "TURKEY", MAXIMS)) == [{"CON"}, {"SMY"}]


def test_what_one_front_does_does_not_matter_to_the_other(two_fronts: Position) -> None:
    """Whatever everybody orders, the results on one front are those with any orders on the other."""
    chance = random.Random(7)
    groups = names(two_fronts, "TURKEY", fronts(two_fronts, "TURKEY", MAXIMS))
    legal = {power: legal_orders(two_fronts, power) for power in ("TURKEY", "ENGLAND", "RUSSIA")}

    def drawn(power: str, only: Collection[str] | None = None) -> list[str]:
        return [
            chance.choice([order for order in orders if "VIA" not in order])
            for place, orders in legal[power].items()
            if only is None or place.partition("/")[0] in only
        ]

    for _ in range(100):
        others = {power: drawn(power) for power in ("ENGLAND", "RUSSIA")}
        west, east, another = (drawn("TURKEY", only) for only in (groups[0], groups[1], groups[1]))
        stands = []
        for orders in (east, another):
            after = two_fronts.next({**others, "TURKEY": west + orders})
            units = [*after.units, *(dislodged.unit for dislodged in after.dislodged)]
            near = NEAR[groups[0] == ARMIES]
            stands.append({(unit.power, unit.location) for unit in units if unit.province in near})
        assert stands[0] == stands[1]


def test_frozen_units_follow_the_seed(two_fronts: Position) -> None:
    space = space_of(two_fronts, "TURKEY")
    space.freeze([0, 3])
    seed = space.root_node()
    for _, node in space.expand(space.root_node(), 4000):
        assert node[0:2] == seed[0:2] and node[6:8] == seed[6:8]
    some = len(space.expand(space.root_node(), 4000))
    space.freeze([])
    assert len(space.expand(space.root_node(), 4000)) > some
    with pytest.raises(ValueError, match="units"):
        space.freeze([99])


def test_divided_search_finds_as_much_with_fewer_nodes(two_fronts: Position) -> None:
    """Nodes until the best value that the search of all units at once ever finds."""
    others = {power: space_of(two_fronts, power) for power in ("ENGLAND", "RUSSIA")}
    background = b"".join(space.orders(greedy_descent(space).choices) for space in others.values())
    space = space_of(two_fronts, "TURKEY")
    space.set_backgrounds([background], [1.0])
    seed = space.node_of(b"")

    def nodes_until(agenda_nodes: Iterable[AgendaNode], enough: float) -> int:
        begun = space.nodes
        return next(space.nodes - begun for node in agenda_nodes if node.value >= enough - 1e-2)

    begun = space.nodes
    whole = list(best_first(space, seed, lambda: space.nodes - begun > 20_000, 10_000))[-1].value
    groups = fronts(two_fronts, "TURKEY", MAXIMS)
    assert len(groups) == 2
    undivided = nodes_until(best_first(space, seed, lambda: False, 10_000), whole)
    divided = nodes_until(by_fronts(space, groups, seed, lambda: False, PATIENCE), whole)
    assert divided < undivided


def test_a_divided_search_repeats_ends_when_told_and_gives_complete_sets(two_fronts: Position) -> None:
    space = space_of(two_fronts, "TURKEY")
    groups = fronts(two_fronts, "TURKEY", MAXIMS)
    runs = []
    for _ in range(2):
        begun = space.nodes

        def told(enough: int = begun + 1500) -> bool:
            return space.nodes >= enough

        nodes = list(by_fronts(space, groups, space.node_of(b""), told, PATIENCE))
        assert space.nodes - begun < 1500 + 600
        runs.append([(node, space.value(node.choices)) for node in nodes])
    assert runs[0] == runs[1]
    assert [node.value for node, _ in runs[0]] == [value for _, value in runs[0]]
    assert all(a.value < b.value for (a, _), (b, _) in zip(runs[0], runs[0][1:], strict=False))
    assert all(b"\xff\xff" not in (n.choices[i : i + 2] for i in range(0, 16, 2)) for n, _ in runs[0])
