from bordeaux._ext.rules.battle cimport Battle


cdef void decide_cycles(Battle* b) noexcept nogil
