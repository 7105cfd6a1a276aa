"""Expansion of a search node: all successors of a partial order set evaluated in one call.

A node is a partial set of orders for one power. Each of its units has the number of a candidate order, or
UNCHOSEN, for which the seed's order applies. Around it are one or more *backgrounds*, full sets of orders
for everybody else, each with a weight. A node's value is the weighted mean of the evaluations after
adjudication.

A successor has one more order, with its supports or convoys: a move enters with all its combinations of supports, and a
convoyed move with its fleets (Hall and Loeb 1995, section 4.3.1). A set that is a permutation of an earlier one is
found in the cache and dropped (section 3.3).
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from bordeaux._ext.rules.adjudicate cimport Battle, fight
from bordeaux._ext.rules.codes cimport check_order, count_codes, lay, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport after_movement
from bordeaux._ext.value.valuer cimport Valuer, points_of

cdef enum:
    UNCHOSEN = 0xFFFF
    MAX_UNITS = 255
    MAX_SUCCESSORS = 4096
    CACHE_SLOTS = 1 << 18
    MAX_BACKGROUNDS = 32
    MAX_SUPPORTERS = 4

# Maxims on whole sets, as bits (named in bordeaux.search.bestfirst).
cdef enum:
    NEVER_CLASH = 1         # two units ordered to the same province
    NEVER_BLOCKED = 2       # a move to where an own unit was told to stay
    NEVER_SWAP = 4          # two units ordered into each other's place by land

cdef struct Candidate:
    Order order
    uint64_t hash
    int first_help          # where the supports and convoys that belong to it start in `helpers`
    int n_help

cdef struct Helper:
    uint16_t unit
    uint16_t choice

cdef struct Successor:
    float value
    uint16_t choice[MAX_UNITS]

cdef struct Space:
    const MapTables* map
    State root
    int power
    int n_units
    int maxims
    uint8_t province[MAX_UNITS]     # of each own unit
    int unit_at[256]                # number of the own unit in a province, or -1
    uint8_t threatened[256]         # provinces that somebody else stands in or can enter
    int first[MAX_UNITS]            # where the candidates of each unit start
    int count[MAX_UNITS]
    uint16_t seed[MAX_UNITS]        # what units without a choice do
    bint frozen[MAX_UNITS]          # units that stay with the seed
    Candidate* candidates
    Helper* helpers
    Successor* successors
    int n_successors
    uint64_t* cache                 # keys of the sets seen, an open hash table
    int n_cached
    uint64_t salt                   # what keys start from: a new one forgets the sets seen


cdef inline const Order* order_of(const Space* e, const uint16_t* choice, int u) noexcept nogil:
    return &e.candidates[e.first[u] + (e.seed[u] if choice[u] == UNCHOSEN else choice[u])].order


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
                if memcmp(&order, &self.space.candidates[self.space.first[u] + i].order, sizeof(Order)) == 0:
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


cdef void find_threats(Space* e) noexcept nogil:
    """Mark the provinces with foreign units, and those that one can enter."""
    cdef const MapTables* m = e.map
    cdef int p, q
    memset(e.threatened, 0, sizeof(e.threatened))
    for p in range(m.n_provinces):
        if e.root.unit[p] and power_of(e.root.unit[p]) != e.power:
            e.threatened[p] = 1
            for q in range(m.n_provinces):
                if has_bit(m.reach[location_of(e.root.unit[p])], q):
                    e.threatened[q] = 1


cdef bint helps(const Space* e, const Order* help, const Order* move) noexcept nogil:
    """Whether an order supports or convoys exactly this move."""
    cdef const MapTables* m = e.map
    if move.kind != MOVE or help.target != move.unit or m.province[help.destination] != m.province[move.target]:
        return False
    if help.kind == CONVOY:
        return move.flags & FLAG_VIA
    return help.kind == SUPPORT_MOVE and (help.destination == move.target or not m.is_fleet[help.destination])


cdef int count_helpers(Space* e) noexcept nogil:
    """The room that `link_helpers` needs."""
    cdef int c, h, n = 0, total = e.first[e.n_units - 1] + e.count[e.n_units - 1] if e.n_units else 0
    for c in range(total):
        if e.candidates[c].order.kind == MOVE:
            for h in range(total):
                n += helps(e, &e.candidates[h].order, &e.candidates[c].order)
    return n


cdef void link_helpers(Space* e) noexcept nogil:
    """List for every move the possible supports and convoys by other units."""
    cdef int u, c, v, h, n = 0
    for u in range(e.n_units):
        for c in range(e.first[u], e.first[u] + e.count[u]):
            e.candidates[c].first_help = n
            if e.candidates[c].order.kind != MOVE:
                continue
            for v in range(e.n_units):
                for h in range(e.count[v]):
                    if v != u and helps(e, &e.candidates[e.first[v] + h].order, &e.candidates[c].order):
                        e.helpers[n].unit = v
                        e.helpers[n].choice = h
                        n += 1
            e.candidates[c].n_help = n - e.candidates[c].first_help


cdef void generate(Space* e, uint16_t* choice) noexcept nogil:
    """Write the successors of a node that the maxims allow and that were not seen before.

    Orders that the seed has anyway are not tried again, except supports for the move.
    """
    cdef int u, c
    cdef bint new
    cdef const Candidate* candidate
    cdef uint16_t added[MAX_UNITS]
    e.n_successors = 0
    for u in range(e.n_units):
        if choice[u] != UNCHOSEN or e.frozen[u]:
            continue
        for c in range(e.count[u]):
            new = c != e.seed[u]
            candidate = &e.candidates[e.first[u] + c]
            if candidate.order.kind != MOVE and not new or not worth_trying(e, choice, u, &candidate.order):
                continue
            memcpy(added, choice, sizeof(uint16_t) * e.n_units)
            added[u] = c
            if candidate.order.flags & FLAG_VIA and new and not add_convoy(e, candidate, added):
                continue
            if new:
                add(e, added)
            if candidate.order.kind == MOVE and e.threatened[e.map.province[candidate.order.target]]:
                add_supported(e, candidate, added)


cdef bint worth_trying(Space* e, const uint16_t* choice, int u, const Order* order) noexcept nogil:
    """Apply the maxims, and leave out help for orders that are not in the set."""
    cdef const MapTables* m = e.map
    cdef int v, goal
    cdef const Order* other
    if order.kind == CONVOY:
        return False
    if order.kind == SUPPORT_HOLD:
        v = e.unit_at[m.province[order.target]]
        return v < 0 or order_of(e, choice, v).kind != MOVE
    if order.kind == SUPPORT_MOVE:
        v = e.unit_at[m.province[order.target]]
        return v < 0 or helps(e, order, order_of(e, choice, v))
    if order.kind != MOVE:
        return True
    goal = m.province[order.target]
    if e.maxims & NEVER_BLOCKED:
        v = e.unit_at[goal]
        if v >= 0 and choice[v] != UNCHOSEN and order_of(e, choice, v).kind != MOVE:
            return False
    for v in range(e.n_units):
        if v == u or choice[v] == UNCHOSEN:
            continue
        other = order_of(e, choice, v)
        if other.kind != MOVE:
            continue
        if e.maxims & NEVER_CLASH and m.province[other.target] == goal:
            return False
        if (
            e.maxims & NEVER_SWAP and e.province[v] == goal and m.province[other.target] == e.province[u]
            and not (order.flags | other.flags) & FLAG_VIA
        ):
            return False
    return True


cdef bint carried(const Space* e, const uint16_t* choice, int army) noexcept nogil:
    """Whether an own fleet convoys an army as ordered."""
    cdef int v
    cdef const Order* order
    for v in range(e.n_units):
        order = order_of(e, choice, v)
        if order.kind == CONVOY and helps(e, order, order_of(e, choice, army)):
            return True
    return False


cdef void mend(Space* e, uint16_t* choice) noexcept nogil:
    """Turn orders of a full set into holds until none contradicts another."""
    cdef int u
    cdef bint changed = True
    while changed:
        changed = False
        for u in range(e.n_units):
            if order_of(e, choice, u).kind != HOLD and contradicts(e, choice, u):
                choice[u] = 0
                changed = True


cdef bint is_senseless(const Space* e, const uint16_t* choice, int u) noexcept nogil:
    """Whether an order of a full set helps a missing one, or waits for missing own fleets."""
    cdef const Order* order = order_of(e, choice, u)
    cdef int v
    if order.kind == HOLD:
        return False
    if order.kind == MOVE:
        return order.flags & FLAG_VIA and not carried(e, choice, u)
    v = e.unit_at[e.map.province[order.target]]
    if v < 0:
        return False
    if order.kind == SUPPORT_HOLD:
        return order_of(e, choice, v).kind == MOVE
    return not helps(e, order, order_of(e, choice, v))


cdef bint contradicts(const Space* e, const uint16_t* choice, int u) noexcept nogil:
    """Whether an order of a full set is inconsistent, or breaks a maxim against an earlier unit's."""
    cdef const MapTables* m = e.map
    cdef const Order* order = order_of(e, choice, u)
    cdef const Order* other
    cdef int goal = m.province[order.target], v = e.unit_at[goal]
    if is_senseless(e, choice, u):
        return True
    if order.kind != MOVE:
        return False
    if v >= 0:
        other = order_of(e, choice, v)
        if other.kind != MOVE:
            return e.maxims & NEVER_BLOCKED
        if m.province[other.target] == e.province[u] and not (order.flags | other.flags) & FLAG_VIA:
            if e.maxims & NEVER_SWAP:
                return True
    if e.maxims & NEVER_CLASH:
        for v in range(u):
            other = order_of(e, choice, v)
            if other.kind == MOVE and m.province[other.target] == goal:
                return True
    return False


cdef bint add_convoy(Space* e, const Candidate* move, uint16_t* added) noexcept nogil:
    """Choose own free fleets for the shortest chain; False if they cannot convoy the army."""
    cdef const MapTables* m = e.map
    cdef int i, k, p, head = 0, tail = 0
    cdef int army = m.province[move.order.unit], goal = m.province[move.order.target]
    cdef uint8_t queue[MAX_UNITS]
    cdef uint8_t parent[MAX_UNITS]
    cdef const Helper* help = e.helpers + move.first_help
    cdef int n = move.n_help if move.n_help < MAX_UNITS else MAX_UNITS
    for i in range(n):
        parent[i] = NOTHING
        if usable(e, &help[i], added) and has_bit(m.seas[army], e.province[help[i].unit]):
            parent[i] = i
            queue[tail] = i
            tail += 1
    while head < tail:
        k = queue[head]
        head += 1
        p = e.province[help[k].unit]
        if has_bit(m.seas[goal], p):
            while True:
                added[help[k].unit] = help[k].choice
                if parent[k] == k:
                    return True
                k = parent[k]
        for i in range(n):
            if parent[i] == NOTHING and usable(e, &help[i], added) and has_bit(m.seas[p], e.province[help[i].unit]):
                parent[i] = k
                queue[tail] = i
                tail += 1
    return False


cdef inline bint usable(Space* e, const Helper* help, const uint16_t* added) noexcept nogil:
    return (
        added[help.unit] == UNCHOSEN and not e.frozen[help.unit]
        and e.candidates[e.first[help.unit] + help.choice].order.kind == CONVOY
    )


cdef void add_supported(Space* e, const Candidate* move, uint16_t* added) noexcept nogil:
    """Add a move that may be resisted with every combination of free supporters."""
    cdef int i, mask, n = 0
    cdef const Helper* help = e.helpers + move.first_help
    cdef Helper free_help[MAX_SUPPORTERS]
    for i in range(move.n_help):
        if (
            n < MAX_SUPPORTERS and added[help[i].unit] == UNCHOSEN and not e.frozen[help[i].unit]
            and e.candidates[e.first[help[i].unit] + help[i].choice].order.kind == SUPPORT_MOVE
        ):
            free_help[n] = help[i]
            n += 1
    for mask in range(1, 1 << n):
        for i in range(n):
            added[free_help[i].unit] = free_help[i].choice if mask >> i & 1 else UNCHOSEN
        add(e, added)


cdef void add(Space* e, const uint16_t* choice) noexcept nogil:
    """Add a successor unless a permutation of it was seen before or there is no room."""
    cdef int u
    cdef uint64_t hash = e.salt, slot
    cdef Successor* s
    if e.n_successors == MAX_SUCCESSORS:
        return
    for u in range(e.n_units):
        if choice[u] != UNCHOSEN:
            hash ^= e.candidates[e.first[u] + choice[u]].hash
    slot = hash & (CACHE_SLOTS - 1)
    while e.cache[slot] != 0:
        if e.cache[slot] == hash:
            return
        slot = (slot + 1) & (CACHE_SLOTS - 1)
    if e.n_cached < CACHE_SLOTS // 2:
        e.cache[slot] = hash
        e.n_cached += 1
    s = &e.successors[e.n_successors]
    e.n_successors += 1
    memcpy(s.choice, choice, sizeof(uint16_t) * e.n_units)
