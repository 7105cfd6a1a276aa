"""Centres that adjustments make certain: units then keep them by holding, whatever the present units of the
others do."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux._ext.packed import Packed
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.search.forcing.field import parts
from bordeaux.search.forcing.proof import Goal, Prover, TooMany
from bordeaux.search.forcing.retreats import sure_after_retreats

__all__ = ["PROOF_NODES", "sure_by_standing", "sure_centres"]

PROOF_NODES = 90
"""The cost of `sure_centres`, in nodes of a search."""
RETREATS = 60
"""Joint retreats of others that it tries at most."""

STANDING_LIMIT = 300
"""Replies that are adjudicated at most for one centre."""


def sure_centres(position: Position, power: str, codes: Sequence[int], after: Packed) -> int | None:
    """The number of centres that a set of retreats or adjustments (codes) makes certain. After retreats they
    are the centres owned against all choices of the others. After adjustments they are those kept by holding
    in the position `after` it, where the others have all their units: they may remove any. None if this takes
    too long."""
    if position.phase.kind != "R":
        board = Position.from_packed(position.map, after)
        own = [unit for unit in board.units if unit.power == power]
        others = [unit for unit in position.units if unit.power != power]
        return sure_by_standing(Position(board.map, board.phase, [*own, *others], board.centres), power)
    texts = [str(decode(position.map, code)) for code in codes]
    try:
        return sure_after_retreats(position, power, texts, RETREATS)
    except TooMany:
        return None


def sure_by_standing(position: Position, power: str) -> int:
    """The number of centres that a power certainly keeps in the movement phase of a position if its units
    hold or support others that do. Supports are added one after the other, each if it makes more centres
    safe.

    Owners are counted as if it were Fall.
    """
    fall = position.phase._replace(season="F", kind="M")
    board = Position(position.map, fall, position.units, position.centres)
    prover = Prover(board, power, Goal(power, True, 0), STANDING_LIMIT)
    field = prover.field
    own = [place for place, owner in field.owners.items() if owner == power]
    orders: dict[int, int] = {}
    sure = len(prover.safe(orders))
    for place in own:
        for code in field.legal[place] if sure < len(prover.owned) else ():
            part = parts(code, field.province_of)
            if part.kind != OrderKind.SUPPORT_HOLD or part.helped not in own:
                continue
            count = len(prover.safe({**orders, place: code}))
            if count > sure:
                orders, sure = {**orders, place: code}, count
    # Not all that may be lost can be lost at once.
    while sure < len(prover.owned) and prover.judge(orders, sure + 1).holds:
        sure += 1
    return sure
