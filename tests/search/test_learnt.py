"""The search as a whole: stages in a line, the same for the same seed, shares that are some."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bordeaux import Agreement, Engine, Limit, Map, Position, Request, legal_orders
from bordeaux.arena import bench
from bordeaux.board.code import codes_in, unit_of
from bordeaux.search import learnt
from bordeaux.search.analysis import search_of
from bordeaux.search.beliefs import REASON, Beliefs
from bordeaux.search.budget import Budget
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.proposers import ProposalContext
from bordeaux.search.sets import Candidates, from_orders, scored
from bordeaux.search.stages import prove

MAP = Map.standard()
POSITIONS = {position.phase.kind: position for position, _ in bench.positions()}
LATE = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position.phase.year > 1903
)
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))


def searched(
    position: Position = LATE,
    powers: tuple[str, ...] = (POWER,),
    nodes: int = 4_000,
    seed: int = 0,
    reason: float = REASON,
    **rest: Any,
) -> LearntSearch:
    """The search after so many nodes; powers are believed to `reason` with this probability."""
    with Engine(seed=seed, **rest) as engine:
        search = search_of(engine.task(Request(position))._replace(beliefs=Beliefs(MAP, reason=reason)))
    assert isinstance(search, LearntSearch)
    for _ in search.run(powers, Budget(nodes=nodes)):
        pass
    return search


def test_a_stage_that_adds_points_changes_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    whim = searched().candidates(POWER)[-1].orders
    stage = prove

    def with_a_whim(
        context: ProposalContext, power: str, pool: Candidates, *rest: Any
    ) -> tuple[Candidates, int]:
        pool, nodes = stage(context, power, pool, *rest)
        return scored(pool, "whim", {whim: 10_000.0}), nodes

    monkeypatch.setattr(learnt, "prove", with_a_whim)
    assert searched().lines(POWER)[0][0] == whim


@pytest.mark.parametrize("kind", "MRA")
def test_the_same_seed_finds_the_same(kind: str) -> None:
    position = POSITIONS[kind]
    powers = tuple(power for power in MAP.powers if position.orderable().get(power))
    searches = [searched(position, powers, seed=seed) for seed in (1, 1, 2)]
    lines = [[search.lines(power) for power in powers] for search in searches]
    assert lines[0] == lines[1]
    if kind == "M":
        assert lines[0] != lines[2]


@pytest.mark.parametrize("kind", "MRA")
def test_shares_and_forecasts_sum_up(kind: str) -> None:
    position = POSITIONS[kind]
    owing = [power for power in MAP.powers if position.orderable().get(power)]
    search = searched(position, (owing[0],))
    for power in owing:
        forecast = search.forecast(power)
        assert sum(share for _, share in forecast) == pytest.approx(1)
        assert [share for _, share in forecast] == sorted((share for _, share in forecast), reverse=True)
        assert sum(search.shares(power).values()) == pytest.approx(1)
    assert {candidate.orders for candidate in search.candidates(owing[0])} == set(search.shares(owing[0]))


def test_what_is_known_is_what_is_foreseen() -> None:
    other = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))
    orders = [str(legal_order[0]) for legal_order in legal_orders(LATE, other).values()]
    with Engine() as engine:
        search = search_of(engine.task(Request(LATE, given={other: orders})))
    for _ in search.run([POWER], Budget(nodes=2_000)):
        pass
    ((foreseen, share),) = search.forecast(other)
    assert share == pytest.approx(1) and foreseen == search.sampler.in_full(
        other, from_orders(LATE, other, orders)
    )


@pytest.mark.parametrize("nodes", [1, 300, 6_000])
def test_a_limit_in_nodes_is_roughly_kept(nodes: int) -> None:
    for position in POSITIONS.values():
        powers = tuple(power for power in MAP.powers if position.orderable().get(power))
        for wanted in (powers[:1], powers):
            search = searched(position, wanted, nodes)
            assert search.nodes < 1.2 * nodes + 400 * len(wanted)


def test_a_stop_ends_it_with_whole_sets() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    with Engine() as engine:
        search = search_of(engine.task(Request(LATE)))
    changed: Iterator[str] = search.run(MAP.powers, Budget(time=3600, stop=stop))
    assert {*changed} == {power for power in MAP.powers if LATE.units_of(power)}
    for power in MAP.powers:
        if LATE.units_of(power):
            assert len(search.lines(power)[0][0]) == 8 * len(LATE.units_of(power))


def test_who_owes_nothing_has_no_lines() -> None:
    search = searched()
    assert search.lines("NOBODY") == [] and search.candidates("NOBODY") == ()


def test_the_depth_tells_how_far_is_played_on() -> None:
    assert searched().depth(POWER) == 2 and searched(nodes=1).depth("NOBODY") == 1


OTHER = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))


def test_without_reasoning_others_play_as_they_are_drawn() -> None:
    shares = searched(without="reasoning").shares(OTHER).values()
    drawn = min(shares)
    assert all(share / drawn == pytest.approx(round(share / drawn)) for share in shares)


def test_the_others_choose_as_far_as_they_are_believed_to_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def shares(reason: float = REASON, **settings: Any) -> dict[bytes, float]:
        return searched(reason=reason, **settings).shares(OTHER)

    drawn, whole, half = shares(0.0), shares(1.0), shares(0.5)
    assert shares(without="reasoning") == pytest.approx(drawn)
    assert drawn != pytest.approx(whole) and sum(whole.values()) == pytest.approx(1)
    assert half == pytest.approx({orders: (drawn[orders] + whole[orders]) / 2 for orders in drawn})
    # More time makes other choices, and none at all leaves the draws.
    for part, same in ((0.9, whole), (0.0, drawn)):
        monkeypatch.setattr(learnt, "REASONING", part)
        assert (shares(1.0) == pytest.approx(same)) == (part == 0)


def test_a_search_tells_what_others_choose_among(monkeypatch: pytest.MonkeyPatch) -> None:
    search = searched(reason=0.25)
    others = {power for power in MAP.powers if power != POWER and LATE.units_of(power)}
    assert set(search.choices) == others
    for power, choice in search.choices.items():
        for shares in (choice.drawn, choice.chosen):
            assert sum(shares) == pytest.approx(1)
        for orders, drawn, chosen in zip(*choice, strict=True):
            part = search.sampler.beliefs.chooses(power)
            assert 0 < part < 0.25
            assert search.shares(power)[orders] == pytest.approx((1 - part) * drawn + part * chosen)
    # Of equal shares nothing could be learnt.
    assert searched(without="reasoning").choices == {}
    monkeypatch.setattr(learnt, "REASONING", 0.0)
    assert searched().choices == {}


def test_orders_of_the_others_are_drawn_by_the_expected_shares() -> None:
    """Of a power that no other's decision has considered, the beliefs draw."""
    other, search = OTHER, searched(reason=1.0)
    joint = [search.joint(POWER) for _ in range(400)]
    drawn = Counter(codes_of(other, orders) for orders in joint)
    expected = {frozenset(codes_in(orders)): share for orders, share in search.shares(other).items()}
    assert set(drawn) <= set(expected)
    for orders, share in expected.items():
        assert drawn[orders] / len(joint) == pytest.approx(share, abs=0.1)
    assert len({codes_of(POWER, search.joint(other)) for _ in range(20)}) > 1
    # What others expect of a wanted power is not its own mixture.
    search = searched(powers=(POWER, other))
    among = {frozenset(codes_in(orders)) for orders in search.shares(other)}
    assert not {codes_of(other, search.joint(POWER)) for _ in range(100)} <= among


@pytest.mark.parametrize("nodes", [700, 6_000])
@pytest.mark.parametrize("threads", [2, 5])
def test_any_number_of_threads_gives_the_same_answer_to_the_last_bit(threads: int, nodes: int) -> None:
    kinds = {position.phase.kind: position for position, _ in bench.positions()}
    for position in (*kinds.values(), LATE):
        found = []
        for number in (1, threads):
            with Engine(seed=3, threads=number) as engine:
                analysis = engine.examine(Request(position, limit=Limit(nodes=nodes)))
                answers = {power: answer._replace(seconds=0) for power, answer in analysis.answers.items()}
                found.append((answers, [analysis.candidates(power) for power in MAP.powers], analysis.nodes))
        assert found[0] == found[1]


def codes_of(power: str, joint: bytes) -> frozenset[int]:
    """The orders of one power among those of several in the late position."""
    units = set(LATE.packed.legal()[MAP.powers.index(power)])
    return frozenset(code for code in codes_in(joint) if unit_of(code) in units)


def test_who_is_known_chooses_nothing() -> None:
    with Engine() as engine:
        search = search_of(engine.task(Request(LATE, given={OTHER: []})))
    assert isinstance(search, LearntSearch)
    for _ in search.run([POWER], Budget(nodes=2_000)):
        pass
    assert search.choices and OTHER not in search.choices


@pytest.mark.parametrize("trust", [0.6, 0.9])
def test_who_has_promised_keeps_its_word_as_far_as_it_is_trusted(trust: float) -> None:
    promised = ("F BRE - ENG", "A PAR - PIC", "A MAR - SPA")
    promise = Agreement("promise", ("FRANCE",), orders=promised, trust=trust)
    with Engine() as engine:
        task = engine.task(Request(Position.start(), agreements=(promise,)))
    search = search_of(task._replace(beliefs=Beliefs(MAP, reason=1.0)))
    assert isinstance(search, LearntSearch)
    for _ in search.run(("ENGLAND",), Budget(nodes=13_500)):
        pass
    kept = from_orders(Position.start(), "FRANCE", promised)
    shares = {frozenset(codes_in(orders)): share for orders, share in search.shares("FRANCE").items()}
    assert shares[frozenset(codes_in(kept))] == pytest.approx(trust, abs=0.12)
