"""Orders that depend on each other in cycles: circular movement and convoy paradoxes.

Cycles are rare, so this code is written for exactness rather than speed. First it decides the orders whose
verdict is the same whatever the open ones are. Of the rest it takes a knot: orders that depend on each
other and on no other open order. If exactly one set of verdicts on a knot is consistent, it stands (DATC
5.B.9). If none or several are, a knot with convoys is a paradox, and its convoying fleets fail (Szykman,
DATC 4.A.2). A knot without convoys is a circular movement, and all its moves succeed.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.verdicts cimport DECIDED, UNDECIDED, judge
from bordeaux._ext.rules.structures cimport *

cdef enum:
    # Cases of one order that are looked at one by one; with more, all that it reads counts as needed.
    MAX_CASES = 512
    UNSURE = 2

cdef struct Case:
    uint64_t assumed[WORDS]     # orders whose verdict was assumed, by province
    uint64_t value[WORDS]       # and which of them were assumed to succeed
    uint8_t outcome

cdef struct Cycles:
    int n_open
    uint8_t open_orders[256]
    int n_cases
    bint too_many
    Case cases[MAX_CASES]
    uint64_t reads[256][WORDS]  # for each open order, the open orders that it truly depends on


cdef void decide_cycles(Battle* b) noexcept nogil:
    """Decide every order that `resolve` left open."""
    cdef Cycles t
    cdef uint64_t knot[WORDS]
    cdef int i, p, outcome
    cdef bint certain
    b.in_cycles = True
    while True:
        collect_open(b, &t)
        if t.n_open == 0:
            break
        certain = False
        for i in range(t.n_open):
            p = t.open_orders[i]
            outcome = outcome_in_all_cases(b, &t, p)
            if outcome != UNSURE:
                b.verdict[p] = outcome
                b.state[p] = DECIDED
                certain = True
        if certain:
            continue
        find_knot(&t, knot)
        untie(b, &t, knot)
    b.in_cycles = False


cdef void collect_open(const Battle* b, Cycles* t) noexcept nogil:
    cdef int i, p
    t.n_open = 0
    for i in range(b.n_units):
        p = b.units[i]
        if b.kind[p] != HOLD and b.state[p] != DECIDED:
            t.open_orders[t.n_open] = p
            t.n_open += 1


cdef int outcome_in_all_cases(Battle* b, Cycles* t, int p) noexcept nogil:
    """The verdict of an order if it is the same for all verdicts of the open orders, or UNSURE; records the orders that
    it depends on."""
    cdef uint64_t assumed[WORDS]
    cdef uint64_t value[WORDS]
    cdef int i, k
    memset(assumed, 0, sizeof(assumed))
    memset(value, 0, sizeof(value))
    memset(t.reads[p], 0, sizeof(t.reads[p]))
    t.n_cases = 0
    t.too_many = False
    list_cases(b, t, p, assumed, value)
    if t.too_many:
        for i in range(t.n_cases):
            for k in range(WORDS):
                t.reads[p][k] |= t.cases[i].assumed[k]
        return UNSURE
    for i in range(1, t.n_cases):
        if t.cases[i].outcome != t.cases[0].outcome:
            note_true_reads(t, p)
            return UNSURE
    return t.cases[0].outcome


cdef void list_cases(Battle* b, Cycles* t, int p, uint64_t* assumed, uint64_t* value) noexcept nogil:
    """Judge an order under every assumption about the open orders that it reads."""
    cdef int missing, either
    cdef bint outcome
    cdef uint64_t bit
    if t.too_many:
        return
    b.missing = NOTHING
    outcome = judge(b, p)
    missing = b.missing
    if missing == NOTHING:
        if t.n_cases == MAX_CASES:
            t.too_many = True
            return
        memcpy(t.cases[t.n_cases].assumed, assumed, sizeof(uint64_t) * WORDS)
        memcpy(t.cases[t.n_cases].value, value, sizeof(uint64_t) * WORDS)
        t.cases[t.n_cases].outcome = outcome
        t.n_cases += 1
        return
    bit = (<uint64_t>1) << (missing & 63)
    assumed[missing >> 6] |= bit
    b.state[missing] = DECIDED
    for either in range(2):
        b.verdict[missing] = either
        value[missing >> 6] = (value[missing >> 6] & ~bit) | (bit if either else 0)
        list_cases(b, t, p, assumed, value)
    b.state[missing] = UNDECIDED
    assumed[missing >> 6] &= ~bit
    value[missing >> 6] &= ~bit


cdef void note_true_reads(Cycles* t, int p) noexcept nogil:
    """An order truly depends on another if a change of that one alone changes its verdict."""
    cdef int i, j, k, conflicts, where
    cdef uint64_t clash
    for i in range(t.n_cases):
        for j in range(i):
            if t.cases[i].outcome == t.cases[j].outcome:
                continue
            conflicts = 0
            where = 0
            for k in range(WORDS):
                clash = t.cases[i].assumed[k] & t.cases[j].assumed[k] & (t.cases[i].value[k] ^ t.cases[j].value[k])
                if clash:
                    conflicts += 1 if clash & (clash - 1) == 0 else 2
                    where = 64 * k + lowest_bit(clash)
            if conflicts == 1:
                set_bit(t.reads[p], where)


cdef void find_knot(Cycles* t, uint64_t* knot) noexcept nogil:
    """A set of open orders that depend on each other, and on no other open order."""
    cdef uint64_t closure[256][WORDS]
    cdef int i, j, k, p, q
    cdef bint mutual
    for i in range(t.n_open):
        p = t.open_orders[i]
        memcpy(closure[p], t.reads[p], sizeof(uint64_t) * WORDS)
        set_bit(closure[p], p)
    for j in range(t.n_open):
        q = t.open_orders[j]
        for i in range(t.n_open):
            p = t.open_orders[i]
            if has_bit(closure[p], q):
                for k in range(WORDS):
                    closure[p][k] |= closure[q][k]
    for i in range(t.n_open):
        p = t.open_orders[i]
        mutual = True
        for j in range(t.n_open):
            q = t.open_orders[j]
            if has_bit(closure[p], q) and not has_bit(closure[q], p):
                mutual = False
        if mutual:
            memcpy(knot, closure[p], sizeof(uint64_t) * WORDS)
            return


cdef void untie(Battle* b, const Cycles* t, const uint64_t* knot) noexcept nogil:
    """Decide a knot: by its one solution, or by rule."""
    cdef uint8_t orders[256]
    cdef uint8_t solution[256]
    cdef int i, p, n = 0, solutions = 0
    cdef bint paradox = False
    for i in range(t.n_open):
        p = t.open_orders[i]
        if has_bit(knot, p):
            orders[n] = p
            n += 1
            paradox |= b.kind[p] == CONVOY
    solve(b, orders, n, solution, &solutions)
    for i in range(n):
        p = orders[i]
        if solutions == 1:
            b.verdict[p] = solution[p]
            b.state[p] = DECIDED
        elif paradox and b.kind[p] == CONVOY:
            b.verdict[p] = 0
            b.state[p] = DECIDED
        elif not paradox and b.kind[p] == MOVE:
            b.verdict[p] = 1
            b.state[p] = DECIDED


cdef void solve(Battle* b, const uint8_t* orders, int n, uint8_t* solution, int* solutions) noexcept nogil:
    """Count the consistent sets of verdicts on a knot, up to two, and keep the first.

    Consequences of the assumed verdicts are filled in before the next assumption.
    """
    cdef uint8_t filled[256]
    cdef int i, p, either, n_filled = 0
    cdef bint outcome, progress = True, sound = True
    while progress and sound:
        progress = False
        for i in range(n):
            p = orders[i]
            b.missing = NOTHING
            outcome = judge(b, p)
            if b.missing != NOTHING:
                continue
            if b.state[p] == DECIDED:
                sound = sound and b.verdict[p] == outcome
            else:
                b.verdict[p] = outcome
                b.state[p] = DECIDED
                filled[n_filled] = p
                n_filled += 1
                progress = True
    if sound:
        p = NOTHING
        for i in range(n):
            if b.state[orders[i]] != DECIDED:
                p = orders[i]
                break
        if p == NOTHING:
            if solutions[0] == 0:
                for i in range(n):
                    solution[orders[i]] = b.verdict[orders[i]]
            solutions[0] += 1
        else:
            b.state[p] = DECIDED
            for either in range(2):
                b.verdict[p] = either
                if solutions[0] < 2:
                    solve(b, orders, n, solution, solutions)
            b.state[p] = UNDECIDED
    for i in range(n_filled):
        b.state[filled[i]] = UNDECIDED
