"""The seam for values: whatever can say what a state is worth to a power.

A value is a function and what it works on. Kinds of them are classes under `Valuer` that own what they
work on and fill in `value`.
"""

from bordeaux._ext.structures cimport State
from bordeaux._ext.tables cimport Tables

ctypedef float (*ValuePoints)(const void* work, const State* s, int power) noexcept nogil

cdef struct Value:
    ValuePoints points
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
