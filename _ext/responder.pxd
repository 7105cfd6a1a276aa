"""Sampled best responses in one position."""

from bordeaux._ext.memory cimport Memory
from bordeaux._ext.packed cimport Packed
from bordeaux._ext.selfplay cimport SelfPlay


cdef class Responder(SelfPlay):
    cdef int see(self, Packed position, Memory memory, int mind, int power, seed) except -1
