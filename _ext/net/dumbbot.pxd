from libc.stdint cimport int64_t, uint8_t

from bordeaux._ext.net.dumbbot_values cimport DumbBotValues
from bordeaux._ext.rules.structures cimport Order, State


cdef class DumbBotPolicy(DumbBotValues):
    cdef int alternative                # percent: how often the next best is looked at
    cdef int modifier                   # percent of a gap that keep the walk from going on
    cdef int furthest[3]                # how many steps a walk may take, by what it is among
    cdef int helps                      # competition above which an own unit that stands is supported
    cdef Order chosen[256]              # by province
    cdef uint8_t mover[256]             # province whose unit moves here, NOTHING if none does

    cdef int choose(self, const State* s, int power, Order* out) noexcept nogil
    cdef int draw(self, int below) noexcept nogil
    cdef int walk(self, const int64_t* values, int n, int furthest) noexcept nogil
    cdef int shuffled(self, uint8_t* places, int n) noexcept nogil
    cdef void move(self, const State* s, int power) noexcept nogil
    cdef bint settle(self, const State* s, int power, int place, int location) noexcept nogil
    cdef void use_holds(self, const State* s, int power) noexcept nogil
    cdef void retreat(self, const State* s, int power) noexcept nogil
    cdef int remove(self, const State* s, int power, int due, Order* out) noexcept nogil
    cdef int build(self, const State* s, int power, int due, Order* out) noexcept nogil
