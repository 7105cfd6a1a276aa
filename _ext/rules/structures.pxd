"""The C structures of the core: a compiled map, a position, an order.

Everything has a fixed size, so nothing is allocated once a map is compiled. A *location* is a province as
seen by an army, or by a fleet on one of its coasts (the Node of Webb and others 2008). A *token* encodes the unit at a
place: (power + 1) << 10 | location, and 0 for no unit.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    MAX_PROVINCES = 255
    MAX_LOCATIONS = 1023
    MAX_POWERS = 31
    MAX_NEIGHBOURS = 32
    MAX_COASTS = 4
    WORDS = 4
    NOTHING = 255
    NO_LOCATION = 0xFFFF
    FAR_AWAY = 255
    TOKEN_SHIFT = 10
    TOKEN_LOCATION = 0x3FF

cdef enum:
    INLAND = 0
    COASTAL = 1
    SEA = 2

cdef enum:
    NO_ORDER = 0
    HOLD = 1
    MOVE = 2
    SUPPORT_HOLD = 3
    SUPPORT_MOVE = 4
    CONVOY = 5
    RETREAT = 6
    DISBAND = 7
    BUILD = 8
    WAIVE = 9

cdef enum:
    FLAG_VIA = 1

cdef enum:
    SPRING = 0
    FALL = 1
    WINTER = 2

cdef enum:
    MOVEMENT = 0
    RETREATS = 1
    ADJUSTMENTS = 2
    COMPLETED = 3

# The result of an order, as bits; 0 is success.
cdef enum:
    BOUNCE = 1
    VOID = 2
    CUT = 4
    DISLODGED = 8
    DISRUPTED = 16
    NO_CONVOY = 32
    DISBANDED = 64

# Choices that rule books differ on; 0 is the preferred choice of DATC 3.
cdef enum:
    RULE_LAND_FIRST = 1         # an adjacent move takes the land route unless it says VIA (as in DAIDE)

cdef struct Order:
    uint8_t kind
    uint8_t flags
    uint16_t unit               # location of the ordered unit
    uint16_t target             # move, retreat: where to; support, convoy: location of the other unit
    uint16_t destination        # support of a move, convoy: where the other unit goes

cdef struct State:
    uint16_t unit[256]          # token of the unit standing in each province
    uint16_t dislodged[256]     # token of the unit dislodged from it
    uint32_t retreats[256]      # which neighbours of that unit's location it may retreat to, as bits
    uint8_t owner[256]          # who owns the centre, NOTHING where nobody does
    int16_t year
    uint8_t season
    uint8_t kind

cdef struct MapTables:
    int n_provinces
    int n_locations
    int n_powers
    int n_centres
    int n_words                 # 64-bit words that hold a bit for every province
    int stride                  # n_provinces rounded up to a multiple of 16: the row length of tables
    uint8_t terrain[256]
    uint8_t is_centre[256]
    uint8_t centres[256]
    uint32_t home_of[256]       # powers that may build here, as bits
    uint16_t army_at[256]       # location of an army in the province, NO_LOCATION at sea
    uint8_t n_fleets[256]
    uint16_t fleets_at[256][MAX_COASTS]
    uint64_t coastal[WORDS]     # coastal provinces
    uint64_t seas[256][WORDS]   # sea provinces that touch the province
    uint64_t borders[256][WORDS]   # provinces that touch the province for any unit
    uint8_t province[1024]
    uint8_t is_fleet[1024]
    uint8_t n_neighbours[1024]
    uint16_t neighbours[1024][MAX_NEIGHBOURS]
    uint64_t reach[1024][WORDS]    # provinces that the location can move to
    uint64_t nearby[1024][WORDS]   # those, and all that touch them: whom a support may concern
    uint8_t alphabetical[256]   # rank of the province's full name, for removals in civil disorder
    uint8_t* distance           # [n_locations][stride], FAR_AWAY where there is no way
    uint8_t* steps              # [n_provinces][stride], over land and sea alike

cdef extern from "rules/portable.h" nogil:
    int wide_vectors()
    int count_bits(uint64_t bits)
    void* zeroed(size_t size)

cdef extern from "rules/rows.h" nogil:
    float rows_dot(const float* a, const float* b, int n)
    int rows_places(uint8_t* places, const uint16_t* tokens, int n)
    int rows_beyond(const uint8_t* bytes, uint8_t limit, uint8_t none, int n)
    void rows_fetch(const void* start, int size)
    int lowest_bit(uint64_t bits)


cdef inline int power_of(uint16_t token) noexcept nogil:
    return (token >> TOKEN_SHIFT) - 1

cdef inline int location_of(uint16_t token) noexcept nogil:
    return token & TOKEN_LOCATION

cdef inline uint16_t make_token(int power, int location) noexcept nogil:
    return <uint16_t>(((power + 1) << TOKEN_SHIFT) | location)

cdef inline bint has_bit(const uint64_t* bits, int index) noexcept nogil:
    return (bits[index >> 6] >> (index & 63)) & 1

cdef inline void set_bit(uint64_t* bits, int index) noexcept nogil:
    bits[index >> 6] |= (<uint64_t>1) << (index & 63)
