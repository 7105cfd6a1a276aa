"""Retreats and adjustments: the best few are compared by playing on, and what is known is used."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from bordeaux import Map, Position, Unit, legal_orders
from bordeaux.arena import bench
from bordeaux.board.order import Dislodged
from bordeaux.evaluation import evaluator
from bordeaux.search.budget import Budget
from bordeaux.search.config import PAPER, SearchConfig
from bordeaux.search.paper import AdjustmentSearch
from bordeaux.search.sets import from_orders
from bordeaux.search.task import SearchTask

MAP = Map.standard()
POSITIONS = [position for position, _ in bench.positions() if position.phase.kind in "RA"]

#: A French and a German army that both may retreat to Belgium, which counts; the French one may go to
#: Burgundy too, and could not be built anew.
BELGIUM = Position(
    MAP,
    "F1903R",
    [
        Unit("GERMANY", "A", "RUH"),
        *(Unit("FRANCE", *unit.split()) for unit in ("A PIC", "A PAR", "F BRE", "A MAR")),
    ],
    {"FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR"], "GERMANY": ["MUN", "KIE", "BER"]},
    [
        Dislodged(Unit("FRANCE", "A", "RUH"), ("BEL", "BUR")),
        Dislodged(Unit("GERMANY", "A", "PIC"), ("BEL",)),
    ],
)


def searched(position: Position, nodes: int = 6_000, seed: int = 0, **options: Any) -> AdjustmentSearch:
    search = AdjustmentSearch(SearchTask(position, SearchConfig(PAPER), seed=seed, **options), evaluator(MAP))
    for _ in search.run(list(MAP.powers), Budget(nodes=nodes)):
        pass
    return search


def owing(position: Position) -> list[str]:
    return [power for power in MAP.powers if position.orderable().get(power)]


def codes(orders: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(orders) // 8}Q", orders)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position.phase))
def test_the_best_few_are_compared_by_playing_on(position: Position) -> None:
    search = searched(position)
    compared = 0
    for power in owing(position):
        number = MAP.powers.index(power)
        lines = search.lines(power, 50)
        legal = {order for orders in legal_orders(position, power).values() for order in orders}
        assert lines and legal
        if number in search.halvings:
            compared += 1
            halving = search.halvings[number]
            scores = halving.scores()
            assert dict(lines) == scores
            # Who has retired may look better in the end than the best of those who were played on longer.
            played = {orders: len(values) for orders, values in zip(scores, halving.values, strict=True)}
            last = [scores[orders] for orders in scores if played[orders] == max(played.values())]
            assert lines[0][1] == max(last)
            assert codes(lines[0][0]) == search.best[number]
    # A power with one choice has nothing to compare.
    assert compared or all(len(search.values[number]) < 2 for number in search.choices)
    assert search.nodes == search.evaluated + search.rollout.nodes
    assert searched(position).best == search.best


@pytest.mark.parametrize("position", POSITIONS[:4], ids=lambda position: str(position.phase))
def test_whenever_it_ends_there_are_legal_orders(position: Position) -> None:
    for nodes in (1, 3, 40, 300):
        search = searched(position, nodes)
        assert search.nodes < nodes + 300
        for power in owing(position):
            orders = codes(search.lines(power)[0][0])
            due = abs(position.adjustments(power)) if position.phase.kind == "A" else None
            assert len(orders) <= len(position.orderable()[power]) if due is None else len(orders) == due


def test_what_is_known_is_what_the_others_play() -> None:
    known = from_orders(BELGIUM, "GERMANY", ["A PIC R BEL"])
    search = AdjustmentSearch(
        SearchTask(BELGIUM, SearchConfig(PAPER), given={"GERMANY": known}), evaluator(MAP)
    )
    assert {search.sampler.joint("FRANCE") for _ in range(5)} == {known}
    assert search.forecast("GERMANY") == [(known, 1.0)]
