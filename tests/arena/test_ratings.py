"""Ratings: places from results, and an order that is that of the strengths behind the games."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.arena import ratings as module
from bordeaux.arena.job import Result
from bordeaux.arena.ratings import places, ratings

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
