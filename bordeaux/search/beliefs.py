"""Beliefs about the other powers: which model of play each follows, and orders drawn from that.

Hall and Loeb (1995), section 5, infers intentions from the moves. Here every power is believed to follow one
of a few models (`bordeaux.search.models`), with a probability for each. Each movement phase updates the
probabilities by how well each model predicted the orders (Bayes' rule, unit by unit). `OpponentSampler` draws
joint orders of the others from the beliefs in one position.
"""

from __future__ import annotations

import math
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux._ext.net.policy import Chooser
from bordeaux.board.code import as_bytes, codes_in
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.policy.people import COLDEST, HOTTEST
from bordeaux.search.agreements import REDRAWN, Bond, Bonds
from bordeaux.search.models import (
    ENGINES,
    FAST,
    HOLD,
    LEAGUE,
    PEOPLE,
    PEOPLE_WIDE,
    REPEAT,
    SEARCH,
    DumbBots,
    Holding,
    LikeEngines,
    LikeLeague,
    LikeNet,
    LikePeople,
    LikePeopleWide,
    Model,
    Repeating,
    Scene,
    Searching,
    Side,
    WeakPorts,
    mixture,
    own_net,
)
from bordeaux.search.sets import from_orders, in_full

MODELS: dict[str, type[Model]] = {
    SEARCH: Searching,
    FAST: DumbBots,
    "crude": WeakPorts,
    REPEAT: Repeating,
    HOLD: Holding,
    PEOPLE: LikePeople,
    PEOPLE_WIDE: LikePeopleWide,
    ENGINES: LikeEngines,
    LEAGUE: LikeLeague,
}
"""All of them, by name. A file of a net (``.npz``) is the name of one more: that of a power which plays by
it. A net may have a temperature after its name: ``people-wide@0.5``."""


PHASES = {FAST: 2, LEAGUE: 1}
"""Movement phases of rollouts: DumbBot's are fast, and a net's are more informative."""

WEIGHTS = {
    SEARCH: 0.55,
    FAST: 0.25,
    "crude": 0.05,
    REPEAT: 0.1,
    HOLD: 0.05,
    PEOPLE_WIDE: 0.8,
    f"{PEOPLE_WIDE}@0.5": 0.8,
    ENGINES: 0.8,
    f"{ENGINES}@0.7": 0.8,
    LEAGUE: 0.55,
    f"{LEAGUE}@1.4": 0.55,
}
"""The weights of the models that a power may follow, at the beginning."""
PRIOR = {name: weight / sum(WEIGHTS.values()) for name, weight in WEIGHTS.items()}
"""The same as probabilities."""


class Models(dict[str, Model]):
    """The models of the registry in a scene; those of files or with temperatures are opened when they are
    asked for."""

    def __init__(self, scene: Scene) -> None:
        super().__init__({name: model(scene) for name, model in MODELS.items()})
        self._scene = scene
        self._seed: int | None = None

    def __missing__(self, name: str) -> Model:
        net, temperature = heated(name)
        model = self[net] if net != name else None
        shared = model if isinstance(model, LikePeople) else None
        if is_file(net):
            self[name] = LikeNet(self._scene, net, temperature, shared)
        elif shared is not None:
            self[name] = type(shared)(self._scene, temperature, shared)
        else:
            raise KeyError(name)
        if self._seed is not None:
            self[name].reseed(_seed_of(name, self._seed))
        return self[name]

    def reseed(self, seed: int) -> None:
        """Begin another sequence of draws of each, which does not depend on the draws before."""
        self._seed = seed
        for name, model in self.items():
            model.reseed(_seed_of(name, seed))


def _seed_of(name: str, seed: int) -> int:
    """The seed of one of the models (64 bits)."""
    return seed ^ zlib.crc32(name.encode()) * 2**32


def heated(name: str) -> tuple[str, float]:
    """A model's name without its temperature, and the temperature, 1 if the name has none."""
    net, _, number = name.rpartition("@")
    try:
        return (net, float(number)) if net else (name, 1.0)
    except ValueError:
        return name, 1.0


def is_file(name: str) -> bool:
    """Whether the name of a model is that of a file of a net."""
    return name.endswith(".npz")


def check_model(name: str) -> None:
    """Raise BordeauxError for the name of no model, for a file of a net that cannot be read, and for a
    temperature that is out of range, of a model that is no net, or not written in the shortest way."""
    net, temperature = heated(name)
    if is_file(net):
        own_net(net)
    elif net not in MODELS:
        known = ", ".join(MODELS)
        raise BordeauxError(
            f"no model of play {quote(name)}{nearest(net, MODELS)} (known: {known}, or a .npz file)"
        )
    elif net != name and not issubclass(MODELS[net], LikePeople):
        raise BordeauxError(f"{quote(name)}: only a net has a temperature")
    if not COLDEST <= temperature <= HOTTEST:
        raise BordeauxError(f"{quote(name)}: a temperature is a number from {COLDEST} to {HOTTEST:g}")
    # One model has one name, so that none has two shares.
    shortest = net if temperature == 1 else f"{net}@{temperature:g}"
    if name != shortest:
        raise BordeauxError(f"{quote(name)}: write {shortest}")


def idea_of(name: str) -> str | None:
    """The idea of the search without which a model is not used, if any."""
    net, _ = heated(name)
    return MODELS[net].idea if net in MODELS else None


def played_on(ideas: frozenset[str]) -> str:
    """The model whose policy plays all powers in rollouts."""
    return LEAGUE if "league" in ideas else FAST


#: The lowest share of a model.
LEAST = 0.01
#: The weight of one unit as an observation: it is below 1, since units of a power act together.
WEIGHT = 0.25
#: The factor on earlier observations.
MEMORY = 0.95
#: The probability at the beginning that a power reasons.
REASON = 0.5
#: The weight of one unit as an observation of whether its power reasons, the factor on earlier observations,
#: and the lowest probability of either.
TELLING, LASTING, DOUBTED = 0.5, 0.97, 0.02
#: The share of random orders in what such observations are compared with.
SLIP = 0.1


class Choices(NamedTuple):
    """The sets that a power may give (bytes of codes), with two probabilities each: `drawn` if it plays as it
    draws, `chosen` if it takes the best of some draws. Both sum to 1."""

    sets: Sequence[bytes]
    drawn: Sequence[float]
    chosen: Sequence[float]


class Beliefs:
    """Probabilities of the models, for every power of a map.

    `shares` maps powers to probabilities by model. `prior` are the initial ones; a model that is not in it
    never gets any. `reason` maps powers to the probability (0 to 1) that they reason: that they take the best
    of some sets that they draw from their model, and do not play as they draw; it begins with the argument.
    `seen` are the years and the orders that powers gave last, by season; orders are codes by the unit's
    location, with a hold for units without one. Equal observations lead to equal beliefs. `net` is the file
    of a net in place of the bundled one of self-play.
    """

    def __init__(
        self,
        map: Map,
        prior: Mapping[str, float] = PRIOR,
        net: str | None = None,
        reason: float = REASON,
    ) -> None:
        self.map = map
        self.net = net
        self.reason = dict.fromkeys(map.powers, reason)
        self.shares: dict[str, dict[str, float]] = {power: dict(prior) for power in map.powers}
        self.seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {power: {} for power in map.powers}

    def __reduce__(self) -> tuple[object, ...]:
        return Beliefs._restored, (self.map, self.shares, self.seen, self.net, self.reason)

    @classmethod
    def _restored(
        cls,
        map: Map,
        shares: dict[str, dict[str, float]],
        seen: dict[str, dict[str, tuple[int, dict[int, int]]]],
        net: str | None,
        reason: dict[str, float],
    ) -> Beliefs:
        beliefs = cls(map, net=net)
        beliefs.shares, beliefs.seen, beliefs.reason = shares, seen, reason
        return beliefs

    def likeliest(self, power: str) -> str:
        """The most probable model of a power."""
        shares = self.shares[power]
        return max(shares, key=lambda model: shares[model])

    def observe(
        self,
        position: Position,
        orders: Mapping[str, Iterable[str | Order]],
        pools: Mapping[str, Sequence[tuple[bytes, float]]] | None = None,
        choices: Mapping[str, Choices] | None = None,
    ) -> None:
        """Learn from the orders that were given in a movement position; other phases have no effect.

        `pools` are the sets with their probabilities that a search of the position predicted for some powers,
        `choices` the sets that they were expected to choose among. Units without a legal order held; powers
        that are not named are unknown.
        """
        if position.phase.kind != "M":
            return
        models, given = self.models(position, pools), given_in(position, orders)
        for power, codes in given.items():
            believed = self.shares[power]
            evidence = {name: models[name].log_probability(power, codes) for name in believed}
            self.shares[power] = shifted(believed, evidence)
            if choices and power in choices:
                self.reason[power] = self._reasoning(models[SEARCH], power, codes, choices[power])
        note(self.seen, position, given)

    def chooses(self, power: str) -> float:
        """The probability (0 to 1) that a power takes the best of its draws: that it reasons, and is not like
        models that repeat their orders or hold."""
        shares = self.shares[power]
        return self.reason[power] * (1 - sum(shares.get(model, 0.0) for model in (HOLD, REPEAT)))

    def _reasoning(self, model: Model, power: str, codes: bytes, choices: Choices) -> float:
        """The probability that a power reasons, after it has given orders. Any model can judge them. The
        choices are those of a few trials, so even a power that reasons is taken to play by them half of the
        time."""

        def log_probability(shares: Sequence[float]) -> float:
            return model.foretold(power, codes, list(zip(choices.sets, shares, strict=True)), SLIP)

        reasoned = [(one + other) / 2 for one, other in zip(choices.chosen, choices.drawn, strict=True)]
        before = {"chosen": self.reason[power], "drawn": 1 - self.reason[power]}
        evidence = {"chosen": log_probability(reasoned), "drawn": log_probability(choices.drawn)}
        return shifted(before, evidence, weight=TELLING, memory=LASTING, least=DOUBTED)["chosen"]

    def models(
        self, position: Position, pools: Mapping[str, Sequence[tuple[bytes, float]]] | None = None
    ) -> dict[str, Model]:
        """All models, by name, for judging the orders of a movement position; `pools` as above."""
        # Their chance begins anew, so that nothing but what was seen matters to beliefs, travelled or not.
        scene = Scene(position, random.Random(1), {}, pools or {}, seed=1, seen=self.seen, net=self.net)
        return Models(scene)


def shifted(
    before: Mapping[str, float],
    evidence: Mapping[str, float],
    *,
    weight: float = WEIGHT,
    memory: float = MEMORY,
    least: float = LEAST,
) -> dict[str, float]:
    """The probabilities of models after a phase, from those before and the log-likelihoods of the orders. A
    model with probability 0 stays at 0."""
    believed = {model: share for model, share in before.items() if share > 0}
    logs = {model: memory * math.log(share) + weight * evidence[model] for model, share in believed.items()}
    top = max(logs.values())
    raw = {model: math.exp(value - top) for model, value in logs.items()}
    total = sum(raw.values())
    floored = {model: max(least, value / total) for model, value in raw.items()}
    total = sum(floored.values())
    return {model: floored.get(model, 0.0) / total for model in before}


def prior_of(ideas: frozenset[str], prior: Mapping[str, float] = PRIOR) -> dict[str, float]:
    """The initial probabilities, with 0 for models of ideas that are left out. Raises BordeauxError if all
    are."""
    kept = {name: share for name, share in prior.items() if idea_of(name) in (None, *ideas)}
    if not kept:
        raise BordeauxError(f"models name {', '.join(prior)} alone, which is left out")
    if len(kept) == len(prior):
        return kept
    return {name: share / sum(kept.values()) for name, share in kept.items()}


def given_in(position: Position, orders: Mapping[str, Iterable[str | Order]]) -> dict[str, bytes]:
    """The sets that powers gave in a position, for named powers with units; illegal orders are left out."""
    present = [power for power in position.map.powers if power in orders and position.units_of(power)]
    return {power: from_orders(position, power, orders[power]) for power in present}


def note(
    seen: dict[str, dict[str, tuple[int, dict[int, int]]]], position: Position, given: Mapping[str, bytes]
) -> None:
    """Add the sets of a movement phase to `seen`; units without an order held."""
    phase = position.phase
    for power, codes in given.items():
        seen.setdefault(power, {})[phase.season] = phase.year, in_full(position, power, codes)


#: Draws for a prediction.
FORECAST = 50


class OpponentSampler:
    """Draws the orders of all powers but one, each by a model that is drawn from the beliefs about it.

    `given` are known orders (bytes of codes), which are not drawn. The others keep their agreements in
    `bonds`, each with the probability of its trust. Rollouts play all powers by the policy of
    the model `played_on`. That model also draws for a power that is believed to search but has no side.
    `random` makes all random choices.
    """

    def __init__(
        self,
        position: Position,
        beliefs: Beliefs,
        sides: Mapping[str, Side],
        random: random.Random,
        given: Mapping[str, bytes] | None = None,
        bonds: Bonds | None = None,
        *,
        played_on: str = FAST,
    ) -> None:
        self.position = position
        self.beliefs = beliefs
        self.sides = sides
        self.random = random
        self.given = given or {}
        self.bonds = bonds or Bonds(position)
        self.mixtures: dict[str, list[tuple[bytes, float]]] = {}
        self.played_on = played_on
        self._scene = Scene(position, random, sides, self.mixtures, seen=beliefs.seen, net=beliefs.net)
        self._models = Models(self._scene)

    def reseed(self, chance: random.Random) -> None:
        """Begin another sequence of random choices, which depends on `chance` alone, so that each stage of a
        search draws from a source of its own."""
        self.random.seed(chance.getrandbits(64))
        self._models.reseed(chance.getrandbits(64))

    def share(self, power: str) -> float:
        """The probability that a power searches; 0 if its orders are known."""
        return 0.0 if power in self.given else self.beliefs.shares[power].get(SEARCH, 0.0)

    def policy(self, power: str, model: str = FAST) -> bytes:
        """Orders of a power drawn by the fast policy, or another model."""
        return self._models[model].draw(power)

    def chooser(self) -> Chooser:
        """The policy that plays all powers in rollouts."""
        return self._models[self.played_on].chooser()

    @property
    def horizon(self) -> int:
        """The number of movement phases of a rollout."""
        return PHASES[self.played_on]

    def orders(self, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of one power: drawn, or the best of the most probable model; `plain` as in `Model.draw`."""
        if power in self.given:
            return self.given[power]
        model = self.beliefs.likeliest(power) if likeliest else self._drawn_model(power)
        return self._kept(model, power, likeliest=likeliest, plain=plain)

    def draws(self, power: str, count: int) -> list[bytes]:
        """So many draws of a power's orders."""
        if power in self.given or self.bonds.of(power):
            return [self.orders(power) for _ in range(count)]
        shares = self.beliefs.shares[power]
        models = self.random.choices(list(shares), list(shares.values()), k=count)
        return [self._by(model, power) for model in models]

    def _kept(self, model: str, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of a power by a model that keep its obligations: those that break one are drawn anew a few
        times, and then changed."""
        orders = self._by(model, power, likeliest=likeliest, plain=plain)
        bonds = self.bonds.of(power)
        if not bonds:
            return orders
        kept = self.bonds.likely(power) if likeliest else self._keeping(bonds)
        for _ in range(REDRAWN):
            if not any(bond.bars(code) for bond in kept for code in codes_in(orders)):
                break
            # A power that keeps the peace gives other orders. It does not hold where it would have attacked.
            orders = self._by(model, power, plain=plain or likeliest)
        return self.bonds.kept(orders, kept)

    def _keeping(self, bonds: Iterable[Bond]) -> list[Bond]:
        """The obligations that are kept in this draw."""
        return [bond for bond in bonds if self.random.random() < bond.trust]

    def _drawn_model(self, power: str) -> str:
        shares = self.beliefs.shares[power]
        return self.random.choices(list(shares), list(shares.values()))[0]

    def _by(self, model: str, power: str, *, likeliest: bool = False, plain: bool = False) -> bytes:
        """Orders of a power by a model; another model is used before a side has been opened."""
        stands = self.played_on if model == SEARCH and power not in self.sides else model
        return self._models[stands].draw(power, likeliest=likeliest, plain=plain)

    def mixture(self, side: Side) -> list[tuple[bytes, float]]:
        """The sets that a searching power plays from, with their shares."""
        return list(mixture(self._scene, side.power))

    def joint(self, power: str, *, likeliest: bool = False) -> bytes:
        """Orders of all powers but one."""
        units = self.position.orderable()
        return b"".join(
            self.orders(other, likeliest=likeliest)
            for other in self.position.map.powers
            if other != power and units.get(other)
        )

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """The possible sets of a power, with probabilities, the most probable first, from a number of draws.

        In a movement phase every unit has an order: units without one hold.
        """
        drawn = Counter(self.in_full(power, self.orders(power, plain=True)) for _ in range(FORECAST))
        ranked = sorted(drawn, key=lambda orders: (-drawn[orders], orders))
        return [(orders, drawn[orders] / FORECAST) for orders in ranked]

    def in_full(self, power: str, orders: bytes) -> bytes:
        """A set with a hold for every unit without an order, in the order of the locations, so that equal
        sets are equal bytes."""
        if self.position.phase.kind != "M":
            return orders
        return as_bytes(in_full(self.position, power, orders).values())
