from libc.stdint cimport uint64_t

from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.rules.structures cimport Order, State
from bordeaux._ext.rules.tables cimport Tables

# Writes legal orders of a power in a state: at most one for each unit, or for each build or removal that is due.
# Without an order a unit holds or disbands, a build is waived, and a removal goes by civil disorder. All random
# choices come from `chance`, a state of SplitMix64. Returns the number of orders.
ctypedef int (*PolicyOrders)(void* work, const State* s, int power, uint64_t* chance, Order* out) noexcept nogil

# Sets what powers ordered before the states that follow, which must stay where it is; NULL for unknown.
ctypedef void (*PolicyRecall)(void* work, const Record* record) noexcept nogil

cdef struct Policy:
    PolicyOrders orders
    PolicyRecall recall     # NULL for a policy without a memory
    void* work
    float* temperature      # how even its draws are; NULL for a policy that has none
    int cost            # nodes of a search that take as long as orders of all powers in a movement phase


cdef class Chooser:
    cdef readonly Tables tables
    cdef public uint64_t chance         # state of the random numbers
    cdef Policy policy
