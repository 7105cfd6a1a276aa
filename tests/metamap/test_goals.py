"""Regional goals, and the march to the front that they are for (Hall and Loeb 1995, section 4.3.4)."""

from __future__ import annotations

import ast
import random
import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bordeaux import Engine, Map, Position, legal_orders
from bordeaux.board.errors import MapError
from bordeaux.board.mapfile import bundled_maps
from bordeaux.metamap.goals import NODES, goals_of, goals_within, regional_goals
from bordeaux.search.task import Budget

SCRIPT = Path(__file__).parents[2] / "examples" / "march_to_the_front.py"
example = SimpleNamespace(**runpy.run_path(str(SCRIPT)))

MAP = Map.standard()


@pytest.mark.parametrize("name", bundled_maps())
def test_every_power_has_goals_at_the_start(name: str) -> None:
    position = Position.start(Map.load(name))
    by_power = goals_of(position, position.map.powers)
    assert set(by_power) == set(position.map.powers)
    for goals in by_power.values():
        weights = [weight for _, weight in goals.regions]
        assert weights == sorted(weights, reverse=True)
        assert sum(weights) == pytest.approx(1, abs=0.01)
        assert goals.raised and min(goals.raised.values()) > 0


def test_goals_repeat_with_seed_and_nodes() -> None:
    position = example.position("SMY")
    assert regional_goals(position, "TUR", seed=3) == regional_goals(position, "TURKEY", seed=3)
    with pytest.raises(MapError):
        regional_goals(position, "TURKY")


def test_nodes_are_kept_to() -> None:
    position = example.position("SMY")
    for nodes in (200, NODES):
        assert regional_goals(position, "TURKEY", nodes=nodes).nodes < nodes + 300


def test_points_rise_along_the_shortest_way_of_an_idle_army() -> None:
    """From Smyrna on there is always a next place with more, till the points are at their most."""
    raised = regional_goals(example.position("SMY"), "TURKEY").raised
    place, way = "SMY", []
    while True:
        there = max(MAP.adjacent("A", place), key=lambda place: (raised[f"A {place}"], place))
        if raised[f"A {there}"] <= raised[f"A {place}"]:
            break
        way.append(there)
        place = there
    assert len(way) == MAP.distance("A", "SMY")[place] >= 4
    assert [example.to_the_front(place) for place in way[:4]] == [4, 3, 2, 1]
    assert all(raised[place] > 0 for place in way), "the land on the way rises as well"
    assert raised["A SYR"] <= raised["A SMY"] and "SYR" not in raised


def test_goals_through_a_game() -> None:
    """40 phases of orders drawn at random: who has units has goals, unless all stay far from any enemy."""
    chance = random.Random(2)
    position = Position.start()
    with_units = answered = 0
    for _ in range(40):
        legal = {power: legal_orders(position, power) for power in MAP.powers}
        given = {
            power: [chance.choice(order) for order in orders.values()] for power, orders in legal.items()
        }
        position = position.next(given)
        if position.phase.kind == "M":
            for power, goals in goals_of(position, MAP.powers, nodes=200).items():
                with_units += bool(position.units_of(power))
                answered += bool(goals.regions)
                assert bool(goals.raised) == bool(goals.regions) <= bool(position.units_of(power))
                assert not goals.regions or sum(share for _, share in goals.regions) == pytest.approx(
                    1, abs=0.01
                )
    assert with_units > 150 and answered > 0.95 * with_units


def test_goals_take_a_small_part_of_the_limit_or_nothing() -> None:
    position = example.position("SMY")
    budget = Budget(nodes=20_000)
    goals = goals_within(budget, position, ["TURKEY"], 0)
    assert 0 < goals["TURKEY"].nodes <= 0.05 * 20_000
    assert budget.nodes == 20_000 - goals["TURKEY"].nodes
    for tiny in (Budget(nodes=2000), Budget(time=0.02), Budget(time=10, nodes=2000)):
        assert goals_within(tiny, position, ["TURKEY"], 0) == {}
    assert goals_within(Budget(time=1), position, ["TURKEY"], 0)["TURKEY"].regions
    # Who has foes near every unit needs nobody to say where to go.
    assert goals_within(Budget(time=1), Position.start(), ["AUSTRIA"], 0) == {}
    both = goals_within(Budget(time=1), position, ["GERMANY", "TURKEY"], 0)
    assert set(both) == {"TURKEY"}
    winter = Position(MAP, "W1908A", position.units, position.centres)
    assert goals_within(Budget(time=1), winter, ["TURKEY"], 0) == {}


@pytest.mark.slow
def test_the_engine_shows_its_goals_and_can_do_without() -> None:
    position = example.position("SMY")
    # Goals are for the paper's search: where candidates are drawn, the evaluation that they raise has no say.
    with Engine(search="paper") as engine, Engine(search="paper", without=["metamap"]) as plain:
        answer = engine.search(position, "TURKEY", nodes=20_000)
        assert answer.goals == regional_goals(position, "TURKEY", nodes=600).regions != ()
        assert answer.nodes == engine.search(position, "TURKEY", nodes=20_000).nodes
        assert plain.search(position, "TURKEY", nodes=20_000).goals == ()
        everybody = engine.search_all(position, nodes=20_000)
        assert everybody["TURKEY"].goals and everybody["AUSTRIA"].goals == ()
        assert engine.search(position, "TURKEY", nodes=1000).goals == ()
    with Engine() as drawing:
        assert drawing.search(position, "TURKEY", nodes=20_000).goals == ()


def test_the_army_in_smyrna_marches_to_the_front_by_the_shortest_way() -> None:
    """Without gravity, goals alone must bring it there; without both it strays."""
    way = example.march(goals=True, gravity=False, phases=4)
    left = [example.to_the_front(place) for place in way]
    assert left == sorted(left, reverse=True) and left[-1] <= 2, way
    strayed = example.march(goals=False, gravity=False, phases=4)
    assert example.to_the_front(strayed[-1]) > 2, strayed


DOCS = Path(__file__).parents[2] / "docs" / "metamap.md"


def test_the_example_of_the_docs_runs() -> None:
    code = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert len(code) == 1
    names: dict[str, Any] = {}
    exec(compile(code[0], str(DOCS), "exec"), names)
    answer = re.search(r"goals\.regions +# (.+)", code[0])
    assert answer is not None
    regions, shown = names["goals"].regions, ast.literal_eval(answer[1])
    assert [type(part) for part in regions[0]] == [type(part) for part in shown[0]]
