"""What sets are worth against each other: responses and choices as an oracle in Python has them."""

from __future__ import annotations

import itertools
import math
import struct
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from threading import Thread

import pytest

from bordeaux import Dislodged, Map, Position, Unit
from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.arena import bench
from bordeaux.board.code import as_bytes
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT

MAP = Map.standard()
MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15
JUDGE = evaluator(MAP)

MUNICH = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "A", "RUH"), Unit("GERMANY", "A", "MUN")],
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER"]},
)

Pools = Mapping[str, Sequence[list[str]]]

POOLS: Pools = {
    "FRANCE": (
        ["A BUR - MUN", "A RUH S A BUR - MUN"],
        ["A BUR - MUN", "A RUH - HOL"],
        ["A BUR H", "A RUH H"],
    ),
    "GERMANY": (["A MUN H"], ["A MUN - BER"], ["A MUN - BUR"]),
}


def packed(position: Position, power: str, orders: Sequence[str]) -> bytes:
    given = submit(position, {power: orders}).codes()
    assert len(given) == len(orders)
    return as_bytes([code for _, code in given])


def contest_of(value: Valuer = JUDGE, threads: int = 1) -> Contest:
    return Contest(*(Rollout(value, DUMBBOT.chooser(MAP)) for _ in range(threads)))


def entered(
    position: Position = MUNICH,
    pools: Pools = POOLS,
    priors: dict[str, list[float]] | None = None,
    threads: int = 1,
) -> Contest:
    contest = contest_of(threads=threads)
    contest.enter_position(position.packed)
    for power, sets in pools.items():
        prior = (priors or {}).get(power, [1.0] * len(sets))
        number = MAP.powers.index(power)
        contest.enter(number, [packed(position, power, orders) for orders in sets], prior)
    return contest


def rows_of(
    contest: Contest,
    power: int,
    candidates: Sequence[int],
    samples: int,
    movements: int,
    seed: int,
    first: int = 0,
    part: int = 2**31 - 1,
) -> list[list[float]]:
    """All that a contest responds: a row for each candidate, with its points in each sample."""
    parts = contest.respond(power, candidates, samples, movements, seed, first, part)
    points = [value for values in parts for value in values]
    return [points[place :: len(candidates)] for place in range(len(candidates))]


def mixed(x: int) -> int:
    """A step of SplitMix64 (Steele, Lea and Flood, 2014)."""
    x = (x + STEP) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def stratified(seed: int, number: int) -> float:
    """Number `number` (0 to below 1) of a sequence: van der Corput's, of 12 digits, scrambled as by Owen."""
    bits, before = 0, 1
    for i in range(12):
        digit = number >> i & 1
        flipped = digit ^ mixed(seed ^ mixed(before)) & 1
        bits |= flipped << (63 - i)
        before = before << 1 | digit
    bits |= mixed((seed + mixed(number)) & MASK) >> 12
    return (bits >> 11) / 2**53


class Oracle:
    """Samples, values and choices by the rules of the game in Python."""

    def __init__(self, position: Position, pools: Pools, priors: dict[str, list[float]]) -> None:
        self.position, self.pools = position, pools
        self.shares = {power: [share / sum(priors[power]) for share in priors[power]] for power in pools}

    def spread(self, seed: int, number: int) -> dict[str, int]:
        """A joint sample of a stratified sequence, by the shares."""
        drawn = {}
        for power in self.pools:
            left = stratified(mixed((mixed(seed) + MAP.powers.index(power)) & MASK), number)
            ends = enumerate(itertools.accumulate(self.shares[power]))
            drawn[power] = next(i for i, end in ends if left < end)
        return drawn

    def chosen(self, power: str, among: int, samples: Sequence[dict[str, int]]) -> list[float]:
        """The shares of the best of some draws, over all the ways in which these can come."""
        count = len(self.pools[power])
        worth = [sum(self.worth(power, drawn | {power: i}) for drawn in samples) for i in range(count)]
        shares = [0.0] * count
        for draws in itertools.product(range(count), repeat=among):
            best = max(sorted(draws), key=lambda i: worth[i])
            shares[best] += math.prod(self.shares[power][i] for i in draws)
        return shares

    def worth(self, power: str, drawn: dict[str, int]) -> float:
        orders = {power: self.pools[power][number] for power, number in drawn.items()}
        # What comes of orders is judged as it stands, before retreats.
        codes = [
            (number, code)
            for number, power in enumerate(MAP.powers)
            if power in orders
            for code in struct.unpack(f"<{len(orders[power])}Q", packed(self.position, power, orders[power]))
        ]
        after, *_ = self.position.packed.adjudicate(codes)
        return JUDGE.all(after)[MAP.powers.index(power)]


FRANCE, GERMANY = (MAP.powers.index(power) for power in ("FRANCE", "GERMANY"))


def test_all_candidates_meet_the_same_samples() -> None:
    """A row for each; the same set twice has the same row, and rows repeat with the seed."""
    contest = entered()
    rows = rows_of(contest, FRANCE, [0, 1, 0, 2], 40, -1, 5)
    assert len(rows) == 4 and all(len(row) == 40 for row in rows)
    assert rows[0] == rows[2] != rows[1]
    assert rows == rows_of(contest, FRANCE, [0, 1, 0, 2], 40, -1, 5)
    assert rows != rows_of(contest, FRANCE, [0, 1, 0, 2], 40, -1, 6)
    # Each value is that of the set against one of Germany's.
    oracle = Oracle(MUNICH, POOLS, {power: [1, 1, 1] for power in POOLS})
    for i in range(3):
        possible = [oracle.worth("FRANCE", {"FRANCE": i, "GERMANY": other}) for other in range(3)]
        column = rows_of(contest, FRANCE, [i], 40, -1, 5)[0]
        assert all(min(abs(points - mean) for mean in possible) < 0.01 for points in column)


def test_samples_of_one_sequence_are_spread_by_the_shares() -> None:
    """Sixteen samples from a multiple of sixteen on have each of Germany's sets as often as its share says,
    to two samples; a sequence can be read in parts, and another seed has another order."""
    contest = entered(priors={"GERMANY": [8.0, 5.0, 3.0]})
    oracle = Oracle(MUNICH, POOLS, {power: [1, 1, 1] for power in POOLS})
    expected: dict[float, int] = {}
    for other, share in enumerate((8, 5, 3)):
        worth = round(oracle.worth("FRANCE", {"FRANCE": 1, "GERMANY": other}))
        expected[worth] = expected.get(worth, 0) + share
    assert len(expected) > 1
    sequences = set()
    for seed in range(20):
        (row,) = rows_of(contest, FRANCE, [1], 64, -1, seed)
        met = [min(expected, key=lambda worth: abs(worth - points)) for points in row]
        for k in range(0, 64, 16):
            for value, share in expected.items():
                assert abs(met[k : k + 16].count(value) - share) <= 2
        assert rows_of(contest, FRANCE, [1], 40, -1, seed, 24) == [row[24:]]
        sequences.add(tuple(met))
    assert len(sequences) > 5
    with pytest.raises(ValueError, match="movements from -2 on"):
        rows_of(contest, FRANCE, [1], 1, -1, 1, -1)


PRIORS = {"FRANCE": [1.0, 5.0, 2.0], "GERMANY": [3.0, 1.0, 1.0]}


@pytest.mark.parametrize("among", [1, 2, 4])
@pytest.mark.parametrize("samples", [1, 3])
def test_choices_are_those_of_the_oracle(among: int, samples: int) -> None:
    """The best of all draws that can be, each trial against samples of its own."""
    contest, oracle = entered(priors=PRIORS), Oracle(MUNICH, POOLS, PRIORS)
    for power in POOLS:
        for trial in range(5):
            drawn = [oracle.spread(11, trial * samples + k) for k in range(samples)]
            chosen = contest.choices(MAP.powers.index(power), among, samples, 11, trial)
            assert chosen == pytest.approx(oracle.chosen(power, among, drawn))
    # Every set of both powers was resolved in every sample.
    assert contest.nodes == 2 * 3 * 5 * samples


def test_who_draws_once_plays_as_it_draws_and_who_draws_often_plays_the_best() -> None:
    contest = entered(priors=PRIORS)
    assert contest.choices(FRANCE, 1.0, 2, 3, 0) == pytest.approx([1 / 8, 5 / 8, 2 / 8])
    # Support is needed unless Germany leaves Munich for Berlin.
    oracle = Oracle(MUNICH, POOLS, PRIORS)
    left = [oracle.spread(3, trial)["GERMANY"] == 1 for trial in range(20)]
    assert 0 < sum(left) < 20
    for trial, gone in enumerate(left):
        assert contest.choices(FRANCE, 1e6, 1, 3, trial) == pytest.approx([1.0 - gone, float(gone), 0.0])


def test_of_equal_sets_the_first_is_chosen() -> None:
    same = ["A BUR H", "A RUH H"]
    contest = entered(pools={"FRANCE": (same, same, same)})
    rest = [1.0, 2 / 3, 1 / 3, 0.0]
    expected = [before**3 - after**3 for before, after in itertools.pairwise(rest)]
    assert contest.choices(FRANCE, 3, 2, 5, 0) == pytest.approx(expected)


def test_choices_that_make_no_sense_are_refused() -> None:
    contest = contest_of()
    for _ in range(2):
        with pytest.raises(ValueError, match="a position with sets of power"):
            contest.choices(FRANCE, 2.0, 1, 0, 0)
        contest.enter_position(MUNICH.packed)
    contest, most = entered(), 2**31 - 1
    for samples, trial in ((0, 0), (-1, 0), (1, -1), (2, 2**30), (most, most)):
        with pytest.raises(ValueError, match="no trial number"):
            contest.choices(FRANCE, 2.0, samples, 0, trial)
    for among in (0.0, 0.99, -1.0, 1e6 + 1, math.nan, math.inf):
        with pytest.raises(ValueError, match="a choice among"):
            contest.choices(FRANCE, among, 1, 0, 0)


def test_what_is_played_on_is_the_same_chance_for_all() -> None:
    contest = entered()
    for movements in (0, 1, 2):
        rows = rows_of(contest, FRANCE, [0, 0, 1], 10, movements, 9)
        assert rows[0] == rows[1] != rows[2]
    before = contest.nodes
    rows_of(contest, FRANCE, [1], 10, 1, 10)
    # DumbBot's movement phase takes as long as ten nodes.
    assert contest.nodes - before == 10 * 11


def test_an_ally_s_points_count_in_part() -> None:
    alone, allied = entered(), entered()
    allied.care(FRANCE, GERMANY, 0.25)
    theirs = entered(pools=POOLS)
    theirs.care(FRANCE, FRANCE, 0.0)
    theirs.care(FRANCE, GERMANY, 1.0)
    rows = [rows_of(contest, FRANCE, [0, 1, 2], 20, -1, 4) for contest in (alone, allied, theirs)]
    for own, both, other in zip(*rows, strict=True):
        assert both == pytest.approx([a + 0.25 * b for a, b in zip(own, other, strict=True)])


RETREAT = Position(
    MAP,
    "F1903R",
    [Unit("GERMANY", "A", "RUH"), Unit("FRANCE", "A", "MAR")],
    {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "KIE"]},
    [Dislodged(Unit("FRANCE", "A", "RUH"), ("BEL", "BUR")), Dislodged(Unit("GERMANY", "A", "PIC"), ("BEL",))],
)
WINTER = Position(
    MAP,
    "W1903A",
    [Unit("FRANCE", "A", "SPA"), Unit("GERMANY", "A", "RUH")],
    {"FRANCE": ["PAR", "MAR", "SPA"], "GERMANY": ["MUN", "KIE"]},
)


@pytest.mark.parametrize(
    ("position", "pools"),
    [
        (
            RETREAT,
            {
                "FRANCE": (["A RUH R BEL"], ["A RUH R BUR"], ["A RUH D"]),
                "GERMANY": (["A PIC R BEL"], ["A PIC D"]),
            },
        ),
        (
            WINTER,
            {
                "FRANCE": (["A PAR B", "A MAR B"], ["A PAR B", "F MAR B"]),
                "GERMANY": (["A MUN B"], ["F KIE B"]),
            },
        ),
    ],
    ids=["retreats", "adjustments"],
)
def test_retreats_and_adjustments_are_carried_out(position: Position, pools: Pools) -> None:
    contest = entered(position, pools)
    oracle = Oracle(position, pools, {power: [1.0] * len(sets) for power, sets in pools.items()})
    for power, sets in pools.items():
        rows = rows_of(contest, MAP.powers.index(power), range(len(sets)), 12, -1, 5)
        for number in range(12):
            drawn = oracle.spread(5, number)
            expected = [oracle.worth(power, drawn | {power: i}) for i in range(len(sets))]
            assert [row[number] for row in rows] == pytest.approx(expected, rel=1e-4)


def test_a_victory_counts_for_more_the_sooner_it_comes() -> None:
    """Turkey takes its 18th centre now, or holds: then it may come by what is played on."""
    centres = [centre for centre in MAP.centres if centre not in ("LON", "MUN")][:17]
    position = Position(
        MAP,
        "F1910M",
        [Unit("TURKEY", "A", "TYR"), Unit("TURKEY", "A", "BOH"), Unit("ENGLAND", "F", "LON")],
        {"TURKEY": centres, "ENGLAND": ["LON", "MUN"]},
    )
    pools = {
        "TURKEY": (["A TYR - MUN", "A BOH S A TYR - MUN"], ["A TYR H", "A BOH H"]),
        "ENGLAND": (["F LON H"],),
    }
    contest = entered(position, pools)
    number = MAP.powers.index("TURKEY")
    now, later = (row[0] for row in rows_of(contest, number, [0, 1], 1, 2, 1))
    assert now > later
    # The more would have been played on, the sooner it was.
    longer = rows_of(contest, number, [0], 1, 6, 1)[0][0]
    assert longer > now


def test_what_makes_no_sense_is_refused() -> None:
    contest = contest_of()
    hold = packed(MUNICH, "FRANCE", ["A BUR H", "A RUH H"])
    with pytest.raises(ValueError, match="entered once, after the position"):
        contest.enter(FRANCE, [hold], [1.0])
    with pytest.raises(ValueError, match="a position"):
        contest.respond(FRANCE, [], 1, -1, 0)
    contest.enter_position(MUNICH.packed)
    for sets, prior in (
        ([], []),
        ([hold], [1.0, 2.0]),
        ([hold], [0.0]),
        ([hold], [-1.0]),
        ([hold], [math.nan]),
        ([hold], [math.inf]),
        ([hold] * 5000, [1.0] * 5000),
        ([hold * 60], [1.0]),
        ([b"\x01\x00\x00"], [1.0]),
        ([struct.pack("<Q", 200)], [1.0]),
        ([packed(WINTER, "FRANCE", ["A PAR B"])], [1.0]),
    ):
        with pytest.raises(ValueError, match=r"\S"):
            contest.enter(FRANCE, sets, prior)
    for number in (-1, 7, 1000):
        for call in (
            lambda wrong: contest.enter(wrong, [hold], [1.0]),
            lambda wrong: contest.care(wrong, 0, 1.0),
            lambda wrong: contest.care(0, wrong, 1.0),
            lambda wrong: contest.respond(wrong, [], 1, -1, 0),
            lambda wrong: contest.choices(wrong, 2.0, 1, 0, 0),
        ):
            with pytest.raises(IndexError, match="no power number"):
                call(number)
    contest.enter(FRANCE, [hold], [1.0])
    with pytest.raises(ValueError, match="entered once"):
        contest.enter(FRANCE, [hold], [1.0])
    for candidates in ([1], [-1]):
        with pytest.raises(IndexError, match="has no set number"):
            rows_of(contest, FRANCE, candidates, 1, -1, 0)
    for samples, movements in ((-1, -1), (1, -3), (1, 101)):
        with pytest.raises(ValueError, match="movements"):
            rows_of(contest, FRANCE, [0], samples, movements, 0)
    with pytest.raises(TypeError):
        Contest(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        contest.enter_position(None)  # type: ignore[arg-type]
    pure = Map.load("pure")
    with pytest.raises(ValueError, match="on the map of the value"):
        contest.enter_position(Position.start(pure).packed)
    one, other = (Rollout(evaluator(map), DUMBBOT.chooser(map)) for map in (MAP, pure))
    for rollouts, complaint in (((), "0 threads"), ((one,) * 257, "257 threads"), ((one, other), "maps")):
        with pytest.raises(ValueError, match=complaint):
            Contest(*rollouts)
    over = Position(MAP, "COMPLETED", [], {"TURKEY": MAP.centres[:18]})
    with pytest.raises(ValueError, match="a phase to play"):
        contest.enter_position(over.packed)


def test_a_set_that_is_refused_leaves_nothing_behind() -> None:
    """Neither memory nor a pool; the power can enter another one."""
    contest = contest_of()
    contest.enter_position(RETREAT.packed)
    with pytest.raises(ValueError, match="not legal in this phase"):
        contest.enter(GERMANY, [packed(RETREAT, "FRANCE", ["A RUH R BUR"])], [1.0])
    contest.enter_position(WINTER.packed)
    wrong = [packed(WINTER, "FRANCE", ["A PAR B"])] * 4096

    def refused() -> int:
        for _ in range(10):
            with pytest.raises(ValueError, match="not legal in this phase"):
                contest.enter(GERMANY, wrong, [1.0] * len(wrong))
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        refused()
        before = refused()
        # The arrays of one such pool take 4096 * 20 bytes.
        assert refused() - before < 4096 * 20
    finally:
        tracemalloc.stop()
    contest.enter(GERMANY, [b""], [1.0])
    assert contest.choices(GERMANY, 1.0, 1, 0, 0) == [1.0]


@pytest.mark.parametrize("kind", "MRA")
def test_any_phase_of_a_game_can_be_contested(kind: str) -> None:
    for position in (position for position, _ in bench.positions() if position.phase.kind == kind):
        contest = contest_of()
        contest.enter_position(position.packed)
        for number, options in position.packed.legal().items():
            sets = [as_bytes([codes[0]]) for codes in options.values()][:3]
            if sets:
                contest.enter(number, sets, [1.0] * len(sets))
                for row in rows_of(contest, number, range(len(sets)), 2, 1, 1):
                    assert all(map(math.isfinite, row))
                assert sum(contest.choices(number, 2.0, 1, 1, 0)) == pytest.approx(1)


@pytest.mark.parametrize("threads", [2, 3, 7])
@pytest.mark.parametrize("movements", [-1, 0, 2])
def test_any_number_of_threads_gives_the_same(threads: int, movements: int) -> None:
    """Points and counted nodes, also where somebody takes only the first of them and asks again."""
    one, many = entered(priors=PRIORS), entered(priors=PRIORS, threads=threads)
    assert many.threads == threads
    told = []
    for contest in (one, many):
        seen: list[object] = []
        for first in (0, 3, 3, 20):
            parts = contest.respond(FRANCE, [0, 1, 2, 0], 9, movements, 7, first, 3)
            for _, values in zip(range(5), parts, strict=False):
                seen.append((values, contest.nodes))
            parts.close()
        seen.append(rows_of(contest, GERMANY, [2, 1], 30, movements, 3))
        seen += [
            contest.choices(power, 3.0, 4, 5, trial) for power in (FRANCE, GERMANY) for trial in range(6)
        ]
        told.append((seen, contest.nodes))
    assert told[0] == told[1]


def test_who_stops_in_the_middle_leaves_nothing_behind() -> None:
    """A caller that stops in the middle leaves nothing that would be taken for an answer."""
    contest, fresh = entered(threads=3), entered()
    parts = contest.respond(FRANCE, [0, 1, 2], 40, 2, 7, 0, 1)
    next(parts)
    parts.close()
    assert contest.nodes > 0
    assert rows_of(contest, FRANCE, [0, 1, 2], 8, 2, 7) == rows_of(fresh, FRANCE, [0, 1, 2], 8, 2, 7)


def test_a_contest_does_one_thing_at_a_time() -> None:
    contest = entered(threads=2)
    parts = contest.respond(FRANCE, [0, 1, 2], 4, 1, 7, 0, 1)
    next(parts)
    acts: tuple[Callable[[], object], ...] = (
        lambda: next(contest.respond(FRANCE, [0], 1, 1, 7)),
        lambda: contest.choices(FRANCE, 2.0, 1, 0, 0),
        lambda: contest.enter_position(MUNICH.packed),
    )
    for act in acts:
        with pytest.raises(ValueError, match="still responds"):
            act()
    parts.close()
    assert contest.choices(FRANCE, 2.0, 1, 0, 0) == entered().choices(FRANCE, 2.0, 1, 0, 0)


def test_where_no_thread_can_be_started_the_others_do_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    alone, contest = entered(), entered(threads=3)
    monkeypatch.setattr(Thread, "start", refused)
    assert rows_of(contest, FRANCE, [0, 1, 2], 9, 1, 7) == rows_of(alone, FRANCE, [0, 1, 2], 9, 1, 7)
    assert contest.choices(FRANCE, 2.0, 3, 0, 0) == alone.choices(FRANCE, 2.0, 3, 0, 0)
