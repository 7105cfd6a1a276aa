"""Learning of a value from recorded games."""

from bordeaux._ext.value.prospect_rows cimport HEADS, Listed
from bordeaux._ext.learn.learner cimport Learner
from bordeaux._ext.learn.recorded cimport Recorded
from bordeaux._ext.rules.structures cimport MAX_POWERS, State
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.value.value_net cimport WIDEST_MIDDLE, WIDEST_SUM, Sight, ValueNet, ValueWeights

# What is aimed at in a phase: shares, and chances of a solo, nobody's coming last.
cdef struct Aim:
    float share[MAX_POWERS]
    float solo[MAX_POWERS + 1]


cdef class ValueLearner(Learner):
    cdef readonly Tables tables
    cdef readonly ValueNet net
    cdef readonly ValueNet mean
    cdef readonly long long phases          # of the last batch
    cdef readonly double loss
    cdef readonly double solo_loss
    cdef readonly double error
    cdef float trace
    cdef float solos
    cdef double sums[3]
    cdef ValueWeights grad
    cdef Aim* aims                          # of the phases of a game
    cdef int room
    cdef Listed* listed                     # by power
    cdef Sight sight
    cdef State state

    cdef int go(self, Recorded games, numbers, double unname, seed, bint learns) except -1
    cdef void aim(self, Recorded games, int game, bint names, bint learns) noexcept nogil
    cdef bint see(self, const ValueWeights* w, Recorded games, int phase, bint names, Aim* out) noexcept nogil
    cdef void phase(self, Recorded games, int phase, bint names, const Aim* aim, bint learns) noexcept nogil
    cdef void blame(self, const float* share, const float* solo) noexcept nogil
