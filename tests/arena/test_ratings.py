"""Ratings: places from results, and an order that is that of the strengths behind the games."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.arena import tables as module
from bordeaux.arena.job import Result
from bordeaux.arena.tables import places, ratings

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


def test_the_order_is_that_of_the_strengths() -> None:
    rated = ratings(games(400))
    assert list(rated) == sorted(STRENGTHS, reverse=True)
    assert {rating.games for rating in rated.values()} == {400}
    for rating in rated.values():
        assert rating.strength.low < rating.strength.mean < rating.strength.high
    # Neighbours lie 0.4 apart in log strength; the ends are told apart without doubt.
    assert rated["g"].strength.low > rated["a"].strength.high


def test_the_first_game_is_what_openskill_itself_gives() -> None:
    from openskill.models import PlackettLuce

    by_name = ratings([result(0, "abcdefg", range(7, 0, -1))])
    model = PlackettLuce()
    rated = model.rate([[model.rating()] for _ in range(7)])
    # The model's own drift of strengths between games shows in the fourth digit.
    assert [rating.strength.mean for rating in by_name.values()] == pytest.approx(
        [rating.mu for (rating,) in rated], rel=1e-3
    )


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
