"""The value of a position for a power: altitude times influence (Hall and Loeb 1995, sections 4.1 and 4.3).

A province counts for the power whose unit stands there, or is shared by the nearest units. A unit's
distance to its own province is 0, so one rule covers both cases. The rows of the distance table are
compared with the nearest distance many columns at a time. Values of centres alone are computed with bit
sets, one bit for each centre.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.value.lines cimport Lines
from bordeaux._ext.value.survey cimport *
from bordeaux._ext.value.terms cimport MAX_TERMS, Judge, View, sum_terms
from bordeaux._ext.value.terms import TERMS as _TERMS
from bordeaux._ext.value.valuer cimport Valuer


cdef enum:
    AFTER_SPRING = 0
    AFTER_FALL = 1


WEIGHTS: tuple[str, ...] = (*_TERMS, "home_delay", "dilute")


cdef class Evaluator(Valuer):
    """Weights and altitudes compiled for a map.

    `weights` maps the names of `WEIGHTS` to numbers: those of the terms, and ``home_delay``, ``dilute``. `altitudes` is
    ``[season][power][province]``, season 0 after Spring moves and 1 after Fall moves; values of any size, in the same
    unit as the weights. `lines` are the stalemate lines of the map, as `Lines` takes them. With a `parent` the other
    arguments are ignored: all data are the parent's, and shared. Raises ValueError for a missing weight or an unknown
    name, and for altitudes of another shape.
    """

    cdef Judge judge
    cdef Lines lines
    cdef Evaluator parent       # keeps alive what a raised evaluator shares with it
    cdef bint shares            # all tables but goals are those of the parent

    def __cinit__(
        self, Tables tables not None, dict weights not None, altitudes: Sequence[Sequence[Sequence[float]]],
        Evaluator parent=None,
        lines: Iterable[tuple[int, Sequence[tuple[int, Sequence[int]]], Iterable[int], Sequence[int]]] = (),
    ):
        cdef int season, power, p, l
        cdef const MapTables* m = tables.map
        cdef Judge* j = &self.judge
        self.value.points = points_of_judge
        self.value.work = j
        if parent is not None:
            self.parent, self.shares = parent, True
            self.judge = parent.judge
            self.value.victory = parent.value.victory
            j.goals = j.marches = NULL
            return
        self.lines = Lines(tables, lines)
        j.map, j.lines = m, &self.lines.table
        check_names(weights)
        for l, name in enumerate(_TERMS):
            j.weights[l] = weights[name]
        j.owned, j.drawn = weights["owned"], weights["gravity"] != 0
        self.value.victory = weights["victory"]
        j.home_delay, j.dilute = weights["home_delay"], weights["dilute"]
        if not 0 <= j.home_delay <= 16:
            raise ValueError(f"home_delay {j.home_delay} is outside 0 to 16")
        lay_columns(j)
        j.altitude = <float*>zeroed(2 * m.n_powers * j.n_columns * sizeof(float))
        j.pull = <float*>zeroed(m.n_locations * j.n_columns * sizeof(float))
        j.near = <uint8_t*>zeroed(m.n_locations * j.n_columns)
        j.home_rows = <uint8_t*>zeroed(m.n_centres * j.n_columns)
        if j.altitude == NULL or j.pull == NULL or j.near == NULL or j.home_rows == NULL:
            raise MemoryError
        # Without bounds checks a list too short would be read past its end.
        if len(altitudes) != 2:
            raise ValueError(f"altitudes for {len(altitudes)} seasons, not 2")
        for season in range(2):
            if len(altitudes[season]) != m.n_powers:
                raise ValueError(f"altitudes for {len(altitudes[season])} powers, not {m.n_powers}")
            for power in range(m.n_powers):
                if len(altitudes[season][power]) != m.n_provinces:
                    raise ValueError(f"{len(altitudes[season][power])} altitudes for {m.n_provinces} provinces")
                for p in range(m.n_provinces):
                    l = (season * m.n_powers + power) * j.n_columns + j.column[p]
                    j.altitude[l] = altitudes[season][power][p]
        measure_ways(j)

    def __dealloc__(self):
        free(self.judge.goals)
        free(self.judge.marches)
        if not self.shares:
            free(self.judge.altitude)
            free(self.judge.pull)
            free(self.judge.near)
            free(self.judge.home_rows)

    def raised(self, rows: Sequence[Sequence[float]], marches: Sequence[Sequence[float]] | None = None) -> Evaluator:
        """An evaluator like this one with regional goals: ``rows[power][province]`` points are added to the values of
        provinces, and ``marches[power][location]`` points (by default none) for a unit there, in both seasons, in
        addition to earlier ones.

        Everything else is shared, so that this takes microseconds. Raises ValueError for rows of another shape than the
        map's.
        """
        cdef const MapTables* m = self.tables.map
        cdef Evaluator made = Evaluator(self.tables, {}, (), self)
        cdef int power, p, l
        cdef float points
        cdef float* to
        made.judge.marches = <float*>calloc(m.n_powers * m.n_locations, sizeof(float))
        made.judge.goals = <float*>zeroed(m.n_powers * self.judge.n_columns * sizeof(float))
        if made.judge.goals == NULL or made.judge.marches == NULL:
            raise MemoryError
        if marches is None:
            marches = [[0.0] * m.n_locations] * m.n_powers
        for name, given, n in (("goals", rows, m.n_provinces), ("marches", marches, m.n_locations)):
            if len(given) != m.n_powers or any([len(row) != n for row in given]):
                raise ValueError(f"{name} are not {n} numbers for each of {m.n_powers} powers")
        if self.judge.goals != NULL:
            memcpy(made.judge.goals, self.judge.goals, m.n_powers * self.judge.n_columns * sizeof(float))
            memcpy(made.judge.marches, self.judge.marches, m.n_powers * m.n_locations * sizeof(float))
        for power in range(m.n_powers):
            to = made.judge.goals + power * self.judge.n_columns
            for p in range(m.n_provinces):
                points = rows[power][p]
                to[self.judge.column[p]] += points
            to = made.judge.marches + power * m.n_locations
            for l in range(m.n_locations):
                points = marches[power][l]
                to[l] += points
        return made

    @property
    def wide(self) -> bool:
        """Whether the vectors of newer processors are used; the values are the same either way. Can be turned off, and
        on again if the processor has them."""
        return self.judge.wide

    @wide.setter
    def wide(self, bint wanted):
        self.judge.wide = wanted and wide_vectors()

    def evaluate(self, Packed position not None, int power) -> tuple[float, dict[str, float]]:
        """Return ``(value, {term: weighted value})`` for a power by its number."""
        self.check(position, power)
        cdef float terms[MAX_TERMS]
        cdef float value = value_of(&self.judge, &position.state, power, terms)
        return value, {name: terms[i] for i, name in enumerate(_TERMS)}


cdef int check_names(dict weights) except -1:
    """Raise an error unless the names are exactly `WEIGHTS`."""
    for name in weights:
        if name not in WEIGHTS:
            raise ValueError(f"unknown weight {name!r} (known: {', '.join(WEIGHTS)})")
    for name in WEIGHTS:
        if name not in weights:
            raise ValueError(f"no weight is given for {name}")
    return 0


cdef void lay_columns(Judge* j) noexcept nogil:
    """Give every province a column, centres first."""
    cdef const MapTables* m = j.map
    cdef int p, power, i, n = m.n_centres
    j.wide = wide_vectors()
    j.n_columns = (m.n_provinces + 31) // 32 * 32
    j.n_words = (m.n_centres + 63) // 64
    for p in range(m.n_provinces):
        j.column[p] = n
        n += not m.is_centre[p]
    for i in range(m.n_centres):
        p = m.centres[i]
        j.column[p] = i
        for power in range(m.n_powers):
            j.homes[power][i >> 6] |= <uint64_t>((m.home_of[p] >> power) & 1) << (i & 63)
    for i in range(256):
        j.part[i] = i / (i + 1.0)


cdef void measure_ways(Judge* j) noexcept nogil:
    """The distance and strength of a unit for each province; a home exerts influence like the nearest unit that could
    be built there, with a delay."""
    cdef const MapTables* m = j.map
    cdef int c, p, l, steps
    cdef uint8_t* home
    memset(j.near, FAR_AWAY, m.n_locations * j.n_columns)
    memset(j.home_rows, FAR_AWAY, m.n_centres * j.n_columns)
    for l in range(m.n_locations):
        home = j.home_rows + j.column[m.province[l]] * j.n_columns
        for p in range(m.n_provinces):
            c, steps = j.column[p], m.distance[l * m.stride + p]
            j.near[l * j.n_columns + c] = steps
            if steps != FAR_AWAY:
                j.pull[l * j.n_columns + c] = 1 / ((1 + <float>steps) * (1 + <float>steps))
            if m.is_centre[m.province[l]] and steps + j.home_delay < home[c]:
                home[c] = steps + j.home_delay


cdef float points_of_judge(const void* work, const State* s, int power) noexcept nogil:
    return value_of(<const Judge*>work, s, power, NULL)


cdef float value_of(const Judge* j, const State* s, int power, float* terms) noexcept nogil:
    """The value of a position for a power; `terms`, unless NULL, receives its weighted parts."""
    cdef const MapTables* m = j.map
    cdef int p, i, w, location, n_own = 0, n_others = 0
    cdef int n = j.n_columns
    cdef bint mine
    cdef uint64_t vacant[WORDS]
    cdef uint64_t occupied[WORDS]
    cdef uint64_t bits
    cdef View v
    cdef Side own
    cdef Side others
    cdef const float* pulls[256]
    cdef bint unsettled = s.kind == RETREATS or (s.season == FALL and s.kind == MOVEMENT)
    v.judge, v.state, v.power = j, s, power
    v.after_spring = s.kind == RETREATS if s.season == SPRING else s.season == FALL and s.kind == MOVEMENT
    v.altitude = j.altitude + ((AFTER_SPRING if v.after_spring else AFTER_FALL) * m.n_powers + power) * n
    v.n_owned = v.n_occupied = 0

    # Whose unit stands where is unforeseeable, so this goes without branches.
    v.n_units = rows_places(v.places, s.unit, m.n_provinces)
    for i in range(v.n_units):
        p = v.places[i]
        location = location_of(s.unit[p])
        mine = power_of(s.unit[p]) == power
        own.rows[n_own] = j.near + location * n
        pulls[n_own] = j.pull + location * n
        n_own += mine
        others.rows[n_others] = j.near + location * n
        others.power[n_others] = power_of(s.unit[p])
        v.columns[n_others] = j.column[p]
        n_others += not mine
    own.n_units, others.n_units = n_own, n_others
    v.n_others = n_others

    # Columns past the last centre have no owner and are not vacant.
    memset(v.owner, NOTHING, 64 * j.n_words)
    memset(v.standing, NOTHING, 64 * j.n_words)
    for i in range(m.n_centres):
        p = m.centres[i]
        v.owner[i] = s.owner[p]
        v.standing[i] = s.unit[p] >> TOKEN_SHIFT
    for i in range(m.n_powers):
        survey_equal(v.owned[i], v.owner, i, 64 * j.n_words)
    survey_equal(vacant, v.standing, 0, 64 * j.n_words)
    for w in range(j.n_words):
        v.n_owned += count_bits(v.owned[power][w])
    if unsettled:
        survey_equal(occupied, v.standing, power + 1, 64 * j.n_words)
        for w in range(j.n_words):
            v.n_occupied += count_bits(occupied[w] & ~v.owned[power][w])
    if j.home_delay != 0:
        for w in range(j.n_words):
            bits = 0
            for i in range(m.n_powers):
                bits |= v.owned[i][w] & j.homes[i][w]
            bits &= vacant[w]
            while bits:
                i = 64 * w + lowest_bit(bits)
                bits &= bits - 1
                mine = v.owner[i] == power
                own.rows[n_own] = j.home_rows + i * n
                n_own += mine
                others.rows[n_others] = j.home_rows + i * n
                others.power[n_others] = v.owner[i]
                n_others += not mine
    own.n, others.n = n_own, n_others

    survey_look(j.wide, &v.seen, &own, &others, n, m.n_centres)
    if j.dilute:
        dilute_raiders(j.n_words, power, &own, &others, vacant, v.owned, &v.seen)
    survey_weigh(j.wide, v.altitude, v.seen.shares, pulls, own.n_units if j.drawn else 0, n, &v.control, &v.gravity)
    return sum_terms(&v, terms)


cdef void dilute_raiders(
    int n_words, int power, const Side* own, const Side* others, const uint64_t* vacant,
    const uint64_t (*owned)[WORDS], Survey* seen
) noexcept nogil:
    """Divide each unit over the vacant foreign centres to which it is nearest (section 4.3.2).

    One unit can take one centre a year; the rest stays with the owner.
    """
    cdef uint64_t raided[WORDS]
    cdef uint64_t bits[WORDS]
    cdef uint64_t any = 0
    cdef int k, w
    for k in range(own.n):
        for w in range(n_words):
            bits[w] = seen.own_covers[w][k] & vacant[w] & ~owned[power][w]
        spread(n_words, bits, bits, -1, seen)
    # Raids of others matter only where they touch a centre of ours.
    for w in range(n_words):
        raided[w] = vacant[w] & owned[power][w]
        any |= raided[w]
    if not any:
        return
    for k in range(others.n):
        any = 0
        for w in range(n_words):
            any |= seen.covers[w][k] & raided[w]
        if not any:
            continue
        for w in range(n_words):
            bits[w] = seen.covers[w][k] & vacant[w] & ~owned[others.power[k]][w]
        spread(n_words, bits, raided, 1, seen)


cdef inline void spread(
    int n_words, const uint64_t* covered, const uint64_t* counting, float sign, Survey* seen
) noexcept nogil:
    """Divide a unit over the centres that it covers, among those that count."""
    cdef int w, p, n = 0
    cdef uint64_t bits
    cdef float lost
    for w in range(n_words):
        n += count_bits(covered[w])
    if n < 2:
        return
    lost = sign * (1 - 1 / <float>n)
    for w in range(n_words):
        bits = covered[w] & counting[w]
        while bits:
            p = 64 * w + lowest_bit(bits)
            bits &= bits - 1
            seen.shares[p] += lost / seen.total[p]
