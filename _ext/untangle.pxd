from bordeaux._ext.battle cimport Battle


cdef void untangle(Battle* b) noexcept nogil
