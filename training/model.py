"""The net that predicts orders, as the core computes it (`bordeaux._ext.net.weights`), for training.

The input is a board as one power sees it. Rows of an input table are summed for each province, with two
rounds of message passing between neighbours, and as many further ones as a wide net has. Then each option is
scored from its source, its destination and the unit that it helps. In movement phases a second pass adds the
first pass's predictions of all moves. A wide net also scores options beside those orders of the power that
are known (`training.known`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from bordeaux.board.errors import BordeauxError
from bordeaux.formats.whole_files import write_arrays
from bordeaux.policy.net import FORMAT, load_net
from training.batches import CONVOY_OTHER, HOLD_OWN, KINDS, MOVE, MOVE_OWN, VIA, Batch
from training.known import LEAST, RELATIONS, Known
from training.shards import HOLD

if TYPE_CHECKING:
    from training.relations import Fitted

PATTERNS = 3
"""Rows of the table of patterns for each option."""

PASSES = 5
"""Numbers that the second pass weights, for each kind."""

SMALLEST = 1e-3
"""The number added to the mean square of a row before the root."""


class Sizes(NamedTuple):
    """Widths of the layers, of the options and of the table of orders, multiples of 8. A wide net also has
    the number of further rounds and the width of queries and messages between orders, a multiple of 8."""

    a: int = 32
    b: int = 32
    c: int = 32
    k: int = 16
    e: int = 16
    rounds: int = 0
    q: int = 0


SIZES = Sizes()
"""The sizes of the bundled net."""


class Net(nn.Module):
    """The net on a map; `adjacency` is a boolean [n, n], true where provinces are adjacent for any unit.
    `dropout` is that of the further rounds in training."""

    dropout = 0.0

    def __init__(
        self, n_rows: int, order_rows: int, pattern_rows: int, adjacency: torch.Tensor, sizes: Sizes = SIZES
    ) -> None:
        super().__init__()
        a, b, c, k, e, rounds, q = sizes
        self.sizes = sizes
        # The units that are helped are seen with all that a wide net has found out of them.
        o = c if rounds else a
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
        self.other, self.far = weights(o, k, scale=o**-0.5), weights(o, k, scale=o**-0.5)
        self.kind_bias = weights(KINDS, k, scale=0.3)
        self.kind_out = weights(KINDS, k, scale=k**-0.5)
        self.again = nn.Parameter(torch.zeros(2 * KINDS))
        self.kind_base = nn.Parameter(torch.zeros(KINDS))
        self.orders = weights(order_rows, e, scale=0.02)
        self.order_bias = nn.Parameter(torch.zeros(order_rows))
        self.pattern = nn.Parameter(torch.zeros(pattern_rows))
        self.context = weights(c, e, scale=c**-0.5)
        self.second = nn.Parameter(torch.zeros(KINDS, PASSES))
        if rounds:
            self.round_own = weights(rounds * c, c, scale=(c * rounds) ** -0.5)
            self.round_near = weights(rounds * c, c, scale=(c * rounds) ** -0.5)
            self.round_whole = weights(rounds * c, c, scale=(c * rounds) ** -0.5)
            self.round_bias = nn.Parameter(torch.zeros(rounds, c))
            self.fitting = nn.Parameter(torch.zeros(RELATIONS, KINDS))
            for name in ("ask", "tell"):
                setattr(self, f"{name}_source", weights(c, q, scale=0.1 * c**-0.5))
                setattr(self, f"{name}_goal", weights(c, q, scale=0.1 * c**-0.5))
                setattr(self, f"{name}_kind", weights(KINDS, q, scale=0.1))
                setattr(self, f"{name}_order", weights(order_rows, q, scale=0.02))

    def tables(self) -> list[nn.Parameter]:
        """The weights of names and patterns, of which a batch uses few."""
        wide = [self.ask_order, self.tell_order] if self.sizes.rounds else []
        return [self.input, self.orders, self.order_bias, self.pattern, *wide]

    def forward(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """(base, score) of every option, float [O]; outside movement phases the two are the same."""
        base = self.base(batch)
        return base, base + self.weighed(batch, self.passes(batch, base))

    def beside(self, batch: Batch, known: Known) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """(base, score, score given the known orders) of every option, float [O], by a wide net."""
        inner, outer = self.provinces(batch)
        base = self.scored(batch, inner, outer)
        passes = self.passes(batch, base)
        score = base + self.weighed(batch, passes)
        helps = passes[:, 0].index_select(0, known.helping)
        weight = self.second[:, 0].index_select(0, batch.kind.index_select(0, known.helping))
        others = score.index_add(0, known.helping, weight * (known.log_helped - helps))
        others = others.index_add(0, known.option, self.fitting.view(-1)[known.relation] * known.count)
        asked, telling = (
            self.shared(name, batch, outer, which) for name, which in (("ask", None), ("tell", known.chosen))
        )
        heard = telling.new_zeros(len(batch.powers), self.sizes.q).index_add(0, known.sample, telling)
        of_sample = batch.sample.index_select(0, batch.choice)
        return base, score, others + (asked * heard.index_select(0, of_sample)).sum(1)

    def shared(
        self, name: str, batch: Batch, outer: torch.Tensor, which: torch.Tensor | None
    ) -> torch.Tensor:
        """The queries or messages of some options (all, if None): float [o, q]."""

        def of(column: torch.Tensor) -> torch.Tensor:
            return column if which is None else column.index_select(0, which)

        source, goal, kind, order = (
            getattr(self, f"{name}_{part}") for part in ("source", "goal", "kind", "order")
        )
        sources, goals = self.across(outer, source), self.across(outer, goal)
        named = order.index_select(0, of(batch.order)) * of(batch.names)[:, None]
        return (
            sources.index_select(0, of(batch.source))
            + goals.index_select(0, of(batch.goal) % len(goals))
            + kind.index_select(0, of(batch.kind))
            + named
        )

    def base(self, batch: Batch) -> torch.Tensor:
        """The first pass: the independent score of each option, float [O]."""
        return self.scored(batch, *self.provinces(batch))

    def provinces(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
        """The input of each power for every province, float [N * n, a], and the final rows, float [N * n,
        c]."""
        n = len(self.mean)
        # Row 0 stands for what is not known: it adds nothing, and learns nothing.
        x = F.embedding_bag(batch.nodes, self.input, mode="sum", padding_idx=0).view(-1, n, self.sizes.a)
        h1 = F.relu(x + F.embedding_bag(batch.powers, self.input, mode="sum", padding_idx=0)[:, None])
        # A row for each province with all samples in it: so the sum over neighbours is one product.
        h = h1.transpose(0, 1)
        with self.faster():
            h = F.relu(h @ self.own2 + self.around(h @ self.near2) + self.bias2)
            h = F.relu(h @ self.own3 + self.around(h @ self.near3) + self.bias3)
            for own, near, whole, bias in self.further():
                x = _evened(h)
                change = F.relu(x @ own + self.around(x @ near) + (x.mean(0) @ whole + bias))
                if self.training and self.dropout:
                    # What is left out is left out of a whole board: so few numbers have to be drawn.
                    change = change * F.dropout(torch.ones_like(change[0]), self.dropout)
                h = h + change
            if self.sizes.rounds:
                h = _evened(h)
        return h1.flatten(0, 1), h.transpose(0, 1).flatten(0, 1)

    def faster(self) -> torch.autocast:
        """Arithmetic of 16 bits for the large products, in the training of a wide net."""
        kind = self.mean.device.type
        return torch.autocast(kind, torch.bfloat16, enabled=self.training and self.sizes.rounds > 0)

    def across(self, values: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
        """Provinces through a matrix, float [N * n + 1, out]; the last row, of no province, is 0."""
        with self.faster():
            out = values @ weights
        return F.pad(out.float(), (0, 0, 0, 1))

    def around(self, values: torch.Tensor) -> torch.Tensor:
        """The mean over the neighbours of every province, float [n, N, any]."""
        return (self.mean.to(values.dtype) @ values.flatten(1)).view(values.shape)

    def further(self) -> Iterator[tuple[torch.Tensor, ...]]:
        """The weights of each further round: own, near, whole, bias."""
        if self.sizes.rounds:
            c = self.sizes.c
            square = (
                weights.view(-1, c, c) for weights in (self.round_own, self.round_near, self.round_whole)
            )
            yield from zip(*square, self.round_bias, strict=True)

    def scored(self, batch: Batch, inner: torch.Tensor, outer: torch.Tensor) -> torch.Tensor:
        """The first pass from the rows of provinces (`provinces`), float [O]."""
        helping = outer if self.sizes.rounds else inner
        goals = torch.cat(
            [self.across(helping, self.far), self.across(outer, self.helped), self.across(outer, self.goal)]
        )
        helped, sources = self.across(helping, self.other), self.across(outer, self.source)
        kind = F.one_hot(batch.kind, KINDS).to(sources.dtype)
        z = F.relu(
            sources.index_select(0, batch.source)
            + goals.index_select(0, batch.goal)
            + helped.index_select(0, batch.helped)
            + kind @ self.kind_bias
        )
        base = (z @ self.kind_out.t() * kind).sum(1) + kind @ self.kind_base
        base = base.index_add(0, batch.again, self.again.index_select(0, batch.again_row))
        context = self.across(outer, self.context)
        named = (self.orders.index_select(0, batch.order) * context.index_select(0, batch.source)).sum(1)
        patterns = self.pattern.index_select(0, batch.pattern).view(-1, PATTERNS).sum(1)
        return base + batch.names * (named + self.order_bias.index_select(0, batch.order) + patterns)

    def weighed(self, batch: Batch, passes: torch.Tensor) -> torch.Tensor:
        """The addition of the second pass, float [O]; 0 outside movement phases."""
        kind = F.one_hot(batch.kind, KINDS).to(passes.dtype)
        return (kind @ self.second * passes).sum(1) * (batch.kind <= CONVOY_OTHER)

    def passes(self, batch: Batch, base: torch.Tensor) -> torch.Tensor:
        """The first pass's predictions of all moves, for every option: float [O, 5]."""
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
        p_holding = p.index_select(0, batch.holding) * (holds == HOLD_OWN)
        p_moving = p.index_select(0, batch.helping) * (moves == MOVE_OWN)
        held = summed(n_choices + 1, batch.held, p_holding)
        helped = summed((n_choices + 1) * n, batch.going, p_moving)
        is_move = (batch.kind == MOVE) | (batch.kind == VIA)
        supported = helped.index_select(0, batch.unit_goal) * is_move + held.index_select(0, batch.choice) * (
            batch.kind == HOLD
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


def _evened(rows: torch.Tensor) -> torch.Tensor:
    """Rows divided by their root mean square."""
    return rows * torch.rsqrt(rows.float().square().mean(-1, keepdim=True) + SMALLEST).to(rows.dtype)


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


def save_weights(path: Path, net: Net, fitted: Fitted, header: dict[str, Any]) -> None:
    """Write a net, with the fitted relations, as ``.npz``, atomically.

    The header is JSON as an array of bytes; ``format`` and ``kind`` are added to it. Raises OSError.
    """
    arrays = {
        name: tensor.detach().cpu().numpy().astype(np.float16) for name, tensor in net.named_parameters()
    }
    # The row of what is not known.
    arrays["input"][0] = 0
    arrays["sharpness"] = fitted.sharpness.astype(np.float16)
    arrays["relation"] = fitted.relation.astype(np.float16)
    write_arrays(path, {"format": FORMAT, "kind": "policy", **header}, arrays)


def sizes_in(path: Path) -> Sizes:
    """The widths of the net in a file. Raises PolicyError for an invalid file."""
    rounds = load_net(path).rounds
    with np.load(path, allow_pickle=False) as file:
        widths = [file[name].shape[1] for name in ("input", "own2", "own3", "source", "orders")]
        return Sizes(*widths)._replace(rounds=rounds, q=file["ask_kind"].shape[1] if rounds else 0)


def begin_with(net: Net, path: Path) -> None:
    """Give a net the weights of a file. Raises PolicyError for an invalid file, and BordeauxError if the net
    has other shapes."""
    load_net(path)
    with np.load(path, allow_pickle=False) as file, torch.no_grad():
        for name, tensor in net.named_parameters():
            if file[name].shape != tuple(tensor.shape):
                raise BordeauxError(f"{path}: {name} has shape {file[name].shape}, not {tuple(tensor.shape)}")
            tensor.copy_(torch.from_numpy(file[name].astype(np.float32)))
