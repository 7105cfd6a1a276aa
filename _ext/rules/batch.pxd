from libc.stdint cimport int64_t, uint8_t, uint64_t

from bordeaux._ext.rules.structures cimport MapTables, Order, State

cdef int check_shapes(
    const uint8_t[:, ::1] positions, const int64_t[::1] starts, const uint64_t[::1] orders
) except -1
cdef const State* lay_out(
    const MapTables* m, const uint8_t[:, ::1] positions, const int64_t[::1] starts, const uint64_t[::1] orders,
    int64_t i, Order* by_province
) noexcept nogil
