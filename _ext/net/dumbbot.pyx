"""The choice of orders from values, as in DumbBot and its family: unit by unit, with some randomness.

A unit goes to the best place within reach, and sometimes to the next best if that is nearly as good. If an own unit
stays or goes there already it supports that unit, if others could be there too.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from bordeaux._ext.net.dumbbot_values cimport DumbBotValues
from bordeaux._ext.rules.splitmix cimport next_number
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport adjustments_due


cdef enum:
    HELPS_STANDING = 1      # competition above which a unit that holds supports another that stands
    HELPS_MOVING = 0        # and any unit one that moves
    MAX_OPTIONS = MAX_NEIGHBOURS + 1

cdef enum:
    GOALS = 0               # what a walk is among
    RETREATS_AND_BUILDS = 1
    REMOVALS = 2


cdef class DumbBotPolicy(DumbBotValues):
    """Orders for one power at a time, from the values of `DumbBotValues` and a random seed.

    `alternative` is the probability in percent of looking at the next best. It is then taken unless a second draw from
    0 to 99 is below ``(best - next) * modifier / best``. This repeats from there for at most `furthest` steps: three
    numbers, for movement, for retreats and builds, and for removals. A unit whose goal is occupied by a staying own
    unit supports that unit if the competition there is above `helps`.

    With `weak_variant` one draw does both, a difference counts without its sign, and retreats are chosen from all empty
    neighbours; a retreat that is not open becomes a disbandment. Raises ValueError for invalid numbers.
    """

    cdef int alternative                # percent: how often the next best is looked at
    cdef int modifier                   # percent of a gap that keep the walk from going on
    cdef int furthest[3]                # how many steps a walk may take, by what it is among
    cdef int helps                      # competition above which an own unit that stands is supported
    cdef Order chosen[256]              # by province
    cdef uint8_t mover[256]             # province whose unit moves here, NOTHING if none does

    def __cinit__(
        self, tables, schemes, size, neutral_value, weak_variant, seed, int alternative, int modifier, furthest,
        int helps,
    ):
        furthest = tuple(furthest)
        if not 0 <= alternative <= 100 or modifier < 0 or len(furthest) != 3 or min(furthest) < 0:
            raise ValueError(f"no such walk: {alternative} percent, modifier {modifier}, steps {furthest}")
        self.chance = seed
        self.policy.orders = orders_of_dumbbot
        self.policy.work = <void*>self
        self.alternative = alternative
        self.modifier = modifier
        for i, steps in enumerate(furthest):
            self.furthest[i] = steps
        self.helps = helps

    def walked(self, values, int furthest):
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


cdef inline int put_in_all(
    uint16_t* locations, int64_t* values, int n, int location, int64_t value
) noexcept nogil:
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
