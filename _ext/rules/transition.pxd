from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.adjudicate cimport Battle
from bordeaux._ext.rules.structures cimport MapTables, Order, State


cdef void after_movement(Battle* b, const State* before, State* after) noexcept nogil
cdef void after_retreats(
    const MapTables* map, const State* before, const Order* orders, State* after, uint8_t* outcome
) noexcept nogil
cdef void after_adjustments(
    const MapTables* map, const State* before, const Order* orders, const uint8_t* powers, int n_orders,
    State* after, uint8_t* outcome
) noexcept nogil
cdef int adjustments_due(const MapTables* map, const State* s, int power) noexcept nogil
cdef int victor(const MapTables* map, const State* s) noexcept nogil
cdef void count_centres(const MapTables* map, const State* s, int* counts) noexcept nogil
cdef void square_shares(const MapTables* map, const State* s, float* shares) noexcept nogil
cdef uint64_t owing(const MapTables* map, const State* s) noexcept nogil
