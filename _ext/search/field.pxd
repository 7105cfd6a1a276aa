from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *

cdef enum:
    MAX_REPLIERS = 40
    MAX_CHOICES = 128

# An order as provinces: `helped` is the unit that is supported or convoyed (its own for other orders),
# `goal` where a move, or the move that is helped, goes; of a hold or its support where the unit stands.
cdef struct Part:
    uint8_t kind
    uint8_t via
    uint8_t unit
    uint8_t helped
    uint8_t goal

# The moves of a replier to one province: `n_land` codes without a convoy from `first` on, then `n_sea` with one.
cdef struct Way:
    uint8_t goal
    int n_land
    int n_sea
    int first

cdef struct Replier:
    int first_way
    int n_ways
    int first_stay
    int n_stays
    uint64_t land[WORDS]            # provinces it can move to without a convoy
    uint64_t sea[WORDS]             # and with one

# A position's units, and what the repliers among them may do.
cdef struct Ground:
    const MapTables* map
    uint64_t occupied[WORDS]
    uint64_t replying[WORDS]        # where repliers stand
    Replier of[256]
    uint64_t by_land[256][WORDS]    # for each province the repliers that can move there without a convoy
    uint64_t by_sea[256][WORDS]     # and with one
    uint64_t carriable[256][WORDS]  # for each army where replying fleets could carry it
    int n_fleets
    int n_armies
    uint8_t fleets[256]             # replying fleets at sea
    uint8_t army[256]               # number of an army on a coast
    uint64_t* carries               # [fleet][army][WORDS]: where this one could
    Order* codes
    Way* ways

# Provinces that matter beside fixed orders, and the repliers that do.
cdef struct Area:
    int n_fixed
    Part fixed[256]
    uint8_t fixed_at[256]           # number of the order of a unit by its province, and 1; 0 where none is fixed
    uint64_t fixed_goals[WORDS]     # where fixed units move
    uint64_t asked[WORDS]
    uint64_t provinces[WORDS]
    uint64_t who[WORDS]             # where the repliers that matter stand
    uint64_t exits[256][WORDS]      # of a replier in the area: ways out that count
    uint8_t open[256]
    int n_open

# The possible orders of the repliers of an area.
cdef struct Choices:
    int n_units
    uint8_t place[MAX_REPLIERS]
    int n_moves[MAX_REPLIERS]
    int n_stays[MAX_REPLIERS]
    Order moves[MAX_REPLIERS][MAX_CHOICES]
    Order stays[MAX_REPLIERS][MAX_CHOICES]


cdef inline Part part_of(const MapTables* m, const Order* order) noexcept nogil:
    cdef Part part
    part.kind = order.kind
    part.via = order.flags & FLAG_VIA
    part.unit = part.helped = part.goal = m.province[order.unit]
    if order.kind == MOVE:
        part.goal = m.province[order.target]
    elif order.kind == SUPPORT_HOLD:
        part.helped = part.goal = m.province[order.target]
    elif order.kind == SUPPORT_MOVE or order.kind == CONVOY:
        part.helped = m.province[order.target]
        part.goal = m.province[order.destination]
    return part


cdef inline bint is_support(const Part* part) noexcept nogil:
    return part.kind == SUPPORT_HOLD or part.kind == SUPPORT_MOVE


cdef inline int next_bit(const MapTables* m, uint64_t* bits) noexcept nogil:
    """Take the lowest bit out of a set; -1 when it is empty."""
    cdef int w, k
    for w in range(m.n_words):
        if bits[w]:
            k = lowest_bit(bits[w])
            bits[w] &= bits[w] - 1
            return 64 * w + k
    return -1


cdef class Field:
    cdef readonly Packed position
    cdef Ground ground
    cdef int index(self) except -1
    cdef int fix(self, bytes orders, Order* laid, Area* a) except -1


cdef void near(const Ground* g, Area* a) noexcept nogil
cdef void touched(const Ground* g, const Area* a, uint64_t* bits) noexcept nogil
cdef bint choose(const Ground* g, const Area* a, Choices* out) noexcept nogil
