from libc.stdint cimport uint8_t, uint16_t

from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.rules.structures cimport MAX_POWERS, MapTables, State
from bordeaux._ext.rules.tables cimport Tables

cdef enum:
    NODE_ROWS = 12          # rows of one province, of which the last four are names
    POWER_ROWS = 6          # rows of one power, added to all its provinces

# The part of the input that is the same for all powers.
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

cdef class Facts:
    cdef readonly Tables tables
    cdef readonly bint names
    cdef readonly int n_general
    cdef readonly int n_rows

    cdef int check(self, Packed packed, int power) except -1


cdef void survey(const MapTables* m, const State* s, Survey* v) noexcept nogil
cdef void see_power(
    const MapTables* m, const State* s, const Survey* v, const Record* memory, int power, uint16_t* rows
) noexcept nogil
cdef void see_province(
    const MapTables* m, const State* s, const Survey* v, const Record* memory, int power, int p, int names,
    uint16_t* rows
) noexcept nogil
