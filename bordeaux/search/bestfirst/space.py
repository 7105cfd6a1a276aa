"""The orders worth considering for each unit, and the search space that they span."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

from bordeaux._ext.expand import Expander
from bordeaux._ext.value import Valuer
from bordeaux.board.code import is_via, kind_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.agreements import Bond, Bonds
from bordeaux.search.bestfirst.pruning import Maxims, Terrain

__all__ = ["candidates", "perturbed", "search_space"]


def candidates(
    position: Position,
    power: str,
    legal: dict[int, list[int]],
    maxims: Maxims,
    bonds: Bonds | None = None,
    word: Sequence[Bond] = (),
) -> list[list[int]]:
    """Codes of the orders of each unit that the maxims allow, the hold first.

    `legal` gives the legal codes of the power's units by location number. Promised orders in `bonds`, and
    help for the promised orders of others, are exempt from maxims. Of orders that break the power's
    obligations only the hold is left.
    """
    terrain = Terrain.of(position, power)
    result = []
    for unit, codes in legal.items():
        kept = [code for code in codes if kind_of(code) == OrderKind.HOLD]
        for code in codes:
            kind = kind_of(code)
            # A plain move offends against no maxim; there are so many that this saves time.
            plain = kind == OrderKind.MOVE and not is_via(code)
            if kind == OrderKind.HOLD:
                continue
            sensible = plain or all(maxim(terrain, code) for maxim in maxims.on_orders)
            if sensible or (bonds and bonds.helps(power, code)):
                kept.append(code)
        for bond in bonds.of(power) if bonds else ():
            promised = bond.promised.get(unit)
            if promised is not None and promised not in kept:
                kept.append(promised)
        result.append([kept[0], *(code for code in kept[1:] if not any(bond.breaks(code) for bond in word))])
    return result


def search_space(
    position: Position,
    power: str,
    evaluator: Valuer,
    maxims: Maxims,
    bonds: Bonds | None = None,
    word: Sequence[Bond] = (),
) -> Expander:
    """The expander for a power in a movement position, with all its units holding and no orders of others."""
    number = position.map.powers.index(power)
    legal = position.packed.legal().get(number, {})
    possible = candidates(position, power, legal, maxims, bonds, word)
    return Expander(position.packed, evaluator, number, possible, maxims.on_sets)


def perturbed(space: Expander, node: bytes, random: random.Random, share: float = 0.35) -> bytes:
    """A complete node with about this share of its choices redrawn at random, as far as they are
    consistent."""
    choices = list(struct.unpack(f"<{space.n_units}H", node))
    for unit, count in enumerate(space.counts()):
        if random.random() < share:
            choices[unit] = random.randrange(count)
    return space.completed(struct.pack(f"<{space.n_units}H", *choices))
