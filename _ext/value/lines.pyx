"""The progress of a power towards a stalemate line (Hall and Loeb 1995, section 4.3.7).

A complete line counts all the centres that it shelters. An incomplete line counts only for a losing power; each further
unit in place then counts more than the one before it.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables

cdef enum:
    LEADER = 10             # centres of another power from which on lines matter at all
    COUNTED_POWERS = 7      # counts of centres lie side by side in one word, the last for nobody
    MAX_WORDS = 32

cdef uint64_t HIGH = 0x8080808080808080

cdef float FORMING = 0.3    # what a line that lacks nearly nothing is worth of the complete one


cdef class Lines:
    """Lines compiled for a map: ``(centres, [(province, [possible locations])], sheltered provinces, locations without
    attacking fleets)`` each, by numbers. Raises ValueError for invalid input."""

    def __cinit__(
        self, Tables tables not None,
        lines: Iterable[tuple[int, Sequence[tuple[int, Sequence[int]]], Iterable[int], Sequence[int]]],
    ):
        cdef const MapTables* m = tables.map
        cdef Line* line
        cdef int i, k, p, l
        cdef LineTable* t = &self.table
        self.tables = tables
        # The input may be an iterator: a list is counted and read from the same values.
        lines = [(centres, tuple(holders), sheltered, tuple(barred)) for centres, holders, sheltered, barred in lines]
        t.n = len(lines)
        t.words = (t.n + 7) // 8
        if t.words > MAX_WORDS:
            raise ValueError(f"{t.n} stalemate lines, more than {8 * MAX_WORDS}")
        t.line = <Line*>calloc(t.n + 1, sizeof(Line))
        t.member = <uint64_t*>calloc(m.n_provinces * t.words + 1, sizeof(uint64_t))
        t.half = <uint64_t*>calloc(t.words + 1, sizeof(uint64_t))
        t.whole = <uint64_t*>calloc(t.words + 1, sizeof(uint64_t))
        if t.line == NULL or t.member == NULL or t.half == NULL or t.whole == NULL:
            raise MemoryError
        memset(t.half, 127, t.words * sizeof(uint64_t))
        memset(t.whole, 127, t.words * sizeof(uint64_t))
        if t.n and m.n_powers > COUNTED_POWERS:
            raise ValueError(f"stalemate lines for {m.n_powers} powers, more than {COUNTED_POWERS}")
        for i, (centres, holders, sheltered, barred) in enumerate(lines):
            line = t.line + i
            if not 0 < len(holders) <= MAX_HOLDERS or len(barred) > MAX_BARRED:
                raise ValueError(f"a line of {len(holders)} units with {len(barred)} barred locations")
            line.n_centres, line.n_holders, line.n_barred = centres, len(holders), len(barred)
            (<uint8_t*>t.half)[i], (<uint8_t*>t.whole)[i] = (len(holders) + 1) // 2, len(holders)
            for k, (place, fits) in enumerate(holders):
                fits = tuple(fits)
                if not 0 <= place < m.n_provinces or len(fits) > MAX_FITS:
                    raise ValueError(f"no such holder: {place}, {fits}")
                (<uint8_t*>(t.member + <int>place * t.words))[i] = 1
                line.place[k], line.n_fits[k] = place, len(fits)
                for l in range(len(fits)):
                    line.fits[k][l] = fits[l]
            for place in sheltered:
                if not 0 <= place < m.n_provinces:
                    raise ValueError(f"no such province: {place}")
                set_bit(line.sheltered, place)
            for k, location in enumerate(barred):
                if not 0 <= location < m.n_locations:
                    raise ValueError(f"no such location: {location}")
                line.barred[k] = location
                set_bit(line.waters, m.province[<int>location])
            for p in range(m.n_provinces):
                if m.home_of[p] and (has_bit(line.sheltered, p) or has_bit(line.waters, p)):
                    set_bit(line.ports, p)

    def __dealloc__(self):
        free(self.table.line)
        free(self.table.member)
        free(self.table.half)
        free(self.table.whole)


cdef float fortified(
    const LineTable* t, const MapTables* m, const State* s, int power, const uint8_t* places, int n_units
) noexcept nogil:
    """The best of the lines for a power: the sheltered centres, or a part of them for an incomplete line.

    `places` are the provinces of the `n_units` units on the board. 0 unless another power has LEADER centres and no
    fewer than we, as a leader need not fortify. Unless it has at least one and a half times our centres, only complete
    lines count.
    """
    cdef uint64_t counts[MAX_WORDS]
    cdef uint64_t centres = 0, near
    cdef const uint64_t* row
    cdef const uint64_t* least
    cdef const Line* line
    cdef int i, k, n, ours, most = 0, words = t.words
    cdef bint losing
    cdef float worth, best = 0
    # Counts of 8 bits side by side are added up without waiting for memory; the last is for what nobody
    # owns, so that there is room for seven powers.
    if t.n == 0 or m.n_powers > COUNTED_POWERS:
        return 0
    for i in range(m.n_centres):
        centres += (<uint64_t>1) << ((s.owner[m.centres[i]] & 7) << 3)
    ours = <int>(centres >> (power << 3)) & 0xFF
    for i in range(m.n_powers):
        n = <int>(centres >> (i << 3)) & 0xFF
        if i != power and n > most:
            most = n
    if most < LEADER or most < ours:
        return 0
    losing = 2 * most >= 3 * ours
    least = t.half if losing else t.whole
    # The units in place, for eight lines at once in the bytes of a word.
    memset(counts, 0, words * sizeof(uint64_t))
    for i in range(n_units):
        if power_of(s.unit[places[i]]) == power:
            row = t.member + places[i] * words
            for k in range(words):
                counts[k] += row[k]
    for k in range(words):
        near = ((counts[k] | HIGH) - least[k]) & HIGH
        while near:
            i = lowest_bit(near) >> 3
            near &= near - 1
            line = t.line + 8 * k + i
            if most_worth(line, <int>(counts[k] >> (8 * i)) & 0xFF) > best:
                worth = standing(line, m, s, power, places, n_units, losing)
                best = worth if worth > best else best
    return best


cdef inline float most_worth(const Line* line, int n) noexcept nogil:
    """The largest possible value of a line with units in n of its places."""
    cdef float share = n / <float>line.n_holders
    return line.n_centres * (FORMING * share * share if n < line.n_holders else 1)


cdef float standing(
    const Line* line, const MapTables* m, const State* s, int power, const uint8_t* places, int n_units,
    bint losing
) noexcept nogil:
    """The value of one line in centres, from its units."""
    cdef int i, k, p, w, n = 0, intruders = 0
    cdef bint fits
    cdef uint64_t bits
    cdef float share
    for i in range(line.n_barred):
        p = m.province[line.barred[i]]
        if s.unit[p] and power_of(s.unit[p]) != power and location_of(s.unit[p]) == line.barred[i]:
            return 0
    for i in range(n_units):
        intruders += (power_of(s.unit[places[i]]) != power) & has_bit(line.sheltered, places[i])
    for w in range(m.n_words):
        bits = line.ports[w]
        while bits:
            p = (w << 6) + lowest_bit(bits)
            bits &= bits - 1
            if s.owner[p] != NOTHING and s.owner[p] != power and (m.home_of[p] >> s.owner[p]) & 1:
                # A fleet could be built where none must be, or a unit behind the line.
                if has_bit(line.waters, p):
                    return 0
                intruders += s.unit[p] == 0
    for k in range(line.n_holders):
        p = line.place[k]
        if s.unit[p] == 0 or power_of(s.unit[p]) != power:
            continue
        fits = False
        for i in range(line.n_fits[k]):
            fits |= line.fits[k][i] == location_of(s.unit[p])
        n += fits
    if n == line.n_holders and intruders == 0:
        return line.n_centres
    if not losing or n <= intruders:
        return 0
    share = (n - intruders) / <float>line.n_holders
    return FORMING * share * share * line.n_centres
