"""Candidates tried on samples: the same for all, the worse half left out, and nobody idle for nothing."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import count

import pytest

from bordeaux import Map, Position
from bordeaux.arena import bench
from bordeaux.board.code import as_bytes, codes_in, kind_of
from bordeaux.board.order import OrderKind
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT, draw
from bordeaux.search.bestfirst import Maxims, perturbed, search_space
from bordeaux.search.paper.trial import ENOUGH, HALVED, SAME, TAILED, SetScore, Trial

MAP = Map.standard()
MOVEMENTS = [position for position, _ in bench.positions() if position.phase.kind == "M"]


def trial_of(position: Position, power: str, seed: int = 0) -> Trial:
    """A trial against what the fast policy draws for the others."""
    chooser = DUMBBOT.chooser(MAP, seed)
    others = [other for other in MAP.powers if other != power and position.units_of(other)]

    def joint() -> bytes:
        return b"".join(draw(chooser, position.packed, MAP.powers.index(other)) for other in others)

    return Trial(search_space(position, power, evaluator(MAP), Maxims.named()), joint)


def some(trial: Trial, number: int, seed: int = 0) -> list[bytes]:
    """So many different sets: all hold, and others by chance."""
    space, chance = trial.space, random.Random(seed)
    sets = {space.orders(space.node_of(b"")): None}
    while len(sets) < number:
        sets[space.orders(perturbed(space, space.node_of(b""), chance, 1.0))] = None
    return list(sets)


def rounds(number: int) -> Callable[[], float]:
    """Progress that ends a trial after so many rounds of samples."""
    calls = count(1)
    return lambda: next(calls) / number


def test_all_meet_the_same_samples_and_the_worse_half_fewer() -> None:
    trial = trial_of(MOVEMENTS[3], "TURKEY")
    candidates = some(trial, 11)
    trial.run(candidates, lambda: 0.0)
    assert len(trial.samples) == ENOUGH
    lengths = [len(trial.values[orders]) for orders in candidates]
    assert sorted(lengths) == [HALVED] * 5 + [ENOUGH] * 6
    for orders, values in trial.values.items():
        again = trial.space.compare([trial.space.node_of(orders)], trial.samples[: len(values)])[0]
        assert values == pytest.approx(again, abs=0.01)
    # Those left out were the worse ones of the first samples.
    short = trial_of(MOVEMENTS[3], "TURKEY")
    short.run(candidates, rounds(HALVED // 8))
    assert len(short.samples) == HALVED and short.samples == trial.samples[:HALVED]
    assert {*short.ranked()[:6]} == {
        candidate for candidate in candidates if len(trial.values[candidate]) == ENOUGH
    }


def test_scores_are_half_the_mean_and_half_that_of_the_worst_quarter() -> None:
    trial = trial_of(MOVEMENTS[3], "TURKEY")
    candidates = some(trial, 8)
    trial.run(candidates, rounds(1))
    for orders, values in trial.values.items():
        worst = sorted(values)[: len(values) // 4]
        mean = sum(values) / len(values)
        expected = (1 - TAILED) * mean + TAILED * sum(worst) / len(worst)
        assert trial.scores[orders] == pytest.approx(expected)
    assert trial.ranked() == sorted(candidates, key=lambda candidate: (-trial.scores[candidate], candidate))


def supports(trial: Trial, unit: int, codes: tuple[int, ...]) -> list[bytes]:
    """The sets that differ in one unit, which gives a support that another unit of the set can use."""
    space, changes = trial.space, []
    moves = {(code >> 16 & 0xFFFF, code >> 32 & 0xFFFF) for code in codes if code & 0xFF == OrderKind.MOVE}
    standing = {code >> 16 & 0xFFFF for code in codes if code & 0xFF != OrderKind.MOVE}
    for code in space.choices(unit):
        helped = code >> 32 & 0xFFFF
        useful = (code & 0xFF == OrderKind.SUPPORT_HOLD and helped in standing) or (
            code & 0xFF == OrderKind.SUPPORT_MOVE and (helped, code >> 48) in moves
        )
        changed = as_bytes((*codes[:unit], code, *codes[unit + 1 :]))
        if useful and space.orders(space.node_of(changed)) == changed:
            changes.append(changed)
    return changes


@pytest.mark.parametrize("number", range(len(MOVEMENTS)))
def test_no_unit_holds_that_could_as_well_support_and_the_mean_gets_no_worse(number: int) -> None:
    position = MOVEMENTS[number]
    changes = 0
    for power in MAP.powers:
        if len(position.units_of(power)) < 2:
            continue
        trial = trial_of(position, power, number)
        space = trial.space
        candidates = some(trial, 6, number)
        trial.run(candidates, rounds(2))
        for orders in candidates:
            better = trial.without_idlers(orders)
            changes += better != orders
            before, after = space.compare(
                [space.node_of(orders) for orders in (orders, better)], trial.samples
            )
            assert math.fsum(after) >= math.fsum(before) - space.n_units * SAME * len(before)
            assert space.orders(space.node_of(better)) == better
            pairs = list(zip(codes_in(orders), codes_in(better), strict=True))
            helps = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE)
            for old, new in pairs:
                # Only who idles or supports is asked: for a support, or an idle unit for a move.
                assert (
                    old == new
                    or (kind_of(old) in helps and kind_of(new) in helps)
                    or (kind_of(old) == OrderKind.HOLD and kind_of(new) in (*helps, OrderKind.MOVE))
                )
            codes = codes_in(better)
            for unit, code in enumerate(codes):
                if kind_of(code) != OrderKind.HOLD:
                    continue
                for changed in supports(trial, unit, codes):
                    row = space.compare([space.node_of(changed)], trial.samples)[0]
                    assert math.fsum(row) < math.fsum(after)
    assert changes > 0


def test_the_score_goes_from_the_mean_to_the_worst_reply() -> None:
    scores = [SetScore(100, (100, 40), caution).score for caution in (0, 0.5, 1)]
    assert scores == [85, 77.5, 70]
    assert SetScore(100, (), 1).score == 100
