"""What must hold of every phase, whatever is in it."""

from __future__ import annotations

import functools
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bordeaux import Map, Order, Position, Unit, adjudicate, legal_orders
from bordeaux._ext.rules.batch import adjudicate_many, count_legal
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import submit
from bordeaux.formats.games import game_from_json
from bordeaux.formats.text import position_from_text
from bordeaux.rules import Resolution
from tests.daide.texts import order_from_daide, order_to_daide
from tests.fuzzing import examples
from tests.oracle.choosers import Chooser, Seeded
from tests.oracle.scenarios import FLAVOURS
from tests.rules.bridge import order as read
from tests.rules.playing import listed_orders, phases, scene
from tests.rules.test_against_oracle import Drawn

RELAXED = settings(max_examples=examples(8), deadline=None, suppress_health_check=list(HealthCheck))
SEEDS = 12
"""Scenes of each flavour; each is played on for some phases."""

SOME = 25
"""Every how many phases all the legal orders are written and read, which takes long."""

FAILED = {"bounce", "void", "disrupted", "no convoy"}
LABELS = {
    "bounce": "bounced: ",
    "disrupted": "its convoy was broken",
    "no convoy": "no chain of fleets",
    "cut": "cut by ",
    "void": "void: ",
}
DONE = {
    OrderKind.HOLD: "holds",
    OrderKind.MOVE: "moved to ",
    OrderKind.SUPPORT_HOLD: "supports ",
    OrderKind.SUPPORT_MOVE: "supports ",
    OrderKind.CONVOY: "convoy",
    OrderKind.RETREAT: "retreated to ",
}
STRENGTHS = re.compile(r"its strength (\d+) is not more than the (\d+) of ")
OVERPOWERED = re.compile(r"dislodged by .* with strength (\d+)")

Orders = dict[str, list[Order]]


def scenes(flavour: str, seeds: int = SEEDS) -> Iterator[tuple[Position, Orders]]:
    """Movement phases of a flavour with their own orders, and the phases of random play after."""
    game_map = Map.standard()
    for seed in range(seeds):
        choose = Seeded(f"{flavour}{seed}")
        position, made = scene(game_map, flavour, choose)
        orders = {power: [read(text) for text in texts] for power, texts in made.orders.items()}
        yield position, orders
        yield from phases(position.next(orders), choose, 5)


def games(seeds: int = 3, length: int = 40) -> Iterator[tuple[Position, Orders]]:
    """Random games from the start."""
    for seed in range(seeds):
        yield from phases(Position.start(), Seeded(seed), length)


@functools.cache
def everything() -> list[tuple[Position, Orders]]:
    """Some hundreds of phases of every kind."""
    return [*chain.from_iterable(map(scenes, FLAVOURS)), *games()]


def province(location: str) -> str:
    return location.partition("/")[0]


def shuffled(orders: Orders, seed: int) -> Orders:
    """The same orders, powers and lists in another order."""
    mixer = random.Random(seed)
    powers = list(orders)
    mixer.shuffle(powers)
    return {power: mixer.sample(orders[power], len(orders[power])) for power in powers}


def handed_over(unit: Unit, other: dict[str, str]) -> Unit:
    return unit._replace(power=other[unit.power])


def test_the_order_of_orders_means_nothing() -> None:
    for number, (position, orders) in enumerate(everything()):
        assert adjudicate(position, shuffled(orders, number)) == adjudicate(position, orders)


def test_who_is_which_power_means_nothing_to_a_battle() -> None:
    powers = Map.standard().powers
    for number, (position, orders) in enumerate(everything()):
        if position.phase.kind == "A":
            continue
        other = dict(zip(powers, random.Random(number).sample(powers, len(powers)), strict=True))
        renamed = Position(
            position.map,
            position.phase,
            [handed_over(unit, other) for unit in position.units],
            {other[power]: owned for power, owned in position.centres.items()},
            [dislodged._replace(unit=handed_over(dislodged.unit, other)) for dislodged in position.dislodged],
        )
        one = adjudicate(position, orders)
        two = adjudicate(renamed, {other[power]: texts for power, texts in orders.items()})
        assert two.results == one.results
        assert {(unit.power, str(unit)) for unit in two.after.units} == {
            (other[unit.power], str(unit)) for unit in one.after.units
        }
        assert {
            (dislodged.unit.power, str(dislodged.unit), dislodged.retreats)
            for dislodged in two.after.dislodged
        } == {
            (other[dislodged.unit.power], str(dislodged.unit), dislodged.retreats)
            for dislodged in one.after.dislodged
        }
        assert two.after.centres == {
            other[power]: owned for power, owned in sorted(one.after.centres.items(), key=lambda i: i[0])
        }


def test_the_order_in_which_the_map_lists_its_powers_means_nothing() -> None:
    game_map = Map.standard()
    mirror = Map(
        "mirror",
        "Powers the other way round",
        game_map.start_phase,
        {power: game_map.tags[power] for power in reversed(game_map.powers)},
        game_map.provinces,
        {
            (location.kind, location.name): game_map.adjacent(location.kind, location.name)
            for location in game_map.locations
        },
        game_map.start_units,
    )
    for position, orders in everything():
        twin = Position(mirror, position.phase, position.units, position.centres, position.dislodged)
        one, two = adjudicate(position, orders), adjudicate(twin, orders)
        assert (two.results, two.reasons) == (one.results, one.reasons)
        assert two.after.phase == one.after.phase
        assert set(two.after.units) == set(one.after.units)
        assert set(two.after.dislodged) == set(one.after.dislodged)
        assert two.after.owners == one.after.owners


def account(position: Position, orders: Orders, resolution: Resolution) -> None:
    """Follow every unit from the phase into the next, by what the results say of it."""
    following = resolution.after
    places = Counter(unit.province for unit in following.units)
    assert not places or max(places.values()) == 1
    assert bool(following.dislodged) == (following.phase.kind == "R")
    assert resolution.results.keys() == resolution.reasons.keys()
    assert all(reason and "\n" not in reason for reason in resolution.reasons.values())
    given = {province(order.location): order for listed in orders.values() for order in listed}
    expected: set[Unit] = set()
    fleeing: set[Unit] = set()
    if position.phase.kind == "A":
        expected = winter(position, orders, resolution)
    elif position.phase.kind == "R":
        expected.update(position.units)
        for dislodged in position.dislodged:
            order, words = given.get(dislodged.unit.province), set(resolution.results[str(dislodged.unit)])
            if order is not None and order.kind == OrderKind.RETREAT and not words:
                expected.add(dislodged.unit._replace(location=order.destination))
            else:
                assert "disband" in words
    else:
        for unit in position.units:
            order = given.get(unit.province)
            words = set(resolution.results[str(unit)])
            if order is not None and order.kind == OrderKind.MOVE and not words & FAILED:
                assert not words
                expected.update(arrivals(unit, order, following))
            elif "dislodged" not in words:
                expected.add(unit)
            elif unit in {dislodged.unit for dislodged in following.dislodged}:
                fleeing.add(unit)
            else:
                assert "nowhere to retreat" in resolution.reasons[str(unit)]
    assert set(following.units) == expected
    assert {dislodged.unit for dislodged in following.dislodged} == fleeing


def arrivals(unit: Unit, order: Order, following: Position) -> Iterable[Unit]:
    """The unit that arrived; scenarios may leave out a coast that only one fits."""
    assert province(order.destination) != unit.province
    return [
        standing
        for standing in following.units
        if (standing.power, standing.kind, standing.province)
        == (unit.power, unit.kind, province(order.destination))
        and standing.location.startswith(order.destination if unit.kind == "F" else standing.province)
    ]


def winter(position: Position, orders: Orders, resolution: Resolution) -> set[Unit]:
    """Units after builds and removals; those that owe still are one short of none."""
    standing = set(position.units)
    for power, listed in orders.items():
        for order in listed:
            unit = Unit(power, order.unit, order.location)
            if not resolution.results[f"{order.unit} {order.location}"]:
                standing ^= {unit}
    for unit in position.units:
        if resolution.results.get(str(unit)) == ["disband"]:
            standing.remove(unit)
    for power in position.map.powers:
        had, has = len(position.units_of(power)), sum(unit.power == power for unit in standing)
        due = position.adjustments(power)
        assert has - had == due if due < 0 else 0 <= has - had <= due
    return standing


def test_units_are_conserved_and_the_results_say_where_they_are() -> None:
    seen: Counter[str] = Counter()
    for position, orders in everything():
        outcome = adjudicate(position, orders)
        account(position, orders, outcome)
        seen[position.phase.kind] += 1
        seen.update(word for words in outcome.results.values() for word in words)
    assert {"M", "R", "A", "dislodged", "cut", "disrupted", "no convoy", "bounce", "void"} <= seen.keys()


def test_reasons_say_what_results_say() -> None:
    for position, orders in everything():
        if position.phase.kind == "A":
            continue
        given = {province(order.location): order for listed in orders.values() for order in listed}
        outcome = adjudicate(position, orders)
        units = (
            position.units
            if position.phase.kind == "M"
            else [dislodged.unit for dislodged in position.dislodged]
        )
        for unit in units:
            words, reason = outcome.results[str(unit)], outcome.reasons[str(unit)]
            order = given.get(unit.province)
            main = [LABELS[word] for word in words if word in LABELS and word != "void"]
            if "void" in words:
                assert reason.startswith(LABELS["void"])
            elif position.phase.kind == "R" and words:
                assert reason.startswith("disbanded")
            elif main:
                assert reason.startswith(main[0]), reason
            else:
                assert reason.startswith(DONE[order.kind] if order else "holds"), reason
            assert ("dislodged by" in reason) == ("dislodged" in words)
            for strength, against in STRENGTHS.findall(reason):
                assert int(strength) <= int(against), f"{unit}: {reason}"
            for strength in OVERPOWERED.findall(reason):
                assert int(strength) >= 2, f"{unit}: {reason}"


def test_the_next_position_packs_as_it_is() -> None:
    for position, orders in everything():
        after = position.next(orders)
        if after.phase.kind == "-":
            # The name of a finished game does not tell its last year, so neither does its position.
            continue
        afresh = Position(after.map, after.phase, after.units, after.centres, after.dislodged)
        assert afresh == after
        assert afresh.packed.tobytes() == after.packed.tobytes()
        assert afresh.packed == after.packed
        assert Position.from_packed(after.map, afresh.packed) == after


def test_every_legal_order_is_read_as_it_is_written() -> None:
    seen: Counter[OrderKind] = Counter()
    for position, _ in everything()[::SOME]:
        state = json.loads(json.dumps(position.to_json()))
        assert Position.from_json(state) == position
        assert position_from_text(str(position)) == position
        written: dict[str, list[str]] = {}
        for power, places in listed_orders(position).items():
            for order in (order for orders in places.values() for order in orders):
                text = str(order)
                written.setdefault(power, []).append(text)
                seen[order.kind] += 1
                assert parse_order(text, position.map) == order
                assert parse_order(text, position.map, position) == order
                whole = order
                if order.kind == OrderKind.SUPPORT_MOVE:
                    # DAIDE names the province of a supported move, never its coast.
                    whole = order._replace(destination=province(order.destination))
                daide = order_to_daide(order, power, position)
                who, read = order_from_daide(daide, position.map)
                assert (who, read._replace(route=())) == (power, whole)
                [submitted] = submit(position, {power: [text]}).orders
                assert submitted.order == order
                assert not submitted.fault
        record = {"id": "game", "phases": [{"name": str(position.phase), "state": state, "orders": written}]}
        [phase] = game_from_json(json.loads(json.dumps(record))).phases
        assert {power: texts for power, texts in phase.orders.items() if texts} == written
        assert phase.state == state
    assert seen.keys() == set(OrderKind) - {OrderKind.WAIVE}


def test_the_core_counts_the_legal_orders_that_it_lists() -> None:
    for position, _ in scenes("knots", 4):
        if position.phase.kind != "M":
            continue
        listed = [text for texts in legal_orders(position).values() for text in texts]
        rows = np.frombuffer(position.packed.tobytes(), np.uint8).reshape(1, -1)
        assert count_legal(position.map.tables, rows) == len(listed) == len(set(listed))


def test_a_batch_is_as_good_as_one_by_one() -> None:
    together = [(position, orders) for position, orders in everything() if position.phase.kind == "M"]
    rows, starts, codes, expected = [], [0], [], []
    for position, orders in together:
        given = submit(position, orders).codes()
        rows.append(np.frombuffer(position.packed.tobytes(), np.uint8))
        codes += [code for _, code in given]
        starts.append(len(codes))
        expected.append(position.packed.adjudicate(given)[0].tobytes())
    for rules in (0, 1):
        out = np.zeros((len(rows), len(rows[0])), np.uint8)
        adjudicate_many(
            Map.standard().tables,
            np.array(rows),
            np.array(starts, np.int64),
            np.array(codes, np.uint64),
            out,
            rules,
        )
        if rules == 0:
            assert [row.tobytes() for row in out] == expected
        for (position, orders), row in zip(together, out, strict=True):
            after, *_ = position.packed.adjudicate(submit(position, orders).codes(), rules)
            assert row.tobytes() == after.tobytes()


def check_phase(position: Position, orders: Orders, number: int) -> None:
    outcome = adjudicate(position, orders)
    account(position, orders, outcome)
    assert adjudicate(position, shuffled(orders, number)) == outcome
    after = outcome.after
    afresh = Position(after.map, after.phase, after.units, after.centres, after.dislodged)
    assert after.phase.kind == "-" or afresh.packed.tobytes() == after.packed.tobytes()


def play(game_map: Map, choose: Chooser, flavour: str, number: int) -> None:
    position, made = scene(game_map, flavour, choose)
    orders = {power: [read(text) for text in texts] for power, texts in made.orders.items()}
    check_phase(position, orders, number)
    for phase, orders in phases(position, choose, 3):
        check_phase(phase, orders, number)


@pytest.mark.parametrize("flavour", ["supports", "circles", "knots", "coast convoys"])
@given(data=st.data(), number=st.integers(0, 9))
@RELAXED
def test_drawn(flavour: str, data: st.DataObject, number: int) -> None:
    play(Map.standard(), Drawn(data), flavour, number)
