"""The options of the engine, as the handshake lists them and ``setoption`` sets them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.engine import CAUTION
from bordeaux.evaluation import evaluator
from bordeaux.press.character import CHARACTERS
from bordeaux.press.levels import LEVELS
from bordeaux.search.parallel.shares import MOST_PROCESSES

__all__ = ["OPTIONS", "Option", "Settings", "changed"]

MOST_LINES = 50
MOST_TIME = 86_400_000
PERCENT = 100


@dataclass(frozen=True)
class Settings:
    """What the options are set to: processes of the search, seconds of a search without a limit, levels of
    press, the diplomat's character, whether the book is used, the seed, the caution (0 to 1), the name of the
    evaluation, lines of an answer, and the map on which positions are read."""

    threads: int = 1
    search_time: float = 1.0
    press: int = 50
    personality: str = "honest"
    use_book: bool = False
    seed: int = 0
    caution: float = CAUTION
    evaluation: str = "default"
    lines: int = 1
    map: str = "standard"

    @property
    def of_engine(self) -> tuple[object, ...]:
        """Those of them that an engine is made from."""
        return self.threads, self.use_book, self.seed, self.caution, self.evaluation

    @property
    def of_diplomat(self) -> tuple[object, ...]:
        """Those of them that a diplomat is made from."""
        return *self.of_engine, self.press, self.personality


class Option(NamedTuple):
    """One option: how it is declared, and the settings that a value leads to."""

    name: str
    declared: str
    set: Callable[[Settings, str], Settings]

    def __str__(self) -> str:
        return f"option name {self.name} type {self.declared}"


def _with(settings: Settings, field: str, value: Any) -> Settings:
    return replace(settings, **{field: value})


def _spin(name: str, field: str, default: int, least: int, most: int, scale: float | None = None) -> Option:
    def set(settings: Settings, text: str) -> Settings:
        try:
            value = int(text) if len(text) < 30 else least - 1
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise BordeauxError(f"option {name} is a whole number from {least} to {most}, not {quote(text)}")
        return _with(settings, field, value if scale is None else value / scale)

    return Option(name, f"spin default {default} min {least} max {most}", set)


def _combo(
    name: str, field: str, default: str, choices: tuple[str, ...], read: Callable[[str], object] = str
) -> Option:
    def set(settings: Settings, text: str) -> Settings:
        known = {choice.casefold(): choice for choice in choices}
        if text.casefold() not in known:
            raise BordeauxError(
                f"option {name} is one of {', '.join(choices)}, not {quote(text)}{nearest(text, choices)}"
            )
        return _with(settings, field, read(known[text.casefold()]))

    declared = " ".join(f"var {choice}" for choice in choices)
    return Option(name, f"combo default {default} {declared}", set)


def _check(name: str, field: str) -> Option:
    def set(settings: Settings, text: str) -> Settings:
        if text.casefold() not in ("true", "false"):
            raise BordeauxError(f"option {name} is true or false, not {quote(text)}")
        return _with(settings, field, text.casefold() == "true")

    return Option(name, "check default false", set)


def _evaluation(settings: Settings, text: str) -> Settings:
    evaluator(Map.standard(), text)
    return replace(settings, evaluation=text)


_DEFAULT = Settings()
OPTIONS: dict[str, Option] = {
    option.name.casefold(): option
    for option in (
        _spin("Threads", "threads", _DEFAULT.threads, 1, MOST_PROCESSES),
        _spin("SearchTime", "search_time", round(_DEFAULT.search_time * 1000), 1, MOST_TIME, 1000),
        _spin("Lines", "lines", _DEFAULT.lines, 1, MOST_LINES),
        _spin("Seed", "seed", _DEFAULT.seed, 0, 2**63 - 1),
        _spin("Caution", "caution", round(_DEFAULT.caution * PERCENT), 0, PERCENT, PERCENT),
        _check("UseBook", "use_book"),
        _combo("Map", "map", _DEFAULT.map, tuple(bundled_maps())),
        Option("Evaluation", f"string default {_DEFAULT.evaluation}", _evaluation),
        _combo("Press", "press", str(_DEFAULT.press), tuple(map(str, LEVELS)), int),
        _combo("Personality", "personality", _DEFAULT.personality, tuple(CHARACTERS)),
    )
}
"""By name without regard to case, in the order in which the handshake lists them."""


def changed(settings: Settings, name: str, value: str) -> Settings:
    """The settings with one option set. Raises BordeauxError for an unknown one, or a value that it cannot
    take."""
    option = OPTIONS.get(name.casefold())
    if option is None:
        names = [each.name for each in OPTIONS.values()]
        raise BordeauxError(f"no option {quote(name)}{nearest(name, names)} (options: {', '.join(names)})")
    return option.set(settings, value)
