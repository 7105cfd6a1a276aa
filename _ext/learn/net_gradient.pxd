"""Gradients of a power's option scores with respect to the weights of a learnt policy."""

from libc.stdint cimport uint16_t

from bordeaux._ext.net.facts cimport POWER_ROWS
from bordeaux._ext.net.weights cimport WIDEST, Weights
from bordeaux._ext.net.looker cimport Looker, Places, Scratch, Table
from bordeaux._ext.net.options cimport MAX_OPTIONS

# Dense layers turned over, to go back through them.
cdef struct Turned:
    float layer2[2 * WIDEST * WIDEST]       # [b][2 a]
    float layer3[2 * WIDEST * WIDEST]       # [c][2 b]
    float source[2 * WIDEST * WIDEST]       # [k + e][c]
    float goals[2 * WIDEST * WIDEST]        # [2 k][c]
    float other[WIDEST * WIDEST]            # [k][a]
    float far[WIDEST * WIDEST]              # [k][a]

# The gradient of the loss, by option and by computed value of a province.
cdef struct Slopes:
    float base[MAX_OPTIONS]
    float source[256 * 2 * WIDEST]
    float goals[256 * 2 * WIDEST]
    float other[256 * WIDEST]
    float far[256 * WIDEST]
    float h1[256 * WIDEST]
    float h2[256 * WIDEST]
    float h3[256 * WIDEST]
    float both[256 * 2 * WIDEST]
    float beside[256 * 2 * WIDEST]
    float power[WIDEST]

cdef void turn(const Weights* w, Turned* out) noexcept nogil
cdef void blame(
    const Looker* look, const Turned* turned, const Table* t, const Places* places, const uint16_t* power_rows,
    Scratch* x, Slopes* d, Weights* grad
) noexcept nogil
