"""Recorded games for the core, phase by phase, without Python.

A game log (`bordeaux._ext.learn.selfplay`) is decoded into states, orders, and the memory of the phases before.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.net.memory cimport Deeds, Record, begin_deeds, recall
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.structures cimport *

from itertools import accumulate
from array import array


cdef class Recorded:
    """The games of the columns of a `GameLog`, bytes by name, on a map.

    Raises ValueError with the name of the column if one is missing or has the wrong length, contains an unknown power,
    unit or place, or two units in one place.
    """

    def __cinit__(self, Tables tables not None, columns: Mapping[str, bytes]):
        cdef int n = tables.map.n_powers
        self.tables = tables
        self.columns = {name: bytes(columns[name]) for name in columns}
        phases = array("H", self.column("game_phases", 2, -1))
        self.n_games, self.n_phases = len(phases), sum(phases)
        self.seats = self.start("seats", n, self.n_games)
        self.shares = <const float*>self.start("shares", 4 * n, self.n_games)
        self.winner = <const int8_t*>self.start("winner", 1, self.n_games)
        self.gains = <const float*>self.start("gains", 4 * n, self.n_phases)
        self.values = <const float*>self.start("values", 4 * n, self.n_phases)
        self.year = <const int16_t*>self.start("year", 2, self.n_phases)
        self.season = self.start("season", 1, self.n_phases)
        self.kind = self.start("kind", 1, self.n_phases)
        self.owners = self.start("owners", tables.map.n_centres, self.n_phases)
        self.n_orders = self.start("n_orders", n, self.n_phases)
        units, driven = self.column("n_units", 1, self.n_phases), self.column("n_dislodged", 1, self.n_phases)
        orders = self.column("n_orders", n, self.n_phases)
        self.units = <const uint16_t*>self.start("units", 2, sum(units))
        self.dislodged = <const uint16_t*>self.start("dislodged", 2, sum(driven))
        self.retreats = <const uint32_t*>self.start("retreats", 4, sum(driven))
        self.codes = <const uint64_t*>self.start("orders", 8, sum(orders))
        sums = [array("I", accumulate(counts, initial=0)) for counts in (phases, units, driven, orders)]
        self.sums = b"".join(counts.tobytes() for counts in sums)
        self.first_phase = <const uint32_t*><const char*>self.sums
        self.first_unit = self.first_phase + len(sums[0])
        self.first_driven = self.first_unit + len(sums[1])
        self.first_order = self.first_driven + len(sums[2])
        self.check()

    cdef bytes column(self, str name, int size, int rows):
        """A column, of so many rows of so many bytes unless `rows` is below 0."""
        if name not in self.columns:
            raise ValueError(f"{name}: missing")
        cdef bytes data = self.columns[name]
        if len(data) % size or (rows >= 0 and len(data) != size * rows):
            raise ValueError(f"{name}: {len(data)} bytes, not {max(rows, 0)} rows of {size}")
        return data

    cdef const uint8_t* start(self, str name, int size, int rows) except NULL:
        cdef bytes data = self.column(name, size, rows)
        return <const uint8_t*><const char*>data

    cdef int check(self) except -1:
        """Check every number that the core would use as an index."""
        cdef const MapTables* m = self.tables.map
        cdef uint8_t taken[256]
        cdef Order order
        cdef int phase, p, part
        cdef uint32_t k
        for phase in range(self.n_phases):
            if self.season[phase] > WINTER or self.kind[phase] > ADJUSTMENTS:
                raise ValueError(f"kind: phase {phase} is none that is played")
            for k in range(m.n_centres):
                p = self.owners[phase * m.n_centres + k]
                if p != NOTHING and p >= m.n_powers:
                    raise ValueError(f"owners: phase {phase} has a power that there is not")
            for part in range(2):
                memset(taken, 0, sizeof(taken))
                firsts = self.first_driven if part else self.first_unit
                tokens = self.dislodged if part else self.units
                for k in range(firsts[phase], firsts[phase + 1]):
                    if (
                        location_of(tokens[k]) >= m.n_locations or not tokens[k] or power_of(tokens[k]) >= m.n_powers
                        or taken[m.province[location_of(tokens[k])]]
                    ):
                        raise ValueError(f"{'dislodged' if part else 'units'}: phase {phase} has one that cannot be")
                    taken[m.province[location_of(tokens[k])]] = 1
                    if part and self.retreats[k] >> m.n_neighbours[location_of(tokens[k])]:
                        raise ValueError(f"retreats: phase {phase} has a way that there is not")
        for k in range(self.first_order[self.n_phases * m.n_powers]):
            memcpy(&order, &self.codes[k], sizeof(order))
            if max(order.unit, order.target, order.destination) >= m.n_locations:
                raise ValueError(f"orders: number {k} has a place that there is not")
        return 0

    def packed(self, int phase) -> Packed:
        """The position at the beginning of a phase. Raises IndexError for an unknown phase."""
        cdef Packed position
        if not 0 <= phase < self.n_phases:
            raise IndexError(f"no phase {phase} of {self.n_phases}")
        position = Packed.__new__(Packed)
        position.tables = self.tables
        self.state(phase, &position.state)
        return position

    cdef int game_of(self, int phase) noexcept nogil:
        """The game of a phase."""
        cdef int low = 0, high = self.n_games, middle
        while high - low > 1:
            middle = (low + high) / 2
            if <int>self.first_phase[middle] <= phase:
                low = middle
            else:
                high = middle
        return low

    cdef void state(self, int phase, State* out) noexcept nogil:
        """The position at the beginning of a phase."""
        cdef const MapTables* m = self.tables.map
        cdef uint32_t k
        cdef int p, i
        memset(out, 0, sizeof(State))
        memset(out.owner, NOTHING, m.n_provinces)
        out.year, out.season, out.kind = self.year[phase], self.season[phase], self.kind[phase]
        for k in range(self.first_unit[phase], self.first_unit[phase + 1]):
            out.unit[m.province[location_of(self.units[k])]] = self.units[k]
        for k in range(self.first_driven[phase], self.first_driven[phase + 1]):
            p = m.province[location_of(self.dislodged[k])]
            out.dislodged[p], out.retreats[p] = self.dislodged[k], self.retreats[k]
        for i in range(m.n_centres):
            out.owner[m.centres[i]] = self.owners[phase * m.n_centres + i]

    cdef int orders(self, int phase, int power, Order* out, int room) noexcept nogil:
        """Write the orders of a power; returns their number."""
        cdef const uint32_t* first = self.first_order + phase * self.tables.map.n_powers + power
        cdef int n = min(<int>(first[1] - first[0]), room)
        memcpy(out, self.codes + first[0], n * sizeof(Order))
        return n

    cdef void deeds(self, int phase, Deeds* out) noexcept nogil:
        """The orders of a movement phase by province; units without one hold."""
        cdef const MapTables* m = self.tables.map
        cdef State state
        cdef Order order
        cdef uint32_t k
        self.state(phase, &state)
        begin_deeds(m, &state, out)
        for k in range(self.first_order[phase * m.n_powers], self.first_order[(phase + 1) * m.n_powers]):
            memcpy(&order, &self.codes[k], sizeof(order))
            out.given[m.province[order.unit]] = order

    cdef void remembered(self, int game, int phase, const State* s, Record* out) noexcept nogil:
        """The memory in a phase of a game, whose position is `s`, of the two movement phases before it."""
        cdef Deeds deeds[2]         # the last ones, and those before
        cdef int i, k = phase - 1, first = self.first_phase[game]
        for i in range(2):
            deeds[i].known = 0
            while k >= first and self.kind[k] != MOVEMENT:
                k -= 1
            if k >= first:
                self.deeds(k, &deeds[i])
            k -= 1
        recall(self.tables.map, s, &deeds[1], &deeds[0], out)
