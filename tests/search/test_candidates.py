"""Candidates: legal, whole, the same for all seeds, with one's word kept and with what decides a Fall."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

import pytest

from bordeaux import Agreement, Dislodged, Engine, Limit, Position, Request, Unit, legal_orders
from bordeaux.arena.puzzles import shipped, solves
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.submission import texts
from bordeaux.search.candidates import PROPOSERS, Candidates
from bordeaux.search.expectation import Expectation
from bordeaux.search.forcing import Certainty
from bordeaux.search.sets import fits
from bordeaux.search.settle import Measure
from bordeaux.search.task import Budget, SearchTask

from .paper.boards import board
from .test_forcing import eighteenth
from .test_settle import LATE, MAP, POSITIONS, POWER


def unsearched(
    position: Position,
    powers: Iterable[str],
    *agreements: Agreement,
    seed: int = 0,
    without: str = "",
    **rest: Any,
) -> Candidates:
    with Engine(seed=seed, without=without) as engine:
        task = engine.task(Request(position, agreements=agreements, **rest))
    expectation = Expectation(task, 100)
    return Candidates(task, {power: Measure(task, power, expectation) for power in powers})


def searched(
    position: Position, power: str, *agreements: Agreement, nodes: int = 2_000, **rest: Any
) -> Candidates:
    search = unsearched(position, [power], *agreements, **rest)
    assert [*search.find([power], Budget(nodes=nodes))] == [power]
    return search


def proposed(position: Position, power: str, name: str, nodes: float = 20_000, **rest: Any) -> list[bytes]:
    search = unsearched(position, [power], **rest)
    return [*PROPOSERS[name](search.task, search.measures[power], nodes)]


@pytest.mark.parametrize("kind", "MRA")
def test_candidates_are_legal_and_whole_and_no_seed_changes_them(kind: str) -> None:
    position = POSITIONS[kind]
    for power in MAP.powers:
        if not position.orderable().get(power):
            continue
        sets = searched(position, power).sets(power)
        legal = {str(order) for orders in legal_orders(position, power).values() for order in orders}
        assert len(sets) > 1 and len({*sets}) == len(sets)
        for orders in sets:
            assert {*texts(MAP, orders)} <= legal
            if kind == "M":
                assert len(codes_in(orders)) == len(position.units_of(power)) and fits(MAP, orders)
        assert searched(position, power, seed=5).sets(power) == sets


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
    sets = [frozenset(texts(MAP, orders)) for orders in proposed(position, "FRANCE", "every")]
    assert len(sets) == len({*sets}) and {*sets} == by_hand(position) and len(sets) > 3
    # A search of a few nodes tries as many sets as it can compare.
    assert len(proposed(position, "FRANCE", "every", 100)) in (0, 4)
    assert proposed(LATE, POWER, "every") == []


def test_a_proposer_in_the_registry_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = as_bytes([codes[-1] for codes in LATE.packed.legal()[MAP.powers.index(POWER)].values()])

    def oddly(task: SearchTask, measure: Measure, nodes: float) -> list[bytes]:
        return [odd] * 3

    monkeypatch.setitem(PROPOSERS, "oddly", oddly)
    search = searched(LATE, POWER)
    sound = search.task.sound(POWER)(odd)
    assert search.sets(POWER).count(sound) == 1


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
    search = searched(OPEN, "FRANCE", word, seeds=[["A BUR - MUN", "A PIC - BEL"]])
    assert search.task.bonds
    bonds, sets = search.task.bonds.own("FRANCE"), search.sets("FRANCE")
    assert len(sets) > 3 and bonds
    for orders in sets:
        assert not any(bond.breaks(code) for bond in bonds for code in codes_in(orders))
        assert fits(MAP, orders) and len(codes_in(orders)) == 3
        assert all(code in codes_in(orders) for bond in bonds for code in bond.promised.values())


def test_a_suggestion_is_filled_up_and_is_a_candidate() -> None:
    (suggested,) = proposed(OPEN, "FRANCE", "suggested", seeds=[["A BUR - MAR"]])
    assert "A BUR - MAR" in texts(MAP, suggested) and len(codes_in(suggested)) == 3
    sets = searched(OPEN, "FRANCE", seeds=[["A BUR - MAR"]]).sets("FRANCE")
    assert any("A BUR - MAR" in texts(MAP, orders) for orders in sets)


def test_a_suggestion_with_too_few_removals_is_none() -> None:
    units = [Unit("FRANCE", "A", "PAR"), Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "F", "BRE")]
    position = Position(MAP, "W1903A", units, {"FRANCE": ["PAR"]})
    seeds = [[], ["A PAR D"], ["A PAR D", "A BUR D"]]
    (whole,) = proposed(position, "FRANCE", "suggested", seeds=seeds)
    assert {*texts(MAP, whole)} == {"A PAR D", "A BUR D"}


def test_what_wins_joins_the_candidates_in_fall_and_is_proved() -> None:
    position = eighteenth()
    search = searched(position, "TURKEY")
    proved = search.proved("TURKEY")
    assert {*proved.values()} == {Certainty.WON} and {*proved} <= {*search.sets("TURKEY")}
    spring = Position(MAP, "S1910M", position.units, position.centres)
    for other in (
        searched(spring, "TURKEY"),
        searched(position, "TURKEY", without="forcing"),
        searched(position, "TURKEY", nodes=1),
    ):
        assert other.sets("TURKEY") and not other.proved("TURKEY")


def test_what_prevents_the_victory_of_a_leader_joins_the_candidates() -> None:
    puzzle = next(puzzle for puzzle in shipped() if puzzle.kind == "stop")
    proved = searched(puzzle.position, puzzle.power, nodes=20_000).proved(puzzle.power)
    assert proved and {*proved.values()} == {Certainty.PREVENTED}
    # There is another leader too, and not every set stops both.
    assert any(solves(puzzle, texts(MAP, orders)) for orders in proved)


def test_a_stop_ends_it_with_whole_sets() -> None:
    asked = itertools.count(1)
    powers = [power for power in MAP.powers if LATE.units_of(power)]
    search = unsearched(LATE, powers)
    assert [*search.find(MAP.powers, Budget(time=3600, stop=lambda: next(asked) > 3))] == powers
    assert len(search.sets(powers[0])) > len(search.sets(powers[-1])) == 1
    for power in powers:
        assert len(codes_in(search.sets(power)[0])) == len(LATE.units_of(power))


def test_who_owes_nothing_has_no_candidates() -> None:
    search = searched(LATE, POWER)
    assert search.sets("NOBODY") == [] and search.proved("NOBODY") == {}


@pytest.mark.parametrize(
    ("threads", "nodes"),
    [(5, 700), pytest.param(5, 6_000, marks=pytest.mark.slow)],
)
def test_any_number_of_threads_gives_the_same_answer_to_the_last_bit(threads: int, nodes: int) -> None:
    for position in (*POSITIONS.values(), LATE):
        found = []
        for number in (1, threads):
            with Engine(seed=3, threads=number) as engine:
                analysis = engine.examine(Request(position, limit=Limit(nodes=nodes)))
            found.append({power: answer._replace(seconds=0) for power, answer in analysis.answers.items()})
        assert found[0] == found[1]
