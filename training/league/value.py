"""Continues the training of the value, on the results of the games of self-play.

    python -m training.league.value FOLDER --start prospect --out value.npz [--window 2] [--trace 0.6] ...

FOLDER holds the shards of generations (`training.league.games`). Whole games are learnt from, by
TD(lambda) in the core (`bordeaux._ext.learn.value_learner`). `--start prospect` begins with the prospect
of Bordeaux, which was trained on people's games, and a hidden layer with zero output. Every fiftieth
shard is held out. With ``--work`` a training that was killed continues and produces the same weights.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bordeaux import Map
from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.learn.value_learner import ValueLearner
from bordeaux._ext.value.value_net import ValueNet
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import MOST_SEED
from bordeaux.evaluation.prospect import WIDEST, WIDTH_STEP, load_value_net, load_weights, write_value_net
from bordeaux.search.config import ranged
from training.command import check_plan, summary_of
from training.league.course import Lessons, Plan, command_of, taught
from training.league.records import Notice

MAP = Map.standard()
PROSPECT = "prospect"

Arrays = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class ValuePlan(Plan):
    """The plan of a value's training.

    A part is a game. `decay`, `keep`, `trace` and `solos` are those of
    `ValueLearner`. The names of provinces are dropped in a game with the probability `unname`. `width` and
    `middle` are the widths of a net that begins with the prospect.
    """

    passes: int = ranged(3, 1, 10**6, "", "passes through the shards")
    batch: int = ranged(10, 1, 10**6, "games", "games of a step")
    rate: float = ranged(2e-3, 1e-9, 1.0, "", "highest rate of learning")
    warm: int = ranged(50, 1, 10**9, "", "steps until this rate")
    decay: float = ranged(0.02, 0.0, 100.0, "", "weight decay of the tables")
    keep: float = ranged(0.998, 0.0, 1.0, "", "part that the running mean keeps in a step")
    trace: float = ranged(0.6, 0.0, 1.0, "", "lambda of temporal differences; 1 for results alone")
    solos: float = ranged(0.2, 0.0, 100.0, "", "weight of the loss of solos")
    unname: float = ranged(0.1, 0.0, 1.0, "", "probability that a game's names are dropped")
    width: int = ranged(32, WIDTH_STEP, WIDEST, "", f"width of the sums, a multiple of {WIDTH_STEP}")
    middle: int = ranged(16, 8, 32, "", "width of the next layer, a multiple of 8")
    seed: int = ranged(1, 0, MOST_SEED, "", "seed of all random choices")


def first_arrays(start: str | Path, plan: ValuePlan) -> Arrays:
    """The initial weights: those of a file, or the prospect's with a hidden layer of zero output. Raises
    BordeauxError for an unreadable file."""
    if str(start) != PROSPECT:
        return load_value_net(start).arrays
    prospect = load_weights()
    random = np.random.default_rng([plan.seed, 0])

    def drawn(*shape: int) -> NDArray[np.float32]:
        return random.normal(size=shape).astype(np.float32)

    rows = drawn(len(prospect.rows), plan.width) * np.float32(0.1)
    rows[:, :2] = prospect.rows
    return {
        "rows": rows,
        "layer": drawn(2 * plan.width, plan.middle) / np.float32(plan.width**0.5),
        "bias": np.zeros(plan.middle, np.float32),
        "out": np.zeros((plan.middle, 2), np.float32),
        "nobody": prospect.nobody.copy(),
    }


def judged(learner: ValueLearner, games: Sequence[Recorded]) -> dict[str, float]:
    """The accuracy of the running mean of the weights on the results of games: ``share_log`` and
    ``solo_log``, mean cross entropies of a phase, ``share_brier``, the mean squared error of shares summed
    over powers, ``phases``."""
    totals = np.zeros(4)
    for game in games:
        learner.judge(game, range(game.n_games))
        totals += np.array([learner.loss, learner.solo_loss, learner.error, 1]) * learner.phases
    mean = totals[:3] / max(1.0, totals[3])
    return {"share_log": mean[0], "solo_log": mean[1], "share_brier": mean[2], "phases": totals[3]}


def train_value(
    paths: Sequence[Path],
    start: str | Path,
    plan: ValuePlan,
    *,
    work: Path | None = None,
    notice: Notice = lambda _: None,
) -> tuple[ValueNet, dict[str, float]]:
    """The value from weights and the games of some shards, and figures of the held-out shards.

    `start` as for `first_arrays`; checkpoints are in the folder `work`. Raises BordeauxError for unreadable
    weights, and if no shard can be read.
    """
    check_plan(plan)
    try:
        learner = ValueLearner(
            MAP.tables,
            first_arrays(start, plan),
            MAP.start_phase.year,
            plan.decay,
            plan.keep,
            plan.trace,
            plan.solos,
        )
    except ValueError as error:
        raise BordeauxError(str(error)) from None
    lessons = Lessons(
        "value",
        learner,
        lambda games: games.n_games,
        lambda games, parts, rate, seed: learner.learn(games, parts, rate, plan.unname, seed),
    )
    figures = taught(lessons, plan, paths, partial(judged, learner), work, notice)
    return learner.mean, figures


main = command_of("value", summary_of(__doc__), PROSPECT, ValuePlan(), train_value, write_value_net)


if __name__ == "__main__":
    sys.exit(main())
