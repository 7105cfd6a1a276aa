"""The scores of a learnt policy for a board and every power, and what orders of one power tell each other."""

from libc.stdint cimport uint16_t

from bordeaux._ext.net.facts cimport Survey
from bordeaux._ext.net.looker cimport Looker, Places, Scratch, Table
from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.net.options cimport Option
from bordeaux._ext.net.weights cimport Weights
from bordeaux._ext.rules.structures cimport State


cdef void base_scores(
    const Looker* look, const State* s, const Survey* v, const Record* memory, int power, Places* places, Scratch* x,
    Table* t
) noexcept nogil
cdef void second_look(const Looker* look, Scratch* x, Table* tables) noexcept nogil
cdef void listen(const Weights* w, const Table* t, const uint16_t* chosen, int n_chosen, float* heard) noexcept nogil
cdef float answer(const Weights* w, const Table* t, const Option* o, const float* heard) noexcept nogil
