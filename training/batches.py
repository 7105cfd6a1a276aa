"""Batches of whole phases for the net, with random omissions."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from training.shards import MOVEMENT, NODE_ROWS, POWER_ROWS, WAIVE, Shards

KINDS = 15
"""Kinds of options (`bordeaux._ext.net.options`)."""

MEMORY_COLUMNS = slice(5, 8)
POWER_MEMORY = slice(4, 6)
NAME_COLUMNS = slice(8, 12)
MOVE, VIA, HOLD_OWN, HOLD_OTHER, MOVE_OWN, MOVE_OTHER, CONVOY_OWN, CONVOY_OTHER = range(1, 9)
#: The table of goals for an option, by its kind: 0 far, 1 helped, 2 goal.
GOAL_TABLE = np.array([2, 2, 0, 1, 1, 1, 1, 0, 0, 2, 2, 2, 2, 2, 2])


@dataclass(frozen=True)
class Dropped:
    """The phases whose memory is dropped, and those whose names of provinces are: booleans by phase."""

    memory: NDArray[np.bool_]
    names: NDArray[np.bool_]


@dataclass
class Batch:
    """N samples, C choices and O options of some phases, n provinces each; all numbers are indices within the
    batch.

    A node is a province from the view of a sample, sample * n + province; N * n means none. The choice C
    means no choice.
    """

    nodes: torch.Tensor  # int32 [N * n, 12], rows of the input table
    powers: torch.Tensor  # int32 [N, 6]
    names: torch.Tensor  # float [O], 1 where the table of orders counts
    kind: torch.Tensor  # [O]
    source: torch.Tensor  # [O] node
    goal: torch.Tensor  # [O] node, with the table that its kind looks to: table * (N * n + 1) + node
    helped: torch.Tensor  # [O] node of the unit helped
    again: torch.Tensor  # options that are the unit's last order again, or its way back
    again_row: torch.Tensor  # their rows of that table
    order: torch.Tensor  # [O] row of the table of orders
    pattern: torch.Tensor  # int32 [O * 3] rows of the table of patterns
    choice: torch.Tensor  # [O]
    first: torch.Tensor  # [C] first option
    sample: torch.Tensor  # [C]
    label: torch.Tensor  # [C] option taken, -1 where not known
    movement: torch.Tensor  # bool [C]
    moves: torch.Tensor  # options that are moves of movement phases
    movers: torch.Tensor  # their choice * n + goal
    own_goal: torch.Tensor  # [O] sample * n + goal
    own_source: torch.Tensor  # [O] sample * n + source
    all_goal: torch.Tensor  # [O] phase * n + goal
    all_source: torch.Tensor  # [O] phase * n + source
    unit_goal: torch.Tensor  # [O] choice * n + goal
    holding: torch.Tensor  # options that support a unit where it stands
    held: torch.Tensor  # their helped units' choices
    helping: torch.Tensor  # options that support or convoy a move
    going: torch.Tensor  # the helped unit's choice * n + goal of these
    n_phases: int
    phase_of_sample: torch.Tensor  # [N]

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""
        if device.type == "cpu":
            return self
        moved = {
            field.name: value.to(device)
            if isinstance(value := getattr(self, field.name), torch.Tensor)
            else value
            for field in dataclasses.fields(self)
        }
        return Batch(**moved)


def members(
    first: NDArray[np.int64], numbers: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All members of some parents, given the first member of each parent: (their numbers, the index in
    `numbers` of each one's parent)."""
    starts, counts = first[numbers], first[numbers + 1] - first[numbers]
    parent = np.repeat(np.arange(len(numbers)), counts)
    offsets = np.cumsum(counts) - counts
    return np.arange(counts.sum()) - offsets[parent] + starts[parent], parent


def make_batch(shards: Shards, phases: NDArray[np.int64], dropped: Dropped) -> Batch:
    """The phases with these numbers as one batch; `dropped` has a place for each of them."""
    n = (shards.rows.shape[1] - POWER_ROWS) // NODE_ROWS
    samples, phase_of_sample = members(shards.first_sample, phases)
    choices, sample = members(shards.first_choice, samples)
    options, choice = members(shards.first_option, choices)
    rows = shards.rows[samples].astype(np.int32)
    powers = rows[:, n * NODE_ROWS :]
    nodes = rows[:, : n * NODE_ROWS].reshape(len(samples), n, NODE_ROWS)
    nodes[dropped.memory[phase_of_sample], :, MEMORY_COLUMNS] = 0
    powers[dropped.memory[phase_of_sample], POWER_MEMORY] = 0
    nodes[dropped.names[phase_of_sample], :, NAME_COLUMNS] = 0
    kind, source, goal, other, again = shards.option[options].astype(np.int64).T
    of_sample = sample[choice]
    of_phase = phase_of_sample[of_sample]
    none, waived = len(samples) * n, kind == WAIVE
    own_goal, own_source = of_sample * n + goal, of_sample * n + source
    movement = shards.phases[phases, 2][phase_of_sample[sample]] == MOVEMENT
    first = np.cumsum(shards.choices[choices, 0], dtype=np.int64) - shards.choices[choices, 0]
    label = shards.choices[choices, 1].astype(np.int64)
    unit_at = np.full(len(phases) * n, len(choices))
    unit_at[(of_phase * n + source)[first][movement]] = np.flatnonzero(movement)
    helped_unit = unit_at[of_phase * n + other]
    moves = np.flatnonzero((kind == MOVE) | (kind == VIA))
    holding = np.flatnonzero((kind == HOLD_OWN) | (kind == HOLD_OTHER))
    helping = np.flatnonzero((kind >= MOVE_OWN) & (kind <= CONVOY_OTHER))
    helps = (kind >= HOLD_OWN) & (kind <= CONVOY_OTHER)
    repeats = np.flatnonzero((again > 0) & ~dropped.memory[of_phase])
    arrays = {
        "nodes": nodes.reshape(-1, NODE_ROWS),
        "powers": powers,
        "names": (~dropped.names[of_phase] & ~waived).astype(np.float32),
        "kind": kind,
        "source": np.where(waived, none, own_source),
        "goal": GOAL_TABLE[kind] * (none + 1) + np.where(waived, none, own_goal),
        "helped": np.where(helps, of_sample * n + other, none),
        "again": repeats,
        "again_row": (again[repeats] - 1) * KINDS + kind[repeats],
        "order": shards.order[options].astype(np.int32),
        "pattern": shards.pattern[options].astype(np.int32).reshape(-1),
        "choice": choice,
        "first": first,
        "sample": sample,
        "label": np.where(label >= 0, first + label, -1),
        "movement": movement,
        "moves": moves,
        "movers": choice[moves] * n + goal[moves],
        "own_goal": own_goal,
        "own_source": own_source,
        "all_goal": of_phase * n + goal,
        "all_source": of_phase * n + source,
        "unit_goal": choice * n + goal,
        "holding": holding,
        "held": helped_unit[holding],
        "helping": helping,
        "going": helped_unit[helping] * n + goal[helping],
        "phase_of_sample": phase_of_sample,
    }
    tensors = {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}
    return Batch(**tensors, n_phases=len(phases))
