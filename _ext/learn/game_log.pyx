"""Games recorded as columns of bytes while they are played, without Python."""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport victor

cdef enum:
    GAME_PHASES, SEATS, SHARES, CENTRES, WINNER, SEEDS, YEAR, SEASON, KIND, N_UNITS, N_DISLODGED, OWNERS, N_ORDERS
    GAINS, VALUES, UNITS, DRIVEN, WAYS, ORDERS

NAMES: tuple[str, ...] = (
    "game_phases", "seats", "shares", "centres", "winner", "seeds", "year", "season", "kind", "n_units", "n_dislodged",
    "owners", "n_orders", "gains", "values", "units", "dislodged", "retreats", "orders",
)


cdef class GameLog:
    """Columns of G games with P phases together.

    By game: ``game_phases`` uint16[G], ``seats`` uint8[G, powers] (numbers of minds), ``shares`` float32[G, powers] of
    the final result (squares of centres in all squares, 1 for a solo), ``centres`` uint8[G, powers] at the end,
    ``winner`` int8[G] (-1: nobody), ``seeds`` uint64[G].

    By phase: ``year`` int16[P], ``season``, ``kind``, ``n_units`` and ``n_dislodged`` uint8[P], ``owners`` uint8[P,
    centres], ``n_orders`` uint8[P, powers], ``gains`` float32[P, powers] (points above the mean draw) and ``values``
    float32[P, powers] (expected points). Both are NaN for a power that computed no response; it also has values if
    there was only one set to choose.

    In sequence: ``units`` uint16 and ``dislodged`` uint16 (tokens) with ``retreats`` uint32, ``orders`` uint64. Numbers
    are in the machine's byte order.
    """

    def __cinit__(self):
        self.clear()

    def __dealloc__(self):
        self.clear()

    def columns(self) -> dict[str, bytes]:
        """The columns by name. Raises MemoryError if there was not enough room."""
        cdef int i
        columns = {}
        for i in range(COLUMNS):
            if self.kept[i].full:
                raise MemoryError("games too many to be kept together")
            columns[NAMES[i]] = self.kept[i].data[: self.kept[i].used] if self.kept[i].used else b""
        return columns

    cdef void clear(self) noexcept nogil:
        """Remove all games and free their memory."""
        cdef int i
        for i in range(COLUMNS):
            free(self.kept[i].data)
        memset(self.kept, 0, sizeof(self.kept))

    cdef void add(self, int column, const void* row, size_t size) noexcept nogil:
        """Add a row; without memory for it, nothing is added from then on and `full` is set."""
        cdef Column* c = &self.kept[column]
        cdef size_t room
        cdef char* grown
        if c.full:
            return
        if c.used + size > c.room:
            room = 2 * (c.used + size) + 4096
            grown = <char*>realloc(c.data, room)
            if grown == NULL:
                c.full = True
                return
            c.data, c.room = grown, room
        memcpy(c.data + c.used, row, size)
        c.used += size

    cdef void begin(self, const unsigned char* seats, int n_powers, uint64_t seed) noexcept nogil:
        """A game begins."""
        self.add(SEATS, seats, n_powers)
        self.add(SEEDS, &seed, sizeof(seed))

    cdef void orders(self, const Order* given, int n) noexcept nogil:
        """The orders of the next power of a phase, which `phase` ends."""
        cdef uint8_t count = n
        self.add(N_ORDERS, &count, 1)
        self.add(ORDERS, given, n * sizeof(Order))

    cdef void phase(self, const MapTables* m, const State* s, const float* gains, const float* values) noexcept nogil:
        """A phase, in its state before the added orders."""
        cdef uint8_t units = 0, driven = 0
        cdef int p
        for p in range(m.n_provinces):
            if s.unit[p]:
                units += 1
                self.add(UNITS, &s.unit[p], sizeof(s.unit[p]))
            if s.kind == RETREATS and s.dislodged[p]:
                driven += 1
                self.add(DRIVEN, &s.dislodged[p], sizeof(s.dislodged[p]))
                self.add(WAYS, &s.retreats[p], sizeof(s.retreats[p]))
        for p in range(m.n_centres):
            self.add(OWNERS, &s.owner[m.centres[p]], 1)
        self.add(YEAR, &s.year, sizeof(s.year))
        self.add(SEASON, &s.season, 1)
        self.add(KIND, &s.kind, 1)
        self.add(N_UNITS, &units, 1)
        self.add(N_DISLODGED, &driven, 1)
        self.add(GAINS, gains, m.n_powers * sizeof(float))
        self.add(VALUES, values, m.n_powers * sizeof(float))

    cdef void end(self, const MapTables* m, const State* s, uint16_t phases) noexcept nogil:
        """The game is over, after so many phases, in this state."""
        cdef int counts[256]
        cdef int i, power, squares = 0
        cdef int8_t winner = victor(m, s)
        cdef uint8_t owned
        cdef float share
        memset(counts, 0, sizeof(counts))
        for i in range(m.n_centres):
            counts[s.owner[m.centres[i]]] += 1
        for power in range(m.n_powers):
            squares += counts[power] * counts[power]
        for power in range(m.n_powers):
            share = power == winner
            if winner < 0 and squares:
                share = counts[power] * counts[power] / <float>squares
            owned = counts[power]
            self.add(SHARES, &share, sizeof(share))
            self.add(CENTRES, &owned, 1)
        self.add(WINNER, &winner, sizeof(winner))
        self.add(GAME_PHASES, &phases, sizeof(phases))
