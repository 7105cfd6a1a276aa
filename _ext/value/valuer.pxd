from bordeaux._ext.rules.structures cimport State
from bordeaux._ext.rules.tables cimport Tables

ctypedef float (*ValuePoints)(const void* work, const State* s, int power) noexcept nogil

# Writes what a state is worth to every power at once, for values that see all powers together anyway.
ctypedef void (*ValueAll)(const void* work, const State* s, float* out) noexcept nogil

cdef struct Value:
    ValuePoints points
    ValueAll all        # NULL where each power is judged by itself
    const void* work
    float victory       # what of them a victory makes, so that one that comes sooner can count for more


cdef class Valuer:
    cdef readonly Tables tables
    cdef Value value


cdef struct Mixed:
    Value first
    Value second
    float part          # of the second


cdef class Blend(Valuer):
    cdef tuple mixed                    # keeps alive what is mixed
    cdef Mixed mixture


cdef inline float points_of(Valuer valuer, const State* s, int power) noexcept nogil:
    """What a state is worth to a power, in points."""
    return valuer.value.points(valuer.value.work, s, power)


cdef inline void all_points(const Value* value, const State* s, float* out, int n_powers) noexcept nogil:
    """What a state is worth to every power, in points."""
    cdef int power
    if value.all != NULL:
        value.all(value.work, s, out)
        return
    for power in range(n_powers):
        out[power] = value.points(value.work, s, power)
