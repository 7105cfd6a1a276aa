"""The input of the prospect: the rows of its table of weights that represent each power."""

from libc.stdint cimport uint8_t, uint16_t

from bordeaux._ext.rules.structures cimport MAX_POWERS, MapTables, State

cdef enum:
    HEADS = 2           # weights of a row: for the share of the end, and for a solo
    COUNTS = 19         # 0 to 18 centres of 34
    YEARS = 16          # 8 spans of years, Spring and Fall of each
    SIZES = 6           # spans of scaled counts
    MOST = 640          # rows of one power that count once
    FULL = 18           # a scaled count of centres is 18 at most
    EVEN = 34           # centres of the map that others are scaled to

# First rows of the terms. Row 0 is nothing.
cdef enum:
    CENTRES = 1                                 # count; count by year
    UNITS = CENTRES + COUNTS + YEARS * COUNTS   # units beyond centres, -3 to 3, by season
    SAFETY = UNITS + 2 * 7                      # own centre: season, who stands there, attackers, guards
    REACH = SAFETY + 2 * 3 * 16                 # other centre: season, who stands there, guards, own units
    SUPPORT = REACH + 2 * 4 * 16                # own unit: season, whether on a centre, attackers, guards
    CONTROL = SUPPORT + 2 * 2 * 16              # centres that own units are nearest to, by count; shared; provinces
    RIVALS = CONTROL + COUNTS * COUNTS + 2 * COUNTS     # count by the largest other's; count, rank by powers alive
    NEIGHBOURS = RIVALS + COUNTS * COUNTS + 8 * COUNTS + 8 * 8  # other power: contact and sizes; who presses whom
    HOMES = NEIGHBOURS + 4 * SIZES * SIZES + 5  # own homes owned, by those in which others stand
    POWER = HOMES + 5 * 3                       # names from here: power by year, by count, by each other's size
    NOBODY_ROWS = 1 + YEARS * COUNTS + COUNTS * COUNTS + 8

cdef struct Scene:
    int season, year                    # that of the next movement phase; the year as a span
    int n_alive, most, second, victor   # scaled centres of the two largest; the power that has won, or -1
    int n_units
    uint8_t places[256]                 # provinces of units
    uint8_t owner[256]                  # by centre, ownership settled
    uint8_t standing[256]               # by centre: power of the unit there, NOTHING without one
    uint8_t entering[256]               # by province: units that can move there
    uint8_t entries[MAX_POWERS][256]    # those of each power
    uint8_t nearest[MAX_POWERS][256]    # by province: moves of the nearest unit
    uint8_t best[256]                   # the least of them, and how many powers have it
    uint8_t sharers[256]
    int press[MAX_POWERS][MAX_POWERS]   # units and centres of the second that units of the first reach
    int count[256]                      # centres by power, and by NOTHING
    int units[MAX_POWERS]
    uint8_t scaled[MAX_POWERS]          # centres as if of 34
    bint alive[MAX_POWERS]

# Rows of one power: those that count once, and those of single centres and units, which count by `factor`.
cdef struct Listed:
    int n_once, n_single
    uint16_t once[MOST]
    uint16_t single[512]

cdef struct Weighing:
    const MapTables* map
    float* rows                 # [row][HEADS]
    float* nobody               # [row]: that nobody wins alone
    bint names                  # whether rows of names count
    int first_year
    float factor                # what a centre of this map is of one of 34
    float scale                 # points of a share of 1
    uint8_t scaled[256]         # by a count of centres: what it would be of 34, 18 at most


cdef inline int place_row(const MapTables* m) noexcept nogil:
    """First row for a power and the owner of a centre."""
    return POWER + m.n_powers * (YEARS + COUNTS + SIZES * m.n_powers)


cdef inline int posts_row(const MapTables* m) noexcept nogil:
    """First row for a power and a unit of a power in a location."""
    return place_row(m) + m.n_powers * m.n_centres * (m.n_powers + 1)


cdef void look(const Weighing* w, const State* s, Scene* c) noexcept nogil
cdef void list_rows(const Weighing* w, const Scene* c, const State* s, int power, Listed* out) noexcept nogil
cdef void list_common(const Scene* c, uint16_t* out) noexcept nogil
