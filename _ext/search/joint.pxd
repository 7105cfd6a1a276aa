from libc.stdint cimport uint8_t, uint32_t, uint64_t

from bordeaux._ext.rules.battle cimport Battle
from bordeaux._ext.search.regret cimport RegretGame
from bordeaux._ext.rules.structures cimport MAX_POWERS, MapTables, Order, State
from bordeaux._ext.value.valuer cimport Valuer


cdef class CandidateGame(RegretGame):
    cdef readonly Valuer evaluator
    cdef const MapTables* map
    cdef State root
    cdef State after
    cdef Battle battle
    cdef Order around[256]                  # the joint orders on the board, by province
    cdef uint64_t key                       # and what they are known by in the cache
    cdef int n_units[MAX_POWERS]
    cdef uint8_t provinces[MAX_POWERS][256]     # of each power's units
    cdef Order* sets[MAX_POWERS]            # [action][unit]
    cdef uint64_t* keys                     # of the joint orders in each slot of the cache, 0: none
    cdef uint32_t* known                    # powers whose value is known there, as bits
    cdef float* values                      # [slot][power]

    cdef const float* play(self, uint64_t key, uint32_t wanted) noexcept nogil
    cdef void place(self, int player, int action) noexcept nogil
    cdef int read(self, int player, bytes orders, Order* into) except -1
