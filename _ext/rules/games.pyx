"""Many games at once: their states, legal orders, steps and observations, in arrays.

What must be ordered in a phase is laid out in *rows*, by game, power and province: one for each unit, dislodged unit,
or build or removal that is due. Rows of builds and removals have no province. All that is done for a game depends on
that game alone, so that ranges of games may be dealt to any number of threads.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.adjudicate cimport record_outcomes
from bordeaux._ext.rules.codes cimport on_map
from bordeaux._ext.rules.legal cimport (
    Convoys, adjustments_of, find_convoys, is_legal, orders_of_unit, retreats_of_unit
)
from bordeaux._ext.rules.order_numbers cimport OrderNumbers
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.resolve cimport Joint, clear_joint, give, resolve_joint
from bordeaux._ext.rules.splitmix cimport mix, next_number
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport count_centres, square_shares, victor

cdef enum:
    BUFFER = 8192       # legal orders of one unit
    MAX_YEAR = 9999
    MAX_GAMES = 1 << 24

# How the end of a game is scored.
cdef enum:
    SQUARES = 0
    DRAW = 1
    SOLO = 2

# Why an order is refused.
cdef enum:
    NOT_ON_MAP = 1
    GAME_OVER = 2
    NOT_TO_ORDER = 3
    ORDERED_TWICE = 4
    TOO_MANY = 5
    ILLEGAL = 6


cdef class Games:
    """`n` games from `start`, all on one map. Methods with `low` and `high` are for the games from `low` to `high` - 1.
    They release the GIL, and may be called for disjoint ranges at once. `rules` are bits of RULE_..., `numbers` the
    table of orders.

    Raises ValueError for what does not fit; then nothing has changed.
    """

    def __cinit__(self, OrderNumbers numbers not None, Packed start not None, int n, int rules=0):
        cdef const MapTables* m = numbers.tables.map
        cdef size_t places
        cdef int g
        if start.tables is not numbers.tables:
            raise ValueError("the start is on another map than the table of orders")
        if not 1 <= n <= MAX_GAMES:
            raise ValueError(f"{n} games; there can be 1 to {MAX_GAMES}")
        self.tables, self.numbers, self.n, self.rules = numbers.tables, numbers, n, rules
        self.start = start.state
        places = <size_t>n * m.n_provinces
        self.states = <State*>calloc(n, sizeof(State))
        self.ended = <uint8_t*>calloc(n, 1)
        self.chance = <uint64_t*>calloc(n, sizeof(uint64_t))
        self.counts = <uint8_t*>calloc(<size_t>n * m.n_powers, 1)
        self.rows = <int64_t*>calloc(<size_t>n * m.n_powers + 1, sizeof(int64_t))
        self.laid = <uint8_t*>calloc(n, 1)
        self.last_order = <int32_t*>calloc(places, sizeof(int32_t))
        self.last_power = <int8_t*>calloc(places, 1)
        self.last_result = <uint8_t*>calloc(places, 1)
        if (
            self.states == NULL or self.ended == NULL or self.chance == NULL or self.counts == NULL or self.rows == NULL
            or self.laid == NULL or self.last_order == NULL or self.last_power == NULL or self.last_result == NULL
        ):
            raise MemoryError
        for g in range(n):
            self.begin(g, &self.start)
        self.renew()

    def __dealloc__(self):
        free(self.states)
        free(self.ended)
        free(self.chance)
        free(self.counts)
        free(self.rows)
        free(self.given)
        free(self.laid)
        free(self.last_order)
        free(self.last_power)
        free(self.last_result)

    cdef void begin(self, int g, const State* s) noexcept nogil:
        """Put a game into a state, without a last phase."""
        cdef int n = self.tables.map.n_provinces
        cdef size_t at = <size_t>g * n
        self.states[g] = s[0]
        self.ended[g] = s.kind == COMPLETED
        memset(self.last_order + at, 0xFF, n * sizeof(int32_t))
        memset(self.last_power + at, 0xFF, n)
        memset(self.last_result + at, 0, n)
        self.note_rows(g)

    cdef void note_rows(self, int g) noexcept nogil:
        """Note how many rows each power of a game has in its new phase, which has no orders yet."""
        cdef int power, n = self.tables.map.n_powers
        cdef Rows rows
        self.laid[g] = 0
        list_rows(self.tables.map, &self.states[g], self.ended[g], &rows)
        for power in range(n):
            self.counts[<size_t>g * n + power] = <uint8_t>(rows.first[power + 1] - rows.first[power])

    def renew(self):
        """Lay out the rows of the phases that the games are in. To be called after `step` on all ranges."""
        cdef size_t i, n = <size_t>self.n * self.tables.map.n_powers
        cdef void* grown
        for i in range(n):
            self.rows[i + 1] = self.rows[i] + self.counts[i]
        if self.rows[n] > self.room:
            grown = realloc(self.given, self.rows[n] * sizeof(uint64_t))
            if grown == NULL:
                raise MemoryError
            self.given, self.room = <uint64_t*>grown, self.rows[n]

    cdef int64_t n_rows(self) noexcept nogil:
        return self.rows[<size_t>self.n * self.tables.map.n_powers]

    cdef int64_t rows_of(self, int g, Rows* rows) noexcept nogil:
        """List the rows of a game; returns where they begin, or -1 if `renew` has not laid them out."""
        cdef size_t first = <size_t>g * self.tables.map.n_powers
        list_rows(self.tables.map, &self.states[g], self.ended[g], rows)
        if rows.n != self.rows[first + self.tables.map.n_powers] - self.rows[first]:
            return -1
        return self.rows[first]

    cdef int check_range(self, int low, int high) except -1:
        if not 0 <= low <= high <= self.n:
            raise ValueError(f"games {low} to {high} of {self.n}")
        return 0

    cdef int check_length(self, name, Py_ssize_t length, Py_ssize_t wanted) except -1:
        if length != wanted:
            raise ValueError(f"{name}: {length}, and {wanted} are needed")
        return 0

    def seed(self, uint64_t seed):
        """Begin the random choices anew; those of a game depend on the seed and its number."""
        cdef int g
        for g in range(self.n):
            self.chance[g] = mix(seed ^ mix(g))

    def reset(self, const int64_t[::1] games, Packed position=None):
        """Put games back to the start, or to a position on the map."""
        cdef Py_ssize_t i
        cdef const State* s = &self.start
        if position is not None:
            if position.tables is not self.tables:
                raise ValueError("the position is on another map than the games")
            s = &position.state
        for i in range(games.shape[0]):
            if not 0 <= games[i] < self.n:
                raise ValueError(f"there is no game {games[i]}: they are 0 to {self.n - 1}")
        for i in range(games.shape[0]):
            self.begin(<int>games[i], s)
        self.renew()

    def packed(self, int game) -> Packed:
        """The position of a game."""
        cdef Packed position = Packed.__new__(Packed)
        if not 0 <= game < self.n:
            raise ValueError(f"there is no game {game}: they are 0 to {self.n - 1}")
        position.tables = self.tables
        position.state = self.states[game]
        return position

    def first_rows(self, int64_t[::1] out):
        """Write where the rows of each power of each game begin, and at last how many there are: n * powers + 1."""
        cdef Py_ssize_t i
        self.check_length("first rows", out.shape[0], <Py_ssize_t>self.n * self.tables.map.n_powers + 1)
        for i in range(out.shape[0]):
            out[i] = self.rows[i]

    def legal(
        self, int low, int high, uint8_t[::1] provinces, int64_t[::1] ends, int32_t[::1] orders, int64_t used
    ) -> tuple[int, int]:
        """Write the province of every row (255: none), the numbers of its legal orders from ``orders[used]`` on, and in
        `ends` where they end. Returns ``(game, used)``: the game for which `orders` has no room, or `high`."""
        cdef int g = low, done = 1
        self.check_range(low, high)
        self.check_length("provinces", provinces.shape[0], self.n_rows())
        self.check_length("ends", ends.shape[0], self.n_rows())
        if not 0 <= used < orders.shape[0]:
            raise ValueError(f"{used} of {orders.shape[0]} orders are used")
        if self.n_rows() == 0:
            return high, used
        with nogil:
            while g < high:
                done = self.list_legal(g, &provinces[0], &ends[0], &orders[0], orders.shape[0], &used)
                if done <= 0:
                    break
                g += 1
        if done < 0:
            raise ValueError(f"a unit of game {g} has more than {BUFFER} legal orders, or there is no row for it")
        return g, used

    cdef int list_legal(
        self, int g, uint8_t* provinces, int64_t* ends, int32_t* orders, int64_t room, int64_t* used
    ) noexcept nogil:
        """The same for one game: 1; 0 without room, -1 if it cannot be done."""
        cdef const MapTables* m = self.tables.map
        cdef const State* s = &self.states[g]
        cdef int64_t at = used[0], row
        cdef Order buffer[BUFFER]
        cdef Rows rows
        cdef Convoys convoys
        cdef int power, i, k, n = 0
        row = self.rows_of(g, &rows)
        if row < 0 or rows.n == 0:
            return -1 if row < 0 else 1
        if s.kind == MOVEMENT:
            find_convoys(m, s.unit, -1, &convoys)
        for power in range(m.n_powers):
            for i in range(rows.first[power], rows.first[power + 1]):
                if s.kind == MOVEMENT:
                    n = orders_of_unit(m, s, &convoys, rows.province[i], buffer, BUFFER)
                elif s.kind == RETREATS:
                    n = retreats_of_unit(m, s, rows.province[i], buffer, BUFFER)
                elif i == rows.first[power]:
                    n = adjustments_of(m, s, power, buffer, BUFFER - 1)
                    if rows.due[power] > 0 and n < BUFFER:
                        memset(&buffer[n], 0, sizeof(Order))
                        buffer[n].kind = WAIVE
                        n += 1
                if n > BUFFER:
                    return -1
                if at + n > room:
                    return 0
                for k in range(n):
                    orders[at + k] = self.numbers.number(&buffer[k])
                at += n
                provinces[row + i] = rows.province[i]
                ends[row + i] = at
        used[0] = at
        return 1

    def draw(self, int low, int high, const int64_t[::1] starts, int64_t[::1] choices):
        """Choose one of the legal orders of every row, all with the same chance: `choices` by row, from the `starts` of
        the rows, the end of the last one among them."""
        cdef int64_t r
        cdef int g, n_powers = self.tables.map.n_powers
        self.check_range(low, high)
        self.check_length("starts", starts.shape[0], self.n_rows() + 1)
        self.check_length("choices", choices.shape[0], self.n_rows())
        with nogil:
            for g in range(low, high):
                for r in range(self.rows[<size_t>g * n_powers], self.rows[<size_t>(g + 1) * n_powers]):
                    choices[r] = <int64_t>(
                        ((next_number(&self.chance[g]) >> 32) * <uint64_t>(starts[r + 1] - starts[r])) >> 32
                    )

    def choose(self, const int64_t[::1] starts, const int32_t[::1] orders, const int64_t[::1] choices) -> int:
        """Give the chosen ones of the legal orders of each row, none for a choice of -1.

        Returns the first row with a choice that is not there, or -1. Then, as in `take`, no game has orders.
        """
        cdef int64_t r, at, wrong = -1
        cdef int64_t n_rows = self.n_rows()
        self.check_length("starts", starts.shape[0], n_rows + 1)
        self.check_length("choices", choices.shape[0], n_rows)
        memset(self.laid, 0, self.n)
        with nogil:
            for r in range(n_rows):
                at = starts[r] + choices[r]
                if choices[r] == -1:
                    self.given[r] = 0
                elif (
                    choices[r] < 0 or at >= starts[r + 1] or at < 0 or at >= orders.shape[0]
                    or orders[at] < 0 or orders[at] >= self.numbers.n
                ):
                    wrong = r
                    break
                else:
                    self.given[r] = self.numbers.codes[orders[at]]
        if wrong < 0:
            memset(self.laid, 1, self.n)
        return wrong

    def take(self, const uint64_t[:, :, ::1] codes) -> tuple[int, int, int, int] | None:
        """Give orders by game and power as codes (0: none), in any sequence.

        Returns the first that cannot be given, as ``(game, power, place, reason)``, or None. Reasons: 1 not on the map,
        2 the game is over, 3 nothing of the power is to be ordered there, 4 ordered twice, 5 more than are due, 6 not
        legal.
        """
        cdef int g = 0, why = 0
        cdef int where[2]
        self.check_length("games of codes", codes.shape[0], self.n)
        self.check_length("powers of codes", codes.shape[1], self.tables.map.n_powers)
        where[0] = where[1] = 0
        memset(self.laid, 0, self.n)
        if codes.shape[2]:
            with nogil:
                for g in range(self.n):
                    why = self.lay(g, &codes[g, 0, 0], codes.shape[2], where)
                    if why:
                        break
            if why:
                return g, where[0], where[1], why
            memset(self.laid, 1, self.n)
        return None

    def given_rows(self, uint64_t[::1] out):
        """Write the order that is given for each row, as a code; 0 for none."""
        cdef int64_t r
        cdef int g, n_powers = self.tables.map.n_powers
        self.check_length("rows", out.shape[0], self.n_rows())
        for g in range(self.n):
            for r in range(self.rows[<size_t>g * n_powers], self.rows[<size_t>(g + 1) * n_powers]):
                out[r] = self.given[r] if self.laid[g] else 0

    cdef int lay(self, int g, const uint64_t* codes, Py_ssize_t width, int* where) noexcept nogil:
        """The same for one game: 0, or the reason against an order, and `where` it stands, as power and place."""
        cdef const MapTables* m = self.tables.map
        cdef const State* s = &self.states[g]
        cdef uint64_t* given
        cdef uint64_t code
        cdef int64_t row
        cdef Rows rows
        cdef Order order
        cdef int power, i, k
        row = self.rows_of(g, &rows)
        given = self.given + row
        if row >= 0 and rows.n:
            memset(given, 0, rows.n * sizeof(uint64_t))
        for power in range(m.n_powers):
            for k in range(<int>width):
                code = codes[power * width + k]
                if code == 0:
                    continue
                where[0], where[1] = power, k
                memcpy(&order, &code, sizeof(order))
                if self.ended[g] or row < 0:
                    return GAME_OVER
                if not on_map(m, &order, WAIVE) or order.kind == NO_ORDER:
                    return NOT_ON_MAP
                i = rows.first[power]
                if s.kind == ADJUSTMENTS:
                    while i < rows.first[power + 1] and given[i]:
                        i += 1
                    if i == rows.first[power + 1]:
                        return TOO_MANY
                else:
                    while i < rows.first[power + 1] and rows.province[i] != m.province[order.unit]:
                        i += 1
                    if i == rows.first[power + 1] or order.kind == WAIVE:
                        return NOT_TO_ORDER
                    if given[i]:
                        return ORDERED_TWICE
                normalise(m, s, &order)
                if not is_legal(m, s, &order, power):
                    return ILLEGAL
                memcpy(&given[i], &order, sizeof(order))
        return 0

    def save(self) -> tuple[bytes, bytes, bytes, bytes, bytes, bytes]:
        """Everything that changes, as bytes for `load`: states, which games are over, chance, and the last orders with
        their powers and results. Orders that were given and not played are not kept."""
        cdef size_t places = <size_t>self.n * self.tables.map.n_provinces
        return (
            (<char*>self.states)[:self.n * sizeof(State)], (<char*>self.ended)[:self.n],
            (<char*>self.chance)[:self.n * sizeof(uint64_t)], (<char*>self.last_order)[:places * sizeof(int32_t)],
            (<char*>self.last_power)[:places], (<char*>self.last_result)[:places],
        )

    def load(self, bytes states, bytes ended, bytes chance, bytes orders, bytes powers, bytes results):
        """Put all games into what `save` gave for as many games on this map."""
        cdef size_t places = <size_t>self.n * self.tables.map.n_provinces
        cdef const State* read = <const State*><char*>states
        cdef int g
        self.check_length("bytes of states", len(states), self.n * sizeof(State))
        self.check_length("bytes of ended", len(ended), self.n)
        self.check_length("bytes of chance", len(chance), self.n * sizeof(uint64_t))
        self.check_length("bytes of last orders", len(orders), places * sizeof(int32_t))
        self.check_length("bytes of last powers", len(powers), places)
        self.check_length("bytes of last results", len(results), places)
        for g in range(self.n):
            if not is_sound(self.tables.map, &read[g]):
                raise ValueError(f"game {g}: a unit, owner or phase that is not on the map")
        memcpy(self.states, <char*>states, self.n * sizeof(State))
        memcpy(self.chance, <char*>chance, self.n * sizeof(uint64_t))
        memcpy(self.last_order, <char*>orders, places * sizeof(int32_t))
        memcpy(self.last_power, <char*>powers, places)
        memcpy(self.last_result, <char*>results, places)
        for g in range(self.n):
            self.ended[g] = ended[g] != 0 or self.states[g].kind == COMPLETED
            self.note_rows(g)
        self.renew()

    def step(
        self, int low, int high, const uint8_t[:, ::1] votes, const uint8_t[::1] waits, int until, int scoring,
        bint again, float[:, ::1] scores, uint8_t[::1] ends,
    ):
        """Adjudicate the phases of the games that are not over, with the orders given; `renew` is to follow. Games with
        `waits` stay as they are.

        `votes` are those of powers for a draw: where all that are alive vote, the game ends as it stands. A game ends
        after the year `until` as well. `scores` are those of games that end now (`ends` 1), 0 of others. `scoring`:
        0 the square of the centres in all squares, 1 equal parts for the living, 2 nothing; a solo is 1 in all of them.
        With `again` a game that ends begins anew.
        """
        cdef const MapTables* m = self.tables.map
        self.check_range(low, high)
        self.check_length("games of votes", votes.shape[0], self.n)
        self.check_length("powers of votes", votes.shape[1], m.n_powers)
        self.check_length("waits", waits.shape[0], self.n)
        self.check_length("games of scores", scores.shape[0], self.n)
        self.check_length("powers of scores", scores.shape[1], m.n_powers)
        self.check_length("ends", ends.shape[0], self.n)
        if not SQUARES <= scoring <= SOLO:
            raise ValueError(f"there is no scoring {scoring}")
        with nogil:
            self.step_range(low, high, votes, waits, until, scoring, again, scores, ends)

    cdef void step_range(
        self, int low, int high, const uint8_t[:, ::1] votes, const uint8_t[::1] waits, int until, int scoring,
        bint again, float[:, ::1] scores, uint8_t[::1] ends
    ) noexcept nogil:
        cdef const MapTables* m = self.tables.map
        cdef Joint joint
        cdef State after
        cdef State* s
        cdef int g
        memset(&after, 0, sizeof(after))
        for g in range(low, high):
            memset(&scores[g, 0], 0, m.n_powers * sizeof(float))
            ends[g] = 0
            if self.ended[g] or waits[g]:
                continue
            s = &self.states[g]
            if not agreed(m, s, &votes[g, 0]):
                self.play(g, &joint, &after)
                ends[g] = s.kind == COMPLETED or s.year > until or s.year > MAX_YEAR
            else:
                ends[g] = 1
            if ends[g]:
                self.ended[g] = 1
                score(m, s, scoring, &scores[g, 0])
                if again:
                    self.begin(g, &self.start)
            self.note_rows(g)

    cdef void play(self, int g, Joint* joint, State* after) noexcept nogil:
        """Adjudicate the phase of a game, and note the orders and their results."""
        cdef const MapTables* m = self.tables.map
        cdef const int64_t* rows = self.rows + <size_t>g * m.n_powers
        cdef State* s = &self.states[g]
        cdef size_t place = <size_t>g * m.n_provinces
        cdef int32_t* last_order = self.last_order + place
        cdef int8_t* last_power = self.last_power + place
        cdef uint8_t* last_result = self.last_result + place
        cdef const uint16_t* standing = &s.dislodged[0] if s.kind == RETREATS else &s.unit[0]
        cdef uint8_t places[256]
        cdef Order order
        cdef int64_t r
        cdef int power, p, i, n = rows_places(places, standing, m.n_provinces)
        memset(last_order, 0xFF, m.n_provinces * sizeof(int32_t))
        memset(last_power, 0xFF, m.n_provinces)
        memset(last_result, 0, m.n_provinces)
        clear_joint(joint, m)
        if self.laid[g]:
            for power in range(m.n_powers):
                for r in range(rows[power], rows[power + 1]):
                    if self.given[r] == 0:
                        continue
                    memcpy(&order, &self.given[r], sizeof(order))
                    give(joint, m, s.kind, power, &order, 1)
                    p = m.province[order.unit]
                    if order.kind != WAIVE and last_order[p] < 0:
                        last_order[p] = self.numbers.number(&order)
                        last_power[p] = <int8_t>power
        resolve_joint(joint, m, s, self.rules, after)
        if s.kind == MOVEMENT:
            record_outcomes(&joint.battle)
        for i in range(n):
            p = places[i]
            last_power[p] = <int8_t>power_of(standing[p])
            if s.kind == MOVEMENT:
                last_result[p] = joint.battle.outcome[p]
            elif s.kind == RETREATS:
                last_result[p] = joint.outcome[p]
            elif after.unit[p] == 0:
                # Civil disorder removes what was not ordered to go.
                last_result[p] = DISBANDED * (last_order[p] < 0)
        s[0] = after[0]

    def observe(
        self, int low, int high, int8_t[:, :, ::1] units, int8_t[:, :, ::1] dislodged, int8_t[:, ::1] owners,
        int16_t[::1] years, int8_t[:, ::1] phases, int8_t[:, ::1] due, int8_t[:, ::1] centres,
        int32_t[:, ::1] last_orders, int8_t[:, ::1] last_powers, uint8_t[:, ::1] last_results,
    ):
        """Write what `bordeaux.env.Observation` describes."""
        cdef const MapTables* m = self.tables.map
        cdef int g
        self.check_range(low, high)
        for name, given, wanted in (
            ("units", (units.shape[0], units.shape[1], units.shape[2]), (m.n_provinces, 3)),
            ("dislodged", (dislodged.shape[0], dislodged.shape[1], dislodged.shape[2]), (m.n_provinces, 3)),
            ("owners", (owners.shape[0], owners.shape[1]), (m.n_provinces,)),
            ("years", (years.shape[0],), ()),
            ("phases", (phases.shape[0], phases.shape[1]), (2,)),
            ("due", (due.shape[0], due.shape[1]), (m.n_powers,)),
            ("centres", (centres.shape[0], centres.shape[1]), (m.n_powers,)),
            ("last_orders", (last_orders.shape[0], last_orders.shape[1]), (m.n_provinces,)),
            ("last_powers", (last_powers.shape[0], last_powers.shape[1]), (m.n_provinces,)),
            ("last_results", (last_results.shape[0], last_results.shape[1]), (m.n_provinces,)),
        ):
            if given != (self.n, *wanted):
                raise ValueError(f"{name} has the shape {given}, not {(self.n, *wanted)}")
        with nogil:
            for g in range(low, high):
                self.show(
                    g, &units[g, 0, 0], &dislodged[g, 0, 0], &owners[g, 0], &phases[g, 0], &due[g, 0], &centres[g, 0]
                )
                years[g] = self.states[g].year
                memcpy(&last_orders[g, 0], self.last_order + <size_t>g * m.n_provinces, m.n_provinces * sizeof(int32_t))
                memcpy(&last_powers[g, 0], self.last_power + <size_t>g * m.n_provinces, m.n_provinces)
                memcpy(&last_results[g, 0], self.last_result + <size_t>g * m.n_provinces, m.n_provinces)

    cdef void show(
        self, int g, int8_t* units, int8_t* dislodged, int8_t* owners, int8_t* phase, int8_t* due, int8_t* centres
    ) noexcept nogil:
        """Write the state of a game."""
        cdef const MapTables* m = self.tables.map
        cdef const State* s = &self.states[g]
        cdef int power
        cdef int dues[MAX_POWERS]
        cdef int counts[256]
        show_units(m, s.unit, units)
        show_units(m, s.dislodged, dislodged)
        memcpy(owners, s.owner, m.n_provinces)
        phase[0] = s.season
        phase[1] = COMPLETED if self.ended[g] else s.kind
        count_centres(m, s, counts)
        memset(dues, 0, sizeof(dues))
        if s.kind == ADJUSTMENTS and not self.ended[g]:
            all_due(m, s, dues)
        for power in range(m.n_powers):
            centres[power], due[power] = <int8_t>counts[power], <int8_t>dues[power]


cdef bint is_sound(const MapTables* m, const State* s) noexcept nogil:
    """Whether every token, retreat, owner and number of a state can be on the map."""
    cdef int p
    if not (0 <= s.year <= MAX_YEAR + 1 and s.season <= WINTER and s.kind <= COMPLETED):
        return False
    for p in range(256):
        if not (token_fits(m, p, s.unit[p]) and token_fits(m, p, s.dislodged[p])):
            return False
        if s.retreats[p] and (not s.dislodged[p] or s.retreats[p] >> m.n_neighbours[location_of(s.dislodged[p])]):
            return False
        if s.owner[p] >= m.n_powers and s.owner[p] != NOTHING and p < m.n_provinces:
            return False
    return True


cdef inline bint token_fits(const MapTables* m, int p, uint16_t token) noexcept nogil:
    """Whether a token is none, or that of a unit on the map in its own province."""
    if token == 0:
        return True
    return (
        p < m.n_provinces and 0 <= power_of(token) < m.n_powers and location_of(token) < m.n_locations
        and m.province[location_of(token)] == p
    )


cdef inline void show_units(const MapTables* m, const uint16_t* tokens, int8_t* out) noexcept nogil:
    """Write kind, power and coast of the unit in each province."""
    cdef uint8_t places[256]
    cdef int i, k, p, location, n = rows_places(places, tokens, m.n_provinces)
    for p in range(m.n_provinces):
        out[3 * p], out[3 * p + 1], out[3 * p + 2] = 0, -1, 0
    for i in range(n):
        p = places[i]
        location = location_of(tokens[p])
        out[3 * p] = 1 + m.is_fleet[location]
        out[3 * p + 1] = <int8_t>power_of(tokens[p])
        if m.is_fleet[location] and m.n_fleets[p] > 1:
            for k in range(m.n_fleets[p]):
                if m.fleets_at[p][k] == location:
                    out[3 * p + 2] = <int8_t>(k + 1)


cdef void list_rows(const MapTables* m, const State* s, bint ended, Rows* rows) noexcept nogil:
    """List what is to be ordered in a phase."""
    cdef const uint16_t* tokens = &s.dislodged[0] if s.kind == RETREATS else &s.unit[0]
    cdef uint8_t places[256]
    cdef int next_of[MAX_POWERS]
    cdef int power, i, n = 0
    if ended or s.kind == COMPLETED:
        rows.n = 0
        memset(rows.first, 0, sizeof(rows.first))
        return
    memset(next_of, 0, m.n_powers * sizeof(int))
    if s.kind == ADJUSTMENTS:
        all_due(m, s, rows.due)
        for power in range(m.n_powers):
            next_of[power] = rows.due[power] if rows.due[power] > 0 else -rows.due[power]
    else:
        n = rows_places(places, tokens, m.n_provinces)
        for i in range(n):
            next_of[power_of(tokens[places[i]])] += 1
    rows.first[0] = 0
    for power in range(m.n_powers):
        rows.first[power + 1] = rows.first[power] + next_of[power]
        next_of[power] = rows.first[power]
    rows.n = rows.first[m.n_powers]
    if s.kind == ADJUSTMENTS:
        memset(rows.province, NOTHING, rows.n)
        return
    for i in range(n):
        power = power_of(tokens[places[i]])
        rows.province[next_of[power]] = places[i]
        next_of[power] += 1


cdef void all_due(const MapTables* m, const State* s, int* due) noexcept nogil:
    """Builds (positive, at most the open home centres) or removals of every power, as `adjustments_due` has them."""
    cdef int homes[MAX_POWERS]
    cdef uint8_t places[256]
    cdef int i, p, power, n = rows_places(places, s.unit, m.n_provinces)
    memset(due, 0, m.n_powers * sizeof(int))
    memset(homes, 0, m.n_powers * sizeof(int))
    for i in range(n):
        due[power_of(s.unit[places[i]])] -= 1
    for i in range(m.n_centres):
        p = m.centres[i]
        power = s.owner[p]
        if power != NOTHING:
            due[power] += 1
            homes[power] += (s.unit[p] == 0) & ((m.home_of[p] >> power) & 1)
    for power in range(m.n_powers):
        due[power] = min(due[power], homes[power])


cdef inline void normalise(const MapTables* m, const State* s, Order* order) noexcept nogil:
    """Give an order the form in which the table has it, where another form says the same."""
    cdef int p = m.province[order.unit]
    order.flags &= FLAG_VIA
    if order.kind == MOVE:
        order.destination = 0
        if m.is_fleet[order.unit]:
            order.flags = 0
        elif not has_bit(m.reach[order.unit], m.province[order.target]):
            order.flags = FLAG_VIA
        return
    order.flags = 0
    if order.kind == SUPPORT_HOLD or order.kind == RETREAT:
        order.destination = 0
    elif order.kind != SUPPORT_MOVE and order.kind != CONVOY:
        order.target = order.destination = 0
    elif m.is_fleet[order.target] and not m.is_fleet[order.destination]:
        # Without several coasts the place of a fleet is known.
        p = m.province[order.destination]
        if m.n_fleets[p] == 1:
            order.destination = m.fleets_at[p][0]
    if order.kind == WAIVE:
        order.unit = 0
    elif order.kind == DISBAND and s.kind == ADJUSTMENTS and s.unit[p]:
        order.unit = location_of(s.unit[p])


cdef bint agreed(const MapTables* m, const State* s, const uint8_t* votes) noexcept nogil:
    """Whether all powers that are alive vote for a draw."""
    cdef bint alive[MAX_POWERS]
    cdef int power
    cdef bint any_vote = False
    for power in range(m.n_powers):
        any_vote |= votes[power] != 0
    if not any_vote:
        return False
    who_lives(m, s, alive)
    for power in range(m.n_powers):
        if alive[power] and not votes[power]:
            return False
    return True


cdef int who_lives(const MapTables* m, const State* s, bint* alive) noexcept nogil:
    """Which powers have a unit, dislodged or not, or a centre; returns their number."""
    cdef int p, power, n = 0
    for power in range(m.n_powers):
        alive[power] = False
    for p in range(m.n_provinces):
        if s.unit[p]:
            alive[power_of(s.unit[p])] = True
        if s.dislodged[p]:
            alive[power_of(s.dislodged[p])] = True
        if m.is_centre[p] and s.owner[p] != NOTHING:
            alive[s.owner[p]] = True
    for power in range(m.n_powers):
        n += alive[power]
    return n


cdef void score(const MapTables* m, const State* s, int scoring, float* out) noexcept nogil:
    """Share out a game that is over; `out` is 0 everywhere."""
    cdef bint alive[MAX_POWERS]
    cdef int power, living, winner = victor(m, s)
    if winner >= 0 and s.kind == COMPLETED:
        out[winner] = 1
    elif scoring == SQUARES:
        square_shares(m, s, out)
    elif scoring == DRAW:
        living = who_lives(m, s, alive)
        for power in range(m.n_powers):
            if alive[power]:
                out[power] = <float>1 / <float>living
