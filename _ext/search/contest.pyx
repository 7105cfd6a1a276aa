"""The values of sets of orders of all powers against each other, in one position of any phase.

Every power has a pool of sets, with the share with which it plays each. A joint sample takes one set of each. The value
of a power's set is that of the position after adjudication of the sample with the set in it, or some movement phases
later. *Responses* of one power are valued against samples. *Choices* are the shares of a power that draws sets and
takes the best.

The work is dealt to threads. First all sets are adjudicated in a sample, in order; of equal results only the first is
played on and valued, by whichever thread is free. The result of a sample depends on its number alone. So any
number of threads gives the same values and counts the same nodes.
"""

from concurrent.futures import ThreadPoolExecutor

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.limits cimport INT_MAX
from libc.math cimport INFINITY, pow
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.codes cimport check_legal, count_codes, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.resolve cimport Joint, clear_joint, give, resolve_joint
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.search.joint_values cimport DIRECT, RETREATED, SLOTS, JointValues, Known, value_after
from bordeaux._ext.search.rollout cimport FURTHEST, Rollout

cdef enum:
    MOST_SETS = 4096
    MOST_ORDERS = 256       # of all powers in one phase
    MOST_DRAWS = 1000000
    MOST_TRIALS = 1 << 16   # of one call
    MOST_THREADS = 256
    AT_ONCE = 32            # trials without rollouts that a thread takes at once: they are short
    DIGITS = 12             # of a number that are stratified

# The sets of orders that one power chooses among, `width` orders apart.
cdef struct Pool:
    int n, width
    int* count              # orders of each set
    double* share           # of 1
    Order* orders

# One set in one joint sample: what came of it, and what that is worth.
cdef struct Trial:
    State after
    uint64_t key            # of the result
    uint64_t chance
    int source              # the trial that has its points: an earlier one with the same result, or itself
    bint known              # whether it has had them from the beginning
    int nodes
    float points[MAX_POWERS]

# A set of a pool by number, with its share of the draws, and the sum of its values in some samples.
cdef struct Ranked:
    int number
    double share
    double value


cdef inline uint64_t stratified(uint64_t seed, uint64_t number) noexcept nogil:
    """Random bits number `number` of the sequence of a seed. Each number by itself is uniform. Of 2^k consecutive ones
    from a multiple of 2^k on (k up to `DIGITS`), one falls into each of 2^k equal intervals: the van der Corput
    sequence with Owen's scrambling (A. Owen, Randomly permuted (t,m,s)-nets, 1995)."""
    cdef uint64_t bits = 0, digit, before = 1
    cdef int i
    for i in range(DIGITS):
        digit = number >> i & 1
        # A digit is flipped or not by all digits before it.
        bits |= ((digit ^ mix(seed ^ mix(before))) & 1) << (63 - i)
        before = before << 1 | digit
    return bits | mix(seed + mix(number)) >> DIGITS


cdef inline double uniform(uint64_t bits) noexcept nogil:
    """A number from 0 to below 1 of random bits."""
    return (bits >> 11) * (1.0 / (<uint64_t>1 << 53))


cdef inline void rank(Ranked* sets, int n) noexcept nogil:
    """Sort sets by their values, best first; equals stay in order."""
    cdef Ranked moved
    cdef int i, k
    for i in range(1, n):
        moved, k = sets[i], i
        while k and sets[k - 1].value < moved.value:
            sets[k] = sets[k - 1]
            k -= 1
        sets[k] = moved


cdef inline void share_chosen(const Ranked* ranking, int n, double among, double* chosen) noexcept nogil:
    """Write for each set, by its number, the probability (0 to 1) that it is the best of `among` draws (1 or more), of
    sets from the best to the worst whose shares sum to 1."""
    cdef double left = 1, before
    cdef int i
    for i in range(n):
        # No draw is better than this set, and not all are worse.
        before = pow(left, among)
        left -= ranking[i].share
        left = left if left > 0 else 0
        chosen[ranking[i].number] = before - pow(left, among)


cdef bint all_above_0(list shares) except -1:
    """Whether all of some floats are finite and above 0."""
    cdef double share
    for share in shares:
        if not 0 < share < INFINITY:
            return False
    return True


cdef inline int picked(const double* shares, int n, double left) noexcept nogil:
    """The number of the one of some shares of 1 in which a number (0 to below 1) falls; 0 if there are none."""
    cdef int i = 0
    while i < n - 1 and left >= shares[i]:
        left -= shares[i]
        i += 1
    return i


cdef int fill(Pool* pool, const MapTables* m, const State* root, int power, sets, list shares, int width) except -1:
    """Read the sets of a power into an empty pool. What it has allocated stays with it where that fails."""
    cdef Order* order
    cdef int i, k, n = len(sets)
    cdef bytes orders
    cdef double total = sum(shares)
    pool.count = <int*>PyMem_Calloc(n, sizeof(int))
    pool.share = <double*>PyMem_Calloc(n, sizeof(double))
    pool.orders = <Order*>PyMem_Calloc(n * width, sizeof(Order))
    if not (pool.count and pool.share and pool.orders):
        raise MemoryError
    for i in range(n):
        orders = sets[i]
        pool.count[i] = count_codes(orders)
        pool.share[i] = shares[i] / total
        for k in range(pool.count[i]):
            order = &pool.orders[i * width + k]
            read_code(m, orders, k, WAIVE, order)
            if order.kind != WAIVE or root.kind != ADJUSTMENTS:
                check_legal(m, root, order, power)
    pool.width, pool.n = width, n
    return 0


cdef void empty(Pool* pool) noexcept:
    """Free a pool, which is without sets then."""
    PyMem_Free(pool.count)
    PyMem_Free(pool.share)
    PyMem_Free(pool.orders)
    memset(pool, 0, sizeof(Pool))


cdef class Contest:
    """Pools of sets of the powers of a map, and their values.

    `rollouts` have the value, which is that of the first, and the policy of rollouts; there is one for each thread (1
    to 256). `nodes` counts adjudications with evaluation; a rollout counts as `Rollout` says. A contest is opened for a
    position, and pools are entered; then it may respond repeatedly. One object can be used for several positions in
    turn, by one caller at a time. Raises ValueError for invalid input, IndexError for an unknown power.
    """

    cdef readonly Tables tables
    cdef public long long nodes
    cdef tuple rollouts                 # one for each thread
    cdef object crew                    # the other threads, started with the first work for them
    cdef JointValues joint_values       # adjudicates, and knows what has been valued
    cdef double concern[MAX_POWERS][MAX_POWERS]
    cdef Pool pools[MAX_POWERS]
    cdef int drawn[MAX_POWERS]          # the set that each power plays in a sample
    cdef bint open
    cdef int* origin                    # by slot of what is known: the trial that it comes from, -1 for none
    cdef Trial* trials
    cdef int n_trials, room
    cdef int movements                  # of the rollouts of the present trials
    cdef int taken                      # trials that threads have begun with
    cdef bytearray done                 # by trial
    cdef bint halted
    cdef bint busy                      # whether trials are under way

    def __cinit__(self, *rollouts: Rollout):
        cdef Rollout rollout
        if not 1 <= len(rollouts) <= MOST_THREADS:
            raise ValueError(f"{len(rollouts)} threads; there can be 1 to {MOST_THREADS}")
        self.rollouts = rollouts
        for rollout in rollouts:
            if rollout is None:
                raise TypeError("a rollout is None")
            if rollout.evaluator.tables is not (<Rollout>rollouts[0]).evaluator.tables:
                raise ValueError("the threads play on different maps")
        self.joint_values = JointValues(rollouts[0])
        self.tables = self.joint_values.rollout.evaluator.tables
        self.origin = <int*>PyMem_Calloc(SLOTS, sizeof(int))
        if self.origin == NULL:
            raise MemoryError

    def __dealloc__(self):
        self.clear()
        PyMem_Free(self.origin)
        PyMem_Free(self.trials)

    cdef void clear(self) noexcept:
        cdef int power
        for power in range(MAX_POWERS):
            empty(&self.pools[power])

    def enter_position(self, Packed position not None):
        """Begin a new position, without pools; every power counts only its own points."""
        cdef int power
        if position.tables is not self.tables or position.state.kind == COMPLETED:
            raise ValueError("a phase to play, on the map of the value, is needed")
        self.check_idle()
        self.clear()
        self.joint_values.enter(&position.state)
        self.open = True
        memset(self.concern, 0, sizeof(self.concern))
        for power in range(self.tables.map.n_powers):
            self.concern[power][power] = 1

    def enter(self, int power, sets: Sequence[bytes], shares: Sequence[float]):
        """Give a power, by number, its pool: `sets` (bytes of codes) with a share each, of any positive sum. Retreats
        and adjustments must be legal; an illegal order of a movement phase is void. A pool that is refused leaves
        nothing behind."""
        cdef const MapTables* m = self.tables.map
        cdef Pool* pool
        cdef int i, n = len(sets), width = 1
        cdef bytes orders
        self.check_power(power)
        pool = &self.pools[power]
        weights = [float(share) for share in shares]
        if not self.open or pool.n:
            raise ValueError(f"a pool of power {power} is entered once, after the position")
        if not 1 <= n <= MOST_SETS or len(weights) != n or not all_above_0(weights):
            raise ValueError(f"{n} sets with {len(weights)} shares; 1 to {MOST_SETS} sets need a share above 0 each")
        for orders in sets:
            width = max(width, count_codes(orders))
        if width > m.n_provinces or width + sum([self.pools[i].width for i in range(m.n_powers)]) > MOST_ORDERS:
            raise ValueError(f"a set of {width} orders, which are too many")
        try:
            fill(pool, m, &self.joint_values.root, power, sets, weights, width)
        except BaseException:
            empty(pool)
            raise

    def care(self, int power, int other, double part):
        """Let a power count a part of another's points as its own."""
        self.check_power(power)
        self.check_power(other)
        self.concern[power][other] = part

    cdef int check_power(self, int power) except -1:
        if not 0 <= power < self.tables.map.n_powers:
            raise IndexError(f"there is no power number {power}")
        return 0

    @property
    def threads(self) -> int:
        """The number of threads."""
        return len(self.rollouts)

    def respond(
        self, int power, candidates: Sequence[int], int samples, int movements, seed: int, int first=0,
        int part=INT_MAX,
    ) -> Generator[list[float]]:
        """Points of some sets of a power, by number, in each of some joint samples of the others' shares. All are
        evaluated on the same samples, with the same random numbers in rollouts.

        Yields, sample by sample, the points of `part` candidates after the other as a list of floats: they are known as
        soon as they are yielded, and their nodes are counted then. The work ends when the caller takes no more.
        `movements` is the number of movement phases of a rollout, -1 for evaluation after adjudication, -2 for
        evaluation after retreats.

        The samples are those from number `first` on of the sequence that `seed` determines. In it each power's sets
        come more evenly, by their shares, than independent draws: fewer samples show the same differences."""
        cdef int i, k, n = len(candidates)
        cdef uint64_t base
        self.check_power(power)
        if not self.open or not RETREATED <= movements <= FURTHEST or samples < 0 or first < 0 or part < 1:
            raise ValueError("a position and movements from -2 on are needed")
        if <long long>n * samples > MOST_TRIALS:
            raise ValueError(f"{n} candidates in {samples} samples are too many at once")
        for k in range(n):
            i = candidates[k]
            if not 0 <= i < self.pools[power].n:
                raise IndexError(f"power {power} has no set number {i}")
        base = mix(<uint64_t>seed)
        return self.answered(power, [*candidates], samples, movements, base, first, part)

    def answered(
        self, int power, list candidates, int samples, int movements, uint64_t base, int first, int part
    ) -> Generator[list[float]]:
        """The points that `respond` yields."""
        cdef int c, k, i, end, n = len(candidates)
        helpers = []
        self.make_room(n * samples)
        try:
            for c in range(first, first + samples):
                self.spread(base, c)
                for i in candidates:
                    with nogil:
                        self.plan(power, i, movements, mix(base + mix(c)))
            self.begin(helpers)
            for c in range(samples):
                for k in range(0, n, part):
                    end = min(n - k, part) + k
                    while self.done.find(0, c * n + k, c * n + end) >= 0:
                        if not self.take(0, 1):
                            # Others have what is left.
                            for helper in helpers:
                                helper.result()
                    points = []
                    for i in range(c * n + k, c * n + end):
                        self.nodes += self.trials[i].nodes
                        points.append(self.worth(power, &self.trials[self.trials[i].source]))
                    yield points
        finally:
            self.end(helpers)

    def choices(self, int power, double among, int samples, seed: int, int trial) -> list[float]:
        """The share (0 to 1) with which a power would play each of its sets in a trial, by its number in the sequence
        of `seed`.

        In a trial it draws `among` sets (1 to a million) by their shares, and takes the best after adjudication with a
        few joint `samples` of the others' shares; of equals, the first. No set is drawn: the probability of each to be
        the best is exact."""
        cdef int i, c, n
        cdef Ranked* ranking
        cdef double* chosen
        cdef uint64_t base = mix(<uint64_t>seed)
        self.check_power(power)
        n = self.pools[power].n
        if not self.open or not n:
            raise ValueError(f"a position with sets of power {power} is needed")
        if trial < 0 or samples < 1 or (<long long>trial + 1) * samples > INT_MAX:
            raise ValueError(f"there is no trial number {trial} with {samples} samples")
        if <long long>n * samples > MOST_TRIALS:
            raise ValueError(f"{n} sets in {samples} samples are too many at once")
        if not 1 <= among <= MOST_DRAWS:
            raise ValueError(f"a choice among {among} draws, not 1 to {MOST_DRAWS}")
        helpers = []
        self.make_room(n * samples)
        try:
            with nogil:
                for c in range(trial * samples, (trial + 1) * samples):
                    self.spread(base, c)
                    for i in range(n):
                        self.plan(power, i, DIRECT, 0)
            self.begin(helpers)
            while self.take(0, AT_ONCE):
                pass
        finally:
            self.end(helpers)
        self.nodes += n * samples
        ranking, chosen = <Ranked*>PyMem_Calloc(n, sizeof(Ranked)), <double*>PyMem_Calloc(n, sizeof(double))
        try:
            if not (ranking and chosen):
                raise MemoryError
            with nogil:
                for i in range(n):
                    ranking[i].number, ranking[i].share = i, self.pools[power].share[i]
                    for c in range(samples):
                        ranking[i].value += self.worth(power, &self.trials[self.trials[c * n + i].source])
                rank(ranking, n)
                share_chosen(ranking, n, among, chosen)
            return [chosen[i] for i in range(n)]
        finally:
            PyMem_Free(ranking)
            PyMem_Free(chosen)

    cdef int make_room(self, int n) except -1:
        """Begin with new trials, of which there will be `n`."""
        cdef Trial* trials
        self.check_idle()
        if n > self.room:
            # Entries past the map's provinces stay 0.
            trials = <Trial*>PyMem_Calloc(n, sizeof(Trial))
            if trials == NULL:
                raise MemoryError
            PyMem_Free(self.trials)
            self.trials, self.room = trials, n
        self.n_trials, self.busy, self.done = 0, True, bytearray(n)
        return 0

    cdef int check_idle(self) except -1:
        if self.busy:
            raise ValueError("a contest that still responds can do nothing else: take all, or close what it yields")
        return 0

    cdef void spread(self, uint64_t base, int number) noexcept nogil:
        """Choose a set for every power that has a pool: sample number `number` of a stratified sequence."""
        cdef int power
        cdef const Pool* pool
        for power in range(self.tables.map.n_powers):
            pool = &self.pools[power]
            self.drawn[power] = picked(pool.share, pool.n, uniform(stratified(mix(base + power), number)))

    cdef void plan(self, int power, int own, int movements, uint64_t salt) noexcept nogil:
        """Add the trial of a set of one power in the sample: adjudicate it, and look whether the result is known."""
        cdef Joint* joint = &self.joint_values.joint
        cdef const State* root = &self.joint_values.root
        cdef const MapTables* m = self.tables.map
        cdef Trial* trial = &self.trials[self.n_trials]
        cdef const Pool* pool
        cdef Known* slot
        cdef int other, i, number
        clear_joint(joint, m)
        for other in range(m.n_powers):
            pool = &self.pools[other]
            if pool.n:
                i = own if other == power else self.drawn[other]
                give(joint, m, root.kind, other, pool.orders + i * pool.width, pool.count[i])
        resolve_joint(joint, m, root, 0, &trial.after)
        self.movements = movements
        trial.key = self.joint_values.key_of(&trial.after, movements, salt)
        trial.chance, trial.nodes, trial.source, trial.known = salt, 1, self.n_trials, False
        number = <int>(trial.key & (SLOTS - 1))
        slot = &self.joint_values.known[number]
        if slot.key != trial.key:
            slot.key, self.origin[number] = trial.key, self.n_trials
        elif self.origin[number] >= 0:
            trial.source = self.origin[number]
        else:
            # Known from an earlier call.
            memcpy(trial.points, slot.points, sizeof(slot.points))
            trial.known = True
        self.n_trials += 1

    cdef int begin(self, list helpers) except -1:
        """Let the other threads begin with the trials, and add what they promise. Where the system has no more threads,
        those that there are do the work."""
        cdef int i, thread
        self.taken, self.halted = 0, False
        for i in range(self.n_trials):
            self.done[i] = self.trials[i].known or self.trials[i].source != i
        if len(self.rollouts) == 1 or self.n_trials < 2:
            return 0
        if self.crew is None:
            self.crew = ThreadPoolExecutor(len(self.rollouts) - 1, thread_name_prefix="bordeaux")
        try:
            for thread in range(1, len(self.rollouts)):
                helpers.append(self.crew.submit(self.help, thread))
        except RuntimeError:
            pass
        return 0

    def help(self, int thread):
        """Take trials until none is left."""
        while self.take(thread, 1 if self.movements != DIRECT else AT_ONCE):
            pass

    cdef bint take(self, int thread, int most) except *:
        """Value up to so many of the next trials; returns whether there were any. Which thread has which is decided
        while it holds the interpreter's lock, and all else is done without."""
        cdef Rollout rollout = self.rollouts[thread]
        cdef Trial* trial
        cdef int i, first, last
        while self.taken < self.n_trials and self.done[self.taken]:
            self.taken += 1
        if self.halted or self.taken == self.n_trials:
            return False
        first, last = self.taken, min(self.taken + most, self.n_trials)
        self.taken = last
        with nogil:
            for i in range(first, last):
                if self.trials[i].source == i and not self.trials[i].known:
                    trial = &self.trials[i]
                    trial.nodes += value_after(
                        rollout, &self.joint_values.value, &trial.after, self.movements, trial.chance, trial.points
                    )
        for i in range(first, last):
            self.done[i] = 1
        return True

    cdef int end(self, list helpers) except -1:
        """Wait until the other threads have ended what they are at, and keep what is known."""
        self.halted = True
        for helper in helpers:
            helper.result()
        self.settle()
        self.busy = False
        return 0

    cdef void settle(self):
        """Keep the points of results without rollouts for later calls. Those of rollouts are forgotten: a later call
        with the same sample counts its nodes anew, whether or not some thread had been ahead."""
        cdef int i
        cdef Known* slot
        cdef int number
        for i in range(self.n_trials):
            number = <int>(self.trials[i].key & (SLOTS - 1))
            slot = &self.joint_values.known[number]
            if slot.key != self.trials[i].key or self.origin[number] != i:
                continue
            if self.done[i] and self.movements == DIRECT:
                memcpy(slot.points, self.trials[i].points, sizeof(slot.points))
            else:
                slot.key = 0
            self.origin[number] = -1

    cdef double worth(self, int power, const Trial* trial) noexcept nogil:
        """The value of a trial for a power, including its part of others' points."""
        cdef double total = 0
        cdef int other
        for other in range(self.tables.map.n_powers):
            if self.concern[power][other] != 0:
                total += self.concern[power][other] * trial.points[other]
        return total
