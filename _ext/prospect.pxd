from bordeaux._ext.prospect_rows cimport Weighing
from bordeaux._ext.value cimport Valuer


cdef class Prospect(Valuer):
    cdef Weighing weighing
