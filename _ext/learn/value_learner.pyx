"""Learning of a value from recorded games, without Python: TD(lambda) on whole games, and steps of Adam.

The target of a phase is the result of the game, mixed backwards with the value's own predictions for the
phases between (TD(lambda); R. S. Sutton, *Learning to Predict by the Methods of Temporal Differences*,
1988).
"""

from libc.math cimport log
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcpy, memset

from bordeaux._ext.learn.kernels cimport learn_add, learn_outer
from bordeaux._ext.learn.learner cimport Learner
from bordeaux._ext.learn.recorded cimport Recorded
from bordeaux._ext.rules.splitmix cimport mix
from bordeaux._ext.rules.structures cimport MAX_POWERS, State
from bordeaux._ext.rules.tables cimport Tables
from bordeaux._ext.value.prospect cimport over, softmax
from bordeaux._ext.value.prospect_rows cimport HEADS, Listed, Weighing, list_rows, look
from bordeaux._ext.value.value_net cimport (
    PART_NOBODY, PART_ROWS, VALUE_PARTS, WIDEST_MIDDLE, WIDEST_SUM, Sight, ValueNet, ValueWeights, reckon, sum_rows
)


# The target of a phase: shares, and chances of a solo, the last one for no solo.
cdef struct Aim:
    float share[MAX_POWERS]
    float solo[MAX_POWERS + 1]


cdef class ValueLearner(Learner):
    """A value in training on a map: `net` changes, `mean` is the running mean of its weights, which predicts the values
    of later phases.

    `arrays` are those of a `ValueNet`, with rows of names. `decay` is the weight decay of rows, times the rate, and
    `keep` the factor of the running mean in a step. `trace` is lambda, from 0 (targets are predictions for the next
    phase) to 1 (targets are results). `solos` is the weight of the loss of solos relative to that of shares.

    After a batch `loss` and `solo_loss` are its mean cross entropies, and `error` the mean squared error of shares
    against the results, summed over powers, all over `phases` phases. Raises ValueError as `ValueNet` does, and for
    numbers outside their ranges.
    """

    cdef readonly Tables tables
    cdef readonly ValueNet net
    cdef readonly ValueNet mean
    cdef readonly long long phases          # of the last batch
    cdef readonly double loss
    cdef readonly double solo_loss
    cdef readonly double error
    cdef float trace
    cdef float solos
    cdef double sums[3]
    cdef ValueWeights grad
    cdef Aim* aims                          # of the phases of a game
    cdef int room
    cdef Listed* listed                     # by power
    cdef Sight sight
    cdef State state

    def __cinit__(
        self, Tables tables not None, arrays: Mapping[str, Any], int first_year, float decay=0.02, float keep=0.999,
        float trace=0.9, float solos=0.2,
    ):
        self.tables = tables
        self.net, self.mean = (ValueNet(tables, arrays, True, first_year) for _ in range(2))
        if not (0 <= decay < 100 and 0 <= keep < 1 and 0 <= trace <= 1 and 0 <= solos < 100):
            raise ValueError("decay, keep, trace or solos is outside its range")
        self.decay, self.keep, self.trace, self.solos = decay, keep, trace, solos
        # Rows alone lose weight: most of them are seldom met.
        self.lay_out(self.net.memory, self.mean.memory, self.net.starts, VALUE_PARTS, 1 << PART_ROWS | 1 << PART_NOBODY)
        self.listed = <Listed*>calloc(tables.map.n_powers, sizeof(Listed))
        if self.listed == NULL:
            raise MemoryError
        self.net.point(&self.grad, self.memory)

    def __dealloc__(self):
        free(self.listed)
        free(self.aims)

    def learn(self, Recorded games not None, numbers: Iterable[int], double rate, double unname=0.0, seed: int = 0):
        """One step at this rate on some games, by number. With the probability `unname` a game is learnt without rows
        of names, by `seed`. Raises IndexError for an unknown game, and ValueError for games on another map."""
        self.go(games, numbers, unname, seed, True)
        if self.phases:
            with nogil:
                self.adam(self.phases, rate)

    def judge(self, Recorded games not None, numbers: Iterable[int]):
        """Compute `loss` and the other figures, here against the results of games, with the running mean of the
        weights, without learning. Raises as `learn` does."""
        self.go(games, numbers, 0, 0, False)

    def slopes_of(self, Recorded games not None, numbers: Iterable[int]) -> dict[str, bytes]:
        """The mean gradients of the weights over some games, by array as bytes, without learning."""
        cdef size_t i
        cdef const char* data = <const char*>self.memory
        self.go(games, numbers, 0, 0, True)
        for i in range(self.net.n_weights):
            self.memory[i] /= max(1, self.phases)
        slopes = {
            name: data[sizeof(float) * self.net.starts[part] : sizeof(float) * self.net.starts[part + 1]]
            for part, name in enumerate(self.net.arrays())
        }
        memset(self.memory, 0, self.net.n_weights * sizeof(float))
        return slopes

    cdef int go(self, Recorded games, numbers, double unname, seed, bint learns) except -1:
        """Process some games."""
        cdef int game, k, first, n
        cdef bint names
        cdef uint64_t chance = seed
        if games.tables is not self.tables:
            raise ValueError("games on another map")
        self.phases = 0
        memset(self.sums, 0, sizeof(self.sums))
        for game in numbers:
            if not 0 <= game < games.n_games:
                raise IndexError(f"no game {game} of {games.n_games}")
            first, n = games.first_phase[game], games.first_phase[game + 1] - games.first_phase[game]
            if n + 1 > self.room:
                self.aims = <Aim*>realloc(self.aims, (n + 1) * sizeof(Aim))
                if self.aims == NULL:
                    self.room = 0
                    raise MemoryError
                self.room = n + 1
            names = (mix(chance + <uint64_t>game) & 0xFFFF) >= unname * 0x10000
            with nogil:
                self.aim(games, game, names, learns)
                for k in range(n):
                    self.phase(games, first + k, names, &self.aims[k], learns)
        self.loss, self.solo_loss, self.error = (total / max(1, self.phases) for total in self.sums)
        return 0

    cdef void aim(self, Recorded games, int game, bint names, bint learns) noexcept nogil:
        """Write the target of each phase of a game."""
        cdef int n_powers = self.tables.map.n_powers, power, k
        cdef int first = games.first_phase[game], n = games.first_phase[game + 1] - first
        cdef float trace = self.trace if learns else 1
        cdef Aim* end = &self.aims[n]
        cdef Aim said
        memset(end, 0, sizeof(Aim))
        memcpy(end.share, games.shares + n_powers * game, n_powers * sizeof(float))
        end.solo[games.winner[game] if games.winner[game] >= 0 else n_powers] = 1
        for k in range(n - 1, -1, -1):
            self.aims[k] = self.aims[k + 1]
            # The end itself has an exact result, and needs no prediction.
            if k + 1 < n and trace < 1 and self.see(&self.mean.weights, games, first + k + 1, names, &said):
                for power in range(n_powers):
                    self.aims[k].share[power] += (1 - trace) * (said.share[power] - self.aims[k].share[power])
                for power in range(n_powers + 1):
                    self.aims[k].solo[power] += (1 - trace) * (said.solo[power] - self.aims[k].solo[power])

    cdef bint see(self, const ValueWeights* w, Recorded games, int phase, bint names, Aim* out) noexcept nogil:
        """Compute a phase: its rows, sums and logits, shares and probabilities of solos. False if the game is over."""
        cdef int n = self.tables.map.n_powers, power
        cdef Weighing used = w.weighing[0]
        cdef float solos = 0
        used.names = names
        games.state(phase, &self.state)
        look(&used, &self.state, &self.sight.scene)
        if over(&self.sight.scene, &self.state, n, out.share, out.solo):
            return False
        for power in range(n):
            if self.sight.scene.alive[power]:
                list_rows(&used, &self.sight.scene, &self.state, power, &self.listed[power])
                sum_rows(w, &self.listed[power], self.sight.sums[power])
        reckon(w, &self.sight)
        softmax(&self.sight.scene, self.sight.logits[0], n, NULL, out.share)
        softmax(&self.sight.scene, self.sight.logits[1], n, &self.sight.nobody, out.solo)
        for power in range(n):
            solos += out.solo[power]
        out.solo[n] = max(<float>0, 1 - solos)
        return True

    cdef void phase(self, Recorded games, int phase, bint names, const Aim* aim, bint learns) noexcept nogil:
        """Learn from a phase."""
        cdef int n = self.tables.map.n_powers, power
        cdef Aim said
        cdef float share[MAX_POWERS]
        cdef float solo[MAX_POWERS + 1]
        if not self.see(&self.net.weights if learns else &self.mean.weights, games, phase, names, &said):
            return
        self.phases += 1
        for power in range(n):
            self.sums[0] -= aim.share[power] * log(max(<double>said.share[power], 1e-9))
            self.sums[2] += (said.share[power] - aim.share[power]) ** 2
            share[power] = said.share[power] - aim.share[power]
        for power in range(n + 1):
            self.sums[1] -= aim.solo[power] * log(max(<double>said.solo[power], 1e-9))
            solo[power] = self.solos * (said.solo[power] - aim.solo[power])
        if learns:
            self.blame(share, solo)

    cdef void blame(self, const float* share, const float* solo) noexcept nogil:
        """Add the gradients of a phase, from those of the logits."""
        cdef const ValueWeights* w = &self.net.weights
        cdef ValueWeights* d = &self.grad
        cdef Sight* x = &self.sight
        cdef int n = self.tables.map.n_powers, width = w.width, middle = w.middle, power, i, j
        cdef float before[MAX_POWERS][WIDEST_MIDDLE]
        cdef float sums[MAX_POWERS][WIDEST_SUM]
        cdef float mean[WIDEST_SUM]
        cdef float slope, own, shared
        cdef float part = <float>1 / max(1, x.scene.n_alive)
        cdef const Listed* listed
        memset(mean, 0, sizeof(mean))
        for power in range(n):
            if not x.scene.alive[power]:
                continue
            for j in range(middle):
                slope = share[power] * w.out[HEADS * j] + solo[power] * w.out[HEADS * j + 1]
                own = x.middle[middle * power + j]
                (<float*>d.out)[HEADS * j] += share[power] * own
                (<float*>d.out)[HEADS * j + 1] += solo[power] * own
                before[power][j] = slope if own > 0 else 0
                (<float*>d.bias)[j] += before[power][j]
            learn_outer(w.wide, x.both + 2 * width * power, 1, 2 * width, before[power], middle, <float*>d.layer)
            for i in range(width):
                own = shared = 0
                for j in range(middle):
                    own += w.layer[middle * i + j] * before[power][j]
                    shared += w.layer[middle * (width + i) + j] * before[power][j]
                sums[power][i] = own
                mean[i] += shared * part
        for power in range(n):
            if not x.scene.alive[power]:
                continue
            for i in range(width):
                sums[power][i] = sums[power][i] + mean[i] if x.sums[power][i] > 0 else 0
            sums[power][0] += share[power]
            sums[power][1] += solo[power]
            listed = &self.listed[power]
            for i in range(listed.n_once):
                learn_add(w.wide, <float*>d.rows + width * listed.once[i], sums[power], 1, width)
            for i in range(listed.n_single):
                learn_add(w.wide, <float*>d.rows + width * listed.single[i], sums[power], w.weighing.factor, width)
        for i in range(4):
            (<float*>d.nobody)[x.common[i]] += solo[n]
