from libc.stdint cimport uint16_t, uint64_t

from bordeaux._ext.rules.battle cimport Battle
from bordeaux._ext.rules.structures cimport MapTables, Order


cdef void fight(
    Battle* b, const MapTables* map, const uint16_t* units, const Order* orders, int rules, const uint64_t* routes
) noexcept nogil
cdef bint is_contested(Battle* b, int province) noexcept nogil
cdef void record_outcomes(Battle* b) noexcept nogil
