"""The training loop: epochs over whole phases, a running mean of the weights, a checkpoint after every
epoch.

An epoch depends only on the seed and the epoch's number. So a run that was killed and restarted produces
the same weights as one without interruption.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from bordeaux.board.errors import BordeauxError
from bordeaux.formats.whole_files import whole
from training.batches import Batch, Dropped, make_batch
from training.known import Known, known_among
from training.model import Net, by_choice
from training.shards import Shards


@dataclass(frozen=True)
class Plan:
    """The plan of a net's training.

    `batch` phases at a time. `rate` is the highest learning rate, reached after `warm` steps (at most a
    twentieth of all) and reduced to 0 by a cosine schedule. `decay` is the weight decay in the tables. The
    memory and the names are dropped in a phase with the probabilities `no_memory` and `no_names`. `first` is
    the weight of the first pass's own loss in movement phases, `mean` the factor of the running mean of the
    weights in each step. `dropout` is that of `training.model.Net`. `taught` is the weight of the teachers'
    probabilities, from 0 to 1; the rest is the weight of the actual orders.
    """

    epochs: int = 7
    seed: int = 1
    batch: int = 64
    rate: float = 4e-3
    decay: float = 0.15
    warm: int = 200
    no_memory: float = 0.3
    no_names: float = 0.15
    first: float = 0.3
    mean: float = 0.999
    dropout: float = 0.0
    taught: float = 0.0


def batches(
    shards: Shards, phases: NDArray[np.int64], size: int, memory: bool = True, names: bool = True
) -> Iterator[tuple[NDArray[np.int64], Batch]]:
    """Phases in order as batches, with or without all memory and names: (numbers of the phases, batch)."""
    for start in range(0, len(phases), size):
        some = phases[start : start + size]
        yield (
            some,
            make_batch(shards, some, Dropped(np.full(len(some), not memory), np.full(len(some), not names))),
        )


class Trainer:
    """A net in training in a folder; it continues after the last epoch that was stored there.

    A wide net may have `teachers`, wide nets whose mean probabilities it learns in addition to the actual
    orders (distillation of an ensemble: Hinton, Vinyals and Dean, 2015). `average` is the running mean of the
    weights, the result of the training. `history` has the result of `after` for each epoch (see `run`).
    `origin` names the files that the training depends on. Raises BordeauxError if the folder holds a training
    by another plan, or from another origin.
    """

    def __init__(
        self,
        net: Net,
        plan: Plan,
        folder: Path,
        device: torch.device,
        teachers: Sequence[Net] = (),
        origin: str = "",
    ) -> None:
        self.net, self.plan, self.device = net.to(device), plan, device
        self.origin = origin
        # In training mode, as only then a wide net computes with 16 bits; none of their weights is changed.
        self.teachers = [teacher.to(device).train() for teacher in teachers]
        self.average = copy.deepcopy(self.net).eval()
        self.path = folder / "checkpoint.pt"
        tables = net.tables()
        net.dropout = plan.dropout
        others = [
            parameter for parameter in net.parameters() if all(parameter is not table for table in tables)
        ]
        self.optimizer = torch.optim.AdamW(
            [{"params": tables, "weight_decay": plan.decay}, {"params": others, "weight_decay": 0.0}],
            lr=plan.rate,
            betas=(0.9, 0.98),
        )
        self.epoch = self.step = 0
        self.history: list[dict[str, Any]] = []
        if self.path.exists():
            self._load()

    def _described(self) -> str:
        return f"{self.plan} {self.net.sizes} {self.origin}".rstrip()

    def _load(self) -> None:
        saved = torch.load(self.path, map_location=self.device, weights_only=True)
        if saved["plan"] != self._described():
            raise BordeauxError(
                f"{self.path} was trained by another plan ({saved['plan']});"
                " name another folder, or remove it"
            )
        self.net.load_state_dict(saved["net"])
        self.average.load_state_dict(saved["average"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.epoch, self.step, self.history = saved["epoch"], saved["step"], saved["history"]

    def _save(self) -> None:
        saved = {
            "plan": self._described(),
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "epoch": self.epoch,
            "step": self.step,
            "history": self.history,
        }
        with whole(self.path) as part:
            torch.save(saved, part)

    def run(
        self, shards: Shards, phases: NDArray[np.int64], after: Callable[[Trainer, float], dict[str, Any]]
    ) -> None:
        """Train on some phases up to the plan's last epoch. `after` is called with the mean loss at the end
        of each epoch, before it is saved, and returns the entry for the history."""
        steps = math.ceil(len(phases) / self.plan.batch)
        while self.epoch < self.plan.epochs:
            random = np.random.default_rng([self.plan.seed, self.epoch])
            shuffled = random.permutation(phases)
            total = 0.0
            for start in range(0, len(shuffled), self.plan.batch):
                some = shuffled[start : start + self.plan.batch]
                # Numbers in a row lie close together in the arrays.
                some.sort()
                dropped = Dropped(
                    random.random(len(some)) < self.plan.no_memory,
                    random.random(len(some)) < self.plan.no_names,
                )
                batch = make_batch(shards, some, dropped)
                known = self._some_known(batch, random) if self.net.sizes.rounds else None
                total += self._learn(batch.to(self.device), known, steps * self.plan.epochs)
            self.epoch += 1
            self.history.append(after(self, total / steps))
            self._save()

    def _some_known(self, batch: Batch, random: np.random.Generator) -> Known:
        """A random part of the units of each power, from none to all, as known."""
        share = random.random(len(batch.powers))[batch.sample.numpy()]
        return known_among(batch, random.random(len(share)) < share, len(self.net.mean))

    def _learn(self, batch: Batch, beside: Known | None, steps: int) -> float:
        """One step; returns the loss. With some known orders, the others are predicted without and with
        them."""
        rate = self.plan.rate * min(1.0, (self.step + 1) / min(self.plan.warm, 1 + steps // 20))
        rate *= 0.5 + 0.5 * math.cos(math.pi * self.step / steps)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        if beside is None:
            base, score = self.net(batch)
        else:
            base, score, others = self.net.beside(batch, beside)
        known = batch.label >= 0
        label = batch.label[known]
        first, second = by_choice(base, batch), by_choice(score, batch)
        missed = -second[label].sum()
        if beside is not None:
            third = by_choice(others, batch)
            missed = missed - third[batch.label[beside.wanted]].sum()
            if self.teachers:
                alone, next_to = self._expected(batch, beside)
                taught = _entropy(alone, second, known, batch) + _entropy(
                    next_to, third, beside.wanted, batch
                )
                missed = (1 - self.plan.taught) * missed + self.plan.taught * taught
        loss = (missed - self.plan.first * (first[label] * batch.movement[known]).sum()) / len(label)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        keep = min(self.plan.mean, self.step / (self.step + 10))
        with torch.no_grad():
            for mean, now in zip(self.average.parameters(), self.net.parameters(), strict=True):
                mean.lerp_(now, 1 - keep)
        return float(loss.detach())

    @torch.no_grad()
    def _expected(self, batch: Batch, beside: Known) -> tuple[torch.Tensor, torch.Tensor]:
        """The teachers' mean probabilities of every option, without and with the known orders."""
        alone, next_to = torch.zeros(2, len(batch.kind), device=self.device)
        for teacher in self.teachers:
            _, score, others = teacher.beside(batch, beside)
            alone += by_choice(score, batch).exp() / len(self.teachers)
            next_to += by_choice(others, batch).exp() / len(self.teachers)
        return alone, next_to


def _entropy(expected: torch.Tensor, logs: torch.Tensor, choices: torch.Tensor, batch: Batch) -> torch.Tensor:
    """The cross entropy of expected probabilities [O] and predicted ones, summed over some choices (bool
    [C])."""
    return -(expected * logs * choices.index_select(0, batch.choice)).sum()
