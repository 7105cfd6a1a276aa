"""Continues the training of the policy, on the orders that best responses played.

    python -m training.league.policy FOLDER --start engines --out policy.npz [--window 2] [--passes 1] ...

FOLDER holds the shards of generations (`training.league.games`). They are read a few at a time, in an order
determined by the seed. The core computes the gradients (`bordeaux._ext.learn.net_learner`). Every fiftieth
shard is held out to measure accuracy. With ``--work`` a training that was killed continues from its last
checkpoint, and produces the same weights.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bordeaux import Map
from bordeaux._ext.learn.net_learner import NetLearner
from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.net.weights import Net
from bordeaux.cli.options import MOST_SEED
from bordeaux.formats.whole_files import write_arrays
from bordeaux.policy.net import FORMAT, load_net
from bordeaux.search.config import ranged
from training.command import check_plan, summary_of
from training.league.course import Lessons, Plan, command_of, taught
from training.league.records import Notice

MAP = Map.standard()
JUDGED = 4000
"""Phases of held-out shards that are evaluated."""

Arrays = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class PolicyPlan(Plan):
    """The plan of a policy's training.

    A part is a phase. `decay`, `keep`, `first` and `weigh` are those of `NetLearner`. The memory of phases is
    dropped with the probability `forget`, and the names of provinces with `unname`, so that the net also
    works without them.
    """

    passes: int = ranged(1, 1, 10**6, "", "passes through the shards")
    batch: int = ranged(100, 1, 10**6, "phases", "phases of a step")
    rate: float = ranged(2e-3, 1e-9, 1.0, "", "highest rate of learning")
    warm: int = ranged(100, 1, 10**9, "", "steps until this rate")
    decay: float = ranged(0.15, 0.0, 100.0, "", "weight decay of the tables")
    keep: float = ranged(0.999, 0.0, 1.0, "", "part that the running mean keeps in a step")
    first: float = ranged(0.3, 0.0, 100.0, "", "weight of the first pass's own loss")
    weigh: float = ranged(0.0, 0.0, 1.0, "", "weight of what a response gained")
    forget: float = ranged(0.1, 0.0, 1.0, "", "probability that a phase's memory is dropped")
    unname: float = ranged(0.1, 0.0, 1.0, "", "probability that the names are dropped")
    seed: int = ranged(1, 0, MOST_SEED, "", "seed of all random choices")


def arrays_of(net: Net) -> Arrays:
    """The weights of a net by name."""
    return {
        name: np.frombuffer(data, np.float32).reshape(shape) for name, (shape, data) in net.arrays().items()
    }


def write_policy(path: Path, net: Net, header: dict[str, Any]) -> None:
    """Write a net with its header as ``.npz`` of 16-bit floats, atomically. Raises OSError."""
    header = {"format": FORMAT, "kind": "policy", "map": MAP.name, **header}
    write_arrays(path, header, arrays_of(net), half=True)


def judged(learner: NetLearner, games: Sequence[Recorded]) -> dict[str, float]:
    """The accuracy of the running mean of the weights on games: mean ``loss`` of a choice, and mean
    probability of the played option (``likely``). Also the share of choices in which the most probable option
    was played (``first``), and the number of ``choices``."""
    totals = np.zeros(4)
    every = max(1, sum(game.n_phases for game in games) // JUDGED)
    for game in games:
        learner.judge(game, range(0, game.n_phases, every))
        totals += np.array([learner.loss, learner.likely, learner.first, 1]) * learner.choices
    mean = totals[:3] / max(1.0, totals[3])
    return {"loss": mean[0], "likely": mean[1], "first": mean[2], "choices": totals[3]}


def train_policy(
    paths: Sequence[Path],
    start: str | Path,
    plan: PolicyPlan,
    *,
    work: Path | None = None,
    notice: Notice = lambda _: None,
) -> tuple[Net, dict[str, float]]:
    """The net from a policy and the games of some shards, and figures of the held-out shards.

    `start` is a file or a name (`load_net`); checkpoints are in the folder `work`. Raises BordeauxError for
    an unreadable policy, and if no shard can be read.
    """
    check_plan(plan)
    learner = NetLearner(
        MAP.tables, arrays_of(load_net(start)), plan.decay, plan.keep, plan.first, plan.weigh
    )
    lessons = Lessons(
        "policy",
        learner,
        lambda games: games.n_phases,
        lambda games, parts, rate, seed: learner.learn(games, parts, rate, plan.forget, plan.unname, seed),
    )
    figures = taught(lessons, plan, paths, partial(judged, learner), work, notice)
    return learner.mean, figures


main = command_of("policy", summary_of(__doc__), "engines", PolicyPlan(), train_policy, write_policy)


if __name__ == "__main__":
    sys.exit(main())
