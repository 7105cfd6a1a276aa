"""The additions of a wide net to a small one (`net_scores`).

Further rounds of message passing: each updates every province from its own row, those of its neighbours and the mean of
the whole board, all normalised to a mean square of 1. And queries and messages between the orders of one power: an
option gains the product of its query and the sum of the messages of the chosen orders.
"""

from libc.math cimport sqrtf
from libc.string cimport memcpy, memset

from bordeaux._ext.net.weights cimport WIDEST
from bordeaux._ext.net.kernels cimport *

cdef float SMALLEST = 1e-3      # added to the mean square of a row


cdef inline void even(const Looker* look, const float* row, int n, float* out) noexcept nogil:
    """A row divided by its root mean square."""
    cdef float factor = 1 / sqrtf(net_dot(look.wide, row, row, n) / n + SMALLEST)
    cdef int k
    for k in range(n):
        out[k] = row[k] * factor


cdef void further_rounds(const Looker* look, const Places* places, Scratch* x) noexcept nogil:
    """Pass the rows of `h3` of all places through the rounds; at the end those of scored places are normalised, and
    others must not be used. Overwrites `h2`, `both` and `packed`."""
    cdef const Weights* w = look.weights
    cdef float mean[WIDEST]
    cdef float shift[WIDEST]
    cdef int i, k, p, turn, count, c = w.c
    for turn in range(w.rounds):
        # What nobody asks for in the end is not worked out in the last round.
        count = places.n_scored if turn == w.rounds - 1 else places.n
        memset(mean, 0, c * sizeof(float))
        for i in range(places.n):
            even(look, x.h3 + i * c, c, x.h2 + i * c)
            for k in range(c):
                mean[k] += x.h2[i * c + k]
        for k in range(c):
            mean[k] /= places.n
        net_dense(look.wide, mean, 1, c, w.wholes + turn * c * c, w.biases + turn * c, c, shift, 0)
        for i in range(count):
            p = places.listed[i]
            net_join(
                look.wide, x.h2, x.h2 + i * c, look.near[p], places.place, look.n_near[p], c, x.both + i * 2 * c
            )
        net_dense(look.wide, x.both, count, 2 * c, w.layers + turn * 2 * c * c, shift, c, x.packed, 1)
        for k in range(count * c):
            x.h3[k] += x.packed[k]
    for i in range(places.n_scored):
        even(look, x.h3 + i * c, c, x.h3 + i * c)


cdef void speak(const Looker* look, const Places* places, Scratch* x, Table* t) noexcept nogil:
    """Compute the contributions of provinces to the queries and messages of options. Overwrites `both`."""
    t.named = look.names != 0
    spread(look, places, x, places.n_sources, look.weights.ask.source, t.ask_source)
    spread(look, places, x, places.n_scored, look.weights.ask.goal, t.ask_goal)
    spread(look, places, x, places.n_sources, look.weights.tell.source, t.tell_source)
    spread(look, places, x, places.n_scored, look.weights.tell.goal, t.tell_goal)


cdef void spread(
    const Looker* look, const Places* places, Scratch* x, int count, const float* weights, float* by_province
) noexcept nogil:
    cdef int i, q = look.weights.q
    net_dense(look.wide, x.h3, count, look.weights.c, weights, NULL, q, x.both, 0)
    for i in range(count):
        memcpy(by_province + places.listed[i] * q, x.both + i * q, q * sizeof(float))


cdef void listen(const Weights* w, const Table* t, const uint16_t* chosen, int n_chosen, float* heard) noexcept nogil:
    """The sum of the messages of chosen options, q numbers."""
    cdef const Option* o
    cdef int k, i, q = w.q
    memset(heard, 0, q * sizeof(float))
    for i in range(n_chosen):
        o = &t.options[chosen[i]]
        for k in range(q):
            heard[k] += t.tell_source[o.source * q + k] + t.tell_goal[o.goal * q + k] + w.tell.kind[o.kind * q + k]
        if t.named:
            for k in range(q):
                heard[k] += w.tell.order[o.row * q + k]


cdef float answer(const Weights* w, const Table* t, const Option* o, const float* heard) noexcept nogil:
    """The gain of an option from the messages."""
    cdef float total = 0
    cdef int k, q = w.q
    for k in range(q):
        total += heard[k] * (
            t.ask_source[o.source * q + k] + t.ask_goal[o.goal * q + k] + w.ask.kind[o.kind * q + k]
        )
    if t.named:
        for k in range(q):
            total += heard[k] * w.ask.order[o.row * q + k]
    return total
