"""The units that can affect the result in some provinces, and their relevant orders.

Some units' orders are fixed; all others, the *repliers*, may do anything. `near` computes the closure of a set of
provinces under influence. Every joint reply then does to them what one of the listed replies does:

- a fixed unit that leaves a province: its destination belongs to the set, and so do its convoying fleets;
- a fixed unit that supports into a province of the set: its own province belongs to it, since an attack
  cuts the support;
- a fixed move into a province of the set: its fleets belong to it. So does its origin if a replier stands
  in the province and could come the other way;
- a replier matters if it stands in a province of the set, or can move there, over land, by sea or by
  convoy. It also matters if it can convoy such a move. A unit that can support a move there, or a stand
  there, can move there too. Where a fixed unit attacks a replier that matters, the result of that attack
  matters;
- if a centre in question may be left empty, repliers beside it may be dislodged by their friends. They can
  then retreat into it, so attacks on them matter;
- a replier that stands in a province of the set may leave it. One way out that no other unit can use is as
  good as any other. Without such a one all its moves count, and their destinations matter.

The omitted orders have no effect on the set. They are moves elsewhere, supports of such moves, and supports of stands
that nothing fixed attacks. So the listed replies are as strong as all replies together.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.structures cimport *


cdef inline void add(Area* a, int place) noexcept nogil:
    if not has_bit(a.provinces, place):
        set_bit(a.provinces, place)
        a.open[a.n_open] = place
        a.n_open += 1


cdef inline void matters(Area* a, int place) noexcept nogil:
    """Record that a replier matters, and with it the effects of fixed units on it."""
    set_bit(a.who, place)
    if has_bit(a.fixed_goals, place):
        add(a, place)


cdef inline bint same(const uint64_t* one, const uint64_t* other) noexcept nogil:
    return one[0] == other[0] and one[1] == other[1] and one[2] == other[2] and one[3] == other[3]


cdef void near(const Ground* g, Area* a) noexcept nogil:
    """Close the provinces asked about under influence."""
    cdef uint64_t before[2][WORDS]
    cdef int p
    memset(a.provinces, 0, sizeof(a.provinces))
    memset(a.who, 0, sizeof(a.who))
    a.n_open = 0
    for p in range(g.map.n_provinces):
        if has_bit(a.asked, p):
            add(a, p)
    while True:
        while a.n_open:
            a.n_open -= 1
            visit(g, a, a.open[a.n_open])
        memcpy(before[0], a.provinces, sizeof(before[0]))
        memcpy(before[1], a.who, sizeof(before[1]))
        leave(g, a)
        if same(before[0], a.provinces) and same(before[1], a.who):
            return


cdef void visit(const Ground* g, Area* a, int place) noexcept nogil:
    cdef const Part* part
    cdef uint64_t bits[WORDS]
    cdef bint replies = has_bit(g.replying, place), leaves = False, by_land
    cdef int k, other, w
    if a.fixed_at[place]:
        part = &a.fixed[a.fixed_at[place] - 1]
        leaves = part.kind == MOVE
        if leaves:
            add(a, part.goal)
            with_fleets(g, a, part)
    for k in range(a.n_fixed):
        part = &a.fixed[k]
        if part.goal != place:
            continue
        if is_support(part):
            add(a, part.unit)
        elif part.kind == MOVE:
            with_fleets(g, a, part)
            if replies:
                add(a, part.unit)
    if replies:
        matters(a, place)
    for w in range(WORDS):
        bits[w] = g.by_land[place][w] | g.by_sea[place][w]
    while True:
        other = next_bit(g.map, bits)
        if other < 0:
            break
        by_land = has_bit(g.by_land[place], other)
        if by_land or is_carried(g, a, other, place):
            matters(a, other)
            if has_bit(g.by_sea[place], other):
                fleets_matter(g, a, other, place)
    if has_bit(a.asked, place) and (leaves or not has_bit(g.occupied, place)):
        # Each of them may be driven out by its friends, and come in.
        memcpy(bits, g.by_land[place], sizeof(bits))
        while True:
            other = next_bit(g.map, bits)
            if other < 0:
                break
            add(a, other)


cdef bint is_carried(const Ground* g, const Area* a, int army, int goal) noexcept nogil:
    """Whether a fleet, replying or fixed to do so, could convoy an army."""
    cdef int k
    if has_bit(g.carriable[army], goal):
        return True
    for k in range(a.n_fixed):
        if a.fixed[k].kind == CONVOY and a.fixed[k].helped == army and a.fixed[k].goal == goal:
            return True
    return False


cdef void fleets_matter(const Ground* g, Area* a, int army, int goal) noexcept nogil:
    cdef int q
    if not has_bit(g.carriable[army], goal):
        return
    for q in range(g.n_fleets):
        if has_bit(g.carries + (q * g.n_armies + g.army[army]) * WORDS, goal):
            matters(a, g.fleets[q])


cdef void with_fleets(const Ground* g, Area* a, const Part* move) noexcept nogil:
    """The fleets for a fixed army: those of fixed convoys, and repliers that could convoy."""
    cdef int k
    for k in range(a.n_fixed):
        if a.fixed[k].kind == CONVOY and a.fixed[k].helped == move.unit and a.fixed[k].goal == move.goal:
            add(a, a.fixed[k].unit)
    if move.via:
        fleets_matter(g, a, move.unit, move.goal)


cdef void leave(const Ground* g, Area* a) noexcept nogil:
    """Give every replier in the area one way out, or all its ways."""
    cdef uint64_t standing[WORDS]
    cdef uint64_t left[WORDS]
    cdef uint64_t outside[WORDS]
    cdef uint64_t shared[WORDS]
    cdef uint64_t seen[WORDS]
    cdef uint64_t ways[256][WORDS]
    cdef const Replier* r
    cdef int place, goal, w, k
    memset(shared, 0, sizeof(shared))
    memset(seen, 0, sizeof(seen))
    for w in range(WORDS):
        standing[w] = left[w] = a.who[w] & a.provinces[w]
        outside[w] = ~a.provinces[w]
    while True:
        place = next_bit(g.map, left)
        if place < 0:
            break
        ways_of(g, a, place, outside, ways[place])
        for w in range(WORDS):
            shared[w] |= seen[w] & ways[place][w]
            seen[w] |= ways[place][w]
    while True:
        place = next_bit(g.map, standing)
        if place < 0:
            return
        r = &g.of[place]
        memset(a.exits[place], 0, sizeof(a.exits[place]))
        for k in range(r.first_way, r.first_way + r.n_ways):
            goal = g.ways[k].goal
            w = goal >> 6
            if (
                ways[place][w] & r.land[w] & ~(g.occupied[w] | a.fixed_goals[w] | shared[w])
            ) >> (goal & 63) & 1:
                set_bit(a.exits[place], goal)
                break
        else:
            memcpy(a.exits[place], ways[place], sizeof(a.exits[place]))
            for k in range(r.first_way, r.first_way + r.n_ways):
                goal = g.ways[k].goal
                if not has_bit(ways[place], goal):
                    continue
                if has_bit(g.occupied, goal) or has_bit(a.fixed_goals, goal):
                    add(a, goal)
                if not has_bit(r.land, goal):
                    fleets_matter(g, a, place, goal)


cdef void ways_of(const Ground* g, const Area* a, int place, const uint64_t* outside, uint64_t* ways) noexcept nogil:
    """The ways of a replier out of the area."""
    cdef const Replier* r = &g.of[place]
    cdef int w, k
    for w in range(WORDS):
        ways[w] = outside[w] & (r.land[w] | (r.sea[w] & g.carriable[place][w]))
    for k in range(a.n_fixed):
        w = a.fixed[k].goal >> 6
        if a.fixed[k].kind == CONVOY and a.fixed[k].helped == place:
            ways[w] |= outside[w] & r.sea[w] & (<uint64_t>1) << (a.fixed[k].goal & 63)


cdef void touched(const Ground* g, const Area* a, uint64_t* bits) noexcept nogil:
    """All places at which a fixed order could change the area: its provinces, those of the repliers, and the
    destinations of repliers in it."""
    cdef uint64_t standing[WORDS]
    cdef int w, place
    for w in range(WORDS):
        bits[w] = a.provinces[w] | a.who[w]
        standing[w] = a.provinces[w] & a.who[w]
    while True:
        place = next_bit(g.map, standing)
        if place < 0:
            return
        for w in range(WORDS):
            bits[w] |= g.of[place].land[w] | g.of[place].sea[w]


cdef bint choose(const Ground* g, const Area* a, Choices* out) noexcept nogil:
    """The orders of repliers that can make a difference; False if there are too many of them."""
    cdef uint64_t left[WORDS]
    cdef const Replier* r
    cdef const Way* way
    cdef Part part
    cdef int place, k, i, n, u
    cdef bint exits
    memcpy(left, a.who, sizeof(left))
    out.n_units = 0
    while True:
        place = next_bit(g.map, left)
        if place < 0:
            return True
        if out.n_units == MAX_REPLIERS:
            return False
        u, n, r = out.n_units, 0, &g.of[place]
        out.place[u] = place
        exits = has_bit(a.provinces, place)
        for k in range(r.first_way, r.first_way + r.n_ways):
            way = &g.ways[k]
            if n + way.n_land + way.n_sea > MAX_CHOICES:
                return False
            if has_bit(a.provinces, way.goal):
                # To either coast is the same, as it is not played on, unless one of them is supported.
                for i in range(way.n_land if is_helped(g, a, place, way.goal) else min(1, way.n_land)):
                    out.moves[u][n] = g.codes[way.first + i]
                    n += 1
                for i in range(way.n_sea if is_carried(g, a, place, way.goal) else 0):
                    out.moves[u][n] = g.codes[way.first + way.n_land + i]
                    n += 1
            elif exits and has_bit(a.exits[place], way.goal):
                out.moves[u][n] = g.codes[way.first]
                n += 1
        out.n_moves[u] = n
        n = 0
        for k in range(r.first_stay, r.first_stay + r.n_stays):
            part = part_of(g.map, &g.codes[k])
            if counts(g, a, &part):
                if n == MAX_CHOICES:
                    return False
                out.stays[u][n] = g.codes[k]
                n += 1
        out.n_stays[u] = n
        out.n_units += 1


cdef bint is_helped(const Ground* g, const Area* a, int place, int goal) noexcept nogil:
    """Whether a fixed unit supports a replier's move."""
    cdef int k
    for k in range(a.n_fixed):
        if is_support(&a.fixed[k]) and a.fixed[k].helped == place and a.fixed[k].goal == goal:
            return True
    return False


cdef bint counts(const Ground* g, const Area* a, const Part* part) noexcept nogil:
    """Whether an order without a move can affect the area."""
    cdef const Part* fixed = NULL
    cdef bint replies = has_bit(g.replying, part.helped)
    if a.fixed_at[part.helped]:
        fixed = &a.fixed[a.fixed_at[part.helped] - 1]
    if part.kind == HOLD:
        return True
    if (
        part.kind == CONVOY and replies and has_bit(a.who, part.helped)
        and has_bit(a.provinces, part.helped) and has_bit(a.exits[part.helped], part.goal)
    ):
        return True
    if not has_bit(a.provinces, part.goal):
        return False
    if part.kind == SUPPORT_HOLD:
        return has_bit(a.fixed_goals, part.helped) and (replies or fixed == NULL or fixed.kind != MOVE)
    if fixed != NULL or not replies:
        return fixed != NULL and fixed.kind == MOVE and fixed.goal == part.goal
    return has_bit(a.who, part.helped)
