from bordeaux._ext.value.prospect_rows cimport Scene, Weighing
from bordeaux._ext.rules.structures cimport MapTables, State
from bordeaux._ext.value.valuer cimport Valuer


cdef class EndValue(Valuer):
    cdef Weighing weighing      # which rows stand for a position

    cdef void judge(self, const State* s, float* share, float* solo) noexcept nogil
    cdef void value_by(self, float scale) noexcept


cdef class Prospect(EndValue):
    pass


cdef void prepare(Weighing* w, const MapTables* m, bint names, int first_year, float scale) noexcept nogil
cdef bint over(const Scene* c, const State* s, int n, float* share, float* solo) noexcept nogil
cdef void softmax(const Scene* c, const float* logits, int n, const float* beside, float* out) noexcept nogil
