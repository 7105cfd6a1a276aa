"""Many packed positions adjudicated in one call from Python."""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight
from bordeaux._ext.rules.codes cimport on_map
from bordeaux._ext.rules.legal cimport Convoys, find_convoys, orders_of_unit
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.rules.transition cimport after_movement

cdef enum:
    ALIGNMENT = 4       # of a State within an array of bytes
    BUFFER = 8192       # legal orders of one unit that are written; what is beyond is counted all the same


def adjudicate_many(
    Tables tables not None, const uint8_t[:, ::1] positions, const int64_t[::1] starts, const uint64_t[::1] orders,
    uint8_t[:, ::1] out, int rules=0,
):
    """Adjudicate N movement phases.

    `positions` and `out` are (N, bytes of `Packed.tobytes`) arrays of uint8; the orders of position i are
    ``orders[starts[i]:starts[i + 1]]``, all legal; units without one hold. Bytes of `out` beyond the map's size are not
    written: pass it zeroed, and without overlap with the others. Raises ValueError for arrays that do not fit, and for
    orders or units that are not on the map.
    """
    cdef const MapTables* m = tables.map
    cdef Battle battle
    cdef Order by_province[256]
    cdef const State* before
    cdef int64_t i
    check_shapes(positions, starts, orders)
    if out.shape[0] != positions.shape[0] or out.shape[1] != positions.shape[1]:
        raise ValueError("out must have the shape of positions")
    if out.shape[0]:
        if <size_t>&out[0, 0] % ALIGNMENT:
            raise ValueError(f"out must start at a multiple of {ALIGNMENT} bytes")
        check_apart(out, &positions[0, 0], positions.shape[0] * sizeof(State))
        check_apart(out, &starts[0], starts.shape[0] * sizeof(int64_t))
        if orders.shape[0]:
            check_apart(out, &orders[0], orders.shape[0] * sizeof(uint64_t))
    with nogil:
        for i in range(positions.shape[0]):
            before = lay_out(m, positions, starts, orders, i, by_province)
            if before == NULL:
                break
            fight(&battle, m, before.unit, by_province, rules, NULL)
            after_movement(&battle, before, <State*>&out[i, 0])
    if positions.shape[0] and before == NULL:
        raise ValueError(f"position {i}: an order or unit that is not on the map, or not a movement phase")


def count_legal(Tables tables not None, const uint8_t[:, ::1] positions) -> int:
    """Number of legal orders in all of N movement positions together."""
    cdef const MapTables* m = tables.map
    cdef State state
    cdef Convoys convoys
    cdef Order buffer[BUFFER]
    cdef int64_t i, total = 0
    cdef int p
    cdef bint sound = True
    if positions.shape[1] != sizeof(State):
        raise ValueError(f"positions are {positions.shape[1]} bytes wide, not {sizeof(State)}")
    with nogil:
        for i in range(positions.shape[0]):
            memcpy(&state, &positions[i, 0], sizeof(State))
            if not state_fits(m, &state):
                sound = False
                break
            find_convoys(m, state.unit, -1, &convoys)
            for p in range(m.n_provinces):
                if state.unit[p]:
                    total += orders_of_unit(m, &state, &convoys, p, buffer, BUFFER)
    if not sound:
        raise ValueError(f"position {i}: a unit that is not on the map, or not a movement phase")
    return total


cdef int check_shapes(
    const uint8_t[:, ::1] positions, const int64_t[::1] starts, const uint64_t[::1] orders
) except -1:
    cdef int64_t i
    if positions.shape[1] != sizeof(State):
        raise ValueError(f"positions are {positions.shape[1]} bytes wide, not {sizeof(State)}")
    if starts.shape[0] != positions.shape[0] + 1:
        raise ValueError(f"{starts.shape[0]} starts for {positions.shape[0]} positions, not one more")
    if <size_t>&starts[0] % sizeof(int64_t):
        raise ValueError(f"starts must lie at a multiple of {sizeof(int64_t)} bytes")
    if starts[0] != 0 or starts[positions.shape[0]] != orders.shape[0]:
        raise ValueError("starts must run from 0 to the number of orders")
    if positions.shape[0] and <size_t>&positions[0, 0] % ALIGNMENT:
        raise ValueError(f"positions must start at a multiple of {ALIGNMENT} bytes")
    for i in range(positions.shape[0]):
        if starts[i] > starts[i + 1]:
            raise ValueError("starts must not fall")
    return 0


cdef int check_apart(uint8_t[:, ::1] out, const void* start, size_t size) except -1:
    """Raise ValueError if a non-empty `out` overlaps its input."""
    cdef size_t first = <size_t>&out[0, 0], other = <size_t>start
    if first < other + size and other < first + out.shape[0] * sizeof(State):
        raise ValueError("out lies over the arrays that it is worked out from")
    return 0


cdef const State* lay_out(
    const MapTables* m, const uint8_t[:, ::1] positions, const int64_t[::1] starts, const uint64_t[::1] orders,
    int64_t i, Order* by_province
) noexcept nogil:
    """Position i, with its orders by province; NULL if something is not on the map."""
    cdef const State* before = <const State*>&positions[i, 0]
    cdef const State* then
    cdef Order order
    cdef int64_t k
    if i + 1 < positions.shape[0]:
        # Over many positions the time goes into memory, and the processor does not see which is next.
        then = <const State*>&positions[i + 1, 0]
        rows_fetch(then.unit, m.n_provinces * sizeof(uint16_t))
        rows_fetch(then.owner, m.n_provinces)
    memset(by_province, 0, m.n_provinces * sizeof(Order))
    for k in range(starts[i], starts[i + 1]):
        memcpy(&order, &orders[k], sizeof(Order))
        if not on_map(m, &order, CONVOY):
            return NULL
        by_province[m.province[order.unit]] = order
    return before if state_fits(m, before) else NULL


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
