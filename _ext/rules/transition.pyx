"""From one phase to the next: moves, retreats, ownership and builds.

The game year (Hall and Loeb 1995, section 2.1): Spring moves and retreats, Fall moves and retreats, then ownership
of centres and Winter adjustments. Phases in which nobody has a decision to make are left out. A power that
owns more than half of the centres after a Fall has won.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.adjudicate cimport Battle, is_contested
from bordeaux._ext.rules.structures cimport *


cdef inline void copy_standing(const MapTables* map, const State* before, State* after) noexcept nogil:
    """Copy a position without dislodged units. Only the used part is touched: memory access dominates the time over
    many positions, and most of a `State` lies beyond a map's provinces."""
    cdef int n = map.n_provinces
    memcpy(after.unit, before.unit, n * sizeof(uint16_t))
    memset(after.dislodged, 0, n * sizeof(uint16_t))
    memset(after.retreats, 0, n * sizeof(uint32_t))
    memcpy(after.owner, before.owner, n)
    after.year, after.season, after.kind = before.year, before.season, before.kind


cdef void after_movement(Battle* b, const State* before, State* after) noexcept nogil:
    """Carry out the moves that `fight` let succeed, and begin retreats or the next phase.

    A dislodged unit without a retreat is disbanded at once.
    """
    cdef const MapTables* map = b.map
    cdef int i, p, q, k, location, origin, n_dislodged = 0
    cdef bint left, driven_out
    cdef uint32_t open_ways
    copy_standing(map, before, after)
    for i in range(b.n_units):
        p = b.units[i]
        left = (b.kind[p] == MOVE) & b.verdict[p]
        driven_out = (not left) & (b.arrival[p] != NOTHING)
        after.unit[p] = b.token[p] * (not (left | driven_out))
        after.dislodged[p] = b.token[p] * driven_out
        n_dislodged += driven_out
    for i in range(b.n_movers):
        p = b.movers[i]
        # The entry past the last province takes what does not arrive, to save a branch.
        after.unit[b.dest[p] if b.verdict[p] else NOTHING] = make_token(b.power[p], b.dest_location[p])
    after.unit[NOTHING] = 0
    if n_dislodged == 0:
        close_season(map, after)
        return
    for i in range(b.n_units):
        p = b.units[i]
        if after.dislodged[p] == 0:
            continue
        location = location_of(b.token[p])
        origin = b.arrival[p]
        open_ways = 0
        for k in range(map.n_neighbours[location]):
            q = map.province[map.neighbours[location][k]]
            # A convoyed attacker bars nothing: DATC 4.A.5 b.
            if after.unit[q] == 0 and (q != origin or b.via[origin]) and not is_contested(b, q):
                open_ways |= (<uint32_t>1) << k
        after.retreats[p] = open_ways
        if open_ways == 0:
            after.dislodged[p] = 0
            n_dislodged -= 1
    if n_dislodged:
        after.kind = RETREATS
    else:
        close_season(map, after)


cdef void after_retreats(
    const MapTables* map, const State* before, const Order* orders, State* after, uint8_t* outcome
) noexcept nogil:
    """Carry out retreats; two to one province, and units without an order, are disbanded.

    `orders` are by province and legal; `outcome`, by province, is filled in.
    """
    cdef uint8_t claims[256]
    cdef int p, q
    memset(claims, 0, sizeof(claims))
    memset(outcome, 0, map.n_provinces)
    memcpy(after, before, sizeof(State))
    for p in range(map.n_provinces):
        if before.dislodged[p] and orders[p].kind == RETREAT:
            claims[map.province[orders[p].target]] += 1
    for p in range(map.n_provinces):
        if before.dislodged[p] == 0:
            continue
        if orders[p].kind != RETREAT:
            outcome[p] = DISBANDED
        else:
            q = map.province[orders[p].target]
            if claims[q] > 1:
                outcome[p] = BOUNCE | DISBANDED
            else:
                after.unit[q] = make_token(power_of(before.dislodged[p]), orders[p].target)
        after.dislodged[p] = 0
        after.retreats[p] = 0
    close_season(map, after)


cdef void close_season(const MapTables* map, State* s) noexcept nogil:
    """Begin the phase after movement and retreats."""
    cdef int i, p
    if s.season == SPRING:
        s.season = FALL
        s.kind = MOVEMENT
        return
    for i in range(map.n_centres):
        p = map.centres[i]
        s.owner[p] = power_of(s.unit[p]) if s.unit[p] else s.owner[p]
    if victor(map, s) >= 0:
        s.kind = COMPLETED
        return
    if anything_due(map, s):
        s.season = WINTER
        s.kind = ADJUSTMENTS
    else:
        begin_year(s)


cdef bint anything_due(const MapTables* map, const State* s) noexcept nogil:
    """Whether any power has a possible build or a removal, in one pass over the board."""
    cdef int surplus[256]
    cdef uint8_t places[256]
    cdef uint32_t builders = 0
    cdef uint32_t home
    cdef int i, p, n = rows_places(places, s.unit, map.n_provinces)
    memset(surplus, 0, sizeof(int) * map.n_powers)
    surplus[NOTHING] = 0
    for i in range(n):
        surplus[power_of(s.unit[places[i]])] -= 1
    for i in range(map.n_centres):
        p = map.centres[i]
        # The entry past the last power takes what nobody owns, to save a branch.
        surplus[s.owner[p]] += 1
        home = (map.home_of[p] >> (s.owner[p] & 31)) & (s.owner[p] != NOTHING) & (s.unit[p] == 0)
        builders |= home << (s.owner[p] & 31)
    for i in range(map.n_powers):
        if surplus[i] < 0 or (surplus[i] > 0 and (builders >> i) & 1):
            return True
    return False


cdef inline void begin_year(State* s) noexcept nogil:
    s.season = SPRING
    s.kind = MOVEMENT
    s.year += 1


cdef void count_centres(const MapTables* map, const State* s, int* counts) noexcept nogil:
    """The centres of every power, and at NOTHING those that nobody owns; `counts` has room for 256."""
    cdef int i
    memset(counts, 0, sizeof(int) * map.n_powers)
    counts[NOTHING] = 0
    for i in range(map.n_centres):
        counts[s.owner[map.centres[i]]] += 1


cdef int victor(const MapTables* map, const State* s) noexcept nogil:
    """The power that owns more than half of the centres, or -1."""
    cdef int i, counts[256]
    count_centres(map, s, counts)
    for i in range(map.n_powers):
        if 2 * counts[i] > map.n_centres:
            return i
    return -1


cdef void square_shares(const MapTables* map, const State* s, float* shares) noexcept nogil:
    """The square of every power's centres in the squares of all."""
    cdef int i, squares = 0, counts[256]
    count_centres(map, s, counts)
    for i in range(map.n_powers):
        squares += counts[i] * counts[i]
    for i in range(map.n_powers):
        shares[i] = <float>(counts[i] * counts[i]) / <float>max(1, squares)


cdef uint64_t owing(const MapTables* map, const State* s) noexcept nogil:
    """The powers that have a unit, a dislodged unit or an adjustment to order in this phase, as bits."""
    cdef const uint16_t* tokens = &s.dislodged[0] if s.kind == RETREATS else &s.unit[0]
    cdef uint64_t powers = 0
    cdef int i
    if s.kind == ADJUSTMENTS:
        for i in range(map.n_powers):
            powers |= <uint64_t>(adjustments_due(map, s, i) != 0) << i
        return powers
    for i in range(map.n_provinces):
        if tokens[i]:
            powers |= <uint64_t>1 << power_of(tokens[i])
    return powers


cdef int adjustments_due(const MapTables* map, const State* s, int power) noexcept nogil:
    """Builds (positive, at most the open home centres) or removals (negative) due for a power."""
    cdef int i, p, centres = 0, units = 0, open_homes = 0, due
    for p in range(map.n_provinces):
        if s.unit[p] and power_of(s.unit[p]) == power:
            units += 1
    for i in range(map.n_centres):
        p = map.centres[i]
        if s.owner[p] == power:
            centres += 1
            if s.unit[p] == 0 and map.home_of[p] >> power & 1:
                open_homes += 1
    due = centres - units
    return due if due < open_homes else open_homes


cdef void after_adjustments(
    const MapTables* map, const State* before, const Order* orders, const uint8_t* powers, int n_orders,
    State* after, uint8_t* outcome
) noexcept nogil:
    """Build and remove in the given order: the first legal orders count (DATC 4.D.4 to 4.D.6).

    Missing removals follow the rule for civil disorder (rule book of 2023, DATC 4.D.8): the unit farthest from its
    power's centres goes first; then fleets before armies; then by name.
    """
    cdef int i, p, power, due[32]
    memcpy(after, before, sizeof(State))
    for power in range(map.n_powers):
        due[power] = adjustments_due(map, before, power)
    for i in range(n_orders):
        power = powers[i]
        outcome[i] = VOID
        if orders[i].kind == WAIVE:
            if due[power] > 0:
                due[power] -= 1
                outcome[i] = 0
            continue
        p = map.province[orders[i].unit]
        if orders[i].kind == BUILD:
            if due[power] > 0 and after.unit[p] == 0 and before.unit[p] == 0:
                after.unit[p] = make_token(power, orders[i].unit)
                due[power] -= 1
                outcome[i] = 0
        elif orders[i].kind == DISBAND:
            if due[power] < 0 and after.unit[p] and power_of(after.unit[p]) == power:
                after.unit[p] = 0
                due[power] += 1
                outcome[i] = 0
    for power in range(map.n_powers):
        while due[power] < 0:
            p = farthest_unit(map, after, power)
            if p < 0:
                break
            after.unit[p] = 0
            due[power] += 1
    begin_year(after)


cdef int farthest_unit(const MapTables* map, const State* s, int power) noexcept nogil:
    """The province of the unit that civil disorder removes, or -1 without units."""
    cdef int p, i, far, best = -1, best_far = -1
    cdef bint fleet, best_fleet = False, better
    for p in range(map.n_provinces):
        if s.unit[p] == 0 or power_of(s.unit[p]) != power:
            continue
        far = FAR_AWAY
        for i in range(map.n_centres):
            if s.owner[map.centres[i]] == power:
                far = min(far, <int>map.steps[p * map.stride + map.centres[i]])
        fleet = map.is_fleet[location_of(s.unit[p])]
        if far != best_far:
            better = far > best_far
        elif fleet != best_fleet:
            better = fleet
        else:
            better = map.alphabetical[p] < map.alphabetical[best]
        if better:
            best, best_far, best_fleet = p, far, fleet
    return best
