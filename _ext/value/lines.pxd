from libc.stdint cimport uint8_t, uint16_t, uint64_t

from bordeaux._ext.rules.structures cimport MapTables, State, WORDS
from bordeaux._ext.rules.tables cimport Tables

cdef enum:
    MAX_HOLDERS = 32
    MAX_FITS = 5            # an army, or a fleet on one of up to four coasts
    MAX_BARRED = 128

cdef struct Line:
    uint64_t sheltered[WORDS]           # provinces behind it
    uint64_t waters[WORDS]              # provinces where it bears no attacking fleet
    uint64_t ports[WORDS]               # homes in these, and behind it
    int n_holders
    int n_centres                       # held and sheltered
    int n_barred
    uint8_t place[MAX_HOLDERS]
    uint8_t n_fits[MAX_HOLDERS]
    uint16_t fits[MAX_HOLDERS][MAX_FITS]    # locations in that place that do
    uint16_t barred[MAX_BARRED]         # locations of the waters where no attacking fleet may be

cdef struct LineTable:
    int n
    int words                   # 64-bit words with a byte for every line
    Line* line
    uint64_t* member            # [province][words]: 1 for a line of which a unit stands there
    uint64_t* half              # [words]: units of which a line has at least half, 127 past the last
    uint64_t* whole             # [words]: all of its units, 127 past the last

cdef class Lines:
    cdef LineTable table
    cdef readonly Tables tables


cdef float fortified(
    const LineTable* t, const MapTables* m, const State* s, int power, const uint8_t* places, int n_units
) noexcept nogil
