"""Sets of orders: mixtures, whether orders fit together, and where searches start from."""

from __future__ import annotations

import struct

import pytest

from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.config import PAPER, SearchConfig
from bordeaux.search.paper import MovementSearch, Situation
from bordeaux.search.sets import by_owner, fits, from_orders, mended, mixed
from bordeaux.search.task import Budget, SearchTask

A, B = b"a" * 8, b"b" * 8


def test_a_part_of_another_mixture_of_the_same_sets_is_mixed_in() -> None:
    drawn, other = {A: 0.25, B: 0.75}, {A: 1.0, B: 0.0}
    assert mixed(drawn, other, 0.2) == pytest.approx({A: 0.4, B: 0.6})
    assert mixed(drawn, other, 0.0) == drawn and mixed(drawn, other, 1.0) == other
    with pytest.raises(KeyError):
        mixed(drawn, {A: 1.0}, 0.5)


MAP = Map.standard()
UNITS = {"ENGLAND": ["A LON", "F NTH", "F ENG", "A WAL"], "FRANCE": ["A BUR", "F BRE"]}
BOARD = Position.from_json({"name": "S1902M", "units": UNITS, "centers": {"ENGLAND": ["LON"]}})


@pytest.mark.parametrize(
    ("orders", "sound"),
    [
        ("A LON - BEL VIA, F NTH C A LON - BEL, F ENG S A LON - BEL, A WAL - LON", True),
        ("A LON H, F NTH H, F ENG H, A WAL H", True),
        ("A LON S A WAL, A WAL H", True),
        # Help for others, and of it nobody knows whether it fits.
        ("F NTH S A BUR - BEL, F ENG C A LON - BRE, A LON - BRE VIA", True),
        ("F ENG S F BRE", True),
        # A chain, and a place that is left.
        ("A WAL - LON, A LON - YOR", True),
        ("A WAL - LON, A LON - WAL VIA, F ENG C A LON - WAL", True),
        ("A WAL - LON, A LON - WAL, F ENG C A LON - WAL", True),
        ("A WAL - LON, A LON - WAL", False),
        ("A WAL - LON, A LON - WAL, F ENG H", False),
        ("A LON - BEL VIA, F NTH C A LON - HOL", False),
        ("A LON - BEL VIA, F NTH H", False),
        ("F NTH S A LON - BEL, A LON H", False),
        ("A LON S A WAL, A WAL - YOR", False),
        ("A LON - YOR, A WAL - YOR", False),
        ("A WAL - LON, A LON H", False),
        ("F NTH S F ENG, F ENG - IRI", False),
    ],
)
def test_orders_that_are_at_odds_do_not_fit(orders: str, sound: bool) -> None:
    codes = from_orders(BOARD, "ENGLAND", orders.split(", "))
    assert fits(MAP, codes) is sound


@pytest.mark.parametrize(
    ("orders", "fixed", "left"),
    [
        ("A LON H, F NTH H, F ENG H, A WAL H", "", "A LON H, F NTH H, F ENG H, A WAL H"),
        # Who helps what is not done holds, and what was to come of it holds as well.
        ("A LON - BEL VIA, F NTH H, A WAL - LON", "", "A LON H, F NTH H, A WAL H"),
        ("A LON S A WAL, A WAL - YOR", "", "A LON H, A WAL - YOR"),
        ("F NTH S F ENG, F ENG - IRI, A LON H", "F NTH S F ENG", "F NTH S F ENG, F ENG - IRI, A LON H"),
        # What is fixed has its place, and the other makes room.
        ("A LON - YOR, A WAL - YOR", "A WAL - YOR", "A LON H, A WAL - YOR"),
        ("A LON - YOR, A WAL - YOR", "A LON - YOR", "A LON - YOR, A WAL H"),
    ],
)
def test_what_does_not_fit_holds(orders: str, fixed: str, left: str) -> None:
    def read(text: str) -> tuple[int, ...]:
        return codes_in(from_orders(BOARD, "ENGLAND", text.split(", ") if text else []))

    codes = codes_in(mended(MAP, as_bytes(read(orders)), read(fixed)))
    assert {*codes} == {*read(left)} and len(codes) == len(read(orders))
    assert fits(MAP, as_bytes(codes)) or fixed


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
