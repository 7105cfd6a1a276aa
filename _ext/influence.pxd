from bordeaux._ext.lines cimport Lines
from bordeaux._ext.structures cimport State
from bordeaux._ext.tables cimport Tables
from bordeaux._ext.terms cimport Judge

cdef enum:
    AFTER_SPRING = 0
    AFTER_FALL = 1


cdef class Evaluator:
    cdef Judge judge
    cdef readonly Tables tables
    cdef Lines lines
    cdef Evaluator parent       # keeps alive what a raised evaluator shares with it
    cdef bint shares            # all tables but goals are those of the parent


cdef float value_of(const Judge* j, const State* s, int power, float* terms) noexcept nogil
