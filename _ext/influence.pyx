"""What a position is worth to a power: altitude times influence (paper 002, sections 4.1 and 4.3).

A province counts for the power whose unit stands there, or is shared by the units nearest to it, so
that a unit's distance 0 to its own province makes one rule of both. The rows of the distance table
are compared with the nearest distance many columns at a time; what concerns centres alone is worked
out on bits, one for each.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.lines cimport Lines, fortified
from bordeaux._ext.packed cimport Packed
from bordeaux._ext.raiders cimport dilute_raiders
from bordeaux._ext.structures cimport *
from bordeaux._ext.survey cimport *
from bordeaux._ext.tables cimport Tables

TERMS = ("control", "owned", "occupied", "pressure", "gravity", "danger", "losses", "victory", "goals", "stalemate",
         "rivals")

cdef enum:
    MEND = 6        # tenths of the danger that count when a whole Spring remains to mend it
    LOST = 4        # how much more a game counts that another has won than one that is all but won


cdef class Evaluator:
    """Weights and altitudes compiled for a map.

    `weights` maps the names of `TERMS` (control and goals excepted, whose weight is 1) and
    ``home_delay``, ``dilute`` to numbers. `altitudes` is ``[season][power][province]``, season 0
    after Spring moves and 1 after Fall moves; values of any size, in the same unit as the weights.
    `lines` are the stalemate lines of the map, as `Lines` takes them.
    With a `parent` the other arguments do not count: all of it is the parent's, and shared.
    """

    def __cinit__(self, Tables tables not None, dict weights not None, altitudes, Evaluator parent=None, lines=()):
        cdef int season, power, p, l
        cdef const MapTables* m = tables.map
        cdef Judge* j = &self.judge
        if parent is not None:
            self.parent, self.shares, self.tables = parent, True, parent.tables
            self.judge = parent.judge
            j.goals = j.marches = NULL
            return
        self.tables = tables
        self.lines = Lines(tables, lines)
        j.map, j.lines = m, &self.lines.table
        j.weights.owned = weights["owned"]
        j.weights.occupied = weights["occupied"]
        j.weights.pressure = weights["pressure"]
        j.weights.gravity = weights["gravity"]
        j.weights.danger = weights["danger"]
        j.weights.losses = weights["losses"]
        j.weights.stalemate = weights["stalemate"]
        j.weights.victory = weights["victory"]
        j.weights.rivals = weights["rivals"]
        j.weights.home_delay = weights["home_delay"]
        j.weights.dilute = weights["dilute"]
        if not 0 <= j.weights.home_delay <= 16:
            raise ValueError(f"home_delay {j.weights.home_delay} is outside 0 to 16")
        lay_columns(j)
        j.altitude = <float*>survey_table(2 * m.n_powers * j.n_columns * sizeof(float))
        j.pull = <float*>survey_table(m.n_locations * j.n_columns * sizeof(float))
        j.near = <uint8_t*>survey_table(m.n_locations * j.n_columns)
        j.home_rows = <uint8_t*>survey_table(m.n_centres * j.n_columns)
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

    def raised(self, rows, marches=None):
        """An evaluator like this one with regional goals: ``rows[power][province]`` points are
        added to what the provinces are worth, and ``marches[power][location]`` points (none if
        left out) to what a unit's standing there is, in both seasons, on top of those already there.

        Everything else is shared, so that this takes microseconds. Raises ValueError for rows of
        another shape than the map's.
        """
        cdef const MapTables* m = self.tables.map
        cdef Evaluator made = Evaluator(self.tables, {}, (), self)
        cdef int power, p, l, where
        cdef float points
        made.judge.marches = <float*>calloc(m.n_powers * m.n_locations, sizeof(float))
        made.judge.goals = <float*>survey_table(m.n_powers * self.judge.n_columns * sizeof(float))
        if made.judge.goals == NULL or made.judge.marches == NULL:
            raise MemoryError
        if len(rows) != m.n_powers:
            raise ValueError(f"goals for {len(rows)} powers, not {m.n_powers}")
        for power in range(m.n_powers):
            row = rows[power]
            if len(row) != m.n_provinces:
                raise ValueError(f"goals for {len(row)} provinces, not {m.n_provinces}")
            for p in range(m.n_provinces):
                points = row[p]
                where = power * self.judge.n_columns + self.judge.column[p]
                if self.judge.goals != NULL:
                    points += self.judge.goals[where]
                made.judge.goals[where] = points
        if marches is not None and len(marches) != m.n_powers:
            raise ValueError(f"marches for {len(marches)} powers, not {m.n_powers}")
        for power in range(m.n_powers):
            row = [0.0] * m.n_locations if marches is None else marches[power]
            if len(row) != m.n_locations:
                raise ValueError(f"marches for {len(row)} locations, not {m.n_locations}")
            for l in range(m.n_locations):
                points = row[l]
                if self.judge.marches != NULL:
                    points += self.judge.marches[power * m.n_locations + l]
                made.judge.marches[power * m.n_locations + l] = points
        return made

    @property
    def wide(self):
        """Whether vectors are used that only newer processors have; the values are the same either
        way. Can be turned off, and on again where the processor has them."""
        return self.judge.wide

    @wide.setter
    def wide(self, bint wanted):
        self.judge.wide = wanted and survey_wide()

    def evaluate(self, Packed position not None, int power):
        """Return ``(value, {term: weighted value})`` for a power by its number."""
        if position.tables is not self.tables:
            raise ValueError("the position is on another map than the evaluator")
        if not 0 <= power < self.judge.map.n_powers:
            raise IndexError(f"power {power} is not on the map")
        cdef float terms[N_TERMS]
        cdef float value = value_of(&self.judge, &position.state, power, terms)
        return value, {name: terms[i] for i, name in enumerate(TERMS)}


cdef void lay_columns(Judge* j) noexcept nogil:
    """Give every province a column, centres first."""
    cdef const MapTables* m = j.map
    cdef int p, power, i, n = m.n_centres
    j.wide = survey_wide()
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
    """How near and how strongly drawn a unit is to each province; a home exerts influence like the
    nearest unit that could be built there, later."""
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
            if m.is_centre[m.province[l]] and steps + j.weights.home_delay < home[c]:
                home[c] = steps + j.weights.home_delay


cdef float value_of(const Judge* j, const State* s, int power, float* terms) noexcept nogil:
    """The value of a position for a power; `terms` receives its N_TERMS weighted parts."""
    cdef const MapTables* m = j.map
    cdef int p, i, w, location, n_units, n_own = 0, n_others = 0, n_centres = 0, n_occupied = 0, n_lost = 0
    cdef int n = j.n_columns
    cdef bint mine
    cdef uint64_t owned[32][WORDS]
    cdef uint64_t vacant[WORDS]
    cdef uint64_t occupied[WORDS]
    cdef uint64_t bits
    cdef Survey seen
    cdef Side own
    cdef Side others
    cdef const float* pulls[256]
    cdef uint8_t places[256]
    cdef uint8_t columns[256]       # of the units of others
    cdef uint8_t owner[256]         # by centre, like `standing`: the power of the unit there plus one
    cdef uint8_t standing[256]
    cdef bint unsettled = s.kind == RETREATS or (s.season == FALL and s.kind == MOVEMENT)
    cdef bint after_spring = s.kind == RETREATS if s.season == SPRING else s.season == FALL and s.kind == MOVEMENT
    cdef int season = AFTER_SPRING if after_spring else AFTER_FALL
    cdef const float* altitude = j.altitude + (season * m.n_powers + power) * n
    cdef float control, gravity, value

    # Whose unit stands where is unforeseeable, so this goes without branches.
    n_units = rows_places(places, s.unit, m.n_provinces)
    for i in range(n_units):
        p = places[i]
        location = location_of(s.unit[p])
        mine = power_of(s.unit[p]) == power
        own.rows[n_own] = j.near + location * n
        pulls[n_own] = j.pull + location * n
        n_own += mine
        others.rows[n_others] = j.near + location * n
        others.power[n_others] = power_of(s.unit[p])
        columns[n_others] = j.column[p]
        n_others += not mine
    own.n_units, others.n_units = n_own, n_others

    # What lies past the last centre is nobody's and not vacant.
    memset(owner, NOTHING, 64 * j.n_words)
    memset(standing, NOTHING, 64 * j.n_words)
    for i in range(m.n_centres):
        p = m.centres[i]
        owner[i] = s.owner[p]
        standing[i] = s.unit[p] >> TOKEN_SHIFT
    for i in range(m.n_powers):
        survey_equal(owned[i], owner, i, 64 * j.n_words)
    survey_equal(vacant, standing, 0, 64 * j.n_words)
    for w in range(j.n_words):
        n_centres += survey_count(owned[power][w])
    if unsettled:
        survey_equal(occupied, standing, power + 1, 64 * j.n_words)
        for w in range(j.n_words):
            n_occupied += survey_count(occupied[w] & ~owned[power][w])
    if j.weights.home_delay != 0:
        for w in range(j.n_words):
            bits = 0
            for i in range(m.n_powers):
                bits |= owned[i][w] & j.homes[i][w]
            bits &= vacant[w]
            while bits:
                i = 64 * w + lowest_bit(bits)
                bits &= bits - 1
                mine = owner[i] == power
                own.rows[n_own] = j.home_rows + i * n
                n_own += mine
                others.rows[n_others] = j.home_rows + i * n
                others.power[n_others] = owner[i]
                n_others += not mine
    own.n, others.n = n_own, n_others
    if s.kind == RETREATS:
        for p in range(m.n_provinces):
            n_lost += s.dislodged[p] != 0 and power_of(s.dislodged[p]) == power

    survey_look(j.wide, &seen, &own, &others, n, m.n_centres)
    if j.weights.dilute:
        dilute_raiders(j.n_words, power, &own, &others, vacant, owned, &seen)
    survey_weigh(
        j.wide, altitude, seen.shares, pulls, own.n_units if j.weights.gravity != 0 else 0, n, &control, &gravity
    )

    terms[CONTROL] = control
    terms[OWNED] = j.weights.owned * n_centres
    # After Fall moves ownership is settled as soon as the retreats are done.
    terms[OCCUPIED] = n_occupied * (j.weights.occupied if after_spring else j.weights.owned)
    terms[PRESSURE] = 0
    if j.weights.pressure != 0:
        terms[PRESSURE] = j.weights.pressure * pressed(j, columns, others.n_units, altitude, seen.own_beside)
    terms[GRAVITY] = j.weights.gravity * gravity
    terms[DANGER] = 0
    if j.weights.danger != 0:
        terms[DANGER] = 0 - j.weights.danger * endangered(&seen, owner, standing, power, m.n_centres, after_spring)
    terms[LOSSES] = 0 - j.weights.losses * n_lost
    terms[VICTORY] = j.weights.victory if 2 * n_centres > m.n_centres else 0
    terms[GOALS] = 0
    if j.goals != NULL:
        terms[GOALS] = rows_dot(j.goals + power * n, seen.shares, n)
        # Behind the front no share changes; there the way counts for the units that go it.
        for i in range(n_units):
            if power_of(s.unit[places[i]]) == power:
                terms[GOALS] += j.marches[power * m.n_locations + location_of(s.unit[places[i]])]
    terms[STALEMATE] = 0
    if j.weights.stalemate != 0:
        terms[STALEMATE] = j.weights.stalemate * fortified(j.lines, m, s, power, places, n_units)
    terms[RIVALS] = 0
    if j.weights.rivals != 0:
        terms[RIVALS] = 0 - j.weights.rivals * outrun(j, power, owned)
    value = 0
    for i in range(N_TERMS):
        value += terms[i]
    return value


cdef inline float pressed(
    const Judge* j, const uint8_t* columns, int n_others, const float* altitude, const uint8_t* own_beside
) noexcept nogil:
    """Altitude of provinces that others occupy, as far as own units stand next to them (4.3.2)."""
    cdef float sums[4]
    cdef int i
    # Four sums, so that one addition need not wait for the other.
    sums[0] = sums[1] = sums[2] = sums[3] = 0
    for i in range(n_others):
        sums[i & 3] += altitude[columns[i]] * j.part[own_beside[columns[i]]]
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


cdef inline float endangered(
    const Survey* seen, const uint8_t* owner, const uint8_t* standing, int power, int n_centres, bint after_spring
) noexcept nogil:
    """How many of the own centres are at risk, each counted as far as it is.

    Section 4.3.2 of paper 002 weighs who could move in next; here by counting units: a centre is
    as good as lost where another unit stands before Fall is settled, or can move into an empty one
    that no own unit can reach in turn; a unit in it is in danger once more can attack it than can
    hold it.
    """
    cdef int tenths = survey_danger(
        seen, owner, standing, power, 10 if after_spring else 5, (n_centres + 15) // 16 * 16
    )
    return tenths * 0.1 if after_spring else tenths * (0.01 * MEND)


cdef inline float outrun(const Judge* j, int power, const uint64_t (*owned)[WORDS]) noexcept nogil:
    """How near the strongest other power is to winning: the square of the way from a quarter of the
    centres, 0, to a half, 1; more once it has won."""
    cdef int i, w, n, most = 0
    cdef float lead
    for i in range(j.map.n_powers):
        if i != power:
            n = 0
            for w in range(j.n_words):
                n += survey_count(owned[i][w])
            most = max(most, n)
    lead = max(0, 4 * most - j.map.n_centres) / <float>j.map.n_centres
    return lead * lead * (LOST if 2 * most > j.map.n_centres else 1)
