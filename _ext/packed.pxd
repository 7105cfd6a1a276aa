from bordeaux._ext.structures cimport State
from bordeaux._ext.tables cimport Tables


cdef class Packed:
    cdef State state
    cdef readonly Tables tables
