"""The last stage: one measure for all sets of a power, by which the best of them is the answer."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from bordeaux import Agreement, Engine, Limit, Map, Position, Request, Unit, legal_orders
from bordeaux.arena import bench
from bordeaux.arena.puzzles import shipped
from bordeaux.board.errors import OrderError, PositionError
from bordeaux.evaluation.prospect import MOST_CHANCE
from bordeaux.formats.text import position_from_text
from bordeaux.review.comparison import Attempt, weighed
from bordeaux.search import settle as settle_module
from bordeaux.search.analysis import reasons
from bordeaux.search.forcing import Certainty, certain
from bordeaux.search.settle import SURE, Line, Measure, settle
from bordeaux.search.task import Budget

from .test_forcing import eighteenth

MAP = Map.standard()
POSITIONS = {position.phase.kind: position for position, _ in bench.positions()}
LATE = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position.phase.year > 1903
)
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))
OTHER = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))
#: Falls of people's games in which a leader has 16 or 17 centres, with powers that have a set that stops it.
LEADERS = """
518 1909 ITALY, 5020 1907 TURKEY, 9329 1907 AUSTRIA, 9329 1907 ITALY, 4038 1912 ENGLAND, 4038 1912 FRANCE,
12234 1909 GERMANY, 7314 1911 ITALY, 7314 1911 TURKEY, 10767 1914 FRANCE, 3760 1911 ENGLAND
"""
LEADER = "faults/leader_17.pos"


def measure(position: Position = LATE, power: str = POWER, threads: int = 1, **known: Any) -> Measure:
    with Engine(threads=threads) as engine:
        return engine.measure(Request(position, (power,), **known))


@pytest.fixture(scope="module")
def measured() -> Measure:
    return measure()


@pytest.fixture(scope="module")
def sets(measured: Measure) -> list[bytes]:
    """Probable sets, each once."""
    return list(dict.fromkeys(measured.probable))[:6]


def values(lines: Iterable[Line]) -> dict[tuple[str, ...], tuple[float, float, float, Certainty]]:
    """What is told of each set for itself; distances are from the best of the lines."""
    return {line.orders: (line.value, line.error, line.solo, line.outcome) for line in lines}


def test_from_the_second_year_on_a_net_has_its_part_in_what_a_set_is_worth(tmp_path: Path) -> None:
    people = tmp_path / "people.toml"
    people.write_text('base = "hand"\nprospect = 1.0\n')
    for position, alike in ((Position.start(), True), (LATE, False)):
        shares = []
        for evaluation in ("default", str(people)):
            with Engine(evaluation=evaluation, without="reasoning") as engine:
                measured = engine.measure(Request(position, (POWER,)))
            shares.append(measured.shares(measured.probable[:2]))
        assert (shares[0] == shares[1]) is alike


@pytest.mark.parametrize("kind", "MRA")
def test_a_set_has_one_value_whoever_asks(kind: str) -> None:
    """Whatever the seed, the nodes, the threads and the other sets are."""
    position = POSITIONS[kind]
    power = POWER if LATE is position else next(p for p in MAP.powers if position.orderable().get(p))
    known: dict[tuple[str, ...], tuple[float, float, float, Certainty]] = {}
    settings: list[tuple[dict[str, Any], int]] = [
        ({}, 4_000),
        ({"seed": 1}, 4_000),
        ({"seed": 2, "explain": True}, 6_000),
        ({"seed": 3, "threads": 3}, 9_000),
    ]
    for options, nodes in settings:
        # Playouts of a phase more take the nodes of 21 positions.
        with Engine(**options) as engine:
            found = engine.search(position, power, nodes=nodes if kind == "M" else 10 * nodes, lines=12)
        told = values(found.lines)
        assert {orders: known.setdefault(orders, value) for orders, value in told.items()} == told
    with Engine(seed=9) as engine:
        assert values(engine.lines(position, power, known)) == known
        alone = next(iter(known))
        assert values(engine.lines(position, power, [alone])) == {alone: known[alone]}


def test_a_review_tells_the_same_value() -> None:
    with Engine(seed=5) as engine:
        found = engine.search(LATE, POWER, nodes=8_000)
        told = {line.orders: line.value for line in engine.lines(LATE, POWER, [found.orders, []])}
    attempt = Attempt(LATE, POWER, {"held": ()}, limit=Limit(nodes=8_000), seed=2)
    rated = {each.orders: each.expected for each in weighed(attempt)}
    shared = told.keys() & rated.keys()
    assert len(shared) >= 1 and all(told[orders] == rated[orders] for orders in shared)


@pytest.mark.parametrize("nodes", [4_000, 20_000])
def test_the_first_line_is_the_answer_and_lines_go_down(nodes: int) -> None:
    for position, power in ((LATE, POWER), (Position.start(), "FRANCE")):
        told = []
        for explain in (False, True):
            with Engine(seed=4, explain=explain) as engine:
                found = engine.search(position, power, nodes=nodes)
            first, *_ = lines = found.lines
            assert (found.orders, found.value) == (first.orders, first.value) and first.level
            assert all(before.value >= after.value for before, after in itertools.pairwise(lines))
            assert sum(line.probability for line in lines) == pytest.approx(1, abs=0.001)
            for line in lines:
                assert line.behind == pytest.approx(first.value - line.value, abs=2e-4)
                assert line.level == (line.behind <= SURE * line.doubt)
                assert 0 <= line.solo <= line.value <= MOST_CHANCE
            told.append((found.orders, lines))
        # What is played is what is shown and explained.
        assert told[0] == told[1]


def test_shares_do_not_hang_on_the_order_nor_on_the_count_of_sets(sets: list[bytes]) -> None:
    forth, back, alone = measure(), measure(threads=2), measure()
    rows = dict(zip(sets, forth.shares(sets, 24), strict=True))
    assert dict(zip(sets[::-1], back.shares(sets[::-1], 24), strict=True)) == rows
    assert alone.shares(sets[-1:], 24) == [rows[sets[-1]]]
    # A longer sample begins with the shorter one, whoever was measured before.
    longer = forth.shares(sets[:2], 32)
    assert [row[:24] for row in longer] == [rows[orders] for orders in sets[:2]]
    assert forth.shares([sets[0], sets[0]], 3) == [rows[sets[0]][:3]] * 2
    assert len({fmean(row) for row in rows.values()}) > 1


def test_what_is_over_has_fewer_samples_as_many_for_each_set(measured: Measure, sets: list[bytes]) -> None:
    fresh = measure()
    assert [len(row) for row in fresh.shares(sets, over=lambda: True)] == [1] * len(sets)
    assert 0 < fresh.nodes <= 30 * len(sets) and fresh.lines([]) == []
    with pytest.raises(ValueError):
        measured.shares([b"rubbish"])


def test_what_is_known_changes_the_sample() -> None:
    orders = [str(legal[0]) for legal in legal_orders(LATE, OTHER).values()]
    peace = Agreement("peace", (POWER, OTHER))
    plain = measure()
    (hold,) = {tuple(f"{unit} H" for unit in LATE.units_of(POWER))}
    with Engine() as engine:
        told = [
            engine.lines(LATE, POWER, [hold], **known)[0].value
            for known in ({}, {}, {"given": {OTHER: orders}}, {"agreements": [peace]})
        ]
    assert told[0] == told[1] and len({*told[1:]}) == 3
    assert plain.surprise(plain.probable[0]) > plain.surprise(engine.lines(LATE, POWER, [hold])[0].codes)


def test_any_sets_are_completed_and_bad_ones_refused() -> None:
    with Engine() as engine:
        (line,) = engine.lines(LATE, POWER[:3], [[]])
        assert line.orders == tuple(f"{unit} H" for unit in LATE.units_of(POWER))
        with pytest.raises(OrderError):
            engine.lines(LATE, POWER, [["nonsense"]])
        over = Position(MAP, "COMPLETED", [], {"FRANCE": [*MAP.centres[:18]]})
        with pytest.raises(PositionError, match="the game is over"):
            engine.lines(over, "FRANCE", [[]])


def test_a_proved_victory_is_worth_all_and_what_lets_a_leader_win_less() -> None:
    position = eighteenth()
    sure = ("A BUD S A GAL - VIE", "A GAL - VIE", "A TRI S A GAL - VIE")
    with Engine() as engine:
        won, *others = engine.lines(position, "TURKEY", [sure, ["A GAL - VIE"], []])
    assert sorted(won.orders) == sorted(sure) and won.forced
    assert (won.value, won.solo, won.error, won.doubt) == (1.0, 1.0, 0.0, 0.0)
    assert all(not line.forced and not line.level and line.value <= MOST_CHANCE for line in others)
    victory = Position(MAP, "W1910A", [], {"TURKEY": [*MAP.centres[:18]]})
    with Engine() as engine:
        assert all(line.forced for line in engine.search(victory, "TURKEY", nodes=500).lines)
    puzzle = next(puzzle for puzzle in shipped() if puzzle.kind == "stop")
    with Engine() as engine:
        found = engine.search(puzzle.position, puzzle.power, nodes=20_000)
        stopped, left = engine.lines(puzzle.position, puzzle.power, [found.orders, []])
        (alone,) = engine.lines(puzzle.position, puzzle.power, [[]])
    assert stopped.outcome is Certainty.PREVENTED and stopped.value >= left.value
    assert left.outcome is Certainty.PREVENTED or left.value <= alone.value


def test_a_set_that_there_is_no_time_to_prove_is_proved_when_it_is_asked_for_again() -> None:
    position = eighteenth()
    fresh = measure(position, "TURKEY")
    won = next(
        orders for orders in fresh.probable if [*certain(position, "TURKEY", [orders])] == [Certainty.WON]
    )
    (hasty,) = fresh.lines([won], over=lambda: True)
    (line,) = fresh.lines([won])
    assert hasty.outcome is Certainty.OPEN and hasty.value <= MOST_CHANCE
    assert line.forced and line.value == 1


@pytest.mark.parametrize("nodes", [1, 6_000])
def test_every_proof_of_a_search_has_its_limit(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    limits: list[object] = []

    def spied(*asked: Any) -> Iterator[Certainty]:
        limits.append(asked[3])
        return certain(*asked)

    monkeypatch.setattr(settle_module, "certain", spied)
    with Engine() as engine:
        engine.search(eighteenth(), "TURKEY", nodes=nodes)
    assert limits and None not in limits


def test_who_can_stop_a_leader_does(shared_data: Path) -> None:
    """Turkey has 17 centres, and two fleets beside Tunis, where France has one."""
    position = position_from_text((shared_data / LEADER).read_text("utf-8"))
    with Engine() as engine:
        orders = engine.search(position, "FRANCE", nodes=20_000).orders
    assert "F TUN H" in orders or any(order.startswith("F TUN S ") for order in orders), orders


@pytest.mark.slow
def test_who_can_stop_a_leader_in_games_of_people_does(shared_data: Path) -> None:
    wanted = [case.split() for case in LEADERS.split(",")]
    names = {f"droidippy_{number}" for number, _, _ in wanted}
    with gzip.open(shared_data / "games" / "human.jsonl.gz", "rt", encoding="utf-8") as lines:
        games = {name: json.loads(line) for line in lines if (name := line.split('"')[3]) in names}
    for number, year, power in wanted:
        phases = games[f"droidippy_{number}"]["phases"]
        phase = next(phase for phase in phases if phase["name"] == f"F{year}M")
        position = Position.from_json({"name": phase["name"], **phase["state"]})
        with Engine(seed=1) as engine:
            (best, *_) = engine.search(position, power, nodes=20_000).lines
        assert best.outcome is not Certainty.OPEN, (number, power, best.orders)


@pytest.mark.parametrize("nodes", [300, 6_000])
def test_a_limit_in_nodes_is_roughly_kept_in_movements(nodes: int) -> None:
    for position, powers in ((LATE, (POWER,)), (LATE, MAP.powers), (Position.start(), ("FRANCE",))):
        with Engine() as engine:
            answers = engine.examine(Request(position, powers, Limit(nodes=nodes))).answers
        assert max(answer.nodes for answer in answers.values()) < 1.2 * nodes + 400 * len(powers)


def test_a_stop_at_once_leaves_a_whole_set(measured: Measure) -> None:
    one = measured.probable[0]
    fresh = measure()
    stopped = settle(fresh, [one], {}, Budget(time=60, stop=lambda: True), lambda orders: orders)
    (lines,) = stopped
    assert [line.codes for line in lines] == [one]
    for position in POSITIONS.values():
        power = next(power for power in MAP.powers if position.orderable().get(power))
        with Engine() as engine:
            check(position, power, engine.search(position, power, time=60, stop=lambda: True).orders)


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(nodes=10), Limit(nodes=100), Limit(time=0.01)])
@pytest.mark.parametrize("kind", "MRA")
def test_the_smallest_limits_have_legal_sets(kind: str, limit: Limit) -> None:
    position = POSITIONS[kind]
    with Engine() as engine:
        for power in MAP.powers:
            if position.orderable().get(power):
                found = engine.search(position, power, time=limit.time, nodes=limit.nodes)
                for line in found.lines:
                    check(position, power, line.orders)
                assert found.lines[0].orders == found.orders


def check(position: Position, power: str, orders: tuple[str, ...]) -> None:
    """Every order legal, and one for each unit, build or removal that is owed one."""
    legal = {order for orders in legal_orders(position, power).values() for order in orders}
    owed = position.adjustments(power) if position.phase.kind == "A" else len(position.orderable()[power])
    assert set(orders) <= legal and len(orders) == abs(owed)


def test_only_candidates_are_compared_if_they_are_to_be_alone(sets: list[bytes]) -> None:
    *_, lines = settle(measure(), sets, {}, Budget(nodes=4_000), lambda orders: orders, alone=True)
    assert lines and {line.codes for line in lines} <= {*sets}
    *_, more = settle(measure(), sets[-1:], {}, Budget(nodes=4_000), lambda orders: orders)
    assert not {line.codes for line in more} <= {*sets[-1:]}


def test_what_is_drawn_is_as_good_within_the_error_and_hangs_on_the_seed() -> None:
    drawn = set()
    position = next(position for position, _ in bench.positions() if str(position.phase) == "S1902M")
    for seed in range(8):
        with Engine(seed=seed, draw=True) as engine:
            found = engine.search(position, "AUSTRIA", nodes=6_000, lines=12)
        (line,) = (line for line in found.lines if line.orders == found.orders)
        assert line.level and found.value == line.value
        drawn.add(found.orders)
    assert len(drawn) > 1


def test_a_loss_is_the_difference_of_two_values(measured: Measure) -> None:
    """Apart from how probable the sets are."""
    orders = measured.lines(measured.probable)[0].codes
    effects = reasons(measured, orders)
    assert [effect.lost for effect in effects] == sorted((each.lost for each in effects), reverse=True)
    assert measured.lost(orders, [orders]) == [(0.0, 0.0)]


#: France and Germany beside an empty Belgium.
BELGIUM = Position(
    MAP,
    "F1901M",
    [Unit("FRANCE", "A", "PIC"), Unit("GERMANY", "A", "MUN")],
    {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "BER", "KIE"]},
)


def test_a_free_centre_is_taken() -> None:
    with Engine() as engine:
        found = engine.search(BELGIUM, "FRANCE", nodes=4_000)
        move, hold = engine.lines(BELGIUM, "FRANCE", [["A PIC H"], ["A PIC - BEL"]])
    assert found.orders == move.orders == ("A PIC - BEL",) and not hold.level
