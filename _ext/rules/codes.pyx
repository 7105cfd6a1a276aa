"""Sets of orders as bytes: eight for each order, as `bordeaux._ext.rules.packed` defines them.

Sets travel between the search and the core in this form. This module validates them on input.
"""

from libc.string cimport memcpy

from bordeaux._ext.rules.legal cimport is_legal
from bordeaux._ext.rules.structures cimport *


cdef int count_codes(bytes orders) except -1:
    """The number of orders in a set. Raises ValueError for invalid bytes."""
    if len(orders) % sizeof(Order):
        raise ValueError("a set of orders has 8 bytes for each unit")
    return len(orders) // <int>sizeof(Order)


cdef int read_code(const MapTables* m, bytes orders, int k, int last_kind, Order* into) except -1:
    """Take order k out of a set. Raises ValueError like `check_order`."""
    memcpy(into, (<const char*>orders) + k * sizeof(Order), sizeof(Order))
    return check_order(m, into, last_kind)


cdef int check_order(const MapTables* m, const Order* order, int last_kind) except -1:
    """Raise ValueError for an order of a kind above `last_kind`, or with names that are not on the map."""
    if not on_map(m, order, last_kind):
        raise ValueError("an order names a location that is not on the map")
    return 0


cdef int check_legal(const MapTables* m, const State* s, const Order* order, int power) except -1:
    """Raise ValueError for an order that a power cannot give in this phase.

    In movement phases every order on the map is accepted: an order that helps in vain is void, and searches give only
    legal ones. Retreats and adjustments are carried out unchecked, so there only legal ones are accepted.
    """
    check_order(m, order, WAIVE)
    if s.kind == MOVEMENT:
        if order.kind > CONVOY:
            raise ValueError("an order that is none of a movement phase")
        return 0
    if s.kind != COMPLETED and (power < 0 or not is_legal(m, s, order, power)):
        raise ValueError("an order that is not legal in this phase")
    return 0


cdef int giver_of(const MapTables* m, const State* s, const Order* order) noexcept nogil:
    """The only power that can give an order of a retreat or adjustment phase, -1 if there is none."""
    cdef int p = m.province[order.unit]
    if s.kind == RETREATS:
        return power_of(s.dislodged[p])
    if order.kind == BUILD:
        return s.owner[p] if m.is_centre[p] and s.owner[p] != NOTHING else -1
    return power_of(s.unit[p])


cdef int lay(const MapTables* m, bytes orders, Order* by_province) except -1:
    """Store the orders of a set, all for a movement phase, by province. Raises ValueError."""
    cdef int k
    cdef Order order
    for k in range(count_codes(orders)):
        read_code(m, orders, k, CONVOY, &order)
        by_province[m.province[order.unit]] = order
    return 0


cdef list codes_of(const Order* orders, int n):
    """The codes of some orders."""
    cdef uint64_t code
    cdef int i
    result = []
    for i in range(n):
        memcpy(&code, &orders[i], sizeof(code))
        result.append(code)
    return result
