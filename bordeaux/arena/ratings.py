"""Ratings of players: openskill's Plackett-Luce model on games."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, NamedTuple

from bordeaux.arena.job import Result
from bordeaux.arena.statistics import LEVEL, Interval, check_level
from bordeaux.board.errors import BordeauxError

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

PASSES = 8


class Rating(NamedTuple):
    """The strength of a player after a number of games, with its interval."""

    strength: Interval
    games: int


def ratings(
    results: Iterable[Result], *, level: float = LEVEL, passes: int = PASSES, seed: int = 0
) -> dict[str, Rating]:
    """The rating of every player spec in `results`, strongest first.

    The model processes games one by one and gives early games more weight, although players do not change. So
    the games are processed `passes` times from the start, shuffled with `seed`, and the ratings averaged. A
    player in several seats of a game is rated in each as if it were alone, and gets the mean. Games of one
    player against itself have no effect. The interval is the model's own: the mean and deviations of a normal
    distribution.

    Raises BordeauxError if openskill is not installed.
    """
    check_level(level)
    model = plackett_luce()
    # One order to shuffle from, whichever game ended first.
    games = sorted(results, key=lambda result: result.index)
    played: dict[str, int] = {}
    for game in games:
        for name in set(game.seats):
            played[name] = played.get(name, 0) + 1
    telling = [(game.seats, places(game)) for game in games if len(set(game.seats)) > 1]
    chance = random.Random(seed)
    means: dict[str, list[float]] = {name: [] for name in played}
    deviations: dict[str, list[float]] = {name: [] for name in played}
    for _ in range(max(1, passes)):
        chance.shuffle(telling)
        for name, (mean, deviation) in one_pass(model, sorted(played), telling).items():
            means[name].append(mean)
            deviations[name].append(deviation)
    reach = NormalDist().inv_cdf((1 + level) / 2)
    ratings = {}
    for name, count in played.items():
        mean, deviation = fmean(means[name]), fmean(deviations[name])
        ratings[name] = Rating(Interval(mean, mean - reach * deviation, mean + reach * deviation), count)
    return dict(sorted(ratings.items(), key=lambda item: (-item[1].strength.mean, item[0])))


def places(result: Result) -> tuple[int, ...]:
    """The place of every seat, 1 for the best; equal results share a place.

    The order is: the winner of a solo, the survivors by centres, then the eliminated by time, the latest
    first.
    """

    def standing(seat: int) -> tuple[bool, bool, int, int]:
        gone = result.eliminated[seat]
        return seat == result.winner, result.alive[seat], result.centres[-1][seat], gone or 0

    standings = [standing(seat) for seat in range(len(result.seats))]
    return tuple(1 + sum(other > own for other in standings) for own in standings)


def plackett_luce() -> PlackettLuce:
    """The model, for strengths that do not drift. Raises BordeauxError if openskill is not installed."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise BordeauxError(
            "ratings need the package openskill: pip install 'bordeaux-diplomacy[arena]'"
        ) from None
    return PlackettLuce(tau=0.0)


def one_pass(
    model: PlackettLuce, names: Sequence[str], games: Iterable[tuple[tuple[str, ...], tuple[int, ...]]]
) -> dict[str, tuple[float, float]]:
    """Mean and deviation of every player after the games; each game is a tuple of seats and one of places."""
    start = model.rating()
    known = dict.fromkeys(names, (start.mu, start.sigma))
    for seats, ranks in games:
        alone = [[model.rating(*known[name])] for name in seats]
        rated = model.rate(alone, ranks=[float(rank) for rank in ranks])
        gathered: dict[str, list[tuple[float, float]]] = {}
        for name, (rating,) in zip(seats, rated, strict=True):
            gathered.setdefault(name, []).append((rating.mu, rating.sigma))
        for name, estimates in gathered.items():
            known[name] = fmean(mean for mean, _ in estimates), fmean(deviation for _, deviation in estimates)
    return known
