"""The player: values with trust and a preferred opening, the rounds, and their limit."""

from __future__ import annotations

import time as clocks
from collections.abc import Callable, Sequence
from random import Random

import numpy as np

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.iterated.pool import Drawer, Floats, JointAdjudicator, Orders, Set
from bordeaux.players.iterated.worth import Trust, Worth, adjusted, neighbours, retreated
from bordeaux.players.limits import Clock, tightest
from bordeaux.players.map_index import situation

# One round values the sets of a power by exact adjudication against joint orders drawn from the others'
# mixtures. It turns the values into a mixture, and replaces the worst sets by new ones.

#: The maximum number of improvements of every pool; Albert has 10, later 15.
ROUNDS = 15
#: Share of the limit for the rounds; the rest is for choosing among the best sets of the player's power.
ROUNDS_SHARE = 0.8
#: The minimum and maximum of adjudications in one step.
FEWEST, MOST = 24, 3000
#: The number of joint orders against which a set is evaluated in one step.
SAMPLES = (4, 16)
#: Sets of a pool, at least and at most; what share is kept in each round; how many sets begin it.
SMALLEST, LARGEST = 6, 96
KEPT = 0.6
#: The weight of the player's own power in the division of nodes, relative to another power.
OWN = 3.0
#: The factor on older values in each round, and the first and last temperatures of the mixture, in standard
#: deviations of the values.
FADING = 0.7
WARM, COLD = 0.8, 0.4
#: The probability that another power plays any set of its pool instead of its mixture.
DOUBT = 0.5
#: Sets for the final choice, and the joint orders on which they are compared.
FINALISTS = 16
FINAL = 64
#: The weight of the worst third against the mean if a power is about to win.
CAUTION = 0.5


class StrategyPool:
    """The sets of one power with their values and their mixture."""

    def __init__(self, drawer: Drawer, size: int) -> None:
        self.drawer = drawer
        self.sets: dict[tuple[int, ...], Set] = {}
        self._values: dict[tuple[int, ...], tuple[float, float]] = {}
        self.size = size
        for number in range(3 * size):
            if len(self.sets) >= size:
                break
            self.add(drawer.draw(wild=number >= size // 2))
        self.mixture: Floats = np.full(len(self.sets), 1 / len(self.sets))
        self.rows = self._rows()

    def add(self, orders: Set) -> None:
        """Add a set to the pool, unless it is there."""
        self.sets.setdefault(tuple(orders[unit] for unit in self.drawer.columns), orders)

    def _rows(self) -> Orders:
        return np.array(list(self.sets), dtype=np.uint64)

    def learn(self, values: Floats, temperature: float) -> None:
        """Process new values, one for each set, and compute the mixture."""
        for key, value in zip(self.sets, values.tolist(), strict=True):
            total, weight = self._values.get(key, (0.0, 0.0))
            self._values[key] = total * FADING + value, weight * FADING + 1
        means = self.means()
        spread = max(1e-9, float(means.std())) * temperature
        raised = np.exp((means - means.max()) / spread)
        self.mixture = raised / raised.sum()

    @property
    def valued(self) -> bool:
        """Whether every set has a value."""
        return len(self._values) >= len(self.sets)

    def means(self) -> Floats:
        """The mean values of all sets."""
        return np.array([self._values[key][0] / self._values[key][1] for key in self.sets])

    def best(self, count: int) -> list[int]:
        """The indices of the best sets, best first."""
        ranked: list[int] = np.argsort(-self.means(), kind="stable")[:count].tolist()
        return ranked

    def renew(self, chance: Random) -> None:
        """Replace the worst sets by new ones, derived from the best or drawn afresh."""
        keys = list(self.sets)
        kept = [keys[place] for place in self.best(max(3, int(KEPT * self.size)))]
        weights = dict(zip(keys, self.mixture.tolist(), strict=True))
        self.sets = {key: self.sets[key] for key in kept}
        shares = [weights[key] + 1e-6 for key in kept]
        for _ in range(2 * self.size):
            if len(self.sets) >= self.size:
                break
            first, second = (self.sets[key] for key in chance.choices(kept, shares, k=2))
            way = chance.random()
            if way < 0.65:
                self.add(self.drawer.changed(first, 1 + int(3 * chance.random())))
            elif way < 0.85:
                self.add(self.drawer.mixed(first, second))
            else:
                self.add(self.drawer.draw(wild=way > 0.92))
        self._values = {key: self._values[key] for key in kept}
        mixture = np.array([weights.get(key, 0.0) for key in self.sets])
        self.mixture = mixture / mixture.sum()
        self.rows = self._rows()


class IteratedRounds:
    """Finds orders for a power (by number) in a movement phase, by `worth`; `clock` counts the use of the
    limit."""

    def __init__(self, position: Position, power: int, worth: Worth, chance: Random, clock: Clock) -> None:
        self._power = power
        self._worth = worth
        self._chance = chance
        self._clock = clock
        self._field = JointAdjudicator(position)
        around = situation(position)
        self._pools = {
            number: StrategyPool(Drawer(around, number, legal, worth.place[number], chance), SMALLEST)
            for number, legal in position.packed.legal().items()
        }
        self._columns: dict[int, slice] = {}
        self._width = 0
        for number, pool in self._pools.items():
            begin, self._width = self._width, self._width + len(pool.drawer.columns)
            self._columns[number] = slice(begin, self._width)

    def run(self, nodes: Callable[[], float]) -> list[int]:
        """The orders, as codes. `nodes` is an estimate of the adjudications that the limit still allows."""
        turns = [number for number in self._pools if number != self._power] + [self._power]
        shares = len(turns) - 1 + OWN
        for count in range(ROUNDS):
            spent = self._clock.progress() / ROUNDS_SHARE
            if spent >= 1:
                break
            temperature = WARM + (COLD - WARM) * max(spent, count / ROUNDS)
            step = (1 - spent) * ROUNDS_SHARE * nodes() / (ROUNDS - count) / shares
            for number in turns:
                if not self._clock.affords(FEWEST):
                    return self._decide(0.0)
                mine = OWN if number == self._power else 1.0
                self._improve(number, step * mine, temperature, renew=count > 0)
        return self._decide(nodes())

    def _improve(self, power: int, nodes: float, temperature: float, *, renew: bool) -> None:
        """Renew the pool of a power, and value it with a number of adjudications."""
        pool = self._pools[power]
        nodes = min(MOST, max(FEWEST, nodes))
        samples = int(min(SAMPLES[1], max(SAMPLES[0], nodes**0.5 / 2)))
        pool.size = int(min(LARGEST, max(SMALLEST, nodes // samples)))
        if renew:
            pool.renew(self._chance)
        values = self._against(power, pool.rows, samples)
        pool.learn(self._judged(power, values), temperature)

    def _against(self, power: int, rows: Orders, samples: int) -> Floats:
        """Values of sets of a power against drawn joint orders of all others, (sets, samples)."""
        joint = self._drawn(power, samples)
        orders = np.repeat(joint[None], len(rows), axis=0)
        orders[:, :, self._columns[power]] = rows[:, None, :]
        flat = orders.reshape(-1, self._width)
        values = self._field.values(flat, self._worth.standing[power], self._worth.dislodged[power])
        self._clock.nodes += len(flat)
        return values.reshape(len(rows), samples)

    def _judged(self, power: int, values: Floats) -> Floats:
        """One value for each set: the mean, or a larger weight of the worst third if another power is about
        to win."""
        means: Floats = values.mean(axis=1)
        danger = float(np.delete(self._worth.threat, power).max(initial=0.0))
        if danger == 0:
            return means
        worst = np.sort(values, axis=1)[:, : max(1, values.shape[1] // 3)].mean(axis=1)
        return means + CAUTION * danger * (worst - means)

    def _decide(self, nodes: float) -> list[int]:
        """The best of the best sets of the player's power, valued again with the rest of the limit."""
        pool = self._pools[self._power]
        if not pool.valued:
            return pool.rows[0].tolist()
        best = pool.best(FINALISTS)
        samples = int(min(FINAL, nodes // len(best)))
        if samples < SAMPLES[0] or len(best) == 1:
            return pool.rows[best[0]].tolist()
        rows = pool.rows[best]
        values = self._against(self._power, rows, samples)
        return rows[int(self._judged(self._power, values).argmax())].tolist()

    def _drawn(self, power: int, samples: int) -> Orders:
        """Joint orders of all but one power, drawn from their mixtures, (samples, units); the orders of that
        power are 0."""
        joint = np.zeros((samples, self._width), dtype=np.uint64)
        for number, pool in self._pools.items():
            if number != power:
                shares = (1 - DOUBT) * pool.mixture + DOUBT / len(pool.rows)
                chosen = self._chance.choices(range(len(pool.rows)), shares.tolist(), k=samples)
                joint[:, self._columns[number]] = pool.rows[chosen]
        return joint


#: Nodes for a phase without a limit.
NODES = 20_000
#: Adjudications in a second before any measurement, and the number needed for a measurement.
RATE = 50_000.0
TIMED = 500
#: The number of nearest powers, one of which is a friend at the start of a game.
FRIENDS = 3
#: The standard deviation of the logarithm of a power's weight for another; and the years in which these
#: weights fade.
LIKING = 0.2
YEARS = 4


class Iterated(Chair):
    """Optimises every power's sets of orders in turn against the mixtures of all others, in rounds.

    Modelled on what is known of Albert (van Hal, 2007 to 2011). Every power has a pool of sets, built from
    good orders of single units with supports (also of foreign units) and stand-offs, without dominated
    orders. In up to 15 rounds a pool is valued by adjudication against joint orders from the others'
    mixtures, weighted by its values, and renewed. Sizes of powers count overpowered centres. Alliances follow
    from orders. There is more caution, and no alliance, if somebody is about to win. Each game has a
    predisposition from the seat's seed: a first friend and preferences. Details that are not described were
    chosen here: the weights of values, the shares of the limit, how sets are drawn, and how trust grows from
    one first friend. Builds and retreats follow the values of places only.

    `alliances` can be switched off. `time` (seconds) and `nodes` (one is one adjudication) are limits for
    every phase. The lower of them and the table's applies; without any limit it is `NODES` nodes. With a
    limit in nodes only, the same seat and turns give the same orders. Raises BordeauxError for invalid
    values.
    """

    def __init__(
        self, seat: Seat, *, alliances: bool = True, time: float | None = None, nodes: int | None = None
    ) -> None:
        super().__init__(seat)
        self._own = Limit(time, nodes).checked()
        self._trust = Trust(seat.map) if alliances else None
        friends = neighbours(seat.map, self.number, FRIENDS)
        friend = self.chance.choice(friends) if friends else None
        if self._trust is not None and friend is not None:
            self._trust.begin(self.number, friend)
        powers = len(seat.map.powers)
        liking = [[self.chance.gauss() for _ in range(powers + 1)] for _ in range(powers)]
        self._liking = np.exp(LIKING * np.array(liking))
        self._rate = RATE

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The orders from the rounds; retreats and adjustments by the values of places."""
        allowed = tightest(limit, self._own)
        if allowed == Limit():
            allowed = Limit(nodes=NODES)
        clock = Clock(allowed)
        worth = self._worth(position)
        if position.phase.kind != "M":
            plan = retreated if position.phase.kind == "R" else adjusted
            return decoded(position.map, plan(position, self.number, worth))
        rounds = IteratedRounds(position, self.number, worth, self.chance, clock)
        begun = clocks.monotonic()

        def nodes() -> float:
            nodes = float("inf") if allowed.nodes is None else float(allowed.nodes - clock.nodes)
            if allowed.time is not None:
                spent = clocks.monotonic() - begun
                if clock.nodes > TIMED:
                    self._rate = clock.nodes / spent
                nodes = min(nodes, self._rate * clock.seconds_left())
            return nodes

        return decoded(position.map, rounds.run(nodes))

    def _worth(self, position: Position) -> Worth:
        powers = len(position.map.powers)
        trust = np.zeros((powers, powers)) if self._trust is None else self._trust.shares()
        years = position.phase.year - position.map.start_phase.year
        liking = self._liking ** max(0.0, 1 - years / YEARS)
        return Worth(position, trust, liking)

    def observe(self, turn: Turn) -> None:
        """Update the trust from a movement phase."""
        if self._trust is not None and turn.before.phase.kind == "M":
            self._trust.observe(turn)
