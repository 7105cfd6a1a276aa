"""Learning of a policy from recorded games."""

from libc.stdint cimport uint64_t

from bordeaux._ext.net.facts cimport Survey
from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.net.weights cimport Net, Weights
from bordeaux._ext.learn.learner cimport Learner
from bordeaux._ext.learn.net_gradient cimport Slopes, Turned
from bordeaux._ext.learn.net_lesson cimport Tally
from bordeaux._ext.net.looker cimport Looker, Places, Scratch, Table
from bordeaux._ext.learn.recorded cimport Recorded
from bordeaux._ext.rules.structures cimport MAX_POWERS, State
from bordeaux._ext.rules.tables cimport Tables


cdef class NetLearner(Learner):
    cdef readonly Tables tables
    cdef readonly Net net
    cdef readonly Net mean
    cdef readonly double loss
    cdef readonly double likely
    cdef readonly double first
    cdef readonly long long choices
    cdef int names                      # where rows by name begin
    cdef float share                    # of the first look's own loss
    cdef float weigh
    cdef float unit
    cdef Weights grad
    cdef Looker look
    cdef Turned turned
    cdef Scratch* scratch               # by power, and one for all
    cdef Table* boards
    cdef Slopes* slopes
    cdef Places places[MAX_POWERS]
    cdef State state
    cdef Record record
    cdef Survey survey
    cdef Tally tally

    cdef int go(
        self, Recorded games, phases, double forget, double unname, uint64_t chance, bint learns
    ) except -1
    cdef void phase(self, Recorded games, int game, int phase, bint memory, bint names, bint learns) noexcept nogil
    cdef void power(self, Recorded games, int phase, int power, float weight, bint learns) noexcept nogil
    cdef float weight_of(self, Recorded games, int phase, int power) noexcept nogil
    cdef void add_relations(self) noexcept nogil
    cdef int sum_up(self) except -1
