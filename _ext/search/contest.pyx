"""The values of sets of orders of all powers against each other, in one position of any phase.

Every power has a pool of sets. A joint sample takes one set of each. The value of a power's set is that of the position
after adjudication of the sample with the set in it, or some movement phases later.

In *learning* all powers shift towards better sets, held near their prior. The share of a set is its prior times
exp(mean value / temperature) (piKL: A. Jacob and others, 2022, section 3). Later iterations weigh more (N. Brown and T.
Sandholm, 2019). *Responses* of one power are valued against samples of these shares. *Choices* are the shares of a
power that draws sets and takes the best.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.limits cimport INT_MAX
from libc.math cimport INFINITY, exp, log
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from bordeaux._ext.rules.codes cimport check_legal, count_codes, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.resolve cimport clear_joint, give
from bordeaux._ext.rules.splitmix cimport mix, next_number
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.search.choices cimport Ranked, rank, share_chosen
from bordeaux._ext.search.joint_values cimport DIRECT, JointValues
from bordeaux._ext.search.rollout cimport FURTHEST, Rollout
from bordeaux._ext.search.stratified cimport stratified, uniform

cdef enum:
    MOST_SETS = 4096
    MOST_ORDERS = 256       # of all powers in one phase
    MOST_DRAWS = 1000000


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
    pool.prior = <double*>PyMem_Calloc(n, sizeof(double))
    pool.total = <double*>PyMem_Calloc(n, sizeof(double))
    pool.share = <double*>PyMem_Calloc(n, sizeof(double))
    pool.orders = <Order*>PyMem_Calloc(n * width, sizeof(Order))
    if not (pool.count and pool.prior and pool.total and pool.share and pool.orders):
        raise MemoryError
    for i in range(n):
        orders = sets[i]
        pool.count[i] = count_codes(orders)
        pool.share[i] = shares[i] / total
        pool.prior[i] = log(pool.share[i])
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
    PyMem_Free(pool.prior)
    PyMem_Free(pool.total)
    PyMem_Free(pool.share)
    PyMem_Free(pool.orders)
    memset(pool, 0, sizeof(Pool))


cdef class Contest:
    """Pools of sets of the powers of a map, and their values.

    `rollout` has the value, and the policy of rollouts. `nodes` counts adjudications with evaluation; a rollout counts
    as `Rollout` says. A contest is opened for a position, and pools are entered; then it may learn and respond
    repeatedly. One object can be used for several positions in turn. Raises ValueError for invalid input, IndexError
    for an unknown power.
    """

    def __cinit__(self, Rollout rollout not None):
        self.joint_values = JointValues(rollout)
        self.tables = rollout.evaluator.tables

    def __dealloc__(self):
        self.clear()

    @property
    def nodes(self):
        return self.joint_values.nodes

    cdef void clear(self) noexcept:
        cdef int power
        for power in range(MAX_POWERS):
            empty(&self.pools[power])

    def enter_position(self, Packed position not None):
        """Begin a new position, without pools; every power counts only its own points."""
        cdef int power
        if position.tables is not self.tables or position.state.kind == COMPLETED:
            raise ValueError("a phase to play, on the map of the value, is needed")
        self.clear()
        self.joint_values.enter(&position.state)
        self.open, self.weights, self.iterations = True, 0, 0
        memset(self.concern, 0, sizeof(self.concern))
        for power in range(self.tables.map.n_powers):
            self.concern[power][power] = 1

    def enter(self, int power, sets, prior):
        """Give a power, by number, its pool: `sets` (bytes of codes) with a `prior` share each, of any positive sum.
        Retreats and adjustments must be legal; an illegal order of a movement phase is void."""
        cdef const MapTables* m = self.tables.map
        cdef Pool* pool
        cdef int i, n = len(sets), width = 1
        cdef bytes orders
        self.check_power(power)
        pool = &self.pools[power]
        shares = [float(share) for share in prior]
        if not self.open or pool.n:
            raise ValueError(f"a pool of power {power} is entered once, after the position")
        if not 1 <= n <= MOST_SETS or len(shares) != n or not all_above_0(shares):
            raise ValueError(f"{n} sets with {len(shares)} shares; 1 to {MOST_SETS} sets need a share above 0 each")
        for orders in sets:
            width = max(width, count_codes(orders))
        if width > m.n_provinces or width + sum([self.pools[i].width for i in range(m.n_powers)]) > MOST_ORDERS:
            raise ValueError(f"a set of {width} orders, which are too many")
        try:
            fill(pool, m, &self.joint_values.root, power, sets, shares, width)
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

    def learn(self, int iterations, double temperature, int movements, seed):
        """Let all powers learn for some iterations, in each of which every set is evaluated with one joint sample.
        `temperature` is in points; `movements` is the number of movement phases of a rollout, -1 for evaluation after
        adjudication."""
        if not self.open or not temperature > 0 or not DIRECT <= movements <= FURTHEST:
            raise ValueError("a position, a temperature above 0 and movements from -1 on are needed")
        self.chance = mix(<uint64_t>seed)
        with nogil:
            self.iterate(iterations, temperature, movements)
            self.weigh(temperature)

    def shares(self, int power):
        """The share with which a power plays each of its sets."""
        cdef int i
        self.check_power(power)
        return [self.pools[power].share[i] for i in range(self.pools[power].n)]

    def values(self, int power):
        """The mean value of each set of a power in learning, in points; none before."""
        cdef int i
        self.check_power(power)
        if self.weights == 0:
            return []
        return [self.pools[power].total[i] / self.weights for i in range(self.pools[power].n)]

    def respond(self, int power, candidates, int samples, int movements, seed, int first=0):
        """Points of some sets of a power, by number, in each of some joint samples of the others' shares: a row of
        floats for each candidate. All are evaluated on the same samples, with the same random numbers in rollouts.

        The samples are those from number `first` on of the sequence that `seed` determines. In it each power's sets
        come more evenly, by their shares, than independent draws: fewer samples show the same differences."""
        cdef int i, c, k, n = len(candidates)
        cdef uint64_t salt, base
        self.check_power(power)
        if not self.open or not DIRECT <= movements <= FURTHEST or samples < 0 or first < 0:
            raise ValueError("a position and movements from -1 on are needed")
        for k in range(n):
            i = candidates[k]
            if not 0 <= i < self.pools[power].n:
                raise IndexError(f"power {power} has no set number {i}")
        base = mix(<uint64_t>seed)
        rows = [[] for _ in range(n)]
        for c in range(first, first + samples):
            self.spread(base, c)
            salt = mix(base + mix(c))
            for i in range(n):
                rows[i].append(self.worth(power, candidates[i], movements, salt))
        return rows

    def choices(self, int power, double among, int samples, seed, int trial):
        """The share (0 to 1) with which a power would play each of its sets in a trial, by its number in the sequence
        of `seed`.

        In a trial it draws `among` sets (1 to a million) by their shares, and takes the best after adjudication with a
        few joint `samples` of the others' shares; of equals, the first. No set is drawn: the probability of each to be
        the best is exact."""
        cdef int i, n
        cdef Ranked* ranking
        cdef double* chosen
        cdef uint64_t base = mix(<uint64_t>seed)
        self.check_power(power)
        n = self.pools[power].n
        if not self.open or not n:
            raise ValueError(f"a position with sets of power {power} is needed")
        if trial < 0 or samples < 1 or (<long long>trial + 1) * samples > INT_MAX:
            raise ValueError(f"there is no trial number {trial} with {samples} samples")
        if not 1 <= among <= MOST_DRAWS:
            raise ValueError(f"a choice among {among} draws, not 1 to {MOST_DRAWS}")
        ranking, chosen = <Ranked*>calloc(n, sizeof(Ranked)), <double*>calloc(n, sizeof(double))
        try:
            if not (ranking and chosen):
                raise MemoryError
            with nogil:
                self.judge(power, samples, base, trial * samples, ranking)
                rank(ranking, n)
                share_chosen(ranking, n, among, chosen)
            return [chosen[i] for i in range(n)]
        finally:
            free(ranking)
            free(chosen)

    cdef void judge(self, int power, int samples, uint64_t base, int first, Ranked* sets) noexcept nogil:
        """Enter the sets of a power, in order, with their values in some joint samples."""
        cdef const Pool* pool = &self.pools[power]
        cdef int i, c
        for i in range(pool.n):
            sets[i].number, sets[i].share, sets[i].value = i, pool.share[i], 0
        for c in range(first, first + samples):
            self.spread(base, c)
            for i in range(pool.n):
                sets[i].value += self.worth(power, i, DIRECT, 0)

    cdef void spread(self, uint64_t base, int number) noexcept nogil:
        """Choose a set for every power that has a pool: sample number `number` of a stratified sequence."""
        cdef int power
        cdef const Pool* pool
        for power in range(self.tables.map.n_powers):
            pool = &self.pools[power]
            self.drawn[power] = picked(pool.share, pool.n, uniform(stratified(mix(base + power), number)))

    def sampled(self, seed):
        """One joint sample: the number of the set of each power, -1 for those without a pool."""
        cdef int power
        self.chance = mix(<uint64_t>seed)
        self.sample()
        return [self.drawn[power] if self.pools[power].n else -1 for power in range(self.tables.map.n_powers)]

    cdef void iterate(self, int n, double temperature, int movements) noexcept nogil:
        cdef int _t, power, i
        cdef uint64_t salt
        cdef double weight
        cdef Pool* pool
        for _t in range(n):
            self.weigh(temperature)
            self.sample()
            salt = next_number(&self.chance)
            self.iterations += 1
            # What was met early was drawn from worse shares.
            weight = self.iterations
            self.weights += weight
            for power in range(self.tables.map.n_powers):
                pool = &self.pools[power]
                if pool.n < 2:
                    continue
                for i in range(pool.n):
                    pool.total[i] += weight * self.worth(power, i, movements, salt)

    cdef void weigh(self, double temperature) noexcept nogil:
        """Compute the shares from the present values."""
        cdef int power, i
        cdef double top, total
        cdef Pool* pool
        if self.weights == 0:
            return
        for power in range(self.tables.map.n_powers):
            pool = &self.pools[power]
            top = -1e300
            for i in range(pool.n):
                pool.share[i] = pool.prior[i] + pool.total[i] / self.weights / temperature
                top = pool.share[i] if pool.share[i] > top else top
            total = 0
            for i in range(pool.n):
                pool.share[i] = exp(pool.share[i] - top)
                total += pool.share[i]
            for i in range(pool.n):
                pool.share[i] /= total

    cdef void sample(self) noexcept nogil:
        """Draw a set for every power that has a pool."""
        cdef int power
        cdef const Pool* pool
        for power in range(self.tables.map.n_powers):
            pool = &self.pools[power]
            if pool.n:
                self.drawn[power] = picked(pool.share, pool.n, uniform(next_number(&self.chance)))

    cdef double worth(self, int power, int own, int movements, uint64_t salt) noexcept nogil:
        """The value of a set for a power in the sample, including its part of others' points."""
        cdef const MapTables* m = self.tables.map
        cdef const Pool* pool
        cdef const float* points
        cdef double total = 0
        cdef int other, i
        clear_joint(&self.joint_values.joint, m)
        for other in range(m.n_powers):
            pool = &self.pools[other]
            if pool.n:
                i = own if other == power else self.drawn[other]
                give(
                    &self.joint_values.joint, m, self.joint_values.root.kind, other, pool.orders + i * pool.width,
                    pool.count[i],
                )
        points = self.joint_values.points(movements, salt)
        for other in range(m.n_powers):
            if self.concern[power][other] != 0:
                total += self.concern[power][other] * points[other]
        return total
