"""The orders of the powers in the last two movement phases before a position.

The memory holds attacks and help between powers, and what each unit did.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from bordeaux._ext.rules.codes cimport count_codes, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables


cdef class Memory:
    """The orders of powers in the last two movement phases before a position.

    `last` and `before` are lists of ``(power, set)``: a power's number with its orders (bytes of codes), one for each
    unit, holds included; empty if unknown. Raises ValueError for orders that are not on the map.
    """

    def __init__(
        self, Tables tables not None, Packed packed not None, last: Iterable[tuple[int, bytes]],
        before: Iterable[tuple[int, bytes]] = (),
    ):
        cdef const MapTables* m = tables.map
        cdef Deeds latest
        cdef Deeds earlier
        if packed.tables is not tables:
            raise ValueError("a position on another map than the tables")
        lay_deeds(m, before, &earlier)
        lay_deeds(m, last, &latest)
        recall(m, &packed.state, &earlier, &latest, &self.record)


cdef int lay_deeds(const MapTables* m, phase, Deeds* deeds) except -1:
    """Store the orders of a phase by province. Raises ValueError for orders that are not on the map."""
    cdef Order order
    cdef int power, k
    memset(deeds, 0, sizeof(Deeds))
    memset(deeds.stood, NOTHING, sizeof(deeds.stood))
    for power, orders in phase:
        deeds.known = 1
        if not 0 <= power < m.n_powers:
            raise ValueError(f"there is no power number {power}")
        for k in range(count_codes(orders)):
            read_code(m, orders, k, CONVOY, &order)
            deeds.stood[m.province[order.unit]] = power
            deeds.given[m.province[order.unit]] = order
    return 0


cdef void begin_deeds(const MapTables* m, const State* s, Deeds* deeds) noexcept nogil:
    """Let every unit of a movement phase hold."""
    cdef int p
    memset(deeds, 0, sizeof(Deeds))
    memset(deeds.stood, NOTHING, sizeof(deeds.stood))
    deeds.known = 1
    for p in range(m.n_provinces):
        if s.unit[p]:
            deeds.stood[p] = power_of(s.unit[p])
            deeds.given[p].kind = HOLD
            deeds.given[p].unit = location_of(s.unit[p])


cdef void recall(const MapTables* m, const State* s, const Deeds* before, const Deeds* last, Record* r) noexcept nogil:
    """Write the memory into a state; nothing if the last phase is unknown."""
    memset(r, 0, sizeof(Record))
    memset(r.origin, NOTHING, sizeof(r.origin))
    if not last.known:
        return
    r.known = 1
    memset(r.regard, APART, sizeof(r.regard))
    if before.known:
        note_deeds(m, s, before, r, False)
    note_deeds(m, s, last, r, True)


cdef void note_deeds(const MapTables* m, const State* s, const Deeds* deeds, Record* r, bint latest) noexcept nogil:
    """Add the acts of powers towards each other in one phase."""
    cdef const Order* order
    cdef int power, p, d, whose
    for p in range(m.n_provinces):
        if deeds.stood[p] == NOTHING:
            continue
        power, order = deeds.stood[p], &deeds.given[p]
        if latest:
            r.held[power] += order.kind == HOLD
            r.helped[power] += order.kind > MOVE
            if s.unit[p] and power_of(s.unit[p]) == power and location_of(s.unit[p]) == order.unit:
                r.ordered[p] = order[0]
        if order.kind == MOVE:
            d = m.province[order.target]
            attack(s, r, power, d, deeds.stood)
            if latest:
                r.tried[d] |= <uint32_t>1 << power
                if s.unit[d] and power_of(s.unit[d]) == power and not m.is_fleet[order.target] == (
                    not m.is_fleet[location_of(s.unit[d])]
                ):
                    r.arrived[d] = 1
                    r.origin[d] = p
        elif order.kind > MOVE:
            whose = deeds.stood[m.province[order.target]]
            if whose != NOTHING and whose != power and r.regard[power][whose] != ATTACKED:
                r.regard[power][whose] = HELPED
            if order.kind == SUPPORT_MOVE:
                attack(s, r, power, m.province[order.destination], deeds.stood)


cdef inline void attack(const State* s, Record* r, int power, int place, const uint8_t* stood) noexcept nogil:
    """Record that a power acted against the power that is in a place or owns it."""
    if stood[place] != NOTHING and stood[place] != power:
        r.regard[power][stood[place]] = ATTACKED
    if s.owner[place] != NOTHING and s.owner[place] != power:
        r.regard[power][s.owner[place]] = ATTACKED
