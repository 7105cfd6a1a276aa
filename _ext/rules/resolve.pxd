"""From the orders of all powers to the position after a phase of any kind."""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight
from bordeaux._ext.rules.structures cimport ADJUSTMENTS, MOVEMENT, RETREATS, WAIVE, MapTables, Order, State
from bordeaux._ext.rules.transition cimport after_adjustments, after_movement, after_retreats


# The orders of all powers in one phase, and what their adjudication needs.
cdef struct Joint:
    Battle battle
    Order ordered[256]      # by province; in adjustments `listed` has them, with their powers
    Order listed[256]
    uint8_t powers[256]
    int n_listed
    uint8_t outcome[512]    # bits of what came of retreats, by province, and of adjustments as they are listed


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
    """Adjudicate the orders given, a movement by `rules` (bits of RULE_...). `after` has no state in it, or one from
    here."""
    if before.kind == MOVEMENT:
        fight(&joint.battle, map, before.unit, joint.ordered, rules, NULL)
        after_movement(&joint.battle, before, after)
    elif before.kind == RETREATS:
        after_retreats(map, before, joint.ordered, after, joint.outcome)
    else:
        after_adjustments(map, before, joint.listed, joint.powers, joint.n_listed, after, joint.outcome)
