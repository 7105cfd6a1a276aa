"""Who proposes candidates: draws that are legal, all sets where they are few, one's word kept by all."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

from bordeaux import Agreement, Dislodged, Engine, Map, Position, Request, Unit, legal_orders
from bordeaux.arena import bench
from bordeaux.board.code import as_bytes, codes_in, kind_of
from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode
from bordeaux.search.beliefs import MODELS
from bordeaux.search.config import SearchConfig
from bordeaux.search.expectation import Expectation
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.models import HOLD, SEARCH
from bordeaux.search.proposers import PROPOSERS, Proposal, ProposalContext, proposer
from bordeaux.search.sets import fits, in_full
from bordeaux.search.stages import improve, propose
from bordeaux.search.task import Budget

from .paper.boards import board

MAP = Map.standard()
LATE = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position.phase.year > 1903
)
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))


def response_search(
    position: Position, *agreements: Agreement, proposers: str = "", **rest: Any
) -> LearntSearch:
    settings: dict[str, Any] = {"proposers": proposers} if proposers else {}
    with Engine(**settings) as engine:
        task = engine.task(Request(position, agreements=agreements, **rest))
    return LearntSearch(task, Expectation(task, 100))


def table_of(position: Position, *agreements: Agreement, **rest: Any) -> ProposalContext:
    return response_search(position, *agreements, **rest).context


def texts(orders: bytes) -> frozenset[str]:
    return frozenset(str(decode(MAP, code)) for code in codes_in(orders))


@pytest.mark.parametrize("name", [name for name in PROPOSERS if name not in ("every", "suggested")])
def test_what_is_drawn_is_legal_and_complete(name: str) -> None:
    legal = {str(order) for orders in legal_orders(LATE, POWER).values() for order in orders}
    sets = proposer(name)(table_of(LATE), POWER, 6).sets
    # A search has the sets that it finds, at most as many as are asked for.
    least, most = {"holding": (1, 1), "best-first": (2, 6)}.get(name, (6, 6))
    assert least <= len(sets) <= most
    for orders in sets:
        assert len(codes_in(orders)) == len(LATE.units_of(POWER)) and texts(orders) <= legal


def test_all_models_that_draw_without_a_search_are_proposers() -> None:
    assert {*MODELS} - {*PROPOSERS} == {SEARCH, HOLD}
    with pytest.raises(BordeauxError, match="no proposer 'leage'; did you mean 'league'"):
        proposer("leage")


RETREAT = Position(
    MAP,
    "F1903R",
    [Unit("GERMANY", "A", "RUH")],
    {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"]},
    [
        Dislodged(Unit("FRANCE", "A", "RUH"), ("BEL", "BUR")),
        Dislodged(Unit("FRANCE", "A", "PIC"), ("BEL", "BRE")),
    ],
)
BUILDS = Position(MAP, "W1903A", [Unit("FRANCE", "A", "SPA")], {"FRANCE": ["PAR", "MAR", "BRE"]})
REMOVALS = Position(
    MAP,
    "W1903A",
    [Unit("FRANCE", "A", place) for place in ("SPA", "GAS", "BUR", "PIC")],
    {"FRANCE": ["PAR", "MAR"]},
)


def by_hand(position: Position) -> set[frozenset[str]]:
    """All sets that can be carried out, from the legal orders of each unit or place."""
    options = legal_orders(position, "FRANCE")
    if position.phase.kind == "R":
        ways = itertools.product(*options.values())
        return {frozenset(way) for way in ways if len({order.split(" R ")[-1] for order in way}) == len(way)}
    orders = [order for listed in options.values() for order in listed if order != "WAIVE"]
    due = abs(position.adjustments("FRANCE"))
    sets = itertools.combinations(orders, due)
    return {frozenset(orders) for orders in sets if len({order.split()[1] for order in orders}) == due}


@pytest.mark.parametrize("position", [RETREAT, BUILDS, REMOVALS], ids=["retreats", "builds", "removals"])
def test_every_gives_all_sets_where_they_are_few_and_none_where_they_are_many(position: Position) -> None:
    table = table_of(position)
    sets = [texts(orders) for orders in proposer("every")(table, "FRANCE", 48).sets]
    assert len(sets) == len(set(sets)) and set(sets) == by_hand(position) and len(sets) > 3
    assert proposer("every")(table, "FRANCE", 2).sets == []
    assert proposer("every")(table_of(LATE), POWER, 10**6).sets == []


def test_a_proposer_in_the_registry_is_one_that_can_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = as_bytes([codes[-1] for codes in LATE.packed.legal()[MAP.powers.index(POWER)].values()])

    def oddly(table: ProposalContext, power: str, count: int) -> Proposal:
        return Proposal([odd] * count)

    monkeypatch.setitem(PROPOSERS, "oddly", oddly)
    search = response_search(LATE, proposers="league=4+oddly=3")
    for _ in search.run([POWER], Budget(nodes=2_000)):
        pass
    by_name = {candidate.proposer: candidate for candidate in search.candidates(POWER)}
    assert set(by_name) <= {"league", "oddly", "forced"} and "oddly" in by_name
    assert by_name["oddly"].orders == search.context.sound(POWER, odd) and by_name["oddly"].drawn >= 1


def test_units_that_a_proposer_forgets_hold() -> None:
    context = table_of(LATE)
    whole = codes_in(context.sampler.policy(POWER, "league"))
    sound = codes_in(context.sound(POWER, as_bytes(whole[:2])))
    assert set(sound) >= {code for code in whole[:2] if kind_of(code) == OrderKind.MOVE}
    assert len(sound) == len(whole) == len(LATE.units_of(POWER))
    assert {kind_of(code) for code in sound if code not in whole[:2]} == {OrderKind.HOLD}


#: France beside Munich, which is Germany's and stands open.
OPEN = board(
    "F1903M",
    {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "BER"]},
    {"FRANCE": ["A BUR", "A RUH", "A PIC"], "GERMANY": ["A SIL"]},
)


@pytest.mark.parametrize(
    "word",
    [
        Agreement("promise", ("FRANCE",), orders=("A BUR - GAS",)),
        Agreement("peace", ("FRANCE", "GERMANY")),
        Agreement("forbid", ("FRANCE",), orders=("A PIC - BEL",)),
    ],
    ids=lambda position: position.kind,
)
def test_every_candidate_keeps_the_word_and_fits_together(word: Agreement) -> None:
    search = response_search(OPEN, word, seeds=[["A BUR - MUN", "A PIC - BEL"]])
    for _ in search.run(["FRANCE"], Budget(nodes=4_000)):
        pass
    bonds = search.context.bonds.own("FRANCE")
    pool = search.candidates("FRANCE")
    assert len(pool) > 3 and bonds
    for candidate in pool:
        assert not any(bond.breaks(code) for bond in bonds for code in codes_in(candidate.orders))
        assert fits(MAP, candidate.orders) and len(codes_in(candidate.orders)) == 3
        assert all(code in codes_in(candidate.orders) for bond in bonds for code in bond.promised.values())


def test_a_suggestion_is_filled_up_and_is_a_candidate() -> None:
    search = response_search(OPEN, seeds=[["A BUR - MAR"]])
    (suggested,) = proposer("suggested")(search.context, "FRANCE", 4).sets
    assert "A BUR - MAR" in texts(suggested) and len(codes_in(suggested)) == 3
    for _ in search.run(["FRANCE"], Budget(nodes=2_000)):
        pass
    assert any("A BUR - MAR" in texts(candidate.orders) for candidate in search.candidates("FRANCE"))


def test_a_suggestion_with_too_few_removals_is_none() -> None:
    units = [Unit("FRANCE", "A", "PAR"), Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "F", "BRE")]
    context = table_of(Position(MAP, "W1903A", units, {"FRANCE": ["PAR"]}))
    disbands = [
        code
        for codes in context.position.packed.legal()[MAP.powers.index("FRANCE")].values()
        for code in codes
    ]
    whole = as_bytes(disbands[:2])
    context = replace(context, seeds={"FRANCE": [b"", as_bytes(disbands[:1]), whole]})
    assert PROPOSERS["suggested"](context, "FRANCE", 4).sets == [whole]


def test_the_nodes_of_a_best_first_search_count() -> None:
    spent = {}
    for name in ("best-first=6+league=2", "league=8"):
        search = response_search(LATE, proposers=name)
        handed = search.config, Budget(nodes=4000), random.Random(0)
        pool, drawing = propose(search.context, POWER, *handed)
        better, spent[name] = improve(search.context, POWER, pool, *handed)
        assert drawing == 0 and (len(better) > len(pool)) == (spent[name] > 0)
    assert 0 < spent["best-first=6+league=2"] < 2000 and spent["league=8"] == 0


@pytest.mark.parametrize(
    ("idea", "names"),
    [("policy", {"dumbbot"}), ("people", {"people"}), ("league", {"league"}), ("best-first", {"best-first"})],
)
def test_an_idea_that_is_left_out_does_not_propose(idea: str, names: set[str]) -> None:
    def proposers(config: SearchConfig) -> set[str]:
        context, budget = table_of(LATE), Budget(nodes=100_000)
        pool, _ = propose(context, POWER, config, budget, random.Random(0))
        better, _ = improve(context, POWER, pool, config, budget, random.Random(0))
        return {candidate.proposer for candidate in better}

    everybody, left = proposers(SearchConfig()), proposers(SearchConfig(without=idea))
    assert everybody >= left | names and not left & names


def test_a_best_first_search_meets_what_is_expected() -> None:
    context, other = table_of(LATE), next(p for p in MAP.powers if p != POWER and LATE.units_of(p))
    holding = as_bytes(in_full(LATE, other, b"").values())
    drawn = context.sampler.policy(other, "league")
    proposed = [
        proposer("best-first")(replace(context, expected=[orders] * 2), POWER, 8).sets
        for orders in (holding, drawn)
    ]
    assert proposed[0] != proposed[1]


def test_a_best_first_search_proposes_nothing_but_movements() -> None:
    for position in (RETREAT, BUILDS):
        assert proposer("best-first")(table_of(position), "FRANCE", 6).sets == []
