from bordeaux._ext.search.closure cimport Area, Ground
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport Order


cdef class Field:
    cdef readonly Packed position
    cdef Ground ground
    cdef int index(self) except -1
    cdef int fix(self, bytes orders, Order* laid, Area* a) except -1


cdef list codes_of(const Order* orders, int n)
