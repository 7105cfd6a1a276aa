from libc.stdint cimport uint8_t, uint16_t, uint64_t

from bordeaux._ext.rules.structures cimport WORDS, MapTables, Order, State


cdef struct Convoys:
    int n_fleets
    int n_chains
    int n_units
    int n_armies
    uint8_t units[256]              # provinces with a unit
    uint8_t armies[256]             # provinces with an army on a coast
    uint64_t occupied[WORDS]
    uint8_t fleets[256]             # sea provinces with a fleet
    uint8_t chain[256]              # for such a province, the number of its chain of touching fleets
    uint64_t coast[256][WORDS]      # for each chain, the coastal provinces that it touches
    uint64_t goals[256][WORDS]      # for each army on a coast, where chains could carry it


cdef void find_convoys(const MapTables* map, const uint16_t* units, int without, Convoys* c) noexcept nogil
cdef bint is_legal(const MapTables* map, const State* s, const Order* order, int power) noexcept nogil
cdef int orders_of_unit(
    const MapTables* map, const State* s, const Convoys* c, int province, Order* out, int room
) noexcept nogil
cdef int retreats_of_unit(const MapTables* map, const State* s, int province, Order* out, int room) noexcept nogil
cdef int adjustments_of(const MapTables* map, const State* s, int power, Order* out, int room) noexcept nogil
