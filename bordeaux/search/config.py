"""The settings of the two searches in one frozen value, each with its unit, its range and its purpose.

The engine, the command line, the players' options, the line protocol and TOML files all read their settings
from `SearchConfig`. So a new setting is one field here: of both searches, of the learnt one, or of the
paper's. `IDEAS` are the parts of a search that can be switched off, to measure the gain of each.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, get_type_hints

from bordeaux.board.errors import BordeauxError, FormatError, nearest, quote
from bordeaux.board.toml import parse_toml
from bordeaux.search.beliefs import WEIGHTS, check_model, prior_of
from bordeaux.search.models import own_net

if TYPE_CHECKING:
    from bordeaux.search.bestfirst import Maxims

LEARNT, PAPER = "learnt", "paper"
SEARCHES = {
    LEARNT: "sets of people and of self-play, changed unit by unit while one measure finds better ones",
    PAPER: "that of Hall and Loeb: best-first over partial sets, with agenda, maxims and rendezvous",
}
"""The searches by name."""

IDEAS: dict[str, tuple[tuple[str, ...], str]] = {
    "beliefs": ((LEARNT, PAPER), "orders of the others are drawn from what they seem to be like"),
    "forcing": ((LEARNT, PAPER), "what decides a Fall by a proof joins the candidates"),
    "people": ((LEARNT, PAPER), "powers may be believed to play like people in recorded games, or engines"),
    "league": (
        (LEARNT, PAPER),
        "powers may be believed to play as self-play has taught, which plays rollouts too",
    ),
    "policy": ((PAPER,), "what DumbBot's policy would order is among the seeds"),
    "reasoning": ((LEARNT,), "the others take the best of what they draw, as far as they seem to"),
    "replies": ((PAPER,), "sets are judged by how they stand up to the best replies of enemies that search"),
    "equilibrium": ((PAPER,), "sets of powers that search become a game; a mixture decides"),
    "variants": ((PAPER,), "sets are valued against several alternative orders of the others"),
    "metamap": ((PAPER,), "a search on the map's regions sets goals"),
    "fronts": ((PAPER,), "groups of units that do not interact are searched apart"),
}
"""The ideas by name: the searches that have it, and what it is."""


def ideas_of(search: str) -> tuple[str, ...]:
    """The names of the ideas of a search."""
    return tuple(name for name, (searches, _) in IDEAS.items() if search in searches)


def ranged(default: float, low: float, high: float, unit: str, what: str) -> Any:
    """A field that holds a number from `low` to `high`. `unit` is its unit, `what` its purpose."""
    return field(default=default, metadata={"low": low, "high": high, "unit": unit, "what": what})


def out_of_range(settings: Any) -> Iterator[tuple[str, float, float, float]]:
    """The name, the value, and the ends of the range of every `ranged` field that is out of its range."""
    for setting in fields(settings):
        if "low" in setting.metadata:
            value = getattr(settings, setting.name)
            low, high = setting.metadata["low"], setting.metadata["high"]
            if not low <= value <= high:
                yield setting.name, value, low, high


def named(default: str | None, what: str) -> Any:
    """A field that holds a name, a file, or several names joined by ``+``."""
    return field(default=default, metadata={"what": what})


BELIEVED = "+".join(f"{name}={weight:g}" for name, weight in WEIGHTS.items())
"""The models of play with their weights at the beginning, as a setting."""

LEAST_WEIGHT, MOST_WEIGHT = 0.001, 1000
"""Weights that a model of play may have. Far smaller ones would vanish beside others."""


def listed(text: str) -> list[str]:
    """Names joined by ``+``."""
    return [name.strip() for name in text.split("+") if name.strip()]


def _weights(text: str) -> dict[str, float]:
    """The weights of models by name. Raises BordeauxError for an invalid text."""
    weights: dict[str, float] = {}
    for part in listed(text):
        name, _, digits = (piece.strip() for piece in part.rpartition("="))
        try:
            weight = float(digits)
        except ValueError:
            weight = 0.0
        if not name or not LEAST_WEIGHT <= weight <= MOST_WEIGHT:
            raise BordeauxError(
                f"models are names with weights from {LEAST_WEIGHT} to {MOST_WEIGHT}, "
                f"as league=2.5+people-wide@0.5=1.4, not {quote(part)}"
            )
        if name in weights:
            raise BordeauxError(f"models name {quote(name)} twice")
        weights[name] = weight
    if not weights:
        raise BordeauxError("models must name one at least, as league=2.5")
    return weights


@dataclass(frozen=True)
class PaperConfig:
    """The settings of the paper's search alone: the `maxims` that apply are joined by ``+``. Raises
    BordeauxError as `SearchConfig` does."""

    maxims: str = named("all", "maxims that forbid orders: all, none or names")
    caution: float = ranged(0.25, 0.0, 1.0, "share", "weight of the worst reply beside the mean of all")

    def __post_init__(self) -> None:
        for name, value, low, high in out_of_range(self):
            raise BordeauxError(f"{name} must be a number from {low:g} to {high:g}, not {value}")
        if self.maxims != "all":
            # Reading them tells of unknown names.
            assert self.obeyed is not None

    @functools.cached_property
    def obeyed(self) -> Maxims:
        """The maxims that apply."""
        from bordeaux.search.bestfirst import ALL_MAXIMS, Maxims

        kinds = {"all": ALL_MAXIMS, "none": ()}
        return Maxims.named(kinds[self.maxims] if self.maxims in kinds else listed(self.maxims))


@dataclass(frozen=True)
class SearchConfig:
    """The settings of a search: which of the two it is, what both have, and the own ones of each.

    `changed` accepts every setting by its name alone, as a value or as text; `describe` lists them with units
    and ranges. `without` are ideas to leave out, joined by ``+``. The settings of the search that is not
    chosen have their defaults. Raises BordeauxError for a value out of its range, an unknown name, an idea or
    a setting of the other search, or a file that cannot be read.
    """

    search: str = named(LEARNT, "which search: learnt, or paper for that of Hall and Loeb")
    evaluation: str = named("default", "the evaluation: a name or a .toml or .npz file")
    policy: str | None = named(
        None, "a net in place of the one that self-play has taught: a name or a .npz file"
    )
    models: str = named(BELIEVED, "models that the others may follow, with weights at the beginning")
    without: str = named("", "ideas of the search to leave out")
    paper: PaperConfig = PaperConfig()

    def __post_init__(self) -> None:
        if self.search not in SEARCHES:
            raise BordeauxError(
                f"search is {' or '.join(SEARCHES)}, not {quote(self.search)}{nearest(self.search, SEARCHES)}"
            )
        for name, own in OWN.items():
            if name != self.search and getattr(self, name) != own():
                raise BordeauxError(f"search {self.search} does not have the settings of search {name}")
        if self.policy is not None:
            own_net(self.policy)
        # Reading them tells of unknown names.
        assert isinstance(self.ideas, frozenset)
        assert isinstance(self.prior, dict)

    @functools.cached_property
    def ideas(self) -> frozenset[str]:
        """The ideas in use: all of the search except those that are left out."""
        return frozenset(ideas_of(self.search)) - self._named_ideas(listed(self.without))

    def _named_ideas(self, names: Iterable[str]) -> frozenset[str]:
        """Ideas of the search by name. Raises BordeauxError for others."""
        known = ideas_of(self.search)
        for name in names:
            if name in known:
                continue
            if name in IDEAS:
                (other,) = IDEAS[name][0]
                raise BordeauxError(f"{name} is an idea of search {other}, not of search {self.search}")
            raise BordeauxError(
                f"unknown idea {quote(name)}{nearest(name, known)} (known: {', '.join(known)})"
            )
        return frozenset(names)

    @functools.cached_property
    def prior(self) -> dict[str, float]:
        """The probability of each model of play at the beginning of a game; models of ideas that are left out
        have none."""
        weights = _weights(self.models)
        for name in weights:
            check_model(name)
        total = sum(weights.values())
        return prior_of(self.ideas, {name: weight / total for name, weight in weights.items()})

    @classmethod
    def settings(cls, search: str | None = None) -> dict[str, Field[Any]]:
        """All settings by name, or those that one search has."""
        common = {setting.name: setting for setting in fields(cls) if setting.name not in OWN}
        own = [fields(kind) for name, kind in OWN.items() if search in (None, name)]
        return common | {setting.name: setting for settings in own for setting in settings}

    @classmethod
    def types(cls) -> dict[str, Any]:
        """The types of all settings by name."""
        hints = [get_type_hints(kind) for kind in (cls, *OWN.values())]
        return {name: kind for types in hints for name, kind in types.items() if name in cls.settings()}

    def value(self, name: str) -> Any:
        """The value of a setting, by its name alone."""
        owner = _owner(name)
        return getattr(self if owner is None else getattr(self, owner), name)

    def changed(self, settings: Mapping[str, object]) -> SearchConfig:
        """These settings with some others, values or texts. With another search its own settings begin at
        their defaults, and ideas that it does not have are no longer left out. Raises BordeauxError for an
        unknown name, an invalid value, and a setting that the search does not have."""
        known = self.settings()
        values: dict[str | None, dict[str, object]] = {None: {}, PAPER: {}}
        for name, value in settings.items():
            if name not in known:
                raise BordeauxError(
                    f"no setting {quote(name)}{nearest(name, known)} (known: {', '.join(known)})"
                )
            values[_owner(name)][name] = _read(name, value, known[name].default)
        search = values[None].get("search", self.search)
        if search != self.search:
            kept = [name for name in listed(self.without) if name in ideas_of(str(search))]
            values[None].setdefault("without", "+".join(kept))
        for owner, kind in OWN.items():
            if owner != search and values[owner]:
                name = next(iter(values[owner]))
                raise BordeauxError(f"{name} is a setting of search {owner}, not of search {search}")
            values[None][owner] = replace(
                getattr(self, owner) if owner == search else kind(), **values[owner]
            )
        return replace(self, **values[None])  # type: ignore[arg-type]

    @classmethod
    def from_toml(cls, text: str) -> SearchConfig:
        """Settings from a TOML table of names and values. Raises BordeauxError for invalid text."""
        try:
            given = parse_toml(text)
        except FormatError as error:
            raise BordeauxError(f"no TOML: {error}") from None
        return cls().changed(given)

    def without_ideas(self, *names: str) -> SearchConfig:
        """These settings with further ideas left out. Raises BordeauxError for an unknown idea."""
        self._named_ideas(names)
        return replace(self, without="+".join(dict.fromkeys((*listed(self.without), *names))))

    def describe(self) -> Iterable[tuple[str, object, str, str, str]]:
        """Name, value, range with unit, search that has it ("" for both), and purpose of each setting."""
        for name, setting in self.settings().items():
            metadata = setting.metadata
            span = (
                f"{metadata['low']:g} to {metadata['high']:g} {metadata['unit']}"
                if "low" in metadata
                else "text"
            )
            yield name, self.value(name), span, _owner(name) or "", metadata["what"]


OWN = {PAPER: PaperConfig}
"""The class of the own settings of a search, by its name."""


def _owner(name: str) -> str | None:
    """The search that alone has a setting; None for one of both."""
    return next((search for search, kind in OWN.items() if name in kind.__dataclass_fields__), None)


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
        wanted = "a number" if isinstance(default, int | float) else "text"
        raise BordeauxError(f"{name} must be {wanted}, not {str(value)[:60]}")
    return value
