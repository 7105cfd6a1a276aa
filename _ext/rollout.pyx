"""What comes after a joint set of orders: the game played on by a fast policy, then evaluated.

A phase of the policy takes microseconds for each power, so that thousands of short rollouts fit into the
time of one search (paper 002, section 3.3: looking ahead through retreats, builds and into the next
movement phases).
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from bordeaux._ext.battle cimport Battle
from bordeaux._ext.choice cimport Choice
from bordeaux._ext.codes cimport check_legal, count_codes, giver_of, read_code
from bordeaux._ext.influence cimport Evaluator, value_of
from bordeaux._ext.movement cimport fight
from bordeaux._ext.packed cimport Packed
from bordeaux._ext.structures cimport *
from bordeaux._ext.transition cimport adjustments_due, after_adjustments, after_movement, after_retreats, victor

cdef enum:
    COST = 32       # nodes that a phase counts for in which the policy orders all powers, as it takes as long
    SOONER = 20     # part of a victory that each movement phase is worth by which it comes sooner
    FURTHEST = 100


cdef class Rollout:
    """Plays joint orders of one movement position and what follows, on and on from one seed.

    `policy` chooses the orders of every power after the first phase, `evaluator` values the end. `nodes`
    is what was spent, in nodes of a search: 1 for the first phase, 32 for every movement phase played on.
    """

    cdef Evaluator evaluator
    cdef Choice policy
    cdef readonly long long nodes
    cdef Battle battle
    cdef State here
    cdef State there
    cdef Order joint[256]
    cdef Order listed[256]
    cdef int n_listed
    cdef uint8_t powers[256]
    cdef uint8_t outcome[256]

    def __cinit__(self, Evaluator evaluator not None, Choice policy not None):
        if evaluator.tables is not policy.tables:
            raise ValueError("the policy is on another map than the evaluator")
        self.evaluator = evaluator
        self.policy = policy

    def compare(self, Packed position not None, int power, candidates, others, int movements, seeds):
        """Values of candidate sets of a power against sets of all others, as rows of floats.

        `candidates` and `others` are lists of bytes of order codes; row i holds the value of candidate
        i against each of `others`, after `movements` more movement phases and what belongs to them, up
        to the next movement phase. `seeds`, one for each of `others`, fix what is left to chance. A victory
        counts for more the sooner it comes.
        Raises ValueError for what makes no sense, and in retreats and adjustments for orders that are
        not legal.
        """
        cdef const MapTables* m = self.evaluator.tables.map
        cdef double value
        cdef uint64_t seed
        cdef int left
        self.check(position, movements)
        if not 0 <= power < m.n_powers:
            raise ValueError(f"there is no power number {power}")
        rows = []
        for own in candidates:
            row = []
            for around, seed in zip(others, seeds, strict=True):
                self.n_listed = 0
                memset(self.joint, 0, sizeof(self.joint))
                self.lay(&position.state, around)
                self.lay(&position.state, own)
                with nogil:
                    self.policy.chance = seed
                    self.start(&position.state)
                    left = self.play(movements)
                    value = value_of(&self.evaluator.judge, &self.here, power, NULL)
                    # A game played on gains centres: who is sure to win would never do so at once.
                    if left and victor(m, &self.here) == power:
                        value += self.evaluator.judge.victory * left / SOONER
                row.append(value)
            rows.append(row)
        return rows

    def ends(self, Packed position not None, orders, int movements, seeds):
        """The positions that joint orders lead to, one for each seed. Raises ValueError like `compare`."""
        cdef Packed end
        cdef uint64_t seed
        self.check(position, movements)
        result = []
        for seed in seeds:
            self.n_listed = 0
            memset(self.joint, 0, sizeof(self.joint))
            self.lay(&position.state, orders)
            self.policy.chance = seed
            self.start(&position.state)
            self.play(movements)
            end = Packed.__new__(Packed)
            end.tables = position.tables
            end.state = self.here
            result.append(end)
        return result

    cdef int check(self, Packed position, int movements) except -1:
        """Refuse what cannot be played, or not before long."""
        if position.state.kind == COMPLETED or position.tables is not self.evaluator.tables:
            raise ValueError("a phase to play, on the map of the evaluator, is needed")
        if not 0 <= movements <= FURTHEST:
            raise ValueError(f"0 to {FURTHEST} movement phases can be played on, not {movements}")
        return 0

    cdef int lay(self, const State* root, bytes orders) except -1:
        """Check order codes and put them into their provinces, and on the list of adjustments with the
        powers that give them. Waived builds are left out: what is not ordered is waived."""
        cdef const MapTables* m = self.evaluator.tables.map
        cdef int k, power = -1
        cdef Order order
        for k in range(count_codes(orders)):
            read_code(m, orders, k, WAIVE, &order)
            if order.kind == WAIVE and root.kind == ADJUSTMENTS:
                continue
            if root.kind != MOVEMENT:
                power = giver_of(m, root, &order)
            check_legal(m, root, &order, power)
            self.joint[m.province[order.unit]] = order
            if self.n_listed == 256:
                raise ValueError("more than 256 orders in one phase")
            self.listed[self.n_listed] = order
            self.powers[self.n_listed] = <uint8_t>power
            self.n_listed += 1
        return 0

    cdef void start(self, const State* root) noexcept nogil:
        """Adjudicate the joint orders."""
        cdef const MapTables* m = self.evaluator.tables.map
        # Only what the map uses is copied from phase to phase; the rest stays as it was cleared.
        memset(&self.here, 0, sizeof(State))
        self.nodes += 1
        if root.kind == MOVEMENT:
            fight(&self.battle, m, root.unit, self.joint, 0, NULL)
            after_movement(&self.battle, root, &self.here)
        elif root.kind == RETREATS:
            after_retreats(m, root, self.joint, &self.here, self.outcome)
        else:
            after_adjustments(m, root, self.listed, self.powers, self.n_listed, &self.here, self.outcome)

    cdef int play(self, int movements) noexcept nogil:
        """Play on through so many movement phases, and from there to the next; returns how many of them
        were left when the game was over."""
        while self.here.kind != COMPLETED:
            if self.here.kind == MOVEMENT:
                if movements == 0:
                    return 0
                movements -= 1
                self.move()
            elif self.here.kind == RETREATS:
                self.retreat()
            else:
                self.adjust()
        return movements

    cdef void move(self) noexcept nogil:
        cdef const MapTables* m = self.evaluator.tables.map
        cdef int power, p
        cdef uint64_t present = units_of(m, &self.here)
        memset(self.joint, 0, m.n_provinces * sizeof(Order))
        for power in range(m.n_powers):
            if not present >> power & 1:
                continue
            memset(self.policy.chosen, 0, m.n_provinces * sizeof(Order))
            self.policy.look(&self.here, power)
            self.policy.move(&self.here, power)
            self.policy.use_holds(&self.here, power)
            for p in range(m.n_provinces):
                if self.policy.chosen[p].kind:
                    self.joint[p] = self.policy.chosen[p]
        self.nodes += COST
        fight(&self.battle, m, self.here.unit, self.joint, 0, NULL)
        after_movement(&self.battle, &self.here, &self.there)
        self.here, self.there = self.there, self.here

    cdef void retreat(self) noexcept nogil:
        cdef const MapTables* m = self.evaluator.tables.map
        cdef int power, p
        cdef uint64_t driven = 0
        for p in range(m.n_provinces):
            if self.here.dislodged[p]:
                driven |= <uint64_t>1 << power_of(self.here.dislodged[p])
        memset(self.joint, 0, m.n_provinces * sizeof(Order))
        for power in range(m.n_powers):
            if not driven >> power & 1:
                continue
            memset(self.policy.chosen, 0, m.n_provinces * sizeof(Order))
            self.policy.look(&self.here, power)
            self.policy.retreat(&self.here, power)
            for p in range(m.n_provinces):
                if self.policy.chosen[p].kind:
                    self.joint[p] = self.policy.chosen[p]
        after_retreats(m, &self.here, self.joint, &self.there, self.outcome)
        self.here = self.there

    cdef void adjust(self) noexcept nogil:
        cdef const MapTables* m = self.evaluator.tables.map
        cdef int power, due, k, n = 0
        for power in range(m.n_powers):
            due = adjustments_due(m, &self.here, power)
            if due == 0:
                continue
            self.policy.look(&self.here, power)
            if due > 0:
                k = self.policy.build(&self.here, power, due, self.listed + n)
            else:
                k = self.policy.remove(&self.here, power, -due, self.listed + n)
            memset(self.powers + n, power, k)
            n += k
        after_adjustments(m, &self.here, self.listed, self.powers, n, &self.there, self.outcome)
        self.here = self.there


cdef inline uint64_t units_of(const MapTables* m, const State* s) noexcept nogil:
    """Powers with units, as bits."""
    cdef uint64_t present = 0
    cdef int p
    for p in range(m.n_provinces):
        if s.unit[p]:
            present |= <uint64_t>1 << power_of(s.unit[p])
    return present
