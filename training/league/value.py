"""Continues the training of the value, on the results of the games of self-play.

    python -m training.league.value FOLDER --start prospect --out value.npz [--window 2] [--trace 0.6] ...

FOLDER holds the shards of generations (`training.league.games`). Whole games are learnt from, by TD(lambda)
in the core (`bordeaux._ext.value_learner`). `--start prospect` begins with the prospect of Bordeaux, which
was trained on people's games, and a hidden layer with zero output. Every fiftieth shard is held out. With
``--work`` a training that was killed continues and produces the same weights.
"""

from __future__ import annotations

import argparse
import datetime
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bordeaux import Map
from bordeaux._ext.recorded import Recorded
from bordeaux._ext.value_learner import ValueLearner
from bordeaux._ext.value_net import ValueNet
from bordeaux.board.errors import BordeauxError
from bordeaux.evaluation.prospect import load_weights
from bordeaux.evaluation.value_net import load_value_net, write_value_net
from training.league.course import Course, Notice, Pace, readable, split
from training.league.records import Window

__all__ = ["PROSPECT", "ValuePlan", "first_arrays", "train_value"]

MAP = Map.standard()
PROSPECT = "prospect"

Arrays = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class ValuePlan:
    """The plan of a value's training.

    `passes` through the shards, `batch` games a step. `rate` is the highest learning rate, reached after
    `warm` steps and reduced to 0 by a cosine schedule. `decay`, `keep`, `trace` and `solos` are those of
    `ValueLearner`. The names of provinces are dropped in a game with the probability `unname`. `width` and
    `middle` are the widths of a net that begins with the prospect.
    """

    passes: int = 3
    batch: int = 10
    rate: float = 2e-3
    warm: int = 50
    decay: float = 0.02
    keep: float = 0.998
    trace: float = 0.6
    solos: float = 0.2
    unname: float = 0.1
    width: int = 32
    middle: int = 16
    seed: int = 1

    def pace(self) -> Pace:
        """The pace of the training. Raises BordeauxError with the option for invalid values."""
        for name in ("trace", "unname"):
            if not 0 <= getattr(self, name) <= 1:
                raise BordeauxError(f"--{name} must be from 0 to 1, not {getattr(self, name)}")
        return Pace(self.passes, self.batch, self.rate, self.warm, self.seed).checked()


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


class Lessons:
    """What a value learns from games."""

    name = "value"

    def __init__(self, learner: ValueLearner, plan: ValuePlan) -> None:
        self.learner, self.plan = learner, plan

    def parts(self, games: Recorded) -> int:
        """The number of games."""
        return games.n_games

    def learn(self, games: Recorded, parts: list[int], rate: float, seed: int) -> None:
        """One step on some games."""
        self.learner.learn(games, parts, rate, self.plan.unname, seed)


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
    pace = plan.pace()
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
    learnt, held = split(sorted(paths))
    if not learnt:
        raise BordeauxError("there are no shards of games to learn from")
    others = readable(held, notice)
    before = judged(learner, others)
    Course(Lessons(learner, plan), pace, learnt, work, asdict(plan)).run(notice)
    figures = judged(learner, others)
    figures |= {f"{name} before": before[name] for name in ("share_log", "solo_log", "share_brier")}
    return learner.mean, {name: round(float(value), 5) for name, value in figures.items()}


def main(arguments: list[str] | None = None) -> int:
    """The command; returns the exit code: 0 done, 2 bad input with one line on standard error."""
    parser = argparse.ArgumentParser("python -m training.league.value", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="folder of the run, with the shards of its generations")
    parser.add_argument(
        "--start", default=PROSPECT, metavar="FILE", help=f"weights to begin with  [{PROSPECT}]"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where the weights go (.npz)")
    parser.add_argument("--window", type=int, default=2, metavar="N", help="the last N generations  [2]")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="keep the training here as it goes")
    for option in fields(ValuePlan):
        flag = f"--{option.name}"
        parser.add_argument(
            flag, type=type(option.default), default=option.default, help=f"[{option.default}]"
        )
    asked = vars(parser.parse_args(arguments))
    plan = ValuePlan(**{option.name: asked[option.name] for option in fields(ValuePlan)})
    try:
        paths = Window(asked["folder"], asked["window"]).paths()
        net, figures = train_value(
            [path for stored in paths.values() for path in stored],
            asked["start"],
            plan,
            work=asked["work"],
            notice=partial(print, file=sys.stderr),
        )
        command = f"training.league.value {asked['folder'].name} --start {Path(asked['start']).name}"
        header: dict[str, Any] = {
            "made": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "command": f"python -m {command}",
            "games": f"self-play, generations {', '.join(map(str, paths))}",
            "plan": asdict(plan),
            "figures": figures,
        }
        write_value_net(asked["out"], net, header)
    except (BordeauxError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
