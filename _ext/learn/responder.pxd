"""Sampled best responses in one position."""

from bordeaux._ext.net.memory cimport Memory
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.learn.selfplay cimport SelfPlay


cdef class Responder(SelfPlay):
    cdef int see(self, Packed position, Memory memory, int mind, int power, seed) except -1
