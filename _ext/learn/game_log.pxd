"""Games recorded as columns of bytes while they are played, without Python."""

from libc.stdint cimport uint16_t, uint64_t

from bordeaux._ext.rules.structures cimport MapTables, Order, State

cdef enum:
    COLUMNS = 19

# Bytes that grow.
cdef struct Column:
    char* data
    size_t used
    size_t room
    bint full               # there was no memory for a row


cdef class GameLog:
    cdef Column kept[COLUMNS]

    cdef void clear(self) noexcept nogil
    cdef void begin(self, const unsigned char* seats, int n_powers, uint64_t seed) noexcept nogil
    cdef void orders(self, const Order* given, int n) noexcept nogil
    cdef void phase(self, const MapTables* m, const State* s, const float* gains, const float* values) noexcept nogil
    cdef void end(self, const MapTables* m, const State* s, uint16_t phases) noexcept nogil
    cdef void add(self, int column, const void* row, size_t size) noexcept nogil
