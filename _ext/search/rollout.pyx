"""Rollouts after a joint set of orders: a fast policy continues the game, then it is evaluated.

A policy takes microseconds for a phase of one power, so thousands of short rollouts fit into the time of one search.
They look ahead through retreats, builds and into the next movement phases (Hall and Loeb 1995, section 3.3).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from bordeaux._ext.net.policy cimport Chooser, Policy
from bordeaux._ext.rules.codes cimport check_legal, count_codes, giver_of, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.resolve cimport clear_joint, give, resolve_joint
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport owing, victor
from bordeaux._ext.value.valuer cimport Valuer, points_of


cdef class Rollout:
    """Plays joint orders of one movement position and the following phases.

    The policy `chooser` chooses the orders of all powers after the first phase; `evaluator` values the end. All random
    choices come from one seed; each power has numbers of its own in each phase. `nodes` is the work in nodes of a
    search: 1 for the first phase, and for every further movement phase the equivalent of the policy's time, which is 10
    for DumbBot and 20 for a learnt net. Raises ValueError for a policy of another map.
    """

    def __cinit__(self, Valuer evaluator not None, Chooser chooser not None):
        if evaluator.tables is not chooser.tables:
            raise ValueError("the policy is on another map than the evaluator")
        self.evaluator, self.chooser, self.policy = evaluator, chooser, chooser.policy

    def compare(
        self, Packed position not None, int power, candidates: Iterable[bytes], others: Sequence[bytes],
        int movements, seeds: Sequence[int],
    ) -> list[list[float]]:
        """Values of candidate sets of a power against sets of all others, as rows of floats.

        `candidates` and `others` are lists of bytes of order codes. Row i holds the values of candidate i against each
        of `others`. The values are those after `movements` more movement phases with their retreats and adjustments, up
        to the next movement phase. `seeds`, one for each of `others`, determine the random choices. An earlier victory
        counts for more. Raises ValueError for invalid input, and in retreats and adjustments for illegal orders.
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
                clear_joint(&self.joint, m)
                self.lay(&position.state, around)
                self.lay(&position.state, own)
                with nogil:
                    self.chance = seed
                    self.start(&position.state)
                    left = self.play(movements)
                    value = points_of(self.evaluator, &self.state, power)
                    # A game played on gains centres: who is sure to win would never do so at once.
                    if left and victor(m, &self.state) == power:
                        value += self.evaluator.value.victory * left / SOONER
                row.append(value)
            rows.append(row)
        return rows

    def ends(self, Packed position not None, orders: bytes, int movements, seeds: Iterable[int]) -> list[Packed]:
        """The positions after joint orders, one for each seed. Raises ValueError as `compare` does."""
        cdef Packed end
        cdef uint64_t seed
        self.check(position, movements)
        result = []
        for seed in seeds:
            clear_joint(&self.joint, self.evaluator.tables.map)
            self.lay(&position.state, orders)
            self.chance = seed
            with nogil:
                self.start(&position.state)
                self.play(movements)
            end = Packed.__new__(Packed)
            end.tables = position.tables
            end.state = self.state
            result.append(end)
        return result

    cdef int check(self, Packed position, int movements) except -1:
        """Refuse input that cannot be played, or would take too long."""
        if position.state.kind == COMPLETED or position.tables is not self.evaluator.tables:
            raise ValueError("a phase to play, on the map of the evaluator, is needed")
        if not 0 <= movements <= FURTHEST:
            raise ValueError(f"0 to {FURTHEST} movement phases can be played on, not {movements}")
        return 0

    cdef int lay(self, const State* root, bytes orders) except -1:
        """Check order codes and give them, those of retreats and adjustments for the power that can give each."""
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
            if self.joint.n_listed == 256:
                raise ValueError("more than 256 orders in one phase")
            give(&self.joint, m, root.kind, power, &order, 1)
        return 0

    cdef void start(self, const State* root) noexcept nogil:
        """Adjudicate the joint orders."""
        # Only what the map uses is copied from phase to phase; the rest stays as it was cleared.
        memset(&self.state, 0, sizeof(State))
        self.nodes += 1
        resolve_joint(&self.joint, self.evaluator.tables.map, root, 0, &self.state)

    cdef int play(self, int movements) noexcept nogil:
        """Play through so many movement phases, and from there to the next; returns how many of them were left when the
        game was over."""
        while self.state.kind != COMPLETED:
            if self.state.kind == MOVEMENT:
                if movements == 0:
                    return 0
                movements -= 1
                self.nodes += self.policy.cost
            self.step()
        return movements

    cdef void step(self) noexcept nogil:
        """Play one phase by the policy. Each power has its own random numbers in each phase, so that rollouts of
        similar positions with the same `chance` differ in little else."""
        cdef const MapTables* m = self.evaluator.tables.map
        cdef const State* s = &self.state
        cdef const Policy* policy = &self.policy
        cdef Order orders[256]
        cdef uint64_t chance, powers = owing(m, s)
        cdef int power
        clear_joint(&self.joint, m)
        for power in range(m.n_powers):
            if powers >> power & 1:
                chance = mix(self.chance + mix(((s.year * 3 + s.season) * 4 + s.kind) * 32 + power))
                give(&self.joint, m, s.kind, power, orders, policy.orders(policy.work, s, power, &chance, orders))
        resolve_joint(&self.joint, m, s, 0, &self.there)
        self.state = self.there
