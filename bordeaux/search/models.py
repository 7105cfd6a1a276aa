"""The models of play that a power may be believed to follow: a class for each.

A model draws possible orders of a power that follows it, and gives the probability of given orders. Some are
rules, some are nets learnt from games of people, of engines, and from self-play. A new one is a subclass of
`Model` and its line in `bordeaux.search.beliefs.MODELS`.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import ClassVar, NamedTuple, Protocol

from bordeaux._ext.net.memory import Memory
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.net.weights import Net
from bordeaux.board.code import as_bytes, codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT, Policy, draw
from bordeaux.policy.net import WIDE, Seen, load_net, memory_of
from bordeaux.policy.people import People
from bordeaux.search.sets import TEMPERATURE, probabilities

__all__ = [
    "ENGINES",
    "FAST",
    "HOLD",
    "LEAGUE",
    "PEOPLE",
    "PEOPLE_WIDE",
    "REPEAT",
    "SEARCH",
    "Key",
    "LikeNet",
    "Model",
    "Scene",
    "foreseen",
    "mixture",
    "order_keys",
    "own_net",
]

SEARCH = "search"
"""The model of a power that searches like us."""
HOLD = "hold"
"""The model of a power that sends no orders."""
REPEAT = "repeat"
"""The model of a power that repeats its orders."""
FAST = "dumbbot"
"""The model that replaces a search of ours that has not been made."""

#: The number of draws from a policy.
DRAWS = 12
#: The share of random orders in a model, and their kinds.
SURPRISE = 0.2
CHOICES = 8
#: The same for the sets of a search, which predict another search less well.
LOOSE = 0.5
#: The probability of any order of a power that searches, if its search is unknown.
BLIND = 0.2
#: The difference between another's search and ours. The first constant is the share of draws from the fast
#: policy. Of the rest, the second is the share drawn from its whole pool instead of its best sets; the third
#: the points that make one set e times as likely as another. The last is the probability that a unit has an
#: unforeseen order.
LIKE_FAST = 0.25
STRANGE = 0.6
LOOSELY = 100.0
ASTRAY = 0.2
#: The kinds of such orders.
ALONE = (OrderKind.HOLD, OrderKind.MOVE)

Sets = Sequence[tuple[bytes, float]]
"""Sets of orders (bytes of codes) with their weights, which sum to 1."""
Key = tuple[int, int, int, int]


class Side(Protocol):
    """A power that is searched for: its name, sets with points, and the best set."""

    power: str
    pool: dict[bytes, float]
    best: bytes

    def ranked(self) -> list[bytes]:
        """The pool, best first."""


class Scene(NamedTuple):
    """The data of models on one position. `random` makes all random choices, or for policies `seed` if given.
    `sides` are the powers that are searched for. `mixtures` are the mixed strategies of those that have been
    mixed, or were predicted. `seen` are earlier orders of the powers, `net` the file of a net in place of the
    bundled one of self-play."""

    position: Position
    random: random.Random
    sides: Mapping[str, Side]
    mixtures: Mapping[str, Sets]
    seed: int | None = None
    seen: Seen = MappingProxyType({})
    net: str | None = None


class Model(ABC):
    """A model of play, in the position of a scene.

    `idea` is the idea of the search without which it is not used (`bordeaux.search.config`).
    """

    idea: ClassVar[str | None] = None

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._seed = scene.seed

    def reseed(self, seed: int) -> None:
        """Begin another sequence of draws, if the model has random numbers of its own."""
        self._seed = seed

    @abstractmethod
    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of a power (bytes of codes, 8 for each): a random draw, or the most probable if they are
        known. `plain` draws leave out unforeseeable orders, for display."""

    @abstractmethod
    def log_probability(self, power: str, orders: bytes) -> float:
        """The log probability of a power's orders in a movement phase, at most 0: a sum over units of their
        marginals. Units without an order hold."""

    def chooser(self) -> Chooser:
        """The policy that plays such a power in rollouts."""
        return DUMBBOT.chooser(self.scene.position.map)

    def foretold(self, power: str, orders: bytes, sets: Sets, surprise: float) -> float:
        """As `log_probability`, from the sets that the power is expected to play; `surprise` is the weight of
        uniformly random orders."""
        expected = self.expected(sets)
        return self.logarithm([expected[key] for key in self.given(power, orders)], surprise)

    def expected(self, sets: Iterable[tuple[bytes, float]]) -> Counter[Key]:
        """The marginal probabilities of single orders in sets with probabilities."""
        expected: Counter[Key] = Counter()
        for orders, share in sets:
            for key in order_keys(self.scene.position.map, orders):
                expected[key] += share  # type: ignore[assignment]
        return expected

    def logarithm(self, shares: Iterable[float], surprise: float) -> float:
        """The log probability of orders from those of the single ones."""
        return sum(math.log((1 - surprise) * min(1.0, share) + surprise / CHOICES) for share in shares)

    def given(self, power: str, orders: bytes) -> list[Key]:
        """The orders of all units of a power, each in a canonical form; units without one hold."""
        map = self.scene.position.map
        keys = {key[1]: key for key in order_keys(map, orders)}
        for unit in self.scene.position.units_of(power):
            location = map.location(unit.kind, unit.location).index
            keys.setdefault(location, (OrderKind.HOLD, location, 0, 0))
        return list(keys.values())


class Searching(Model):
    """Searches like Bordeaux: plays from the pool of our search for it, and sometimes at random."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._fast = DumbBots(scene)
        self._drawn_from: dict[tuple[str, bool], tuple[object, tuple[bytes, ...], list[float]]] = {}

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        side = self.scene.sides[power]
        if likeliest:
            return side.best
        chance = self.scene.random
        if chance.random() < LIKE_FAST:
            return self._fast.draw(power)
        strange = bool(side.pool) and chance.random() < STRANGE
        sets, sums = self._sets(side, strange)
        drawn: bytes = chance.choices(sets, cum_weights=sums)[0]
        if plain:
            return drawn
        codes = [
            chance.choice(self._ways[unit_of(code)]) if chance.random() < ASTRAY else code
            for code in codes_in(drawn)
        ]
        return as_bytes(codes)

    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        self._fast.reseed(seed)

    def _sets(self, side: Side, strange: bool) -> tuple[tuple[bytes, ...], list[float]]:
        """The sets of a draw, with cumulative shares. They are recomputed only when the pool or the mixture
        changes: many draws use the same."""
        mixed = self.scene.mixtures.get(side.power)
        state = mixed if mixed is not None and not strange else side.pool
        kept = self._drawn_from.get((side.power, strange))
        if kept is None or kept[0] != state:
            weighted = _pool(side, LOOSELY) if strange else mixture(self.scene, side.power)
            sets, shares = zip(*weighted, strict=True)
            sums = list(itertools.accumulate(shares))
            # The pool goes on changing, so that what is kept is a copy.
            kept = self._drawn_from[side.power, strange] = copy(state), sets, sums
        return kept[1], kept[2]

    @functools.cached_property
    def _ways(self) -> dict[int, list[int]]:
        """Holds, and moves except by convoy, of all units by location."""
        return {
            location: [code for code in codes if kind_of(code) in ALONE and not is_via(code)]
            for units in self.scene.position.packed.legal().values()
            for location, codes in units.items()
        }

    def log_probability(self, power: str, orders: bytes) -> float:
        sets = mixture(self.scene, power)
        if not sets:
            return len(self.given(power, orders)) * math.log(BLIND)
        return self.foretold(power, orders, sets, LOOSE)


class Following(Model):
    """Follows a fast policy."""

    policy: ClassVar[Policy]

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        if self._seed is None:
            self._seed = scene.random.getrandbits(64)

    @functools.cached_property
    def _chooser(self) -> Chooser:
        """Made at first use: few powers are believed to follow each of the policies."""
        assert self._seed is not None
        return self.policy.chooser(self.scene.position.map, self._seed)

    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        if "_chooser" in vars(self):
            self._chooser.chance = seed

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        position = self.scene.position
        return draw(self._chooser, position.packed, position.map.powers.index(power))

    def log_probability(self, power: str, orders: bytes) -> float:
        return self.foretold(power, orders, [(self.draw(power), 1 / DRAWS) for _ in range(DRAWS)], SURPRISE)

    def chooser(self) -> Chooser:
        return self.policy.chooser(self.scene.position.map)


class DumbBots(Following):
    """Plays like DumbBot."""

    policy = DUMBBOT


class WeakPorts(Following):
    """Plays like the widely used weak port of DumbBot."""

    policy = WEAK_VARIANT


class Repeating(DumbBots):
    """Repeats its orders: a unit in a place where one was a year ago repeats its order, if that is still
    legal, and so may units that stayed (section 3.4). The others follow the fast policy."""

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        drawn = super().draw(power)
        position = self.scene.position
        year, before = self.scene.seen.get(power, {}).get(position.phase.season, (0, {}))
        if position.phase.kind != "M" or year != position.phase.year - 1:
            return drawn
        codes = {unit_of(code): code for code in codes_in(drawn)}
        number = position.map.powers.index(power)
        for location in codes.keys() & before.keys():
            if position.packed.is_legal(before[location], number):
                codes[location] = before[location]
        return as_bytes(codes.values())


class Holding(Model):
    """Sends nothing."""

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        return b""

    def log_probability(self, power: str, orders: bytes) -> float:
        kinds = [key[0] for key in self.given(power, orders)]
        return sum(math.log(1 - SURPRISE if kind == OrderKind.HOLD else SURPRISE / CHOICES) for kind in kinds)

    def chooser(self) -> Chooser:
        return Chooser(self.scene.position.map.tables)


def mixture(scene: Scene, power: str) -> Sets:
    """The sets that a searching power plays from, with their shares; none if it was not searched for."""
    if power in scene.mixtures:
        return scene.mixtures[power]
    return _pool(scene.sides[power], TEMPERATURE) if power in scene.sides else []


def _pool(side: Side, temperature: float) -> Sets:
    """The sets of a pool with shares that fall with the points behind the best (`probabilities`)."""
    pool = side.ranked()
    return list(zip(pool, probabilities([side.pool[orders] for orders in pool], temperature), strict=True))


def order_keys(map: Map, orders: bytes) -> list[Key]:
    """Orders in a canonical form: coasts of supported moves are left out."""
    keys: list[Key] = []
    for code in codes_in(orders):
        kind = kind_of(code)
        target = map.locations[target_of(code)].province if kind != OrderKind.HOLD else 0
        goal = (
            map.locations[destination_of(code)].province
            if kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
            else 0
        )
        keys.append((kind, unit_of(code), target, goal))
    return keys


PEOPLE = "people"
"""The model of a power that plays like people in recorded games."""
PEOPLE_WIDE = "people-wide"
"""The same by the wide net, which predicts better and takes milliseconds for a position."""
ENGINES = "engines"
"""The model of a power that plays like engines in recorded games."""
LEAGUE = "league"
"""The model of a power that plays by the policy of self-play (`training.league`)."""

#: The share of random orders of such a power; it is small, since the net has its own uncertainty.
SLIP = 0.015
#: The temperature of self-play's net in rollouts; below 1 it sharpens the distribution.
ONWARD = 0.5
#: The beam of the search for its most probable set.
NARROW = 8


class LikePeople(Model):
    """Plays like people in recorded games, by a net trained on them; earlier orders are an input
    (`bordeaux.policy.people`). A `temperature` below 1 prefers the orders that are probable anyway. Models of
    one net share its work on a position: each but one is given that one as `shared`."""

    idea: ClassVar[str | None] = "people"
    net: ClassVar[str] = "people"

    def __init__(self, scene: Scene, temperature: float = 1.0, shared: LikePeople | None = None) -> None:
        super().__init__(scene)
        self.temperature = temperature
        self._shared = shared
        self._likeliest: dict[str, bytes] = {}

    @functools.cached_property
    def _net(self) -> People:
        if self._shared is not None:
            return self._shared._net
        return People(self.scene.position.map, net=self._weights())

    @property
    def _people(self) -> People:
        """The net at the temperature of this model."""
        self._net.chooser.temperature = self.temperature
        return self._net

    @functools.cached_property
    def _chance(self) -> int:
        """The state of the random generator. It begins with the first draw, so that searches without people
        are unaffected."""
        return self.scene.random.getrandbits(64) if self._seed is None else self._seed

    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        self._chance = seed

    def _weights(self) -> Net:
        return load_net(self.net)

    @functools.cached_property
    def _memory(self) -> Memory | None:
        # The net begins anew with another memory, so that models of one net have one.
        if self._shared is not None:
            return self._shared._memory
        return memory_of(self.scene.position, self.scene.seen)

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        if not likeliest:
            people = self._people
            people.chooser.chance = self._chance
            drawn = people.draw(self.scene.position, power, self._memory)
            self._chance = people.chooser.chance
            return drawn
        if power not in self._likeliest:
            sets = self._people.sets(self.scene.position, power, 1, self._memory, beam=NARROW)
            self._likeliest[power] = sets[0][0] if sets else b""
        return self._likeliest[power]

    def log_probability(self, power: str, orders: bytes) -> float:
        position = self.scene.position
        try:
            chances = self._people.chances(position, power, orders, self._memory)
        except ValueError:
            # Of thousands of options some are left out: what is none of those was not foreseen.
            chances = [0.0] * len(position.units_of(power))
        return self.logarithm(chances, SLIP)

    def foreseen(self, power: str, orders: bytes) -> list[float]:
        """See the function `foreseen`."""
        expected, keys = self._shares(power), order_keys(self.scene.position.map, orders)
        times = len(keys) if self.scene.position.phase.kind == "A" else 1
        return [1 - (1 - min(1.0, expected[key])) ** times for key in keys]

    def _shares(self, power: str) -> Counter[Key]:
        """The probabilities of single orders."""
        choices = self._people.choices(self.scene.position, power, self._memory)
        every = itertools.chain.from_iterable(choices.values())
        return self.expected((as_bytes([code]), share) for code, share in every)

    def chooser(self) -> Chooser:
        return People(self.scene.position.map, net=self._weights(), temperature=self.temperature).chooser


class LikePeopleWide(LikePeople):
    """Plays like people in recorded games, by the wide net."""

    net = WIDE


class LikeEngines(LikePeople):
    """Plays like engines in games against each other: several kinds, and many builds of Bordeaux."""

    net = "engines"


class LikeLeague(LikePeople):
    """Plays the policy of self-play: best responses to itself, people and other engines."""

    idea = "league"
    net = "league"

    def chooser(self) -> Chooser:
        return People(self.scene.position.map, net=self._weights(), temperature=ONWARD).chooser

    def _weights(self) -> Net:
        return load_net(self.net) if self.scene.net is None else own_net(self.scene.net)


class LikeNet(LikePeople):
    """Plays by the net of a file. Raises PolicyError at first use for a file that cannot be read."""

    idea = None

    def __init__(self, scene: Scene, file: str, temperature: float, shared: LikePeople | None) -> None:
        super().__init__(scene, temperature, shared)
        self._file = file

    def _weights(self) -> Net:
        return own_net(self._file)


own_net = functools.lru_cache(maxsize=8)(load_net)
"""Nets of files; each file is read once."""


def foreseen(scene: Scene, power: str, orders: bytes) -> list[float]:
    """The marginal probability of each order of a set under the net of people in a scene. In Winter it is the
    probability of being drawn if all that is due were drawn with replacement, a lower bound."""
    return LikePeopleWide(scene).foreseen(power, orders)
