"""Whole games in the core, in which powers play sampled best responses to their beliefs.

In every phase a power draws sets of orders from some policies. It values each of them against the same
joint samples of the others, and plays the one with the best mean. This is sampled best response (T. Anthony
and others, *Learning to Play No-Press Diplomacy with Best Response Policy Iteration*, 2020, section 4.2).
The orders played, their gain, and the results of games are recorded as columns of bytes. Python makes one
call for a batch of games.
"""

from libc.math cimport NAN
from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from bordeaux._ext.net.memory cimport Deeds, Record, begin_deeds, recall
from bordeaux._ext.net.policy cimport Chooser, Policy
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.resolve cimport Joint, clear_joint, give, resolve_joint
from bordeaux._ext.rules.splitmix cimport mix, next_number
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.rules.transition cimport count_centres, owing, square_shares, victor
from bordeaux._ext.search.joint_values cimport DIRECT, JointValues
from bordeaux._ext.search.rollout cimport Rollout


cdef enum:
    MAX_MINDS = 32
    MAX_PARTS = 8           # policies of one mind
    MAX_DRAWS = 64          # sets that one power chooses among, and samples of the others
    MAX_ORDERS = 256        # of one set

# The columns of a log.
cdef enum:
    GAME_PHASES, SEATS, SHARES, CENTRES, WINNER, SEEDS, YEAR, SEASON, KIND, N_UNITS, N_DISLODGED, OWNERS, N_ORDERS
    GAINS, VALUES, UNITS, DRIVEN, WAYS, ORDERS, COLUMNS

NAMES: tuple[str, ...] = (
    "game_phases", "seats", "shares", "centres", "winner", "seeds", "year", "season", "kind", "n_units", "n_dislodged",
    "owners", "n_orders", "gains", "values", "units", "dislodged", "retreats", "orders",
)

# Bytes that grow.
cdef struct Column:
    char* data
    size_t used
    size_t room
    bint full               # there was no memory for a row

# Who proposes sets, or is believed of others.
cdef struct Part:
    int policy
    int draws               # of a proposer
    float share             # of a belief
    float temperature

cdef struct Mind:
    int n_proposers, n_beliefs, samples, rounds, movements, value
    Part proposers[MAX_PARTS]
    Part beliefs[MAX_PARTS]

# Orders of one power.
cdef struct OrderSet:
    int n
    int drawn               # how often the first proposer drew it
    int tried               # samples that it was valued against, and the sum of its values
    uint64_t key
    double total
    Order orders[MAX_ORDERS]


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

    cdef Column kept[COLUMNS]

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
        cdef float shares[MAX_POWERS]
        cdef int power
        cdef int8_t winner = victor(m, s)
        cdef uint8_t owned
        count_centres(m, s, counts)
        square_shares(m, s, shares)
        for power in range(m.n_powers):
            owned = counts[power]
            if winner >= 0:
                shares[power] = power == winner
            self.add(CENTRES, &owned, 1)
        self.add(SHARES, shares, m.n_powers * sizeof(float))
        self.add(WINNER, &winner, sizeof(winner))
        self.add(GAME_PHASES, &phases, sizeof(phases))


cdef class SelfPlay:
    """Plays games on a map from a position, seat by seat by one of some `minds`.

    `choosers` are policies, `rollouts` are values with the policies of their rollouts (`Rollout`). A mind is
    ``(proposers, beliefs, samples, rounds, movements, value)``:

    - `proposers`, ``[(chooser, draws, temperature), ...]``: who draws the sets to choose among, and how many, 64
      together at most. The gain of a best response is counted from the mean of the first one's draws.
    - `beliefs`, ``[(chooser, share, temperature), ...]``: each power in each sample plays by one of these.
    - `samples`, 0 to 64: joint samples of the others. With 0 the first set drawn is played.
    - `rounds`, 1 to 8: samples are taken in so many equal parts, and after each part but the last the worse half of
      the sets is given up (sequential halving; Z. Karnin, T. Koren and O. Somekh, 2013). With 1 every set meets every
      sample.
    - `movements`: how many movement phases are played on before the value, with retreats and builds to the next
      movement phase; -1 judges what adjudication leaves as it is.
    - `value`: which of `rollouts`.

    Choosers and values are given by number. Temperatures count for nets alone. `valued` counts joint sets that were
    valued, `judged` those of them whose position was not known yet, `sought` best responses and `differing` the
    different sets that these chose among. Choosers must not be used elsewhere meanwhile. Raises ValueError for what
    does not fit.
    """

    cdef readonly Tables tables
    cdef readonly long long sought          # best responses, and the different sets that they chose among
    cdef readonly long long differing
    cdef tuple choosers                     # keeps alive what the policies work on
    cdef Policy policies[MAX_MINDS]
    cdef float temperatures[MAX_MINDS]      # that they came with
    cdef tuple judges                       # `JointValues`, by number
    cdef void* judge[MAX_MINDS]             # the same, for use without the GIL
    cdef int n_policies
    cdef Mind minds[MAX_MINDS]
    cdef int n_minds
    cdef State state
    cdef State after
    cdef Joint joint
    cdef Deeds last
    cdef Deeds before
    cdef Record record
    cdef uint64_t chance
    cdef OrderSet* candidates               # [MAX_DRAWS], of the power that chooses
    cdef OrderSet* samples                  # [sample][power], of the mind that chooses
    cdef OrderSet played[MAX_POWERS]
    cdef uint64_t salt                      # of the chance in rollouts
    cdef float gains[MAX_POWERS]
    cdef float values[MAX_POWERS]
    cdef GameLog log

    def __cinit__(
        self, Tables tables not None, choosers: Iterable[Chooser], rollouts: Iterable[Rollout],
        minds: Iterable[
            tuple[Sequence[tuple[int, int, float]], Sequence[tuple[int, float, float]], int, int, int, int]
        ],
    ):
        cdef Chooser chooser
        cdef Rollout rollout
        self.tables, self.log = tables, GameLog()
        self.choosers, rollouts = tuple(choosers), tuple(rollouts)
        if not 1 <= len(self.choosers) <= MAX_MINDS:
            raise ValueError(f"{len(self.choosers)} policies; there can be 1 to {MAX_MINDS}")
        for number, chooser in enumerate(self.choosers):
            if chooser is None or chooser.tables is not tables:
                raise ValueError(f"policy {number} is on another map")
            self.policies[number] = chooser.policy
            if chooser.policy.temperature != NULL:
                self.temperatures[number] = chooser.policy.temperature[0]
        for number, rollout in enumerate(rollouts):
            if rollout is None or number == MAX_MINDS or rollout.evaluator.tables is not tables:
                raise ValueError(f"value {number} is on another map, or one too many")
        self.judges = tuple([JointValues(rollout) for rollout in rollouts])
        for number, judge in enumerate(self.judges):
            self.judge[number] = <void*>judge
        self.n_policies = len(self.choosers)
        self.candidates = <OrderSet*>calloc(MAX_DRAWS, sizeof(OrderSet))
        self.samples = <OrderSet*>calloc(MAX_DRAWS * tables.map.n_powers, sizeof(OrderSet))
        if self.candidates == NULL or self.samples == NULL:
            raise MemoryError
        for mind in minds:
            self.add_mind(mind)
        if not self.n_minds:
            raise ValueError("there is no mind to play by")

    def __dealloc__(self):
        free(self.candidates)
        free(self.samples)

    @property
    def valued(self) -> int:
        return sum([(<JointValues>judge).asked for judge in self.judges])

    @property
    def judged(self) -> int:
        return sum([(<JointValues>judge).judged for judge in self.judges])

    cdef int add_mind(self, mind) except -1:
        """Add a mind, after a check."""
        cdef Mind* into = &self.minds[self.n_minds]
        cdef int draws = 0
        if self.n_minds == MAX_MINDS:
            raise ValueError(f"more than {MAX_MINDS} minds")
        proposers, beliefs, into.samples, into.rounds, into.movements, into.value = mind
        if not 1 <= len(proposers) <= MAX_PARTS or len(beliefs) > MAX_PARTS:
            raise ValueError(f"a mind has 1 to {MAX_PARTS} proposers and at most as many beliefs")
        for part in proposers:
            self.read_part(&into.proposers[into.n_proposers], part, True)
            draws += into.proposers[into.n_proposers].draws
            into.n_proposers += 1
        for part in beliefs:
            self.read_part(&into.beliefs[into.n_beliefs], part, False)
            into.n_beliefs += 1
        if draws > MAX_DRAWS or not 0 <= into.samples <= MAX_DRAWS:
            raise ValueError(f"{draws} sets and {into.samples} samples; there can be {MAX_DRAWS} of each")
        if not 1 <= into.rounds <= 8:
            raise ValueError(f"{into.rounds} rounds; there can be 1 to 8")
        if not DIRECT <= into.movements <= 100:
            raise ValueError(f"{into.movements} movement phases cannot be played on; -1 to 100 can")
        if into.samples and (not into.n_beliefs or not 0 <= into.value < len(self.judges)):
            raise ValueError("who seeks a best response needs beliefs and a value")
        self.n_minds += 1
        return 0

    cdef int read_part(self, Part* part, given, bint proposes) except -1:
        part.policy, number, part.temperature = given
        if proposes:
            part.draws = number
        else:
            part.share = number
        if not 0 <= part.policy < self.n_policies or not 0.001 <= part.temperature <= 1000:
            raise ValueError(f"no policy number {part.policy}, or a temperature of {part.temperature}")
        if (part.draws < 1) if proposes else not 0 < part.share < 1e6:
            raise ValueError("a proposer needs draws, a belief a share above 0")
        return 0

    def play(
        self, Packed start not None, seats: Iterable[bytes], seeds: Iterable[int], untils: Iterable[int]
    ) -> dict[str, bytes]:
        """Play a game for each of `seats`, bytes with the number of a mind for each power, from `start` to the end of
        its year of `untils` or to a solo. The seed of a game in `seeds` determines all its random choices.

        Returns the columns of bytes of a `GameLog`: the orders of every phase, their gain, and the results. Raises
        ValueError for another map, for invalid seats, and for a game that is over, MemoryError if there are too many
        games.
        """
        cdef const MapTables* m = self.tables.map
        cdef bytes seat
        cdef const uint8_t* chair
        cdef uint64_t seed
        cdef int until
        if start.tables is not self.tables or start.state.kind == COMPLETED:
            raise ValueError("a phase to play, on the map of the policies, is needed")
        self.log.clear()
        try:
            for seat, seed, until in zip(seats, seeds, untils, strict=True):
                if len(seat) != m.n_powers or (len(seat) and max(seat) >= self.n_minds):
                    raise ValueError(f"seats {list(seat)} where {m.n_powers} of {self.n_minds} minds are needed")
                self.state = start.state
                self.chance = mix(seed)
                chair = seat
                self.log.begin(chair, m.n_powers, seed)
                with nogil:
                    self.game(chair, until)
        finally:
            self.forget()
        return self.log.columns()

    def forget(self):
        """Reset the policies: without a memory, at their own temperatures."""
        cdef int i
        self.remind(NULL)
        for i in range(self.n_policies):
            if self.policies[i].temperature != NULL:
                self.policies[i].temperature[0] = self.temperatures[i]

    cdef void remind(self, const Record* record) noexcept nogil:
        """Set the memory of the policies that have one."""
        cdef int i
        for i in range(self.n_policies):
            if self.policies[i].recall != NULL:
                self.policies[i].recall(self.policies[i].work, record)

    cdef void game(self, const uint8_t* seats, int until) noexcept nogil:
        """Play one game to its end and record it."""
        cdef const MapTables* m = self.tables.map
        cdef uint16_t phases = 0
        cdef int power
        memset(&self.last, 0, sizeof(Deeds))
        memset(&self.before, 0, sizeof(Deeds))
        while self.state.kind != COMPLETED and self.state.year <= until and phases < 0xFFFF:
            recall(m, &self.state, &self.before, &self.last, &self.record)
            self.remind(&self.record)
            self.choose(seats)
            for power in range(m.n_powers):
                self.log.orders(self.played[power].orders, self.played[power].n)
            self.log.phase(m, &self.state, self.gains, self.values)
            phases += 1
            if self.state.kind == MOVEMENT:
                self.lay_deeds()
            self.lay(&self.joint, self.played, -1, NULL)
            resolve_joint(&self.joint, m, &self.state, 0, &self.after)
            self.state = self.after
        self.log.end(m, &self.state, phases)

    cdef void lay_deeds(self) noexcept nogil:
        """Store the orders of a movement phase for the memory of the next."""
        cdef const MapTables* m = self.tables.map
        cdef Order* order
        cdef int power, k
        self.before = self.last
        begin_deeds(m, &self.state, &self.last)
        for power in range(m.n_powers):
            for k in range(self.played[power].n):
                order = &self.played[power].orders[k]
                self.last.given[m.province[order.unit]] = order[0]

    cdef void ask(self, const Part* part, int power, OrderSet* out) noexcept nogil:
        """A draw of a policy, with a key that does not depend on the sequence of its orders."""
        cdef const Policy* policy = &self.policies[part.policy]
        cdef uint64_t code
        cdef int k
        if policy.temperature != NULL:
            policy.temperature[0] = part.temperature
        out.n = policy.orders(policy.work, &self.state, power, &self.chance, out.orders)
        out.key, out.total, out.drawn, out.tried = 0, 0, 0, 0
        for k in range(out.n):
            memcpy(&code, &out.orders[k], sizeof(code))
            out.key += mix(code)

    cdef void choose(self, const uint8_t* seats) noexcept nogil:
        """Choose the orders of every power: first those that draw, then the responses, mind by mind."""
        cdef int power, number, n, sampled
        cdef uint64_t due = owing(self.tables.map, &self.state)
        for power in range(self.tables.map.n_powers):
            self.gains[power] = self.values[power] = NAN
            self.played[power].n = 0
            if due >> power & 1 and not self.minds[seats[power]].samples:
                self.ask(&self.minds[seats[power]].proposers[0], power, &self.played[power])
        for number in range(self.n_minds):
            if not self.minds[number].samples:
                continue
            sampled = 0
            for power in range(self.tables.map.n_powers):
                if not due >> power & 1 or seats[power] != number:
                    continue
                n = self.propose(&self.minds[number], power)
                self.sought += 1
                self.differing += n
                if n == 1:
                    self.played[power] = self.candidates[0]
                    self.gains[power] = 0
                    continue
                if not sampled:
                    self.sample(&self.minds[number], due)
                    sampled = 1
                    (<JointValues>self.judge[self.minds[number].value]).enter(&self.state)
                    self.salt = next_number(&self.chance)
                self.respond(number, power, n)

    cdef int propose(self, const Mind* mind, int power) noexcept nogil:
        """Draw the candidate sets of a power; returns the number of different ones."""
        cdef int i, _k, j, n = 0
        for i in range(mind.n_proposers):
            for _k in range(mind.proposers[i].draws):
                self.ask(&mind.proposers[i], power, &self.candidates[n])
                j = 0
                while self.candidates[j].key != self.candidates[n].key:
                    j += 1
                self.candidates[j].drawn += i == 0
                n += j == n
        return n

    cdef void sample(self, const Mind* mind, uint64_t due) noexcept nogil:
        """Draw the orders of all powers, as often as the mind's samples, each by one of the mind's beliefs."""
        cdef int c, power, i, n = self.tables.map.n_powers
        cdef float total = 0, left
        for i in range(mind.n_beliefs):
            total += mind.beliefs[i].share
        for c in range(mind.samples):
            for power in range(n):
                self.samples[c * n + power].n = 0
                if not due >> power & 1:
                    continue
                left = total * (next_number(&self.chance) >> 40) * <float>(1.0 / (1 << 24))
                i = 0
                while i < mind.n_beliefs - 1 and left >= mind.beliefs[i].share:
                    left -= mind.beliefs[i].share
                    i += 1
                self.ask(&mind.beliefs[i], power, &self.samples[c * n + power])

    cdef void respond(self, int number, int power, int n) noexcept nogil:
        """Play the candidate with the best mean over the samples."""
        cdef const Mind* mind = &self.minds[number]
        cdef OrderSet* own
        cdef int left[MAX_DRAWS]
        cdef int c = 0, i, k, r, n_left = n, drawn = 0
        cdef double mean = 0
        for k in range(n):
            left[k] = k
        for r in range(mind.rounds):
            while c < mind.samples * (r + 1) / mind.rounds:
                for i in range(n_left):
                    own = &self.candidates[left[i]]
                    own.tried += 1
                    own.total += self.worth(mind, power, self.samples + c * self.tables.map.n_powers, own, c)
                c += 1
            self.rank(left, n_left)
            n_left = max(1, (n_left + 1) / 2)
        for k in range(n):
            own = &self.candidates[k]
            if own.tried and own.drawn:
                mean += own.drawn * own.total / own.tried
                drawn += own.drawn
        own = &self.candidates[left[0]]
        self.played[power] = own[0]
        self.values[power] = own.total / own.tried
        self.gains[power] = self.values[power] - mean / drawn

    cdef void rank(self, int* left, int n) noexcept nogil:
        """Sort candidates by their means, best first; equal ones in the order of their draws."""
        cdef int i, k, chosen
        for i in range(1, n):
            chosen, k = left[i], i
            while k > 0 and self.mean_of(left[k - 1]) < self.mean_of(chosen):
                left[k] = left[k - 1]
                k -= 1
            left[k] = chosen

    cdef double mean_of(self, int candidate) noexcept nogil:
        cdef const OrderSet* own = &self.candidates[candidate]
        return own.total / own.tried if own.tried else -1e30

    cdef float worth(
        self, const Mind* mind, int power, const OrderSet* sets, const OrderSet* own, int c
    ) noexcept nogil:
        """The value of a set for a power in a sample of the others, number `c`."""
        cdef void* judge = self.judge[mind.value]
        self.lay(&(<JointValues>judge).joint, sets, power, own)
        return (<JointValues>judge).points(mind.movements, self.salt + c)[power]

    cdef void lay(self, Joint* joint, const OrderSet* sets, int power, const OrderSet* own) noexcept nogil:
        """Give the sets of all powers, with `own` in place of a power's."""
        cdef const OrderSet* given
        cdef int other
        clear_joint(joint, self.tables.map)
        for other in range(self.tables.map.n_powers):
            given = own if other == power else &sets[other]
            give(joint, self.tables.map, self.state.kind, other, given.orders, given.n)
