"""A training run on shards: read a few at a time, saved regularly, resumed after a kill.

The lessons (`training.league.policy`, `training.league.value`) determine what is learnt, and from which
parts of a shard. All random choices come from a seed and the number of a group, so a training that was
killed produces the same weights.
"""

from __future__ import annotations

import datetime
import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
import numpy as np

from bordeaux._ext.learn.net_learner import NetLearner
from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.learn.value_learner import ValueLearner
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import whole
from bordeaux.cli.report.output import write_whole
from training.command import Command, plan_options
from training.league.records import Notice, read_shard, recent

__all__ = ["Course", "Lessons", "Plan", "command_of", "named", "readable", "split", "taught"]

GROUP = 5
"""Shards from which batches are mixed."""
HELD_OUT = 50
"""One shard of so many is held out."""
CHECKPOINT, PROGRESS = "checkpoint.bin", "progress.json"

Net = TypeVar("Net")


class Lessons(NamedTuple):
    """What a training learns from games: a `name` for reports, the `learner` in the core, the number of
    `parts` of a shard (phases or games), and a step: `learn(games, parts, rate, seed)` on some of them."""

    name: str
    learner: NetLearner | ValueLearner
    parts: Callable[[Recorded], int]
    learn: Callable[[Recorded, list[int], float, int], None]


@dataclass(frozen=True)
class Plan:
    """The plan of a training: `passes` through the shards, `batch` parts a step. `rate` is the highest
    learning rate, reached after `warm` steps and reduced to 0 by a cosine schedule. `seed` determines all
    random choices."""

    passes: int
    batch: int
    rate: float
    warm: int
    seed: int


def split(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """The shards for training, and those that are held out: one of fifty, and at least one if there are
    two."""
    held = [path for number, path in enumerate(paths) if number % HELD_OUT == HELD_OUT - 1]
    if not held and len(paths) > 1:
        held = [paths[-1]]
    return [path for path in paths if path not in held], held


def readable(paths: Sequence[Path], notice: Notice) -> list[Recorded]:
    """The readable shards among some; others are reported and left out."""
    shards = []
    for path in paths:
        try:
            shards.append(read_shard(path).recorded)
        except (BordeauxError, OSError) as error:
            notice(f"left out: {error}")
    return shards


def named(path: Path) -> str:
    """A shard's generation and file, independent of the folder of the run."""
    return "/".join(path.parts[-3:])


class Course:
    """A training on some shards by a plan, with checkpoints in the folder `work` unless that is None. A
    checkpoint is used only if plan and shards are the same."""

    def __init__(self, lessons: Lessons, plan: Plan, paths: Sequence[Path], work: Path | None) -> None:
        self.lessons, self.plan, self.work = lessons, plan, work
        random = np.random.default_rng([plan.seed, 1])
        order = [paths[i] for _ in range(plan.passes) for i in random.permutation(len(paths))]
        self.groups = [order[start : start + GROUP] for start in range(0, len(order), GROUP)]
        self.note = {**asdict(plan), "shards": [named(path) for path in order]}
        self.done = 0
        if work is not None:
            work.mkdir(parents=True, exist_ok=True)
            self.restore(work)

    def restore(self, work: Path) -> None:
        """Continue from the checkpoint, if it has the same plan and shards."""
        if not (work / PROGRESS).exists():
            return
        saved = json.loads((work / PROGRESS).read_text("utf-8"))
        if saved["note"] == self.note:
            self.lessons.learner.restore((work / saved["file"]).read_bytes())
            self.done = saved["done"]

    def save(self) -> None:
        """Write a checkpoint. Its weights have a file of their own until the note names the next."""
        if self.work is None:
            return
        name = f"{self.done % 2}-{CHECKPOINT}"
        write_whole(self.work / name, self.lessons.learner.saved())
        write_whole(self.work / PROGRESS, json.dumps({"note": self.note, "done": self.done, "file": name}))

    def run(self, notice: Notice) -> None:
        """Train to the end. Raises BordeauxError if no shard can be read."""
        while self.done < len(self.groups):
            for games, parts, rate, seed in self.steps(readable(self.groups[self.done], notice)):
                self.lessons.learn(games, parts, rate, seed)
            self.done += 1
            loss = self.lessons.learner.loss
            notice(f"{self.lessons.name}: {self.done} of {len(self.groups)} groups, loss {loss:.4f}")
            self.save()
        if not self.lessons.learner.steps:
            raise BordeauxError("none of the shards of games can be read")

    def steps(self, games: Sequence[Recorded]) -> Iterator[tuple[Recorded, list[int], float, int]]:
        """The steps through a group of shards: games, their parts, rate, seed. Steps of all its shards are
        mixed."""
        plan = self.plan
        random = np.random.default_rng([plan.seed, 2, self.done])
        batches = []
        for game in games:
            parts = random.permutation(self.lessons.parts(game))
            starts = range(0, len(parts), plan.batch)
            batches += [(game, np.sort(parts[start : start + plan.batch]).tolist()) for start in starts]
        for place, chosen in enumerate(random.permutation(len(batches))):
            way = (self.done + place / len(batches)) / len(self.groups)
            warmth = min(1.0, (self.lessons.learner.steps + 1) / plan.warm)
            rate = plan.rate * warmth * (0.5 + 0.5 * math.cos(math.pi * way))
            yield (*batches[chosen], rate, int(random.integers(2**63)))


def taught(
    lessons: Lessons,
    plan: Plan,
    paths: Sequence[Path],
    judged: Callable[[Sequence[Recorded]], dict[str, float]],
    work: Path | None,
    notice: Notice,
) -> dict[str, float]:
    """Train on some shards. Returns the figures of the held-out ones, which `judged` gives, and all of them
    but the last, a number, as they were before. Raises BordeauxError if no shard can be read."""
    learnt, held = split(sorted(paths))
    if not learnt:
        raise BordeauxError("there are no shards of games to learn from")
    others = readable(held, notice)
    before = judged(others)
    Course(lessons, plan, learnt, work).run(notice)
    figures = judged(others)
    figures |= {f"{name} before": before[name] for name in [*before][:-1]}
    return {name: round(float(value), 5) for name, value in figures.items()}


def command_of(
    name: str,
    summary: str,
    start: str,
    plan: Plan,
    train: Callable[..., tuple[Net, dict[str, float]]],
    write: Callable[[Path, Net, dict[str, Any]], None],
) -> click.Command:
    """The command ``python -m training.league.NAME``, which trains by default from `start` by `plan`."""

    @click.command(cls=Command, help=summary)
    @click.argument("folder", type=Path)
    @click.option("--start", default=start, metavar="FILE", help="Weights to begin with.")
    @click.option("--out", type=Path, required=True, metavar="FILE", help="Where the weights go (.npz).")
    @click.option(
        "--window", type=whole(1, 10**6), default=2, metavar="N", help="The last N generations, 1 or more."
    )
    @click.option("--work", type=Path, metavar="FOLDER", help="Keep the training here as it goes.")
    @plan_options(plan)
    def main(folder: Path, start: str, out: Path, window: int, work: Path | None, **settings: Any) -> None:
        """Train on the shards in the FOLDER of a run."""
        chosen = type(plan)(**settings)
        paths = recent(folder, window)
        net, figures = train(
            [path for stored in paths.values() for path in stored],
            start,
            chosen,
            work=work,
            notice=partial(print, file=sys.stderr),
        )
        header: dict[str, Any] = {
            "made": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "command": f"python -m training.league.{name} {folder.name} --start {Path(start).name}",
            "games": f"self-play, generations {', '.join(map(str, paths))}",
            "plan": asdict(chosen),
            "figures": figures,
        }
        write(out, net, header)
        print(json.dumps(figures))

    return main
