"""Whole sets of one power, unit by unit: the options of each given those chosen before.

In movement the units with the most certain orders come first. A support that matches its move raises the score, a move
into an own unit that stays lowers it, and so on, by learnt weights. So the probability of a whole set is an exact
product.
"""

from libc.math cimport expf
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from bordeaux._ext.net.options cimport *
from bordeaux._ext.net.scores cimport answer, listen
from bordeaux._ext.net.weights cimport MOST_TOLD, SECONDS
from bordeaux._ext.rules.splitmix cimport next_number
from bordeaux._ext.rules.structures cimport *

cdef float UNLIKE = -6.0        # how an order that helps what is not done looks: the logarithm of nearly no chance


cdef inline bint moves(const Option* o) noexcept nogil:
    return o.kind == OPTION_MOVE or o.kind == OPTION_VIA


cdef inline bint goes(const Option* o, int goal) noexcept nogil:
    return moves(o) and o.goal == goal


cdef int units_in_order(const Table* t, const State* s, uint16_t* order) noexcept nogil:
    """The choices of a power in the order in which they are made; returns their number."""
    cdef float surest[MAX_UNITS]
    cdef float top, total
    cdef int c, i, k, n = min(t.n_choices, MAX_UNITS)
    for c in range(n):
        order[c] = c
        if s.kind != MOVEMENT:
            continue
        top = t.score[t.first[c]]
        for i in range(t.first[c], t.first[c + 1]):
            top = max(top, t.score[i])
        total = 0
        for i in range(t.first[c], t.first[c + 1]):
            total += expf(t.score[i] - top)
        surest[c] = 1 / total
        k = c
        while k > 0 and surest[order[k - 1]] < surest[c]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = c
    return n


cdef int options_taken(
    const MapTables* m, const State* s, const Table* t, const Order* given, int n, int* taken
) noexcept nogil:
    """Write the option that a set of movement or retreat orders takes for each choice, by default to hold or to disband
    (-1 if even that is none); returns how many of the `n` orders are options."""
    cdef int c, i, k, fitting = 0, fallback = HOLD if s.kind == MOVEMENT else DISBAND
    for c in range(t.n_choices):
        taken[c] = -1
        for i in range(t.first[c], t.first[c + 1]):
            if t.options[i].order.kind == fallback:
                taken[c] = i
    for k in range(n):
        for i in range(t.n_options):
            if same(m, &t.options[i].order, &given[k]):
                taken[t.options[i].choice] = i
                fitting += 1
                break
    return fitting


cdef bint same(const MapTables* m, const Order* o, const Order* given) noexcept nogil:
    """Whether an order has the effect of an option: a coast counts only for moves."""
    if o.kind != given.kind or o.unit != given.unit:
        return False
    if o.kind == MOVE or o.kind == RETREAT:
        return o.target == given.target and o.flags == given.flags
    return m.province[o.target] == m.province[given.target] and (
        o.kind < SUPPORT_MOVE or m.province[o.destination] == m.province[given.destination]
    )


cdef float fitting(const float* r, const Option* o, const Option* j, float* helps) noexcept nogil:
    """The gain of an option from another unit's option, by the weights `r` of the relations; `helps` changes if that is
    the helped unit."""
    cdef float gain = 0
    cdef bint match
    if moves(o):
        if moves(j):
            if o.goal == j.goal:
                gain += r[0]
            if o.goal == j.source:
                gain += r[3] if j.goal == o.source else r[2]
            elif j.goal == o.source:
                gain += r[19]
        elif o.goal == j.source:
            gain += r[1]
    elif goes(j, o.source):
        gain += r[18]
    if o.other == j.source and (o.kind == OPTION_MOVE_OWN or o.kind == OPTION_HOLD_OWN or o.kind == OPTION_CONVOY_OWN):
        match = not moves(j) if o.kind == OPTION_HOLD_OWN else goes(j, o.goal)
        helps[0] = 0 if match else UNLIKE
        gain += r[(4 if o.kind == OPTION_MOVE_OWN else 6 if o.kind == OPTION_HOLD_OWN else 12) + (not match)]
    if j.other == o.source:
        if j.kind == OPTION_MOVE_OWN:
            gain += r[8] if goes(o, j.goal) else r[9]
        elif j.kind == OPTION_HOLD_OWN:
            gain += r[11] if moves(o) else r[10]
        elif j.kind == OPTION_CONVOY_OWN:
            gain += r[14] if goes(o, j.goal) else r[15]
    if OPTION_HOLD_OWN <= o.kind <= OPTION_MOVE_OTHER and OPTION_HOLD_OWN <= j.kind <= OPTION_MOVE_OTHER:
        if o.other == j.other and o.goal == j.goal:
            gain += r[16]
    if o.kind == OPTION_MOVE_OTHER and o.goal == j.source and not moves(j):
        gain += r[17]
    return gain


cdef int odds(
    const Weights* w, const Table* t, const State* s, int choice, const uint16_t* chosen, int n_chosen,
    float temperature, float* chances
) noexcept nogil:
    """Write the probabilities of a choice's options, given some options chosen before; returns their number."""
    cdef int first = t.first[choice], n = t.first[choice + 1] - first, i, k
    cdef const Option* o
    cdef const Option* j
    cdef float top = -1e30, total = 0, helps, gain
    cdef float heard[MOST_TOLD]
    cdef bint hears = w.rounds > 0 and n_chosen > 0 and s.kind == MOVEMENT
    if hears:
        listen(w, t, chosen, n_chosen, heard)
    for i in range(n):
        o = &t.options[first + i]
        chances[i] = t.score[first + i]
        if s.kind == MOVEMENT:
            helps, gain = t.helps[first + i], 0
            for k in range(n_chosen):
                j = &t.options[chosen[k]]
                if touches(o, j):
                    gain += fitting(w.fits[o.kind], o, j, &helps)
            chances[i] = w.sharpness * (chances[i] + w.second[o.kind * SECONDS] * (helps - t.helps[first + i])) + gain
            if hears:
                chances[i] += answer(w, t, o, heard)
        elif o.kind == OPTION_RETREAT:
            for k in range(n_chosen):
                if t.options[chosen[k]].kind == OPTION_RETREAT and t.options[chosen[k]].goal == o.goal:
                    chances[i] = -1e30
        chances[i] /= temperature
        top = max(top, chances[i])
    for i in range(n):
        chances[i] = expf(chances[i] - top)
        total += chances[i]
    for i in range(n):
        chances[i] /= total
    return n


cdef int drawn(const float* chances, int n, uint64_t* chance) noexcept nogil:
    """One of some options, drawn by their probabilities."""
    cdef float left = (next_number(chance) >> 40) * <float>(1.0 / (1 << 24))
    cdef int i, last = 0
    for i in range(n):
        if chances[i] > 0:
            last = i
            left -= chances[i]
            if left < 0:
                break
    return last


cdef void alone(const float* scores, int n, float temperature, float* chances) noexcept nogil:
    """Write the probabilities of a choice's options by their scores alone."""
    cdef int i
    cdef float top = scores[0], total = 0
    for i in range(n):
        top = max(top, scores[i])
    for i in range(n):
        chances[i] = expf((scores[i] - top) / temperature)
        total += chances[i]
    for i in range(n):
        chances[i] /= total


cdef int open_odds(const Table* t, const uint8_t* gone, float temperature, float* chances) noexcept nogil:
    """Write the probabilities of builds or removals, 0 for those that are not open; returns how many are."""
    cdef int i, n = 0
    cdef float top = -1e30, total = 0
    # Anew each time: beside an option that is gone the others might be as good as impossible.
    for i in range(t.n_options):
        if is_open(&t.options[i], gone):
            top = max(top, t.base[i])
            n += 1
    for i in range(t.n_options):
        chances[i] = expf((t.base[i] - top) / temperature) if is_open(&t.options[i], gone) else 0
        total += chances[i]
    for i in range(t.n_options if n else 0):
        chances[i] /= total
    return n


cdef int adjust(const Table* t, int due, float temperature, uint64_t* chance, uint16_t* picks) noexcept nogil:
    """Draw builds or removals, one after the other without replacement; returns their number."""
    cdef float chances[MAX_OPTIONS]
    cdef uint8_t gone[256]
    cdef const Option* o
    cdef int n = 0
    memset(gone, 0, sizeof(gone))
    while n < due and open_odds(t, gone, temperature, chances):
        picks[n] = drawn(chances, t.n_options, chance)
        o = &t.options[picks[n]]
        gone[o.source] = gone[o.source] or o.kind != OPTION_WAIVE
        n += 1
    return n
