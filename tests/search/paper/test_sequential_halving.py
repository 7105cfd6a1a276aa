"""Comparing sets by playing on: who is kept, what counts when time runs out, what others add."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

from bordeaux import Map, Position, Unit
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.search.paper.sequential_halving import SequentialHalving

MAP = Map.standard()
#: Autumn: an army beside Munich, which stands empty, and one beside the fleet that holds Brest.
POSITION = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "A", "PIC"), Unit("GERMANY", "F", "BRE")],
    {"FRANCE": ["PAR", "MAR"], "GERMANY": ["BRE", "KIE", "MUN"]},
)


def codes(*orders: str, power: str = "FRANCE") -> bytes:
    given = submit(POSITION, {power: orders}).codes()
    assert len(given) == len(orders)
    return struct.pack(f"<{len(given)}Q", *(code for _, code in given))


BEST = codes("A BUR - MUN", "A PIC H")
SETS = [
    codes("A BUR H", "A PIC H"),
    codes("A BUR - BEL", "A PIC S A BUR - BEL"),
    codes("A BUR - GAS", "A PIC H"),
    codes("A BUR H", "A PIC S A BUR"),
    BEST,
    codes("A BUR - RUH", "A PIC - BUR"),
]


def halving_of(sets: list[bytes] = SETS, seed: int = 0, **options: Any) -> SequentialHalving:
    rollout = Rollout(evaluator(MAP), DUMBBOT.chooser(MAP))
    number, chance = MAP.powers.index("FRANCE"), random.Random(seed)
    prior = options.pop("prior", [0.0] * len(sets))
    doubt = options.pop("doubt", 1e6)
    return SequentialHalving(
        rollout, POSITION.packed, number, sets, prior, doubt, 0, lambda: b"", chance, **options
    )


def calls(most: int) -> Callable[[], float]:
    """Progress that reaches 1 when it was asked so often."""
    asked = 0

    def progress() -> float:
        nonlocal asked
        asked += 1
        return asked / most

    return progress


def test_the_best_is_kept_and_the_worse_half_retires() -> None:
    halving = halving_of()
    left, leaders = [], []
    for leader in halving.run(calls(2000)):
        leaders.append(leader)
        left.append(len(halving.alive))
    assert SETS[leaders[-1]] == BEST and leaders == [4, 4, 4]
    # The first stays whatever it is worth: differences are measured to it.
    assert left == [6, 4, 3] and 0 in halving.alive
    counts = [len(values) for values in halving.values]
    assert counts[4] == counts[0] == max(counts) > min(counts) > 0
    assert halving.scores()[BEST] == max(halving.scores().values())
    assert set(halving.scores()) == set(SETS)
    assert SETS[halving.near(4)[0]] == BEST


def test_few_rollouts_leave_what_was_thought_and_many_decide() -> None:
    """The second set was thought 30 points worse and does 20 points better, with much scatter."""
    scatter = [100.0, -60.0]
    worth = []
    for samples in (1, 4, 400):
        halving = halving_of(SETS[:2], prior=[500.0, 470.0], doubt=20.0)
        halving.values = [[0.0, 0.0] * samples, scatter * samples]
        worth.append(halving.worth()[1])
    assert 470.0 < worth[0] < worth[1] < 500.0 < worth[2] < 520.0
    # No luck in the world makes two samples stand against what is known for sure.
    sure = halving_of(SETS[:2], prior=[500.0, 470.0], doubt=0.01)
    sure.values = [[0.0, 0.0], [900.0, 900.0]]
    assert sure.worth()[1] == pytest.approx(470.0, abs=0.1)


def test_a_contest_repeats_from_its_seed() -> None:
    runs = []
    for seed in (3, 3, 4):
        halving = halving_of(seed=seed)
        halving.movements = 2
        list(halving.run(calls(300)))
        runs.append(halving.values)
    assert runs[0] == runs[1] != runs[2]


def test_a_sample_that_time_ends_counts_for_none() -> None:
    for most in range(1, 40):
        halving = halving_of()
        list(halving.run(calls(most)))
        counts = [len(values) for values in halving.values]
        assert len({counts[i] for i in halving.alive}) == 1
        # Nobody has met a sample that those before him in the round have not.
        assert max(counts) - min(counts) <= max(counts)
    one = halving_of()
    assert list(one.run(lambda: 1.0)) == [0, 0, 0]
    assert not any(one.values)
