"""The orders worth considering for each unit, and the search space that they span."""

from __future__ import annotations

from bordeaux._ext.expand import Expander
from bordeaux._ext.influence import Evaluator
from bordeaux.board.code import is_via, kind_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.maxims import Ground, Maxims

__all__ = ["candidates", "search_space"]


def candidates(
    position: Position, power: str, legal: dict[int, list[int]], maxims: Maxims
) -> list[list[int]]:
    """Codes of the orders of each unit that the maxims allow, the hold first.

    `legal` gives the legal codes of the power's units by location number.
    """
    ground = Ground.of(position, power)
    result = []
    for codes in legal.values():
        kept = [code for code in codes if kind_of(code) == OrderKind.HOLD]
        for code in codes:
            kind = kind_of(code)
            # A plain move offends against no maxim; there are so many that this saves time.
            plain = kind == OrderKind.MOVE and not is_via(code)
            if kind != OrderKind.HOLD and (plain or all(maxim(ground, code) for maxim in maxims.on_orders)):
                kept.append(code)
        result.append(kept)
    return result


def search_space(position: Position, power: str, evaluator: Evaluator, maxims: Maxims) -> Expander:
    """The expander for a power in a movement position, every unit holding, nobody else known."""
    number = position.map.powers.index(power)
    legal = position.packed.legal().get(number, {})
    return Expander(
        position.packed, evaluator, number, candidates(position, power, legal, maxims), maxims.on_sets
    )
