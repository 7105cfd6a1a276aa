"""Interactions between the orders of one power: pairwise weights, fitted with the net fixed.

Units are in the order of their most certain option, as in the core (`bordeaux._ext.net.set_odds`). The
options of each are scored given the orders of the units before it. A pair of orders has one of twenty
relations. Their weights and the sharpness of the scores are fitted to maximise the likelihood of people's
sets. That is a convex problem, and a small one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.batches import CONVOY_OWN, HOLD_OWN, MOVE_OWN
from training.known import LEAST, RELATIONS, relations
from training.loop import batches
from training.model import Net, log_softmax
from training.shards import MOVEMENT, Shards

#: The ridge that keeps weights of rare relations near 0.
RIDGE = 1e-4


class Fitted(NamedTuple):
    """The factor of the scores and the weights of the relations, float32 [1] and [20]."""

    sharpness: NDArray[np.float32]
    relation: NDArray[np.float32]


class Beside(NamedTuple):
    """Options of units given those chosen before: float32 scores [O] with the permitted inputs of the second
    pass, and the number of others in each relation [O, 20]. Also the unit of each option [O], and the actual
    option of each unit [C]."""

    score: torch.Tensor
    related: torch.Tensor
    choice: torch.Tensor
    label: torch.Tensor


def relations_to(
    options: NDArray[np.int64], others: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
    """For options [n, 4] and the chosen options of other units [m, 4], each kind, source, goal and other:
    (the number of others in each relation [n, 20], whether the unit that an option helps is among them [n],
    and whether it does what is helped [n])."""
    each_relation = relations(options.T[:, :, None], others.T[:, None])
    related = np.stack([relation.sum(1) for relation in each_relation], axis=1).astype(np.float32)
    own_help = np.isin(options[:, 0], (HOLD_OWN, MOVE_OWN, CONVOY_OWN))
    known = own_help & (options[:, 3:] == others[:, 1]).any(1)
    return related, known, np.asarray(related[:, [4, 6, 12]].any(1))


@torch.no_grad()
def beside_others(net: Net, shards: Shards, phases: NDArray[np.int64]) -> Beside:
    """The options of all powers whose orders are known in some movement phases; other phases are left out."""
    device = next(net.parameters()).device
    weight = net.second[:, 0].cpu().numpy()
    scores, related, counts, labels = [], [], [], []
    begun = 0
    for _, batch in batches(shards, phases[shards.phases[phases, 2] == MOVEMENT], 128):
        batch = batch.to(device)
        base = net.base(batch)
        q = net.passes(batch, base)
        score = (base + net.weighed(batch, q)).cpu().numpy()
        chance = q[:, 0].cpu().numpy()
        n = len(net.mean)
        kind, source, goal = (
            tensor.cpu().numpy() for tensor in (batch.kind, batch.own_source % n, batch.own_goal % n)
        )
        helped = batch.helped.cpu().numpy()
        other = np.where(helped < len(batch.powers) * n, helped % n, source)
        options = np.stack([kind, source, goal, other], axis=1)
        sample, label = batch.sample.cpu().numpy(), batch.label.cpu().numpy()
        ends = np.append(batch.first.cpu().numpy(), len(score))
        for chosen_by in np.split(np.arange(len(sample)), np.flatnonzero(np.diff(sample)) + 1):
            if label[chosen_by[0]] < 0:
                continue
            by_unit = [score[ends[choice] : ends[choice + 1]] for choice in chosen_by]
            surest = [-1 / np.exp(part - part.max()).sum() for part in by_unit]
            given = np.empty((0, 4), np.int64)
            for choice in chosen_by[np.argsort(surest, kind="stable")]:
                own = slice(ends[choice], ends[choice + 1])
                pairs, known, does = relations_to(options[own], given)
                log_helps = np.where(known, np.where(does, 0.0, LEAST), chance[own])
                scores.append(score[own] + weight[kind[own]] * (log_helps - chance[own]))
                related.append(pairs)
                labels.append(begun + label[choice] - ends[choice])
                counts.append(ends[choice + 1] - ends[choice])
                begun += counts[-1]
                given = np.concatenate([given, options[label[choice]][None]])
    return Beside(
        torch.from_numpy(np.concatenate(scores).astype(np.float32)),
        torch.from_numpy(np.concatenate(related)),
        torch.from_numpy(np.repeat(np.arange(len(counts)), counts)),
        torch.from_numpy(np.array(labels)),
    )


def likelihood(beside: Beside, sharpness: torch.Tensor, relation: torch.Tensor) -> torch.Tensor:
    """The mean log probability of a unit's order, given the orders of the units before it."""
    logits = sharpness * beside.score + beside.related @ relation
    return log_softmax(logits, beside.choice, len(beside.label))[beside.label].mean()


def fit(beside: Beside) -> Fitted:
    """The temperature factor and the weights that maximise the likelihood of people's sets."""
    sharpness, relation = torch.ones(1, requires_grad=True), torch.zeros(RELATIONS, requires_grad=True)
    optimizer = torch.optim.LBFGS([sharpness, relation], max_iter=60, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        value = RIDGE * relation.square().sum() - likelihood(beside, sharpness, relation)
        value.backward()
        return value

    optimizer.step(loss)
    return Fitted(sharpness.detach().numpy(), relation.detach().numpy())
