"""Ratings: places from results, and an order that is that of the strengths behind the games."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError
from bordeaux.arena import ratings as module
from bordeaux.arena.job import Result
from bordeaux.arena.ratings import PER_TENFOLD, STANDARD, fit, places, ratings, strengths
from bordeaux.arena.statistics import sum_of_squares

STRENGTHS = {"a": 0.0, "b": 0.4, "c": 0.8, "d": 1.2, "e": 1.6, "f": 2.0, "g": 2.4}


def result(
    index: int,
    seats: Sequence[str],
    centres: Sequence[int],
    winner: int | None = None,
    eliminated: dict[int, int] | None = None,
) -> Result:
    gone = eliminated or {}
    years = tuple(gone.get(seat) for seat in range(7))
    return Result(
        index=index,
        seats=tuple(seats),
        seed=index,
        end="cap" if winner is None else "solo",
        phase="W1920A",
        winner=winner,
        centres=((3, 3, 3, 3, 3, 4, 3), tuple(centres)),
        alive=tuple(year is None for year in years),
        eliminated=years,
        faults=(),
        seconds=(0.0,) * 7,
        orders=(0,) * 7,
        total=0.0,
    )


def games(count: int, seed: int = 1) -> list[Result]:
    """Games of seven players whose places follow the strengths, with luck (a Plackett-Luce model)."""
    chance = random.Random(seed)
    made = []
    for index in range(count):
        seats = list(STRENGTHS)
        chance.shuffle(seats)
        luck = {name: STRENGTHS[name] - math.log(-math.log(chance.random())) for name in seats}
        order = sorted(seats, key=luck.__getitem__)
        made.append(result(index, seats, [order.index(name) + 1 for name in seats]))
    return made


def test_places_of_a_solo() -> None:
    game = result(0, "abcdefg", (18, 0, 5, 5, 6, 0, 0), winner=0, eliminated={1: 1907, 5: 1904, 6: 1907})
    assert places(game) == (1, 5, 3, 3, 2, 7, 5)


def test_places_of_a_draw() -> None:
    game = result(0, "abcdefg", (17, 0, 9, 8, 0, 0, 0), eliminated={1: 1905, 4: 1910, 5: 1902, 6: 1901})
    assert places(game) == (1, 5, 2, 3, 4, 6, 7)


def test_a_survivor_without_centres_comes_before_the_eliminated() -> None:
    game = result(0, "abcdefg", (17, 0, 17, 0, 0, 0, 0), eliminated={3: 1910, 4: 1910, 5: 1910, 6: 1910})
    assert places(game) == (1, 3, 1, 4, 4, 4, 4)


def test_the_order_is_that_of_the_strengths() -> None:
    rated = ratings(games(400))
    assert list(rated) == sorted(STRENGTHS, reverse=True)
    assert {rating.games for rating in rated.values()} == {400}
    for rating in rated.values():
        assert rating.strength.low < rating.strength.mean < rating.strength.high
    # Neighbours lie 0.4 apart in log strength; the ends are told apart without doubt.
    assert rated["g"].strength.low > rated["a"].strength.high


def test_more_games_leave_less_doubt() -> None:
    few, many = ratings(games(20)), ratings(games(200))
    for name in STRENGTHS:
        widths = [
            rated_games[name].strength.high - rated_games[name].strength.low for rated_games in (few, many)
        ]
        assert widths[1] < 0.6 * widths[0]
    wide = ratings(games(20), level=0.99)
    assert wide["a"].strength.low < few["a"].strength.low


def test_the_first_game_is_what_openskill_itself_gives() -> None:
    from openskill.models import PlackettLuce

    by_name = ratings([result(0, "abcdefg", range(7, 0, -1))])
    model = PlackettLuce()
    rated = model.rate([[model.rating()] for _ in range(7)])
    # The model's own drift of strengths between games shows in the fourth digit.
    assert [rating.strength.mean for rating in by_name.values()] == pytest.approx(
        [rating.mu for (rating,) in rated], rel=1e-3
    )


def test_the_order_of_results_does_not_matter() -> None:
    made = games(60)
    assert ratings(made) == ratings(made[::-1])
    assert ratings(made, seed=3) == ratings(made, seed=3)


def test_more_passes_leave_less_to_the_order_of_games() -> None:
    made = games(40)

    def spread(passes: int) -> float:
        strengths = [ratings(made, passes=passes, seed=seed)["g"].strength.mean for seed in range(6)]
        return max(strengths) - min(strengths)

    assert spread(16) < 0.7 * spread(1)


def test_one_against_six() -> None:
    chance = random.Random(2)
    made = []
    for index in range(70):
        seats = ["weak"] * 7
        seats[index % 7] = "strong"
        centres = [chance.randrange(1, 6) for _ in seats]
        centres[index % 7] += 4
        made.append(result(index, seats, centres))
    by_name = ratings(made)
    assert list(by_name) == ["strong", "weak"]
    assert by_name["strong"].strength.low > by_name["weak"].strength.high


def test_a_player_against_itself_learns_nothing() -> None:
    by_name = ratings([result(0, "aaaaaaa", (18, 1, 1, 1, 1, 1, 1), winner=0)])
    assert by_name["a"].strength.mean == 25
    assert by_name["a"].games == 1
    assert ratings([]) == {}


def test_without_openskill_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__

    def absent(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith("openskill"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(BordeauxError, match=r"bordeaux-diplomacy\[arena\]"):
        module.ratings(games(1))


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_is_none(level: int) -> None:
    with pytest.raises(BordeauxError):
        ratings(games(2), level=level)


NAMES = [f"P{number}" for number in range(9)]
POINTS = PER_TENFOLD / math.log(10)
POWERS = np.array([0.3, -0.2, 0.0, 0.1, -0.2, 0.1, -0.1])


def finished(index: int, seats: list[str], centres: list[int], winner: int | None = None) -> Result:
    """A game that has ended so."""
    return Result(
        index,
        tuple(seats),
        index,
        "cap" if winner is None else "solo",
        "W1910A",
        winner,
        (tuple(centres),),
        tuple(count > 0 for count in centres),
        tuple(None if count else 1905 for count in centres),
        (),
        (0.0,) * len(seats),
        (0,) * len(seats),
        0.0,
    )


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


@pytest.mark.slow
def test_the_strengths_come_near_the_true_ones_with_many_games() -> None:
    chance = np.random.default_rng(2)
    worth = dict(zip(NAMES, np.linspace(-1, 1, len(NAMES)), strict=True))
    rated = strengths(drawn(worth, 1500, chance))
    for name, true in worth.items():
        assert rated[name].rating.mean == pytest.approx(STANDARD + POINTS * true, abs=45)
    assert list(rated) == NAMES[::-1], "best first"


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


def test_more_games_make_intervals_narrower() -> None:
    games = drawn(dict.fromkeys(NAMES, 0.0), 200, np.random.default_rng(5))
    few, many = strengths(games[:20]), strengths(games)
    assert all(many[name].width < 0.5 * few[name].width for name in NAMES)


def test_who_loses_all_or_wins_all_keeps_a_finite_rating() -> None:
    games = [finished(index, ["A", *"BCDEFG"], [18, 2, 2, 3, 3, 3, 3], 0) for index in range(30)]
    rated = strengths(games)
    assert next(iter(rated)) == "A"
    assert rated["A"].solo == 1.0
    assert all(math.isfinite(bound) for strength in rated.values() for bound in strength.rating)
    assert rated["A"].rating.low > rated["B"].rating.high


def test_one_player_in_several_seats_is_one_player() -> None:
    games = [finished(index, ["A"] + ["B"] * 6, [10, 4, 4, 4, 4, 4, 4]) for index in range(20)]
    rated = strengths(games)
    assert (rated["B"].games, rated["B"].seats) == (20, 120)
    # 100 of 196 parts against 16 each: the ratio of the shares, but for the prior.
    difference = rated["A"].rating.mean - rated["B"].rating.mean
    assert difference == pytest.approx(PER_TENFOLD * math.log10(100 / 16), rel=0.15)


def test_alone_or_without_anybody() -> None:
    assert strengths([]) == {}
    (alone,) = strengths([replace(finished(0, ["A"] * 7, [5, 5, 5, 5, 5, 5, 4]))]).values()
    assert alone.rating.mean == STANDARD and alone.width > 0
    with pytest.raises(BordeauxError, match="level of confidence"):
        strengths([], level=1.0)


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
