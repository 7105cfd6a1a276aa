"""What a position is worth to a power: altitude times influence (paper 002, sections 4.1 and 4.3).

A province counts for the power whose unit stands there, or is shared by the units nearest to it, so
that a unit's distance 0 to its own province makes one rule of both. The rows of the distance table
are compared with the nearest distance a whole row at a time, in loops that the compiler turns into
vector instructions.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport *
from bordeaux._ext.tables cimport Tables

TERMS = ("control", "owned", "occupied", "pressure", "gravity", "losses", "victory")

cdef enum:
    # One unit's full influence; divisible by the number of centres that a raider mostly covers.
    WHOLE = 60


cdef class Evaluator:
    """Weights and altitudes compiled for a map.

    `weights` maps the names of `TERMS` (control excepted, whose weight is 1) and ``home_delay``,
    ``dilute`` to numbers. `altitudes` is ``[season][power][province]``, season 0 after Spring
    moves and 1 after Fall moves; values of any size, in the same unit as the weights.
    """

    def __cinit__(self, Tables tables, dict weights, altitudes):
        cdef int season, power, p, l
        cdef const MapTables* m = tables.map
        cdef Judge* j = &self.judge
        self.tables = tables
        j.map = m
        j.weights.owned = weights["owned"]
        j.weights.occupied = weights["occupied"]
        j.weights.pressure = weights["pressure"]
        j.weights.gravity = weights["gravity"]
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
        for season in range(2):
            for power in range(m.n_powers):
                for p in range(m.n_provinces):
                    j.altitude[(season * m.n_powers + power) * m.stride + p] = altitudes[season][power][p]
        for l in range(m.n_locations):
            for p in range(m.n_provinces):
                if m.distance[l * m.stride + p] != FAR_AWAY:
                    j.pull[l * m.stride + p] = 1.0 / (1.0 + m.distance[l * m.stride + p]) ** 2
        measure_homes(j)

    def __dealloc__(self):
        free(self.judge.altitude)
        free(self.judge.pull)
        free(self.judge.home_rows)

    def evaluate(self, Packed position, int power):
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
    cdef int p, i, n, source_power, n_sources = 0, n_centres = 0, n_occupied = 0, n_lost = 0, stride = m.stride
    cdef const uint8_t* row
    cdef const uint8_t* rows[512]
    cdef uint8_t powers[512]
    cdef uint8_t nearest[256]
    cdef uint8_t raided[256]
    cdef uint16_t mine[256]
    cdef uint16_t total[256]
    cdef bint unsettled = s.kind == RETREATS or (s.season == FALL and s.kind == MOVEMENT)
    cdef int season = AFTER_SPRING if (s.season == SPRING and s.kind == RETREATS) or (
        s.season == FALL and s.kind == MOVEMENT) else AFTER_FALL
    cdef const float* altitude = j.altitude + (season * m.n_powers + power) * stride

    memset(nearest, FAR_AWAY - 1, stride)
    memset(mine, 0, sizeof(uint16_t) * stride)
    memset(total, 0, sizeof(uint16_t) * stride)
    for p in range(m.n_provinces):
        if s.unit[p]:
            rows[n_sources] = m.distance + location_of(s.unit[p]) * stride
            powers[n_sources] = power_of(s.unit[p])
            n_sources += 1
        if s.dislodged[p] and power_of(s.dislodged[p]) == power:
            n_lost += 1
    for i in range(m.n_centres):
        p = m.centres[i]
        if s.owner[p] == power:
            n_centres += 1
        elif unsettled and s.unit[p] and power_of(s.unit[p]) == power:
            n_occupied += 1
        if j.weights.home_delay and s.unit[p] == 0 and s.owner[p] != NOTHING and (m.home_of[p] >> s.owner[p]) & 1:
            rows[n_sources] = j.home_rows + p * stride
            powers[n_sources] = s.owner[p]
            n_sources += 1
    for i in range(n_sources):
        row = rows[i]
        for p in range(stride):
            nearest[p] = row[p] if row[p] < nearest[p] else nearest[p]
    for i in range(n_sources):
        source_power = powers[i]
        share(rows[i], nearest, total, stride)
        if source_power == power:
            share(rows[i], nearest, mine, stride)
    if j.weights.dilute:
        dilute_raiders(j, s, power, rows, powers, n_sources, nearest, mine)

    terms[CONTROL] = weigh(altitude, mine, total, stride)
    terms[OWNED] = j.weights.owned * n_centres
    terms[OCCUPIED] = j.weights.occupied * n_occupied
    if s.season == FALL and s.kind == RETREATS:
        # Ownership is settled as soon as these retreats are done.
        terms[OCCUPIED] = j.weights.owned * n_occupied
    terms[PRESSURE] = j.weights.pressure * pressed(j, s, power, altitude) if j.weights.pressure != 0 else 0
    terms[GRAVITY] = j.weights.gravity * attraction(j, s, power, altitude, mine, total) if j.weights.gravity != 0 else 0
    terms[LOSSES] = -j.weights.losses * n_lost
    terms[VICTORY] = j.weights.victory if 2 * n_centres > m.n_centres else 0
    cdef float value = 0
    for i in range(N_TERMS):
        value += terms[i]
    return value


cdef inline void share(const uint8_t* row, const uint8_t* nearest, uint16_t* counts, int stride) noexcept nogil:
    """Give a unit its part in every province to which nobody is nearer."""
    cdef int p
    for p in range(stride):
        counts[p] += WHOLE if row[p] == nearest[p] else 0


cdef inline float weigh(const float* altitude, const uint16_t* mine, const uint16_t* total, int stride) noexcept nogil:
    cdef int p
    cdef float control = 0
    for p in range(stride):
        control += altitude[p] * mine[p] / (total[p] if total[p] else 1)
    return control


cdef void dilute_raiders(
    const Judge* j, const State* s, int power, const uint8_t** rows, const uint8_t* powers, int n_sources,
    const uint8_t* nearest, uint16_t* mine
) noexcept nogil:
    """Spread each unit over the vacant centres of others that it is nearest to (section 4.3.2).

    One unit can take one centre a year; what it cannot take stays with the owner.
    """
    cdef const MapTables* m = j.map
    cdef uint8_t open_centres[256]
    cdef int i, k, p, n, n_open = 0
    for i in range(m.n_centres):
        p = m.centres[i]
        if s.unit[p] == 0:
            open_centres[n_open] = p
            n_open += 1
    for i in range(n_sources):
        n = 0
        for k in range(n_open):
            p = open_centres[k]
            n += rows[i][p] == nearest[p] and s.owner[p] != powers[i]
        if n < 2:
            continue
        for k in range(n_open):
            p = open_centres[k]
            if rows[i][p] == nearest[p] and s.owner[p] != powers[i]:
                if powers[i] == power:
                    mine[p] -= WHOLE - WHOLE // n
                elif s.owner[p] == power:
                    mine[p] += WHOLE - WHOLE // n


cdef float pressed(const Judge* j, const State* s, int power, const float* altitude) noexcept nogil:
    """Altitude of provinces that others occupy, as far as own units stand next to them (4.3.2)."""
    cdef const MapTables* m = j.map
    cdef uint8_t beside[256]
    cdef int p, k, q, location
    cdef float sum = 0
    memset(beside, 0, m.n_provinces)
    for p in range(m.n_provinces):
        if s.unit[p] == 0 or power_of(s.unit[p]) != power:
            continue
        location = location_of(s.unit[p])
        for k in range(m.n_neighbours[location]):
            q = m.province[m.neighbours[location][k]]
            if s.unit[q] and power_of(s.unit[q]) != power:
                beside[q] += 1
    for p in range(m.n_provinces):
        if beside[p]:
            sum += altitude[p] * beside[p] / (1.0 + beside[p])
    return sum


cdef float attraction(
    const Judge* j, const State* s, int power, const float* altitude, const uint16_t* mine, const uint16_t* total
) noexcept nogil:
    """The pull of valuable provinces not wholly held on own units (section 4.3.3)."""
    cdef const MapTables* m = j.map
    cdef float need[256]
    cdef float sum = 0
    cdef const float* pull
    cdef int p, i, stride = m.stride
    for p in range(stride):
        need[p] = altitude[p] * (1 - mine[p] / <float>(total[p] if total[p] else 1))
    for p in range(m.n_provinces):
        if s.unit[p] and power_of(s.unit[p]) == power:
            pull = j.pull + location_of(s.unit[p]) * stride
            for i in range(stride):
                sum += need[i] * pull[i]
    return sum
