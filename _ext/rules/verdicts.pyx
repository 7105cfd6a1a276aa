"""The rules that decide one order, given the verdicts on others, which are requested as needed.

Every order has one verdict, succeeds or fails (Kruijswijk, "The Math of Adjudication"). A move succeeds by
its attack strength against the hold, defend and prevent strengths in its way. A support succeeds if it is
not cut, and a convoy if its fleet is not dislodged.
"""

from libc.stdint cimport uint8_t, uint64_t

from bordeaux._ext.rules.structures cimport *


cdef bint resolve(Battle* b, int p) noexcept nogil:
    """The verdict on the order of the unit in province p.

    A request for an order that is itself being resolved closes a cycle: its province is added to `missing`, and
    everything that depends on it is left undecided, for `cycles`. While that runs, every order without a verdict is
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
