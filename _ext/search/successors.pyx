"""The successors of a partial order set: one more order, with its supports or convoys.

A move enters with all its combinations of supports, and a convoyed move with its fleets (Hall and Loeb
1995, section 4.3.1). A set that is a permutation of an earlier one is found in the cache and dropped (section 3.3).
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.structures cimport *

cdef enum:
    MAX_SUPPORTERS = 4


cdef void find_threats(Space* e) noexcept nogil:
    """Mark the provinces with foreign units, and those that one can enter."""
    cdef const MapTables* m = e.map
    cdef int p, q
    memset(e.threatened, 0, sizeof(e.threatened))
    for p in range(m.n_provinces):
        if e.root.unit[p] and power_of(e.root.unit[p]) != e.power:
            e.threatened[p] = 1
            for q in range(m.n_provinces):
                if has_bit(m.reach[location_of(e.root.unit[p])], q):
                    e.threatened[q] = 1


cdef bint helps(const Space* e, const Order* help, const Order* move) noexcept nogil:
    """Whether an order supports or convoys exactly this move."""
    cdef const MapTables* m = e.map
    if move.kind != MOVE or help.target != move.unit or m.province[help.destination] != m.province[move.target]:
        return False
    if help.kind == CONVOY:
        return move.flags & FLAG_VIA
    return help.kind == SUPPORT_MOVE and (help.destination == move.target or not m.is_fleet[help.destination])


cdef int count_helpers(Space* e) noexcept nogil:
    """The room that `link_helpers` needs."""
    cdef int c, h, n = 0, total = e.first[e.n_units - 1] + e.count[e.n_units - 1] if e.n_units else 0
    for c in range(total):
        if e.candidates[c].order.kind == MOVE:
            for h in range(total):
                n += helps(e, &e.candidates[h].order, &e.candidates[c].order)
    return n


cdef void link_helpers(Space* e) noexcept nogil:
    """List for every move the possible supports and convoys by other units."""
    cdef int u, c, v, h, n = 0
    for u in range(e.n_units):
        for c in range(e.first[u], e.first[u] + e.count[u]):
            e.candidates[c].first_help = n
            if e.candidates[c].order.kind != MOVE:
                continue
            for v in range(e.n_units):
                for h in range(e.count[v]):
                    if v != u and helps(e, &e.candidates[e.first[v] + h].order, &e.candidates[c].order):
                        e.helpers[n].unit = v
                        e.helpers[n].choice = h
                        n += 1
            e.candidates[c].n_help = n - e.candidates[c].first_help


cdef void generate(Space* e, uint16_t* choice) noexcept nogil:
    """Write the successors of a node that the maxims allow and that were not seen before.

    Orders that the seed has anyway are not tried again, except supports for the move.
    """
    cdef int u, c
    cdef bint new
    cdef const Candidate* candidate
    cdef uint16_t added[MAX_UNITS]
    e.n_successors = 0
    for u in range(e.n_units):
        if choice[u] != UNCHOSEN or e.frozen[u]:
            continue
        for c in range(e.count[u]):
            new = c != e.seed[u]
            candidate = &e.candidates[e.first[u] + c]
            if candidate.order.kind != MOVE and not new or not worth_trying(e, choice, u, &candidate.order):
                continue
            memcpy(added, choice, sizeof(uint16_t) * e.n_units)
            added[u] = c
            if candidate.order.flags & FLAG_VIA and new and not add_convoy(e, candidate, added):
                continue
            if new:
                add(e, added)
            if candidate.order.kind == MOVE and e.threatened[e.map.province[candidate.order.target]]:
                add_supported(e, candidate, added)


cdef bint worth_trying(Space* e, const uint16_t* choice, int u, const Order* order) noexcept nogil:
    """Apply the maxims, and leave out help for orders that are not in the set."""
    cdef const MapTables* m = e.map
    cdef int v, goal
    cdef const Order* other
    if order.kind == CONVOY:
        return False
    if order.kind == SUPPORT_HOLD:
        v = e.unit_at[m.province[order.target]]
        return v < 0 or order_of(e, choice, v).kind != MOVE
    if order.kind == SUPPORT_MOVE:
        v = e.unit_at[m.province[order.target]]
        return v < 0 or helps(e, order, order_of(e, choice, v))
    if order.kind != MOVE:
        return True
    goal = m.province[order.target]
    if e.maxims & NEVER_BLOCKED:
        v = e.unit_at[goal]
        if v >= 0 and choice[v] != UNCHOSEN and order_of(e, choice, v).kind != MOVE:
            return False
    for v in range(e.n_units):
        if v == u or choice[v] == UNCHOSEN:
            continue
        other = order_of(e, choice, v)
        if other.kind != MOVE:
            continue
        if e.maxims & NEVER_CLASH and m.province[other.target] == goal:
            return False
        if (
            e.maxims & NEVER_SWAP and e.province[v] == goal and m.province[other.target] == e.province[u]
            and not (order.flags | other.flags) & FLAG_VIA
        ):
            return False
    return True


cdef bint carried(const Space* e, const uint16_t* choice, int army) noexcept nogil:
    """Whether an own fleet convoys an army as ordered."""
    cdef int v
    cdef const Order* order
    for v in range(e.n_units):
        order = order_of(e, choice, v)
        if order.kind == CONVOY and helps(e, order, order_of(e, choice, army)):
            return True
    return False


cdef void mend(Space* e, uint16_t* choice) noexcept nogil:
    """Turn orders of a full set into holds until none contradicts another."""
    cdef int u
    cdef bint changed = True
    while changed:
        changed = False
        for u in range(e.n_units):
            if order_of(e, choice, u).kind != HOLD and contradicts(e, choice, u):
                choice[u] = 0
                changed = True


cdef bint is_senseless(const Space* e, const uint16_t* choice, int u) noexcept nogil:
    """Whether an order of a full set helps a missing one, or waits for missing own fleets."""
    cdef const Order* order = order_of(e, choice, u)
    cdef int v
    if order.kind == HOLD:
        return False
    if order.kind == MOVE:
        return order.flags & FLAG_VIA and not carried(e, choice, u)
    v = e.unit_at[e.map.province[order.target]]
    if v < 0:
        return False
    if order.kind == SUPPORT_HOLD:
        return order_of(e, choice, v).kind == MOVE
    return not helps(e, order, order_of(e, choice, v))


cdef bint contradicts(const Space* e, const uint16_t* choice, int u) noexcept nogil:
    """Whether an order of a full set is inconsistent, or breaks a maxim against an earlier unit's."""
    cdef const MapTables* m = e.map
    cdef const Order* order = order_of(e, choice, u)
    cdef const Order* other
    cdef int goal = m.province[order.target], v = e.unit_at[goal]
    if is_senseless(e, choice, u):
        return True
    if order.kind != MOVE:
        return False
    if v >= 0:
        other = order_of(e, choice, v)
        if other.kind != MOVE:
            return e.maxims & NEVER_BLOCKED
        if m.province[other.target] == e.province[u] and not (order.flags | other.flags) & FLAG_VIA:
            if e.maxims & NEVER_SWAP:
                return True
    if e.maxims & NEVER_CLASH:
        for v in range(u):
            other = order_of(e, choice, v)
            if other.kind == MOVE and m.province[other.target] == goal:
                return True
    return False


cdef bint add_convoy(Space* e, const Candidate* move, uint16_t* added) noexcept nogil:
    """Choose own free fleets for the shortest chain; False if they cannot convoy the army."""
    cdef const MapTables* m = e.map
    cdef int i, k, p, head = 0, tail = 0
    cdef int army = m.province[move.order.unit], goal = m.province[move.order.target]
    cdef uint8_t queue[MAX_UNITS]
    cdef uint8_t parent[MAX_UNITS]
    cdef const Helper* help = e.helpers + move.first_help
    cdef int n = move.n_help if move.n_help < MAX_UNITS else MAX_UNITS
    for i in range(n):
        parent[i] = NOTHING
        if usable(e, &help[i], added) and has_bit(m.seas[army], e.province[help[i].unit]):
            parent[i] = i
            queue[tail] = i
            tail += 1
    while head < tail:
        k = queue[head]
        head += 1
        p = e.province[help[k].unit]
        if has_bit(m.seas[goal], p):
            while True:
                added[help[k].unit] = help[k].choice
                if parent[k] == k:
                    return True
                k = parent[k]
        for i in range(n):
            if parent[i] == NOTHING and usable(e, &help[i], added) and has_bit(m.seas[p], e.province[help[i].unit]):
                parent[i] = k
                queue[tail] = i
                tail += 1
    return False


cdef inline bint usable(Space* e, const Helper* help, const uint16_t* added) noexcept nogil:
    return (
        added[help.unit] == UNCHOSEN and not e.frozen[help.unit]
        and e.candidates[e.first[help.unit] + help.choice].order.kind == CONVOY
    )


cdef void add_supported(Space* e, const Candidate* move, uint16_t* added) noexcept nogil:
    """Add a move that may be resisted with every combination of free supporters."""
    cdef int i, mask, n = 0
    cdef const Helper* help = e.helpers + move.first_help
    cdef Helper free_help[MAX_SUPPORTERS]
    for i in range(move.n_help):
        if (
            n < MAX_SUPPORTERS and added[help[i].unit] == UNCHOSEN and not e.frozen[help[i].unit]
            and e.candidates[e.first[help[i].unit] + help[i].choice].order.kind == SUPPORT_MOVE
        ):
            free_help[n] = help[i]
            n += 1
    for mask in range(1, 1 << n):
        for i in range(n):
            added[free_help[i].unit] = free_help[i].choice if mask >> i & 1 else UNCHOSEN
        add(e, added)


cdef void add(Space* e, const uint16_t* choice) noexcept nogil:
    """Add a successor unless a permutation of it was seen before or there is no room."""
    cdef int u
    cdef uint64_t hash = e.salt, slot
    cdef Successor* s
    if e.n_successors == MAX_SUCCESSORS:
        return
    for u in range(e.n_units):
        if choice[u] != UNCHOSEN:
            hash ^= e.candidates[e.first[u] + choice[u]].hash
    slot = hash & (CACHE_SLOTS - 1)
    while e.cache[slot] != 0:
        if e.cache[slot] == hash:
            return
        slot = (slot + 1) & (CACHE_SLOTS - 1)
    if e.n_cached < CACHE_SLOTS // 2:
        e.cache[slot] = hash
        e.n_cached += 1
    s = &e.successors[e.n_successors]
    e.n_successors += 1
    memcpy(s.choice, choice, sizeof(uint16_t) * e.n_units)
