from bordeaux._ext.rules.structures cimport State
from bordeaux._ext.rules.tables cimport Tables


cdef class Packed:
    cdef State state
    cdef readonly Tables tables
