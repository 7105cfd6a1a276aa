"""The orders of the last two movement phases, as input of the learnt net."""

from __future__ import annotations

from collections.abc import Mapping

from bordeaux._ext.net.memory import Memory
from bordeaux.board.code import as_bytes
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position

__all__ = ["Seen", "memory_of", "movements_before"]

Seen = Mapping[str, Mapping[str, tuple[int, Mapping[int, int]]]]
"""The year and the last observed orders of powers, by power and by season. Orders are codes by the location
of the unit, with a hold for a unit without one."""


def movements_before(phase: Phase) -> tuple[tuple[int, str], tuple[int, str]]:
    """Year and season of the last movement phase before another phase, and of the one before that."""
    spring, fall = (phase.year, "S"), (phase.year, "F")
    fall_before = phase.year - 1, "F"
    if phase.kind == "M" and phase.season == "S":
        return fall_before, (phase.year - 1, "S")
    if phase.season == "S" or phase.kind == "M":
        return spring, fall_before
    return fall, spring


def memory_of(position: Position, seen: Seen) -> Memory | None:
    """The orders of the powers in the last two movement phases before a position, None if unknown. `seen` is
    that of `bordeaux.search.beliefs.Beliefs`; older orders are left out."""
    powers = position.map.powers
    last, before = (
        [
            (powers.index(power), as_bytes(given[season][1].values()))
            for power, given in seen.items()
            if season in given and given[season][0] == year
        ]
        for year, season in movements_before(position.phase)
    )
    return Memory(position.map.tables, position.packed, last, before) if last else None
