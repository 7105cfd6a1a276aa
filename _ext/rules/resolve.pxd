"""From the orders of all powers to the position after a phase of any kind."""

from libc.stdint cimport uint8_t

from bordeaux._ext.rules.adjudicate cimport fight
from bordeaux._ext.rules.battle cimport Battle
from bordeaux._ext.rules.structures cimport ADJUSTMENTS, MOVEMENT, RETREATS, MapTables, Order, State
from bordeaux._ext.rules.transition cimport after_adjustments, after_movement, after_retreats


cdef inline void resolve_phase(
    Battle* battle, const MapTables* map, const State* before, const Order* joint, const Order* listed,
    const uint8_t* powers, int n, State* after, uint8_t* outcome
) noexcept nogil:
    """Adjudicate the orders of a phase. Movements and retreats are in `joint`, by province; builds and removals are the
    first `n` of `listed`, with their `powers`. `after` has no state in it, or one that was written by this function.

    `outcome` gets the bits of what came of retreats and adjustments.
    """
    if before.kind == MOVEMENT:
        fight(battle, map, before.unit, joint, 0, NULL)
        after_movement(battle, before, after)
    elif before.kind == RETREATS:
        after_retreats(map, before, joint, after, outcome)
    else:
        after_adjustments(map, before, listed, powers, n, after, outcome)
