"""Predictors of people's orders: DumbBot, the engine's search, the learnt net, and one that always holds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from bordeaux.board.code import as_bytes, codes_in, make_code, unit_of
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.submission import decode
from bordeaux.engine import Engine
from bordeaux.policy.dumbbot import DUMBBOT, draw
from bordeaux.policy.net import load_net, memory_of
from bordeaux.policy.people import People
from bordeaux.search.beliefs import note
from bordeaux.search.sets import from_orders, in_full
from training.cases import ADJUSTMENT, Asked, Key, choices, key_of, keys_of
from training.split import PlayedPhase

__all__ = ["FORETELLERS", "Forecast", "Foreteller", "create", "from_sets", "orders_of", "seen_before"]

#: The share of probability that is spread over all legal orders of a unit in predictions from sets. The
#: values maximise the likelihood on games held out for such choices (`--split validation`).
ASTRAY = {"dumbbot": 0.7, "engine": 0.7, "hold": 0.8}
#: Sets drawn from DumbBot, and lines in the engine's mixture.
DRAWS, LINES = 30, 20
#: The number of best sets for the figure of the best three.
BEST = 3


class Forecast(NamedTuple):
    """The expected orders of a power.

    `units` has for each choice (`training.cases.choices`) the probability of each legal order, and `first`
    the predicted order. In Winter probabilities are shares of all builds or removals, and `first` is left
    out. `sets` are whole sets as sorted keys, the most probable first. `log_probability` is that of the
    actual set, if the predictor gives it, and `beside` the predicted order for each choice given those
    decided before it.
    """

    units: Mapping[int, Mapping[Key, float]]
    first: Mapping[int, Key]
    sets: Sequence[tuple[Key, ...]]
    log_probability: float | None = None
    beside: Mapping[int, Key] = {}


class Foreteller(ABC):
    """Predicts the orders of powers, phase by phase; a context manager."""

    def __init__(self, map: Map, seed: int, options: Mapping[str, Any]) -> None:
        self.map = map
        self.seed = seed
        self.options = options

    def __enter__(self) -> Foreteller:
        return self

    def __exit__(self, *problem: object) -> None:
        return None

    def begin(self, phase: Asked) -> None:
        """Prepare for a phase."""
        return None

    @abstractmethod
    def foretell(self, phase: Asked, power: str) -> Forecast:
        """The expected orders of a power that gave orders in the phase."""


def from_sets(
    listed: Mapping[int, Sequence[Key]], sets: Sequence[tuple[tuple[Key, ...], float]], astray: float
) -> Forecast:
    """A forecast from whole sets with their probabilities, the most probable first: each unit has its order
    in the sets, with a probability of `astray` for any of its legal orders (`listed`)."""
    winter = list(listed) == [ADJUSTMENT]
    units: dict[int, dict[Key, float]] = {}
    for place, options in listed.items():
        counted: Counter[Key] = Counter()
        for keys, share in sets:
            fitting = [key for key in keys if winter or key[1] == place]
            for key in fitting:
                counted[key] += share / len(fitting)  # type: ignore[assignment]
        total = sum(counted.values()) or 1.0
        units[place] = {key: (1 - astray) * counted[key] / total + astray / len(options) for key in options}
    first = {} if winter else {place: max(units[place], key=units[place].__getitem__) for place in units}
    return Forecast(units, first, [keys for keys, _ in sets[:BEST]])


class Holding(Foreteller):
    """No unit moves, retreats or is built; removals are the first legal ones."""

    def foretell(self, phase: Asked, power: str) -> Forecast:
        position, listed = phase.position, choices(phase.position, power)
        if position.phase.kind == "M":
            keys = keys_of(self.map, as_bytes(in_full(position, power, b"").values()))
        elif position.phase.kind == "R":
            keys = tuple(sorted((int(OrderKind.DISBAND), place, 0, 0) for place in listed))
        elif (due := position.adjustments(power)) > 0:
            keys = keys_of(self.map, as_bytes([make_code(OrderKind.WAIVE)] * due))
        else:
            keys = tuple(sorted(listed[ADJUSTMENT][:-due]))
        return from_sets(listed, [(keys, 1.0)], self.options.get("astray") or ASTRAY["hold"])


class DumbBots(Foreteller):
    """DumbBot, with many draws: probabilities are frequencies."""

    def begin(self, phase: Asked) -> None:
        self._chooser = DUMBBOT.chooser(self.map, self.seed)

    def foretell(self, phase: Asked, power: str) -> Forecast:
        number = self.map.powers.index(power)
        drawn = Counter(
            keys_of(self.map, draw(self._chooser, phase.position.packed, number)) for _ in range(DRAWS)
        )
        sets = [(keys, count / DRAWS) for keys, count in drawn.most_common()]
        listed = choices(phase.position, power)
        return from_sets(listed, sets, self.options.get("astray") or ASTRAY["dumbbot"])


class Searching(Foreteller):
    """The engine, which searches for each power separately and knows the phases before: its best set, and its
    best lines with their probabilities."""

    def __enter__(self) -> Searching:
        self._engine = Engine(seed=self.seed)
        return self

    def __exit__(self, *problem: object) -> None:
        self._engine.close()

    def begin(self, phase: Asked) -> None:
        self._engine.forget()
        for before in phase.history:
            self._engine.observe(before.position, orders_of(before))

    def foretell(self, phase: Asked, power: str) -> Forecast:
        position = phase.position
        answer = self._engine.search(
            position,
            power,
            nodes=self.options["nodes"],
            previous=orders_of(phase.history[-1]) if phase.history else None,
            lines=LINES,
        )
        sets = [
            (keys_of(self.map, from_orders(position, power, line.orders)), line.probability)
            for line in answer.lines
        ]
        listed = choices(position, power)
        forecast = from_sets(listed, sets, self.options.get("astray") or ASTRAY["engine"])
        best = {key[1]: key for key in forecast.sets[0]} if forecast.first else {}
        return forecast._replace(first={place: best[place] for place in forecast.first})


class PeoplesNet(Foreteller):
    """A net learnt from people (`bordeaux.policy.people`), possibly without the weights of single provinces
    (`names`) or the orders of the phases before (`memory`)."""

    def __init__(
        self,
        map: Map,
        seed: int,
        options: Mapping[str, Any],
        *,
        net: str = "people",
        names: bool = True,
        memory: bool = True,
    ) -> None:
        super().__init__(map, seed, options)
        self._people = People(map, net=load_net(options.get("weights") or net), names=names)
        self._remembers = memory

    def begin(self, phase: Asked) -> None:
        self._memory = memory_of(phase.position, seen_before(phase)) if self._remembers else None

    def foretell(self, phase: Asked, power: str) -> Forecast:
        position, people = phase.position, self._people
        listed = choices(position, power)
        listed_choices = people.choices(position, power, self._memory)
        units: dict[int, dict[Key, float]] = {}
        for place, options in listed_choices.items():
            shares = units.setdefault(place, {})
            for code, share in options:
                key = key_of(self.map, code)
                shares[key] = shares.get(key, 0.0) + share
        units = {place: units[place] for place in listed}
        first = {}
        if position.phase.kind != "A":
            first = {place: max(shares, key=shares.__getitem__) for place, shares in units.items()}
        sets = [keys_of(self.map, orders) for orders, _ in people.sets(position, power, BEST, self._memory)]
        orders, log = phase.orders[power], None
        # Of removals fewer may have been ordered than were due, and nobody chose the others.
        if position.phase.kind != "A" or len(orders) // 8 == abs(position.adjustments(power)):
            log = people.log_probability(position, power, orders, self._memory)
        beside = {}
        if position.phase.kind == "M":
            told_on = people.beside(position, power, orders, self._memory)
            beside = {unit_of(code): key_of(self.map, likeliest) for code, _, likeliest in told_on}
        return Forecast(units, first, sets, log, beside)


FORETELLERS: dict[str, Callable[[Map, int, Mapping[str, Any]], Foreteller]] = {
    "hold": Holding,
    "dumbbot": DumbBots,
    "engine": Searching,
    **{
        net + ending: partial(PeoplesNet, net=net, names=names, memory=memory)
        for net in ("people", "people-wide")
        for ending, names, memory in (
            ("", True, True),
            ("-nameless", False, True),
            ("-forgetful", True, False),
        )
    },
}
"""All of them, by their names in the command."""


def create(name: str, map: Map, seed: int, options: Mapping[str, Any]) -> Foreteller:
    """A predictor by name. Raises BordeauxError for an unknown one."""
    if name not in FORETELLERS:
        raise BordeauxError(f"nobody foretells as {name!r}; there are {', '.join(FORETELLERS)}")
    return FORETELLERS[name](map, seed, options)


def orders_of(played: PlayedPhase) -> dict[str, list[Order]]:
    """The orders of a movement phase that was played, by power; none for powers without a legal order."""
    map = played.position.map
    return {
        power: [decode(map, code) for code in codes_in(played.orders.get(number, b""))]
        for number, power in enumerate(map.powers)
    }


def seen_before(phase: Asked) -> dict[str, dict[str, tuple[int, dict[int, int]]]]:
    """The last orders of every power in either season before a phase, in the form of `Beliefs.seen`."""
    seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {}
    for position, orders in phase.history:
        present = (one for one in enumerate(position.map.powers) if position.units_of(one[1]))
        note(seen, position, {power: orders.get(number, b"") for number, power in present})
    return seen
