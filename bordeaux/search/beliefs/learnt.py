"""Models of play that were learnt from games: of people, of engines, and from self-play."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from typing import ClassVar

from bordeaux._ext.memory import Memory
from bordeaux._ext.net import Net
from bordeaux._ext.policy import Chooser
from bordeaux.board.code import as_bytes
from bordeaux.policy.memory import memory_of
from bordeaux.policy.net import WIDE, load_net
from bordeaux.policy.people import People
from bordeaux.search.beliefs.models import Key, Model, Scene, order_keys

__all__ = ["ENGINES", "LEAGUE", "PEOPLE", "PEOPLE_WIDE", "LikeNet", "foreseen", "own_net"]

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
    (`bordeaux.policy.people`)."""

    prior = 1.4
    idea: ClassVar[str | None] = "people"
    net: ClassVar[str] = "people"

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self._likeliest: dict[str, bytes] = {}

    @functools.cached_property
    def _people(self) -> People:
        """Made at first use, when its seed is drawn, so that searches without people are unaffected."""
        seed = self.scene.random.getrandbits(64) if self._seed is None else self._seed
        return People(self.scene.position.map, seed=seed, net=self._weights())

    def reseed(self, seed: int) -> None:
        super().reseed(seed)
        if "_people" in vars(self):
            self._people.chooser.chance = seed

    def _weights(self) -> Net:
        return load_net(self.net)

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

    def of_set(self, power: str, orders: bytes) -> float:
        """The log probability of a set as a whole."""
        return self._people.log_probability(self.scene.position, power, orders, self._memory)

    def _shares(self, power: str) -> Counter[Key]:
        """The probabilities of single orders."""
        choices = self._people.choices(self.scene.position, power, self._memory)
        every = itertools.chain.from_iterable(choices.values())
        return self.expected((as_bytes([code]), share) for code, share in every)

    def chooser(self) -> Chooser:
        return People(self.scene.position.map, net=self._weights()).chooser


class LikePeopleWide(LikePeople):
    """Plays like people in recorded games, by the wide net. Its prior is 0: unless the setting `models` says
    otherwise it only proposes candidates."""

    prior = 0.0
    net = WIDE


class LikeEngines(LikePeople):
    """Plays like engines in games against each other: several kinds, and many builds of Bordeaux."""

    prior = 0.4
    net = "engines"


class LikeLeague(LikePeople):
    """Plays the policy of self-play: best responses to itself, people and other engines."""

    prior = 2.5
    idea = "league"
    net = "league"

    def chooser(self) -> Chooser:
        return People(self.scene.position.map, net=self._weights(), temperature=ONWARD).chooser

    def _weights(self) -> Net:
        return load_net(self.net) if self.scene.net is None else own_net(self.scene.net)


class LikeNet(LikePeople):
    """Plays by the net of a file. Raises PolicyError at first use for a file that cannot be read."""

    prior = 0.0
    idea = None

    def __init__(self, scene: Scene, file: str) -> None:
        super().__init__(scene)
        self._file = file

    def _weights(self) -> Net:
        return own_net(self._file)


own_net = functools.lru_cache(maxsize=8)(load_net)
"""Nets of files; each file is read once."""


def foreseen(scene: Scene, power: str, orders: bytes) -> list[float]:
    """The marginal probability of each order of a set under the net of people in a scene. In Winter it is the
    probability of being drawn if all that is due were drawn with replacement, a lower bound."""
    return LikePeopleWide(scene).foreseen(power, orders)
