"""The registry of proposers: functions that draw candidate sets of orders for one power.

A new proposer is a function and its line in `PROPOSERS`; a net needs no line, as its file is a name as well.
`LearntConfig.proposers` gives the number of sets of each, as ``league=27+people=13``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import as_bytes, codes_in, kind_of, target_of, unit_of
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.agreements import REDRAWN, Bonds
from bordeaux.search.beliefs import MODELS, OpponentSampler, check_model, heated, is_file
from bordeaux.search.bestfirst import ALL_MAXIMS, Maxims, found_from, search_space
from bordeaux.search.models import FAST, HOLD, SEARCH
from bordeaux.search.sets import in_full

__all__ = [
    "IDEA_OF",
    "NEEDED",
    "PROPOSERS",
    "SEARCHING",
    "Proposal",
    "ProposalContext",
    "Proposer",
    "proposer",
]

#: Samples of the others' orders against which the best-first search evaluates, nodes for each requested set,
#: and sets from one seed.
BACKGROUNDS, NODES_OF_SET, SETS_OF_SEED = 8, 150, 4


@dataclass(frozen=True)
class ProposalContext:
    """The input of proposers: the sampler of models in a position, and `seeds`, sets that were suggested,
    promised or given before, by power (bytes of codes). A proposer that searches evaluates with `value`, and
    meets what is `expected` of all others: some joint orders, or draws of the beliefs if there are none."""

    sampler: OpponentSampler
    seeds: Mapping[str, list[bytes]]
    value: Valuer
    expected: Sequence[bytes] = ()

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self.sampler.position

    @property
    def bonds(self) -> Bonds:
        """The obligations from agreements."""
        return self.sampler.bonds

    def sound(self, power: str, orders: bytes) -> bytes:
        """A set of a power made playable (`Bonds.sound`)."""
        return self.bonds.sound(power, orders)


class Proposal(NamedTuple):
    """Sets of one power (bytes of codes), in which repeated draws are repeated, and the nodes that a search
    for them took. The caller applies `ProposalContext.sound`."""

    sets: list[bytes]
    nodes: int = 0


Proposer = Callable[[ProposalContext, str, int], Proposal]
"""Proposes about so many sets of a power."""


def drawn(model: str, context: ProposalContext, power: str, count: int) -> Proposal:
    """Draws of a model of play."""
    return Proposal(_draws(model, context, power, count))


def _draws(model: str, context: ProposalContext, power: str, count: int) -> list[bytes]:
    """Draws of a model of play, most of which keep the power's agreements unchanged. Draws that break them
    are repeated a few times; then `ProposalContext.sound` replaces the orders that break them."""
    word = context.bonds.own(power)
    sets = []
    for _ in range(count):
        orders = context.sampler.policy(power, model)
        for _ in range(REDRAWN if word else 0):
            if not any(bond.bars(code) for bond in word for code in codes_in(orders)):
                break
            orders = context.sampler.policy(power, model)
        sets.append(orders)
    return sets


def suggested(context: ProposalContext, power: str, count: int) -> Proposal:
    """Suggested or promised sets, and the earlier orders of the units that stayed; the other units follow a
    draw. Of adjustments only sets with an order, and with all removals that are due."""
    position = context.position
    sets = []
    for seed in context.seeds.get(power, ())[:count]:
        given = codes_in(seed)
        if position.phase.kind == "A":
            if len(given) >= max(1, -position.packed.due(position.map.powers.index(power))):
                sets.append(seed)
            continue
        units = {unit_of(code) for code in given}
        rest = codes_in(context.sampler.policy(power, context.sampler.played_on))
        sets.append(
            as_bytes(sorted((*given, *(code for code in rest if unit_of(code) not in units)), key=unit_of))
        )
    return Proposal(sets)


def every(context: ProposalContext, power: str, count: int) -> Proposal:
    """All sets of retreats or adjustments if they are at most so many; none of movements, which are too
    many."""
    position = context.position
    number = position.map.powers.index(power)
    legal = position.packed.legal().get(number, {})
    kind, due = position.phase.kind, position.packed.due(number) if position.phase.kind == "A" else 0
    if kind == "M" or not legal:
        return Proposal([])
    if kind == "R":
        options = list(legal.values())
        if math.prod(map(len, options)) > count:
            return Proposal([])
        sets = [as_bytes(codes) for codes in itertools.product(*options) if _apart(position, codes)]
        return _honest(context, power, sets)
    codes = [code for units in legal.values() for code in units if kind_of(code) != OrderKind.WAIVE]
    size = min(abs(due), len(codes))
    if math.comb(len(codes), size) > count:
        return Proposal([])
    sets = [as_bytes(chosen) for chosen in itertools.combinations(codes, size) if _apart(position, chosen)]
    return _honest(context, power, sets)


def _honest(context: ProposalContext, power: str, sets: list[bytes]) -> Proposal:
    """The sets that keep the power's agreements unchanged; all if none does."""
    return Proposal([orders for orders in sets if context.sound(power, orders) == orders] or sets)


def _apart(position: Position, codes: tuple[int, ...]) -> bool:
    """Whether no two retreats go to one province, and no two builds are in one."""
    province = position.map.locations
    goals = [
        province[target_of(code) if kind_of(code) == OrderKind.RETREAT else unit_of(code)].province
        for code in codes
        if kind_of(code) != OrderKind.DISBAND or position.phase.kind == "A"
    ]
    return len(set(goals)) == len(goals)


def holding(context: ProposalContext, power: str, count: int) -> Proposal:
    """The set in which every unit holds."""
    if context.position.phase.kind != "M":
        return Proposal([])
    return Proposal([as_bytes(in_full(context.position, power, b"").values())])


def best_first(context: ProposalContext, power: str, count: int) -> Proposal:
    """The best sets of the paper's best-first search, from draws of the policy, evaluated by the learnt value
    against what is expected of the others; none outside movements."""
    position, bonds = context.position, context.bonds
    if position.phase.kind != "M":
        return Proposal([])
    space = search_space(position, power, context.value, Maxims.named(ALL_MAXIMS), bonds, bonds.own(power))
    backgrounds = context.expected or [context.sampler.joint(power) for _ in range(BACKGROUNDS)]
    space.set_backgrounds(backgrounds, [1.0] * len(backgrounds))
    seeds = _draws(context.sampler.played_on, context, power, max(1, count // SETS_OF_SEED))
    sets = found_from(space, seeds, count, NODES_OF_SET * count)
    return Proposal(sets, space.nodes)


PROPOSERS: dict[str, Proposer] = {
    **{name: partial(drawn, name) for name in MODELS if name not in (SEARCH, HOLD)},
    "best-first": best_first,
    "suggested": suggested,
    "every": every,
    "holding": holding,
}
"""All of them, by name: the models of play that draw without a search, and those above."""


NEEDED: dict[str, float] = {"best-first": 2_000}
"""Nodes of a decision below which a proposer is left out: its search cannot be cut short."""
SEARCHING = frozenset({"best-first"})
"""Proposers that search against the orders that are expected of the others, after those that draw."""
IDEA_OF: dict[str, str] = {"best-first": "best-first", FAST: "policy"}
"""The ideas without which proposers are left out, beside those of models of play."""


def proposer(name: str) -> Proposer:
    """The proposer of a name, or of a net's file or a net at a temperature, which draws from it. Raises
    BordeauxError for an unknown one, and for a file that cannot be read."""
    if heated(name)[0] != name or is_file(name):
        check_model(name)
        return partial(drawn, name)
    if name not in PROPOSERS:
        known = ", ".join(PROPOSERS)
        raise BordeauxError(
            f"no proposer {quote(name)}{nearest(name, PROPOSERS)} (known: {known}, or a .npz file)"
        )
    return PROPOSERS[name]
