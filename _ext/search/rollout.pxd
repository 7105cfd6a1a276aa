from libc.stdint cimport uint64_t

from bordeaux._ext.net.policy cimport Chooser, Policy
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.resolve cimport Joint
from bordeaux._ext.rules.structures cimport State
from bordeaux._ext.value.valuer cimport Valuer

cdef enum:
    SOONER = 20     # part of a victory that each movement phase is worth by which it comes sooner
    FURTHEST = 100


cdef class Rollout:
    cdef Valuer evaluator
    cdef Chooser chooser                # keeps alive what the policy works on
    cdef Policy policy
    cdef uint64_t chance
    cdef readonly long long nodes
    cdef Joint joint
    cdef State state
    cdef State there

    cdef int check(self, Packed position, int movements) except -1
    cdef int lay(self, const State* root, bytes orders) except -1
    cdef void start(self, const State* root) noexcept nogil
    cdef int play(self, int movements) noexcept nogil
    cdef void step(self) noexcept nogil
