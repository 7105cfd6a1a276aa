"""The paper's search in several processes: the rendezvous turn about in one process, and real processes that
are killed, stopped and given too much."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multiprocess import Pipe

from bordeaux import Agreement, Map, Position
from bordeaux.arena import bench
from bordeaux.rules.rulesets import DAIDE
from bordeaux.search.agreements import Bonds, agreed
from bordeaux.search.beliefs import Beliefs
from bordeaux.search.config import PaperConfig, SearchConfig
from bordeaux.search.paper import MovementSearch, paper_search, processes
from bordeaux.search.paper.processes import (
    GRACE,
    LONGEST,
    OFFERED,
    GameMaster,
    PipeEnd,
    ProcessRendezvous,
    WorkerPool,
    deal,
    pack,
    unpack,
)
from bordeaux.search.paper.state import Rendezvous
from bordeaux.search.task import Budget, SearchTask
from tests.jobs.seen import alive
from tests.patience import PATIENCE

MAP = Map.standard()
POWERS = MAP.powers
START = Position.start()
PAPER = SearchConfig(search="paper")
LATE = next(p for p, _ in bench.positions() if p.phase.kind == "M" and p.phase.year > 1903)


def task(position: Position = START, config: SearchConfig = PAPER) -> SearchTask:
    return SearchTask(position, config, 0, {}, Beliefs(position.map), {})


def search_of(
    meeting: Rendezvous | None = None,
    process: int = 0,
    position: Position = LATE,
    config: SearchConfig = PAPER,
) -> MovementSearch:
    search = paper_search(task(position, config), meeting, process)
    assert isinstance(search, MovementSearch)
    return search


def searched(
    meeting: Rendezvous, powers: list[str], nodes: int, process: int = 0, config: SearchConfig = PAPER
) -> MovementSearch:
    """A search over a position, until all have spent so many nodes."""
    search = search_of(meeting, process, config=config)
    for _ in search.run(powers, Budget(nodes=nodes)):
        pass
    return search


class Table:
    """Rendezvous of several processes, of which all are here, at one game master."""

    def __init__(self, *shares: set[str], search: int = 1) -> None:
        pipes = [Pipe() for _ in shares]
        self.lines = [PipeEnd(ours) for ours, _ in pipes]
        self.theirs = [PipeEnd(theirs) for _, theirs in pipes]
        self.master = GameMaster(self.lines[0], len(shares), MAP)
        workers = {number: SimpleNamespace(line=line) for number, line in enumerate(self.lines) if number}
        self.master.workers = cast(Any, workers)
        self.beside: list[tuple[Any, ...]] = []
        dealt = [frozenset(share) for share in shares]
        self.meetings = [
            ProcessRendezvous(line, number, search, POWERS, dealt, self.beside.append)
            for number, line in enumerate(self.theirs)
        ]
        self.begin(search)

    def begin(self, search: int) -> None:
        self.master.search, self.master.nodes = search, [0] * len(self.lines)
        self.lines[0].send("news", search, self.master.nodes, [])

    def settle(self) -> None:
        """Let all hear everything of all."""
        for _ in range(4 * len(POWERS)):
            for meeting in self.meetings:
                meeting.meet()
            for number, line in enumerate(self.lines):
                for message in line.heard():
                    self.master.hear(number, message)


def until(reached: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, "it has not come to that"
        time.sleep(0.01)


@given(st.permutations(POWERS), st.integers(1, 7), st.integers(1, 9), st.data())
def test_every_power_is_searched_and_every_process_has_a_wanted_one(
    powers: list[str], n: int, number: int, data: st.DataObject
) -> None:
    units = {power: data.draw(st.integers(1, 17)) for power in powers}
    wanted, others = powers[:n], powers[n:]
    shares = deal(wanted, others, units, number)
    assert len(shares) == number
    assert set().union(*shares) == set(powers)
    assert all(share & set(wanted) for share in shares)
    for other in others:
        assert sum(other in share for share in shares) == 1
    if number <= n:
        assert sum(len(share & set(wanted)) for share in shares) == n


def test_one_process_for_each_of_seven_powers() -> None:
    shares = deal(POWERS, [], dict.fromkeys(POWERS, 3), 7)
    assert sorted(len(share) for share in shares) == [1] * 7


def test_a_power_that_others_search_is_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "SILENCE", PATIENCE)
    powers = [power for power in POWERS if LATE.units_of(power)]
    table = Table(set(powers[:1]), set(powers[1:]))
    one, two = table.meetings
    theirs = searched(two, powers, 30_000, process=1)
    table.settle()
    ours = searched(one, powers, 60_000)
    for power in powers[1:]:
        assert ours.lines(power)[0] == theirs.lines(power)[0]
        assert ours.sides[power].best == theirs.sides[power].best


def test_a_changed_background_is_what_the_next_turn_is_played_against(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "SILENCE", PATIENCE)
    table = Table({"FRANCE"}, {"GERMANY"})
    one, two = table.meetings
    ours, theirs = search_of(one, position=START), search_of(two, 1, START)
    for search, power in ((ours, "FRANCE"), (theirs, "GERMANY")):
        for _ in search.run([power], Budget(nodes=1)):
            pass
    side = theirs.sides["GERMANY"]
    node = side.space.completed(b"\x01\x00" * side.space.n_units)
    side.best = side.space.orders(node)
    side.pool[side.best] = 5.0
    theirs.state.exchange("GERMANY")
    table.settle()
    assert one.share(["GERMANY"]) == []
    assert ours.state.exchange("FRANCE") == ["GERMANY"]
    assert ours.sides["GERMANY"].best == side.best
    assert ours.state.exchange("FRANCE") == []


def test_powers_of_the_silent_fall_to_the_caller_while_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table({"FRANCE"}, {"ITALY", "TURKEY"}, {"RUSSIA"})
    one, two, three = table.meetings
    powers = list(POWERS)
    monkeypatch.setattr(processes, "SILENCE", PATIENCE)
    assert one.share(powers) == ["FRANCE", "ITALY", "RUSSIA", "TURKEY"]
    three.count(5)
    table.settle()
    assert one.share(powers) == ["FRANCE", "ITALY", "TURKEY"]
    assert two.share(powers) == ["ITALY", "TURKEY"], "only the caller does the work of others"
    two.count(5)
    table.settle()
    assert one.share(powers) == ["FRANCE"]
    monkeypatch.setattr(processes, "SILENCE", 0.0)
    assert one.share(powers) == ["FRANCE", "ITALY", "RUSSIA", "TURKEY"]


def test_the_caller_never_holds_worse_than_was_sent_in_its_own_judgement() -> None:
    """Two searches for one power: what the other holds for the best is judged here too."""
    power = max(POWERS, key=lambda power: len(LATE.units_of(power)))
    judging = SearchConfig("paper")
    for ours_more in (1, 5000, 20_000):
        table = Table(set(POWERS), {power})
        one, two = table.meetings
        theirs = searched(two, [power], 20_000, process=1, config=judging)
        sent = [orders for orders, _ in theirs.lines(power)[:OFFERED]]
        table.settle()
        ours = searched(one, [power], theirs.nodes + ours_more, config=judging)
        best, judged = ours.sides[power].best, ours.state.judged[power]
        scores = {orders: known.score for orders, known in judged.items()}
        assert sent[0] in scores
        assert all(scores[best] >= scores[orders] for orders in sent if orders in scores)


def test_what_an_earlier_search_left_is_not_taken() -> None:
    table = Table({"FRANCE"}, {"GERMANY"})
    one, two = table.meetings
    theirs = searched(two, ["GERMANY"], 2000, process=1)
    table.begin(2)
    table.settle()
    ours = search_of(one)
    assert ours.state.exchange("FRANCE") == []
    assert one.count(3) == 3 < theirs.nodes


def test_an_end_is_noticed_and_what_is_not_of_this_search_is_kept() -> None:
    table = Table({"FRANCE"}, {"GERMANY"})
    for message in (("over", 1), ("begin", 2, b"job"), ("over", 2)):
        table.lines[1].send(*message)
    table.meetings[1].meet()
    assert table.meetings[1].over
    assert table.beside == [("over", 1), ("begin", 2, b"job"), ("over", 2)]


def test_a_line_that_is_full_blocks_nobody() -> None:
    ours, theirs = Pipe()
    line, sent = PipeEnd(ours), 0
    while not line.broken:
        line.send("begin", sent, bytes(LONGEST))
        sent += 1
        assert sent < 100
    assert sent > 1
    theirs.close()


@pytest.mark.parametrize("map", [MAP, Map.load("pure")])
def test_a_job_arrives_as_it_was_sent(map: Map) -> None:
    position = Position.start(map)
    power = map.powers[0]
    beliefs = Beliefs(map)
    beliefs.observe(position, dict.fromkeys(map.powers, ()))
    job = (
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
    arrived, *rest = unpack(pack(job, map), map)
    assert rest == [*job[1:]]
    believed, bonds = arrived.beliefs, arrived.bonds
    assert believed is not None
    assert believed.shares == beliefs.shares != Beliefs(map).shares and believed.map is map
    assert bonds is not None and [bond.trust for bond in bonds.likely(power)] == [0.5]
    assert arrived._replace(beliefs=None, bonds=None) == job[0]._replace(beliefs=None, bonds=None)
    # The evaluation is compiled for this very map.
    assert arrived.position.map is map


def test_workers_that_are_dead_or_late_are_replaced_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(processes, "monotonic", lambda: clock[0])

    class Fake(SimpleNamespace):
        """A worker as it is started, with a process id of its own."""

        def __init__(self, number: int, board: Map, held: list[Any]) -> None:
            self.line = SimpleNamespace(connection=number, broken=False, send=lambda *message: None)
            self.line.heard = lambda: () if self.living else [("failed", number, "why")]
            self.living, self.process = True, SimpleNamespace(pid=next(pids), is_alive=lambda: self.living)

        def dismiss(self) -> None:
            self.living = False

    pids, told = count(1), list[tuple[Any, ...]]()
    monkeypatch.setattr(processes, "PaperWorker", Fake)
    caller = SimpleNamespace(connection=0, send=lambda *message: told.append(message))
    master = GameMaster(cast(Any, caller), 4, MAP)
    workers = cast(dict[int, Fake], master.workers)

    def staff() -> tuple[int, ...]:
        told.clear()
        master.hear(0, ("begin", 1, b""))
        assert all(worker.living for worker in workers.values())
        return tuple(worker.process.pid for _, worker in sorted(workers.items()))

    assert staff() == (1, 2, 3) and told[0] == ("staff", 0, (1, 2, 3))
    assert staff() == (1, 2, 3) and told[0][0] == "news"
    workers[1].living, workers[3].line.broken = False, True
    assert staff() == (4, 2, 5) and told[0] == ("failed", 1, "why") and set(told[1][2]) == {4, 2, 5}
    master.hear(0, ("over", 1))
    master.hear(1, ("done", 1))
    master.hear(2, ("done", 1))
    clock[0] += GRACE
    assert staff() == (4, 2, 5)
    clock[0] += 0.01
    assert staff() == (4, 2, 6), "who has not noticed the end of the search"
    assert staff() == (4, 2, 6), "who owes nothing for a search before it was there"


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerPool]:
    # It may take as long to start as a busy machine needs.
    monkeypatch.setattr(processes, "PATIENCE", PATIENCE)
    pool = WorkerPool(MAP, 2)
    pool.wait()
    yield pool
    pool.close()


def test_the_powers_of_a_worker_that_stops_or_dies_are_searched_by_the_caller(pool: WorkerPool) -> None:
    powers = list(POWERS)
    (worker,) = pool.process_ids
    with pool.meet(task(), powers, Budget(time=PATIENCE)) as meeting:
        until(lambda: len(meeting.share(powers)) < len(powers))
        os.kill(worker, signal.SIGSTOP)
        until(lambda: meeting.share(powers) == powers)
        os.kill(worker, signal.SIGCONT)
        until(lambda: len(meeting.share(powers)) < len(powers))
        os.kill(worker, signal.SIGKILL)
        until(lambda: meeting.share(powers) == powers)
        # In the midst of the search there is another one already, for the next.
        until(lambda: (meeting.share(powers), pool.process_ids != (worker,))[1])
    with pool.meet(task(), powers, Budget(time=PATIENCE)) as meeting:
        until(lambda: len(meeting.share(powers)) < len(powers))


def test_a_worker_that_does_not_notice_the_end_of_a_search_is_replaced(pool: WorkerPool) -> None:
    (stuck,) = pool.process_ids
    os.kill(stuck, signal.SIGSTOP)
    with pool.meet(task(), ["FRANCE"], Budget(time=PATIENCE)) as meeting:
        assert meeting.count(1) == 1
    until(lambda: once(pool) and pool.process_ids not in ((), (stuck,)))
    until(lambda: not alive(stuck))


def once(pool: WorkerPool) -> bool:
    """One short search with a pool."""
    with pool.meet(task(), ["FRANCE"], Budget(time=PATIENCE)) as meeting:
        meeting.exchange({}, lambda power, count: [])
    return True


def test_searches_that_are_over_before_the_workers_are_ready_leave_no_work(
    own_children: Callable[[], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PATIENCE", PATIENCE)
    pool = WorkerPool(MAP, 2)
    once(pool)
    master = own_children()
    until(lambda: once(pool) and pool.process_ids)
    assert own_children() == master and len(master) == 1
    pool.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGSTOP, marks=pytest.mark.slow)])
def test_without_its_game_master_the_caller_goes_on_and_gets_another(pool: WorkerPool, number: int) -> None:
    (worker,), powers = pool.process_ids, list(POWERS)
    master = int(Path(f"/proc/{worker}/stat").read_text("utf-8").rpartition(")")[2].split()[1])
    with pool.meet(task(), powers, Budget(time=PATIENCE)) as meeting:
        until(lambda: len(meeting.share(powers)) < len(powers))
        os.kill(master, number)
        until(lambda: meeting.share(powers) == powers)
        assert meeting.count(10**6) >= 10**6
    until(lambda: once(pool) and pool.process_ids not in ((), (worker,)))
    until(lambda: not alive(worker) and not alive(master))


def test_a_job_that_is_too_large_is_done_by_the_caller_alone(pool: WorkerPool) -> None:
    large = task()._replace(seeds={"FRANCE": [bytes(8 * number) for number in range(150)]})
    assert len(pack((large, ["FRANCE"], (), None, None), MAP)) > LONGEST
    with pool.meet(large, ["FRANCE"], Budget(time=PATIENCE)) as meeting:
        assert meeting.share(list(POWERS)) == list(POWERS) and type(meeting) is Rendezvous
    with pool.meet(task(), ["FRANCE"], Budget(time=PATIENCE)) as meeting:
        until(lambda: meeting.count(1) > 1)


def test_a_worker_that_fails_says_why_and_is_replaced(
    pool: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    (failing,) = pool.process_ids
    bad = task(config=SearchConfig("paper", evaluation="nonsense"))
    with pool.meet(bad, ["FRANCE"], Budget(time=PATIENCE)):
        until(lambda: not alive(failing))
    with pool.meet(task(), ["FRANCE"], Budget(time=PATIENCE)) as meeting:
        until(lambda: meeting.count(1) > 1)
        assert pool.process_ids != (failing,)
    assert "unknown evaluation 'nonsense'" in caplog.text


def test_a_worker_looks_to_the_end_of_a_search_that_nobody_waits_for(pool: WorkerPool) -> None:
    """It is free for the next search, the same process as before, unless a busy machine made it late."""

    def kept() -> bool:
        pool.wait()
        before = pool.process_ids
        for position in (START, LATE):
            with pool.meet(task(position), ["FRANCE"], Budget(time=3600.0)) as meeting:
                until(lambda: meeting.count(1) > 1)
        return pool.process_ids == before

    until(kept)


def test_closing_leaves_nothing_behind(pool: WorkerPool, own_children: Callable[[], list[int]]) -> None:
    (worker,) = pool.process_ids
    os.kill(worker, signal.SIGSTOP)
    pool.close()
    until(lambda: not alive(worker) and own_children() == [])
    assert pool.process_ids == ()
