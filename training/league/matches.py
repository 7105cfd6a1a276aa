"""Matches in the core, where a game of nets takes a hundredth of a second, with intervals of centres.

A match alternates the two seatings, three of one side with four of the other and the reverse, or has one
seat against six. Seats and chance come from a seed. Means are over whole games, as seats of one game depend
on each other; intervals are 95 %.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bordeaux import Map, Position
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.errors import BordeauxError
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People
from training.league.games import CoreMind, value_of

MAP = Map.standard()
POWERS = len(MAP.powers)
SURE = 1.96
"""The number of standard errors of a 95 % interval."""


@dataclass(frozen=True)
class Mind:
    """A player of one of two kinds. Without `samples` its orders are drawn from `policy`, a file or name of a
    net or ``dumbbot``, at `temperature`. With `samples` above 0 it plays the best of `draws` sets, against so
    many samples of all powers' orders. Both are drawn from the same policy at a temperature of 1, and `value`
    evaluates the positions after adjudication."""

    policy: str
    temperature: float = 0.5
    value: str = "hand"
    draws: int = 12
    samples: int = 0


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval, over so many `games`."""

    mean: float
    low: float
    high: float
    games: int

    def as_json(self) -> dict[str, float]:
        """The form for the ladder."""
        return {name: round(value, 3) for name, value in asdict(self).items()}


@dataclass(frozen=True, eq=False)
class Tables:
    """The games that were played: bool `ours` [G, powers], uint8 `centres` and float32 `shares` [G,
    powers]."""

    ours: NDArray[np.bool_]
    centres: NDArray[np.uint8]
    shares: NDArray[np.float32]

    def lead(self) -> Interval:
        """The difference of the mean centres of our seats and of the others', game by game."""
        ours = self.ours
        mine = np.where(ours, self.centres, 0).sum(1) / ours.sum(1)
        theirs = np.where(ours, 0, self.centres).sum(1) / (~ours).sum(1)
        return interval(mine - theirs)

    def share(self) -> Interval:
        """Our share of the sum of squares, of all our seats together."""
        return interval(np.where(self.ours, self.shares, 0).sum(1))


def interval(measured: NDArray[Any]) -> Interval:
    """The mean over games."""
    mean = float(measured.mean())
    half = SURE * float(measured.std(ddof=1)) / len(measured) ** 0.5 if len(measured) > 1 else float("inf")
    return Interval(mean, mean - half, mean + half, len(measured))


def self_play(minds: Sequence[Mind]) -> SelfPlay:
    """The core with these minds. Raises BordeauxError for unreadable nets and values."""
    numbers: dict[str, int] = {}
    choosers: list[Chooser] = []
    rollouts: list[Rollout] = []
    given: list[CoreMind] = []
    for mind in minds:
        if mind.policy not in numbers:
            numbers[mind.policy] = len(choosers)
            choosers.append(chooser_of(mind.policy))
        number = numbers[mind.policy]
        if not mind.samples:
            given.append(([(number, 1, mind.temperature)], [], 0, 1, -1, 0))
            continue
        given.append(([(number, mind.draws, 1.0)], [(number, 1.0, 1.0)], mind.samples, 1, -1, len(rollouts)))
        rollouts.append(Rollout(value_of(mind.value), chooser_of(mind.policy)))
    try:
        return SelfPlay(MAP.tables, choosers, rollouts, given)
    except ValueError as error:
        raise BordeauxError(str(error)) from None


def chooser_of(policy: str) -> Chooser:
    """A policy by its name or file. Raises PolicyError for an invalid one."""
    return DUMBBOT.chooser(MAP) if policy == "dumbbot" else People(MAP, net=load_net(policy)).chooser


def play(
    minds: Sequence[Mind], seats: NDArray[np.uint8], seed: int, until: int
) -> Mapping[str, NDArray[Any]]:
    """Games from the start to the end of a year, with the number of a mind for each seat [G, powers]:
    `centres` and `shares` [G, powers]. Raises BordeauxError as `self_play` does."""
    seeds = np.random.default_rng([seed, 2]).integers(2**63, size=len(seats), dtype=np.uint64)
    games = self_play(minds).play(
        Position.start().packed, [row.tobytes() for row in seats], seeds.tolist(), [until] * len(seats)
    )
    return {
        "centres": np.frombuffer(games["centres"], np.uint8).reshape(-1, POWERS),
        "shares": np.frombuffer(games["shares"], np.float32).reshape(-1, POWERS),
    }


def three_against_four(ours: Mind, others: Mind, games: int, seed: int, until: int) -> Tables:
    """Three of ours against four of the others, then four against three, in turn. Raises as `play` does."""
    random = np.random.default_rng([seed, 1])
    seats = np.ones((games, POWERS), np.uint8)
    for game, row in enumerate(seats):
        row[random.permutation(POWERS)[: 3 + game % 2]] = 0
    return Tables(seats == 0, **play([ours, others], seats, seed, until))


def one_against_six(ours: Mind, others: Mind, games: int, seed: int, until: int) -> Tables:
    """One of ours, with each power in turn, against six of the others. Raises as `play` does."""
    seats = np.ones((games, POWERS), np.uint8)
    seats[np.arange(games), np.arange(games) % POWERS] = 0
    return Tables(seats == 0, **play([ours, others], seats, seed, until))
