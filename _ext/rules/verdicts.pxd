from bordeaux._ext.rules.battle cimport Battle

cdef enum:
    UNDECIDED = 0
    BUSY = 1
    DECIDED = 2


cdef bint resolve(Battle* b, int p) noexcept nogil
cdef bint judge(Battle* b, int p) noexcept nogil
cdef bint route_exists(Battle* b, int army, bint undisturbed) noexcept nogil
cdef int prevent_strength(Battle* b, int q, int goal) noexcept nogil
