"""A sequential test of two hypotheses on the mean score of a game, evaluated after every game.

The hypotheses are a mean of at most `s0` and of at least `s1`. The test continues until one is accepted. It
needs fewer games than any fixed number with the same error rates. It makes no assumption about the
distribution of scores between their bounds. Each hypothesis gets the distribution on the observed scores (and
the two bounds) that has its mean and maximises the likelihood. If scores are only 0 and 1, this is Wald's
test.

Sources: A. Wald, Sequential tests of statistical hypotheses (1945), for the bounds; A. Owen, Empirical
likelihood ratio confidence intervals for a single functional (1988), for the likelihoods; chess engines are
tested in the same manner (fishtest, fastchess).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux.board.errors import BordeauxError, quote

__all__ = ["Sprt", "hypotheses", "sprt"]

Floats = npt.NDArray[np.float64]

ERROR = 0.05
UNSEEN = 1e-3
"""Games that each bound counts for if no game ended there: almost none, but not impossible."""
HALVINGS = 200


class Sprt(NamedTuple):
    """The state of a test: `llr` is the logarithm of the likelihood ratio of `s1` to `s0` after `games` games
    of mean `mean` (None before the first). At `lower` the test accepts `s0`, at `upper` `s1`."""

    s0: float
    s1: float
    llr: float
    lower: float
    upper: float
    games: int
    mean: float | None

    @property
    def accepted(self) -> float | None:
        """The accepted hypothesis, `s0` or `s1`; None while the test continues."""
        if self.llr >= self.upper:
            return self.s1
        return self.s0 if self.llr <= self.lower else None

    def to_json(self) -> dict[str, Any]:
        """The values by name, and ``accepted``."""
        return {**self._asdict(), "accepted": self.accepted}

    def __str__(self) -> str:
        """One line for people."""
        stands = f"LLR {self.llr:.2f} between {self.lower:.2f} and {self.upper:.2f}"
        tested = f"score {self.s0:g} against {self.s1:g}, {self.games} games: {stands}"
        return f"{tested}, " + ("goes on" if self.accepted is None else f"{self.accepted:g} accepted")


def hypotheses(text: str) -> tuple[float, float]:
    """Read ``S0,S1``, two mean scores. Raises BordeauxError."""
    parts = text.split(",")
    try:
        s0, s1 = map(float, parts)
    except ValueError:
        raise BordeauxError(f"{quote(text)} is no pair of scores like 0.143,0.2") from None
    if not -math.inf < s0 < s1 < math.inf:
        raise BordeauxError(f"of the scores {quote(text)} the first must be the smaller")
    return s0, s1


def sprt(
    scores: Sequence[float] | Floats,
    s0: float,
    s1: float,
    *,
    alpha: float = ERROR,
    beta: float = ERROR,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Sprt:
    """The state of the test of mean score `s0` against `s1` after `scores`, one independent value a game.

    Several seats of one game give one value, their mean. The two games of a pair also give one value, their
    difference, with bounds (-1, 1). `alpha` is the probability of accepting `s1` if the mean is `s0`, `beta`
    that of accepting `s0` if it is `s1`. Raises BordeauxError unless ``bounds[0] < s0 < s1 < bounds[1]`` and
    scores lie within the bounds.
    """
    bottom, top = bounds
    if not bottom < s0 < s1 < top:
        raise BordeauxError(
            f"the scores tested must go up and lie between {bottom:g} and {top:g}, not {s0:g}, {s1:g}"
        )
    if not (0 < alpha < 1 and 0 < beta < 1 and alpha + beta < 1):
        raise BordeauxError(f"chances of error lie above 0 and sum to less than 1: {alpha:g}, {beta:g}")
    values = np.asarray(scores, float)
    if values.ndim != 1 or not np.isfinite(values).all() or ((values < bottom) | (values > top)).any():
        raise BordeauxError(f"scores must be a list of numbers from {bottom:g} to {top:g}")
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    if not values.size:
        return Sprt(s0, s1, 0.0, lower, upper, 0, None)
    support, counts = np.unique(values, return_counts=True)
    weights = counts.astype(float)
    for bound in bounds:
        if bound not in support:
            support, weights = np.append(support, bound), np.append(weights, UNSEEN)
    llr = log_likelihood(support, weights, s1) - log_likelihood(support, weights, s0)
    return Sprt(s0, s1, llr, lower, upper, len(values), float(values.mean()))


def log_likelihood(support: Floats, weights: Floats, mean: float) -> float:
    """The maximum log-likelihood of `weights` games at the scores of `support` under any distribution with
    this mean, relative to that of the observed frequencies.

    Its probabilities are ``frequency / (1 + tilt * (score - mean))``, where the tilt gives the right mean.
    """
    away = support - mean
    frequencies = weights / weights.sum()
    low, high = -1 / away.max(), -1 / away.min()
    for _ in range(HALVINGS):
        tilt = (low + high) / 2
        # The sum falls as the tilt grows.
        if float((frequencies * away / (1 + tilt * away)).sum()) > 0:
            low = tilt
        else:
            high = tilt
        if not low < (low + high) / 2 < high:
            break
    return -float((weights * np.log1p((low + high) / 2 * away)).sum())
