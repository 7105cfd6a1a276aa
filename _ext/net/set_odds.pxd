"""Whole sets of one power: the probability of an option given those chosen before it."""

from libc.stdint cimport uint16_t, uint64_t

from bordeaux._ext.net.weights cimport Weights
from bordeaux._ext.net.looker cimport Table
from bordeaux._ext.net.options cimport Option
from bordeaux._ext.rules.structures cimport State

cdef enum:
    MAX_UNITS = 64          # units of one power that are chosen for; those beyond hold, or disband

cdef float fitting(const float* r, const Option* o, const Option* j, float* helps) noexcept nogil
cdef int units_in_order(const Table* t, const State* s, uint16_t* order) noexcept nogil
cdef int odds(
    const Weights* w, const Table* t, const State* s, int choice, const uint16_t* chosen, int n_chosen,
    float temperature, float* chances
) noexcept nogil
cdef int adjust(
    const Table* t, int due, float temperature, uint64_t* chance, uint16_t* picks
) noexcept nogil
cdef int drawn(const float* chances, int n, uint64_t* chance) noexcept nogil
