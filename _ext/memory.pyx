"""What powers ordered in the last two movement phases before a position: who attacked and helped whom, and what
each unit did."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from bordeaux._ext.codes cimport count_codes, read_code
from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport *
from bordeaux._ext.tables cimport Tables


cdef class Memory:
    """What powers ordered in the last two movement phases before a position.

    `last` and `before` are lists of ``(power, set)``: a power's number with its orders (bytes of codes), one
    for each unit, holds included; empty where nothing is known. Raises ValueError for what is not on the map.
    """

    def __init__(self, Tables tables not None, Packed packed not None, last, before=()):
        cdef const MapTables* m = tables.map
        cdef uint8_t stood[256]
        memset(&self.record, 0, sizeof(self.record))
        memset(self.record.origin, NOTHING, sizeof(self.record.origin))
        if packed.tables is not tables:
            raise ValueError("a position on another map than the tables")
        if not last:
            return
        self.record.known = 1
        memset(self.record.regard, APART, sizeof(self.record.regard))
        last = list(last)
        for phase in (list(before), last):
            memset(stood, NOTHING, sizeof(stood))
            place_units(m, phase, stood)
            note_deeds(m, &packed.state, phase, stood, &self.record, phase is last)


cdef int place_units(const MapTables* m, phase, uint8_t* stood) except -1:
    """Note whose unit each of the orders is for, by province."""
    cdef Order order
    cdef int power, k
    for power, orders in phase:
        if not 0 <= power < m.n_powers:
            raise ValueError(f"there is no power number {power}")
        for k in range(count_codes(orders)):
            read_code(m, orders, k, CONVOY, &order)
            stood[m.province[order.unit]] = power
    return 0


cdef int note_deeds(
    const MapTables* m, const State* s, phase, const uint8_t* stood, Record* r, bint latest
) except -1:
    """Add what powers did to each other in one phase."""
    cdef Order order
    cdef int power, k, d, whose
    for power, orders in phase:
        for k in range(count_codes(orders)):
            read_code(m, orders, k, CONVOY, &order)
            d = m.province[order.unit]
            if latest:
                r.held[power] += order.kind == HOLD
                r.helped[power] += order.kind > MOVE
            if latest and s.unit[d] and power_of(s.unit[d]) == power and location_of(s.unit[d]) == order.unit:
                r.ordered[d] = order
            if order.kind == MOVE:
                d = m.province[order.target]
                attack(s, r, power, d, stood)
                if latest:
                    r.tried[d] |= <uint32_t>1 << power
                    if s.unit[d] and power_of(s.unit[d]) == power and not m.is_fleet[order.target] == (
                        not m.is_fleet[location_of(s.unit[d])]
                    ):
                        r.arrived[d] = 1
                        r.origin[d] = m.province[order.unit]
            elif order.kind != HOLD:
                whose = stood[m.province[order.target]]
                if whose != NOTHING and whose != power and r.regard[power][whose] != ATTACKED:
                    r.regard[power][whose] = HELPED
                if order.kind == SUPPORT_MOVE:
                    attack(s, r, power, m.province[order.destination], stood)
    return 0


cdef inline void attack(const State* s, Record* r, int power, int place, const uint8_t* stood) noexcept nogil:
    """Note that a power acted against whoever stands in a place or owns it."""
    if stood[place] != NOTHING and stood[place] != power:
        r.regard[power][stood[place]] = ATTACKED
    if s.owner[place] != NOTHING and s.owner[place] != power:
        r.regard[power][s.owner[place]] = ATTACKED
