from bordeaux._ext.closure cimport Area, Ground
from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport Order


cdef class Field:
    cdef readonly Packed position
    cdef Ground ground
    cdef int index(self) except -1
    cdef int fix(self, bytes orders, Order* laid, Area* a) except -1


cdef codes_of(const Order* orders, int n)
