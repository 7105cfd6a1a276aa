"""From the orders of all powers to the position after a phase of any kind."""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight
from bordeaux._ext.rules.structures cimport ADJUSTMENTS, MOVEMENT, RETREATS, WAIVE, MapTables, Order, State
from bordeaux._ext.rules.transition cimport after_adjustments, after_movement, after_retreats


cdef inline void resolve_phase(
    Battle* battle, const MapTables* map, const State* before, const Order* joint, const Order* listed,
    const uint8_t* powers, int n, int rules, State* after, uint8_t* outcome
) noexcept nogil:
    """Adjudicate the orders of a phase, a movement by `rules` (bits of RULE_...).

    Movements and retreats are in `joint`, by province; builds and removals are the first `n` of `listed`, with their
    `powers`. `after` has no state in it, or one that was written by this function.

    `outcome` gets the bits of what came of retreats and adjustments.
    """
    if before.kind == MOVEMENT:
        fight(battle, map, before.unit, joint, rules, NULL)
        after_movement(battle, before, after)
    elif before.kind == RETREATS:
        after_retreats(map, before, joint, after, outcome)
    else:
        after_adjustments(map, before, listed, powers, n, after, outcome)


# The orders of all powers in one phase, and what their adjudication needs.
cdef struct Joint:
    Battle battle
    Order ordered[256]      # by province; in adjustments `listed` has them, with their powers
    Order listed[256]
    uint8_t powers[256]
    int n_listed
    uint8_t outcome[512]


cdef inline void clear_joint(Joint* joint, const MapTables* map) noexcept nogil:
    """Begin without orders."""
    joint.n_listed = 0
    memset(joint.ordered, 0, map.n_provinces * sizeof(Order))


cdef inline void give(
    Joint* joint, const MapTables* map, int kind, int power, const Order* orders, int n
) noexcept nogil:
    """Add orders of a power, in a phase of this kind: 256 of all powers at most. What is not ordered is waived."""
    cdef int k
    for k in range(n):
        if kind != ADJUSTMENTS:
            joint.ordered[map.province[orders[k].unit]] = orders[k]
        elif orders[k].kind != WAIVE:
            joint.listed[joint.n_listed] = orders[k]
            joint.powers[joint.n_listed] = <uint8_t>power
            joint.n_listed += 1


cdef inline void resolve_joint(
    Joint* joint, const MapTables* map, const State* before, int rules, State* after
) noexcept nogil:
    """Adjudicate the orders given; `after` as for `resolve_phase`."""
    resolve_phase(
        &joint.battle, map, before, joint.ordered, joint.listed, joint.powers, joint.n_listed, rules, after,
        joint.outcome
    )
