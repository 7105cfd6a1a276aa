from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from bordeaux._ext.rules.structures cimport MapTables, Order
from bordeaux._ext.rules.tables cimport Tables


cdef struct Slot:
    uint32_t key
    int32_t number


cdef class OrderNumbers:
    cdef readonly Tables tables
    cdef int n
    cdef uint64_t* codes
    cdef Slot* slots
    cdef int first[1025]        # of the slots of each location's orders
    cdef uint8_t shift[1024]    # what is left of a mixed key is a slot
    cdef int32_t number(self, const Order* order) noexcept nogil
