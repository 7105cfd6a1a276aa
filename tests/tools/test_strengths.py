"""Strengths of players on one scale: true ones are found again, intervals hold."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from bordeaux.arena.job import Result
from bordeaux.arena.statistics import sum_of_squares
from strengths import PER_TENFOLD, STANDARD, fit, strengths
from tests.arena.conftest import finished

NAMES = [f"P{number}" for number in range(9)]
POINTS = PER_TENFOLD / math.log(10)
POWERS = np.array([0.3, -0.2, 0.0, 0.1, -0.2, 0.1, -0.1])


def drawn(
    worth: dict[str, float], count: int, chance: np.random.Generator, solos: float = 0.3
) -> list[Result]:
    """Games whose shares are drawn around those of the model: some are won, the others divided."""
    games = []
    for index in range(count):
        seats = [str(name) for name in chance.permutation(list(worth))[:7]]
        parts = np.exp([worth[name] + POWERS[seat] for seat, name in enumerate(seats)])
        parts /= parts.sum()
        winner = int(chance.choice(7, p=parts)) if chance.random() < solos else None
        shares = chance.dirichlet(np.maximum(6 * parts, 1e-3))
        games.append(finished(index, seats, [round(1000 * math.sqrt(share)) for share in shares], winner))
    return games


def test_the_intervals_hold_what_is_true_as_often_as_they_say() -> None:
    chance = np.random.default_rng(1)
    held = []
    for _ in range(40):
        worth = dict(zip(NAMES, chance.normal(0, 0.8, len(NAMES)), strict=True))
        rated = strengths(drawn(worth, 60, chance))
        middle = np.mean(list(worth.values()))
        for name, true in worth.items():
            rating = rated[name].rating
            held.append(rating.low <= STANDARD + POINTS * (true - middle) <= rating.high)
    assert 0.92 <= np.mean(held) <= 0.985


def test_every_player_is_expected_to_have_what_it_had() -> None:
    games = drawn(dict.fromkeys(NAMES, 0.0), 40, np.random.default_rng(3))
    rated = strengths(games)
    for name in NAMES:
        seen = [sum_of_squares(game, seat) for game in games for seat in range(7) if game.seats[seat] == name]
        assert rated[name].share == pytest.approx(sum(seen) / len(seen))
        assert (rated[name].games, rated[name].seats) == (len(seen), len(seen))


def test_neither_the_order_of_games_nor_names_without_games_change_a_rating() -> None:
    games = drawn(dict.fromkeys(NAMES, 0.0) | {"P0": 1.0, "dumbbot": 0.2}, 30, np.random.default_rng(4))
    mixed = random.Random(0).sample(games, len(games))
    assert strengths(mixed) == strengths(games)
    more = strengths(games, ["newcomer"])
    assert more["dumbbot"].rating.mean == STANDARD, "the scale is fixed at it"
    assert more["P0"].rating.mean == pytest.approx(strengths(games)["P0"].rating.mean, abs=0.01)
    assert (more["newcomer"].games, more["newcomer"].share) == (0, 0.0)
    assert max(more, key=lambda name: more[name].width) == "newcomer"


def test_who_loses_all_or_wins_all_keeps_a_finite_rating() -> None:
    games = [finished(index, ["A", *"BCDEFG"], [18, 2, 2, 3, 3, 3, 3], 0) for index in range(30)]
    rated = strengths(games)
    assert next(iter(rated)) == "A"
    assert rated["A"].solo == 1.0
    assert all(math.isfinite(bound) for strength in rated.values() for bound in strength.rating)
    assert rated["A"].rating.low > rated["B"].rating.high


def test_alone_or_without_anybody() -> None:
    assert strengths([]) == {}
    (alone,) = strengths([finished(0, ["A"] * 7, [5, 5, 5, 5, 5, 5, 4])]).values()
    assert alone.rating.mean == STANDARD and alone.width > 0


def test_what_games_would_tell_is_foreseen() -> None:
    chance = np.random.default_rng(6)
    worth = dict(zip(NAMES, np.linspace(-1, 1, len(NAMES)), strict=True))
    games = drawn(worth, 60, chance)
    known = fit(games)
    table = NAMES[:7]
    after = known.after(table, 7)
    more = [
        replace(game, index=game.index + 60)
        for game in drawn({name: worth[name] for name in table}, 7, chance)
    ]
    then = fit([*games, *more])
    assert np.allclose(after.at, known.at)
    assert after.spread()[:7] == pytest.approx(then.spread()[:7], rel=0.1)
    assert (after.spread() < known.spread() + 1e-12).all()
    # Beside those who take all, a weak player learns less of itself than beside its like.
    weak, strong = ([NAMES[0], *side] for side in (NAMES[1:7], NAMES[3:]))
    assert known.after(weak, 7).spread()[0] < known.after(strong, 7).spread()[0]
