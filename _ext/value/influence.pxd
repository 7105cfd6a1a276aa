from bordeaux._ext.value.lines cimport Lines
from bordeaux._ext.value.terms cimport Judge
from bordeaux._ext.value.valuer cimport Valuer

cdef enum:
    AFTER_SPRING = 0
    AFTER_FALL = 1


cdef class Evaluator(Valuer):
    cdef Judge judge
    cdef Lines lines
    cdef Evaluator parent       # keeps alive what a raised evaluator shares with it
    cdef bint shares            # all tables but goals are those of the parent
