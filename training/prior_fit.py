"""How well shares of models of play foretell orders, and the numbers that do it best (`training.prior`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from bordeaux.arena.statistics import bootstrap
from bordeaux.search import beliefs as rule
from bordeaux.search.beliefs import MODELS, PRIOR, shifted
from bordeaux.search.models import BLIND, CHOICES, HOLD, LOOSE, SEARCH, SLIP, SURPRISE, LikePeople

__all__ = ["Fit", "Games", "Row", "fitted", "gains", "mean_score", "score"]

LEARNT = tuple(name for name in PRIOR if issubclass(MODELS[name], LikePeople))
#: Factors on numbers, one after the other, each until it gives no improvement.
STEPS = (2.5, 1.4, 1.12)
#: The smallest improvement per unit.
GAIN = 1e-5


class Row(NamedTuple):
    """The orders of a power in a phase: its seat (the game and the power), the log probabilities by all
    models, and the probabilities of its units' orders by learnt models. Also the numbers of legal orders of
    its units, and whether it was searched for."""

    seat: tuple[str, str]
    logs: Mapping[str, float]
    learnt: Mapping[str, Sequence[float]]
    options: Sequence[int]
    pool: bool


class Fit(NamedTuple):
    """The fitted numbers: those of `bordeaux.search.beliefs`, and the `slip` of learnt models."""

    prior: Mapping[str, float] = PRIOR
    weight: float = rule.WEIGHT
    memory: float = rule.MEMORY
    least: float = rule.LEAST
    slip: float = SLIP

    def to_json(self) -> dict[str, Any]:
        """All numbers, rounded."""
        numbers = {name: round(value, 4) for name, value in self._asdict().items() if name != "prior"}
        return {"prior": {name: round(share, 4) for name, share in self.prior.items()}, **numbers}


class Told(NamedTuple):
    """A row in the form for a fit: the likelihoods that update the shares, and probabilities by model, times
    e to the `top`."""

    seat: tuple[str, str]
    evidence: Mapping[str, float]
    chances: Mapping[str, float]
    top: float
    units: int


class Games:
    """The rows of games, for repeated evaluation by a fit."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.units = sum(len(row.options) for row in rows)
        self.likelihoods = cache(self._likelihoods)

    def _likelihoods(self, slip: float) -> list[Told]:
        """All rows, with a probability of `slip` for orders that learnt models do not predict."""
        rows = []
        for row in self.rows:
            evidence = {
                name: _log(row.learnt[name], slip) if name in LEARNT else row.logs[name] for name in PRIOR
            }
            proper = {name: evidence[name] - _sum_of_all(row, name, slip) for name in PRIOR}
            top = max(proper.values())
            chances = {name: math.exp(value - top) for name, value in proper.items()}
            rows.append(Told(row.seat, evidence, chances, top, len(row.options)))
        return rows


def _log(shares: Sequence[float], slip: float) -> float:
    """As `Model.logarithm` of learnt models, for another `SLIP`."""
    return sum(math.log((1 - slip) * share + slip / CHOICES) for share in shares)


def _sum_of_all(row: Row, name: str, slip: float) -> float:
    """The log of the sum of a model's probabilities over all legal sets."""
    if name == SEARCH and not row.pool:
        return sum(math.log(BLIND * count) for count in row.options)
    surprise = slip if name in LEARNT else LOOSE if name == SEARCH else SURPRISE
    # A hold that is foreseen has no part in the surprise.
    spread = surprise / CHOICES
    return sum(math.log(1 - surprise + spread * (count - (name == HOLD))) for count in row.options)


def _by_game(games: Games, fit: Fit) -> dict[str, tuple[float, int]]:
    """The log-likelihood of each game, and the number of its units."""
    by_game: dict[str, tuple[float, int]] = {}
    shares: dict[tuple[str, str], Mapping[str, float]] = {}
    rest = {"weight": fit.weight, "memory": fit.memory, "least": fit.least}
    for seat, evidence, chances, top, units in games.likelihoods(fit.slip):
        before = shares.get(seat, fit.prior)
        log = top + math.log(sum(share * chances[name] for name, share in before.items()))
        total, count = by_game.get(seat[0], (0.0, 0))
        by_game[seat[0]] = total + log, count + units
        shares[seat] = shifted(before, evidence, **rest)
    return by_game


def score(games: Games, fit: Fit) -> float:
    """The log-likelihood per unit."""
    return math.fsum(total for total, _ in _by_game(games, fit).values()) / games.units


def mean_score(parts: Sequence[Games], fit: Fit) -> float:
    """The mean of the scores of some games, whatever their sizes."""
    return sum(score(games, fit) for games in parts) / len(parts)


def gains(games: Games, before: Fit, after: Fit) -> dict[str, float]:
    """The gain of a fit over another, per unit, with its interval by resampling whole games."""
    first, second = _by_game(games, before), _by_game(games, after)
    gains_by_game = [(second[game][0] - first[game][0]) / first[game][1] for game in first]
    if len(gains_by_game) < 2:
        return {"mean": gains_by_game[0], "low": -math.inf, "high": math.inf}
    weights = [units for _, units in first.values()]
    gain = bootstrap(gains_by_game, groups=list(first), weights=weights, bounds=None)
    return {"mean": gain.mean, "low": gain.low, "high": gain.high}


def _moved(fit: Fit, name: str, factor: float) -> Fit | None:
    """A fit with one of its numbers increased or decreased, or None if that is impossible. For numbers below
    1 the odds are changed."""

    def odds(share: float) -> float:
        return share * factor / (1 - share + share * factor)

    if name in fit.prior:
        if len(fit.prior) == 1:
            return None
        share = min(max(rule.LEAST, odds(fit.prior[name])), 1 - rule.LEAST * (len(fit.prior) - 1))
        rest = (1 - share) / (1 - fit.prior[name])
        prior = {
            other: share if other == name else max(rule.LEAST, before * rest)
            for other, before in fit.prior.items()
        }
        total = sum(prior.values())
        return fit._replace(prior={other: part / total for other, part in prior.items()})
    if name == "weight":
        return fit._replace(weight=fit.weight * factor)
    value = odds(getattr(fit, name))
    # A floor of a share for each cannot be above an equal part.
    if name == "least" and value * len(fit.prior) >= 1:
        return None
    changed: dict[str, Any] = {name: value}
    return fit._replace(**changed)


def fitted(parts: Sequence[Games], start: Fit, names: Sequence[str]) -> Fit:
    """The best fit found from a start by changing the named numbers; a model's name means its prior share.
    All parts have the same weight, regardless of size."""

    best, value = start, mean_score(parts, start)
    for step in STEPS:
        better = True
        while better:
            better = False
            for name in names:
                for factor in (step, 1 / step):
                    while (other := _moved(best, name, factor)) is not None:
                        reached = mean_score(parts, other)
                        if reached < value + GAIN:
                            break
                        best, value, better = other, reached, True
    return best
