"""Strengths of players on one scale, from their shares of games.

A game is divided among its seats, by the squares of their centres or wholly to the winner of a solo. In
the model a seat's expected share is proportional to ``exp(strength of its player + advantage of its
power)``, over all seats of the game. This is the multinomial logit, and Elo's model for two seats.
Strengths are fitted so that every player's expected shares equal its actual ones, with a weak prior
towards the mean. So the order of the games has no effect, and a player may have several seats in a game.

Shares of a game without a solo have a smaller variance than whole games, which the multinomial
distribution assumes. The ratio is estimated from the residuals of the model (Pearson's statistic; P.
McCullagh and J. A. Nelder, Generalized Linear Models, 1989, section 4.5), as if `KNOWN` seats had been
seen with the full variance. Intervals come from the curvature at the maximum, including the prior.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux.arena.job import Result
from bordeaux.arena.statistics import LEVEL, Interval, sum_of_squares

Floats = npt.NDArray[np.float64]

#: Points of difference for a ratio of ten between the shares of two players: Elo's scale.
PER_TENFOLD = 400.0
#: The fixed point of the scale: this player, if it is in the list, has this rating; else the mean of all.
ANCHOR, STANDARD = "dumbbot", 1000.0
#: Standard deviation of the prior on strengths and on the effect of the power, in natural units (173.7 points
#: each).
SPREAD, POWER_SPREAD = 2.0, 0.3
#: Free shares of weight for the prior assumption that shares vary as whole games do.
KNOWN = 30.0
STEPS, CLOSE = 60, 1e-10


class Strength(NamedTuple):
    """A player in a rating list: its `rating` with the interval, the number of its `games` and `seats`, its
    mean `share` of them, and the share of its seats with a solo, `solo`."""

    rating: Interval
    games: int
    seats: int
    share: float
    solo: float

    @property
    def width(self) -> float:
        """The width of the interval in points."""
        return self.rating.high - self.rating.low


class Fit(NamedTuple):
    """The fitted strengths `at` of the `names` of a list, in natural units, their `covariance`, and
    `scatter`: the variance of the shares relative to that of whole games."""

    names: tuple[str, ...]
    at: Floats
    covariance: Floats
    scatter: float

    def spread(self) -> Floats:
        """The standard error of each strength relative to the mean of all: a common shift is not uncertainty
        of a player."""
        return beside_the_mean(self.covariance)

    def after(self, table: Sequence[str], games: int) -> Fit:
        """The fit expected after a number of games of a table, if they give their expected results."""
        place = [self.names.index(name) for name in table]
        parts = np.exp(self.at[place] - self.at[place].max())
        share = np.zeros(len(self.names))
        np.add.at(share, place, parts / parts.sum())
        information = games * (np.diag(share) - np.outer(share, share)) / self.scatter
        known = np.eye(len(self.names)) + self.covariance @ information
        left: Floats = np.linalg.solve(known, self.covariance).astype(np.float64)
        return self._replace(covariance=left)


def beside_the_mean(covariance: Floats) -> Floats:
    """The standard deviations of strengths relative to the mean of all; of a single one its own."""
    count = len(covariance)
    centring = np.eye(count) - (1 / count if count > 1 else 0)
    deviations: Floats = np.sqrt(np.clip(np.diag(centring @ covariance @ centring), 0, None))
    return deviations


def fit(results: Iterable[Result], players: Iterable[str] = ()) -> Fit:
    """The fit for the players of some games, and for further `players`, by name."""
    games = sorted(results, key=lambda game: game.index)
    names = tuple(sorted({*players, *(name for game in games for name in game.seats)}))
    if not games:
        return Fit(names, np.zeros(len(names)), np.eye(len(names)) * SPREAD**2, 1.0)
    place = {name: number for number, name in enumerate(names)}
    seats = np.array([[place[name] for name in game.seats] for game in games], int)
    shares = np.array([[sum_of_squares(game, seat) for seat in range(len(game.seats))] for game in games])
    return Fit(names, *fitted(seats, shares, len(names)))


def strengths(results: Iterable[Result], players: Iterable[str] = ()) -> dict[str, Strength]:
    """The strength of every player in some games, and of further `players`, best first.

    `ANCHOR` has the rating `STANDARD` if it is in the list. Intervals are relative to the mean of all; a
    player without games has that of the prior.
    """
    games = list(results)
    known = fit(games, players)
    if not known.names:
        return {}
    points = PER_TENFOLD / math.log(10)
    zero = known.at[known.names.index(ANCHOR)] if ANCHOR in known.names else known.at.mean()
    reach = NormalDist().inv_cdf((1 + LEVEL) / 2) * points * known.spread()
    strengths = {}
    for name, at, half in zip(known.names, known.at, reach, strict=True):
        rating = float(STANDARD + points * (at - zero))
        held = [(game, seat) for game in games for seat, spec in enumerate(game.seats) if spec == name]
        strengths[name] = Strength(
            Interval(rating, rating - float(half), rating + float(half)),
            sum(name in game.seats for game in games),
            len(held),
            math.fsum(sum_of_squares(*seat) for seat in held) / max(1, len(held)),
            sum(game.winner == seat for game, seat in held) / max(1, len(held)),
        )
    return dict(sorted(strengths.items(), key=lambda item: (-item[1].rating.mean, item[0])))


def fitted(seats: npt.NDArray[np.int_], shares: Floats, count: int) -> tuple[Floats, Floats, float]:
    """Strengths of players, their covariance, and the relative variance of shares, by Newton's method.

    `seats` has a player's number for every game and seat, `shares` the share of the seat. The advantages of
    the powers are fitted too, and not returned.
    """
    size = count + seats.shape[1]
    precision = np.concatenate([np.full(count, SPREAD**-2), np.full(seats.shape[1], POWER_SPREAD**-2)])
    # For every game and seat: 1 where the player is, and 1 where the power is.
    design = np.zeros((*seats.shape, size))
    np.put_along_axis(design, seats[:, :, None], 1.0, axis=2)
    design[:, range(seats.shape[1]), range(count, size)] = 1.0
    at = np.zeros(size)
    for _ in range(STEPS):
        expected = chances(at, design)
        slope, curve = derivatives(expected, shares, design)
        step = np.linalg.solve(curve + np.diag(precision), slope - precision * at)
        # Far from the maximum a whole step may lead beyond it.
        at = at + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
        if float(np.abs(step).max()) < CLOSE:
            break
    expected = chances(at, design)
    _, curve = derivatives(expected, shares, design)
    scatter = dispersion(expected, shares, count)
    covariance: Floats = np.linalg.inv(curve / scatter + np.diag(precision)).astype(np.float64)
    return at[:count], covariance[:count, :count], scatter


def chances(at: Floats, design: Floats) -> Floats:
    """The expected shares of the seats of every game."""
    worth = design @ at
    parts = np.exp(worth - worth.max(axis=1, keepdims=True))
    whole: Floats = parts / parts.sum(axis=1, keepdims=True)
    return whole


def derivatives(expected: Floats, shares: Floats, design: Floats) -> tuple[Floats, Floats]:
    """The gradient of the log-likelihood, and its negative Hessian."""
    size = design.shape[2]
    flat = design.reshape(-1, size)
    means = np.einsum("gsk,gs->gk", design, expected)
    slope = flat.T @ (shares - expected).ravel()
    curve = flat.T @ (flat * expected.reshape(-1, 1)) - means.T @ means
    return slope, curve


def dispersion(expected: Floats, shares: Floats, count: int) -> float:
    """The variance of shares relative to that of whole games, 1 at most: more would be random error."""
    free = max(0.0, expected.shape[0] * (expected.shape[1] - 1) - count)
    unexplained = float(((shares - expected) ** 2 / np.clip(expected, 1e-3, None)).sum())
    return min(1.0, (KNOWN + unexplained) / (KNOWN + free))
