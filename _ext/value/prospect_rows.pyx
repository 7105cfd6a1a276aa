"""The input of the prospect: the rows of its table of weights that represent each power."""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport adjustments_due


cdef inline int span_of(int years) noexcept nogil:
    """Which of 8 spans a year lies in, counted from the first year: 0, 1, 2, 3, 4, 5 and 6, 7 to 9, later."""
    return max(0, years) if years < 5 else 5 if years < 7 else 6 if years < 10 else 7


cdef inline int size_of(int count) noexcept nogil:
    """The class (of 6) of a scaled count of centres."""
    return 0 if count < 3 else 1 if count < 5 else 2 if count < 7 else 3 if count < 10 else 4 if count < 14 else 5


cdef void look(const Weighing* w, const State* s, Scene* c) noexcept nogil:
    """Find the owners of centres, the units that reach each province, and the nearest powers of places.

    A position after Fall moves is treated as the next Spring, with ownership settled.
    """
    cdef const MapTables* m = w.map
    cdef int i, j, p, q, power, location, n = m.n_provinces
    cdef bint settle = s.kind == RETREATS and s.season == FALL
    cdef uint64_t bits
    cdef const uint8_t* way
    cdef uint8_t* near
    c.season = s.season if s.season != WINTER and not settle else SPRING
    c.year = span_of(s.year - w.first_year + (s.season != c.season))
    memset(c.entering, 0, n)
    memset(c.count, 0, sizeof(c.count))
    for power in range(m.n_powers):
        c.units[power] = 0
        memset(c.entries[power], 0, n)
        memset(c.nearest[power], FAR_AWAY, n)
        memset(c.press[power], 0, m.n_powers * sizeof(int))
    for i in range(m.n_centres):
        p = m.centres[i]
        c.standing[i] = power_of(s.unit[p]) if s.unit[p] else NOTHING
        c.owner[i] = c.standing[i] if settle and s.unit[p] else s.owner[p]
        c.count[c.owner[i]] += 1
    c.n_units = rows_places(c.places, s.unit, n)
    for i in range(c.n_units):
        p = c.places[i]
        power, location = power_of(s.unit[p]), location_of(s.unit[p])
        c.units[power] += 1
        for j in range(m.n_words):
            bits = m.reach[location][j]
            while bits:
                q = 64 * j + lowest_bit(bits)
                bits &= bits - 1
                c.entering[q] += 1
                c.entries[power][q] += 1
                if s.unit[q]:
                    c.press[power][power_of(s.unit[q])] += 1
                elif s.owner[q] != NOTHING:
                    c.press[power][s.owner[q]] += 1
        near, way = c.nearest[power], m.distance + location * m.stride
        for j in range(n):
            near[j] = min(near[j], way[j])
    memset(c.best, FAR_AWAY - 1, n)
    memset(c.sharers, 0, n)
    for power in range(m.n_powers):
        near = c.nearest[power]
        for j in range(n):
            c.best[j] = min(c.best[j], near[j])
    c.n_alive = c.most = c.second = 0
    c.victor = -1
    for power in range(m.n_powers):
        near = c.nearest[power]
        for j in range(n):
            c.sharers[j] += near[j] == c.best[j]
        c.scaled[power] = w.scaled[c.count[power]]
        c.alive[power] = c.count[power] + c.units[power] > 0
        c.n_alive += c.alive[power]
        if 2 * c.count[power] > m.n_centres:
            c.victor = power
        if c.scaled[power] > c.most:
            c.second, c.most = c.most, c.scaled[power]
        elif c.scaled[power] > c.second:
            c.second = c.scaled[power]


cdef void list_rows(const Weighing* w, const Scene* c, const State* s, int power, Listed* out) noexcept nogil:
    """List the rows of a living power."""
    cdef const MapTables* m = w.map
    cdef int i, j, p, who, mine, others, most = 0, above = 0, held = 0, lost = 0, homes = 0
    cdef int sole = 0, shared = 0, land = 0
    cdef int count = c.scaled[power], span = c.season * (YEARS / 2) + c.year, beyond = c.units[power] - c.count[power]
    cdef int contact, n = 0
    cdef const uint8_t* near = c.nearest[power]
    cdef uint16_t* once = out.once
    if s.season == WINTER:
        beyond += adjustments_due(m, s, power)
    elif s.season == FALL and s.kind == RETREATS:
        beyond = 0      # who lacks units builds them before they move
    once[0] = CENTRES + count
    once[1] = CENTRES + COUNTS + span * COUNTS + count
    once[2] = UNITS + 7 * c.season + max(-3, min(3, beyond)) + 3
    for j in range(m.n_provinces):
        land += (near[j] == c.best[j]) & (c.sharers[j] == 1)
    out.n_single = 0
    for i in range(m.n_centres):
        p = m.centres[i]
        mine = min(3, c.entries[power][p])
        others = min(3, c.entering[p] - c.entries[power][p])
        if near[p] == c.best[p]:
            sole += c.sharers[p] == 1
            shared += c.sharers[p] != 1
        if c.owner[i] == power:
            who = 0 if c.standing[i] == NOTHING else 1 if c.standing[i] == power else 2
            out.single[out.n_single] = SAFETY + ((3 * c.season + who) * 4 + others) * 4 + mine
            out.n_single += 1
        elif mine or c.standing[i] == power:
            who = 3 if c.standing[i] == power else 2 if c.standing[i] != NOTHING else c.owner[i] != NOTHING
            out.single[out.n_single] = REACH + ((4 * c.season + who) * 4 + others) * 4 + mine
            out.n_single += 1
        if m.home_of[p] >> power & 1:
            homes += 1
            held += c.owner[i] == power
            lost += c.standing[i] != NOTHING and c.standing[i] != power
    for i in range(c.n_units):
        p = c.places[i]
        if power_of(s.unit[p]) == power:
            mine = min(3, c.entries[power][p])
            others = min(3, c.entering[p] - c.entries[power][p])
            out.single[out.n_single] = SUPPORT + ((2 * c.season + m.is_centre[p]) * 4 + others) * 4 + mine
            out.n_single += 1
    once[3] = CONTROL + count * COUNTS + w.scaled[sole]
    once[4] = CONTROL + COUNTS * COUNTS + w.scaled[shared]
    once[5] = CONTROL + COUNTS * COUNTS + COUNTS + min(FULL, land * EVEN / m.n_provinces)
    n = 6
    for i in range(m.n_powers):
        if i == power or not c.alive[i]:
            continue
        most = max(most, c.scaled[i])
        above += c.scaled[i] > count
        contact = c.press[power][i] + c.press[i][power]
        contact = 0 if contact == 0 else 1 if contact < 3 else 2 if contact < 7 else 3
        once[n] = NEIGHBOURS + (contact * SIZES + size_of(count)) * SIZES + size_of(c.scaled[i])
        contact = c.press[power][i] - c.press[i][power]
        once[n + 1] = NEIGHBOURS + 4 * SIZES * SIZES + max(-2, min(2, contact / 2)) + 2
        n += 2
    once[n] = RIVALS + count * COUNTS + most
    once[n + 1] = RIVALS + COUNTS * COUNTS + min(7, c.n_alive) * COUNTS + count
    once[n + 2] = RIVALS + COUNTS * COUNTS + 8 * COUNTS + min(7, above) * 8 + min(7, c.n_alive)
    n += 3
    if homes:
        once[n] = HOMES + min(4, held) * 3 + min(2, lost)
        n += 1
    if w.names:
        j = POWER + power * (YEARS + COUNTS + SIZES * m.n_powers)
        once[n] = j + span
        once[n + 1] = j + YEARS + count
        n += 2
        for i in range(m.n_powers):
            once[n] = j + YEARS + COUNTS + i * SIZES + size_of(c.scaled[i])
            n += 1
        j = place_row(m) + power * m.n_centres * (m.n_powers + 1)
        for i in range(m.n_centres):
            once[n] = j + i * (m.n_powers + 1) + min(m.n_powers, c.owner[i])
            n += 1
        j = posts_row(m) + power * m.n_powers * m.n_locations
        for i in range(c.n_units):
            p = s.unit[c.places[i]]
            once[n] = j + power_of(p) * m.n_locations + location_of(p)
            n += 1
    out.n_once = n


cdef void list_common(const Scene* c, uint16_t* out) noexcept nogil:
    """List the four rows of the logit of no solo."""
    out[0] = 0
    out[1] = 1 + (c.season * (YEARS / 2) + c.year) * COUNTS + c.most
    out[2] = 1 + YEARS * COUNTS + c.most * COUNTS + c.second
    out[3] = 1 + YEARS * COUNTS + COUNTS * COUNTS + min(7, c.n_alive)
