"""The movement adjudicator: it matches orders, decides them, and resolves cyclic dependencies.

Supports, attacks and convoys of a province are linked lists in fixed arrays; nothing is allocated.

Every order has one verdict, succeeds or fails (Kruijswijk, "The Math of Adjudication"), which may need the verdicts on
others. A move succeeds by its attack strength against the hold, defend and prevent strengths in its way. A support
succeeds if it is not cut, and a convoy if its fleet is not dislodged.

Orders can depend on each other in cycles: circular movement and convoy paradoxes. Cycles are rare, so their part is
written for exactness rather than speed. First it decides the orders whose verdict is the same whatever the open ones
are. Of the rest it takes a knot: orders that depend on each other and on no other open order. If exactly one set of
verdicts on a knot is consistent, it stands (DATC 5.B.9). If none or several are, a knot with convoys is a paradox, and
its convoying fleets fail (Szykman, DATC 4.A.2). A knot without convoys is a circular movement, and all its moves
succeed.

Choices of DATC 3, chapter 4: 4.A.1 b, 4.A.2 Szykman, 4.A.4 a, 4.A.7 b. For 4.A.3 it is the 2000/2023 rule without
falling back on the land route.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.structures cimport *

cdef enum:
    UNDECIDED = 0
    BUSY = 1
    DECIDED = 2


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


cdef bint resolve(Battle* b, int p) noexcept nogil:
    """The verdict on the order of the unit in province p.

    A request for an order that is itself being resolved closes a cycle: its province is added to `missing`, and
    everything that depends on it is left undecided, for `decide_cycles`. In that every order without a verdict is
    missing.
    """
    cdef bint verdict
    if b.state[p] == DECIDED:
        return b.verdict[p]
    if b.missing != NOTHING:
        return False
    if b.in_cycles or b.state[p] == BUSY:
        b.missing = p
        return False
    b.state[p] = BUSY
    verdict = judge(b, p)
    if b.missing != NOTHING:
        b.state[p] = UNDECIDED
        return False
    b.verdict[p] = verdict
    b.state[p] = DECIDED
    return verdict


cdef bint route_exists(Battle* b, int army, bint undisturbed) noexcept nogil:
    """Whether convoying fleets, or those of them not dislodged, form a chain from army to goal."""
    cdef const MapTables* map = b.map
    cdef int fleet = b.first_convoyer[army], goal = b.dest[army], count = 0, head, tail
    cdef uint8_t fleets[256]
    cdef uint8_t queue[256]
    if fleet == NOTHING or (b.routes != NULL and not route_is_manned(b, army)):
        return False
    if b.next_convoyer[fleet] == NOTHING:
        if not (has_bit(map.seas[army], fleet) and has_bit(map.seas[goal], fleet)):
            return False
        return not undisturbed or resolve(b, fleet)
    while fleet != NOTHING:
        if not undisturbed or resolve(b, fleet):
            fleets[count] = fleet
            count += 1
        elif b.routes != NULL:
            return False
        fleet = b.next_convoyer[fleet]
    head = 0
    tail = take_touching(map, army, fleets, &count, queue, 0)
    while head < tail:
        fleet = queue[head]
        head += 1
        if has_bit(map.seas[goal], fleet):
            return True
        tail = take_touching(map, fleet, fleets, &count, queue, tail)
    return False


cdef bint route_is_manned(const Battle* b, int army) noexcept nogil:
    """Whether every fleet that an army names for its route convoys it."""
    cdef int w, fleet, named = 0, convoying = 0
    cdef uint64_t bits
    for w in range(b.map.n_words):
        bits = b.routes[army * WORDS + w]
        while bits:
            bits &= bits - 1
            named += 1
    fleet = b.first_convoyer[army]
    while fleet != NOTHING:
        convoying += 1
        fleet = b.next_convoyer[fleet]
    return named == convoying


cdef inline int take_touching(
    const MapTables* map, int place, uint8_t* fleets, int* count, uint8_t* queue, int tail
) noexcept nogil:
    """Move the fleets that touch a place from a set to the end of a queue; returns its new end."""
    cdef int i = 0
    while i < count[0]:
        if has_bit(map.seas[place], fleets[i]):
            queue[tail] = fleets[i]
            tail += 1
            count[0] -= 1
            fleets[i] = fleets[count[0]]
        else:
            i += 1
    return tail


cdef bint judge(Battle* b, int p) noexcept nogil:
    """The verdict on an order by the rules, given the verdicts on the others."""
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
    """Cut by an attack from anywhere except its destination; from there, only by dislodgement."""
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


cdef int prevent_strength(Battle* b, int q, int goal) noexcept nogil:
    """The strength with which a move keeps others out of its goal: 0 without a route, or when beaten head to head by
    the unit that comes from there (DATC 4.A.7 b)."""
    if b.via[q] and not route_exists(b, q, True):
        return 0
    if b.kind[goal] == MOVE and head_to_head(b, q, goal) and resolve(b, goal):
        return 0
    return 1 + count_supports(b, q, NOTHING)


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
