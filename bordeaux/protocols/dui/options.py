"""The options of the engine, as in the handshake and ``setoption``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.evaluation import evaluator
from bordeaux.players.limits import FULL
from bordeaux.press.diplomat.payoffs import CHARACTERS
from bordeaux.press.language.levels import LEVELS
from bordeaux.search.config import SEARCHES, SearchConfig
from bordeaux.search.task import MOST_THREADS

MOST_LINES = 50
MOST_TIME = 86_400_000
PERCENT = 100


@dataclass(frozen=True)
class EngineSettings:
    """The values of the options: threads of the search (processes of the paper's), seconds of a search
    without a limit, levels of press, the diplomat's character, whether the book is used, and the seed. Then
    the settings of the search, lines of an answer, the level of strength, and the map for reading
    positions."""

    threads: int = 1
    search_time: float = 1.0
    press: int = 50
    personality: str = "honest"
    use_book: bool = False
    seed: int = 0
    search: SearchConfig = field(default_factory=SearchConfig)
    lines: int = 1
    strength: int = FULL
    map: str = "standard"

    @property
    def of_engine(self) -> tuple[object, ...]:
        """The settings of an engine."""
        return self.threads, self.use_book, self.seed, self.search

    @property
    def of_diplomat(self) -> tuple[object, ...]:
        """The settings of a diplomat."""
        return *self.of_engine, self.press, self.personality


class Option(NamedTuple):
    """One option: its declaration, and a function from settings and a value to changed settings."""

    name: str
    declared: str
    applied: Callable[[EngineSettings, str], EngineSettings]

    def __str__(self) -> str:
        return f"option name {self.name} type {self.declared}"


def _with(settings: EngineSettings, field: str, value: Any) -> EngineSettings:
    return replace(settings, **{field: value})


def whole(what: str, text: str, least: int, most: int) -> int:
    """A whole number. Raises BordeauxError."""
    if not (text.isascii() and text.isdigit() and len(text) < 30 and least <= int(text) <= most):
        raise BordeauxError(f"{what} takes a whole number from {least} to {most}, not {quote(text)}")
    return int(text)


def _spin(name: str, field: str, default: int, least: int, most: int, scale: float | None = None) -> Option:
    def applied(settings: EngineSettings, text: str) -> EngineSettings:
        value = whole(f"option {name}", text, least, most)
        return _with(settings, field, value if scale is None else value / scale)

    return Option(name, f"spin default {default} min {least} max {most}", applied)


def _combo(
    name: str,
    field: str,
    default: str,
    choices: tuple[str, ...],
    read: Callable[[str], object] = str,
    change: Callable[[EngineSettings, str, Any], EngineSettings] = _with,
) -> Option:
    def applied(settings: EngineSettings, text: str) -> EngineSettings:
        known = {choice.casefold(): choice for choice in choices}
        if text.casefold() not in known:
            raise BordeauxError(
                f"option {name} is one of {', '.join(choices)}, not {quote(text)}{nearest(text, choices)}"
            )
        return change(settings, field, read(known[text.casefold()]))

    declared = " ".join(f"var {choice}" for choice in choices)
    return Option(name, f"combo default {default} {declared}", applied)


def _check(name: str, field: str) -> Option:
    def applied(settings: EngineSettings, text: str) -> EngineSettings:
        if text.casefold() not in ("true", "false"):
            raise BordeauxError(f"option {name} is true or false, not {quote(text)}")
        return _with(settings, field, text.casefold() == "true")

    return Option(name, "check default false", applied)


def _searching(settings: EngineSettings, name: str, value: object) -> EngineSettings:
    return replace(settings, search=settings.search.changed({name: value}))


def _search_text(setting: str, text: str) -> object:
    """The value of a setting of the search: a caution is in percent, as DUI has whole numbers alone, and
    ``none`` is no text. Raises BordeauxError."""
    if setting == "caution":
        return whole("option Caution", text, 0, PERCENT) / PERCENT
    if setting == "evaluation":
        evaluator(Map.standard(), text)
    return "" if text == "none" and _DEFAULT.search.value(setting) in (None, "") else text


def _of_search() -> Iterator[Option]:
    """An option for each setting of both searches; one that the chosen search does not have is refused."""
    for setting in SearchConfig.settings():
        name, default = setting.capitalize(), _DEFAULT.search.value(setting)
        if setting == "search":
            yield _combo(name, setting, default, tuple(SEARCHES), change=_searching)
            continue
        declared = f"string default {'none' if default in (None, '') else default}"
        if setting == "caution":
            declared = f"spin default {round(default * PERCENT)} min 0 max {PERCENT}"

        def applied(settings: EngineSettings, text: str, setting: str = setting) -> EngineSettings:
            return _searching(settings, setting, _search_text(setting, text))

        yield Option(name, declared, applied)


_DEFAULT = EngineSettings()
OPTIONS: dict[str, Option] = {
    option.name.casefold(): option
    for option in (
        _spin("Threads", "threads", _DEFAULT.threads, 1, MOST_THREADS),
        _spin("SearchTime", "search_time", round(_DEFAULT.search_time * 1000), 1, MOST_TIME, 1000),
        _spin("Lines", "lines", _DEFAULT.lines, 1, MOST_LINES),
        _spin("Strength", "strength", _DEFAULT.strength, 1, FULL),
        _spin("Seed", "seed", _DEFAULT.seed, 0, 2**63 - 1),
        _check("UseBook", "use_book"),
        _combo("Map", "map", _DEFAULT.map, tuple(bundled_maps())),
        _combo("Press", "press", str(_DEFAULT.press), tuple(map(str, LEVELS)), int),
        _combo("Personality", "personality", _DEFAULT.personality, tuple(CHARACTERS)),
        *_of_search(),
    )
}
"""By name without regard to case, in the order in which the handshake lists them."""


def changed(settings: EngineSettings, name: str, value: str) -> EngineSettings:
    """The settings with one option set. Raises BordeauxError for an unknown one, or an invalid value."""
    option = OPTIONS.get(name.casefold())
    if option is None:
        names = [option.name for option in OPTIONS.values()]
        raise BordeauxError(f"no option {quote(name)}{nearest(name, names)} (options: {', '.join(names)})")
    return option.applied(settings, value)
