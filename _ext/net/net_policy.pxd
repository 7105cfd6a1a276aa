from libc.stdint cimport uint64_t

from bordeaux._ext.net.facts cimport Survey
from bordeaux._ext.net.memory cimport Memory, Record
from bordeaux._ext.net.weights cimport Net
from bordeaux._ext.net.looker cimport Looker, Scratch, Table
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.net.policy cimport Chooser
from bordeaux._ext.rules.structures cimport MAX_POWERS, Order, State


cdef class NetPolicy(Chooser):
    cdef readonly Net net
    cdef readonly bint names
    cdef public float temperature
    cdef Looker look
    cdef Memory memory
    cdef const Record* record
    cdef Survey survey
    cdef Scratch* scratch
    cdef Table* boards              # by power
    cdef State last                 # the state that these are of
    cdef uint64_t looked            # powers that have been looked at there, as bits

    cdef Table* looked_at(self, const State* s, int power) noexcept nogil
    cdef int draw(self, const State* s, int power, uint64_t* chance, Order* out) noexcept nogil
    cdef int check_units(self, Packed packed, int power) except -1
