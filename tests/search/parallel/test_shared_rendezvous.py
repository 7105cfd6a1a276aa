"""The rendezvous, with several searches that meet in one process, turn about."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import pytest

from bordeaux import Agreement, Map, Position, Unit
from bordeaux.arena import bench
from bordeaux.rules.rulesets import DAIDE
from bordeaux.search.agreements import Bonds, agreed
from bordeaux.search.analysis import search_of
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.budget import Budget
from bordeaux.search.config import PaperConfig, SearchConfig
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.paper import MovementSearch
from bordeaux.search.paper.decision import TRIAL
from bordeaux.search.parallel.job import SearchJob, pack, unpack
from bordeaux.search.parallel.shared_rendezvous import OFFERED, SharedRendezvous, nobody
from bordeaux.search.parallel.table import SharedTable
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.sets import Candidate
from bordeaux.search.task import SearchTask

MAP = Map.standard()
START = Position.start()
#: That of the paper, in which processes share the powers that they search.
PAPER = SearchConfig(search="paper")
LATE = next(p for p, _ in bench.positions() if p.phase.kind == "M" and p.phase.year > 1903)


def task(position: Position = START, config: SearchConfig = PAPER) -> SearchTask:
    return SearchTask(position, config, 0, {}, Beliefs(position.map), {})


def meetings(
    *shares: set[str],
    absent: Callable[[int], bool] = nobody,
    search: int = 1,
    table: SharedTable | None = None,
) -> list[SharedRendezvous]:
    table = table or SharedTable(MAP, len(shares))
    dealt = [frozenset(share) for share in shares]
    return [
        SharedRendezvous(table, number, search, MAP.powers, dealt, absent if number == 0 else nobody)
        for number in range(len(shares))
    ]


def by_paper(
    meeting: Rendezvous | None = None,
    process: int = 0,
    position: Position = START,
    config: SearchConfig = PAPER,
) -> MovementSearch:
    """The search of the paper, that meets others."""
    search = search_of(task(position, config), meeting, process)
    assert isinstance(search, MovementSearch)
    return search


def by_draws(meeting: Rendezvous | None = None, process: int = 0, position: Position = LATE) -> LearntSearch:
    """The search by default, that meets others."""
    search = search_of(task(position, SearchConfig()), meeting, process)
    assert isinstance(search, LearntSearch)
    return search


def searched(
    rendezvous: Rendezvous, powers: list[str], nodes: int, process: int = 0, config: SearchConfig = PAPER
) -> MovementSearch:
    """A search over a position, until all have spent so many nodes."""
    search = by_paper(rendezvous, process, LATE, config)
    for _ in search.run(powers, Budget(nodes=nodes)):
        pass
    return search


def test_alone_everything_is_ones_own() -> None:
    alone = Rendezvous()
    assert alone.share(["FRANCE"]) == ["FRANCE"] and alone.count(7) == 7
    assert by_paper(alone).state.exchange("FRANCE") == []
    assert alone.tally("FRANCE", {b"x": (1.5, 2)}) == {b"x": (1.5, 2)}


def test_a_power_that_others_search_is_taken_over() -> None:
    powers = [power for power in MAP.powers if LATE.units_of(power)]
    one, two = meetings(set(powers[:1]), set(powers[1:]))
    theirs = searched(two, powers, 30_000, process=1)
    ours = searched(one, powers, 60_000)
    for power in powers[1:]:
        assert ours.lines(power)[0] == theirs.lines(power)[0]
        assert ours.sides[power].best == theirs.sides[power].best


def test_a_changed_background_is_what_the_next_turn_is_played_against() -> None:
    one, two = meetings({"FRANCE"}, {"GERMANY"})
    ours, theirs = by_paper(one), by_paper(two, 1)
    for search, power in ((ours, "FRANCE"), (theirs, "GERMANY")):
        for _ in search.run([power], Budget(nodes=1)):
            pass
    side = theirs.sides["GERMANY"]
    node = side.space.completed(b"\x01\x00" * side.space.n_units)
    side.best = side.space.orders(node)
    side.pool[side.best] = 5.0
    theirs.state.exchange("GERMANY")
    assert ours.state.exchange("FRANCE") == ["GERMANY"]
    assert ours.sides["GERMANY"].best == side.best
    assert ours.state.exchange("FRANCE") == []


def test_shares_of_the_absent_fall_to_the_master_while_they_are() -> None:
    gone = {1}
    one, two, _ = meetings({"FRANCE"}, {"ITALY", "TURKEY"}, {"RUSSIA"}, absent=lambda number: number in gone)
    powers = list(MAP.powers)
    assert one.share(powers) == ["FRANCE", "ITALY", "TURKEY"]
    assert two.share(powers) == ["ITALY", "TURKEY"]
    gone.clear()
    assert one.share(powers) == ["FRANCE"]


def test_the_master_never_holds_worse_than_was_published_in_its_own_judgement() -> None:
    """Two searches for one power: what the other holds for the best is judged here too."""
    power = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))
    judging = SearchConfig("paper", without="rollouts")
    for ours_more in (1, 5000, 20_000):
        one, two = meetings(set(MAP.powers), {power})
        theirs = searched(two, [power], 20_000, process=1, config=judging)
        published = [orders for orders, _ in theirs.lines(power)[:OFFERED]]
        ours = searched(one, [power], theirs.nodes + ours_more, config=judging)
        best, judged = ours.sides[power].best, ours.state.judged[power]
        decided = ours.state.decided.get(power)
        # In between it depends on the values whether the decision is reached.
        assert bool(decided) == (ours_more > 1) or ours_more == 5000
        scores = {orders: known.score for orders, known in judged.items()}
        if decided:
            scores = {orders: known.value for orders, known in decided.items()}
        # What is judged worse than all that a decision has room for is not tried there.
        assert published[0] in scores.keys() | judged.keys()
        assert all(scores[best] >= scores[orders] for orders in published if orders in scores)


@pytest.mark.slow
def test_sets_of_other_processes_are_played_on_from_as_well() -> None:
    power = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))
    one, two = meetings(set(MAP.powers), {power})
    theirs = searched(two, [power], 60_000, process=1)
    ours = searched(one, [power], theirs.nodes + 60_000)
    case = ours.decision.cases[power]
    other = theirs.decision.cases[power].halving
    assert other is not None and ours.decision.play_out is not None
    assert theirs.sides[power].best in ours.state.decided[power]
    # Where both compare with the same set, each by chances of its own, the sums are those of both.
    calls = itertools.count()
    case = replace(case, progress=lambda: next(calls) / 2_000)
    tried = tuple(Candidate(orders, "paper", scores=((TRIAL, 0.0),)) for orders in other.candidates)
    again, first = ours.decision.play_out.halving(case, tried), other.candidates[0]
    deque(ours.decision.play_out.run(again, case, tried), maxlen=0)
    together = two.tally(power, {orders + first: (0.0, 0) for orders in other.candidates})
    for i, orders in enumerate(other.candidates):
        assert together[orders + first][1] == len(again._behind(i)) > 0
        assert again._sums[orders + first][1] == len(other._behind(i)) + len(again._behind(i))


def test_every_process_draws_the_same_candidates_and_samples_add_up() -> None:
    """In the search by default: each has samples of its own, and those of both decide."""
    power = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))
    one, two = meetings(set(MAP.powers), {power})
    theirs = by_draws(two, 1)
    deque(theirs.run([power], Budget(nodes=8_000)), maxlen=0)
    ours = by_draws(one)
    deque(ours.run([power], Budget(nodes=theirs.nodes + 8_000)), maxlen=0)
    alone = by_draws()
    deque(alone.run([power], Budget(nodes=8_000)), maxlen=0)
    drawn = [{candidate.orders for candidate in search.candidates(power)} for search in (ours, theirs)]
    assert len(drawn[0] & drawn[1]) > 0.6 * len(drawn[1])
    best = ours.candidates(power)[0].orders
    assert one.tally(power, {best: (0.0, 0)})[best][1] > 0
    # Process 0 has the candidates and the samples that it has alone; what differs comes from the other.
    assert {candidate.orders for candidate in alone.candidates(power)} == drawn[0]
    assert [candidate.value for candidate in ours.candidates(power)] != [
        candidate.value for candidate in alone.candidates(power)
    ]


def test_what_a_process_has_decided_another_takes_over() -> None:
    powers = [power for power in MAP.powers if LATE.units_of(power)][:2]
    one, two = meetings({powers[0]}, {powers[1]})
    theirs = by_draws(two, 1)
    deque(theirs.run(powers, Budget(nodes=5_000)), maxlen=0)
    ours = by_draws(one)
    deque(ours.run(powers, Budget(nodes=theirs.nodes + 5_000)), maxlen=0)
    assert ours.lines(powers[1])[0] == theirs.lines(powers[1])[0]
    assert len(ours.lines(powers[0])) > 1


def test_what_nobody_else_has_done_is_done_by_who_has_time_left() -> None:
    units = [Unit("FRANCE", "A", "PAR"), Unit("TURKEY", "A", "CON")]
    lonely = Position(MAP, "S1905M", units, {"FRANCE": ["PAR"], "TURKEY": ["CON"]})
    one, _ = meetings({"FRANCE"}, {"TURKEY"})
    search = by_draws(one, position=lonely)
    deque(search.run(["FRANCE", "TURKEY"], Budget(nodes=10**6)), maxlen=0)
    assert search.candidates("FRANCE") and search.candidates("TURKEY")


def test_nodes_are_counted_together() -> None:
    one, two = meetings({"FRANCE"}, {"GERMANY"})
    search = by_paper()
    assert one.count(10) == 10
    two.exchange(search.sides, search.lines)
    assert two.count(5) == 15
    one.exchange(search.sides, search.lines)
    assert one.count(11) == 16


def test_what_an_earlier_search_left_is_not_taken() -> None:
    table = SharedTable(MAP, 2)
    _, before = meetings({"FRANCE"}, {"GERMANY"}, table=table)
    theirs = searched(before, ["GERMANY"], 2000, process=1)
    assert before.tally("GERMANY", {b"x": (1.0, 1)})
    now, _ = meetings({"FRANCE"}, {"GERMANY"}, table=table, search=2)
    ours = by_paper(now, position=LATE)
    assert ours.state.exchange("FRANCE") == []
    assert now.count(3) == 3 < theirs.nodes
    assert now.tally("GERMANY", {b"x": (2.0, 2)}) == {b"x": (2.0, 2)}


def test_samples_of_the_same_set_add_up_over_processes() -> None:
    one, two, three = meetings({"FRANCE"}, {"FRANCE"}, {"FRANCE"})
    assert one.tally("FRANCE", {b"a" * 8: (1.0, 1), b"b" * 8: (4.0, 2)})[b"a" * 8] == (1.0, 1)
    assert two.tally("FRANCE", {b"a" * 8: (2.5, 3), b"c" * 8: (9.0, 9)}) == {
        b"a" * 8: (3.5, 4),
        b"c" * 8: (9.0, 9),
    }
    # Totals replace those before: they are never counted twice.
    one.tally("FRANCE", {b"a" * 8: (3.0, 2)})
    assert three.tally("FRANCE", {b"a" * 8: (0.0, 0), b"b" * 8: (0.0, 0)}) == {
        b"a" * 8: (5.5, 5),
        b"b" * 8: (0.0, 0),
    }


@pytest.mark.parametrize("map", [MAP, Map.load("pure")])
def test_a_job_arrives_as_it_was_sent(map: Map) -> None:
    position = Position.start(map)
    power = map.powers[0]
    beliefs = Beliefs(map)
    beliefs.observe(position, dict.fromkeys(map.powers, ()))
    job = SearchJob(
        3,
        SearchTask(
            position,
            SearchConfig("paper", "paper", without="fronts", paper=PaperConfig(caution=0.5)),
            5,
            {power: [b"12345678"]},
            beliefs,
            {power: b"87654321"},
            Bonds(position, agreed(position, [Agreement("peace", map.powers[:2], trust=0.5)]), DAIDE),
            {power: {map.provinces[0].name: 3.0}},
        ),
        [power],
        (frozenset(map.powers),),
        12.5,
        None,
    )
    arrived = unpack(pack(job, map), map)
    believed = arrived.task.beliefs
    assert believed is not None
    assert believed.shares == beliefs.shares != Beliefs(map).shares and believed.map is map
    bonds = arrived.task.bonds
    assert bonds is not None and [bond.trust for bond in bonds.likely(power)] == [0.5]
    sent = job.task._replace(beliefs=None, bonds=None)
    assert arrived._replace(task=arrived.task._replace(beliefs=None, bonds=None)) == job._replace(task=sent)
    # The evaluation is compiled for this very map.
    assert arrived.task.position.map is map
