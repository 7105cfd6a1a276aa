"""A policy that plays by the predictions of a net.

It draws whole sets, computes their probability, and lists the most probable ones.
"""

from libc.math cimport logf
from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from bordeaux._ext.net.facts cimport *
from bordeaux._ext.net.memory cimport Memory, Record
from bordeaux._ext.net.options cimport *
from bordeaux._ext.net.policy cimport Chooser
from bordeaux._ext.net.scores cimport Looker, Places, Scratch, Table, base_scores, look_by, second_look
from bordeaux._ext.net.set_odds cimport MAX_UNITS, adjust, alone, drawn, odds, options_taken, units_in_order
from bordeaux._ext.net.weights cimport Net
from bordeaux._ext.rules.codes cimport count_codes, read_code
from bordeaux._ext.rules.packed cimport Packed
from bordeaux._ext.rules.splitmix cimport mix, next_number
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.transition cimport adjustments_due

cdef enum:
    WIDEST_BEAM = 64
    COST = 20           # nodes of a search that a phase of all powers takes as long as, and by a wide net
    WIDE_COST = 1000


# The widest vectors of this processor (`NetPolicy.vectors`).
VECTORS: int = wide_vectors()

# A part of a whole set on the way down.
cdef struct Part:
    float log_chance
    uint16_t chosen[MAX_UNITS]


cdef class NetPolicy(Chooser):
    """Orders by the predictions of a net, on a map, with a random seed.

    `names` says whether provinces have weights of their own, which only the net's own map allows. A `temperature` below
    1 favours probable options, above 1 it flattens the distribution. Raises ValueError for a temperature that is not
    above 0, and for a net that has other rows than the map.
    """

    cdef readonly Net net
    cdef readonly bint names
    cdef public float temperature
    cdef Looker look
    cdef Memory memory
    cdef const Record* record
    cdef Survey survey
    cdef Scratch* scratch
    cdef Table* boards              # by power
    cdef State last                 # the state that these are of
    cdef uint64_t looked            # powers that have been looked at there, as bits

    def __cinit__(self, tables: Tables, Net net not None, bint names=True, float temperature=1.0, seed: int = 0):
        cdef Facts facts = Facts(tables, names)
        if not 0 < temperature < 1e6:
            raise ValueError(f"a temperature of {temperature}; it must be above 0")
        if net.n_rows < facts.n_rows:
            raise ValueError(f"a net of {net.n_rows} rows where the map needs {facts.n_rows}")
        self.net = net
        self.names = names
        self.temperature = temperature
        self.chance = seed
        look_by(&self.look, self.tables.map, &net.weights, facts.n_general if names else 0)
        self.scratch = <Scratch*>calloc(1, sizeof(Scratch))
        self.boards = <Table*>malloc(self.tables.map.n_powers * sizeof(Table))
        if self.scratch == NULL or self.boards == NULL:
            raise MemoryError
        self.last.kind = COMPLETED
        self.policy.orders, self.policy.recall = orders_of_net, recall_of_net
        self.policy.temperature = &self.temperature
        self.policy.cost = WIDE_COST if net.rounds else COST
        self.policy.work = <void*>self

    def __dealloc__(self):
        free(self.scratch)
        free(self.boards)

    @property
    def vectors(self) -> int:
        """The vectors in use: 0 those that every processor has, 1 those of 8 floats, 2
        those of 16. The values are the same with all of them. Raises ValueError for others than 0 to `VECTORS`."""
        return self.look.wide

    @vectors.setter
    def vectors(self, int wanted):
        if not 0 <= wanted <= VECTORS:
            raise ValueError(f"no vectors {wanted}; this processor has 0 to {VECTORS}")
        self.look.wide = wanted
        self.looked = 0

    def remember(self, Memory memory=None):
        """Set the memory of boards from now on; None if it is unknown."""
        self.memory = memory
        self.record = NULL if memory is None else &memory.record
        self.looked = 0

    def scores(self, Packed packed not None, int power) -> tuple[list[float], list[float]]:
        """First and last scores of a power's options, in the order of `Facts.options`, as two lists."""
        cdef int i
        self.check(packed, power)
        cdef Table* t = self.looked_at(&packed.state, power)
        return [t.base[i] for i in range(t.n_options)], [t.score[i] for i in range(t.n_options)]

    def probabilities(self, Packed packed not None, int power) -> list[tuple[int, int, float]]:
        """``(choice, code, probability)`` of each option, as marginals by unit; in Winter of the first build or
        removal."""
        cdef float chances[MAX_OPTIONS]
        cdef int c, i, n
        self.check(packed, power)
        cdef Table* t = self.looked_at(&packed.state, power)
        result = []
        for c in range(t.n_choices):
            n = t.first[c + 1] - t.first[c]
            alone(t.score + t.first[c], n, self.temperature, chances)
            for i in range(n):
                result.append((c, code_of(&t.options[t.first[c] + i]), chances[i]))
        return result

    def log_probability(self, Packed packed not None, int power, bytes orders) -> float:
        """The log probability of a whole set of movement or retreat orders: an order for each unit. Units without one
        hold, or disband. Raises ValueError in Winter and for illegal orders."""
        cdef float total = 0, chance
        for _, chance, _ in self.beside(packed, power, orders):
            total += logf(max(chance, <float>1e-30))
        return total

    def beside(self, Packed packed not None, int power, bytes orders) -> list[tuple[int, float, int]]:
        """``(code, probability, likeliest code)`` of each order of a set of movement or retreat orders, given those of
        the units that are decided before it, in the order in which they are decided. Raises ValueError as
        `log_probability` does."""
        cdef float chances[MAX_OPTIONS]
        cdef uint16_t order[MAX_UNITS]
        cdef uint16_t chosen[MAX_UNITS]
        cdef int wanted[MAX_CHOICES]
        cdef int k, c, i, n, best
        self.check_units(packed, power)
        cdef Table* t = self.looked_at(&packed.state, power)
        read_set(self.tables.map, &packed.state, t, orders, wanted)
        result = []
        for k in range(units_in_order(t, &packed.state, order)):
            c = order[k]
            n, best = odds(&self.net.weights, t, &packed.state, c, chosen, k, self.temperature, chances), 0
            for i in range(n):
                if chances[i] > chances[best]:
                    best = i
            chosen[k] = wanted[c]
            result.append((
                code_of(&t.options[chosen[k]]), chances[chosen[k] - t.first[c]], code_of(&t.options[t.first[c] + best])
            ))
        return result

    def chances(self, Packed packed not None, int power, bytes orders) -> list[float]:
        """The marginal probability of each order of a set of movement or retreat orders; units without an order hold,
        or disband. Raises ValueError as `log_probability` does."""
        cdef float chances[MAX_OPTIONS]
        cdef int wanted[MAX_CHOICES]
        cdef int c
        self.check_units(packed, power)
        cdef Table* t = self.looked_at(&packed.state, power)
        read_set(self.tables.map, &packed.state, t, orders, wanted)
        result = []
        for c in range(t.n_choices):
            alone(t.score + t.first[c], t.first[c + 1] - t.first[c], self.temperature, chances)
            result.append(chances[wanted[c] - t.first[c]])
        return result

    def sets(self, Packed packed not None, int power, int width) -> list[tuple[bytes, float]]:
        """The most probable whole sets of movement or retreat orders that a beam of some width (1 to 64) finds, as
        ``(bytes of codes, log probability)``, in order. Raises ValueError in Winter."""
        cdef Part parts[WIDEST_BEAM]
        cdef Part kept[WIDEST_BEAM]
        cdef float chances[MAX_OPTIONS]
        cdef uint16_t order[MAX_UNITS]
        cdef int k, i, j, c, n, n_units, n_parts = 1, n_kept
        self.check_units(packed, power)
        if not 1 <= width <= WIDEST_BEAM:
            raise ValueError(f"a beam of {width}; it can be 1 to {WIDEST_BEAM} wide")
        cdef Table* t = self.looked_at(&packed.state, power)
        parts[0].log_chance = 0
        n_units = units_in_order(t, &packed.state, order)
        for k in range(n_units):
            c, n_kept = order[k], 0
            for j in range(n_parts):
                n = odds(&self.net.weights, t, &packed.state, c, parts[j].chosen, k, self.temperature, chances)
                for i in range(n):
                    if chances[i] > 0:
                        n_kept = keep(
                            kept, n_kept, width, &parts[j], k, t.first[c] + i, parts[j].log_chance + logf(chances[i])
                        )
            memcpy(parts, kept, n_kept * sizeof(Part))
            n_parts = n_kept
        return [(set_of(t, parts[j].chosen, n_units), parts[j].log_chance) for j in range(n_parts)]

    cdef int check_units(self, Packed packed, int power) except -1:
        self.check(packed, power)
        if packed.state.kind != MOVEMENT and packed.state.kind != RETREATS:
            raise ValueError("a phase in which units are ordered is needed")
        return 0

    cdef Table* looked_at(self, const State* s, int power) noexcept nogil:
        """The options of a power with their scores, cached for each state."""
        cdef const MapTables* m = self.tables.map
        cdef Places places
        cdef int other
        if not same(m, s, &self.last):
            copy_state(m, s, &self.last)
            self.looked = 0
        if not self.looked >> power & 1:
            if not self.looked:
                survey(m, s, &self.survey)
            if s.kind == MOVEMENT:
                for other in range(m.n_powers):
                    base_scores(
                        &self.look, s, &self.survey, self.record, other, &places, self.scratch, &self.boards[other]
                    )
                second_look(&self.look, self.scratch, self.boards)
                self.looked = ~<uint64_t>0
            else:
                base_scores(&self.look, s, &self.survey, self.record, power, &places, self.scratch, &self.boards[power])
                self.looked |= <uint64_t>1 << power
        return &self.boards[power]

    cdef int draw(self, const State* s, int power, uint64_t* chance, Order* out) noexcept nogil:
        """Write orders of a power; returns their number."""
        cdef float chances[MAX_OPTIONS]
        cdef uint16_t order[MAX_UNITS]
        cdef uint16_t chosen[MAX_CHOICES]
        cdef Table* t = self.looked_at(s, power)
        cdef int k, c, n
        cdef uint64_t number, seed
        if s.kind == ADJUSTMENTS:
            n = adjustments_due(self.tables.map, s, power)
            n = adjust(t, min(abs(n), MAX_CHOICES), self.temperature, chance, chosen)
        else:
            n, seed = units_in_order(t, s, order), next_number(chance)
            for k in range(n):
                c = order[k]
                # A number for each unit: those of the others stay as they are where one has more options.
                number = mix(seed + t.options[t.first[c]].order.unit)
                chosen[k] = t.first[c] + drawn(
                    chances, odds(&self.net.weights, t, s, c, chosen, k, self.temperature, chances), &number
                )
        for k in range(n):
            out[k] = t.options[chosen[k]].order
        return n


cdef int orders_of_net(void* work, const State* s, int power, uint64_t* chance, Order* out) noexcept nogil:
    return (<NetPolicy>work).draw(s, power, chance, out)


cdef void recall_of_net(void* work, const Record* record) noexcept nogil:
    (<NetPolicy>work).record = record
    (<NetPolicy>work).looked = 0


cdef bint same(const MapTables* m, const State* s, const State* t) noexcept nogil:
    """Whether two states are equal in all inputs of a net."""
    cdef int n = m.n_provinces
    return (
        s.kind == t.kind and s.season == t.season and s.year == t.year and memcmp(s.unit, t.unit, 2 * n) == 0
        and memcmp(s.owner, t.owner, n) == 0 and (
            s.kind != RETREATS
            or (memcmp(s.dislodged, t.dislodged, 2 * n) == 0 and memcmp(s.retreats, t.retreats, 4 * n) == 0)
        )
    )


cdef void copy_state(const MapTables* m, const State* s, State* t) noexcept nogil:
    cdef int n = m.n_provinces
    t.kind, t.season, t.year = s.kind, s.season, s.year
    memcpy(t.unit, s.unit, 2 * n)
    memcpy(t.owner, s.owner, n)
    memcpy(t.dislodged, s.dislodged, 2 * n)
    memcpy(t.retreats, s.retreats, 4 * n)


cdef uint64_t code_of(const Option* o) noexcept nogil:
    cdef uint64_t code
    memcpy(&code, &o.order, sizeof(code))
    return code


cdef bytes set_of(const Table* t, const uint16_t* chosen, int n):
    """The chosen options as a set."""
    cdef Order orders[MAX_UNITS]
    cdef int k
    for k in range(n):
        orders[k] = t.options[chosen[k]].order
    return (<unsigned char*>orders)[:n * sizeof(Order)]


cdef int read_set(const MapTables* m, const State* s, const Table* t, bytes orders, int* taken) except -1:
    """The option that a set takes for each choice. Raises ValueError for an order that is not an option."""
    cdef Order given[MAX_CHOICES]
    cdef int k, n = count_codes(orders)
    for k in range(min(n, MAX_CHOICES)):
        read_code(m, orders, k, WAIVE, &given[k])
    if n > MAX_CHOICES or options_taken(m, s, t, given, n, taken) < n:
        raise ValueError("an order that the power cannot give here")
    return 0


cdef int keep(Part* kept, int n, int width, const Part* before, int k, int option, float log_chance) noexcept nogil:
    """Insert a partial set with one more option among the most probable, in order; returns their number."""
    cdef int at
    if n == width and log_chance <= kept[n - 1].log_chance:
        return n
    at = n if n < width else n - 1
    n = at + 1
    while at > 0 and kept[at - 1].log_chance < log_chance:
        kept[at] = kept[at - 1]
        at -= 1
    kept[at] = before[0]
    kept[at].chosen[k] = option
    kept[at].log_chance = log_chance
    return n
