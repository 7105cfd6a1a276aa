"""A movement position for proofs: the units that can affect the result in some provinces, and their relevant orders.

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
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.codes cimport codes_of, lay
from bordeaux._ext.rules.legal cimport Convoys, find_convoys, orders_of_unit
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *

cdef enum:
    MAX_LISTED = 8192


cdef class Field:
    """A movement position and the repliers: the units of some powers, by number.

    Raises ValueError for another phase, and where one unit has more than 8,192 orders.
    """

    def __cinit__(self, Packed position not None, powers: Collection[int]):
        cdef const MapTables* m = position.tables.map
        cdef Ground* g = &self.ground
        cdef int p
        memset(g, 0, sizeof(Ground))
        self.position, g.map = position, m
        if position.state.kind != MOVEMENT:
            raise ValueError("replies are of a movement phase")
        for p in range(m.n_provinces):
            if position.state.unit[p]:
                set_bit(g.occupied, p)
                if power_of(position.state.unit[p]) in powers:
                    set_bit(g.replying, p)
        self.index()

    def __dealloc__(self):
        free(self.ground.carries)
        free(self.ground.codes)
        free(self.ground.ways)

    cdef int index(self) except -1:
        """For every replier its moves by goal, and its stays; the units that reach each province, and the possible
        convoys."""
        cdef Ground* g = &self.ground
        cdef const MapTables* m = g.map
        cdef const State* s = &self.position.state
        cdef Convoys convoys
        cdef Order orders[MAX_LISTED]
        cdef uint64_t left[WORDS]
        cdef Replier* r
        cdef Way* way
        cdef Part part
        cdef int total = 0, n_codes = 0, n_ways = 0, p, q, n, k, w
        find_convoys(m, s.unit, -1, &convoys)
        g.n_armies = convoys.n_armies
        for k in range(convoys.n_armies):
            g.army[convoys.armies[k]] = k
        memcpy(left, g.replying, sizeof(left))
        while (p := next_bit(m, left)) >= 0:
            n = orders_of_unit(m, s, &convoys, p, orders, 0)
            if n > MAX_LISTED:
                raise ValueError(f"{n} legal orders for one unit, more than {MAX_LISTED}")
            total += n
            if m.terrain[p] == SEA:
                g.fleets[g.n_fleets] = p
                g.n_fleets += 1
        n = g.n_fleets * g.n_armies * WORDS
        g.codes = <Order*>malloc((total + 1) * sizeof(Order))
        g.ways = <Way*>malloc((total + 1) * sizeof(Way))
        g.carries = <uint64_t*>malloc((n + 1) * sizeof(uint64_t))
        if g.codes == NULL or g.ways == NULL or g.carries == NULL:
            raise MemoryError
        memset(g.carries, 0, n * sizeof(uint64_t))
        memcpy(left, g.replying, sizeof(left))
        while (p := next_bit(m, left)) >= 0:
            n = orders_of_unit(m, s, &convoys, p, orders, MAX_LISTED)
            r = &g.of[p]
            r.first_way = n_ways
            for k in range(n):
                if orders[k].kind != MOVE:
                    continue
                part = part_of(m, &orders[k])
                if part.via:
                    set_bit(r.sea, part.goal)
                    set_bit(g.by_sea[part.goal], p)
                else:
                    set_bit(r.land, part.goal)
                    set_bit(g.by_land[part.goal], p)
                for w in range(r.first_way, n_ways):
                    if g.ways[w].goal == part.goal:
                        break
                else:
                    g.ways[n_ways].goal = part.goal
                    n_ways += 1
            r.n_ways = n_ways - r.first_way
            for w in range(r.first_way, n_ways):
                way = &g.ways[w]
                way.first, way.n_land, way.n_sea = n_codes, 0, 0
                # The legal orders name those over land first.
                for k in range(n):
                    if orders[k].kind == MOVE and m.province[orders[k].target] == way.goal:
                        g.codes[n_codes] = orders[k]
                        n_codes += 1
                        if orders[k].flags & FLAG_VIA:
                            way.n_sea += 1
                        else:
                            way.n_land += 1
            r.first_stay = n_codes
            for k in range(n):
                if orders[k].kind != MOVE:
                    g.codes[n_codes] = orders[k]
                    n_codes += 1
                if orders[k].kind == CONVOY:
                    part = part_of(m, &orders[k])
                    set_bit(g.carriable[part.helped], part.goal)
                    for q in range(g.n_fleets):
                        if g.fleets[q] == p:
                            set_bit(g.carries + (q * g.n_armies + g.army[part.helped]) * WORDS, part.goal)
            r.n_stays = n_codes - r.first_stay
        return 0

    def repliers(self) -> list[int]:
        """The provinces of the repliers."""
        cdef int p
        return [p for p in range(self.ground.map.n_provinces) if has_bit(self.ground.replying, p)]

    def moves(self, int place) -> list[int]:
        """Provinces that the replier in a province can move to, with a convoy or without."""
        cdef const Ground* g = &self.ground
        cdef int w
        if not 0 <= place < g.map.n_provinces or not has_bit(g.replying, place):
            raise ValueError(f"no replier stands in {place}")
        cdef const Replier* r = &g.of[place]
        return [g.ways[r.first_way + w].goal for w in range(r.n_ways)]

    def reachers(self, int goal, bint by_land=False) -> list[int]:
        """The places of the repliers that can move to a province, or of those that can without a convoy."""
        cdef const Ground* g = &self.ground
        cdef int p
        if not 0 <= goal < g.map.n_provinces:
            raise ValueError(f"there is no province {goal}")
        return [
            p for p in range(g.map.n_provinces)
            if has_bit(g.by_land[goal], p) or (not by_land and has_bit(g.by_sea[goal], p))
        ]

    def area(
        self, asked: Iterable[int], bytes fixed not None
    ) -> tuple[set[int], dict[int, tuple[list[int], list[int]]] | None, set[int]]:
        """The result of `near` for some provinces, with fixed orders as bytes of codes.

        Returns ``(provinces, choices, touched)``. `provinces` are those that matter. `choices` are by province the
        moves and the stays of the repliers that matter, as codes (None if they are too many to be tried). `touched` are
        all places at which a fixed order could change the area.
        """
        cdef Area a
        cdef Choices c
        cdef Order laid[256]
        cdef uint64_t bits[WORDS]
        cdef int p, u
        memset(laid, 0, sizeof(laid))
        self.fix(fixed, laid, &a)
        memset(a.asked, 0, sizeof(a.asked))
        for p in asked:
            if not 0 <= p < self.ground.map.n_provinces:
                raise ValueError(f"there is no province {p}")
            set_bit(a.asked, p)
        near(&self.ground, &a)
        touched(&self.ground, &a, bits)
        n = range(self.ground.map.n_provinces)
        choices = None
        if choose(&self.ground, &a, &c):
            choices = {
                c.place[u]: (codes_of(c.moves[u], c.n_moves[u]), codes_of(c.stays[u], c.n_stays[u]))
                for u in range(c.n_units)
            }
        return {p for p in n if has_bit(a.provinces, p)}, choices, {p for p in n if has_bit(bits, p)}

    cdef int fix(self, bytes orders, Order* laid, Area* a) except -1:
        """Store the fixed orders, and list them by province in `a`. `laid` is empty before. Raises ValueError."""
        cdef const MapTables* m = self.ground.map
        cdef int p
        lay(m, orders, laid)
        memset(a.fixed_at, 0, sizeof(a.fixed_at))
        memset(a.fixed_goals, 0, sizeof(a.fixed_goals))
        a.n_fixed = 0
        for p in range(m.n_provinces):
            if laid[p].kind == NO_ORDER:
                continue
            a.fixed[a.n_fixed] = part_of(m, &laid[p])
            if laid[p].kind == MOVE:
                set_bit(a.fixed_goals, a.fixed[a.n_fixed].goal)
            a.n_fixed += 1
            a.fixed_at[p] = a.n_fixed
        return 0


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
    while (other := next_bit(g.map, bits)) >= 0:
        by_land = has_bit(g.by_land[place], other)
        if by_land or is_carried(g, a, other, place):
            matters(a, other)
            if has_bit(g.by_sea[place], other):
                fleets_matter(g, a, other, place)
    if has_bit(a.asked, place) and (leaves or not has_bit(g.occupied, place)):
        # Each of them may be driven out by its friends, and come in.
        memcpy(bits, g.by_land[place], sizeof(bits))
        while (other := next_bit(g.map, bits)) >= 0:
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
    while (place := next_bit(g.map, left)) >= 0:
        ways_of(g, a, place, outside, ways[place])
        for w in range(WORDS):
            shared[w] |= seen[w] & ways[place][w]
            seen[w] |= ways[place][w]
    while (place := next_bit(g.map, standing)) >= 0:
        r = &g.of[place]
        memset(a.exits[place], 0, sizeof(a.exits[place]))
        for k in range(r.first_way, r.first_way + r.n_ways):
            goal = g.ways[k].goal
            w = goal >> 6
            if (ways[place][w] & r.land[w] & ~(g.occupied[w] | a.fixed_goals[w] | shared[w])) >> (goal & 63) & 1:
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
    while (place := next_bit(g.map, standing)) >= 0:
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
    while (place := next_bit(g.map, left)) >= 0:
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
    return True


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
