"""Expansion of a search node: all successors of a partial order set evaluated in one call.

A node is a partial set of orders for one power. Each of its units has the number of a candidate order, or
UNCHOSEN, for which the seed's order applies. Around it are one or more *backgrounds*, full sets of orders
for everybody else, each with a weight. A node's value is the weighted mean of the evaluations after
adjudication.
"""

from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight
from bordeaux._ext.rules.codes cimport check_order, count_codes, lay, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport after_movement
from bordeaux._ext.search.successors cimport *
from bordeaux._ext.value.valuer cimport Valuer, points_of

cdef enum:
    MAX_BACKGROUNDS = 32


cdef class Expander:
    """The search space of one power in one movement position.

    `candidates` lists for every unit of the power the codes of orders worth considering; the first is its hold.
    `maxims` are the bits of the set maxims to apply. Raises ValueError if the position is not a movement phase, or if
    the candidates do not fit its units.
    """

    cdef Valuer evaluator
    cdef Space space
    cdef Order* backgrounds
    cdef double weights[MAX_BACKGROUNDS]
    cdef int n_backgrounds
    cdef readonly long long nodes
    cdef Battle battle
    cdef State scratch

    def __cinit__(
        self, Packed position not None, Valuer evaluator not None, int power, candidates: Iterable[Iterable[int]],
        int maxims,
    ):
        cdef const MapTables* m = position.tables.map
        cdef int u, i, p, total = 0
        cdef uint64_t code
        cdef const Order* first
        if position.state.kind != MOVEMENT:
            raise ValueError("a movement phase is needed")
        if evaluator.tables is not position.tables:
            raise ValueError("the position is on another map than the evaluator")
        candidates = [tuple(codes) for codes in candidates]
        if not 0 <= power < m.n_powers or not len(candidates) <= MAX_UNITS:
            raise ValueError(f"power {power} or its {len(candidates)} units are out of range")
        self.evaluator = evaluator
        self.space.map = m
        self.space.root = position.state
        self.space.power = power
        self.space.maxims = maxims
        self.space.n_units = len(candidates)
        for i in range(256):
            self.space.unit_at[i] = -1
        self.space.candidates = <Candidate*>calloc(sum(map(len, candidates)) + 1, sizeof(Candidate))
        self.backgrounds = <Order*>calloc(MAX_BACKGROUNDS * 256, sizeof(Order))
        self.space.successors = <Successor*>calloc(MAX_SUCCESSORS, sizeof(Successor))
        self.space.cache = <uint64_t*>calloc(CACHE_SLOTS, sizeof(uint64_t))
        if not (self.space.candidates and self.backgrounds and self.space.successors and self.space.cache):
            raise MemoryError
        for u, codes in enumerate(candidates):
            self.space.first[u] = total
            self.space.count[u] = len(codes)
            if not 0 < len(codes) < UNCHOSEN:
                raise ValueError(f"unit {u} has {len(codes)} candidates")
            for i, value in enumerate(codes):
                code = value
                memcpy(&self.space.candidates[total].order, &code, sizeof(code))
                self.space.candidates[total].hash = mix((<uint64_t>(u + 1) << 32) | <uint64_t>i)
                check_order(m, &self.space.candidates[total].order, CONVOY)
                if self.space.candidates[total].order.unit != self.space.candidates[self.space.first[u]].order.unit:
                    raise ValueError(f"unit {u} has candidates for another unit")
                total += 1
            first = &self.space.candidates[self.space.first[u]].order
            self.space.province[u] = p = m.province[first.unit]
            if self.space.unit_at[p] >= 0:
                raise ValueError(f"unit {u} is listed twice")
            self.space.unit_at[p] = u
            if self.space.root.unit[p] != make_token(power, first.unit) or first.kind != HOLD:
                raise ValueError(f"unit {u} is not of power {power}, or its first candidate is not to hold")
        self.space.helpers = <Helper*>calloc(count_helpers(&self.space) + 1, sizeof(Helper))
        if self.space.helpers == NULL:
            raise MemoryError
        link_helpers(&self.space)
        find_threats(&self.space)
        self.set_backgrounds([b""], [1.0])

    def __dealloc__(self):
        free(self.space.candidates)
        free(self.space.helpers)
        free(self.backgrounds)
        free(self.space.successors)
        free(self.space.cache)

    @property
    def n_units(self) -> int:
        """Units of the power, in the order of its candidates."""
        return self.space.n_units

    def counts(self) -> list[int]:
        """The number of candidates of each unit, as a list."""
        return [self.space.count[u] for u in range(self.space.n_units)]

    def choices(self, int unit) -> list[int]:
        """The order codes of a unit's candidates, as a list; units are numbered as in `counts`."""
        cdef int i
        cdef uint64_t code
        if not 0 <= unit < self.space.n_units:
            raise ValueError(f"there is no unit number {unit}")
        codes = []
        for i in range(self.space.first[unit], self.space.first[unit] + self.space.count[unit]):
            memcpy(&code, &self.space.candidates[i].order, sizeof(code))
            codes.append(code)
        return codes

    def set_backgrounds(self, sets: Iterable[bytes], weights: Iterable[float]):
        """Continue with other orders of all others, and clear the cache of permutations.

        Each set is bytes of order codes (8 each) for units of any other power; units without an order hold. Weights are
        normalised to a sum of 1. At most 32 sets.
        """
        cdef int k
        cdef double total
        sets, weights = tuple(sets), tuple(weights)
        total = sum(weights)
        if not 0 < len(sets) <= MAX_BACKGROUNDS or len(sets) != len(weights) or not total > 0:
            raise ValueError(f"{len(sets)} backgrounds with {len(weights)} weights")
        self.n_backgrounds = len(sets)
        memset(self.backgrounds, 0, MAX_BACKGROUNDS * 256 * sizeof(Order))
        for k, orders in enumerate(sets):
            lay(self.space.map, orders, self.backgrounds + 256 * k)
            self.weights[k] = weights[k] / total
        self.forget()

    def set_seed(self, bytes node):
        """Set the orders of units without a choice; all must be chosen."""
        cdef uint16_t choice[MAX_UNITS]
        self._read(node, choice)
        for u in range(self.space.n_units):
            if choice[u] == UNCHOSEN:
                raise ValueError("a seed orders every unit")
        memcpy(self.space.seed, choice, sizeof(uint16_t) * self.space.n_units)
        self.forget()

    def freeze(self, units: Iterable[int]):
        """Let these units, by number, follow the seed: nodes are expanded by the others only (Hall and Loeb
        1995, section 4.3.5). No units: all are free again."""
        chosen = set(units)
        if not chosen <= set(range(self.space.n_units)):
            raise ValueError(f"units {sorted(chosen)} are not all among the {self.space.n_units} units")
        for u in range(self.space.n_units):
            self.space.frozen[u] = u in chosen
        self.forget()

    def forget(self):
        """Empty the permutation cache."""
        self.space.salt = mix(self.space.salt)
        if self.space.n_cached > CACHE_SLOTS // 4:
            memset(self.space.cache, 0, CACHE_SLOTS * sizeof(uint64_t))
            self.space.n_cached = 0

    cdef int _read(self, bytes node, uint16_t* choice) except -1:
        cdef int u
        if len(node) != 2 * self.space.n_units:
            raise ValueError(f"a node of {len(node)} bytes for {self.space.n_units} units")
        memcpy(choice, <const char*>node, len(node))
        for u in range(self.space.n_units):
            if choice[u] != UNCHOSEN and choice[u] >= self.space.count[u]:
                raise ValueError(f"unit {u} has no candidate {choice[u]}")
        return 0

    def root_node(self) -> bytes:
        """The node without choices."""
        return b"\xff\xff" * self.space.n_units

    def completed(self, bytes node) -> bytes:
        """The full set of a node: the seed's choice where there is none, and a hold in place of every order that is
        inconsistent with the others or that a maxim forbids."""
        cdef uint16_t choice[MAX_UNITS]
        cdef int u
        self._read(node, choice)
        for u in range(self.space.n_units):
            if choice[u] == UNCHOSEN:
                choice[u] = self.space.seed[u]
        mend(&self.space, choice)
        return (<char*>choice)[:2 * self.space.n_units]

    def orders(self, bytes node) -> bytes:
        """The full set of order codes of a node, as bytes (8 for each unit)."""
        cdef uint16_t choice[MAX_UNITS]
        cdef Order result[MAX_UNITS]
        cdef int u
        self._read(node, choice)
        for u in range(self.space.n_units):
            result[u] = order_of(&self.space, choice, u)[0]
        return (<char*>result)[:self.space.n_units * sizeof(Order)]

    def node_of(self, bytes orders) -> bytes:
        """The complete node of a set of order codes; orders that are not candidates become holds."""
        cdef uint16_t choice[MAX_UNITS]
        cdef int u, i, k
        cdef Order order
        memset(choice, 0, sizeof(choice))
        for k in range(count_codes(orders)):
            read_code(self.space.map, orders, k, CONVOY, &order)
            u = self.space.unit_at[self.space.map.province[order.unit]]
            if u < 0:
                continue
            for i in range(self.space.count[u]):
                if same_order(&order, &self.space.candidates[self.space.first[u] + i].order):
                    choice[u] = i
        return (<char*>choice)[:2 * self.space.n_units]

    def value(self, bytes node) -> float:
        """Weighted mean value of a node over the backgrounds."""
        cdef uint16_t choice[MAX_UNITS]
        cdef float result
        self._read(node, choice)
        with nogil:
            result = score(self, choice)
        return result

    def values(self, bytes node, backgrounds: Iterable[bytes]) -> list[float]:
        """The value of a node against each of some other backgrounds, without storing them."""
        return self.compare([node], backgrounds)[0]

    def compare(self, nodes: Sequence[bytes], backgrounds: Iterable[bytes]) -> list[list[float]]:
        """Values of several nodes, each against every one of some other backgrounds, as rows of floats: row i holds
        node i. The backgrounds of the search are unchanged."""
        cdef uint16_t choice[MAX_UNITS]
        cdef Order around[256]
        rows = [[] for _ in nodes]
        for orders in backgrounds:
            memset(around, 0, sizeof(around))
            lay(self.space.map, orders, around)
            for row, node in zip(rows, nodes, strict=True):
                self._read(node, choice)
                place(self, choice, around)
                row.append(play(self, around))
        return rows

    def expand(self, bytes node, int limit) -> list[tuple[float, bytes]]:
        """Evaluate every successor of a node that was not seen before.

        Returns up to `limit` of them, best first, as ``(value, node)``.
        """
        cdef uint16_t choice[MAX_UNITS]
        cdef int i, kept
        cdef int order[MAX_SUCCESSORS]
        cdef const Successor* best
        self._read(node, choice)
        limit = max(1, min(limit, MAX_SUCCESSORS))
        with nogil:
            generate(&self.space, choice)
            for i in range(self.space.n_successors):
                self.space.successors[i].value = score(self, self.space.successors[i].choice)
            kept = select_best(self.space.successors, self.space.n_successors, order, limit)
        successors = []
        for i in range(kept):
            best = &self.space.successors[order[i]]
            successors.append((best.value, (<const char*>best.choice)[:2 * self.space.n_units]))
        return successors


cdef inline bint same_order(const Order* a, const Order* b) noexcept nogil:
    return (
        a.kind == b.kind and a.flags == b.flags and a.unit == b.unit and a.target == b.target
        and a.destination == b.destination
    )


cdef inline void place(Expander e, const uint16_t* choice, Order* by_province) noexcept nogil:
    cdef int u
    for u in range(e.space.n_units):
        by_province[e.space.province[u]] = order_of(&e.space, choice, u)[0]


cdef float preference(const Space* s, const uint16_t* choice) noexcept nogil:
    """Small sums that decide between sets of equal value (section 4.3.3).

    A support is better than a hold, in particular where somebody may resist. Help for an order that is not in the set
    is worse, and so is an army that waits for a missing convoy.
    """
    cdef int u
    cdef float sum = 0
    cdef const Order* order
    for u in range(s.n_units):
        order = order_of(s, choice, u)
        if is_senseless(s, choice, u):
            sum -= 0.5
        elif order.kind == SUPPORT_HOLD:
            sum += 0.04 if s.threatened[s.map.province[order.target]] else 0.01
        elif order.kind == SUPPORT_MOVE:
            sum += 0.04 if s.threatened[s.map.province[order.destination]] else 0.01
    return sum


cdef inline float play(Expander e, const Order* by_province) noexcept nogil:
    """Adjudicate and evaluate one full set of orders: a node of the search."""
    e.nodes += 1
    fight(&e.battle, e.space.map, e.space.root.unit, by_province, 0, NULL)
    after_movement(&e.battle, &e.space.root, &e.scratch)
    return points_of(e.evaluator, &e.scratch, e.space.power)


cdef float score(Expander e, const uint16_t* choice) noexcept nogil:
    cdef int k
    cdef double sum = preference(&e.space, choice)
    for k in range(e.n_backgrounds):
        place(e, choice, e.backgrounds + 256 * k)
        sum += e.weights[k] * play(e, e.backgrounds + 256 * k)
    return sum


cdef int select_best(const Successor* s, int n, int* order, int limit) noexcept nogil:
    """Order the numbers of the best successors, by value and then by number; returns how many."""
    cdef int i, k, kept = 0
    for i in range(n):
        if kept == limit and s[i].value <= s[order[kept - 1]].value:
            continue
        k = kept if kept < limit else kept - 1
        if kept < limit:
            kept += 1
        while k > 0 and s[order[k - 1]].value < s[i].value:
            order[k] = order[k - 1]
            k -= 1
        order[k] = i
    return kept
