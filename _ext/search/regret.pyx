"""Regret matching: players of a game in normal form learn mixtures of low regret.

In every iteration one joint action is drawn from the current strategies. Each player then computes the
value of each own action against the others' draw. An action's regret grows by its gain over the strategy.
The next strategy plays the actions of positive regret in proportion (Hart and Mas-Colell 2000). Two
refinements make it fast. Iteration t has weight t (linear weighting, Brown and Sandholm 2019). The last
regrets count twice, as a prediction of the next ones (optimism, Syrgkanis and others 2015). Regrets may
fall below 0. With opponents that are drawn, stopping them there (regret matching plus) gave errors two to
three times as large.

In a two-player zero-sum game the average strategies converge to an equilibrium. With more players their
regret goes to zero. The current strategies cycle around it, so the average is the one to play.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from bordeaux._ext.rules.splitmix cimport next_number
from bordeaux._ext.rules.structures cimport MAX_POWERS


cdef class RegretGame:
    """The learning algorithm; `outcomes` of a subclass gives the values of joint actions.

    Players have up to `room` actions. The same seed gives the same run. Raises ValueError for sizes out of range.
    """

    def __cinit__(self, *args: Any, int room=64, uint64_t seed=0, **others: Any):
        if not 0 < room <= 4096:
            raise ValueError(f"room for {room} actions is outside 1 to 4096")
        self.room = room
        self.chance = seed
        self.regrets = <double*>calloc(MAX_POWERS * room, sizeof(double))
        self.latest = <double*>calloc(MAX_POWERS * room, sizeof(double))
        self.current = <double*>calloc(MAX_POWERS * room, sizeof(double))
        self.sums = <double*>calloc(MAX_POWERS * room, sizeof(double))
        self.row = <double*>calloc(room, sizeof(double))
        if not (self.regrets and self.latest and self.current and self.sums and self.row):
            raise MemoryError

    def __dealloc__(self):
        free(self.regrets)
        free(self.latest)
        free(self.current)
        free(self.sums)
        free(self.row)

    cdef void begin(self, const int* joint) noexcept nogil:
        """Receive the drawn joint action before `outcomes` is called."""

    cdef void outcomes(self, const int* joint, int player, double* values) noexcept nogil:
        """The values of each own action for a player against the others' actions in `joint`."""

    cdef int check_player(self, int player) except -1:
        if not 0 <= player < self.n_players:
            raise ValueError(f"no player {player} among {self.n_players}")
        return 0

    cdef int draw(self, const double* shares, int n) noexcept nogil:
        """The number of an action, drawn by its share in the strategy."""
        cdef double left = <double>(next_number(&self.chance) >> 11) / 9007199254740992.0
        cdef int k
        for k in range(n):
            left -= shares[k]
            if left < 0:
                return k
        # Shares may sum to a little less than 1: the last action that has one.
        for k in range(n - 1, -1, -1):
            if shares[k] > 0:
                return k
        return 0

    cdef void iterate(self) noexcept nogil:
        cdef int joint[MAX_POWERS]
        cdef int player
        cdef double weight
        self.iterations += 1
        weight = <double>self.iterations
        self.weight += weight
        for player in range(self.n_players):
            joint[player] = self.draw(self.current + player * self.room, self.count[player])
        self.begin(joint)
        for player in range(self.n_players):
            if self.learns[player] and self.count[player]:
                self.outcomes(joint, player, self.row)
                self.take(player, weight)
        for player in range(self.n_players):
            if self.learns[player]:
                self.learn(player)

    cdef void take(self, int player, double weight) noexcept nogil:
        """Add the values of each action of a player in an iteration, `row`, to the regrets."""
        cdef double* regrets = self.regrets + player * self.room
        cdef double* latest = self.latest + player * self.room
        cdef const double* current = self.current + player * self.room
        cdef double* sums = self.sums + player * self.room
        cdef double mean = 0, gain
        cdef int k
        for k in range(self.count[player]):
            mean += current[k] * self.row[k]
        self.worth[player] += weight * mean
        for k in range(self.count[player]):
            gain = weight * (self.row[k] - mean)
            latest[k] = gain
            regrets[k] += gain
            sums[k] += weight * current[k]

    cdef void learn(self, int player) noexcept nogil:
        """The next strategy: in proportion to positive regrets, the last counted twice."""
        cdef const double* regrets = self.regrets + player * self.room
        cdef const double* latest = self.latest + player * self.room
        cdef double* current = self.current + player * self.room
        cdef double total = 0
        cdef int k
        for k in range(self.count[player]):
            if regrets[k] + latest[k] > 0:
                total += regrets[k] + latest[k]
        # Where nothing is regretted, any strategy will do: the one that was played stays.
        if total > 0:
            for k in range(self.count[player]):
                current[k] = max(regrets[k] + latest[k], 0.0) / total

    def run(self, int iterations, stop: Callable[[], object] | None = None, int every=16) -> int:
        """Learn for some iterations; returns their number.

        `stop`, if given, is called before every `every` iterations and returns whether to end.
        """
        cdef int done = 0, chunk, _
        if iterations < 0 or every < 1:
            raise ValueError(f"{iterations} iterations, asked every {every}")
        while done < iterations and not (stop is not None and stop()):
            chunk = iterations - done if stop is None else min(every, iterations - done)
            with nogil:
                for _ in range(chunk):
                    self.iterate()
            done += chunk
        return done

    def actions(self, int player) -> int:
        """The number of actions of a player."""
        self.check_player(player)
        return self.count[player]

    def strategy(self, int player) -> list[float]:
        """The current strategy of a player: shares of 1, a list."""
        self.check_player(player)
        return [self.current[player * self.room + k] for k in range(self.count[player])]

    def average(self, int player) -> list[float]:
        """The mean of the strategies that a player has played, with larger weights for later ones.

        Before the first iteration, and for a player who does not learn, the current strategy.
        """
        cdef int k
        cdef double total = 0
        self.check_player(player)
        for k in range(self.count[player]):
            total += self.sums[player * self.room + k]
        if total <= 0:
            return self.strategy(player)
        return [self.sums[player * self.room + k] / total for k in range(self.count[player])]

    def value(self, int player) -> float:
        """The mean value of the played strategies for a learning player, with larger weights for later ones; 0 before
        the first iteration."""
        self.check_player(player)
        return self.worth[player] / self.weight if self.weight > 0 else 0.0

    def start(self, int player, shares: Sequence[float], bint learns=True):
        """Begin with this strategy (any weights, one for each action) instead of equal shares.

        A player with `learns` off plays it throughout. Raises ValueError for invalid weights.
        """
        cdef double total
        cdef int k
        self.check_player(player)
        total = sum(shares)
        if len(shares) != self.count[player] or not 0 < total < 1e300 or min(shares) < 0:
            raise ValueError(f"{len(shares)} weights that sum to {total} for {self.count[player]} actions")
        for k in range(self.count[player]):
            self.current[player * self.room + k] = shares[k] / total
        self.learns[player] = learns

    def credit(self, int player, int action, double gain):
        """Set the regret of an action that was added later, as if it had gained this much in every iteration so far."""
        self.check_player(player)
        if not 0 <= action < self.count[player]:
            raise ValueError(f"player {player} has no action {action}")
        self.regrets[player * self.room + action] = gain * self.weight

    def fade(self, double share):
        """Multiply the weight of everything learnt so far by a factor from 0 to 1: the game has changed."""
        cdef int i
        if not 0 <= share <= 1:
            raise ValueError(f"a share of {share} is outside 0 to 1")
        self.weight *= share
        for i in range(MAX_POWERS):
            self.worth[i] *= share
        for i in range(MAX_POWERS * self.room):
            self.regrets[i] *= share
            self.latest[i] *= share
            self.sums[i] *= share

    def against(self, int player, int samples, bint final=False) -> tuple[list[float], float]:
        """Mean values of each action of a player over joint actions drawn from the others' average
        strategies, or their current ones (`final`): ``(values, value of the own strategy)``."""
        cdef int joint[MAX_POWERS]
        cdef int k, other, _
        cdef uint64_t chance = self.chance
        cdef double* kept
        self.check_player(player)
        if samples < 1 or self.count[player] == 0:
            raise ValueError(f"{samples} samples for the {self.count[player]} actions of player {player}")
        kept = <double*>calloc((self.n_players + 1) * self.room, sizeof(double))
        if kept == NULL:
            raise MemoryError
        try:
            for other in range(self.n_players):
                shares = self.strategy(other) if final else self.average(other)
                for k, share in zip(range(self.count[other]), shares):
                    kept[other * self.room + k] = share
            with nogil:
                for _ in range(samples):
                    for other in range(self.n_players):
                        joint[other] = self.draw(kept + other * self.room, self.count[other])
                    self.begin(joint)
                    self.outcomes(joint, player, self.row)
                    for k in range(self.count[player]):
                        kept[self.n_players * self.room + k] += self.row[k] / samples
            values = [kept[self.n_players * self.room + k] for k in range(self.count[player])]
            own = sum(kept[player * self.room + k] * values[k] for k in range(self.count[player]))
        finally:
            free(kept)
            # Looking on must not change how the learning goes on.
            self.chance = chance
        return values, own


cdef class MatrixGame(RegretGame):
    """A game given by its table of payoffs.

    `counts` are the actions of each player (1 to 31 players). `payoffs` is (players, joint actions) of float64, joint
    actions in C order: the last player's action varies fastest. Raises ValueError for shapes that do not fit, and if
    the game was made already.
    """

    cdef object kept
    cdef const double* payoffs
    cdef long long joints
    cdef long long strides[MAX_POWERS]

    def __init__(self, counts: Iterable[int], payoffs: NDArray[np.float64], **others: Any):
        cdef const double[:, ::1] table = payoffs
        cdef int player, k, count, n
        cdef int actions[MAX_POWERS]
        cdef long long joints = 1
        if self.n_players:
            raise ValueError("a game is made once")
        counts = tuple(counts)
        if not 0 < len(counts) <= MAX_POWERS:
            raise ValueError(f"{len(counts)} players, not 1 to {MAX_POWERS}")
        n = len(counts)
        for player in range(n):
            count = counts[player]
            if not 0 < count <= self.room:
                raise ValueError(f"{counts} actions where there is room for 1 to {self.room}")
            actions[player] = count
            # Past the width of the table there is no need to count on, and soon no number that holds it.
            if joints <= table.shape[1]:
                joints *= count
        if table.shape[0] != n or table.shape[1] != joints:
            raise ValueError(f"payoffs are {table.shape[0]} by {table.shape[1]} for {n} players with {counts} actions")
        # Only a whole game gets players: one without has nothing that could be read.
        self.joints = joints
        self.kept = table
        self.payoffs = &table[0, 0]
        joints = 1
        for player in range(n - 1, -1, -1):
            self.count[player] = actions[player]
            self.strides[player] = joints
            joints *= actions[player]
            self.learns[player] = True
            for k in range(actions[player]):
                self.current[player * self.room + k] = 1.0 / actions[player]
        self.n_players = n

    cdef void outcomes(self, const int* joint, int player, double* values) noexcept nogil:
        cdef long long place = player * self.joints
        cdef int other, k
        for other in range(self.n_players):
            if other != player:
                place += joint[other] * self.strides[other]
        for k in range(self.count[player]):
            values[k] = self.payoffs[place + k * self.strides[player]]
        self.nodes += self.count[player]

    def solve(self, int iterations) -> list[float]:
        """Learn for some iterations, from 1 on, against the others' whole strategies instead of a draw from them.
        Returns how often each joint action was played, in the order of the payoffs; the shares sum to 1, and later
        iterations weigh more. In the limit this is a coarse correlated equilibrium: no player would have gained with
        one action throughout. It is not the product of the averages. Raises ValueError for no iterations."""
        cdef double* played
        cdef double weight, whole = 0
        cdef long long place
        cdef int player, _
        if iterations < 1 or self.n_players == 0:
            raise ValueError(f"{iterations} iterations of a game of {self.n_players} players")
        played = <double*>calloc(self.joints, sizeof(double))
        if played == NULL:
            raise MemoryError
        try:
            with nogil:
                for _ in range(iterations):
                    self.iterations += 1
                    weight = <double>self.iterations
                    self.weight += weight
                    whole += weight
                    for place in range(self.joints):
                        played[place] += weight * self.chance_of(place, -1)
                    for player in range(self.n_players):
                        if self.learns[player]:
                            self.expect(player)
                            self.take(player, weight)
                    for player in range(self.n_players):
                        if self.learns[player]:
                            self.learn(player)
            return [played[place] / whole for place in range(self.joints)]
        finally:
            free(played)

    cdef double chance_of(self, long long place, int but) noexcept nogil:
        """The probability of a joint action, by the current strategies of all players but one."""
        cdef double chance = 1
        cdef int player
        for player in range(self.n_players):
            if player != but:
                chance *= self.current[player * self.room + place // self.strides[player] % self.count[player]]
        return chance

    cdef void expect(self, int player) noexcept nogil:
        """Fill `row` with the mean value of each action of a player against the current strategies."""
        cdef long long place
        cdef int k
        for k in range(self.count[player]):
            self.row[k] = 0
        for place in range(self.joints):
            k = <int>(place // self.strides[player] % self.count[player])
            self.row[k] += self.chance_of(place, player) * self.payoffs[player * self.joints + place]
        self.nodes += self.joints
