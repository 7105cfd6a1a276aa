"""DumbBot and its family: values of centres, blurred over the map, and the choice of orders from them.

The value of every location has three parts:

- *Proximity*: a foreign centre is worth the size of its owner. An own centre is worth the size of the
  largest power that could move in. These values are blurred over the neighbours, step by step, and the
  steps are summed with weights.
- *Strength*: the number of own units that could be in the province next turn.
- *Competition*: the largest number of units that another power has there.

Orders are chosen unit by unit, with some randomness. A unit goes to the best place within reach, and sometimes to the
next best if that is nearly as good. If an own unit stays or goes there already it supports that unit, if others could
be there too.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.net.policy cimport Chooser
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.splitmix cimport next_number
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.rules.transition cimport adjustments_due


cdef enum:
    NEUTRAL = 31        # where the neutral centres stand among the sizes
    SHARE = 5           # what a sum over the neighbours is divided by

cdef enum:
    HELPS_STANDING = 1      # competition above which a unit that holds supports another that stands
    HELPS_MOVING = 0        # and any unit one that moves
    MAX_OPTIONS = MAX_NEIGHBOURS + 1

cdef enum:
    GOALS = 0               # what a walk is among
    RETREATS_AND_BUILDS = 1
    REMOVALS = 2

cdef enum:
    MAX_STEPS = 16

cdef struct Scheme:
    int64_t attack          # what the size of a centre's owner counts
    int64_t defence         # what the size of the largest power that threatens an own centre counts
    int64_t strength        # for each own unit that could be in the province
    int64_t competition     # for each unit of the power that has most of them there
    int64_t guard           # for the size of the largest power that threatens an own centre, at once
    int n_steps
    int64_t steps[MAX_STEPS]    # weight of the proximity after 0, 1, 2... steps of blurring


cdef class DumbBotPolicy(Chooser):
    """Orders for one power at a time, from the values of all locations and a random seed.

    `schemes` are three tuples ``(attack, defence, strength, competition, guard, steps)``, for Spring, Fall and Winter.
    They have the numbers of a `Scheme`; `steps` is a list of weights, one for each step of blurring and one more for
    none. `size` are the factors a, b, c of a power's size, a n n + b n + c with n centres. Neutral centres form one
    more power, whose size is `neutral_value` unless that is negative.

    `alternative` is the probability in percent of looking at the next best. It is then taken unless a second draw from
    0 to 99 is below ``(best - next) * modifier / best``. This repeats from there for at most `furthest` steps: three
    numbers, for movement, for retreats and builds, and for removals. A unit whose goal is occupied by a staying own
    unit supports that unit if the competition there is above `helps`.

    With `weak_variant` values spread between armies' and fleets' locations alike, from every coast, and strength and
    competition leave out the unit in the province. One draw does both, a difference counts without its sign, and
    retreats are chosen from all empty neighbours; a retreat that is not open becomes a disbandment. Raises ValueError
    for invalid numbers.
    """

    cdef Scheme schemes[3]              # by season
    cdef int64_t size[3]
    cdef int64_t neutral_value
    cdef int n_locations
    cdef bint weak_variant
    cdef int* starts                    # [location + 1]: where its neighbours begin
    cdef uint16_t* neighbours           # those of one province together
    cdef uint8_t* again                 # whether a neighbour is in the province of the one before
    cdef uint8_t* doubled               # whether a location has such neighbours
    cdef int64_t* blurred               # [step][location]
    cdef int64_t* value                 # [location]
    cdef int64_t sizes[32]              # by power; the last one is that of the neutral centres
    cdef int64_t threat[256]            # by province, like all that follows
    cdef int64_t strength[256]
    cdef int64_t competition[256]
    cdef int64_t centre_percent[256]
    cdef int64_t unit_percent[32]       # by power
    cdef int64_t prey_percent
    cdef uint16_t counts[32][256]
    cdef int alternative                # percent: how often the next best is looked at
    cdef int modifier                   # percent of a gap that keep the walk from going on
    cdef int furthest[3]                # how many steps a walk may take, by what it is among
    cdef int helps                      # competition above which an own unit that stands is supported
    cdef Order chosen[256]              # by province
    cdef uint8_t mover[256]             # province whose unit moves here, NOTHING if none does

    def __cinit__(
        self, Tables tables not None, schemes: Sequence[tuple[int, int, int, int, int, Sequence[int]]],
        size: Sequence[int], int64_t neutral_value, bint weak_variant, seed: int, int alternative, int modifier,
        furthest: Iterable[int], int helps,
    ):
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
        self.set_percentages([100] * m.n_provinces, [100] * m.n_powers, 100)
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
        furthest = tuple(furthest)
        if not 0 <= alternative <= 100 or modifier < 0 or len(furthest) != 3 or min(furthest) < 0:
            raise ValueError(f"no such walk: {alternative} percent, modifier {modifier}, steps {furthest}")
        self.chance = seed
        self.policy.orders = orders_of_dumbbot
        self.policy.work = <void*>self
        self.alternative = alternative
        self.modifier = modifier
        for k in range(3):
            self.furthest[k] = furthest[k]
        self.helps = helps

    def __dealloc__(self):
        free(self.starts)
        free(self.neighbours)
        free(self.again)
        free(self.doubled)
        free(self.blurred)
        free(self.value)

    def set_percentages(self, centres: Iterable[int], units: Iterable[int], int prey):
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

    def survey(self, Packed position not None, int power) -> dict[str, list[Any]]:
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

    def walked(self, values: Iterable[int], int furthest) -> int:
        """The index of the value, best first, at which the walk ends."""
        cdef int64_t given[256]
        values = tuple(values)
        if not 1 <= len(values) <= 256:
            raise ValueError(f"{len(values)} values to choose from; there can be 1 to 256")
        for i, value in enumerate(values):
            given[i] = value
        return self.walk(given, len(values), furthest)

    cdef int choose(self, const State* s, int power, Order* out) noexcept nogil:
        """Write the orders of a power: one for each unit, or for each build or removal due."""
        cdef const MapTables* m = self.tables.map
        cdef int p, n = 0, due
        self.look(s, power)
        if s.kind == ADJUSTMENTS:
            due = adjustments_due(m, s, power)
            return self.build(s, power, due, out) if due > 0 else self.remove(s, power, -due, out)
        memset(self.chosen, 0, m.n_provinces * sizeof(Order))
        if s.kind == MOVEMENT:
            self.move(s, power)
            self.use_holds(s, power)
        else:
            self.retreat(s, power)
        for p in range(m.n_provinces):
            if self.chosen[p].kind:
                out[n] = self.chosen[p]
                n += 1
        return n

    cdef int draw(self, int below) noexcept nogil:
        """A uniform random number from 0 to `below` - 1."""
        return <int>(((next_number(&self.chance) >> 32) * <uint64_t>below) >> 32)

    cdef int walk(self, const int64_t* values, int n, int furthest) noexcept nogil:
        """Walk down a list from its first value; returns where the walk ends."""
        cdef int i = 0, drawn
        cdef int64_t gap
        cdef double hurdle
        while i + 1 < n and i < furthest:
            drawn = self.draw(100)
            if drawn >= self.alternative:
                break
            gap = values[i] - values[i + 1]
            if self.weak_variant and gap < 0:
                gap = -gap
            hurdle = 0 if values[i] == 0 else <double>gap * self.modifier / values[i]
            # Below the whole part of the hurdle, put so that nothing too large is made an integer.
            if (drawn if self.weak_variant else self.draw(100)) + 1 <= hurdle:
                break
            i += 1
        return i

    cdef int shuffled(self, uint8_t* places, int n) noexcept nogil:
        """Put places into random order; returns their number."""
        cdef int i, j
        cdef uint8_t place
        for i in range(n - 1, 0, -1):
            j = self.draw(i + 1)
            place = places[i]
            places[i] = places[j]
            places[j] = place
        return n

    cdef void move(self, const State* s, int power) noexcept nogil:
        """Choose a move, a support or a hold for every unit of the power, in random order."""
        cdef const MapTables* m = self.tables.map
        cdef uint8_t places[256]
        cdef uint8_t next[256]          # the queue of units: the one behind each
        cdef uint8_t put_back[256]      # how often a unit has waited for another
        cdef uint16_t locations[MAX_OPTIONS]
        cdef int64_t values[MAX_OPTIONS]
        cdef int p, i, n = 0, place, front, location, target
        memset(self.mover, NOTHING, m.n_provinces)
        memset(put_back, 0, m.n_provinces)
        for p in range(m.n_provinces):
            if s.unit[p] and power_of(s.unit[p]) == power:
                places[n] = p
                n += 1
        if n == 0:
            return
        self.shuffled(places, n)
        for i in range(n):
            next[places[i]] = places[i + 1] if i + 1 < n else NOTHING
        front = places[0]
        cdef int n_units = n
        while front != NOTHING:
            place, front = front, next[front]
            location = location_of(s.unit[place])
            n = 0
            for i in range(m.n_neighbours[location]):
                target = m.neighbours[location][i]
                n = put_in(locations, values, n, target, self.value[target])
            n = put_in(locations, values, n, location, self.value[location] + 1)
            while True:
                if n == 0:
                    self.settle(s, power, place, location)
                    break
                i = self.walk(values, n, self.furthest[GOALS])
                p = m.province[locations[i]]
                if (
                    p != place and s.unit[p] and power_of(s.unit[p]) == power and not self.chosen[p].kind
                    and put_back[place] < n_units
                ):
                    # It waits until the other has its order. Two that want each other's place would
                    # wait for ever, hence the limit.
                    put_back[place] += 1
                    next[place] = next[p]
                    next[p] = place
                    break
                if self.settle(s, power, place, locations[i]):
                    break
                n = take_out(locations, values, n, i)

    cdef bint settle(self, const State* s, int power, int place, int location) noexcept nogil:
        """Give the unit in a place the order for its goal; False if it should look for another."""
        cdef int p = self.tables.map.province[location], unit = location_of(s.unit[place])
        cdef bint own = p != place and s.unit[p] and power_of(s.unit[p]) == power
        cdef Order* order = &self.chosen[place]
        if p == place:
            write(order, HOLD, unit, 0, 0)
            return True
        if own and self.chosen[p].kind != MOVE:
            if self.chosen[p].kind == NO_ORDER or self.competition[p] <= self.helps:
                return False
            write(order, SUPPORT_HOLD, unit, location_of(s.unit[p]), 0)
            return True
        if self.mover[p] != NOTHING:
            if self.competition[p] <= HELPS_MOVING:
                return False
            write(order, SUPPORT_MOVE, unit, location_of(s.unit[self.mover[p]]), self.chosen[self.mover[p]].target)
            return True
        write(order, MOVE, unit, location, 0)
        self.mover[p] = place
        return True

    cdef void use_holds(self, const State* s, int power) noexcept nogil:
        """Let units that hold support the most valuable own move or own unit beside them."""
        cdef const MapTables* m = self.tables.map
        cdef int place, p, k, location, unit, best
        cdef int64_t most
        for place in range(m.n_provinces):
            if self.chosen[place].kind != HOLD:
                continue
            unit, best, most = location_of(s.unit[place]), -1, 0
            for k in range(m.n_neighbours[unit]):
                location = m.neighbours[unit][k]
                p = m.province[location]
                if self.mover[p] != NOTHING:
                    if self.competition[p] <= HELPS_MOVING:
                        continue
                elif not self.chosen[p].kind or self.chosen[p].kind == MOVE:
                    continue
                elif self.competition[p] <= HELPS_STANDING:
                    continue
                if self.value[location] > most:
                    best, most = location, self.value[location]
            if best >= 0:
                self.settle(s, power, place, best)

    cdef void retreat(self, const State* s, int power) noexcept nogil:
        """Choose retreats, in random order and never two to one province; a unit without one disbands."""
        cdef const MapTables* m = self.tables.map
        cdef uint8_t places[256]
        cdef uint8_t taken[256]
        cdef uint16_t locations[MAX_OPTIONS]
        cdef int64_t values[MAX_OPTIONS]
        cdef int p, i, j, n = 0, k, place, unit, target
        memset(taken, 0, m.n_provinces)
        for p in range(m.n_provinces):
            if s.dislodged[p] and power_of(s.dislodged[p]) == power:
                places[n] = p
                n += 1
        for j in range(self.shuffled(places, n)):
            place = places[j]
            unit = location_of(s.dislodged[place])
            n = 0
            for k in range(m.n_neighbours[unit]):
                target = m.neighbours[unit][k]
                p = m.province[target]
                if (self.weak_variant or s.retreats[place] >> k & 1) and not s.unit[p]:
                    n = put_in(locations, values, n, target, self.value[target])
            while True:
                if n == 0:
                    write(&self.chosen[place], DISBAND, unit, 0, 0)
                    break
                i = self.walk(values, n, self.furthest[RETREATS_AND_BUILDS])
                p = m.province[locations[i]]
                if not taken[p]:
                    taken[p] = True
                    k = neighbour_number(m, unit, locations[i])
                    write(&self.chosen[place], RETREAT if s.retreats[place] >> k & 1 else DISBAND, unit,
                          locations[i] if s.retreats[place] >> k & 1 else 0, 0)
                    break
                n = take_out(locations, values, n, i)

    cdef int remove(self, const State* s, int power, int due, Order* out) noexcept nogil:
        """Write removals, walking from the least valuable unit; returns their number."""
        cdef const MapTables* m = self.tables.map
        cdef uint16_t locations[256]
        cdef int64_t values[256]
        cdef int p, i, n = 0, location, removed = 0
        for p in range(m.n_provinces):
            if s.unit[p] and power_of(s.unit[p]) == power:
                location = location_of(s.unit[p])
                n = put_in_all(locations, values, n, location, -self.value[location])
        for i in range(n):
            values[i] = -values[i]
        while removed < due and n:
            i = self.walk(values, n, self.furthest[REMOVALS])
            write(&out[removed], DISBAND, locations[i], 0, 0)
            removed += 1
            n = take_out(locations, values, n, i)
        return removed

    cdef int build(self, const State* s, int power, int due, Order* out) noexcept nogil:
        """Write builds, walking over the open homes, and waive the rest; returns their number."""
        cdef const MapTables* m = self.tables.map
        cdef uint16_t locations[1024]
        cdef int64_t values[1024]
        cdef int l, p, i, n = 0, built = 0
        for l in range(m.n_locations):
            p = m.province[l]
            if m.is_centre[p] and s.owner[p] == power and not s.unit[p] and m.home_of[p] >> power & 1:
                n = put_in_all(locations, values, n, l, self.value[l])
        while built < due and n:
            i = self.walk(values, n, self.furthest[RETREATS_AND_BUILDS])
            write(&out[built], BUILD, locations[i], 0, 0)
            built += 1
            p = m.province[locations[i]]
            for i in range(n - 1, -1, -1):
                if m.province[locations[i]] == p:
                    n = take_out(locations, values, n, i)
        for i in range(built, due):
            write(&out[i], WAIVE, 0, 0, 0)
        return due


cdef int orders_of_dumbbot(void* work, const State* s, int power, uint64_t* chance, Order* out) noexcept nogil:
    """The orders of a `DumbBotPolicy`, with a given random generator."""
    cdef int n
    (<DumbBotPolicy>work).chance = chance[0]
    n = (<DumbBotPolicy>work).choose(s, power, out)
    chance[0] = (<DumbBotPolicy>work).chance
    return n


cdef inline void write(Order* order, int kind, int unit, int target, int destination) noexcept nogil:
    """Fill in an order."""
    order.kind = kind
    order.flags = 0
    order.unit = unit
    order.target = target
    order.destination = destination


cdef inline int neighbour_number(const MapTables* m, int location, int neighbour) noexcept nogil:
    """The index of a location among another's neighbours."""
    cdef int k = 0
    while m.neighbours[location][k] != neighbour:
        k += 1
    return k


cdef inline int put_in(uint16_t* locations, int64_t* values, int n, int location, int64_t value) noexcept nogil:
    """Insert a location into a list, best first, unless one of equal value is there; returns the length."""
    cdef int i
    for i in range(n):
        if values[i] == value:
            return n
    return put_in_all(locations, values, n, location, value)


cdef inline int put_in_all(uint16_t* locations, int64_t* values, int n, int location, int64_t value) noexcept nogil:
    """Insert a location into a list, best first and after its equals; returns the length."""
    cdef int i = n
    while i > 0 and values[i - 1] < value:
        locations[i] = locations[i - 1]
        values[i] = values[i - 1]
        i -= 1
    locations[i] = location
    values[i] = value
    return n + 1


cdef inline int take_out(uint16_t* locations, int64_t* values, int n, int i) noexcept nogil:
    """Remove an entry from a list; returns the length."""
    while i + 1 < n:
        locations[i] = locations[i + 1]
        values[i] = values[i + 1]
        i += 1
    return n - 1


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
    scheme.attack, scheme.defence, scheme.strength, scheme.competition, scheme.guard, weights = given
    steps = tuple(weights)
    if not 1 <= len(steps) <= MAX_STEPS:
        raise ValueError(f"{len(steps)} weights of proximity; a scheme has 1 to {MAX_STEPS}")
    scheme.n_steps = len(steps)
    for k, weight in enumerate(steps):
        scheme.steps[k] = weight
    return 0
