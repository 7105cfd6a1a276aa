"""One side against a rival: its score in every game, or the difference between two candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.arena.job import Result
from bordeaux.arena.statistics import SCORES, Interval, Score, Sprt, centres, paired_bootstrap, sprt
from bordeaux.board.errors import BordeauxError

Seats = Iterable[tuple[int, ...]]
"""The seats of the side in every game or pair, in order from number 0 on."""


class Changed(NamedTuple):
    """The number of games that went otherwise than those of the first candidate, by the centres of any seat
    after any year, and the number of `games` in all."""

    otherwise: int
    games: int


class SequentialTrial:
    """A sequential test during a tournament: of the side's mean score, or of the difference between two
    candidates (the second minus the first), or to the games of equal numbers of an earlier tournament, the
    `baseline`.

    Games are counted in the order of their numbers, not of arrival, so the test ends with the same game on
    every machine. Raises BordeauxError for hypotheses outside the range of scores, and for more than two
    candidates.
    """

    def __init__(
        self,
        seats: Seats,
        candidates: int,
        score: str,
        s0: float,
        s1: float,
        baseline: Mapping[int, Result] | None = None,
    ) -> None:
        if candidates > (2 if baseline is None else 1):
            known = "two candidates" if baseline is None else "one with a baseline"
            raise BordeauxError(f"a sequential test compares {known}, not {candidates}")
        self._seats = iter(seats)
        self._games = max(1, candidates)
        self._score = SCORES[score]
        self._hypotheses = s0, s1
        self._baseline = baseline
        self._bounds = (0.0, 1.0) if self._games == 1 and baseline is None else (-1.0, 1.0)
        self._waiting: dict[int, list[Result]] = {}
        self._values: list[float] = []
        self.state = self._test()

    def add(self, result: Result) -> bool:
        """Add a result; returns whether the test is over."""
        number = result.index // self._games
        self._waiting.setdefault(number, []).append(result)
        while not self.over and len(self._waiting.get(len(self._values), ())) == self._games:
            number = len(self._values)
            if self._baseline is not None and number not in self._baseline:
                break
            games = sorted(self._waiting.pop(number), key=lambda result: result.index)
            if self._baseline is not None:
                games = [self._baseline[number], *games]
            chosen = next(self._seats)
            means = [mean(game, chosen, self._score) for game in games]
            self._values.append(means[-1] - (means[0] if len(means) == 2 else 0.0))
            self.state = self._test()
        return self.over

    @property
    def over(self) -> bool:
        """Whether a hypothesis has been accepted."""
        return self.state.accepted is not None

    def counts(self, result: Result) -> bool:
        """Whether a game belongs to the test; games after its end are ignored."""
        return not self.over or result.index // self._games < len(self._values)

    def _test(self) -> Sprt:
        return sprt(self._values, *self._hypotheses, bounds=self._bounds)


def differences(
    results: Iterable[Result], seats: Seats, candidates: Sequence[str]
) -> dict[str, dict[str, Interval]]:
    """The difference of each later candidate to the first, by candidate and score, with its 95 % interval;
    also that in ``centres`` at the end. Empty before the first complete pair."""
    games = complete(results, len(candidates))
    numbers = range(max(games, default=-1) + 1)
    whole = [
        (games[number], chosen) for number, chosen in zip(numbers, seats, strict=False) if number in games
    ]
    if not whole:
        return {}
    most = float(max(sum(result.centres[-1]) for pair, _ in whole for result in pair)) or 1.0
    measured = [*((name, score, 1.0) for name, score in SCORES.items()), ("centres", centres, most)]
    return {
        candidate: {
            name: paired_bootstrap(
                [mean(pair[place], chosen, score) for pair, chosen in whole],
                [mean(pair[0], chosen, score) for pair, chosen in whole],
                bounds=(0.0, top),
            )
            for name, score, top in measured
        }
        for place, candidate in enumerate(candidates[1:], start=1)
    }


def changed(results: Iterable[Result], candidates: Sequence[str]) -> dict[str, Changed]:
    """For each later candidate, how often its games differ from those of the first."""
    games = complete(results, len(candidates)).values()
    return {
        candidate: Changed(sum(pair[place].centres != pair[0].centres for pair in games), len(games))
        for place, candidate in enumerate(candidates[1:], start=1)
    }


def complete(results: Iterable[Result], candidates: int) -> dict[int, list[Result]]:
    """The games of so many candidates by pair, in order, without pairs in which some are missing."""
    games: dict[int, list[Result]] = {}
    for result in sorted(results, key=lambda result: result.index):
        games.setdefault(result.index // candidates, []).append(result)
    return {number: pair for number, pair in games.items() if len(pair) == candidates}


def mean(result: Result, seats: tuple[int, ...], score: Score) -> float:
    """The mean score over some seats of a game."""
    return sum(score(result, seat) for seat in seats) / len(seats)
