"""Orders of a power that are known while its other units are scored: how a wide net learns consistent sets.

In training, some units of every power are taken as known, and the others are predicted given these. In use
the units are decided one after the other, each given those before it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.batches import CONVOY_OWN, HOLD_OWN, KINDS, MOVE, MOVE_OTHER, MOVE_OWN, VIA, Batch

RELATIONS = 20
"""The number of possible relations of two orders of one power (`training.relations`)."""

LEAST = -6.0
"""The smallest log probability in the second pass, for an option that contradicts a known order."""


@dataclass
class Known:
    """The known orders of a batch, by the indices of the batch.

    `wanted` [C] has the choices that are predicted given the known ones, `chosen` the known options, with the
    `sample` of each. Options `helping` help a unit with a known order: `log_helped` is 0 if that is the
    helped order, -6 if not. An `option` has a `relation`, relation * 15 + kind, to a number of known orders
    (`count`).
    """

    wanted: torch.Tensor
    chosen: torch.Tensor
    sample: torch.Tensor
    helping: torch.Tensor
    log_helped: torch.Tensor
    option: torch.Tensor
    relation: torch.Tensor
    count: torch.Tensor


def known_among(batch: Batch, choices: NDArray[np.bool_], n: int) -> Known:
    """The effects of the known choices [C] on the others; `n` is the number of provinces. Only choices of
    movement phases with a known order count."""
    kind, choice, sample = batch.kind.numpy(), batch.choice.numpy(), batch.sample.numpy()
    label, movement = batch.label.numpy(), batch.movement.numpy()
    known = choices & (label >= 0) & movement
    chosen = label[known]
    samples = len(batch.powers)
    goal, source = batch.own_goal.numpy(), batch.own_source.numpy()
    # Of whatever helps nobody the unit itself is the other one.
    helped = batch.helped.numpy()
    other = np.where(helped < samples * n, helped, source)

    # Every open option beside every known order of its sample.
    order = np.argsort(sample[known], kind="stable")
    chosen_of = np.bincount(sample[known], minlength=samples)
    begin = np.cumsum(chosen_of) - chosen_of
    asked = np.flatnonzero(~known[choice] & movement[choice] & (chosen_of[sample[choice]] > 0))
    of = sample[choice[asked]]
    row = np.repeat(np.arange(len(asked)), chosen_of[of])
    within = np.arange(len(row)) - np.repeat(np.cumsum(chosen_of[of]) - chosen_of[of], chosen_of[of])
    beside = chosen[order[begin[of[row]] + within]]
    columns = np.stack([kind, source, goal, other])
    pairs = relations(columns[:, asked[row]], columns[:, beside])
    counts = [np.bincount(row[pair], minlength=len(asked)) for pair in pairs]
    related = np.stack(counts, axis=1).astype(np.float32)
    own_help = np.isin(kind[asked], (HOLD_OWN, MOVE_OWN, CONVOY_OWN))
    does = related[:, [4, 6, 12]].max(1) > 0
    helping = own_help & (related[:, [4, 5, 6, 7, 12, 13]].max(1) > 0)
    row, relation = np.nonzero(related)

    def tensor(array: NDArray[np.generic]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array))

    return Known(
        wanted=tensor(~known & (label >= 0)),
        chosen=tensor(chosen),
        sample=tensor(sample[known]),
        helping=tensor(asked[helping]),
        log_helped=tensor(np.where(does[helping], 0.0, LEAST).astype(np.float32)),
        option=tensor(asked[row]),
        relation=tensor(relation * KINDS + kind[asked[row]]),
        count=tensor(related[row, relation]),
    )


def relations(option: NDArray[np.int64], beside: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """Whether an option has each relation to the order of another unit of its power. Both are kind, source,
    goal and other along the first axis, and the rest of their shapes fits by the rules of NumPy."""
    kind, source, goal, other = option
    j_kind, j_source, j_goal, j_other = beside
    moves, j_moves = (kind == MOVE) | (kind == VIA), (j_kind == MOVE) | (j_kind == VIA)
    enters, back, same = goal == j_source, j_goal == source, goal == j_goal
    helps, helped = other == j_source, j_other == source
    goes, j_goes = moves & same, j_moves & same
    holds_own, moves_own, convoys_own = kind == HOLD_OWN, kind == MOVE_OWN, kind == CONVOY_OWN
    j_holds_own, j_moves_own, j_convoys_own = j_kind == HOLD_OWN, j_kind == MOVE_OWN, j_kind == CONVOY_OWN
    supports = (kind >= HOLD_OWN) & (kind <= MOVE_OTHER) & (j_kind >= HOLD_OWN) & (j_kind <= MOVE_OTHER)
    both = moves & j_moves
    return [
        both & same,
        moves & ~j_moves & enters,
        both & enters & ~back,
        both & enters & back,
        moves_own & helps & j_goes,
        moves_own & helps & ~j_goes,
        holds_own & helps & ~j_moves,
        holds_own & helps & j_moves,
        j_moves_own & helped & goes,
        j_moves_own & helped & ~goes,
        j_holds_own & helped & ~moves,
        j_holds_own & helped & moves,
        convoys_own & helps & j_goes,
        convoys_own & helps & ~j_goes,
        j_convoys_own & helped & goes,
        j_convoys_own & helped & ~goes,
        supports & (other == j_other) & same,
        (kind == MOVE_OTHER) & enters & ~j_moves,
        ~moves & j_moves & back,
        both & back & ~enters,
    ]
