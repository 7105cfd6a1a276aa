from bordeaux._ext.battle cimport Battle


cdef void decide_cycles(Battle* b) noexcept nogil
