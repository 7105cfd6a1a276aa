"""The further rounds of a wide net, and what orders of one power tell each other."""

from libc.stdint cimport uint16_t

from bordeaux._ext.net.weights cimport Weights
from bordeaux._ext.net.looker cimport Looker, Places, Scratch, Table
from bordeaux._ext.net.options cimport Option

cdef void further_rounds(const Looker* look, const Places* places, Scratch* x) noexcept nogil
cdef void speak(const Looker* look, const Places* places, Scratch* x, Table* t) noexcept nogil
cdef void listen(const Weights* w, const Table* t, const uint16_t* chosen, int n_chosen, float* heard) noexcept nogil
cdef float answer(const Weights* w, const Table* t, const Option* o, const float* heard) noexcept nogil
