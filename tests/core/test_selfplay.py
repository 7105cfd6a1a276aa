"""Self-play in the core: games that can be replayed, responses that are the best, chance from seeds alone."""

from __future__ import annotations

import itertools
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from bordeaux import Map, Position
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.net_policy import NetPolicy
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import as_bytes
from bordeaux.evaluation.prospect import prospect_value
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People

Mind: TypeAlias = tuple[Any, ...]
MAP = Map.standard()
START = Position.start().packed
POWERS = len(MAP.powers)
ENGINES, PEOPLE, DUMB = range(3)
COLD = 0.001
DRAWS: Mind = ([(PEOPLE, 1, 1.0)], [], 0, 1, -1, 0)
COLD_DRAWS: Mind = ([(ENGINES, 1, COLD)], [], 0, 1, -1, 0)
FORMS = {
    "game_phases": "<u2",
    "seats": "u1",
    "shares": "<f4",
    "centres": "u1",
    "winner": "i1",
    "seeds": "<u8",
    "year": "<i2",
    "gains": "<f4",
    "values": "<f4",
    "units": "<u2",
    "dislodged": "<u2",
    "retreats": "<u4",
    "orders": "<u8",
}


def responds(draws: int = 6, samples: int = 4, rounds: int = 1, movements: int = -1) -> Mind:
    """A mind that seeks best responses by the first value."""
    beliefs = [(ENGINES, 3.0, 1.0), (PEOPLE, 1.0, 1.0)]
    return ([(ENGINES, draws, 1.0), (DUMB, 1, 1.0)], beliefs, samples, rounds, movements, 0)


def self_play(*minds: Mind, value: Valuer | None = None) -> SelfPlay:
    """The nets of engines and of people and DumbBot, with a value."""
    nets = [People(MAP, net=load_net(name)).chooser for name in ("engines", "people")]
    onward = People(MAP, net=load_net("engines")).chooser
    rollout = Rollout(value or prospect_value(MAP), onward)
    return SelfPlay(MAP.tables, [*nets, DUMBBOT.chooser(MAP)], [rollout], minds)


def columns(raw: dict[str, bytes]) -> dict[str, NDArray[Any]]:
    """The columns as arrays."""
    arrays = {name: np.frombuffer(data, FORMS.get(name, "u1")) for name, data in raw.items()}
    for name in ("seats", "shares", "centres", "gains", "values", "n_orders"):
        arrays[name] = arrays[name].reshape(-1, POWERS)
    arrays["owners"] = arrays["owners"].reshape(-1, len(MAP.centres))
    return arrays


def phases(raw: dict[str, bytes]) -> list[tuple[Packed, dict[int, list[int]]]]:
    """Every phase with the orders of each power."""
    by_column = columns(raw)
    units, orders, driven = (iter(by_column[name].tolist()) for name in ("units", "orders", "dislodged"))
    ways = iter(by_column["retreats"].tolist())
    result = []
    for number, year in enumerate(by_column["year"].tolist()):
        count = int(by_column["n_dislodged"][number])
        packed = Packed(
            MAP.tables,
            year,
            int(by_column["season"][number]),
            int(by_column["kind"][number]),
            list(itertools.islice(units, int(by_column["n_units"][number]))),
            list(itertools.islice(driven, count)),
            list(itertools.islice(ways, count)),
            by_column["owners"][number].tolist(),
        )
        given = {
            power: list(itertools.islice(orders, int(by_column["n_orders"][number, power])))
            for power in range(POWERS)
        }
        result.append((packed, given))
    return result


@pytest.mark.parametrize("mind", [DRAWS, responds(rounds=3), responds(2, 2, movements=1)])
def test_games_can_be_replayed_order_by_order(mind: Mind) -> None:
    play = self_play(mind, DRAWS)
    raw = play.play(START, [bytes([0, 0, 0, 1, 0, 1, 0])] * 2, [1, 2], [1904, 1903])
    by_column, listed = columns(raw), phases(raw)
    ends = np.cumsum(by_column["game_phases"]).tolist()
    assert ends[-1] == len(listed)
    for number, (packed, orders) in enumerate(listed):
        every = [(power, code) for power, codes in orders.items() for code in codes]
        assert all(packed.is_legal(code, power) for power, code in every)
        after = packed.adjudicate(every)[0]
        if number + 1 not in ends:
            assert after == listed[number + 1][0]
            continue
        counts = np.bincount([owner for owner in after.owners() if owner < POWERS], minlength=POWERS)
        game = ends.index(number + 1)
        assert after.victor() == by_column["winner"][game] == -1
        assert np.allclose(by_column["shares"][game], counts**2 / (counts**2).sum())
        assert (by_column["centres"][game] == counts).all()
    assert all(listed[end - 1][0].phase[0] == year for end, year in zip(ends, (1904, 1903), strict=True))


def test_all_chance_of_a_game_comes_from_its_seed() -> None:
    play, seat = self_play(responds()), bytes(POWERS)
    both = phases(play.play(START, [seat, seat], [5, 6], [1902, 1902]))
    assert both == phases(self_play(responds()).play(START, [seat, seat], [5, 6], [1902, 1902]))
    alone = phases(play.play(START, [seat], [6], [1902]))
    assert both[-len(alone) :] == alone
    assert both[: len(alone)] != alone


def cold_sets(chooser: NetPolicy, packed: Packed) -> list[list[int]]:
    return [chooser.orders(packed, power) for power in range(POWERS)]


def test_the_response_is_the_best_against_what_is_believed() -> None:
    """With cold nets everybody is sure, so that each power has one sample of the others and two sets."""
    mind: Mind = ([(PEOPLE, 1, COLD), (ENGINES, 1, COLD)], [(PEOPLE, 1.0, COLD)], 3, 1, -1, 0)
    value = prospect_value(MAP)
    raw = self_play(mind).play(START, [bytes(POWERS)], [3], [1901])
    _, played = phases(raw)[0]
    nets = [NetPolicy(MAP.tables, load_net(name), True, COLD) for name in ("people", "engines")]
    expected, proposed = (cold_sets(net, START) for net in nets)
    changed = sure = 0
    for power in range(POWERS):

        def worth(own: list[int], power: int = power) -> float:
            joint = [*expected[:power], own, *expected[power + 1 :]]
            after = START.adjudicate([(who, code) for who, codes in enumerate(joint) for code in codes])[0]
            return value.points(after, power)

        sets = [expected[power], proposed[power]]
        if any(
            sorted(net.orders(START, power)) != sorted(own)
            for net, own in zip(nets * 8, sets * 8, strict=True)
        ):
            continue  # Two orders that are as good stay a matter of chance, however cold the net.
        best = max(sets, key=worth)
        assert sorted(played[power]) == sorted(best)
        gain = columns(raw)["gains"][0, power]
        assert gain == pytest.approx(worth(best) - worth(expected[power]), abs=0.01)
        changed += best is not expected[power]
        sure += 1
    assert sure >= 5
    assert changed, "no power had anything to gain, so that nothing was tested"


def test_policies_know_what_was_ordered_before() -> None:
    (spring, ordered), (fall, played) = (
        phase
        for phase in phases(self_play(COLD_DRAWS).play(START, [bytes(POWERS)], [3], [1901]))
        if phase[0].phase[2] == 0
    )
    chooser = NetPolicy(MAP.tables, load_net("engines"), True, COLD)
    without = cold_sets(chooser, fall)
    chooser.remember(Memory(MAP.tables, fall, [(power, as_bytes(codes)) for power, codes in ordered.items()]))
    sets = cold_sets(chooser, fall)
    assert spring == START
    assert [sorted(codes) for codes in played.values()] == [sorted(codes) for codes in sets]
    assert sets != without


@pytest.mark.slow
def test_who_responds_does_better_than_who_draws() -> None:
    seats = [bytes((seat + turn) % POWERS < 3 for seat in range(POWERS)) for turn in range(POWERS)]
    plain: Mind = ([(ENGINES, 1, 1.0)], [], 0, 1, -1, 0)
    raw = self_play(plain, responds(12, 6)).play(START, seats, range(len(seats)), [1908] * len(seats))
    by_column = columns(raw)
    ours = by_column["seats"] == 1
    assert by_column["shares"][ours].mean() > by_column["shares"][~ours].mean() + 0.05
    assert not np.isnan(by_column["gains"]).all()
    gains = by_column["gains"][~np.isnan(by_column["gains"])]
    assert gains.mean() > 0


def test_halving_values_less_and_plays_from_the_same_sets() -> None:
    whole, halved = self_play(responds(16, 12)), self_play(responds(16, 12, rounds=3))
    for play in (whole, halved):
        play.play(START, [bytes(POWERS)], [1], [1903])
    assert halved.valued < 0.75 * whole.valued
    assert 1 < whole.differing / whole.sought <= 17
    assert 0 < whole.judged <= whole.valued


def test_nets_are_left_as_they_came() -> None:
    chooser = People(MAP, net=load_net("engines"), temperature=0.7).chooser
    before = chooser.scores(START, 0)
    play = SelfPlay(MAP.tables, [chooser], [], [([(0, 1, 1.3)], [], 0, 1, -1, 0)])
    play.play(START, [bytes(POWERS)], [1], [1902])
    assert chooser.temperature == pytest.approx(0.7)
    assert chooser.scores(START, 0) == before


ONE: tuple[Any, ...] = ([(0, 1, 1.0)], [], 0, 1, -1, 0)


@pytest.mark.parametrize(
    ("mind", "said"),
    [
        (([], [], 0, 1, -1, 0), "1 to 8 proposers"),
        (([(0, 0, 1.0)], [], 0, 1, -1, 0), "needs draws"),
        (([(1, 1, 1.0)], [], 0, 1, -1, 0), "no policy number 1"),
        (([(0, 1, 0.0)], [], 0, 1, -1, 0), "temperature"),
        (([(0, 65, 1.0)], [], 0, 1, -1, 0), "65 sets"),
        (([(0, 1, 1.0)], [], 65, 1, -1, 0), "65 samples"),
        (([(0, 1, 1.0)], [], 0, 0, -1, 0), "0 rounds"),
        (([(0, 1, 1.0)], [], 0, 1, 101, 0), "101 movement phases"),
        (([(0, 2, 1.0)], [], 4, 1, -1, 0), "needs beliefs"),
        (([(0, 2, 1.0)], [(0, 1.0, 1.0)], 4, 1, -1, 1), "needs beliefs and a value"),
    ],
)
def test_minds_that_make_no_sense_are_refused(mind: Any, said: str) -> None:
    rollout = Rollout(Valuer(MAP.tables), Chooser(MAP.tables))
    with pytest.raises(ValueError, match=said):
        SelfPlay(MAP.tables, [DUMBBOT.chooser(MAP)], [rollout], [mind])


def test_games_that_make_no_sense_are_refused() -> None:
    play = SelfPlay(MAP.tables, [DUMBBOT.chooser(MAP)], [], [ONE])
    for seats in (bytes(6), bytes([0, 0, 0, 0, 0, 0, 1])):
        with pytest.raises(ValueError, match="seats"):
            play.play(START, [seats], [1], [1901])
    with pytest.raises(ValueError, match="zip"):
        play.play(START, [bytes(POWERS)], [], [1901])
    with pytest.raises(ValueError, match="policies"):
        SelfPlay(MAP.tables, [], [], [ONE])
    with pytest.raises(ValueError, match="no mind"):
        SelfPlay(MAP.tables, [DUMBBOT.chooser(MAP)], [], [])
    assert play.play(START, [], [], [])["orders"] == b""
    over = play.play(START, [bytes(POWERS)], [1], [1900])
    assert columns(over)["game_phases"].tolist() == [0]
