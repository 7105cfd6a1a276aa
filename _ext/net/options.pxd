from libc.stdint cimport uint8_t, uint16_t, uint32_t

from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.rules.structures cimport MapTables, Order, State

cdef enum:
    FIRST_YEAR = 1901
    ORDER_ROWS = 16384      # rows of the table of orders: a power of two
    PATTERNS = 3            # rows of an option in the table of patterns, and those of the table, a power of two
    PATTERN_ROWS = 262144
    MAX_OPTIONS = 16384     # options of all units of a power together: fleets and armies by the dozen have 8,000
    MAX_CHOICES = 256       # units that choose

# What an option does, seen from the power that chooses.
cdef enum:
    OPTION_HOLD = 0
    OPTION_MOVE = 1
    OPTION_VIA = 2
    OPTION_HOLD_OWN = 3         # support of an own unit where it stands
    OPTION_HOLD_OTHER = 4
    OPTION_MOVE_OWN = 5         # support of an own unit's move
    OPTION_MOVE_OTHER = 6
    OPTION_CONVOY_OWN = 7
    OPTION_CONVOY_OTHER = 8
    OPTION_RETREAT = 9
    OPTION_DISBAND = 10
    OPTION_ARMY = 11            # builds
    OPTION_FLEET = 12
    OPTION_REMOVE = 13
    OPTION_WAIVE = 14
    OPTIONS = 15

# How an option goes on from what the unit did last.
cdef enum:
    AFRESH = 0
    AGAIN = 1               # the unit stayed where it was, and this is its last order
    BACK = 2                # it came from where this leads

cdef struct Option:
    Order order
    uint8_t choice          # which unit of the power chooses it, by number
    uint8_t again           # how it goes on from the last order: AFRESH, AGAIN or BACK
    uint16_t row            # in the table of orders
    uint8_t kind
    uint8_t source
    uint8_t goal
    uint8_t other           # where the unit is that is helped
    uint32_t pattern[PATTERNS]

cdef void see_patterns(
    const State* s, int power, const uint16_t* source, const uint16_t* goal, Option* out
) noexcept nogil
cdef int options_of(
    const MapTables* m, const State* s, const Record* memory, int power, Option* out, int room
) noexcept nogil


cdef inline int since_start(const State* s) noexcept nogil:
    return max(0, s.year - FIRST_YEAR)
