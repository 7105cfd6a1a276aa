"""The backward pass of a learnt policy: from gradients of options' first scores to those of the weights.

It follows `bordeaux._ext.net.scores` step by step in reverse, and uses its intermediate values. Gradients
are added to arrays laid out as the weights are.
"""

from libc.stdint cimport uint16_t
from libc.string cimport memset

from bordeaux._ext.net.facts cimport NODE_ROWS, POWER_ROWS
from bordeaux._ext.learn.kernels cimport learn_add, learn_outer
from bordeaux._ext.net.weights cimport Weights
from bordeaux._ext.net.kernels cimport net_dense, net_join
from bordeaux._ext.net.looker cimport Looker, Places, Scratch, Table, is_far, is_help
from bordeaux._ext.net.options cimport AFRESH, OPTION_WAIVE, OPTIONS, PATTERNS, Option


cdef void turn(const Weights* w, Turned* out) noexcept nogil:
    """Transpose the dense layers."""
    over(w.layer2, 2 * w.a, w.b, out.layer2)
    over(w.layer3, 2 * w.b, w.c, out.layer3)
    over(w.source, w.c, w.k + w.e, out.source)
    over(w.goals, w.c, 2 * w.k, out.goals)
    over(w.other, w.a, w.k, out.other)
    over(w.far, w.a, w.k, out.far)


cdef void over(const float* matrix, int rows, int columns, float* out) noexcept nogil:
    cdef int i, j
    for i in range(rows):
        for j in range(columns):
            out[j * rows + i] = matrix[i * columns + j]


cdef void blame(
    const Looker* look, const Turned* turned, const Table* t, const Places* places, const uint16_t* power_rows,
    Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """Add the gradients of the weights to `grad`, from those of the options' first scores, `d.base`. `x` holds the
    results of `base_scores` for the power; its room for joined rows is overwritten."""
    cdef const Weights* w = look.weights
    memset(d.source, 0, places.n_sources * (w.k + w.e) * sizeof(float))
    memset(d.goals, 0, places.n_scored * 2 * w.k * sizeof(float))
    memset(d.other, 0, places.n * w.k * sizeof(float))
    memset(d.far, 0, places.n * w.k * sizeof(float))
    blame_options(look, t, places, x, d, grad)
    blame_layers(look, turned, places, x, d, grad)
    blame_rows(look, places, power_rows, x, d, grad)


cdef void blame_options(
    const Looker* look, const Table* t, const Places* places, const Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """From the scores of options to the transformed rows of their provinces."""
    cdef const Weights* w = look.weights
    cdef const Option* o
    cdef const float* source
    cdef const float* goal
    cdef const float* other
    cdef float* to_source
    cdef float* to_goal
    cdef float* to_other
    cdef float* bias
    cdef float* out
    cdef float slope, z, part
    cdef int i, k
    for i in range(t.n_options):
        slope = d.base[i]
        if slope == 0:
            continue
        o = &t.options[i]
        (<float*>grad.kind_base)[o.kind] += slope
        bias, out = <float*>grad.kind_bias + o.kind * w.k, <float*>grad.kind_out + o.kind * w.k
        if o.kind == OPTION_WAIVE:
            for k in range(w.k):
                z = w.kind_bias[OPTION_WAIVE * w.k + k]
                if z > 0:
                    out[k] += slope * z
                    bias[k] += slope * w.kind_out[OPTION_WAIVE * w.k + k]
            continue
        other, to_other = NULL, NULL
        source = x.source + places.place[o.source] * (w.k + w.e)
        to_source = d.source + places.place[o.source] * (w.k + w.e)
        if is_far(o.kind):
            goal, to_goal = x.far + places.place[o.goal] * w.k, d.far + places.place[o.goal] * w.k
        else:
            k = places.place[o.goal] * 2 * w.k + (w.k if is_help(o.kind) else 0)
            goal, to_goal = x.goals + k, d.goals + k
        if is_help(o.kind):
            other, to_other = x.other + places.place[o.other] * w.k, d.other + places.place[o.other] * w.k
        for k in range(w.k):
            z = source[k] + goal[k] + w.kind_bias[o.kind * w.k + k]
            if other != NULL:
                z += other[k]
            if z > 0:
                out[k] += slope * z
                part = slope * w.kind_out[o.kind * w.k + k]
                bias[k] += part
                to_source[k] += part
                to_goal[k] += part
                if other != NULL:
                    to_other[k] += part
        if look.names:
            for k in range(PATTERNS):
                (<float*>grad.pattern)[o.pattern[k]] += slope
            (<float*>grad.order_bias)[o.row] += slope
            learn_add(look.wide, <float*>grad.orders + o.row * w.e, source + w.k, slope, w.e)
            learn_add(look.wide, to_source + w.k, w.orders + o.row * w.e, slope, w.e)
        if o.again != AFRESH:
            (<float*>grad.again)[(o.again - 1) * OPTIONS + o.kind] += slope


cdef void cut(float* slopes, const float* values, int n) noexcept nogil:
    """Set the gradient to 0 where the activation was cut off."""
    cdef int i
    for i in range(n):
        if values[i] <= 0:
            slopes[i] = 0


cdef void blame_layers(
    const Looker* look, const Turned* turned, const Places* places, Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """From the transformed rows of provinces through the rounds between neighbours to their first sums."""
    cdef const Weights* w = look.weights
    cdef int i, p, wide = look.wide
    net_dense(wide, d.goals, places.n_scored, 2 * w.k, turned.goals, NULL, w.c, d.h3, 0)
    net_dense(wide, d.source, places.n_sources, w.k + w.e, turned.source, NULL, w.c, d.beside, 0)
    learn_add(wide, d.h3, d.beside, 1, places.n_sources * w.c)
    learn_outer(wide, x.h3, places.n_sources, w.c, d.source, w.k + w.e, <float*>grad.source)
    learn_outer(wide, x.h3, places.n_scored, w.c, d.goals, 2 * w.k, <float*>grad.goals)

    cut(d.h3, x.h3, places.n_scored * w.c)
    for i in range(places.n_scored):
        p = places.listed[i]
        net_join(
            wide, x.h2, x.h2 + i * w.b, look.near[p], places.place, look.n_near[p], w.b, x.both + i * 2 * w.b
        )
        learn_add(wide, <float*>grad.bias3, d.h3 + i * w.c, 1, w.c)
    learn_outer(wide, x.both, places.n_scored, 2 * w.b, d.h3, w.c, <float*>grad.layer3)
    net_dense(wide, d.h3, places.n_scored, w.c, turned.layer3, NULL, 2 * w.b, d.both, 0)
    part_again(look, places, places.n_scored, places.n_second, w.b, d.both, d.h2)

    cut(d.h2, x.h2, places.n_second * w.b)
    for i in range(places.n_second):
        p = places.listed[i]
        net_join(
            wide, x.h1, x.h1 + i * w.a, look.near[p], places.place, look.n_near[p], w.a, x.both + i * 2 * w.a
        )
        learn_add(wide, <float*>grad.bias2, d.h2 + i * w.b, 1, w.b)
    learn_outer(wide, x.both, places.n_second, 2 * w.a, d.h2, w.b, <float*>grad.layer2)
    net_dense(wide, d.h2, places.n_second, w.b, turned.layer2, NULL, 2 * w.a, d.both, 0)
    part_again(look, places, places.n_second, places.n, w.a, d.both, d.h1)
    blame_helpers(look, turned.other, d.other, places, x, d, <float*>grad.other)
    blame_helpers(look, turned.far, d.far, places, x, d, <float*>grad.far)
    cut(d.h1, x.h1, places.n * w.a)


cdef void part_again(
    const Looker* look, const Places* places, int count, int n_before, int width, const float* both, float* out
) noexcept nogil:
    """Divide the gradients of joined rows of `count` provinces between their own row and the mean of their
    neighbours'."""
    cdef int i, k, p
    memset(out, 0, n_before * width * sizeof(float))
    for i in range(count):
        p = places.listed[i]
        learn_add(look.wide, out + i * width, both + i * 2 * width, 1, width)
        for k in range(look.n_near[p]):
            learn_add(
                look.wide, out + places.place[look.near[p][k]] * width, both + (2 * i + 1) * width,
                <float>1.0 / look.n_near[p], width,
            )


cdef void blame_helpers(
    const Looker* look, const float* turned, const float* slopes, const Places* places, const Scratch* x, Slopes* d,
    float* grad
) noexcept nogil:
    """From helped units, or far goals, to the sums of their provinces, for those with a gradient."""
    cdef const Weights* w = look.weights
    cdef int i, k
    for i in range(places.n):
        k = 0
        while k < w.k and slopes[i * w.k + k] == 0:
            k += 1
        if k == w.k:
            continue
        learn_outer(look.wide, x.h1 + i * w.a, 1, w.a, slopes + i * w.k, w.k, grad)
        net_dense(look.wide, slopes + i * w.k, 1, w.k, turned, NULL, w.a, d.beside, 0)
        learn_add(look.wide, d.h1 + i * w.a, d.beside, 1, w.a)


cdef void blame_rows(
    const Looker* look, const Places* places, const uint16_t* power_rows, const Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """From the first sums of provinces to the rows of the input."""
    cdef int i, k, row, a = look.weights.a
    cdef float* table = <float*>grad.input
    memset(d.power, 0, a * sizeof(float))
    for i in range(places.n):
        for k in range(NODE_ROWS):
            row = x.facts[i][k]
            if row:
                learn_add(look.wide, table + row * a, d.h1 + i * a, 1, a)
        learn_add(look.wide, d.power, d.h1 + i * a, 1, a)
    for k in range(POWER_ROWS):
        if power_rows[k]:
            learn_add(look.wide, table + power_rows[k] * a, d.power, 1, a)
