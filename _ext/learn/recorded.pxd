from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from bordeaux._ext.net.memory cimport Deeds, Record
from bordeaux._ext.rules.structures cimport Order, State
from bordeaux._ext.rules.tables cimport Tables


cdef class Recorded:
    cdef readonly Tables tables
    cdef readonly int n_games
    cdef readonly int n_phases
    cdef dict columns               # keeps alive what the pointers below point to
    cdef bytes sums
    cdef const uint8_t* seats       # [game][power]
    cdef const float* shares        # [game][power]
    cdef const int8_t* winner       # by game
    cdef const float* gains         # [phase][power]
    cdef const float* values        # [phase][power]
    cdef const int16_t* year        # by phase
    cdef const uint8_t* season
    cdef const uint8_t* kind
    cdef const uint8_t* owners      # [phase][centre]
    cdef const uint8_t* n_orders    # [phase][power]
    cdef const uint16_t* units
    cdef const uint16_t* dislodged
    cdef const uint32_t* retreats
    cdef const uint64_t* codes
    cdef const uint32_t* first_phase    # [game + 1]
    cdef const uint32_t* first_unit     # [phase + 1]
    cdef const uint32_t* first_driven   # [phase + 1]
    cdef const uint32_t* first_order    # [phase * powers + power + 1]

    cdef bytes column(self, str name, int size, int rows)
    cdef const uint8_t* start(self, str name, int size, int rows) except NULL
    cdef int check(self) except -1
    cdef int game_of(self, int phase) noexcept nogil
    cdef void state(self, int phase, State* out) noexcept nogil
    cdef int orders(self, int phase, int power, Order* out, int room) noexcept nogil
    cdef void deeds(self, int phase, Deeds* out) noexcept nogil
    cdef void remembered(self, int game, int phase, const State* s, Record* out) noexcept nogil
