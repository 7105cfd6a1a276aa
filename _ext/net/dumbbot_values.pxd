from libc.stdint cimport int64_t, uint8_t, uint16_t

from bordeaux._ext.net.policy cimport Chooser
from bordeaux._ext.rules.structures cimport State
from bordeaux._ext.rules.tables cimport Tables

cdef enum:
    MAX_STEPS = 16

cdef struct Scheme:
    int64_t attack          # what the size of a centre's owner counts
    int64_t defence         # what the size of the largest power that threatens an own centre counts
    int64_t strength        # for each own unit that could be in the province
    int64_t competition     # for each unit of the power that has most of them there
    int64_t guard           # for the size of the largest power that threatens an own centre, at once
    int n_steps
    int64_t steps[MAX_STEPS]    # weight of the proximity after 0, 1, 2... steps of blurring


cdef class DumbBotValues(Chooser):
    cdef Scheme schemes[3]              # by season
    cdef int64_t size[3]
    cdef int64_t neutral_value
    cdef int n_locations
    cdef bint weak_variant
    cdef int* starts                    # [location + 1]: where its neighbours begin
    cdef uint16_t* neighbours           # those of one province together
    cdef uint8_t* again                 # whether a neighbour is in the province of the one before
    cdef uint8_t* doubled               # whether a location has such neighbours
    cdef int64_t* blurred               # [step][location]
    cdef int64_t* value                 # [location]
    cdef int64_t sizes[32]              # by power; the last one is that of the neutral centres
    cdef int64_t threat[256]            # by province, like all that follows
    cdef int64_t strength[256]
    cdef int64_t competition[256]
    cdef int64_t centre_percent[256]
    cdef int64_t unit_percent[32]       # by power
    cdef int64_t prey_percent
    cdef uint16_t counts[32][256]

    cdef void look(self, const State* s, int power) noexcept nogil
    cdef void measure_powers(self, const State* s) noexcept nogil
    cdef void count_units(self, const State* s, int power) noexcept nogil
    cdef void place_centres(self, const State* s, int power, const Scheme* scheme) noexcept nogil
    cdef void hunt(self, const State* s, int power) noexcept nogil
    cdef void blur(self, int step) noexcept nogil
