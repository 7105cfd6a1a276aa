"""Learning of a policy from recorded games, without Python: gradients of whole batches, and steps of Adam.

The targets are the orders that powers played: those whose response was computed, or all of them. The result
depends only on the initial weights and the batches in their order, to the last bit.
"""

from libc.math cimport isnan
from libc.stdint cimport uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from bordeaux._ext.learn.learner cimport Learner
from bordeaux._ext.learn.net_gradient cimport Slopes, Turned, blame, turn
from bordeaux._ext.learn.net_lesson cimport Tally, labels, of_adjustments, of_units
from bordeaux._ext.learn.recorded cimport Recorded
from bordeaux._ext.net.facts cimport POWER_ROWS, Facts, Survey, see_power, survey
from bordeaux._ext.net.looker cimport Looker, Places, Scratch, Table
from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.net.options cimport MAX_CHOICES
from bordeaux._ext.net.scores cimport base_scores, second_look
from bordeaux._ext.net.weights cimport (
    PARTS, PART_INPUT, PART_ORDERS, PART_ORDER_BIAS, PART_PATTERN, PART_RELATION, Net, Weights
)
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables


cdef enum:
    # The tables of rows alone lose weight: most of their rows are seldom met.
    TABLES_OF_ROWS = 1 << PART_INPUT | 1 << PART_ORDERS | 1 << PART_ORDER_BIAS | 1 << PART_PATTERN


cdef class NetLearner(Learner):
    """A net in training on a map: `net` changes, `mean` is the running mean of its weights.

    `arrays` are those of a `Net`. `decay` is the weight decay of the tables of rows, times the rate; `keep` the factor
    of the running mean in a step; `share` the weight of the first pass's own loss. A choice weighs ``1 - weigh + weigh
    * min(gain / unit, 4)`` by the gain of its set, at least 0.

    `loss`, `likely` and `first` are of the last batch, over `choices` of them. They are the mean loss, the mean
    probability of the chosen options, and the share of choices in which the most probable option was taken. Raises
    ValueError as `Net` does, for a map that the net is not for, and for numbers outside their ranges.
    """

    cdef readonly Tables tables
    cdef readonly Net net
    cdef readonly Net mean
    cdef readonly double loss
    cdef readonly double likely
    cdef readonly double first
    cdef readonly long long choices
    cdef int names                      # where rows by name begin
    cdef float share                    # of the first look's own loss
    cdef float weigh
    cdef float unit
    cdef Weights grad
    cdef Looker look
    cdef Turned turned
    cdef Scratch* scratch               # by power, and one for all
    cdef Table* boards
    cdef Slopes* slopes
    cdef Places places[MAX_POWERS]
    cdef State state
    cdef Record record
    cdef Survey survey
    cdef Tally tally

    def __cinit__(
        self, Tables tables not None, arrays: Mapping[str, Any], float decay=0.15, float keep=0.999, float share=0.3,
        float weigh=0.0, float unit=1.0,
    ):
        cdef const MapTables* m = tables.map
        cdef Facts facts = Facts(tables, True)
        cdef int p, q
        self.tables = tables
        self.net, self.mean = Net(arrays), Net(arrays)
        if self.net.rounds:
            raise ValueError("a wide net, which is learnt elsewhere (`training.people`)")
        if self.net.n_rows < facts.n_rows:
            raise ValueError(f"a net of {self.net.n_rows} rows where the map needs {facts.n_rows}")
        if not (0 <= decay < 100 and 0 <= keep < 1 and 0 <= share < 100 and 0 <= weigh <= 1 and unit > 0):
            raise ValueError("decay, keep, share, weigh or unit is outside its range")
        self.decay, self.keep, self.share, self.weigh, self.unit = decay, keep, share, weigh, unit
        self.names = facts.n_general
        self.look.map, self.look.weights, self.look.wide = m, &self.net.weights, wide_vectors()
        for p in range(m.n_provinces):
            for q in range(m.n_provinces):
                if has_bit(m.borders[p], q):
                    self.look.near[p][self.look.n_near[p]] = q
                    self.look.n_near[p] += 1
        self.lay_out(self.net.memory, self.mean.memory, self.net.starts, PARTS, TABLES_OF_ROWS)
        self.scratch = <Scratch*>calloc(m.n_powers + 1, sizeof(Scratch))
        self.boards = <Table*>calloc(m.n_powers, sizeof(Table))
        self.slopes = <Slopes*>calloc(1, sizeof(Slopes))
        if self.scratch == NULL or self.boards == NULL or self.slopes == NULL:
            raise MemoryError
        self.net.point(&self.grad, self.memory)

    def __dealloc__(self):
        free(self.scratch)
        free(self.boards)
        free(self.slopes)

    def learn(
        self, Recorded games not None, phases: Iterable[int], double rate, double forget=0.0, double unname=0.0,
        seed: int = 0,
    ):
        """One step at this rate on some phases, by number. With the probabilities `forget` and `unname` the memory, and
        the names of provinces, are dropped in a phase, by `seed`. Raises IndexError for an unknown phase, and
        ValueError for games on another map."""
        self.go(games, phases, forget, unname, seed, True)
        if self.tally.weight > 0:
            with nogil:
                self.add_relations()
                self.adam(self.tally.weight, rate)

    def judge(self, Recorded games not None, phases: Iterable[int]):
        """Compute `loss` and the other figures for some phases with the running mean of the weights, without learning.
        Raises as `learn` does."""
        self.look.weights = &self.mean.weights
        try:
            self.go(games, phases, 0, 0, 0, False)
        finally:
            self.look.weights = &self.net.weights

    def slopes_of(self, Recorded games not None, phases: Iterable[int]) -> dict[str, tuple[tuple[int, ...], bytes]]:
        """The mean gradients of the weights over some phases, in the form of `Net.arrays`, without learning."""
        cdef size_t i
        self.go(games, phases, 0, 0, 0, True)
        self.add_relations()
        for i in range(self.net.n_weights):
            self.memory[i] /= self.tally.weight
        slopes = self.net.split(self.memory)
        memset(self.memory, 0, self.net.n_weights * sizeof(float))
        return slopes

    cdef int go(
        self, Recorded games, phases, double forget, double unname, uint64_t chance, bint learns
    ) except -1:
        """Process some phases."""
        cdef uint64_t drawn
        cdef int phase, game
        if games.tables is not self.tables:
            raise ValueError("games on another map")
        memset(&self.tally, 0, sizeof(self.tally))
        turn(&self.net.weights, &self.turned)
        for phase in phases:
            if not 0 <= phase < games.n_phases:
                raise IndexError(f"no phase {phase} of {games.n_phases}")
            game = games.game_of(phase)
            drawn = mix(chance + <uint64_t>phase)
            with nogil:
                self.phase(
                    games, game, phase, (drawn & 0xFFFF) >= forget * 0x10000,
                    (drawn >> 16 & 0xFFFF) >= unname * 0x10000, learns,
                )
        self.sum_up()
        return 0

    cdef int sum_up(self) except -1:
        cdef const Tally* t = &self.tally
        self.choices = t.choices
        self.loss = t.loss / t.weight if t.weight else 0
        self.likely, self.first = t.likely / max(1, t.choices), t.first / <double>max(1, t.choices)
        return 0

    cdef float weight_of(self, Recorded games, int phase, int power) noexcept nogil:
        """The weight of a set; 0 if nothing is to be learnt from it."""
        cdef float gain = games.gains[phase * self.tables.map.n_powers + power]
        if isnan(gain):
            return 0
        return max(<float>0, 1 - self.weigh + self.weigh * min(gain / self.unit, <float>4))

    cdef void phase(self, Recorded games, int game, int phase, bint memory, bint names, bint learns) noexcept nogil:
        """Learn from all powers of a phase."""
        cdef const MapTables* m = self.tables.map
        cdef float weights[MAX_POWERS]
        cdef float most = 0
        cdef int power
        cdef Scratch* joint = self.scratch + m.n_powers
        for power in range(m.n_powers):
            weights[power] = self.weight_of(games, phase, power)
            most = max(most, weights[power])
        if most <= 0:
            return
        games.state(phase, &self.state)
        if memory:
            games.remembered(game, phase, &self.state, &self.record)
        else:
            memset(&self.record, 0, sizeof(self.record))
            memset(self.record.origin, NOTHING, sizeof(self.record.origin))
        self.look.names = self.names if names else 0
        survey(m, &self.state, &self.survey)
        for power in range(m.n_powers):
            if weights[power] > 0 or self.state.kind == MOVEMENT:
                base_scores(
                    &self.look, &self.state, &self.survey, &self.record, power, &self.places[power],
                    self.scratch + power, self.boards + power,
                )
        if self.state.kind == MOVEMENT:
            second_look(&self.look, joint, self.boards)
        for power in range(m.n_powers):
            if weights[power] > 0 and self.boards[power].n_options:
                self.power(games, phase, power, weights[power], learns)

    cdef void power(self, Recorded games, int phase, int power, float weight, bint learns) noexcept nogil:
        """Learn from a power's set."""
        cdef const MapTables* m = self.tables.map
        cdef Table* t = self.boards + power
        cdef Order given[MAX_CHOICES]
        cdef int chosen[MAX_CHOICES]
        cdef uint16_t rows[POWER_ROWS]
        cdef int n = games.orders(phase, power, given, MAX_CHOICES)
        memset(self.slopes.base, 0, t.n_options * sizeof(float))
        if self.state.kind == ADJUSTMENTS:
            of_adjustments(t, given, n, weight, self.slopes, &self.tally)
        else:
            labels(&self.look, &self.state, t, given, n, chosen)
            of_units(
                &self.look, &self.state, power, t, chosen, self.scratch + m.n_powers, weight, self.share, self.slopes,
                &self.grad, &self.tally,
            )
        if learns:
            see_power(m, &self.state, &self.survey, &self.record, power, rows)
            blame(
                &self.look, &self.turned, t, &self.places[power], rows, self.scratch + power, self.slopes, &self.grad
            )

    cdef void add_relations(self) noexcept nogil:
        """Move the slopes of the relations, which have a place of their own, to those of all weights."""
        memcpy(self.memory + self.net.starts[PART_RELATION], self.grad.relation, sizeof(self.grad.relation))
        memset(self.grad.relation, 0, sizeof(self.grad.relation))

    cdef void settle(self) noexcept nogil:
        self.net.settle()
        self.mean.settle()
