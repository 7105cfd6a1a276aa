"""Learning of a policy from recorded games, without Python: gradients of whole batches, and steps of Adam.

The targets are the orders that powers played: those whose response was computed, or all of them. The result
depends only on the initial weights and the batches in their order, to the last bit.

The loss of a set is the negative logarithm of its probability as the policy draws it: unit by unit, each given the
orders of those before it (`bordeaux._ext.net.set_odds`), and builds and removals one after the other. In movement the
first pass has a loss of its own, as its predictions are inputs of the second. Through these inputs no gradient flows
back. The backward pass follows `bordeaux._ext.net.scores` step by step in reverse, and uses its intermediate values.
Gradients are added to arrays laid out as the weights are.
"""

from libc.math cimport isnan, logf
from libc.stdint cimport uint8_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from bordeaux._ext.learn.kernels cimport learn_add, learn_outer
from bordeaux._ext.learn.learner cimport Learner
from bordeaux._ext.learn.recorded cimport Recorded
from bordeaux._ext.net.facts cimport NODE_ROWS, POWER_ROWS, Facts, Survey, see_power, survey
from bordeaux._ext.net.kernels cimport net_dense, net_join
from bordeaux._ext.net.memory cimport Record
from bordeaux._ext.net.options cimport *
from bordeaux._ext.net.scores cimport (
    Looker, Places, Scratch, Table, base_scores, is_far, is_help, look_by, second_look
)
from bordeaux._ext.net.set_odds cimport (
    MAX_UNITS, alone, fitting, is_open, odds, open_odds, options_taken, touches, units_in_order
)
from bordeaux._ext.net.weights cimport (
    PARTS, PART_INPUT, PART_ORDERS, PART_ORDER_BIAS, PART_PATTERN, PART_RELATION, RELATIONS, SECONDS, WIDEST, Net,
    Weights
)
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport *
from bordeaux._ext.rules.tables cimport Tables


cdef enum:
    # The tables of rows alone lose weight: most of their rows are seldom met.
    TABLES_OF_ROWS = 1 << PART_INPUT | 1 << PART_ORDERS | 1 << PART_ORDER_BIAS | 1 << PART_PATTERN

cdef float UNLIKELY = 1e-9          # the least chance whose logarithm is taken

# Weights of relations that are the powers of two: what they come to tells which of them hold.
cdef float[RELATIONS] DIGITS = [1 << i for i in range(RELATIONS)]

# Dense layers turned over, to go back through them.
cdef struct Turned:
    float layer2[2 * WIDEST * WIDEST]       # [b][2 a]
    float layer3[2 * WIDEST * WIDEST]       # [c][2 b]
    float source[2 * WIDEST * WIDEST]       # [k + e][c]
    float goals[2 * WIDEST * WIDEST]        # [2 k][c]
    float other[WIDEST * WIDEST]            # [k][a]
    float far[WIDEST * WIDEST]              # [k][a]

# The gradient of the loss, by option and by computed value of a province.
cdef struct Slopes:
    float base[MAX_OPTIONS]
    float source[256 * 2 * WIDEST]
    float goals[256 * 2 * WIDEST]
    float other[256 * WIDEST]
    float far[256 * WIDEST]
    float h1[256 * WIDEST]
    float h2[256 * WIDEST]
    float h3[256 * WIDEST]
    float both[256 * 2 * WIDEST]
    float beside[256 * 2 * WIDEST]
    float power[WIDEST]

# Sums over the examples of a lesson.
cdef struct Tally:
    double loss         # of choices by their weights, those of the second look
    double weight
    double likely       # probability of what was chosen, summed over choices
    long long choices
    long long first     # choices of which the likeliest option was taken


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
        look_by(&self.look, m, &self.net.weights, self.names)
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

    cdef int go(self, Recorded games, phases, double forget, double unname, uint64_t chance, bint learns) except -1:
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
            options_taken(m, &self.state, t, given, n, chosen)
            of_units(
                &self.look, &self.state, power, t, chosen, self.scratch + m.n_powers, weight, self.share, self.slopes,
                &self.grad, &self.tally,
            )
        if learns:
            see_power(m, &self.state, &self.survey, &self.record, power, rows)
            blame(&self.look, &self.turned, t, &self.places[power], rows, self.scratch + power, self.slopes, &self.grad)

    cdef void add_relations(self) noexcept nogil:
        """Move the slopes of the relations, which have a place of their own, to those of all weights."""
        memcpy(self.memory + self.net.starts[PART_RELATION], self.grad.relation, sizeof(self.grad.relation))
        memset(self.grad.relation, 0, sizeof(self.grad.relation))

    cdef void settle(self) noexcept nogil:
        self.net.settle()
        self.mean.settle()


cdef void of_units(
    const Looker* look, const State* s, int power, const Table* t, const int* chosen, const Scratch* joint,
    float weight, float first_share, Slopes* d, Weights* grad, Tally* tally
) noexcept nogil:
    """Add the gradients of a set of movement or retreat orders to `d.base`, which has room for all options and is 0.

    `joint` is the input of the second pass; `first_share` is the weight of the first pass's own loss.
    """
    cdef const Weights* w = look.weights
    cdef float chances[MAX_OPTIONS]
    cdef uint16_t order[MAX_UNITS]
    cdef uint16_t taken[MAX_UNITS]
    cdef int k, i, n, first, label, n_units = units_in_order(t, s, order)
    for k in range(n_units):
        if chosen[order[k]] < 0:
            return
        taken[k] = chosen[order[k]]
    for k in range(n_units):
        first = t.first[order[k]]
        label = taken[k] - first
        n = odds(w, t, s, order[k], taken, k, 1, chances)
        if s.kind != MOVEMENT:
            if n > 1:
                count(chances, n, label, weight, tally)
                add_slopes(chances, n, label, weight, d.base + first)
            continue
        count(chances, n, label, weight, tally)
        for i in range(n):
            chances[i] = weight * (chances[i] - (i == label))
            if chances[i] != 0:
                of_second_pass(w, power, t, first + i, taken, k, joint, chances[i], grad)
                d.base[first + i] += chances[i] * w.sharpness
        alone(t.base + first, n, 1, chances)
        add_slopes(chances, n, label, weight * first_share, d.base + first)


cdef void count(const float* chances, int n, int label, float weight, Tally* tally) noexcept nogil:
    cdef int i, top = 0
    for i in range(n):
        if chances[i] > chances[top]:
            top = i
    tally.loss -= weight * logf(max(chances[label], UNLIKELY))
    tally.weight += weight
    tally.likely += chances[label]
    tally.choices += 1
    tally.first += top == label


cdef inline void add_slopes(const float* chances, int n, int label, float weight, float* slopes) noexcept nogil:
    """Add the gradient of the loss of a choice with respect to its options' scores."""
    cdef int i
    for i in range(n):
        slopes[i] += weight * (chances[i] - (i == label))


cdef void of_second_pass(
    const Weights* w, int power, const Table* t, int option, const uint16_t* taken, int n_taken, const Scratch* x,
    float slope, Weights* grad
) noexcept nogil:
    """The gradients of the weights with which a unit's option gains from those chosen before it, and from the predicted
    moves of all."""
    cdef const Option* o = &t.options[option]
    cdef const Option* j
    cdef float inputs[SECONDS]
    cdef int k, r, held
    inputs[0] = t.helps[option]
    for k in range(n_taken):
        j = &t.options[taken[k]]
        if touches(o, j):
            held = <int>fitting(DIGITS, o, j, &inputs[0])
            for r in range(RELATIONS):
                if held >> r & 1:
                    grad.relation[r] += slope
    slope *= w.sharpness
    inputs[1] = x.arrivals[power][o.goal] - x.mass[o.source][o.goal]
    inputs[2] = x.all_arrivals[o.goal] - x.arrivals[power][o.goal]
    inputs[3] = x.all_arrivals[o.source] - x.arrivals[power][o.source]
    inputs[4] = 0 if is_help(o.kind) else x.helped[o.source][o.goal]
    for k in range(SECONDS):
        (<float*>grad.second)[o.kind * SECONDS + k] += slope * inputs[k]


cdef void of_adjustments(
    const Table* t, const Order* given, int n, float weight, Slopes* d, Tally* tally
) noexcept nogil:
    """Add the gradients of builds or removals, in the order in which they were given, to `d.base`."""
    cdef float chances[MAX_OPTIONS]
    cdef uint8_t gone[256]
    cdef int i, k, label, n_open
    memset(gone, 0, sizeof(gone))
    for k in range(n):
        n_open, label = open_odds(t, gone, 1, chances), -1
        for i in range(t.n_options):
            if is_open(&t.options[i], gone) and memcmp(&t.options[i].order, &given[k], sizeof(Order)) == 0:
                label = i
        if label < 0:
            return
        if n_open > 1:
            count(chances, t.n_options, label, weight, tally)
            add_slopes(chances, t.n_options, label, weight, d.base)
        if t.options[label].kind != OPTION_WAIVE:
            gone[t.options[label].source] = 1


cdef void turn(const Weights* w, Turned* out) noexcept nogil:
    """Transpose the dense layers."""
    over(w.layer2, 2 * w.a, w.b, out.layer2)
    over(w.layer3, 2 * w.b, w.c, out.layer3)
    over(w.source, w.c, w.k + w.e, out.source)
    over(w.goals, w.c, 2 * w.k, out.goals)
    over(w.other, w.a, w.k, out.other)
    over(w.far, w.a, w.k, out.far)


cdef void over(const float* matrix, int rows, int columns, float* out) noexcept nogil:
    cdef int i, j
    for i in range(rows):
        for j in range(columns):
            out[j * rows + i] = matrix[i * columns + j]


cdef void blame(
    const Looker* look, const Turned* turned, const Table* t, const Places* places, const uint16_t* power_rows,
    Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """Add the gradients of the weights to `grad`, from those of the options' first scores, `d.base`. `x` holds the
    results of `base_scores` for the power; its room for joined rows is overwritten."""
    cdef const Weights* w = look.weights
    memset(d.source, 0, places.n_sources * (w.k + w.e) * sizeof(float))
    memset(d.goals, 0, places.n_scored * 2 * w.k * sizeof(float))
    memset(d.other, 0, places.n * w.k * sizeof(float))
    memset(d.far, 0, places.n * w.k * sizeof(float))
    blame_options(look, t, places, x, d, grad)
    blame_layers(look, turned, places, x, d, grad)
    blame_rows(look, places, power_rows, x, d, grad)


cdef void blame_options(
    const Looker* look, const Table* t, const Places* places, const Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """From the scores of options to the transformed rows of their provinces."""
    cdef const Weights* w = look.weights
    cdef const Option* o
    cdef const float* source
    cdef const float* goal
    cdef const float* other
    cdef float* to_source
    cdef float* to_goal
    cdef float* to_other
    cdef float* bias
    cdef float* out
    cdef float slope, z, part
    cdef int i, k
    for i in range(t.n_options):
        slope = d.base[i]
        if slope == 0:
            continue
        o = &t.options[i]
        (<float*>grad.kind_base)[o.kind] += slope
        bias, out = <float*>grad.kind_bias + o.kind * w.k, <float*>grad.kind_out + o.kind * w.k
        if o.kind == OPTION_WAIVE:
            for k in range(w.k):
                z = w.kind_bias[OPTION_WAIVE * w.k + k]
                if z > 0:
                    out[k] += slope * z
                    bias[k] += slope * w.kind_out[OPTION_WAIVE * w.k + k]
            continue
        other, to_other = NULL, NULL
        source = x.source + places.place[o.source] * (w.k + w.e)
        to_source = d.source + places.place[o.source] * (w.k + w.e)
        if is_far(o.kind):
            goal, to_goal = x.far + places.place[o.goal] * w.k, d.far + places.place[o.goal] * w.k
        else:
            k = places.place[o.goal] * 2 * w.k + (w.k if is_help(o.kind) else 0)
            goal, to_goal = x.goals + k, d.goals + k
        if is_help(o.kind):
            other, to_other = x.other + places.place[o.other] * w.k, d.other + places.place[o.other] * w.k
        for k in range(w.k):
            z = source[k] + goal[k] + w.kind_bias[o.kind * w.k + k]
            if other != NULL:
                z += other[k]
            if z > 0:
                out[k] += slope * z
                part = slope * w.kind_out[o.kind * w.k + k]
                bias[k] += part
                to_source[k] += part
                to_goal[k] += part
                if other != NULL:
                    to_other[k] += part
        if look.names:
            for k in range(PATTERNS):
                (<float*>grad.pattern)[o.pattern[k]] += slope
            (<float*>grad.order_bias)[o.row] += slope
            learn_add(look.wide, <float*>grad.orders + o.row * w.e, source + w.k, slope, w.e)
            learn_add(look.wide, to_source + w.k, w.orders + o.row * w.e, slope, w.e)
        if o.again != AFRESH:
            (<float*>grad.again)[(o.again - 1) * OPTIONS + o.kind] += slope


cdef void cut(float* slopes, const float* values, int n) noexcept nogil:
    """Set the gradient to 0 where the activation was cut off."""
    cdef int i
    for i in range(n):
        if values[i] <= 0:
            slopes[i] = 0


cdef void blame_layers(
    const Looker* look, const Turned* turned, const Places* places, Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """From the transformed rows of provinces through the rounds between neighbours to their first sums."""
    cdef const Weights* w = look.weights
    cdef int i, p, wide = look.wide
    net_dense(wide, d.goals, places.n_scored, 2 * w.k, turned.goals, NULL, w.c, d.h3, 0)
    net_dense(wide, d.source, places.n_sources, w.k + w.e, turned.source, NULL, w.c, d.beside, 0)
    learn_add(wide, d.h3, d.beside, 1, places.n_sources * w.c)
    learn_outer(wide, x.h3, places.n_sources, w.c, d.source, w.k + w.e, <float*>grad.source)
    learn_outer(wide, x.h3, places.n_scored, w.c, d.goals, 2 * w.k, <float*>grad.goals)

    cut(d.h3, x.h3, places.n_scored * w.c)
    for i in range(places.n_scored):
        p = places.listed[i]
        net_join(wide, x.h2, x.h2 + i * w.b, look.near[p], places.place, look.n_near[p], w.b, x.both + i * 2 * w.b)
        learn_add(wide, <float*>grad.bias3, d.h3 + i * w.c, 1, w.c)
    learn_outer(wide, x.both, places.n_scored, 2 * w.b, d.h3, w.c, <float*>grad.layer3)
    net_dense(wide, d.h3, places.n_scored, w.c, turned.layer3, NULL, 2 * w.b, d.both, 0)
    part_again(look, places, places.n_scored, places.n_second, w.b, d.both, d.h2)

    cut(d.h2, x.h2, places.n_second * w.b)
    for i in range(places.n_second):
        p = places.listed[i]
        net_join(wide, x.h1, x.h1 + i * w.a, look.near[p], places.place, look.n_near[p], w.a, x.both + i * 2 * w.a)
        learn_add(wide, <float*>grad.bias2, d.h2 + i * w.b, 1, w.b)
    learn_outer(wide, x.both, places.n_second, 2 * w.a, d.h2, w.b, <float*>grad.layer2)
    net_dense(wide, d.h2, places.n_second, w.b, turned.layer2, NULL, 2 * w.a, d.both, 0)
    part_again(look, places, places.n_second, places.n, w.a, d.both, d.h1)
    blame_helpers(look, turned.other, d.other, places, x, d, <float*>grad.other)
    blame_helpers(look, turned.far, d.far, places, x, d, <float*>grad.far)
    cut(d.h1, x.h1, places.n * w.a)


cdef void part_again(
    const Looker* look, const Places* places, int count, int n_before, int width, const float* both, float* out
) noexcept nogil:
    """Divide the gradients of joined rows of `count` provinces between their own row and the mean of their
    neighbours'."""
    cdef int i, k, p
    memset(out, 0, n_before * width * sizeof(float))
    for i in range(count):
        p = places.listed[i]
        learn_add(look.wide, out + i * width, both + i * 2 * width, 1, width)
        for k in range(look.n_near[p]):
            learn_add(
                look.wide, out + places.place[look.near[p][k]] * width, both + (2 * i + 1) * width,
                <float>1.0 / look.n_near[p], width,
            )


cdef void blame_helpers(
    const Looker* look, const float* turned, const float* slopes, const Places* places, const Scratch* x, Slopes* d,
    float* grad
) noexcept nogil:
    """From helped units, or far goals, to the sums of their provinces, for those with a gradient."""
    cdef const Weights* w = look.weights
    cdef int i, k
    for i in range(places.n):
        k = 0
        while k < w.k and slopes[i * w.k + k] == 0:
            k += 1
        if k == w.k:
            continue
        learn_outer(look.wide, x.h1 + i * w.a, 1, w.a, slopes + i * w.k, w.k, grad)
        net_dense(look.wide, slopes + i * w.k, 1, w.k, turned, NULL, w.a, d.beside, 0)
        learn_add(look.wide, d.h1 + i * w.a, d.beside, 1, w.a)


cdef void blame_rows(
    const Looker* look, const Places* places, const uint16_t* power_rows, const Scratch* x, Slopes* d, Weights* grad
) noexcept nogil:
    """From the first sums of provinces to the rows of the input."""
    cdef int i, k, row, a = look.weights.a
    cdef float* table = <float*>grad.input
    memset(d.power, 0, a * sizeof(float))
    for i in range(places.n):
        for k in range(NODE_ROWS):
            row = x.facts[i][k]
            if row:
                learn_add(look.wide, table + row * a, d.h1 + i * a, 1, a)
        learn_add(look.wide, d.power, d.h1 + i * a, 1, a)
    for k in range(POWER_ROWS):
        if power_rows[k]:
            learn_add(look.wide, table + power_rows[k] * a, d.power, 1, a)
