"""A board as the input of a learnt policy, from the view of one power.

Each province has some rows of an input table, which a net sums up. They encode the unit there, the owner of the centre,
and the number of units that could move in. They also encode the recent relations of the powers concerned. On the
standard map they also encode the province. A few rows are of the power itself. Row 0 means unknown. A power's possible
orders are options: the order with its provinces, and its effect.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from bordeaux._ext.net.memory cimport Memory
from bordeaux._ext.net.options cimport (
    MAX_OPTIONS, ORDER_ROWS, PATTERN_ROWS, Option, options_of, see_patterns, since_start
)
from bordeaux._ext.rules.structures cimport *

# Where each group of rows begins.
cdef enum:
    OCCUPANT = 1
    CENTRE = OCCUPANT + 9
    TERRAIN = CENTRE + 8
    REACH = TERRAIN + 3
    FOES = REACH + 25
    REGARD_OCCUPANT = FOES + 7
    REGARD_OWNER = REGARD_OCCUPANT + 17
    TRIED = REGARD_OWNER + 17
    COUNT = TRIED + 9
    RIVAL = COUNT + 19
    PHASE = RIVAL + 19
    DUE = PHASE + 40
    HELD = DUE + 7
    HELPED_ROWS = HELD + 5
    GENERAL = HELPED_ROWS + 6

cdef enum:
    YEARS = 8               # those after the first seven count as one
    OPENINGS = 5            # phases in which places have rows of their own


cdef class Facts:
    """The inputs of powers on a map. With `names` provinces have rows of their own, which come last: rows from
    `n_general` on. `n_rows` is the number of all rows."""

    def __cinit__(self, Tables tables not None, bint names=True):
        cdef const MapTables* m = tables.map
        self.tables = tables
        self.names = names
        self.n_general = GENERAL
        self.n_rows = GENERAL
        if names:
            self.n_rows += m.n_provinces * (1 + m.n_powers + 9 + OPENINGS * m.n_powers)
        if self.n_rows > 0xFFFF:
            raise ValueError("the map is too large for provinces to have rows of their own")

    @property
    def pattern_rows(self) -> int:
        """The number of rows of the table of patterns."""
        return PATTERN_ROWS

    @property
    def order_rows(self) -> int:
        """The number of rows of the table of orders."""
        return ORDER_ROWS

    def seen(self, Packed packed not None, int power, Memory memory=None) -> bytes:
        """Rows as bytes of 16-bit numbers: twelve for each province, then six of the power. Raises
        ValueError for another map and for no power."""
        cdef const MapTables* m = self.tables.map
        cdef Survey v
        cdef uint16_t rows[256 * NODE_ROWS + POWER_ROWS]
        cdef int p
        self.check(packed, power)
        survey(m, &packed.state, &v)
        for p in range(m.n_provinces):
            see_province(
                m, &packed.state, &v, NULL if memory is None else &memory.record, power, p,
                GENERAL if self.names else 0, rows + p * NODE_ROWS,
            )
        see_power(
            m, &packed.state, &v, NULL if memory is None else &memory.record, power, rows + m.n_provinces * NODE_ROWS
        )
        return (<unsigned char*>rows)[:(m.n_provinces * NODE_ROWS + POWER_ROWS) * sizeof(uint16_t)]

    def options(self, Packed packed not None, int power, Memory memory=None) -> bytes:
        """The possible orders of a power, 28 bytes for each option. The first 8 are the code of the order. The number
        of the unit has 1 byte, and 1 byte says whether it would repeat its order (1) or go back (2). The row in the
        table of orders has 2. The kind and the provinces of the unit, of its goal and of the helped unit have 1 each.
        Three rows in the table of patterns have 4 each. Raises ValueError as `seen` does."""
        cdef Option options[MAX_OPTIONS]
        cdef Survey v
        cdef uint16_t rows[256][NODE_ROWS]
        cdef int n, i, p
        self.check(packed, power)
        n = options_of(
            self.tables.map, &packed.state, NULL if memory is None else &memory.record, power, options, MAX_OPTIONS
        )
        survey(self.tables.map, &packed.state, &v)
        for p in range(self.tables.map.n_provinces):
            see_province(self.tables.map, &packed.state, &v, NULL, power, p, 0, rows[p])
        for i in range(n):
            see_patterns(&packed.state, power, rows[options[i].source], rows[options[i].goal], &options[i])
        return (<unsigned char*>options)[:n * sizeof(Option)]

    cdef int check(self, Packed packed, int power) except -1:
        if packed.tables is not self.tables:
            raise ValueError("a position on another map than the tables")
        if not 0 <= power < self.tables.map.n_powers:
            raise ValueError(f"there is no power number {power}")
        return 0


cdef void survey(const MapTables* m, const State* s, Survey* v) noexcept nogil:
    """Count the features that are the same for all powers."""
    cdef int i, w, p, q, power, n
    cdef uint64_t bits
    v.n_units = rows_places(v.places, s.unit, m.n_provinces)
    memset(v.total, 0, 256)
    memset(v.most, 0, 256)
    memset(v.next, 0, 256)
    memset(v.mighty, NOTHING, 256)
    memset(v.centres, 0, sizeof(v.centres))
    memset(v.units, 0, sizeof(v.units))
    for power in range(m.n_powers):
        memset(v.beside[power], 0, m.n_provinces)
    for i in range(v.n_units):
        p = v.places[i]
        power = power_of(s.unit[p])
        v.units[power] += 1
        for w in range(m.n_words):
            bits = m.reach[location_of(s.unit[p])][w]
            while bits:
                q = 64 * w + lowest_bit(bits)
                bits &= bits - 1
                v.beside[power][q] += 1
                v.total[q] += 1
    for power in range(m.n_powers):
        if v.units[power]:
            for q in range(m.n_provinces):
                n = v.beside[power][q]
                if n > v.most[q]:
                    v.next[q] = v.most[q]
                    v.most[q] = n
                    v.mighty[q] = power
                elif n > v.next[q]:
                    v.next[q] = n
    for i in range(m.n_centres):
        if s.owner[m.centres[i]] != NOTHING:
            v.centres[s.owner[m.centres[i]]] += 1


cdef inline int compared(const Survey* v, int power, int other) noexcept nogil:
    """Whether another power is weaker (0), about equal (1) or stronger (2), by its centres."""
    cdef int gap = v.centres[other] - v.centres[power]
    return 0 if gap < -1 else 1 if gap <= 1 else 2


cdef void see_power(
    const MapTables* m, const State* s, const Survey* v, const Record* memory, int power, uint16_t* rows
) noexcept nogil:
    """The six rows of a power."""
    cdef int other, rival = 0, kind
    for other in range(m.n_powers):
        if other != power:
            rival = max(rival, v.centres[other])
    kind = 4 if s.kind == ADJUSTMENTS or s.kind == COMPLETED else (2 if s.kind == RETREATS else 0) + (s.season == FALL)
    rows[0] = COUNT + min(v.centres[power], 18)
    rows[1] = RIVAL + min(rival, 18)
    rows[2] = PHASE + kind * YEARS + min(since_start(s), YEARS - 1)
    rows[3] = DUE + 3 + max(-3, min(3, v.units[power] - v.centres[power]))
    rows[4] = rows[5] = 0
    if memory != NULL and memory.known:
        rows[4] = HELD + min(memory.held[power], 4)
        rows[5] = HELPED_ROWS + min(memory.helped[power], 5)


cdef inline uint16_t regarded(const Record* memory, int power, int other, int first) noexcept nogil:
    """The row for the recent relation of a power and another; row 0 without another."""
    if other == NOTHING or other == power:
        return 0
    if memory == NULL or not memory.known:
        return 0
    return first + 1 + 4 * memory.regard[power][other] + memory.regard[other][power]


cdef void see_province(
    const MapTables* m, const State* s, const Survey* v, const Record* memory, int power, int p, int names,
    uint16_t* rows
) noexcept nogil:
    """The twelve rows of a province; `names` is the first row of those by name, 0 for none."""
    cdef int standing = NOTHING, owner = s.owner[p] if m.is_centre[p] else NOTHING, occupant = 0, centre = 0
    cdef int own = v.beside[power][p], foes = v.total[p] - own, most, n = m.n_provinces, opening
    cdef uint16_t token = s.unit[p]
    if token:
        standing = power_of(token)
        occupant = 1 + m.is_fleet[location_of(token)]
        if standing != power:
            occupant = 3 + 3 * m.is_fleet[location_of(token)] + compared(v, power, standing)
    if m.is_centre[p]:
        if owner == NOTHING:
            centre = 1
        elif owner == power:
            centre = 2 + ((m.home_of[p] >> power) & 1)
        elif (m.home_of[p] >> power) & 1:
            centre = 7
        else:
            centre = 4 + compared(v, power, owner)
    most = v.next[p] if v.mighty[p] == power else v.most[p]
    rows[0] = OCCUPANT + occupant
    rows[1] = CENTRE + centre
    rows[2] = TERRAIN + m.terrain[p]
    rows[3] = REACH + 5 * min(own, 4) + min(most, 4)
    rows[4] = FOES + min(foes, 6)
    rows[5] = regarded(memory, power, standing, REGARD_OCCUPANT)
    rows[6] = regarded(memory, power, owner, REGARD_OWNER)
    rows[7] = 0
    if memory != NULL and memory.known:
        rows[7] = (
            TRIED + 1 + ((memory.tried[p] >> power) & 1) + 2 * ((memory.tried[p] & ~(<uint32_t>1 << power)) != 0)
            + 4 * memory.arrived[p]
        )
    if names == 0:
        rows[8] = rows[9] = rows[10] = rows[11] = 0
        return
    rows[8] = names + p
    rows[9] = names + n * (1 + power) + p
    rows[10] = names + n * (1 + m.n_powers) + p * 9 + occupant
    rows[11] = 0
    opening = 4 if s.kind == ADJUSTMENTS else 2 * since_start(s) + (s.season == FALL)
    if s.kind != RETREATS and since_start(s) < 2 and (s.kind == MOVEMENT or since_start(s) == 0):
        rows[11] = names + n * (10 + m.n_powers + opening * m.n_powers + power) + p
