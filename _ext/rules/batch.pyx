"""Many packed positions adjudicated in one call from Python."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight
from bordeaux._ext.rules.codes cimport on_map
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.rules.transition cimport after_movement


def adjudicate_many(
    Tables tables not None, const uint8_t[:, ::1] positions, const int64_t[::1] starts, const uint64_t[::1] orders,
    uint8_t[:, ::1] out, int rules=0,
):
    """Adjudicate N movement phases.

    `positions` and `out` are (N, bytes of `Packed.tobytes`) arrays of uint8, aligned and apart; the orders of position
    i are ``orders[starts[i]:starts[i + 1]]``, all legal; units without one hold. Bytes of `out` beyond the map's size
    are not written: pass it zeroed. Raises ValueError for arrays that do not fit, and for orders or units that are not
    on the map.
    """
    cdef const MapTables* m = tables.map
    cdef Battle battle
    cdef Order by_province[256]
    cdef const State* before
    cdef int64_t i, n = positions.shape[0]
    cdef bint sound = True
    if positions.shape[1] != sizeof(State) or out.shape[0] != n or out.shape[1] != sizeof(State):
        raise ValueError(f"positions and out must have as many rows of {sizeof(State)} bytes")
    if starts.shape[0] != n + 1 or starts[0] != 0 or starts[n] != orders.shape[0]:
        raise ValueError("starts must run from 0 to the number of orders, one more than there are positions")
    for i in range(n):
        if starts[i] > starts[i + 1]:
            raise ValueError("starts must not fall")
    with nogil:
        for i in range(n):
            before = <const State*>&positions[i, 0]
            if i + 1 < n:
                fetch(m, <const State*>&positions[i + 1, 0])
            sound = lay_out(m, orders, starts[i], starts[i + 1], by_province) and state_fits(m, before)
            if not sound:
                break
            fight(&battle, m, before.unit, by_province, rules, NULL)
            after_movement(&battle, before, <State*>&out[i, 0])
    if not sound:
        raise ValueError(f"position {i}: an order or unit that is not on the map, or not a movement phase")


cdef inline void fetch(const MapTables* m, const State* then) noexcept nogil:
    """Bring a position near: over many the time goes into memory, and the processor does not see which is next."""
    rows_fetch(then.unit, m.n_provinces * sizeof(uint16_t))
    rows_fetch(then.owner, m.n_provinces)


cdef inline bint lay_out(
    const MapTables* m, const uint64_t[::1] orders, int64_t first, int64_t end, Order* by_province
) noexcept nogil:
    """Store orders by province; False if one is not on the map."""
    cdef Order order
    cdef int64_t k
    memset(by_province, 0, m.n_provinces * sizeof(Order))
    for k in range(first, end):
        memcpy(&order, &orders[k], sizeof(Order))
        if not on_map(m, &order, CONVOY):
            return False
        by_province[m.province[order.unit]] = order
    return True


cdef bint state_fits(const MapTables* m, const State* s) noexcept nogil:
    """Whether every token of a movement position is of a unit on the map, in its own province."""
    cdef uint8_t places[256]
    cdef int i, p, n = rows_places(places, s.unit, m.n_provinces)
    cdef bint bad = s.kind != MOVEMENT
    for i in range(n):
        p = places[i]
        # Tables have room for every location that a token can name.
        bad |= (power_of(s.unit[p]) < 0) | (power_of(s.unit[p]) >= m.n_powers)
        bad |= (location_of(s.unit[p]) >= m.n_locations) | (m.province[location_of(s.unit[p])] != p)
    return not bad and not rows_beyond(s.owner, m.n_powers, NOTHING, m.n_provinces)
