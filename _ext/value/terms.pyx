"""The terms of the evaluation: one small function for each, and one table of them.

A term takes a `View` of a position and returns points for its power, already weighted. A term without a
weight is not computed. To add one, write a function here, a line in the table, and its weight in the files
of `bordeaux/evaluation/weights`.
"""

from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.value.lines cimport fortified
from bordeaux._ext.value.survey cimport survey_danger

cdef enum:
    MEND = 6        # tenths of the danger that count when a whole Spring remains to mend it
    LOST = 4        # how much more a game counts that another has won than one that is all but won

ctypedef float (*Term)(const View* v, float weight) noexcept nogil

cdef Term table[MAX_TERMS]
names = []


cdef int enter(str name, Term term) except -1:
    """Put a term into the table."""
    if len(names) == MAX_TERMS:
        raise ValueError(f"there is no room for the term {name} after {MAX_TERMS} others")
    table[len(names)] = term
    names.append(name)
    return 0


enter("control", control)
enter("owned", owned)
enter("occupied", occupied)
enter("pressure", pressure)
enter("gravity", gravity)
enter("danger", danger)
enter("losses", losses)
enter("victory", victory)
enter("goals", goals)
enter("stalemate", stalemate)
enter("rivals", rivals)
TERMS: tuple[str, ...] = tuple(names)
cdef int n_terms = len(TERMS)
del names


cdef float sum_terms(const View* v, float* terms) noexcept nogil:
    """The sum of all terms; `terms`, unless NULL, receives them, in the order of the table."""
    cdef float value = 0, points
    cdef int i
    for i in range(n_terms):
        points = 0
        if v.judge.weights[i] != 0:
            points = table[i](v, v.judge.weights[i])
        if terms != NULL:
            terms[i] = points
        value += points
    return value


cdef float control(const View* v, float weight) noexcept nogil:
    """Altitude times influence (4.1)."""
    return weight * v.control


cdef float owned(const View* v, float weight) noexcept nogil:
    """Centres owned."""
    return weight * v.n_owned


cdef float occupied(const View* v, float weight) noexcept nogil:
    """Foreign centres occupied before ownership is settled. After Fall moves it is settled as soon as the retreats are
    done, so they count as owned."""
    return v.n_occupied * (weight if v.after_spring else v.judge.owned)


cdef float pressure(const View* v, float weight) noexcept nogil:
    """Altitude of provinces that others occupy, in proportion to the own units next to them (4.3.2)."""
    cdef float sums[4]
    cdef int i, c
    # Four sums, so that one addition need not wait for the other.
    sums[0] = sums[1] = sums[2] = sums[3] = 0
    for i in range(v.n_others):
        c = v.columns[i]
        sums[i & 3] += v.altitude[c] * v.judge.part[v.seen.own_beside[c]]
    return weight * ((sums[0] + sums[1]) + (sums[2] + sums[3]))


cdef float gravity(const View* v, float weight) noexcept nogil:
    """Pull of units towards provinces that are not held (4.3.3)."""
    return weight * v.gravity


cdef float danger(const View* v, float weight) noexcept nogil:
    """The number of own centres at risk, each weighted by its risk.

    Section 4.3.2 of Hall and Loeb (1995) weighs the units that could move in next. Here units are counted. A centre
    counts as lost if a foreign unit is there before Fall is settled, or can move into an empty one that no own unit can
    reach in turn. A unit in it is in danger if more units can attack it than can hold it.
    """
    cdef int tenths
    cdef float centres
    tenths = survey_danger(
        &v.seen, v.owner, v.standing, v.power, 10 if v.after_spring else 5, (v.judge.map.n_centres + 15) // 16 * 16
    )
    centres = tenths * 0.1 if v.after_spring else tenths * (0.01 * MEND)
    return 0 - weight * centres


cdef float losses(const View* v, float weight) noexcept nogil:
    """Own units dislodged."""
    cdef const State* s = v.state
    cdef int p, n = 0
    if s.kind == RETREATS:
        for p in range(v.judge.map.n_provinces):
            n += s.dislodged[p] != 0 and power_of(s.dislodged[p]) == v.power
    return 0 - weight * n


cdef float victory(const View* v, float weight) noexcept nogil:
    """More than half of the centres owned."""
    return weight if 2 * v.n_owned > v.judge.map.n_centres else 0


cdef float goals(const View* v, float weight) noexcept nogil:
    """Points of regional goals times influence (4.3.4). Behind the front no share changes; there the distance of the
    moving units counts."""
    cdef const Judge* j = v.judge
    cdef const State* s = v.state
    cdef float points
    cdef int i
    if j.goals == NULL:
        return 0
    points = rows_dot(j.goals + v.power * j.n_columns, v.seen.shares, j.n_columns)
    for i in range(v.n_units):
        if power_of(s.unit[v.places[i]]) == v.power:
            points += j.marches[v.power * j.map.n_locations + location_of(s.unit[v.places[i]])]
    return weight * points


cdef float stalemate(const View* v, float weight) noexcept nogil:
    """Centres behind a stalemate line that is held, or begun by a losing power (4.3.7)."""
    return weight * fortified(v.judge.lines, v.judge.map, v.state, v.power, v.places, v.n_units)


cdef float rivals(const View* v, float weight) noexcept nogil:
    """How near the strongest other power is to winning: 0 at a quarter of the centres, 1 at a half, quadratic between
    them; more once it has won."""
    cdef const Judge* j = v.judge
    cdef int i, w, n, most = 0
    cdef float lead
    for i in range(j.map.n_powers):
        if i != v.power:
            n = 0
            for w in range(j.n_words):
                n += count_bits(v.owned[i][w])
            most = max(most, n)
    lead = max(0, 4 * most - j.map.n_centres) / <float>j.map.n_centres
    return 0 - weight * (lead * lead * (LOST if 2 * most > j.map.n_centres else 1))
