"""The loss of a learnt policy on given orders, and the gradient of its scores.

The loss of a set is the negative logarithm of its probability as the policy draws it. Units are in the
order of their most certain option, each given the orders of those before it (`bordeaux._ext.net.set_odds`).
Builds and removals are taken one after the other. In movement the first pass has a loss of its own, as its
predictions are inputs of the second. Through these inputs no gradient flows back.
"""

from libc.math cimport expf, logf
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcmp, memset

from bordeaux._ext.net.weights cimport RELATIONS, SECONDS, Weights
from bordeaux._ext.net.looker cimport Looker, Scratch, Table, is_help
from bordeaux._ext.net.options cimport *
from bordeaux._ext.net.set_odds cimport MAX_UNITS, fitting, units_in_order
from bordeaux._ext.rules.structures cimport *

cdef float UNLIKELY = 1e-9          # the least chance whose logarithm is taken

# Weights of relations that are the powers of two: what they come to tells which of them hold.
cdef float DIGITS[RELATIONS]


cdef void lay_digits() noexcept:
    cdef int i
    for i in range(RELATIONS):
        DIGITS[i] = 1 << i


lay_digits()


cdef int labels(
    const Looker* look, const State* s, const Table* t, const Order* given, int n, int* chosen
) noexcept nogil:
    """The option that a set takes for each choice of movement or retreats, by default holding or disbanding; -1 if even
    that is not an option. Returns the number of choices with one."""
    cdef const MapTables* m = look.map
    cdef const Option* o
    cdef int c, i, k, n_chosen = 0, fallback = HOLD if s.kind == MOVEMENT else DISBAND
    for c in range(t.n_choices):
        chosen[c] = -1
        for i in range(t.first[c], t.first[c + 1]):
            o = &t.options[i]
            if o.order.kind == fallback and chosen[c] < 0:
                chosen[c] = i
            for k in range(n):
                if same(m, &o.order, &given[k]):
                    chosen[c] = i
                    break
        n_chosen += chosen[c] >= 0
    return n_chosen


cdef bint same(const MapTables* m, const Order* o, const Order* given) noexcept nogil:
    """Whether an order has the effect of an option: a coast counts only for moves."""
    if o.kind != given.kind or o.unit != given.unit:
        return False
    if o.kind == MOVE or o.kind == RETREAT or o.kind == BUILD:
        return o.target == given.target and o.flags == given.flags
    return m.province[o.target] == m.province[given.target] and (
        o.kind < SUPPORT_MOVE or m.province[o.destination] == m.province[given.destination]
    )


cdef void of_units(
    const Looker* look, const State* s, int power, const Table* t, const int* chosen, const Scratch* joint,
    float weight, float first, Slopes* d, Weights* grad, Tally* tally
) noexcept nogil:
    """Add the gradients of a set of movement or retreat orders to `d.base`, which has room for all options and is 0.

    `joint` is the input of the second pass; `first` is the weight of the first pass's own loss.
    """
    cdef uint16_t order[MAX_UNITS]
    cdef int taken[MAX_UNITS]
    cdef int k, n = units_in_order(t, s, order)
    for k in range(n):
        taken[k] = chosen[order[k]]
        if taken[k] < 0:
            return
    for k in range(n):
        if s.kind == MOVEMENT:
            beside(look, power, t, order[k], taken, k, joint, weight, d, grad, tally)
            alone(t, order[k], taken[k], weight * first, d)
        else:
            retreat(t, order[k], taken, k, weight, d, tally)


cdef void count(const float* chances, int n, int label, float weight, Tally* tally) noexcept nogil:
    cdef int i, top = 0
    for i in range(n):
        if chances[i] > chances[top]:
            top = i
    tally.loss -= weight * logf(max(chances[label], UNLIKELY))
    tally.weight += weight
    tally.likely += chances[label]
    tally.choices += 1
    tally.first += top == label


cdef void soften(float* chances, int n) noexcept nogil:
    cdef float top = chances[0], total = 0
    cdef int i
    for i in range(n):
        top = max(top, chances[i])
    for i in range(n):
        chances[i] = expf(chances[i] - top)
        total += chances[i]
    for i in range(n):
        chances[i] /= total


cdef void beside(
    const Looker* look, int power, const Table* t, int choice, const int* taken, int n_taken, const Scratch* x,
    float weight, Slopes* d, Weights* grad, Tally* tally
) noexcept nogil:
    """The gradients of a unit's options given those that were chosen before."""
    cdef const Weights* w = look.weights
    cdef const Option* o
    cdef const Option* j
    cdef float chances[MAX_OPTIONS]
    cdef float inputs[SECONDS]
    cdef float helps, gain, slope
    cdef int first = t.first[choice], n = t.first[choice + 1] - first, i, k, r, held
    for i in range(n):
        o, gain = &t.options[first + i], 0
        helps = t.helps[first + i]
        for k in range(n_taken):
            j = &t.options[taken[k]]
            if touches(o, j):
                gain += fitting(w.relation, o, j, &helps)
        chances[i] = gain + w.sharpness * (
            t.score[first + i] + w.second[o.kind * SECONDS] * (helps - t.helps[first + i])
        )
    soften(chances, n)
    count(chances, n, taken[n_taken] - first, weight, tally)
    for i in range(n):
        slope = weight * (chances[i] - (first + i == taken[n_taken]))
        if slope == 0:
            continue
        o = &t.options[first + i]
        inputs[0] = t.helps[first + i]
        for k in range(n_taken):
            j = &t.options[taken[k]]
            if touches(o, j):
                held = <int>fitting(DIGITS, o, j, &inputs[0])
                for r in range(RELATIONS):
                    if held >> r & 1:
                        grad.relation[r] += slope
        slope *= w.sharpness
        d.base[first + i] += slope
        inputs[1] = x.arrivals[power][o.goal] - x.mass[o.source][o.goal]
        inputs[2] = x.all_arrivals[o.goal] - x.arrivals[power][o.goal]
        inputs[3] = x.all_arrivals[o.source] - x.arrivals[power][o.source]
        inputs[4] = 0
        if not is_help(o.kind):
            inputs[4] = x.helped[o.source][o.goal]
        for k in range(SECONDS):
            (<float*>grad.second)[o.kind * SECONDS + k] += slope * inputs[k]


cdef inline bint touches(const Option* o, const Option* j) noexcept nogil:
    """Whether two options have a common province, so that they could be related."""
    return (
        (o.goal == j.goal) | (o.goal == j.source) | (o.source == j.goal) | (o.other == j.source)
        | (o.source == j.other)
    )


cdef void alone(const Table* t, int choice, int label, float weight, Slopes* d) noexcept nogil:
    """The gradients of a unit's options by the first pass only."""
    cdef float chances[MAX_OPTIONS]
    cdef int first = t.first[choice], n = t.first[choice + 1] - first, i
    for i in range(n):
        chances[i] = t.base[first + i]
    soften(chances, n)
    for i in range(n):
        d.base[first + i] += weight * (chances[i] - (first + i == label))


cdef void retreat(
    const Table* t, int choice, const int* taken, int n_taken, float weight, Slopes* d, Tally* tally
) noexcept nogil:
    """The gradients of a retreat: a province to which an own unit has retreated is closed."""
    cdef float chances[MAX_OPTIONS]
    cdef int first = t.first[choice], n = t.first[choice + 1] - first, i, k
    if n < 2:
        return
    for i in range(n):
        chances[i] = t.base[first + i]
        for k in range(n_taken):
            if (
                t.options[first + i].kind == OPTION_RETREAT and t.options[taken[k]].kind == OPTION_RETREAT
                and t.options[first + i].goal == t.options[taken[k]].goal
            ):
                chances[i] = -1e30
    soften(chances, n)
    count(chances, n, taken[n_taken] - first, weight, tally)
    for i in range(n):
        d.base[first + i] += weight * (chances[i] - (first + i == taken[n_taken]))


cdef void of_adjustments(
    const Table* t, const Order* given, int n, float weight, Slopes* d, Tally* tally
) noexcept nogil:
    """Add the gradients of builds or removals, in the order in which they were given, to `d.base`."""
    cdef float chances[MAX_OPTIONS]
    cdef uint8_t gone[256]
    cdef int i, k, label, open
    cdef float top, total
    memset(gone, 0, sizeof(gone))
    for k in range(n):
        label, open = -1, 0
        top, total = -1e30, 0
        for i in range(t.n_options):
            chances[i] = 0
            if t.options[i].kind == OPTION_WAIVE or not gone[t.options[i].source]:
                open += 1
                top = max(top, t.base[i])
                if memcmp(&t.options[i].order, &given[k], sizeof(Order)) == 0:
                    label = i
        if label < 0:
            return
        for i in range(t.n_options):
            if t.options[i].kind == OPTION_WAIVE or not gone[t.options[i].source]:
                chances[i] = expf(t.base[i] - top)
                total += chances[i]
        if open > 1:
            for i in range(t.n_options):
                chances[i] /= total
            count(chances, t.n_options, label, weight, tally)
            for i in range(t.n_options):
                d.base[i] += weight * (chances[i] - (i == label))
        if t.options[label].kind != OPTION_WAIVE:
            gone[t.options[label].source] = 1
