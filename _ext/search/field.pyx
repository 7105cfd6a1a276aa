"""A movement position for proofs: the repliers with all their orders, and the requirements of each area."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from bordeaux._ext.search.closure cimport *
from bordeaux._ext.rules.codes cimport lay
from bordeaux._ext.rules.legal cimport Convoys, find_convoys, orders_of_unit
from bordeaux._ext.rules.packed cimport Packed

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
        while True:
            p = next_bit(m, left)
            if p < 0:
                break
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
        while True:
            p = next_bit(m, left)
            if p < 0:
                break
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


cdef list codes_of(const Order* orders, int n):
    cdef uint64_t code
    cdef int i
    result = []
    for i in range(n):
        memcpy(&code, &orders[i], sizeof(code))
        result.append(code)
    return result
