"""The interface of policies: they give orders for a power in a state.

A policy is a function and its data. Subclasses of `Chooser` own the data and fill in `policy`.
"""

from libc.stdint cimport uint64_t

from bordeaux._ext.rules.structures cimport Order, State
from bordeaux._ext.rules.tables cimport Tables

# Writes legal orders of a power in a state: at most one for each unit, or for each build or removal that is due.
# What is not ordered holds, disbands, is waived, or goes by civil disorder. All that is left to chance is drawn
# from `chance`, a state of SplitMix64. Returns the number of orders.
ctypedef int (*PolicyOrders)(void* work, const State* s, int power, uint64_t* chance, Order* out) noexcept nogil

cdef struct Policy:
    PolicyOrders orders
    void* work
    int cost            # nodes of a search that take as long as orders of all powers in a movement phase


cdef class Chooser:
    cdef readonly Tables tables
    cdef public uint64_t chance         # state of the random numbers
    cdef Policy policy
