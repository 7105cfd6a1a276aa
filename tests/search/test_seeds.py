"""Where searches start from: orders suggested, promised or repeated (paper 002, section 3.4)."""

from __future__ import annotations

import struct

import pytest

from bordeaux import BordeauxError, Engine, Position
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.budget import Budget
from bordeaux.search.config import PAPER, SearchConfig
from bordeaux.search.paper import MovementSearch, Situation
from bordeaux.search.sets import by_owner
from bordeaux.search.task import SearchTask

START = Position.start()


def texts(seed: bytes) -> list[str]:
    return [str(decode(START.map, code)) for code in struct.unpack(f"<{len(seed) // 8}Q", seed)]


def test_every_order_of_a_set_is_a_seed_for_whoever_has_the_unit() -> None:
    seeds = by_owner(START, [["A PAR - BUR", "a mun-ruh", "A MAR - SPA"], ["A PAR H"]])
    assert {power: list(map(texts, sets)) for power, sets in seeds.items()} == {
        "FRANCE": [["A PAR - BUR", "A MAR - SPA"], ["A PAR H"]],
        "GERMANY": [["A MUN - RUH"]],
    }


def test_orders_that_cannot_be_given_are_left_out_and_nonsense_is_refused() -> None:
    assert by_owner(START, [["A BUR H"]]) == {}
    assert by_owner(START, [["A PAR - MOS"]]) == {"FRANCE": [b""]}
    with pytest.raises(BordeauxError):
        by_owner(START, [["go west"]])


@pytest.mark.parametrize("every", [False, True])
def test_a_search_dives_from_every_seed_before_anything_else(every: bool) -> None:
    promised = [["F KIE - HEL", "A BER - PRU"], ["A BUD - SER"], ["F KIE H"]]
    # Dives are the paper's: where candidates are drawn, a seed is one more of them.
    with Engine(search="paper") as engine:

        def nodes(seeds: list[list[str]]) -> int:
            if every:
                return engine.search_all(START, nodes=1, seeds=seeds)["GERMANY"].nodes
            return engine.search(START, "GERMANY", nodes=1, seeds=seeds).nodes

        spent = [nodes(promised[:count]) for count in range(4)]
    assert spent[0] < spent[1] < spent[3]
    # Austria is opened by a dive only where it is wanted, or where there is time for it.
    assert (spent[1] < spent[2]) == every


@pytest.mark.parametrize(("nodes", "dives"), [(1, False), (20_000, True)])
def test_an_enemy_dives_from_its_seeds_while_there_is_room(nodes: int, dives: bool) -> None:
    spent = []
    for promised in ([], ["A BUD - SER"]):
        seeds = by_owner(START, [promised])
        search = MovementSearch(
            Situation(SearchTask(START, SearchConfig(PAPER), seeds=seeds), evaluator(START.map))
        )
        search.state.want(["GERMANY"])
        for _ in search.finding.open_wanted():
            pass
        search.finding.open_rivals(Budget(nodes=nodes))
        spent.append(search.sides["AUSTRIA"].space.nodes)
    assert (spent[0] < spent[1]) == dives
