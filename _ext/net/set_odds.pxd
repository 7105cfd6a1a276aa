from libc.stdint cimport uint8_t, uint16_t, uint64_t

from bordeaux._ext.net.options cimport OPTION_WAIVE, Option
from bordeaux._ext.net.scores cimport Table
from bordeaux._ext.net.weights cimport Weights
from bordeaux._ext.rules.structures cimport MapTables, Order, State

cdef enum:
    MAX_UNITS = 64          # units of one power that are chosen for; those beyond hold, or disband


cdef inline bint touches(const Option* o, const Option* j) noexcept nogil:
    """Whether two options have a common province, so that they could be related: without branches, as most have not."""
    return (
        (o.goal == j.goal) | (o.goal == j.source) | (o.source == j.goal) | (o.other == j.source)
        | (o.source == j.other)
    )


cdef inline bint is_open(const Option* o, const uint8_t* gone) noexcept nogil:
    """Whether nothing has been built or removed in an option's place; a build can always be waived."""
    return o.kind == OPTION_WAIVE or not gone[o.source]


cdef float fitting(const float* r, const Option* o, const Option* j, float* helps) noexcept nogil
cdef int units_in_order(const Table* t, const State* s, uint16_t* order) noexcept nogil
cdef int options_taken(
    const MapTables* m, const State* s, const Table* t, const Order* given, int n, int* taken
) noexcept nogil
cdef int odds(
    const Weights* w, const Table* t, const State* s, int choice, const uint16_t* chosen, int n_chosen,
    float temperature, float* chances
) noexcept nogil
cdef void alone(const float* scores, int n, float temperature, float* chances) noexcept nogil
cdef int open_odds(const Table* t, const uint8_t* gone, float temperature, float* chances) noexcept nogil
cdef int adjust(const Table* t, int due, float temperature, uint64_t* chance, uint16_t* picks) noexcept nogil
cdef int drawn(const float* chances, int n, uint64_t* chance) noexcept nogil
