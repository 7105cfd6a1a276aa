"""The settings of the search in one frozen value, each with its unit, its range and its purpose.

The engine, the command line, the players' options, the line protocol and TOML files all read their settings
from this class. So a new setting is one field here. `Ideas` are the parts of the search that can be switched
off, one at a time, to measure the gain of each.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.search.beliefs import MODELS, REASON, check_model, prior_of
from bordeaux.search.bestfirst import ALL_MAXIMS, Maxims
from bordeaux.search.models import own_net
from bordeaux.search.proposers import proposer

__all__ = ["IDEAS", "Ideas", "SearchConfig", "named", "out_of_range", "ranged"]

IDEAS: dict[str, str] = {
    "beliefs": "orders of the others are drawn from what they seem to be like, and not only from searches",
    "rollouts": "the best candidates are compared by playing on",
    "draws": "candidates are drawn from learnt policies; without it the paper's search decides",
    "best-first": "candidates come from the best-first search of the paper as well, from draws as seeds",
    "reasoning": "the others take the best of what they draw, as far as they seem to",
    "learning": "what the others play is learnt from what is worth more to them",
    "replies": "sets are judged by how they stand up to the best replies of enemies that search",
    "forcing": "what can be forced in Fall joins the candidates and counts beside what is expected",
    "equilibrium": "sets of powers that search become a game; a mixture decides where rollouts cannot",
    "variants": "sets are valued against several alternative orders of the others",
    "policy": "what the fast policy would order is among the seeds and the candidates",
    "people": "powers may be believed to play like people in recorded games, or like engines in such",
    "league": "rollouts play on by what self-play has learnt, and it is among candidates and beliefs",
    "metamap": "a search on the map's regions sets goals",
    "fronts": "groups of units that do not interact are searched apart",
}


class Ideas(frozenset[str]):
    """The ideas in use: all except those named."""

    @classmethod
    def without(cls, names: Iterable[str] = ()) -> Ideas:
        """All ideas except some. Raises BordeauxError for an unknown name."""
        left_out = set(names)
        for name in sorted(left_out):
            if name not in IDEAS:
                known = ", ".join(IDEAS)
                raise BordeauxError(f"unknown idea {quote(name)}{nearest(name, IDEAS)} (known: {known})")
        return cls(set(IDEAS) - left_out)


def ranged(default: float, low: float, high: float, unit: str, what: str) -> Any:
    """A field that holds a number from `low` to `high`. `unit` is its unit, `what` its purpose."""
    return field(default=default, metadata={"low": low, "high": high, "unit": unit, "what": what})


def out_of_range(settings: Any) -> Iterator[tuple[str, float, float, float]]:
    """The name, the value, and the ends of the range of every `ranged` field that is out of its range."""
    for setting in fields(settings):
        if "low" in setting.metadata:
            value, low, high = (
                getattr(settings, setting.name),
                setting.metadata["low"],
                setting.metadata["high"],
            )
            if not low <= value <= high:
                yield setting.name, value, low, high


def named(default: str | None, what: str) -> Any:
    """A field that holds a name, a file, or several names joined by ``+``."""
    return field(default=default, metadata={"what": what})


WEIGHTS = "+".join(f"{name}={model.prior:g}" for name, model in MODELS.items() if model.prior > 0)
"""The models of play with their own priors, as a setting."""

LEAST_WEIGHT, MOST_WEIGHT = 0.001, 1000
"""Weights that a model of play may have. Far smaller ones would vanish beside others."""

MOST_SETS = 9_999
"""The most sets that a proposer may be asked for."""

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a search. `describe` lists them with units and ranges; `changed` accepts each field as
    text.

    `without` are ideas to leave out, and `maxims` those of the paper's search to apply, each joined by ``+``.
    Raises BordeauxError for a value out of its range, an unknown name, or a file that cannot be read.
    """

    evaluation: str = named("default", "the evaluation: a name or a .toml or .npz file")
    policy: str | None = named(
        None, "a net in place of the one that self-play has taught: a name or a .npz file"
    )
    without: str = named("", "ideas of the search to leave out")
    maxims: str = named("all", "maxims of the paper's search: all, none or names")
    proposers: str = named(
        "league=27+people=13+dumbbot=4+best-first=8", "who proposes candidates, and how many at least"
    )
    models: str = named(WEIGHTS, "models that the others may follow, with weights at the beginning")
    others: int = ranged(96, 1, 512, "sets", "sets drawn for each other power at least")
    growth: float = ranged(0.6, 0.0, 1.0, "exponent", "candidates grow with the nodes to this power")
    most: float = ranged(12.0, 1.0, 100.0, "times", "candidates at most, as a multiple of the least")
    enough: int = ranged(3_000, 1, 10**9, "nodes", "with fewer nodes there are fewer candidates")
    plenty: int = ranged(10_000, 1, 10**9, "nodes", "from here on candidates grow")
    reasoning: float = ranged(
        0.1, 0.0, 0.9, "share", "part of a decision in which the others choose their sets"
    )
    reason: float = ranged(
        REASON, 0.0, 1.0, "probability", "that another power takes the best of its draws, at the beginning"
    )
    among: float = ranged(8.0, 1.0, 1000.0, "sets", "draws of which such a power takes the best")
    glances: int = ranged(2, 1, 64, "samples", "samples against which it compares them")
    learning: float = ranged(0.0, 0.0, 0.95, "share", "part of a decision in which all powers learn")
    temperature: float = ranged(30.0, 0.001, 10_000.0, "points", "gain that makes a set e times as likely")
    lookahead: int = ranged(
        -1, -1, 8, "movement phases", "phases played on while all learn; -1 judges at once"
    )
    horizon: int = ranged(
        1, -1, 8, "movement phases", "phases played on in the comparison; -1 judges at once"
    )
    sure: float = ranged(
        0.6, 0.0, 10.0, "share", "part of a centre's worth for a centre that is proved to be sure"
    )
    proving: float = ranged(0.3, 0.0, 0.9, "share", "part of a decision in Fall that may go into proofs")
    caution: float = ranged(0.25, 0.0, 1.0, "share", "weight of the worst reply in the paper's search")
    anchor: float = ranged(0.0, 0.0, 1e9, "points a nat", "how near to people the paper's equilibrium stays")

    def __post_init__(self) -> None:
        for name, value, low, high in out_of_range(self):
            raise BordeauxError(f"{name} must be a number from {low:g} to {high:g}, not {value}")
        if self.policy is not None:
            own_net(self.policy)
        for name in self.counts():
            proposer(name)
        # Reading them tells of unknown names.
        assert isinstance(self.ideas, Ideas)
        assert isinstance(self.obeyed, Maxims)
        assert isinstance(self.prior, dict)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all settings."""
        return tuple(setting.name for setting in fields(cls))

    @functools.cached_property
    def ideas(self) -> Ideas:
        """The ideas in use."""
        return Ideas.without(listed(self.without))

    @functools.cached_property
    def obeyed(self) -> Maxims:
        """The maxims of the paper's search that apply."""
        kinds = {"all": ALL_MAXIMS, "none": ()}
        return Maxims.named(kinds[self.maxims] if self.maxims in kinds else listed(self.maxims))

    @functools.cached_property
    def prior(self) -> dict[str, float]:
        """The probability of each model of play at the beginning of a game; models of ideas that are left out
        have none."""
        weights = _by_name(
            "models",
            self.models,
            f"weights from {LEAST_WEIGHT} to {MOST_WEIGHT}",
            _weight,
            "league=2.5+people=1.4",
        )
        for name in weights:
            check_model(name)
        total = sum(weights.values())
        return prior_of(self.ideas, {name: weight / total for name, weight in weights.items()})

    def counts(self) -> dict[str, int]:
        """The number of sets that each proposer draws, by its name. Raises BordeauxError for invalid text."""
        return _by_name(
            "proposers", self.proposers, f"counts from 1 to {MOST_SETS}", _count, "league=27+people=13"
        )

    def changed(self, settings: Mapping[str, object]) -> SearchConfig:
        """These settings with some others, values or texts. Raises BordeauxError for an unknown name or an
        invalid value."""
        known = {setting.name: setting for setting in fields(self)}
        values: dict[str, object] = {}
        for name, value in settings.items():
            if name not in known:
                raise BordeauxError(
                    f"no setting {quote(name)}{nearest(name, known)} (known: {', '.join(known)})"
                )
            values[name] = _read(name, value, known[name].default)
        return replace(self, **values)  # type: ignore[arg-type]

    @classmethod
    def from_toml(cls, text: str) -> SearchConfig:
        """Settings from a TOML table of names and values. Raises BordeauxError for invalid text."""
        try:
            return cls().changed(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise BordeauxError(f"no TOML: {error}") from None

    def without_ideas(self, *names: str) -> SearchConfig:
        """These settings with further ideas left out."""
        return replace(self, without="+".join(dict.fromkeys((*listed(self.without), *names))))

    def describe(self) -> Iterable[tuple[str, object, str, str]]:
        """Name, value, range with unit, and purpose of each setting."""
        for setting in fields(self):
            metadata = setting.metadata
            span = (
                f"{metadata['low']:g} to {metadata['high']:g} {metadata['unit']}"
                if "low" in metadata
                else "text"
            )
            yield setting.name, getattr(self, setting.name), span, metadata["what"]


def listed(text: str) -> list[str]:
    """Names joined by ``+``."""
    return [name.strip() for name in text.split("+") if name.strip()]


def _by_name(
    setting: str, text: str, what: str, number_of: Callable[[str], Number | None], example: str
) -> dict[str, Number]:
    """The numbers of a setting by name, from a text like the `example`. `number_of` reads one, or returns
    None for what is none. `what` names the numbers and their range. Raises BordeauxError for an invalid
    text."""
    numbers: dict[str, Number] = {}
    for part in listed(text):
        name, _, digits = (piece.strip() for piece in part.rpartition("="))
        number = number_of(digits)
        if not name or number is None:
            raise BordeauxError(f"{setting} are names with {what}, as {example}, not {quote(part)}")
        if name in numbers:
            raise BordeauxError(f"{setting} name {quote(name)} twice")
        numbers[name] = number
    if not numbers:
        raise BordeauxError(f"{setting} must name one at least, as {example.partition('+')[0]}")
    return numbers


def _weight(text: str) -> float | None:
    """A weight of a model, or None for what is none."""
    try:
        weight = float(text)
    except ValueError:
        return None
    return weight if LEAST_WEIGHT <= weight <= MOST_WEIGHT else None


def _count(text: str) -> int | None:
    """A number of sets, or None for what is none."""
    count = int(text) if text.isdecimal() and len(text) <= len(str(MOST_SETS)) else 0
    return count if 0 < count <= MOST_SETS else None


def _read(name: str, value: object, default: object) -> object:
    """A value of the type of the default."""
    if isinstance(default, bool | int | float) and isinstance(value, str | int | float):
        kind = int if isinstance(default, int) else float
        try:
            number = kind(value)
        except (ValueError, OverflowError):
            number = None
        if number is None or (kind is int and number != float(value)):
            wanted = "a whole number" if kind is int else "a number"
            raise BordeauxError(f"{name} must be {wanted}, not {quote(str(value))}") from None
        return number
    if isinstance(value, list | tuple):
        return "+".join(map(str, value))
    if default is None and value in (None, "none", ""):
        return None
    if not isinstance(value, str):
        raise BordeauxError(
            f"{name} must be {'a number' if isinstance(default, int | float) else 'text'}, not {value}"
        )
    return value
