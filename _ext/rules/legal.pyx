"""Legal orders: those that could be valid, whatever else is ordered (DATC 4.E.1).

A support is legal only for a move that the other unit could make without the supporter's own convoy (DATC 6.D.31). A
convoy is legal only if some route needs the fleet (DATC 6.G.19).
"""

from libc.string cimport memset

from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport adjustments_due

cdef enum:
    MAX_STEPS = 20000


cdef void find_convoys(const MapTables* map, const uint16_t* units, int without, Convoys* c) noexcept nogil:
    """List the units, and group the fleets at sea, except the one in province `without`, into chains."""
    cdef int p, i, j, w, head
    cdef uint8_t queue[256]
    cdef int tail
    c.n_fleets = c.n_chains = c.n_armies = 0
    c.n_units = rows_places(c.units, units, map.n_provinces)
    memset(c.occupied, 0, sizeof(c.occupied))
    for i in range(c.n_units):
        p = c.units[i]
        set_bit(c.occupied, p)
        c.fleets[c.n_fleets] = p
        c.chain[p] = NOTHING
        c.n_fleets += (map.terrain[p] == SEA) & (p != without)
        c.armies[c.n_armies] = p
        c.n_armies += (map.terrain[p] == COASTAL) & (not map.is_fleet[location_of(units[p])])
    for i in range(c.n_fleets):
        if c.chain[c.fleets[i]] != NOTHING:
            continue
        queue[0], head, tail = c.fleets[i], 0, 1
        c.chain[queue[0]] = c.n_chains
        memset(c.coast[c.n_chains], 0, sizeof(uint64_t) * WORDS)
        while head < tail:
            p = queue[head]
            head += 1
            for w in range(map.n_words):
                c.coast[c.n_chains][w] |= map.reach[map.fleets_at[p][0]][w] & map.coastal[w]
            for j in range(c.n_fleets):
                if c.chain[c.fleets[j]] == NOTHING and has_bit(map.seas[p], c.fleets[j]):
                    c.chain[c.fleets[j]] = c.n_chains
                    queue[tail] = c.fleets[j]
                    tail += 1
        c.n_chains += 1
    if c.n_chains:
        for i in range(c.n_armies):
            convoy_goals(map, c, c.armies[i], c.goals[c.armies[i]])


cdef inline void convoy_goals(const MapTables* map, const Convoys* c, int army, uint64_t* goals) noexcept nogil:
    """The provinces to which chains of fleets could convoy an army, as bits."""
    cdef int i, w
    memset(goals, 0, sizeof(uint64_t) * WORDS)
    for i in range(c.n_chains):
        if has_bit(c.coast[i], army):
            for w in range(map.n_words):
                goals[w] |= c.coast[i][w]
    goals[army >> 6] &= ~((<uint64_t>1) << (army & 63))


cdef void goals_through(const MapTables* map, const Convoys* c, int fleet, int army, uint64_t* goals) noexcept nogil:
    """The provinces to which an army could be convoyed over a route that needs the fleet, as bits.

    A route needs all its fleets if it has no short cut (DATC 6.G.19): no link of it touches another but the next, or
    the landing before the end.
    """
    cdef uint64_t landed[WORDS]
    cdef int i, steps = 0
    memset(goals, 0, sizeof(uint64_t) * WORDS)
    memset(landed, 0, sizeof(landed))
    if not has_bit(c.coast[c.chain[fleet]], army):
        return
    for i in range(c.n_fleets):
        if has_bit(map.seas[army], c.fleets[i]):
            walk_routes(map, c, c.fleets[i], fleet, map.seas[army], landed, False, goals, &steps)
    goals[army >> 6] &= ~((<uint64_t>1) << (army & 63))


cdef void walk_routes(
    const MapTables* map, const Convoys* c, int last, int wanted, const uint64_t* barred, const uint64_t* landed,
    bint met, uint64_t* goals, int* steps
) noexcept nogil:
    """Follow every route without a short cut that continues from its `last` fleet.

    `barred` are the seas that earlier links touch, `landed` the coasts; `met` says whether the wanted fleet is among
    the links.
    """
    cdef uint64_t barred_next[WORDS]
    cdef uint64_t landed_next[WORDS]
    cdef uint64_t coast
    cdef int i, w
    steps[0] += 1
    met = met or last == wanted
    for w in range(map.n_words):
        coast = map.reach[map.fleets_at[last][0]][w] & map.coastal[w]
        if met:
            goals[w] |= coast & ~landed[w]
        landed_next[w] = landed[w] | coast
        barred_next[w] = barred[w] | map.seas[last][w]
    for i in range(c.n_fleets):
        # The limit is there for maps made to take for ever; no board comes near it.
        if has_bit(map.seas[last], c.fleets[i]) and not has_bit(barred, c.fleets[i]) and steps[0] < MAX_STEPS:
            walk_routes(map, c, c.fleets[i], wanted, barred_next, landed_next, met, goals, steps)


cdef inline bint is_convoying_fleet(const MapTables* map, const State* s, int p) noexcept nogil:
    return s.unit[p] != 0 and map.terrain[p] == SEA


cdef inline int put(
    Order* out, int n, int room, int kind, int flags, int unit, int target, int destination
) noexcept nogil:
    """Write an order if there is room for it, and count it in any case; returns the count."""
    if n < room:
        out[n].kind = kind
        out[n].flags = flags
        out[n].unit = unit
        out[n].target = target
        out[n].destination = destination
    return n + 1


cdef int orders_of_unit(
    const MapTables* map, const State* s, const Convoys* c, int province, Order* out, int room
) noexcept nogil:
    """Write the legal movement orders of the unit in a province; returns their number.

    `c` comes from `find_convoys` without leaving any fleet out. Orders beyond `room` are counted, but not written; the
    caller must check this, here and in the two functions below.
    """
    cdef int location = location_of(s.unit[province]), n, k, i
    cdef uint64_t goals[WORDS]
    n = put(out, 0, room, HOLD, 0, location, 0, 0)
    for k in range(map.n_neighbours[location]):
        n = put(out, n, room, MOVE, 0, location, map.neighbours[location][k], 0)
    if not map.is_fleet[location] and map.terrain[province] == COASTAL and c.n_chains:
        n = put_for_each(map, c.goals[province], out, n, room, MOVE, FLAG_VIA, location, NO_LOCATION)
    n = supports(map, s, c, province, out, n, room)
    if is_convoying_fleet(map, s, province):
        for i in range(c.n_armies):
            goals_through(map, c, province, c.armies[i], goals)
            n = put_for_each(map, goals, out, n, room, CONVOY, 0, location, location_of(s.unit[c.armies[i]]))
    return n


cdef inline int put_for_each(
    const MapTables* map, const uint64_t* goals, Order* out, int n, int room, int kind, int flags, int unit, int other
) noexcept nogil:
    """One order for each goal: a move by convoy, or help for the move of another army there."""
    cdef int w, goal
    cdef uint64_t bits
    for w in range(map.n_words):
        bits = goals[w]
        while bits:
            goal = map.army_at[64 * w + lowest_bit(bits)]
            bits &= bits - 1
            if kind == MOVE:
                n = put(out, n, room, kind, flags, unit, goal, 0)
            else:
                n = put(out, n, room, kind, flags, unit, other, goal)
    return n


cdef inline int put_fleet_supports(
    const MapTables* map, const uint64_t* goals, Order* out, int n, int room, int unit, int other
) noexcept nogil:
    """A support for each place to which another fleet may go; it may reach two in a province."""
    cdef int w, k, d
    cdef uint64_t bits
    for w in range(map.n_words):
        bits = goals[w]
        while bits:
            d = 64 * w + lowest_bit(bits)
            bits &= bits - 1
            if map.n_fleets[d] == 1:
                n = put(out, n, room, SUPPORT_MOVE, 0, unit, other, map.fleets_at[d][0])
                continue
            for k in range(map.n_neighbours[other]):
                if map.province[map.neighbours[other][k]] == d:
                    n = put(out, n, room, SUPPORT_MOVE, 0, unit, other, map.neighbours[other][k])
    return n


cdef int supports(
    const MapTables* map, const State* s, const Convoys* c, int province, Order* out, int n, int room
) noexcept nogil:
    """Supports for units that are, or may go, where this one could move to."""
    cdef int location = location_of(s.unit[province]), i, q, w, other
    cdef const uint64_t* reach = map.reach[location]
    cdef uint64_t near
    cdef uint64_t goals[WORDS]
    cdef Convoys rest
    cdef const Convoys* carriers = c
    if is_convoying_fleet(map, s, province):
        find_convoys(map, s.unit, province, &rest)
        carriers = &rest
    for w in range(map.n_words):
        near = c.occupied[w] & map.nearby[location][w]
        while near:
            q = 64 * w + lowest_bit(near)
            near &= near - 1
            if q != province:
                n = supports_by_land(map, s, location, province, location_of(s.unit[q]), q, out, n, room)
    if carriers.n_chains == 0:
        return n
    for i in range(carriers.n_armies):
        q = carriers.armies[i]
        if q == province:
            continue
        other = location_of(s.unit[q])
        for w in range(map.n_words):
            goals[w] = carriers.goals[q][w] & reach[w] & ~map.reach[other][w]
        goals[province >> 6] &= ~((<uint64_t>1) << (province & 63))
        n = put_for_each(map, goals, out, n, room, SUPPORT_MOVE, 0, location, other)
    return n


cdef inline int supports_by_land(
    const MapTables* map, const State* s, int location, int province, int other, int q, Order* out, int n, int room
) noexcept nogil:
    """Supports for another unit to hold, and for its moves without a convoy."""
    cdef const uint64_t* reach = map.reach[location]
    cdef uint64_t common[WORDS]
    cdef int w
    if has_bit(reach, q):
        n = put(out, n, room, SUPPORT_HOLD, 0, location, other, 0)
    for w in range(map.n_words):
        common[w] = reach[w] & map.reach[other][w]
    common[province >> 6] &= ~((<uint64_t>1) << (province & 63))
    if map.is_fleet[other]:
        return put_fleet_supports(map, common, out, n, room, location, other)
    return put_for_each(map, common, out, n, room, SUPPORT_MOVE, 0, location, other)


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
    convoy_goals(map, c, map.province[location], goals)
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
                return (s.retreats[p] >> k) & 1 and s.unit[map.province[order.target]] == 0
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
        convoy_goals(map, &c, p, goals)
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
    """Write the possible retreats of the unit dislodged from a province, and its disbanding."""
    cdef int location = location_of(s.dislodged[province]), k, n = 0
    for k in range(map.n_neighbours[location]):
        if (s.retreats[province] >> k) & 1 and s.unit[map.province[map.neighbours[location][k]]] == 0:
            n = put(out, n, room, RETREAT, 0, location, map.neighbours[location][k], 0)
    return put(out, n, room, DISBAND, 0, location, 0, 0)


cdef int adjustments_of(const MapTables* map, const State* s, int power, Order* out, int room) noexcept nogil:
    """Write every build (one for each kind and coast), or every removal, that a power may order."""
    cdef int p, k, n = 0, due = adjustments_due(map, s, power)
    for p in range(map.n_provinces):
        if due < 0 and s.unit[p] and power_of(s.unit[p]) == power:
            n = put(out, n, room, DISBAND, 0, location_of(s.unit[p]), 0, 0)
        if due > 0 and s.unit[p] == 0 and s.owner[p] == power and map.is_centre[p] and (map.home_of[p] >> power) & 1:
            if map.army_at[p] != NO_LOCATION:
                n = put(out, n, room, BUILD, 0, map.army_at[p], 0, 0)
            for k in range(map.n_fleets[p]):
                n = put(out, n, room, BUILD, 0, map.fleets_at[p][k], 0, 0)
    return n
