"""The movement adjudicator: it matches orders, decides them, and resolves cyclic dependencies.

Supports, attacks and convoys of a province are linked lists in fixed arrays; nothing is allocated.
`verdicts` has the rules that decide an order, `cycles` those for orders that depend on each other in a
cycle.

Choices of DATC 3, chapter 4, taken in these modules: 4.A.1 b, 4.A.2 Szykman, 4.A.4 a, 4.A.7 b. For 4.A.3 it
is the 2000/2023 rule without falling back on the land route.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from bordeaux._ext.rules.verdicts cimport DECIDED, UNDECIDED, prevent_strength, resolve, route_exists
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.cycles cimport decide_cycles

cdef void fight(
    Battle* b, const MapTables* map, const uint16_t* units, const Order* orders, int rules, const uint64_t* routes
) noexcept nogil:
    """Decide every order of a movement phase.

    `units` holds a token and `orders` a legal order (or NO_ORDER, which holds) for each province; `routes`, if given,
    the fleets that each army names for its convoy, all of which it needs. Sets `verdict`, `arrival`, and the bits VOID
    and NO_CONVOY of `outcome`.
    """
    cdef int i, p, n_hard, open_orders
    cdef uint8_t hard[256]
    index_orders(b, map, units, orders)
    b.routes = routes
    match_supports(b, orders)
    match_convoys(b, orders)
    for i in range(b.n_movers):
        choose_route(b, b.movers[i], orders[b.movers[i]].flags, rules)
    n_hard = decide_plain(b, hard)
    open_orders = 0
    for i in range(n_hard):
        b.missing = NOTHING
        resolve(b, hard[i])
        open_orders += b.state[hard[i]] != DECIDED
    if open_orders:
        decide_cycles(b)
    for i in range(b.n_movers):
        p = b.movers[i]
        # The entry past the last province takes what does not arrive, to save a branch.
        b.arrival[b.dest[p] if b.verdict[p] else NOTHING] = p


cdef inline int decide_plain(Battle* b, uint8_t* hard) noexcept nogil:
    """Decide unopposed orders: moves to empty provinces, supports and convoys without an attack.

    Most orders are of this kind, but which ones is unpredictable, so this code has no branches. The others are listed
    in `hard`; returns their number.
    """
    cdef int i, p, goal, n = 0
    cdef bint plain
    for i in range(b.n_movers):
        p = b.movers[i]
        goal = b.dest[p]
        plain = (b.via[p] == 0) & (b.kind[goal] == NO_ORDER) & (b.first_attacker[goal] == p) & (
            b.next_attacker[p] == NOTHING)
        # A move without a route is decided already, and must stay so.
        b.verdict[p] = plain
        b.state[p] |= DECIDED * plain
        hard[n] = p
        n += b.state[p] != DECIDED
    n = list_attacked(b, b.supporters, b.n_supporters, hard, n)
    return list_attacked(b, b.convoyers, b.n_convoyers, hard, n)


cdef inline int list_attacked(Battle* b, const uint8_t* orders, int count, uint8_t* hard, int n) noexcept nogil:
    """Decide the supports or convoys without an attack, and list the others from place n on."""
    cdef int i, p
    cdef bint plain
    for i in range(count):
        p = orders[i]
        plain = b.first_attacker[p] == NOTHING
        b.verdict[p] = plain
        b.state[p] = DECIDED * plain
        hard[n] = p
        n += not plain
    return n


cdef inline void index_orders(
    Battle* b, const MapTables* map, const uint16_t* units, const Order* orders
) noexcept nogil:
    """List the units, their powers and their destinations.

    The kinds of orders are unpredictable, so the lists are filled without a branch: every unit is written to each list,
    and counted only where it belongs.
    """
    cdef int p, i, n = map.n_provinces, movers = 0, supporters = 0, convoyers = 0
    cdef uint8_t kind
    b.map = map
    b.in_cycles = False
    b.missing = NOTHING
    memset(b.first_attacker, NOTHING, n)
    memset(b.first_supporter, NOTHING, n)
    memset(b.first_convoyer, NOTHING, n)
    memset(b.arrival, NOTHING, n)
    memset(b.kind, NO_ORDER, n)
    memset(b.state, UNDECIDED, n)
    memset(b.outcome, 0, n)
    memset(b.via, 0, n)
    b.n_units = rows_places(b.units, units, n)
    for i in range(b.n_units):
        p = b.units[i]
        kind = orders[p].kind
        kind += kind == NO_ORDER
        b.kind[p] = kind
        b.token[p] = units[p]
        b.power[p] = power_of(units[p])
        b.dest_location[p] = orders[p].target
        b.dest[p] = map.province[orders[p].target]
        b.movers[movers] = p
        movers += kind == MOVE
        b.supporters[supporters] = p
        supporters += (kind == SUPPORT_HOLD) | (kind == SUPPORT_MOVE)
        b.convoyers[convoyers] = p
        convoyers += kind == CONVOY
    b.n_movers = movers
    b.n_supporters = supporters
    b.n_convoyers = convoyers


cdef inline void match_supports(Battle* b, const Order* orders) noexcept nogil:
    """Link supports to the orders they help; the others are void, and their units hold."""
    cdef int i, p, q, d, matched = 0, n = b.n_supporters
    cdef bint fits, holds
    cdef const MapTables* map = b.map
    for i in range(n):
        p = b.supporters[i]
        q = map.province[orders[p].target]
        holds = b.kind[p] == SUPPORT_HOLD
        d = q if holds else map.province[orders[p].destination]
        fits = (b.kind[q] == MOVE) & (b.dest[q] == d) & same_coast(b, orders[p].destination, b.dest_location[q], d)
        fits = (holds & (b.kind[q] != NO_ORDER) & (b.kind[q] != MOVE)) | ((not holds) & fits)
        if fits:
            b.next_supporter[p] = b.first_supporter[q]
            b.first_supporter[q] = p
            b.dest[p] = d
            b.supporters[matched] = p
            matched += 1
        else:
            b.outcome[p] = VOID
    b.n_supporters = matched
    for i in range(b.n_units):
        # Only now: a void supporter must not become a hold while others are still being matched.
        p = b.units[i]
        if b.outcome[p]:
            b.kind[p] = HOLD


cdef inline void match_convoys(Battle* b, const Order* orders) noexcept nogil:
    """Link convoying fleets to the armies they carry; the others are void."""
    cdef int i, p, q, matched = 0, n = b.n_convoyers
    cdef const MapTables* map = b.map
    for i in range(n):
        p = b.convoyers[i]
        q = map.province[orders[p].target]
        if (
            b.kind[q] == MOVE and b.dest[q] == map.province[orders[p].destination]
            and (b.routes == NULL or has_bit(b.routes + q * WORDS, p))
        ):
            b.next_convoyer[p] = b.first_convoyer[q]
            b.first_convoyer[q] = p
            b.convoyers[matched] = p
            matched += 1
        else:
            b.outcome[p] = VOID
            b.kind[p] = HOLD
    b.n_convoyers = matched


cdef inline bint same_coast(Battle* b, int named, int actual, int province) noexcept nogil:
    """Whether a support that names a location fits the move (DATC 4.B.4): no coast fits any."""
    return (named == actual) | (b.map.n_fleets[province] < 2) | (not b.map.is_fleet[named])


cdef bint take_sea_route(Battle* b, int p, int location, int flags, int rules) noexcept nogil:
    """Decide whether an army is convoyed; False if it is, and no chain of fleets was ordered."""
    cdef int fleet
    if not has_bit(b.map.reach[location], b.dest[p]) or flags & FLAG_VIA:
        b.via[p] = 1
    elif not rules & RULE_LAND_FIRST:
        fleet = b.first_convoyer[p]
        while fleet != NOTHING:
            if b.power[fleet] == b.power[p]:
                b.via[p] = 1
            fleet = b.next_convoyer[fleet]
    if not b.via[p] or route_exists(b, p, False):
        return True
    b.outcome[p] |= NO_CONVOY
    b.state[p] = DECIDED
    b.verdict[p] = 0
    return False


cdef inline void choose_route(Battle* b, int p, int flags, int rules) noexcept nogil:
    """Choose land or convoy (DATC 4.A.3); a move with a route joins the attackers of its goal."""
    cdef int location = location_of(b.token[p])
    cdef bint army = not b.map.is_fleet[location]
    # One rare case, put so that the common ones share a branch.
    if army & ((not has_bit(b.map.reach[location], b.dest[p])) | (flags & FLAG_VIA) | (b.first_convoyer[p] != NOTHING)):
        if not take_sea_route(b, p, location, flags, rules):
            return
    b.next_attacker[p] = b.first_attacker[b.dest[p]]
    b.first_attacker[b.dest[p]] = p


cdef bint is_contested(Battle* b, int province) noexcept nogil:
    """Whether a standoff took place in a province, after `fight`; then nobody may retreat there."""
    cdef int q = b.first_attacker[province]
    while q != NOTHING:
        if not b.verdict[q] and prevent_strength(b, q, province) > 0:
            return True
        q = b.next_attacker[q]
    return False


cdef void record_outcomes(Battle* b) noexcept nogil:
    """Turn verdicts into outcome bits, after `fight`."""
    cdef int i, p
    for i in range(b.n_units):
        p = b.units[i]
        if b.arrival[p] != NOTHING and not (b.kind[p] == MOVE and b.verdict[p]):
            b.outcome[p] |= DISLODGED
        if b.kind[p] == MOVE:
            if not b.verdict[p] and not b.outcome[p] & NO_CONVOY:
                b.outcome[p] |= DISRUPTED if b.via[p] and not route_exists(b, p, True) else BOUNCE
        elif (b.kind[p] == SUPPORT_HOLD or b.kind[p] == SUPPORT_MOVE) and not b.verdict[p]:
            b.outcome[p] |= CUT
