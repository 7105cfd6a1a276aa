from libc.stdint cimport uint8_t, uint32_t

from bordeaux._ext.rules.structures cimport MAX_POWERS, MapTables, Order, State

# How a power treated another in the last two movement phases.
cdef enum:
    UNKNOWN = 0
    APART = 1
    HELPED = 2
    ATTACKED = 3

cdef struct Record:
    uint8_t known
    uint8_t regard[MAX_POWERS][MAX_POWERS]  # how the first treated the second
    uint32_t tried[256]                     # who ordered a move into a province in the last phase, as bits
    uint8_t arrived[256]                    # provinces whose unit moved in then
    Order ordered[256]                      # by province, the last order of a unit that has stayed there since
    uint8_t origin[256]                     # and where the unit came from that moved in, NOTHING else
    uint8_t held[MAX_POWERS]                # units of a power that held in the last phase, and that helped
    uint8_t helped[MAX_POWERS]

# The orders of one movement phase, by province: whose unit stood there (NOTHING: nobody's), and its order.
cdef struct Deeds:
    uint8_t known
    uint8_t stood[256]
    Order given[256]

cdef class Memory:
    cdef Record record


cdef void begin_deeds(const MapTables* m, const State* s, Deeds* deeds) noexcept nogil
cdef void recall(const MapTables* m, const State* s, const Deeds* before, const Deeds* last, Record* r) noexcept nogil
