"""Legal orders: those that could be valid whatever else is ordered (DATC 4.E.1).

A support is legal only for a move that the other unit could make without the supporter's own
convoy (DATC 6.D.31), and a convoy only where the fleet can be part of a route.
"""

from libc.string cimport memset

from bordeaux._ext.structures cimport *
from bordeaux._ext.transition cimport adjustments_due


cdef void find_convoys(const MapTables* map, const uint16_t* units, int without, Convoys* c) noexcept nogil:
    """Group the fleets at sea, but the one in province `without`, into chains that touch."""
    cdef int p, i, j, w, head
    cdef uint8_t queue[256]
    cdef int tail
    c.n_fleets = c.n_chains = 0
    for p in range(map.n_provinces):
        if units[p] and map.terrain[p] == SEA and p != without:
            c.fleets[c.n_fleets] = p
            c.chain[p] = NOTHING
            c.n_fleets += 1
    for i in range(c.n_fleets):
        if c.chain[c.fleets[i]] != NOTHING:
            continue
        queue[0], head, tail = c.fleets[i], 0, 1
        c.chain[queue[0]] = c.n_chains
        memset(c.coast[c.n_chains], 0, sizeof(uint64_t) * WORDS)
        while head < tail:
            p = queue[head]
            head += 1
            for w in range(WORDS):
                c.coast[c.n_chains][w] |= map.reach[map.fleets_at[p][0]][w] & map.coastal[w]
            for j in range(c.n_fleets):
                if c.chain[c.fleets[j]] == NOTHING and has_bit(map.seas[p], c.fleets[j]):
                    c.chain[c.fleets[j]] = c.n_chains
                    queue[tail] = c.fleets[j]
                    tail += 1
        c.n_chains += 1


cdef void convoy_goals(const Convoys* c, int army, uint64_t* goals) noexcept nogil:
    """Provinces that chains of fleets could carry an army to, as bits."""
    cdef int i, w
    memset(goals, 0, sizeof(uint64_t) * WORDS)
    for i in range(c.n_chains):
        if has_bit(c.coast[i], army):
            for w in range(WORDS):
                goals[w] |= c.coast[i][w]
    goals[army >> 6] &= ~((<uint64_t>1) << (army & 63))


cdef void goals_through(const MapTables* map, const Convoys* c, int fleet, int army, uint64_t* goals) noexcept nogil:
    """Provinces that an army could be convoyed to over a route that uses the fleet, as bits.

    A route through the fleet is a pair of disjoint chains from it, one to the army and one to the
    goal. The first is found breadth first; the second may push the first aside (augmenting paths
    with every fleet used once), and one more search finds its ends for all goals together.
    """
    cdef int chain = c.chain[fleet], i, p, q, w, head = 0, tail = 1
    cdef uint8_t queue[512]
    cdef uint8_t parent[256]
    cdef uint8_t follows[256]       # on the first chain: the fleet before, seen from `fleet`
    cdef uint8_t entered[256]
    cdef uint8_t leaves[256]
    memset(goals, 0, sizeof(uint64_t) * WORDS)
    if not has_bit(c.coast[chain], army):
        return
    memset(parent, NOTHING, map.n_provinces)
    memset(follows, NOTHING, map.n_provinces)
    queue[0] = fleet
    parent[fleet] = fleet
    q = NOTHING
    while head < tail:
        p = queue[head]
        head += 1
        if has_bit(map.seas[army], p):
            q = p
            break
        for i in range(c.n_fleets):
            if parent[c.fleets[i]] == NOTHING and has_bit(map.seas[p], c.fleets[i]):
                parent[c.fleets[i]] = p
                queue[tail] = c.fleets[i]
                tail += 1
    while q != fleet:
        follows[q] = parent[q]
        q = parent[q]
    memset(entered, 0, map.n_provinces)
    memset(leaves, 0, map.n_provinces)
    queue[0], head, tail = fleet, 0, 1
    entered[fleet] = leaves[fleet] = 1
    while head < tail:
        p = queue[head]
        head += 1
        for w in range(WORDS):
            goals[w] |= map.reach[map.fleets_at[p][0]][w] & map.coastal[w]
        for i in range(c.n_fleets):
            q = c.fleets[i]
            if entered[q] or not has_bit(map.seas[p], q):
                continue
            entered[q] = 1
            # A fleet of the first chain cannot be passed, but the chain can be cut before it.
            while follows[q] != NOTHING and not leaves[follows[q]]:
                q = follows[q]
                leaves[q] = 1
                queue[tail] = q
                tail += 1
                if entered[q]:
                    break
                entered[q] = 1
            if follows[c.fleets[i]] == NOTHING and not leaves[q]:
                leaves[q] = 1
                queue[tail] = q
                tail += 1
    goals[army >> 6] &= ~((<uint64_t>1) << (army & 63))


cdef inline bint is_convoying_fleet(const MapTables* map, const State* s, int p) noexcept nogil:
    return s.unit[p] != 0 and map.terrain[p] == SEA


cdef inline int put(Order* out, int n, int kind, int flags, int unit, int target, int destination) noexcept nogil:
    out[n].kind = kind
    out[n].flags = flags
    out[n].unit = unit
    out[n].target = target
    out[n].destination = destination
    return n + 1


cdef int orders_of_unit(
    const MapTables* map, const State* s, const Convoys* c, int province, Order* out, int room
) noexcept nogil:
    """Write the legal movement orders of the unit in a province; returns how many.

    `c` comes from `find_convoys` without leaving any fleet out. Orders past `room` are left out.
    """
    cdef int location = location_of(s.unit[province]), n, k, q, d, w, other
    cdef uint64_t goals[WORDS]
    cdef uint64_t reachable[WORDS]
    cdef Convoys rest
    cdef const Convoys* carriers = c
    if room < 1:
        return 0
    n = put(out, 0, HOLD, 0, location, 0, 0)
    for k in range(map.n_neighbours[location]):
        if n < room:
            n = put(out, n, MOVE, 0, location, map.neighbours[location][k], 0)
    if not map.is_fleet[location] and map.terrain[province] == COASTAL and c.n_chains:
        convoy_goals(c, province, goals)
        for d in range(map.n_provinces):
            if has_bit(goals, d) and n < room:
                n = put(out, n, MOVE, FLAG_VIA, location, map.army_at[d], 0)
    if is_convoying_fleet(map, s, province):
        find_convoys(map, s.unit, province, &rest)
        carriers = &rest
    for q in range(map.n_provinces):
        if s.unit[q] == 0 or q == province:
            continue
        other = location_of(s.unit[q])
        if has_bit(map.reach[location], q) and n < room:
            n = put(out, n, SUPPORT_HOLD, 0, location, other, 0)
        for k in range(map.n_neighbours[other]):
            d = map.province[map.neighbours[other][k]]
            if d != province and has_bit(map.reach[location], d) and n < room:
                n = put(out, n, SUPPORT_MOVE, 0, location, other, map.neighbours[other][k])
        if map.is_fleet[other] or map.terrain[q] != COASTAL or carriers.n_chains == 0:
            continue
        convoy_goals(carriers, q, goals)
        for w in range(WORDS):
            reachable[w] = goals[w] & map.reach[location][w] & ~map.reach[other][w]
        for d in range(map.n_provinces):
            if reachable[d >> 6] == 0:
                continue
            if has_bit(reachable, d) and d != province and n < room:
                n = put(out, n, SUPPORT_MOVE, 0, location, other, map.army_at[d])
    if is_convoying_fleet(map, s, province):
        for q in range(map.n_provinces):
            if s.unit[q] == 0 or map.is_fleet[location_of(s.unit[q])] or map.terrain[q] != COASTAL:
                continue
            goals_through(map, c, province, q, goals)
            for d in range(map.n_provinces):
                if has_bit(goals, d) and n < room:
                    n = put(out, n, CONVOY, 0, location, location_of(s.unit[q]), map.army_at[d])
    return n


cdef bint can_move_to(const MapTables* map, const Convoys* c, int location, int destination) noexcept nogil:
    """Whether a unit could go to a location; an army's location in a province stands for any coast."""
    cdef int k, d = map.province[destination]
    cdef uint64_t goals[WORDS]
    if map.is_fleet[location]:
        if not map.is_fleet[destination] or map.n_fleets[d] < 2:
            return has_bit(map.reach[location], d)
        for k in range(map.n_neighbours[location]):
            if map.neighbours[location][k] == destination:
                return True
        return False
    if has_bit(map.reach[location], d):
        return True
    convoy_goals(c, map.province[location], goals)
    return has_bit(goals, d)


cdef bint is_legal(const MapTables* map, const State* s, const Order* order, int power) noexcept nogil:
    """Whether a power may give an order in this phase; locations of units must be those on the board."""
    cdef int p = map.province[order.unit], q, d, k
    cdef uint64_t goals[WORDS]
    cdef Convoys c
    if s.kind == RETREATS:
        if s.dislodged[p] == 0 or power_of(s.dislodged[p]) != power or location_of(s.dislodged[p]) != order.unit:
            return False
        if order.kind == DISBAND:
            return True
        if order.kind != RETREAT:
            return False
        for k in range(map.n_neighbours[order.unit]):
            if map.neighbours[order.unit][k] == order.target:
                return (s.retreats[p] >> k) & 1
        return False
    if s.kind == ADJUSTMENTS:
        if order.kind == WAIVE:
            return adjustments_due(map, s, power) > 0
        if order.kind == BUILD:
            return (
                adjustments_due(map, s, power) > 0 and s.unit[p] == 0 and s.owner[p] == power
                and (map.home_of[p] >> power) & 1
            )
        return (
            order.kind == DISBAND and adjustments_due(map, s, power) < 0 and s.unit[p] != 0
            and power_of(s.unit[p]) == power
        )
    if s.kind != MOVEMENT or s.unit[p] == 0 or power_of(s.unit[p]) != power or location_of(s.unit[p]) != order.unit:
        return False
    if order.kind == HOLD:
        return True
    if order.kind == MOVE:
        if map.is_fleet[order.unit]:
            for k in range(map.n_neighbours[order.unit]):
                if map.neighbours[order.unit][k] == order.target:
                    return True
            return False
        d = map.province[order.target]
        if map.is_fleet[order.target]:
            return False
        if has_bit(map.reach[order.unit], d) and not order.flags & FLAG_VIA:
            return True
        find_convoys(map, s.unit, -1, &c)
        convoy_goals(&c, p, goals)
        return has_bit(goals, d)
    q = map.province[order.target]
    if q == p or s.unit[q] == 0 or location_of(s.unit[q]) != order.target:
        return False
    if order.kind == SUPPORT_HOLD:
        return has_bit(map.reach[order.unit], q)
    d = map.province[order.destination]
    if order.kind == SUPPORT_MOVE:
        if d == p or d == q or not has_bit(map.reach[order.unit], d):
            return False
        find_convoys(map, s.unit, p if map.terrain[p] == SEA else -1, &c)
        return can_move_to(map, &c, order.target, order.destination)
    if order.kind != CONVOY or map.terrain[p] != SEA or map.is_fleet[order.target] or map.terrain[q] != COASTAL:
        return False
    find_convoys(map, s.unit, -1, &c)
    goals_through(map, &c, p, q, goals)
    return has_bit(goals, d)


cdef int retreats_of_unit(const MapTables* map, const State* s, int province, Order* out, int room) noexcept nogil:
    """Write the retreats open to the unit dislodged from a province, and its disbanding."""
    cdef int location = location_of(s.dislodged[province]), k, n = 0
    for k in range(map.n_neighbours[location]):
        if (s.retreats[province] >> k) & 1 and n < room:
            n = put(out, n, RETREAT, 0, location, map.neighbours[location][k], 0)
    if n < room:
        n = put(out, n, DISBAND, 0, location, 0, 0)
    return n


cdef int adjustments_of(const MapTables* map, const State* s, int power, Order* out, int room) noexcept nogil:
    """Write every build (one for each kind and coast), or every removal, that a power may order."""
    cdef int p, k, n = 0, due = adjustments_due(map, s, power)
    for p in range(map.n_provinces):
        if due < 0 and s.unit[p] and power_of(s.unit[p]) == power and n < room:
            n = put(out, n, DISBAND, 0, location_of(s.unit[p]), 0, 0)
        if due > 0 and s.unit[p] == 0 and s.owner[p] == power and map.is_centre[p] and (map.home_of[p] >> power) & 1:
            if map.army_at[p] != NO_LOCATION and n < room:
                n = put(out, n, BUILD, 0, map.army_at[p], 0, 0)
            for k in range(map.n_fleets[p]):
                if n < room:
                    n = put(out, n, BUILD, 0, map.fleets_at[p][k], 0, 0)
    return n
