"""The possible orders of a power as options: the order with its provinces, its effect, and its table
indices.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from bordeaux._ext.rules.legal cimport Convoys, adjustments_of, find_convoys, orders_of_unit, retreats_of_unit
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport adjustments_due


cdef int options_of(
    const MapTables* m, const State* s, const Record* memory, int power, Option* out, int room
) noexcept nogil:
    """Write all possible orders of a power; returns their number. Orders beyond the room are left out."""
    cdef Convoys convoys
    cdef Order orders[MAX_OPTIONS]
    cdef int p, n = 0, k, count, choice = 0
    if s.kind == MOVEMENT:
        find_convoys(m, s.unit, -1, &convoys)
    if s.kind == ADJUSTMENTS:
        count = min(adjustments_of(m, s, power, orders, room), room)
        for k in range(count):
            describe(m, s, power, &orders[k], 0, &out[k])
        if count < room and adjustments_due(m, s, power) > 0:
            memset(&orders[0], 0, sizeof(Order))
            orders[0].kind = WAIVE
            describe(m, s, power, &orders[0], 0, &out[count])
            count += 1
        return count
    for p in range(m.n_provinces):
        if s.kind == MOVEMENT and s.unit[p] and power_of(s.unit[p]) == power:
            count = orders_of_unit(m, s, &convoys, p, orders, room - n)
        elif s.kind == RETREATS and s.dislodged[p] and power_of(s.dislodged[p]) == power:
            count = retreats_of_unit(m, s, p, orders, room - n)
        else:
            continue
        for k in range(min(count, room - n)):
            describe(m, s, power, &orders[k], choice, &out[n])
            if memory != NULL and s.kind == MOVEMENT:
                if memcmp(&memory.ordered[p], &orders[k], sizeof(Order)) == 0:
                    out[n].again = AGAIN
                elif out[n].kind == OPTION_MOVE and out[n].goal == memory.origin[p]:
                    out[n].again = BACK
            n += 1
        choice += 1
    return n


cdef inline void describe(
    const MapTables* m, const State* s, int power, const Order* order, int choice, Option* out
) noexcept nogil:
    """An order as an option."""
    cdef int p = m.province[order.unit], kind = order.kind
    cdef uint64_t code
    memcpy(&code, order, sizeof(code))
    out.order = order[0]
    out.choice = choice
    out.again = AFRESH
    out.row = <uint16_t>(mix(code) & (ORDER_ROWS - 1))
    out.source = out.goal = out.other = p
    if kind == HOLD:
        out.kind = OPTION_HOLD
    elif kind == MOVE:
        out.kind = OPTION_VIA if order.flags & FLAG_VIA else OPTION_MOVE
        out.goal = m.province[order.target]
    elif kind == RETREAT:
        out.kind = OPTION_RETREAT
        out.goal = m.province[order.target]
    elif kind == DISBAND:
        out.kind = OPTION_DISBAND if s.kind == RETREATS else OPTION_REMOVE
    elif kind == BUILD:
        out.kind = OPTION_FLEET if m.is_fleet[order.unit] else OPTION_ARMY
    elif kind == WAIVE:
        out.kind = OPTION_WAIVE
    else:
        out.other = m.province[order.target]
        out.goal = out.other if kind == SUPPORT_HOLD else m.province[order.destination]
        out.kind = (
            OPTION_HOLD_OWN if kind == SUPPORT_HOLD else OPTION_MOVE_OWN if kind == SUPPORT_MOVE else OPTION_CONVOY_OWN
        ) + (power_of(s.unit[out.other]) != power)


cdef void see_patterns(
    const State* s, int power, const uint16_t* source, const uint16_t* goal, Option* out
) noexcept nogil:
    """The rows of an option in the table of patterns, from the rows of its unit's province and of its goal. They are
    for the power's orders there in this season and year, for any power's orders with such a goal, and for those from
    such a place.

    What identifies a row is put side by side into one number, each part above the greatest value of those below it,
    and mixed: 32 for a phase or a power, 16 for the small numbers of `goal` and `source`, and from bit 20 on the kind
    of row.
    """
    cdef uint64_t code
    cdef int phase = 2 * min(since_start(s), 2) + (s.season == FALL) + 8 * s.kind
    memcpy(&code, &out.order, sizeof(code))
    code = mix(code)
    out.pattern[0] = <uint32_t>(mix(code + <uint64_t>(1 + 32 * (1 + power) + phase)) & (PATTERN_ROWS - 1))
    out.pattern[1] = <uint32_t>(mix(code + (1 << 20) + <uint64_t>(16 * goal[3] + goal[0])) & (PATTERN_ROWS - 1))
    out.pattern[2] = <uint32_t>(
        mix(code + (2 << 20) + <uint64_t>(16 * (16 * source[3] + source[1]) * 32 + power)) & (PATTERN_ROWS - 1)
    )
