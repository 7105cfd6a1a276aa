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

__all__ = ["LEAST", "RELATIONS", "Known", "known_among"]

RELATIONS = 20
"""The number of possible relations of two orders of one power (`training.relations`)."""

LEAST = -6.0
"""The smallest log probability in the second pass, for an option that contradicts a known order."""


@dataclass
class Known:
    """The known orders of a batch, by the indices of the batch.

    `open` [C] has the choices that are predicted given the known ones, `chosen` the known options, with the
    `sample` of each. Options `helping` help a unit with a known order: `told` is 0 if that is the helped
    order, -6 if not. An `option` has a `relation`, relation * 15 + kind, to a number of known orders
    (`count`).
    """

    open: torch.Tensor
    chosen: torch.Tensor
    sample: torch.Tensor
    helping: torch.Tensor
    told: torch.Tensor
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

    told_anything = np.isin(sample[choice], sample[known])
    asked = np.flatnonzero(~known[choice] & movement[choice] & told_anything)
    related = _related(kind, source, goal, other, chosen, asked, samples, n)
    own_help = np.isin(kind[asked], (HOLD_OWN, MOVE_OWN, CONVOY_OWN))
    does = related[:, [4, 6, 12]].max(1) > 0
    helping = own_help & (related[:, [4, 5, 6, 7, 12, 13]].max(1) > 0)
    row, relation = np.nonzero(related)

    def tensor(array: NDArray[np.generic]) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array))

    return Known(
        open=tensor(~known & (label >= 0)),
        chosen=tensor(chosen),
        sample=tensor(sample[known]),
        helping=tensor(asked[helping]),
        told=tensor(np.where(does[helping], 0.0, LEAST).astype(np.float32)),
        option=tensor(asked[row]),
        relation=tensor(relation * KINDS + kind[asked[row]]),
        count=tensor(related[row, relation]),
    )


def _related(
    kind: NDArray[np.int64],
    source: NDArray[np.int64],
    goal: NDArray[np.int64],
    other: NDArray[np.int64],
    chosen: NDArray[np.int64],
    asked: NDArray[np.int64],
    samples: int,
    n: int,
) -> NDArray[np.float32]:
    """The number of chosen orders of its power in each relation to each open option: float32 [o, 20]."""
    nodes = samples * n
    there = np.full(nodes, -1)
    there[source[chosen]] = chosen
    kinds = kind[chosen]
    going = chosen[(kinds == MOVE) | (kinds == VIA)]
    arriving = np.bincount(goal[going], minlength=nodes)

    def helps(which: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Known help of a kind: by the unit helped, and by unit and goal."""
        these = chosen[which]
        return (
            np.bincount(other[these], minlength=nodes),
            np.bincount(other[these] * n + goal[these] % n, minlength=nodes * n),
        )

    of_moves, of_move = helps(kinds == MOVE_OWN)
    of_holds, _ = helps(kinds == HOLD_OWN)
    of_convoys, of_convoy = helps(kinds == CONVOY_OWN)
    _, of_any = helps((kinds >= HOLD_OWN) & (kinds <= MOVE_OTHER))
    k, s, g, o = kind[asked], source[asked], goal[asked], other[asked]
    moves = (k == MOVE) | (k == VIA)
    at_goal, at_other = there[g], there[o]

    def is_going(option: NDArray[np.int64]) -> NDArray[np.bool_]:
        return (option >= 0) & ((kind[option] == MOVE) | (kind[option] == VIA))

    goal_moves, other_moves = is_going(at_goal), is_going(at_other)
    back = goal_moves & (goal[at_goal] == s)
    does = other_moves & (goal[at_other] == g)
    helper = at_other >= 0
    moving, holding, convoying = (
        (k == MOVE_OWN) & helper,
        (k == HOLD_OWN) & helper,
        (k == CONVOY_OWN) & helper,
    )
    supports = (k >= HOLD_OWN) & (k <= MOVE_OTHER)
    own_move = s * n + g % n
    columns = [
        moves * arriving[g],
        moves & (at_goal >= 0) & ~goal_moves,
        moves & goal_moves & ~back,
        moves & back,
        moving & does,
        moving & ~does,
        holding & ~other_moves,
        holding & other_moves,
        moves * of_move[own_move],
        of_moves[s] - moves * of_move[own_move],
        ~moves * of_holds[s],
        moves * of_holds[s],
        convoying & does,
        convoying & ~does,
        moves * of_convoy[own_move],
        of_convoys[s] - moves * of_convoy[own_move],
        supports * of_any[o * n + g % n],
        (k == MOVE_OTHER) & (at_goal >= 0) & ~goal_moves,
        ~moves * arriving[s],
        moves * arriving[s] - (moves & back),
    ]
    return np.stack(columns, axis=1).astype(np.float32)
