"""The net that predicts orders, as the core computes it (`bordeaux._ext.net`), for training.

The input is a board as one power sees it. Rows of an input table are summed for each province, with two
rounds of message passing between neighbours. Then each option is scored from its source, its destination
and the unit that it helps. In movement phases a second pass adds the first pass's predictions of all moves.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

from training.batches import KINDS, Batch

__all__ = ["LEAST", "PASSES", "SIZES", "Net", "Sizes", "by_choice", "log_softmax"]

PATTERNS = 3
"""Rows of the table of patterns for each option."""

PASSES = 5
"""Numbers that the second pass weighs, for each kind."""

LEAST = -6.0
"""The least logarithm of a chance in the second pass."""

_HOLD, _MOVE, _VIA, _HOLD_OWN, _MOVE_OWN, _LAST_MOVEMENT = 0, 1, 2, 3, 5, 8


class Sizes(NamedTuple):
    """Widths of the layers, of the options and of the table of orders; multiples of 8."""

    a: int = 32
    b: int = 32
    c: int = 32
    k: int = 16
    e: int = 16


SIZES = Sizes()
"""Those of the net that Bordeaux comes with."""


class Net(nn.Module):
    """The net on a map; `adjacency` is a boolean [n, n], true where provinces touch for any unit."""

    def __init__(
        self,
        n_rows: int,
        order_rows: int,
        pattern_rows: int,
        adjacency: torch.Tensor,
        sizes: Sizes = SIZES,
    ) -> None:
        super().__init__()
        a, b, c, k, e = sizes
        self.sizes = sizes
        touching = adjacency.float()
        self.register_buffer("mean", touching / touching.sum(1, keepdim=True).clamp(min=1), persistent=False)

        def weights(*shape: int, scale: float) -> nn.Parameter:
            return nn.Parameter(torch.randn(*shape) * scale)

        self.input = weights(n_rows, a, scale=0.1)
        self.own2, self.near2 = weights(a, b, scale=a**-0.5), weights(a, b, scale=a**-0.5)
        self.own3, self.near3 = weights(b, c, scale=b**-0.5), weights(b, c, scale=b**-0.5)
        self.bias2, self.bias3 = nn.Parameter(torch.zeros(b)), nn.Parameter(torch.zeros(c))
        self.source, self.goal = weights(c, k, scale=c**-0.5), weights(c, k, scale=c**-0.5)
        self.helped = weights(c, k, scale=c**-0.5)
        self.other, self.far = weights(a, k, scale=a**-0.5), weights(a, k, scale=a**-0.5)
        self.kind_bias = weights(KINDS, k, scale=0.3)
        self.kind_out = weights(KINDS, k, scale=k**-0.5)
        self.again = nn.Parameter(torch.zeros(2 * KINDS))
        self.kind_base = nn.Parameter(torch.zeros(KINDS))
        self.orders = weights(order_rows, e, scale=0.02)
        self.order_bias = nn.Parameter(torch.zeros(order_rows))
        self.pattern = nn.Parameter(torch.zeros(pattern_rows))
        self.context = weights(c, e, scale=c**-0.5)
        self.second = nn.Parameter(torch.zeros(KINDS, PASSES))

    def forward(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """(base, score) of every option, float [O]; outside movement phases the two are the same."""
        base = self.base(batch)
        return base, base + self.weighed(batch, self.passes(batch, base))

    def base(self, batch: Batch) -> torch.Tensor:
        """The first pass: what each option is worth by itself, float [O]."""
        n = len(self.mean)
        # Row 0 stands for what is not known: it adds nothing, and learns nothing.
        x = F.embedding_bag(batch.nodes, self.input, mode="sum", padding_idx=0).view(-1, n, self.sizes.a)
        h1 = F.relu(x + F.embedding_bag(batch.powers, self.input, mode="sum", padding_idx=0)[:, None])
        h2 = F.relu(h1 @ self.own2 + self.mean @ (h1 @ self.near2) + self.bias2)
        h3 = F.relu(h2 @ self.own3 + self.mean @ (h2 @ self.near3) + self.bias3)
        h1, h3 = h1.flatten(0, 1), h3.flatten(0, 1)
        nothing = h1.new_zeros(1, self.sizes.k)
        goals = torch.cat([h1 @ self.far, nothing, h3 @ self.helped, nothing, h3 @ self.goal, nothing])
        helped = torch.cat([h1 @ self.other, nothing])
        sources = torch.cat([h3 @ self.source, nothing])
        kind = F.one_hot(batch.kind, KINDS).to(h1.dtype)
        z = F.relu(
            sources.index_select(0, batch.source)
            + goals.index_select(0, batch.goal)
            + helped.index_select(0, batch.helped)
            + kind @ self.kind_bias
        )
        base = (z @ self.kind_out.t() * kind).sum(1) + kind @ self.kind_base
        base = base.index_add(0, batch.again, self.again.index_select(0, batch.again_row))
        context = torch.cat([h3 @ self.context, h3.new_zeros(1, self.sizes.e)])
        named = (self.orders.index_select(0, batch.order) * context.index_select(0, batch.source)).sum(1)
        patterns = self.pattern.index_select(0, batch.pattern).view(-1, PATTERNS).sum(1)
        return base + batch.names * (named + self.order_bias.index_select(0, batch.order) + patterns)

    def weighed(self, batch: Batch, passes: torch.Tensor) -> torch.Tensor:
        """What the second pass adds, float [O]; 0 outside movement phases."""
        kind = F.one_hot(batch.kind, KINDS).to(passes.dtype)
        return (kind @ self.second * passes).sum(1) * (batch.kind <= _LAST_MOVEMENT)

    def passes(self, batch: Batch, base: torch.Tensor) -> torch.Tensor:
        """What the first pass says of the moves of all, for every option: float [O, 5]."""
        n, n_choices = len(self.mean), len(batch.first)
        p = by_choice(base, batch).exp()

        def summed(size: int, index: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
            return p.new_zeros(size).index_add(0, index, values)

        mass = p.index_select(0, batch.moves)
        # One more choice, which is nobody's.
        m = summed((n_choices + 1) * n, batch.movers, mass)
        stay = 1 - summed(n_choices + 1, batch.choice.index_select(0, batch.moves), mass)
        own = summed(len(batch.powers) * n, batch.own_goal.index_select(0, batch.moves), mass)
        everybody = summed(batch.n_phases * n, batch.all_goal.index_select(0, batch.moves), mass)
        least = math.exp(LEAST)
        chance = summed(
            len(base), batch.holding, stay.index_select(0, batch.held).clamp(min=least).log()
        ).index_add(0, batch.helping, m.index_select(0, batch.going).clamp(min=least).log())
        holds, moves = batch.kind.index_select(0, batch.holding), batch.kind.index_select(0, batch.helping)
        p_holding = p.index_select(0, batch.holding) * (holds == _HOLD_OWN)
        p_moving = p.index_select(0, batch.helping) * (moves == _MOVE_OWN)
        held = summed(n_choices + 1, batch.held, p_holding)
        helped = summed((n_choices + 1) * n, batch.going, p_moving)
        is_move = (batch.kind == _MOVE) | (batch.kind == _VIA)
        supported = helped.index_select(0, batch.unit_goal) * is_move + held.index_select(0, batch.choice) * (
            batch.kind == _HOLD
        )
        ours = own.index_select(0, batch.own_goal)
        return torch.stack(
            [
                chance,
                ours - m.index_select(0, batch.unit_goal),
                everybody.index_select(0, batch.all_goal) - ours,
                everybody.index_select(0, batch.all_source) - own.index_select(0, batch.own_source),
                supported,
            ],
            dim=1,
        )


def by_choice(scores: torch.Tensor, batch: Batch) -> torch.Tensor:
    """The logarithms of the softmax of scores over the options of each choice, float [O]."""
    return log_softmax(scores, batch.choice, len(batch.first))


def log_softmax(scores: torch.Tensor, part: torch.Tensor, n: int) -> torch.Tensor:
    """The logarithms of the softmax of scores [O] over each of `n` parts, `part` [O] being the part of
    each."""
    with torch.no_grad():
        top = scores.new_full((n,), -torch.inf).scatter_reduce(0, part, scores, "amax")
    lowered = scores - top.index_select(0, part)
    total = scores.new_zeros(n).index_add(0, part, lowered.exp())
    return lowered - total.log().index_select(0, part)
