"""Scores of a game for a seat, and confidence intervals of their means."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux.arena.job import SOLO, Result
from bordeaux.board.errors import BordeauxError

Score = Callable[[Result, int], float]
"""The score of a game for a seat."""


def solo(result: Result, seat: int) -> float:
    """1 for a seat with a solo."""
    return float(result.winner == seat)


def drew(result: Result, seat: int) -> float:
    """1 for a seat that is alive at the end of a game without a solo: all survivors share the draw."""
    return float(result.end != SOLO and result.alive[seat])


def share(result: Result, seat: int) -> float:
    """The game divided: all of it for a solo, else equal parts for the survivors."""
    if result.end == SOLO:
        return solo(result, seat)
    return 1.0 / sum(result.alive) if result.alive[seat] else 0.0


def points(result: Result, seat: int) -> float:
    """Håård (2004), section 3.3: 7 for a solo, 7 / survivors for a draw; so many points as seats."""
    return len(result.seats) * share(result, seat)


def survived(result: Result, seat: int) -> float:
    """1 for a seat that has a unit or a centre at the end, also after another's solo."""
    return float(result.alive[seat])


def eliminated(result: Result, seat: int) -> float:
    """1 for a seat that has neither."""
    return float(not result.alive[seat])


def sum_of_squares(result: Result, seat: int) -> float:
    """The square of the seat's centres over the sum of all squares; a solo is 1. Par is 1 / seats."""
    if result.end == SOLO:
        return solo(result, seat)
    counts = result.centres[-1]
    total = sum(count * count for count in counts)
    return counts[seat] ** 2 / total if total else 1.0 / len(counts)


def centres(result: Result, seat: int) -> float:
    """The seat's centres at the end."""
    return float(result.centres[-1][seat])


SCORES = {
    "solo": solo,
    "draw": drew,
    "survived": survived,
    "eliminated": eliminated,
    "sum_of_squares": sum_of_squares,
    "share": share,
}
"""The scores that lie between 0 and 1, by the names that the command gives them."""


Floats = npt.NDArray[np.float64]

NORMAL = NormalDist()
LEVEL = 0.95
ENDS = (1 - LEVEL) / 2, (1 + LEVEL) / 2
ROUNDS = 4000
BLOCK = 1_000_000
"""Draws held in memory at once."""


class Interval(NamedTuple):
    """A mean and the ends of its interval, `low` <= `mean` <= `high`."""

    mean: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """The form of the command line: ``{"mean": x, "low": x, "high": x}``."""
        return self._asdict()

    def scaled(self, factor: float, shift: float = 0.0) -> Interval:
        """Every value times `factor`, plus `shift`; a negative factor swaps the ends."""
        low, high = sorted((self.low * factor + shift, self.high * factor + shift))
        return Interval(self.mean * factor + shift, low, high)


def wilson(successes: float, trials: float) -> Interval:
    """Wilson's score interval of 95 % for a share of independent trials, as shares of 1.

    It keeps a positive width if none or all succeed. `successes` need not be whole. For values anywhere from
    0 to 1 with this sum the interval is wide enough, as 0 and 1 have the largest variance. Without trials it
    is 0.5 between 0 and 1. Raises BordeauxError for impossible numbers.
    """
    if not (0 <= successes <= trials < math.inf):
        raise BordeauxError(f"{successes} of {trials} is no share: give 0 <= successes <= trials")
    if trials == 0:
        return Interval(0.5, 0.0, 1.0)
    z = NORMAL.inv_cdf(ENDS[1])
    share = successes / trials
    middle = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + (z / (2 * trials)) ** 2)
    # At the very ends rounding would leave something like 1e-17 in place of 0.
    low = 0.0 if successes == 0 else min(share, middle - reach)
    high = 1.0 if successes == trials else max(share, middle + reach)
    return Interval(share, low, high)


def bootstrap(
    values: Sequence[float] | Floats,
    *,
    seed: int = 0,
    groups: Sequence[Hashable] | None = None,
    weights: Sequence[float] | Floats | None = None,
    bounds: tuple[float, float] | None = (0.0, 1.0),
    rounds: int = ROUNDS,
) -> Interval:
    """The weighted mean of `values` with its bootstrap interval of 95 %.

    `groups` names the group of each value, usually its game. Whole groups are resampled; without it every
    value is a group. `bounds` are the limits of the values. If all groups are equal, or there is only one,
    Wilson's interval between the bounds is used, as resampling would give a width of zero. Without bounds
    (None) such an interval has no width, and a single group is refused. `rounds` is the number of samples.
    The same seed gives the same interval.

    Raises BordeauxError for no values, and for values out of bounds or not finite.
    """
    sums, masses = group_sums(values, groups, weights, bounds)
    mean = float(sums.sum() / masses.sum())
    count = len(sums)
    ratios = sums / masses
    if count < 2 and bounds is None:
        raise BordeauxError("one game tells nothing about the spread: play at least two")
    if np.ptp(ratios) <= 1e-12 * max(1.0, abs(mean)):
        if bounds is None:
            return Interval(mean, mean, mean)
        bottom, top = bounds
        share = min(max((mean - bottom) / (top - bottom), 0.0), 1.0)
        share_interval = wilson(share * count, count).scaled(top - bottom, bottom)
        return Interval(mean, min(share_interval.low, mean), max(share_interval.high, mean))
    drawn = draws(sums, masses, rounds, seed)
    low, high = np.quantile(drawn, corrected(ENDS, drawn, mean, sums, masses))
    return Interval(mean, min(float(low), mean), max(float(high), mean))


def paired_bootstrap(
    first: Sequence[float] | Floats,
    second: Sequence[float] | Floats,
    *,
    seed: int = 0,
    groups: Sequence[Hashable] | None = None,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> Interval:
    """The mean of ``first - second``, value by value, with its bootstrap interval.

    The two values of a pair have equal conditions (the same seed, seats and opponents), so that common luck
    cancels. `bounds` are those of the values, as for `bootstrap`; the differences lie between minus and plus
    their width.
    """
    differences = np.asarray(first, float) - np.asarray(second, float)
    width = None if bounds is None else bounds[1] - bounds[0]
    both = None if width is None else (-width, width)
    return bootstrap(differences, seed=seed, groups=groups, bounds=both)


def group_sums(
    values: Sequence[float] | Floats,
    groups: Sequence[Hashable] | None,
    weights: Sequence[float] | Floats | None,
    bounds: tuple[float, float] | None,
) -> tuple[Floats, Floats]:
    """For each group the sum of weight times value, and of the weights; groups without weight are omitted."""
    numbers = np.asarray(values, float)
    masses = np.ones_like(numbers) if weights is None else np.asarray(weights, float)
    if numbers.ndim != 1 or not numbers.size:
        raise BordeauxError("no values, so no mean: play at least one game")
    if not np.isfinite(numbers).all():
        raise BordeauxError("values must be finite numbers")
    if bounds is not None:
        bottom, top = bounds
        outside = numbers[(numbers < bottom - 1e-9) | (numbers > top + 1e-9)]
        if outside.size:
            raise BordeauxError(f"the value {outside[0]:g} lies outside {bottom:g} to {top:g}")
    if groups is None:
        kept = masses > 0
        return (numbers * masses)[kept], masses[kept]
    numbering: dict[Hashable, int] = {}
    place = np.array([numbering.setdefault(group, len(numbering)) for group in groups])
    sums = np.zeros(len(numbering))
    totals = np.zeros(len(numbering))
    np.add.at(sums, place, numbers * masses)
    np.add.at(totals, place, masses)
    return sums[totals > 0], totals[totals > 0]


def draws(sums: Floats, masses: Floats, rounds: int, seed: int) -> Floats:
    """The means of `rounds` samples of groups, drawn with replacement."""
    chance = np.random.default_rng(seed)
    count = len(sums)
    block = max(1, BLOCK // count)
    means = []
    for begin in range(0, rounds, block):
        chosen = chance.integers(0, count, (min(block, rounds - begin), count))
        means.append(sums[chosen].sum(axis=1) / masses[chosen].sum(axis=1))
    return np.concatenate(means)


def corrected(ends: Sequence[float], drawn: Floats, mean: float, sums: Floats, masses: Floats) -> list[float]:
    """The quantiles of `drawn` for `ends` (Efron 1987, equation 3.9): corrected for the bias of the resampled
    means, and for acceleration, the growth of the variance with the mean, by a jackknife over groups."""
    # Half of what equals the mean counts to either side: scores of few games have many ties.
    below = float(((drawn < mean).mean() + (drawn <= mean).mean()) / 2)
    edge = 0.5 / len(drawn)
    bias = NORMAL.inv_cdf(min(max(below, edge), 1 - edge))
    without = (sums.sum() - sums) / (masses.sum() - masses)
    leaning = without.mean() - without
    spread = float((leaning**2).sum())
    acceleration = float((leaning**3).sum()) / (6 * spread**1.5) if spread else 0.0
    corrected_ends = []
    for end in ends:
        z = bias + NORMAL.inv_cdf(end)
        # The divisor comes to nothing only for extreme ends of very few groups.
        corrected_ends.append(NORMAL.cdf(bias + z / max(1 - acceleration * z, 0.05)))
    return corrected_ends
