"""The values of places for DumbBot and its family: values of centres, blurred over the map.

The value of every location has three parts:

- *Proximity*: a foreign centre is worth the size of its owner. An own centre is worth the size of the
  largest power that could move in. These values are blurred over the neighbours, step by step, and the
  steps are summed with weights.
- *Strength*: the number of own units that could be in the province next turn.
- *Competition*: the largest number of units that another power has there.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *

cdef enum:
    NEUTRAL = 31        # where the neutral centres stand among the sizes
    SHARE = 5           # what a sum over the neighbours is divided by


cdef class DumbBotValues(Chooser):
    """Values of all locations for one power at a time.

    `schemes` are three tuples ``(attack, defence, strength, competition, guard, steps)``, for Spring, Fall and Winter.
    They have the numbers of a `Scheme`; `steps` is a list of weights, one for each step of blurring and one more for
    none. `size` are the factors a, b, c of a power's size, a n n + b n + c with n centres. Neutral centres form one
    more power, whose size is `neutral_value` unless that is negative. With `weak_variant` values spread between armies'
    and fleets' locations alike, from every coast, and strength and competition leave out the unit in the province. As a
    policy this base class gives no orders. Raises ValueError for invalid numbers.
    """

    def __cinit__(self, Tables tables not None, schemes, size, int64_t neutral_value, bint weak_variant, *subclass):
        cdef int l, k, n, most = 0
        cdef const MapTables* m = tables.map
        self.neutral_value = neutral_value
        self.weak_variant = weak_variant
        if len(schemes) != 3 or len(size) != 3:
            raise ValueError("three schemes are needed, for Spring, Fall and Winter, and three factors of size")
        for k in range(3):
            self.size[k] = size[k]
            read_scheme(schemes[k], &self.schemes[k])
            most = max(most, self.schemes[k].n_steps)
        for k in range(256):
            self.centre_percent[k] = 100
        for k in range(32):
            self.unit_percent[k] = 100
        self.prey_percent = 100
        n = m.n_locations
        self.n_locations = n
        near = [neighbours_of(m, l, weak_variant) for l in range(n)]
        self.starts = <int*>calloc(n + 1, sizeof(int))
        self.neighbours = <uint16_t*>calloc(sum(map(len, near)) + 1, sizeof(uint16_t))
        self.again = <uint8_t*>calloc(sum(map(len, near)) + 1, 1)
        self.doubled = <uint8_t*>calloc(n, 1)
        self.blurred = <int64_t*>calloc(most * n, sizeof(int64_t))
        self.value = <int64_t*>calloc(n, sizeof(int64_t))
        if not (self.starts and self.neighbours and self.again and self.doubled and self.blurred and self.value):
            raise MemoryError
        for l, places in enumerate(near):
            self.starts[l + 1] = self.starts[l] + len(places)
            for k, (province, neighbour) in enumerate(places, self.starts[l]):
                self.neighbours[k] = neighbour
                if k > self.starts[l] and not weak_variant and m.province[self.neighbours[k - 1]] == province:
                    self.again[k] = self.doubled[l] = True

    def __dealloc__(self):
        free(self.starts)
        free(self.neighbours)
        free(self.again)
        free(self.doubled)
        free(self.blurred)
        free(self.value)

    def set_percentages(self, centres, units, int prey):
        """Set percentages from now on: of centres by province, of units by power.

        Outside Winter values of places with foreign units are multiplied by `prey` percent at the end, and those of
        foreign and neutral centres.
        """
        centres, units = tuple(centres), tuple(units)
        if len(centres) != self.tables.map.n_provinces or len(units) != self.tables.map.n_powers:
            raise ValueError("one percentage for each province and one for each power are needed")
        for p, percent in enumerate(centres):
            self.centre_percent[p] = percent
        for power, percent in enumerate(units):
            self.unit_percent[power] = percent
        self.prey_percent = prey

    def survey(self, Packed position not None, int power):
        """All intermediate values for a power, as lists, for inspection.

        ``values`` and each of ``proximity`` are by location; ``strength``, ``competition`` and ``threat`` (size of the
        largest power that could move into an own centre) by province; ``sizes`` by power, the neutral centres' last.
        """
        cdef int k, l, p
        self.check(position, power)
        self.look(&position.state, power)
        cdef const MapTables* m = self.tables.map
        cdef int n_steps = self.schemes[position.state.season].n_steps
        return {
            "values": [self.value[l] for l in range(self.n_locations)],
            "proximity": [[self.blurred[k * self.n_locations + l] for l in range(self.n_locations)]
                          for k in range(n_steps)],
            "strength": [self.strength[p] for p in range(m.n_provinces)],
            "competition": [self.competition[p] for p in range(m.n_provinces)],
            "threat": [self.threat[p] for p in range(m.n_provinces)],
            "sizes": [self.sizes[p] for p in range(m.n_powers)] + [self.sizes[NEUTRAL]],
        }

    cdef void look(self, const State* s, int power) noexcept nogil:
        """Compute everything for a power."""
        cdef const Scheme* scheme = &self.schemes[s.season]
        cdef const MapTables* m = self.tables.map
        cdef const int64_t* last
        cdef int64_t factor
        cdef int k, l, n = self.n_locations
        self.measure_powers(s)
        self.count_units(s, power)
        self.place_centres(s, power, scheme)
        for l in range(n):
            self.value[l] = (
                self.blurred[l] * scheme.steps[0] + scheme.strength * self.strength[m.province[l]]
                - scheme.competition * self.competition[m.province[l]] + scheme.guard * self.threat[m.province[l]]
            )
        for k in range(1, scheme.n_steps):
            self.blur(k)
            last = self.blurred + k * n
            factor = scheme.steps[k]
            for l in range(n):
                self.value[l] += last[l] * factor
        if self.prey_percent != 100 and s.kind != ADJUSTMENTS:
            self.hunt(s, power)

    cdef void hunt(self, const State* s, int power) noexcept nogil:
        """Multiply the values of others' places."""
        cdef const MapTables* m = self.tables.map
        cdef int l, p
        for l in range(self.n_locations):
            p = m.province[l]
            if s.unit[p] and power_of(s.unit[p]) != power:
                self.value[l] = self.value[l] * self.prey_percent / 100
            if m.is_centre[p] and s.owner[p] != power:
                self.value[l] = self.value[l] * self.prey_percent / 100

    cdef void measure_powers(self, const State* s) noexcept nogil:
        """The size of every power, and that of the neutral centres as one more power."""
        cdef const MapTables* m = self.tables.map
        cdef int64_t owned[32]
        cdef int i, power, owner
        memset(owned, 0, sizeof(owned))
        for i in range(m.n_centres):
            owner = s.owner[m.centres[i]]
            owned[NEUTRAL if owner == NOTHING else owner] += 1
        for power in range(32):
            self.sizes[power] = (self.size[0] * owned[power] + self.size[1]) * owned[power] + self.size[2]
        if self.neutral_value >= 0:
            self.sizes[NEUTRAL] = self.neutral_value

    cdef void count_units(self, const State* s, int power) noexcept nogil:
        """Count the units that could be in each province next turn, and find the threatened own centres.

        A fleet that reaches two coasts of a province counts twice.
        """
        cdef const MapTables* m = self.tables.map
        cdef int p, q, k, w, location
        cdef int64_t weight
        for w in range(m.n_powers):
            memset(self.counts[w], 0, m.n_provinces * sizeof(uint16_t))
        memset(self.threat, 0, m.n_provinces * sizeof(int64_t))
        memset(self.competition, 0, m.n_provinces * sizeof(int64_t))
        for p in range(m.n_provinces):
            if not s.unit[p]:
                continue
            location, w = location_of(s.unit[p]), power_of(s.unit[p])
            weight = self.sizes[w] * self.unit_percent[w] / 100
            self.counts[w][p] += not self.weak_variant
            for k in range(m.n_neighbours[location]):
                q = m.province[m.neighbours[location][k]]
                self.counts[w][q] += 1
                if w != power and m.is_centre[q] and s.owner[q] == power and weight > self.threat[q]:
                    self.threat[q] = weight
        for w in range(m.n_powers):
            if w == power:
                for p in range(m.n_provinces):
                    self.strength[p] = self.counts[w][p]
            else:
                for p in range(m.n_provinces):
                    weight = self.counts[w][p] * self.unit_percent[w] / 100
                    self.competition[p] = max(self.competition[p], weight)

    cdef void place_centres(self, const State* s, int power, const Scheme* scheme) noexcept nogil:
        """Proximity before any blurring: the centres only."""
        cdef const MapTables* m = self.tables.map
        cdef int64_t worth[256]
        cdef int i, p, owner, l
        memset(worth, 0, m.n_provinces * sizeof(int64_t))
        for i in range(m.n_centres):
            p = m.centres[i]
            owner = s.owner[p]
            if owner == power:
                worth[p] = self.threat[p] * scheme.defence
            else:
                worth[p] = self.sizes[NEUTRAL if owner == NOTHING else owner] * scheme.attack
            worth[p] = worth[p] * self.centre_percent[p] / 100
        for l in range(self.n_locations):
            self.blurred[l] = worth[m.province[l]]

    cdef void blur(self, int step) noexcept nogil:
        """One step: a location's proximity and the best of each neighbouring province, divided by five."""
        cdef const int64_t* before = self.blurred + (step - 1) * self.n_locations
        cdef int64_t* after = self.blurred + step * self.n_locations
        cdef int64_t own[256]
        cdef int64_t sum, best, beside
        cdef int l, i, p
        if self.weak_variant:
            memset(own, 0, sizeof(own))
            for l in range(self.n_locations):
                p = self.tables.map.province[l]
                own[p] = max(own[p], before[l])
        for l in range(self.n_locations):
            sum, best = own[self.tables.map.province[l]] if self.weak_variant else before[l], 0
            if not self.doubled[l]:
                for i in range(self.starts[l], self.starts[l + 1]):
                    sum += before[self.neighbours[i]]
            else:
                for i in range(self.starts[l], self.starts[l + 1]):
                    beside = before[self.neighbours[i]]
                    if not self.again[i]:
                        best = beside
                        sum += beside
                    elif beside > best:
                        sum += beside - best
                        best = beside
            after[l] = sum / SHARE


cdef list neighbours_of(const MapTables* m, int location, bint weak_variant):
    """``(province, location)`` of all locations from which values spread to one, sorted."""
    cdef int l, k
    if not weak_variant:
        return sorted(
            (m.province[m.neighbours[location][k]], m.neighbours[location][k])
            for k in range(m.n_neighbours[location])
        )
    return sorted((m.province[l], l) for l in range(m.n_locations) if has_bit(m.reach[l], m.province[location]))


cdef int read_scheme(given, Scheme* scheme) except -1:
    """Copy the numbers of a scheme."""
    attack, defence, strength, competition, guard, weights = given
    steps = tuple(weights)
    if not 1 <= len(steps) <= MAX_STEPS:
        raise ValueError(f"{len(steps)} weights of proximity; a scheme has 1 to {MAX_STEPS}")
    scheme.attack = attack
    scheme.defence = defence
    scheme.strength = strength
    scheme.competition = competition
    scheme.guard = guard
    scheme.n_steps = len(steps)
    for k, weight in enumerate(steps):
        scheme.steps[k] = weight
    return 0
