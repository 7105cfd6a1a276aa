"""The movement adjudicator.

Kruijswijk's recursive decision procedure ("The Math of Adjudication"): every order has one verdict,
succeeds or fails, that follows from the verdicts of others; where they hang in a circle, a guess is
made and both guesses tried. If both or neither are consistent, a circle of moves succeeds and a
convoy in the circle fails (Szykman's rule, DATC 4.A.2). Supports, attacks and convoys of a province
are chained lists in fixed arrays; nothing is allocated.

Choices of DATC 3, chapter 4, taken here: 4.A.1 b, 4.A.2 Szykman, 4.A.3 the 2000/2023 rule without
falling back on the land route, 4.A.4 a, 4.A.7 b.
"""

from libc.string cimport memset

from bordeaux._ext.structures cimport *

cdef enum:
    UNDECIDED = 0
    GUESSED = 1
    DECIDED = 2


cdef void fight(
    Battle* b, const MapTables* map, const uint16_t* units, const Order* orders, int rules
) noexcept nogil:
    """Decide every order of a movement phase.

    `units` holds a token and `orders` a legal order (or NO_ORDER, which holds) for each province.
    Afterwards `verdict`, `arrival`, and the bits VOID and NO_CONVOY of `outcome` stand.
    """
    cdef int i, p
    marshal(b, map, units, orders)
    match_supports(b, orders)
    match_convoys(b, orders)
    for i in range(b.n_movers):
        choose_route(b, b.movers[i], orders[b.movers[i]].flags, rules)
    for i in range(b.n_movers):
        p = b.movers[i]
        # The entry past the last province takes what does not arrive, to save a branch.
        b.arrival[b.dest[p] if resolve(b, p) else NOTHING] = p
    for i in range(b.n_supporters):
        resolve(b, b.supporters[i])
    for i in range(b.n_convoyers):
        resolve(b, b.convoyers[i])


cdef inline void marshal(Battle* b, const MapTables* map, const uint16_t* units, const Order* orders) noexcept nogil:
    """List the units, their powers and where they move.

    Which unit has which kind of order is as good as random, so the lists are filled without a
    branch: every unit is written to each, and only counts where it belongs.
    """
    cdef int p, i, n = map.n_provinces, movers = 0, supporters = 0, convoyers = 0
    cdef uint8_t kind
    b.map = map
    b.n_pending = 0
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
    """Tie supports to the orders they help; the others are void, and their units hold."""
    cdef int i, p, q, d, matched = 0, n = b.n_supporters
    cdef bint fits
    cdef const MapTables* map = b.map
    for i in range(n):
        p = b.supporters[i]
        q = map.province[orders[p].target]
        d = q
        if b.kind[p] == SUPPORT_HOLD:
            fits = (b.kind[q] != NO_ORDER) & (b.kind[q] != MOVE)
        else:
            d = map.province[orders[p].destination]
            fits = (b.kind[q] == MOVE) & (b.dest[q] == d) & same_coast(b, orders[p].destination, b.dest_location[q], d)
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
    """Tie convoying fleets to the armies they carry; the others are void."""
    cdef int i, p, q, matched = 0, n = b.n_convoyers
    cdef const MapTables* map = b.map
    for i in range(n):
        p = b.convoyers[i]
        q = map.province[orders[p].target]
        if b.kind[q] == MOVE and b.dest[q] == map.province[orders[p].destination]:
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


cdef void choose_route(Battle* b, int p, int flags, int rules) noexcept nogil:
    """Land or convoy (DATC 4.A.3); a move with a route joins the attackers of its goal."""
    cdef int fleet
    cdef int location = location_of(b.token[p])
    if not b.map.is_fleet[location]:
        if not has_bit(b.map.reach[location], b.dest[p]) or flags & FLAG_VIA:
            b.via[p] = 1
        elif not rules & RULE_LAND_FIRST:
            fleet = b.first_convoyer[p]
            while fleet != NOTHING:
                if b.power[fleet] == b.power[p]:
                    b.via[p] = 1
                fleet = b.next_convoyer[fleet]
        if b.via[p] and not route_exists(b, p, False):
            b.outcome[p] |= NO_CONVOY
            b.state[p] = DECIDED
            b.verdict[p] = 0
            return
    b.next_attacker[p] = b.first_attacker[b.dest[p]]
    b.first_attacker[b.dest[p]] = p


cdef bint route_exists(Battle* b, int army, bint undisturbed) noexcept nogil:
    """Whether convoying fleets, or those of them not dislodged, form a chain from army to goal."""
    cdef const MapTables* map = b.map
    cdef int fleet = b.first_convoyer[army], goal = b.dest[army], count = 0, i, j, head, tail
    cdef uint8_t fleets[256]
    cdef uint8_t queue[256]
    if fleet == NOTHING:
        return False
    if b.next_convoyer[fleet] == NOTHING:
        if not (has_bit(map.seas[army], fleet) and has_bit(map.seas[goal], fleet)):
            return False
        return not undisturbed or resolve(b, fleet)
    while fleet != NOTHING:
        if not undisturbed or resolve(b, fleet):
            fleets[count] = fleet
            count += 1
        fleet = b.next_convoyer[fleet]
    head = tail = 0
    i = 0
    while i < count:
        if has_bit(map.seas[army], fleets[i]):
            queue[tail] = fleets[i]
            tail += 1
            count -= 1
            fleets[i] = fleets[count]
        else:
            i += 1
    while head < tail:
        j = queue[head]
        head += 1
        if has_bit(map.seas[goal], j):
            return True
        i = 0
        while i < count:
            if has_bit(map.seas[j], fleets[i]):
                queue[tail] = fleets[i]
                tail += 1
                count -= 1
                fleets[i] = fleets[count]
            else:
                i += 1
    return False


cdef bint resolve(Battle* b, int p) noexcept nogil:
    """The verdict on the order of the unit in province p."""
    cdef int old, i
    cdef bint first, second
    if b.state[p] == DECIDED:
        return b.verdict[p]
    if b.state[p] == GUESSED:
        for i in range(b.n_pending):
            if b.pending[i] == p:
                return b.verdict[p]
        b.pending[b.n_pending] = p
        b.n_pending += 1
        return b.verdict[p]
    old = b.n_pending
    b.verdict[p] = 0
    b.state[p] = GUESSED
    first = judge(b, p)
    if b.n_pending == old:
        # A convoy settled by the backup rule further down may have decided this very order.
        if b.state[p] != DECIDED:
            b.verdict[p] = first
            b.state[p] = DECIDED
        return b.verdict[p]
    if b.pending[old] != p:
        # It rests on a guess made further up: hand the answer on, and let it be asked again.
        b.pending[b.n_pending] = p
        b.n_pending += 1
        b.verdict[p] = first
        return first
    forget(b, old)
    b.verdict[p] = 1
    b.state[p] = GUESSED
    second = judge(b, p)
    if first == second:
        forget(b, old)
        b.verdict[p] = first
        b.state[p] = DECIDED
        return first
    settle_circle(b, old)
    return resolve(b, p)


cdef inline void forget(Battle* b, int old) noexcept nogil:
    cdef int i
    for i in range(old, b.n_pending):
        b.state[b.pending[i]] = UNDECIDED
    b.n_pending = old


cdef void settle_circle(Battle* b, int old) noexcept nogil:
    """Neither or both guesses hold: convoys in the circle fail; without any, the moves succeed."""
    cdef int i, p
    cdef bint paradox = False
    for i in range(old, b.n_pending):
        if b.kind[b.pending[i]] == CONVOY:
            paradox = True
    for i in range(old, b.n_pending):
        p = b.pending[i]
        if paradox and b.kind[p] == CONVOY:
            b.verdict[p] = 0
            b.state[p] = DECIDED
        elif not paradox and b.kind[p] == MOVE:
            b.verdict[p] = 1
            b.state[p] = DECIDED
        else:
            b.state[p] = UNDECIDED
    b.n_pending = old


cdef inline bint judge(Battle* b, int p) noexcept nogil:
    cdef uint8_t kind = b.kind[p]
    if kind == MOVE:
        return judge_move(b, p)
    if kind == CONVOY:
        return judge_convoy(b, p)
    return judge_support(b, p)


cdef bint judge_convoy(Battle* b, int p) noexcept nogil:
    cdef int q = b.first_attacker[p]
    while q != NOTHING:
        if resolve(b, q):
            return False
        q = b.next_attacker[q]
    return True


cdef bint judge_support(Battle* b, int p) noexcept nogil:
    """Cut by an attack from anywhere but where the support goes; from there, only by dislodgement."""
    cdef int q = b.first_attacker[p], directed_at = b.dest[p]
    while q != NOTHING:
        if b.power[q] != b.power[p]:
            if q == directed_at:
                if resolve(b, q):
                    return False
            elif not b.via[q] or route_exists(b, q, True):
                return False
        q = b.next_attacker[q]
    return True


cdef inline int count_supports(Battle* b, int p, int without_power) noexcept nogil:
    cdef int s = b.first_supporter[p], count = 0
    while s != NOTHING:
        if b.power[s] != without_power and resolve(b, s):
            count += 1
        s = b.next_supporter[s]
    return count


cdef inline bint head_to_head(Battle* b, int p, int q) noexcept nogil:
    return b.kind[q] == MOVE and b.dest[q] == p and b.dest[p] == q and not b.via[p] and not b.via[q]


cdef bint judge_move(Battle* b, int p) noexcept nogil:
    """Attack strength against the hold, defend and prevent strengths in its way."""
    cdef int goal = b.dest[p], q, attack, against, without = NOTHING
    cdef bint stays
    if b.via[p] and not route_exists(b, p, True):
        return False
    against = 0
    stays = False
    if b.kind[goal] != NO_ORDER:
        if head_to_head(b, p, goal):
            stays = True
        elif b.kind[goal] != MOVE:
            stays = True
        else:
            stays = not resolve(b, goal)
        if stays:
            without = b.power[goal]
            if without == b.power[p]:
                return False
    attack = 1 + count_supports(b, p, without)
    if stays:
        if attack == 1:
            return False
        if b.kind[goal] != MOVE or head_to_head(b, p, goal):
            against = 1 + count_supports(b, goal, NOTHING)
        else:
            against = 1
        if attack <= against:
            return False
    q = b.first_attacker[goal]
    while q != NOTHING:
        if q != p and attack <= prevent_strength(b, q, goal):
            return False
        q = b.next_attacker[q]
    return True


cdef inline int prevent_strength(Battle* b, int q, int goal) noexcept nogil:
    """How strongly a move keeps others out of its goal: not at all without a route, or when beaten
    head to head by the unit that comes from there (DATC 4.A.7 b)."""
    if b.via[q] and not route_exists(b, q, True):
        return 0
    if b.kind[goal] == MOVE and head_to_head(b, q, goal) and resolve(b, goal):
        return 0
    return 1 + count_supports(b, q, NOTHING)


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
