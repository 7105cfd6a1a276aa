"""How well a net predicts orders that it was not trained on."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from training.batches import Batch, members
from training.loop import batches
from training.model import Net, by_choice
from training.shards import MOVEMENT, RETREAT, WINTER, Shards

NAMES = {MOVEMENT: "movement", RETREAT: "retreats", WINTER: "winter"}


@torch.no_grad()
def figures(
    net: Net,
    shards: Shards,
    phases: NDArray[np.int64],
    *,
    memory: bool = True,
    names: bool = True,
    size: int = 128,
) -> dict[str, float]:
    """For each kind of phase: the share of choices in which the most probable option was taken, and the mean
    log probability of the taken option. Also the share of powers with all choices right, and the share of
    right choices among units with an order.

    Winter's later choices are given the earlier builds or removals.
    """
    device = next(net.parameters()).device
    by_kind: dict[int, list[NDArray[np.float64]]] = {kind: [] for kind in NAMES}
    for numbers, batch in batches(shards, phases, size, memory, names):
        right, chance = _judged(net, batch.to(device))
        label, sample, phase = batch.label.numpy(), batch.sample.numpy(), batch.phase_of_sample.numpy()
        known = label >= 0
        ordered = shards.choices[members(shards.first_choice, members(shards.first_sample, numbers)[0])[0], 2]
        kinds = shards.phases[numbers, 2][phase[sample]]
        for kind in NAMES:
            mine = known & (kinds == kind)
            # A power is right as a whole where none of its choices is wrong; its first choice speaks for it.
            wrong = np.bincount(sample[mine], ~right[mine], minlength=len(phase))
            firsts = np.zeros(len(sample), bool)
            firsts[np.unique(sample, return_index=True)[1]] = True
            whole = np.where(firsts, wrong[sample] == 0, np.nan)
            by_kind[kind].append(np.stack([right[mine], chance[mine], whole[mine], ordered[mine]]))
    result = {}
    for kind, name in NAMES.items():
        right, chance, whole, ordered = np.concatenate(by_kind[kind], axis=1)
        if len(right):
            result[f"{name}_accuracy"] = float(right.mean())
            result[f"{name}_log_likelihood"] = float(chance.mean())
            result[f"{name}_whole_sets"] = float(np.nanmean(whole))
            result[f"{name}_choices"] = len(right)
            result[f"{name}_ordered_accuracy"] = float(right[ordered > 0].mean())
    return result


def _judged(net: Net, batch: Batch) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """For each choice whether the most probable option was taken, and the log probability of the taken
    one."""
    log_p = by_choice(net(batch)[1], batch)
    top = log_p.new_full((len(batch.first),), -torch.inf).scatter_reduce(0, batch.choice, log_p, "amax")
    chance = log_p[batch.label.clamp(min=0)]
    return (chance >= top).cpu().numpy(), chance.double().cpu().numpy()


def as_text(named: dict[str, float]) -> str:
    """Figures as one line of text."""
    return ", ".join(
        f"{name} {100 * named[f'{name}_accuracy']:.2f} % ({named[f'{name}_log_likelihood']:.3f} a choice,"
        f" {100 * named[f'{name}_whole_sets']:.1f} % whole,"
        f" {100 * named[f'{name}_ordered_accuracy']:.2f} % of what was ordered)"
        for name in NAMES.values()
        if f"{name}_accuracy" in named
    )
