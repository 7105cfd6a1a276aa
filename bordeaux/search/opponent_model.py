"""The ways of playing that a power may be believed to follow: a class for each, and one registry of them.

A model draws what a power that follows it may order in a position, and says how probable given orders are.
A new one is a class under `Model` and its line in `MODELS`.
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
from typing import ClassVar, NamedTuple

from bordeaux._ext.memory import Memory
from bordeaux._ext.policy import Chooser
from bordeaux.board.code import as_bytes, codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT, Policy, draw
from bordeaux.policy.memory import Seen, memory_of
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People
from bordeaux.search.power_search import PowerSearch
from bordeaux.search.scoring import probabilities

__all__ = [
    "FAST",
    "HOLD",
    "MODELS",
    "PEOPLE",
    "REPEAT",
    "SEARCH",
    "Model",
    "Scene",
    "choosers",
    "foreseen",
    "mixture",
    "opened",
]

SEARCH = "search"
"""The model of a power that searches like us."""
HOLD = "hold"
"""The model of a power that sends nothing."""
REPEAT = "repeat"
"""The model of a power that does what it did."""
FAST = "dumbbot"
"""The model that stands in for a search of ours that has not been made."""
PEOPLE = "people"
"""The model of a power that plays like people in recorded games."""

#: Times that a policy is asked what it would play.
DRAWS = 12
#: Share of chance in what a model does, and the orders that it falls upon.
SURPRISE = 0.2
CHOICES = 8
#: The same for orders of people, of which the net itself knows how far chance reigns.
SLIP = 0.05
#: Beam of the search for their likeliest set.
NARROW = 8
#: The same for the sets of a search, which foretell less of what another search does.
LOOSE = 0.5
#: Chance of any order of a power that searches, where its search is not known.
BLIND = 0.2
#: Nobody thinks just as we do. Of a power that searches so many draws are of the fast policy; of the rest so
#: many are of all its pool and not of what our search of it holds for best, and then so many points make one
#: set e times as likely as another; and a unit of it goes where nobody foresaw with this chance.
LIKE_FAST = 0.25
STRANGE = 0.6
LOOSELY = 100.0
ASTRAY = 0.2
#: What a unit that goes astray may do.
ALONE = (OrderKind.HOLD, OrderKind.MOVE)

Sets = Sequence[tuple[bytes, float]]
"""Sets of orders (bytes of codes) with their shares of 1."""
Key = tuple[int, int, int, int]


class Scene(NamedTuple):
    """What models know of one position. All chance is that of `random`, or for policies that of `seed`
    where it is given; `sides` are the powers that are searched for, `mixtures` what those play from that
    have been mixed, or were foretold; `seen` is what powers ordered before, `net` the file of the net that
    people are foretold by, None for that of the package."""

    position: Position
    random: random.Random
    sides: Mapping[str, PowerSearch]
    mixtures: Mapping[str, Sets]
    seed: int | None = None
    seen: Seen = MappingProxyType({})
    net: str | None = None


class Model(ABC):
    """A way of playing, in the position of a scene.

    `prior` is the share of 1 with which a power is believed to follow it before anything was seen.
    """

    prior: ClassVar[float]

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @abstractmethod
    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of a power (bytes of codes, 8 for each), drawn, or the likeliest if they are known. `plain`
        ones are without what nobody foresees, for those who are to be told what a power may do."""

    @abstractmethod
    def log_probability(self, power: str, orders: bytes) -> float:
        """Logarithm of the probability of the orders of a power in a movement phase, at most 0: unit by
        unit, whatever the others of the power do. Units without an order hold."""

    @classmethod
    def chooser(cls, map: Map) -> Chooser:
        """The policy by which rollouts play such a power on."""
        return DUMBBOT.chooser(map)

    def foretold(self, power: str, orders: bytes, sets: Sets, surprise: float) -> float:
        """The same as `log_probability` from the sets that the power is expected to play from; `surprise` is
        the share of chance in what it does."""
        expected = self._expected(sets)
        return self._logarithm([expected[key] for key in self.given(power, orders)], surprise)

    def _expected(self, sets: Iterable[tuple[bytes, float]]) -> Counter[Key]:
        """The shares of single orders in sets that have shares."""
        expected: Counter[Key] = Counter()
        for each, share in sets:
            for key in _keys(self.scene.position.map, each):
                expected[key] += share  # type: ignore[assignment]
        return expected

    def _logarithm(self, shares: Iterable[float], surprise: float) -> float:
        """Logarithm of the probability of orders from those of the single ones."""
        return sum(math.log((1 - surprise) * min(1.0, share) + surprise / CHOICES) for share in shares)

    def given(self, power: str, orders: bytes) -> list[Key]:
        """The orders of all units of a power, each in one form; those without one hold."""
        map = self.scene.position.map
        keys = {key[1]: key for key in _keys(map, orders)}
        for unit in self.scene.position.units_of(power):
            location = map.location(unit.kind, unit.location).index
            keys.setdefault(location, (OrderKind.HOLD, location, 0, 0))
        return list(keys.values())


class Searching(Model):
    """Searches like us: plays from the pool of our search for it, and now and then quite otherwise."""

    prior = 0.4675

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

    def _sets(self, side: PowerSearch, strange: bool) -> tuple[tuple[bytes, ...], list[float]]:
        """The sets that a draw is made from, with sums of their shares up to each. They are worked out anew
        only when the pool, or the mixture, is another: many draws come from one."""
        mixed = self.scene.mixtures.get(side.power)
        state = mixed if mixed is not None and not strange else side.pool
        kept = self._drawn_from.get((side.power, strange))
        if kept is None or kept[0] != state:
            found = _loosely(side) if strange else mixture(self.scene, side.power)
            sets, shares = zip(*found, strict=True)
            sums = list(itertools.accumulate(shares))
            # The pool goes on changing, so that what is kept is a copy.
            kept = self._drawn_from[side.power, strange] = copy(state), sets, sums
        return kept[1], kept[2]

    @functools.cached_property
    def _ways(self) -> dict[int, list[int]]:
        """Holds, and moves but for those by convoy, of all units by location."""
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
        self._seed = scene.random.getrandbits(64) if scene.seed is None else scene.seed

    @functools.cached_property
    def _chooser(self) -> Chooser:
        """Made when it is first asked: few powers are believed to follow each of the policies."""
        return self.policy.chooser(self.scene.position.map, self._seed)

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        position = self.scene.position
        return draw(self._chooser, position.packed, position.map.powers.index(power))

    def log_probability(self, power: str, orders: bytes) -> float:
        return self.foretold(power, orders, [(self.draw(power), 1 / DRAWS) for _ in range(DRAWS)], SURPRISE)

    @classmethod
    def chooser(cls, map: Map) -> Chooser:
        return cls.policy.chooser(map)


class DumbBots(Following):
    """Plays like DumbBot."""

    prior = 0.2125
    policy = DUMBBOT


class WeakPorts(Following):
    """Plays like the weak port of DumbBot that is widely used."""

    prior = 0.0425
    policy = WEAK_VARIANT


class Repeating(DumbBots):
    """Does what it did: a unit that stands where one stood a year ago repeats its order, where that is still
    legal, as units that stayed may (section 3.4). The others follow the fast policy."""

    prior = 0.085

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


#: Nets by their files, each read once.
_net = functools.lru_cache(maxsize=4)(load_net)


class LikePeople(Model):
    """Plays like people in recorded games, by a net that has learnt from them and knows what was ordered
    before (`bordeaux.policy.people`)."""

    prior = 0.15

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._likeliest: dict[str, bytes] = {}

    @functools.cached_property
    def _people(self) -> People:
        """Made when it is first asked, and its seed drawn then: who does without people is none the wiser."""
        seed = self.scene.random.getrandbits(64) if self.scene.seed is None else self.scene.seed
        return People(self.scene.position.map, seed=seed, net=_net(self.scene.net))

    @functools.cached_property
    def _memory(self) -> Memory | None:
        return memory_of(self.scene.position, self.scene.seen)

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        if not likeliest:
            return self._people.draw(self.scene.position, power, self._memory)
        if power not in self._likeliest:
            sets = self._people.sets(self.scene.position, power, 1, self._memory, beam=NARROW)
            self._likeliest[power] = sets[0][0] if sets else b""
        return self._likeliest[power]

    def log_probability(self, power: str, orders: bytes) -> float:
        expected = self._shares(power)
        return self._logarithm([expected[key] for key in self.given(power, orders)], SLIP)

    def foreseen(self, power: str, orders: bytes) -> list[float]:
        """As `foreseen` says."""
        expected, keys = self._shares(power), _keys(self.scene.position.map, orders)
        times = len(keys) if self.scene.position.phase.kind == "A" else 1
        return [1 - (1 - min(1.0, expected[key])) ** times for key in keys]

    def _shares(self, power: str) -> Counter[Key]:
        """The probabilities of single orders."""
        told = self._people.choices(self.scene.position, power, self._memory)
        every = itertools.chain.from_iterable(told.values())
        return self._expected((as_bytes([code]), share) for code, share in every)

    @classmethod
    def chooser(cls, map: Map) -> Chooser:
        return People(map).chooser


class Holding(Model):
    """Sends nothing."""

    prior = 0.0425

    def draw(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        return b""

    def log_probability(self, power: str, orders: bytes) -> float:
        kinds = [key[0] for key in self.given(power, orders)]
        return sum(math.log(1 - SURPRISE if kind == OrderKind.HOLD else SURPRISE / CHOICES) for kind in kinds)

    @classmethod
    def chooser(cls, map: Map) -> Chooser:
        return Chooser(map.tables)


MODELS: dict[str, type[Model]] = {
    SEARCH: Searching,
    FAST: DumbBots,
    "crude": WeakPorts,
    REPEAT: Repeating,
    HOLD: Holding,
    PEOPLE: LikePeople,
}
"""All of them, by name. Their order is that of the choosers of `choosers`."""


def opened(scene: Scene) -> dict[str, Model]:
    """All models, by name, in one position."""
    return {name: model(scene) for name, model in MODELS.items()}


def choosers(map: Map, count: int | None = None) -> list[Chooser]:
    """The policies by which powers that follow the models are played on, in the order of `MODELS`: all of
    them, or the first few."""
    return [model.chooser(map) for model in itertools.islice(MODELS.values(), count)]


def foreseen(scene: Scene, power: str, orders: bytes) -> list[float]:
    """For each order of a set the probability that people give it in a scene, whatever else they order. In
    Winter it is that of being drawn if all that is due were drawn with replacement, at most what it really
    is."""
    return LikePeople(scene).foreseen(power, orders)


def mixture(scene: Scene, power: str) -> Sets:
    """The sets that a power plays from if it searches, with their shares; none where it was not searched
    for."""
    if power in scene.mixtures:
        return scene.mixtures[power]
    if power not in scene.sides:
        return []
    side = scene.sides[power]
    pool = side.ranked()
    return list(zip(pool, probabilities([side.pool[orders] for orders in pool]), strict=True))


def _loosely(side: PowerSearch) -> Sets:
    """The sets of a pool with shares that fall off slowly with the points behind the best."""
    pool = side.ranked()
    return list(zip(pool, probabilities([side.pool[each] for each in pool], LOOSELY), strict=True))


def _keys(map: Map, orders: bytes) -> list[Key]:
    """Orders in a form in which the same order has one form: coasts of supported moves left out."""
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
