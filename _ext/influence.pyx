"""What a position is worth to a power: altitude times influence (paper 002, sections 4.1 and 4.3).

A province counts for the power whose unit stands there, or is shared by the units nearest to it, so
that a unit's distance 0 to its own province makes one rule of both. The rows of the distance table
are compared with the nearest distance a whole row at a time, in loops that the compiler turns into
vector instructions.
"""

from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport *
from bordeaux._ext.tables cimport Tables

TERMS = ("control", "owned", "occupied", "pressure", "gravity", "danger", "losses", "victory", "goals")

cdef enum:
    MEND = 6        # tenths of the danger that count when a whole Spring remains to mend it


cdef class Evaluator:
    """Weights and altitudes compiled for a map.

    `weights` maps the names of `TERMS` (control and goals excepted, whose weight is 1) and
    ``home_delay``, ``dilute`` to numbers. `altitudes` is ``[season][power][province]``, season 0
    after Spring moves and 1 after Fall moves; values of any size, in the same unit as the weights.
    With a `parent` the other arguments do not count: all of it is the parent's, and shared.
    """

    def __cinit__(self, Tables tables not None, dict weights not None, altitudes, Evaluator parent=None):
        cdef int season, power, p, l
        cdef const MapTables* m = tables.map
        cdef Judge* j = &self.judge
        if parent is not None:
            self.parent, self.shares, self.tables = parent, True, parent.tables
            self.judge = parent.judge
            j.goals = j.marches = NULL
            return
        self.tables = tables
        j.map = m
        j.weights.owned = weights["owned"]
        j.weights.occupied = weights["occupied"]
        j.weights.pressure = weights["pressure"]
        j.weights.gravity = weights["gravity"]
        j.weights.danger = weights["danger"]
        j.weights.losses = weights["losses"]
        j.weights.victory = weights["victory"]
        j.weights.home_delay = weights["home_delay"]
        j.weights.dilute = weights["dilute"]
        if not 0 <= j.weights.home_delay <= 16:
            raise ValueError(f"home_delay {j.weights.home_delay} is outside 0 to 16")
        j.altitude = <float*>calloc(2 * m.n_powers * m.stride, sizeof(float))
        j.pull = <float*>calloc(m.n_locations * m.stride, sizeof(float))
        j.home_rows = <uint8_t*>calloc(m.n_provinces * m.stride, 1)
        if j.altitude == NULL or j.pull == NULL or j.home_rows == NULL:
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
                    j.altitude[(season * m.n_powers + power) * m.stride + p] = altitudes[season][power][p]
        for l in range(m.n_locations):
            for p in range(m.n_provinces):
                if m.distance[l * m.stride + p] != FAR_AWAY:
                    j.pull[l * m.stride + p] = 1.0 / (1.0 + m.distance[l * m.stride + p]) ** 2
        measure_homes(j)

    def __dealloc__(self):
        free(self.judge.goals)
        free(self.judge.marches)
        if not self.shares:
            free(self.judge.altitude)
            free(self.judge.pull)
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
        cdef int power, p, l
        cdef float points
        made.judge.marches = <float*>calloc(m.n_powers * m.n_locations, sizeof(float))
        made.judge.goals = <float*>calloc(m.n_powers * m.stride, sizeof(float))
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
                if self.judge.goals != NULL:
                    points += self.judge.goals[power * m.stride + p]
                made.judge.goals[power * m.stride + p] = points
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

    def evaluate(self, Packed position not None, int power):
        """Return ``(value, {term: weighted value})`` for a power by its number."""
        if position.tables is not self.tables:
            raise ValueError("the position is on another map than the evaluator")
        if not 0 <= power < self.judge.map.n_powers:
            raise IndexError(f"power {power} is not on the map")
        cdef float terms[N_TERMS]
        cdef float value = value_of(&self.judge, &position.state, power, terms)
        return value, {name: terms[i] for i, name in enumerate(TERMS)}


cdef void measure_homes(Judge* j) noexcept nogil:
    """A home exerts influence like the nearest unit that could be built there, later."""
    cdef const MapTables* m = j.map
    cdef int home, p, l, near
    memset(j.home_rows, FAR_AWAY, m.n_provinces * m.stride)
    for l in range(m.n_locations):
        home = m.province[l]
        for p in range(m.n_provinces):
            near = m.distance[l * m.stride + p] + j.weights.home_delay
            if near < j.home_rows[home * m.stride + p]:
                j.home_rows[home * m.stride + p] = near


cdef float value_of(const Judge* j, const State* s, int power, float* terms) noexcept nogil:
    """The value of a position for a power; `terms` receives its N_TERMS weighted parts."""
    cdef const MapTables* m = j.map
    cdef int p, i, owner, n_units, n_sources, n_centres = 0, n_occupied = 0, n_lost = 0, stride = m.stride
    cdef const float* goals = NULL if j.goals == NULL else j.goals + power * stride
    cdef const uint8_t* rows[512]
    cdef uint8_t powers[512]
    cdef uint8_t own[512]
    cdef uint8_t places[256]
    cdef uint8_t nearest[256]
    cdef uint8_t mine[256]
    cdef uint8_t total[256]
    cdef uint8_t centres[256]
    cdef uint8_t beside[256]
    cdef uint8_t own_beside[256]
    cdef float shares[256]
    cdef bint homes_count = j.weights.home_delay != 0
    cdef bint unsettled = s.kind == RETREATS or (s.season == FALL and s.kind == MOVEMENT)
    cdef bint after_spring = s.kind == RETREATS if s.season == SPRING else s.season == FALL and s.kind == MOVEMENT
    cdef int season = AFTER_SPRING if after_spring else AFTER_FALL
    cdef const float* altitude = j.altitude + (season * m.n_powers + power) * stride

    n_units = n_sources = rows_places(places, s.unit, m.n_provinces)
    for i in range(n_units):
        p = places[i]
        rows[i] = m.distance + location_of(s.unit[p]) * stride
        powers[i] = power_of(s.unit[p])
    for i in range(m.n_centres):
        p = m.centres[i]
        # Who owns and stands where is unforeseeable, so this counts without branches.
        owner = s.owner[p]
        centres[n_centres] = p
        n_centres += owner == power
        n_occupied += unsettled & (owner != power) & (power_of(s.unit[p]) == power)
        rows[n_sources] = j.home_rows + p * stride
        powers[n_sources] = owner
        n_sources += homes_count & (s.unit[p] == 0) & (owner != NOTHING) & ((m.home_of[p] >> (owner & 31)) & 1)
    if s.kind == RETREATS:
        for p in range(m.n_provinces):
            n_lost += s.dislodged[p] != 0 and power_of(s.dislodged[p]) == power

    for i in range(n_sources):
        own[i] = 255 if powers[i] == power else 0
    rows_influence(nearest, total, mine, rows, own, n_sources, FAR_AWAY - 1, stride)
    rows_shares(shares, mine, total, stride)
    if j.weights.dilute:
        dilute_raiders(j, s, power, rows, powers, n_sources, nearest, total, shares)

    terms[CONTROL] = rows_dot(altitude, shares, stride)
    terms[OWNED] = j.weights.owned * n_centres
    # After Fall moves ownership is settled as soon as the retreats are done.
    terms[OCCUPIED] = n_occupied * (j.weights.occupied if after_spring else j.weights.owned)
    terms[PRESSURE] = terms[DANGER] = 0
    if j.weights.pressure != 0 or j.weights.danger != 0:
        rows_reached(beside, own_beside, rows, own, n_units, stride)
        terms[PRESSURE] = j.weights.pressure * pressed(power, places, powers, n_units, altitude, own_beside)
        terms[DANGER] = 0 - j.weights.danger * endangered(
            s, power, centres, n_centres, beside, own_beside, after_spring
        )
    terms[GRAVITY] = 0
    if j.weights.gravity != 0:
        terms[GRAVITY] = j.weights.gravity * attraction(j, s, power, places, powers, n_units, altitude, shares)
    terms[LOSSES] = 0 - j.weights.losses * n_lost
    terms[VICTORY] = j.weights.victory if 2 * n_centres > m.n_centres else 0
    terms[GOALS] = 0
    if goals != NULL:
        terms[GOALS] = rows_dot(goals, shares, stride)
        # Behind the front no share changes; there the way counts for the units that go it.
        for i in range(n_units):
            if powers[i] == power:
                terms[GOALS] += j.marches[power * m.n_locations + location_of(s.unit[places[i]])]
    cdef float value = 0
    for i in range(N_TERMS):
        value += terms[i]
    return value


cdef void dilute_raiders(
    const Judge* j, const State* s, int power, const uint8_t** rows, const uint8_t* powers, int n_sources,
    const uint8_t* nearest, const uint8_t* total, float* shares
) noexcept nogil:
    """Spread each unit over the vacant centres of others that it is nearest to (section 4.3.2).

    One unit can take one centre a year; what it cannot take stays with the owner.
    """
    cdef const MapTables* m = j.map
    cdef uint8_t vacant[256]
    cdef uint8_t own_vacant[256]
    cdef uint8_t places[256]
    cdef int i, k, p, n, n_vacant = 0
    cdef float lost
    cdef bint covered
    memset(vacant, 0, m.stride)
    memset(own_vacant, 0, m.stride)
    for i in range(m.n_centres):
        p = m.centres[i]
        places[n_vacant] = p
        n_vacant += s.unit[p] == 0
        vacant[p] = 255 if s.unit[p] == 0 else 0
        own_vacant[p] = vacant[p] if s.owner[p] == power else 0
    for i in range(n_sources):
        # Raids of others matter only where they touch a centre of ours.
        if powers[i] != power and rows_raided(rows[i], nearest, own_vacant, s.owner, powers[i], m.stride) == 0:
            continue
        n = rows_raided(rows[i], nearest, vacant, s.owner, powers[i], m.stride)
        if n < 2:
            continue
        lost = 1 - 1 / <float>n
        if powers[i] == power:
            lost = -lost
        for k in range(n_vacant):
            p = places[k]
            covered = (rows[i][p] == nearest[p]) & (s.owner[p] != powers[i])
            covered &= (powers[i] == power) | (s.owner[p] == power)
            shares[p] += covered * lost / (total[p] + (total[p] == 0))


cdef float pressed(
    int power, const uint8_t* places, const uint8_t* powers, int n_units, const float* altitude,
    const uint8_t* own_beside
) noexcept nogil:
    """Altitude of provinces that others occupy, as far as own units stand next to them (4.3.2)."""
    cdef int i, p
    cdef float sum = 0
    for i in range(n_units):
        p = places[i]
        sum += (powers[i] != power) * altitude[p] * own_beside[p] / (1 + <float>own_beside[p])
    return sum


cdef float endangered(
    const State* s, int power, const uint8_t* centres, int n_centres, const uint8_t* beside,
    const uint8_t* own_beside, bint after_spring
) noexcept nogil:
    """How many of the own centres are at risk, each counted as far as it is.

    Section 4.3.2 of paper 002 weighs who could move in next; here by counting units: a centre is
    as good as lost where another unit stands before Fall is settled, or can move into an empty one
    that no own unit can reach in turn; a unit in it is in danger once more can attack it than can
    hold it.
    """
    cdef int i, p, owner, foes, friends, tenths = 0
    for i in range(n_centres):
        p = centres[i]
        owner = power_of(s.unit[p])
        friends = own_beside[p]
        foes = beside[p] - friends
        if owner == power:
            tenths += 5 if foes > 1 + friends else 0
        elif s.unit[p]:
            tenths += 10 if after_spring else 5
        elif foes:
            tenths += 10 if friends == 0 else 6 if foes > friends else 3
    return tenths * 0.1 if after_spring else tenths * (0.01 * MEND)


cdef float attraction(
    const Judge* j, const State* s, int power, const uint8_t* places, const uint8_t* powers, int n_units,
    const float* altitude, const float* shares
) noexcept nogil:
    """The pull of valuable provinces not wholly held on own units (section 4.3.3)."""
    cdef const MapTables* m = j.map
    cdef float need[256]
    cdef float sum = 0
    cdef int p, i
    for p in range(m.stride):
        need[p] = altitude[p] * (1 - shares[p])
    for i in range(n_units):
        if powers[i] == power:
            sum += rows_dot(need, j.pull + location_of(s.unit[places[i]]) * m.stride, m.stride)
    return sum
