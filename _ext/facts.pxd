"""What a learnt policy is told of a board: rows of an input table for each power and province, and options."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport MAX_POWERS, MapTables, Order, State
from bordeaux._ext.tables cimport Tables

cdef enum:
    NODE_ROWS = 12          # rows of one province, of which the last four are names
    POWER_ROWS = 4          # rows of one power, added to all its provinces
    ORDER_ROWS = 16384      # rows of the table of orders: a power of two
    MAX_OPTIONS = 6144      # options of all units together
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

cdef struct Option:
    Order order
    uint8_t choice          # which unit of the power chooses it, by number
    uint8_t again           # whether the unit stayed where it was, and this is its last order
    uint16_t row            # in the table of orders
    uint8_t kind
    uint8_t source
    uint8_t goal
    uint8_t other           # where the unit is that is helped

# What all powers see alike.
cdef struct Survey:
    int n_units
    uint8_t places[256]
    uint8_t beside[MAX_POWERS][256]     # units of a power that could move into a province
    uint8_t total[256]
    uint8_t most[256]                   # the most that one power has of them, who that is, and the next most
    uint8_t mighty[256]
    uint8_t next[256]
    uint8_t centres[MAX_POWERS]
    uint8_t units[MAX_POWERS]

cdef class Memory:
    cdef Record record

cdef class Facts:
    cdef readonly Tables tables
    cdef readonly bint names
    cdef readonly int n_general
    cdef readonly int n_rows

    cdef int check(self, Packed packed, int power) except -1


cdef void survey(const MapTables* m, const State* s, Survey* v) noexcept nogil
cdef void see_power(const MapTables* m, const State* s, const Survey* v, int power, uint16_t* rows) noexcept nogil
cdef void see_province(
    const MapTables* m, const State* s, const Survey* v, const Record* memory, int power, int p, int names,
    uint16_t* rows
) noexcept nogil
cdef int options_of(
    const MapTables* m, const State* s, const Record* memory, int power, Option* out, int room
) noexcept nogil
