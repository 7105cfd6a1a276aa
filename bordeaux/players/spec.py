"""The language of players' specs, read once into a tree: `parse` for one spec, `parse_list` for a line-up.

A spec is a name, or a name, a colon and options: ``bordeaux:level=3,time=1``. An option that is a player has
a spec as its value: ``liar:player=bordeaux:level=3``. After ``program:``, ``dui:`` and ``daide:`` the rest is
a command line. After ``deepmind:`` comes a folder, then options. ``FILE.py:CLASS`` and ``MODULE:CLASS`` name
foreign classes, with options after another colon. Nothing foreign is loaded or looked up here.
"""

from __future__ import annotations

import functools
import inspect
import re
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.players.catalogue import CATALOGUE

GUEST = "daide"
"""The name of DAIDE clients as players, which only the arena seats."""
COMMANDS = (*(name for name, entry in CATALOGUE.items() if entry.rest), GUEST)
"""The names that are followed by a command line."""
DEEPEST = 8
"""Players in options of players in options."""

#: A file ends in ``.py`` and may have any path; a module is a word, or words joined by dots. The colon is
#: followed by a word without ``=``, so ``dumbbot:neutral_value=0`` does not name a class.
_CLASS = re.compile(r"(?:[^:,*]+\.py|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):[A-Za-z_]\w*(?![\w=]|\s*=)")
_TIMES = re.compile(r"(.+)\*([0-9]{1,2})", re.DOTALL)


@dataclass(frozen=True)
class Spec:
    """A player's spec as a tree. `name` is that of a player, or ``FILE.py:CLASS`` or ``MODULE:CLASS`` of a
    `foreign` class. `options` have the types that the player's class gives them: numbers, texts, None and
    other specs. Those of a foreign class are texts, as it is not loaded. `command` is a command line, "" for
    players without one."""

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    command: str = ""
    foreign: bool = False

    @property
    def short(self) -> str:
        """The name without options, or that of the class."""
        return self.name.rpartition(":")[2] if self.foreign else self.name

    def all(self) -> Iterator[Spec]:
        """This spec and those in its options."""
        yield self
        for value in self.options.values():
            if isinstance(value, Spec):
                yield from value.all()


def parse(text: str, depth: int = 0) -> Spec:
    """The tree of a spec. Raises BordeauxError for an unknown name or option, and for an invalid value."""
    if depth > DEEPEST:
        raise BordeauxError(f"players in options of players, more than {DEEPEST} deep; leave some out")
    head, colon, tail = text.partition(":")
    name = head.strip()
    if name in COMMANDS:
        if not tail.strip():
            raise BordeauxError(f"player {name} needs its command: write {name}:COMMAND")
        return Spec(name, command=tail)
    if name in CATALOGUE:
        if colon and not tail:
            raise BordeauxError(f"player {quote(text)} has a colon and no option; leave the colon out")
        if (first := CATALOGUE[name].first) and tail and "=" not in tail.partition(",")[0]:
            tail = f"{first}={tail}"
        options = _options(name, tail, parameters(CATALOGUE[name].kind()), depth)
        if first and first not in options:
            raise BordeauxError(f"player {name} needs its {first}: write {name}:{first.upper()}")
        return Spec(name, options)
    if (match := _CLASS.match(text.strip())) is None:
        raise unknown(name)
    name, tail = match[0], text.strip()[match.end() :]
    if tail and (not tail.startswith(":") or not tail[1:].strip()):
        raise BordeauxError(f"player {quote(text)}: after {name} come a colon and options, or nothing")
    return Spec(name, _options(name, tail[1:], None, depth), foreign=True)


def unknown(name: str) -> BordeauxError:
    """The error for the name of no player."""
    if name.endswith(".py"):
        return BordeauxError(f"say which class of {name} is to play: {name}:CLASS")
    known = [*CATALOGUE, GUEST]
    shapes = [f"{known}:COMMAND" if known in COMMANDS else known for known in known]
    hint = nearest(name, known) or f"; players: {', '.join(shapes)}, or a class: FILE.py:CLASS"
    return BordeauxError(f"no player {quote(name)}{hint}")


def parse_list(text: str) -> list[str]:
    """The specs in a list separated by commas, as texts; ``dumbbot*4`` means four of them. A comma between
    options belongs to its spec. So does a comma in a command line, unless the name of a player or a class
    like ``mine.py:Bot`` follows. Raises BordeauxError for an empty entry of the list."""
    specs: list[str] = []
    for piece in text.split(","):
        head = re.split(r"[:*]", piece.strip(), maxsplit=1)[0]
        begins = head in CATALOGUE or head == GUEST or _CLASS.match(piece.strip())
        if specs and not begins and ":" in specs[-1] and (_is_command(specs[-1]) or "=" in head):
            specs[-1] += f",{piece}"
        else:
            specs.append(piece.strip())
    players: list[str] = []
    for spec in specs:
        match = None if _is_command(spec) else _TIMES.fullmatch(spec)
        players += [match[1].strip()] * int(match[2]) if match else [spec]
    if not all(players) or not players:
        raise BordeauxError(f"{quote(text)} has an empty place where a player should be")
    return players


def _is_command(spec: str) -> bool:
    name, colon, _ = spec.partition(":")
    return bool(colon) and name.strip() in COMMANDS


def _options(name: str, text: str, known: Mapping[str, Any] | None, depth: int) -> dict[str, object]:
    """The options in ``option=value,option=value``, with their types; texts if those are not known."""
    options: dict[str, object] = {}
    for part in text.split(",") if text else ():
        option, sign, value = (piece.strip() for piece in part.partition("="))
        if known is not None:
            _check_option(name, option, known)
        if not sign:
            raise BordeauxError(f"option {option} of player {name} needs a value: write {option}=VALUE")
        if option in options:
            raise BordeauxError(f"option {option} of player {name} is given twice; leave one out")
        options[option] = value if known is None else _convert(name, option, value, known[option], depth)
    return options


def typed(spec: Spec, kind: Any) -> dict[str, object]:
    """The options of a foreign spec with the types of its class, which is loaded by now. Raises
    BordeauxError for unknown options and invalid values."""
    known = parameters(kind)
    for option in spec.options:
        _check_option(spec.name, option, known)
    return {
        option: _convert(spec.name, option, str(value), known[option], 0)
        for option, value in spec.options.items()
    }


def _check_option(name: str, option: str, known: Mapping[str, Any]) -> None:
    if option not in known:
        hint = nearest(option, known) or (f"; options: {', '.join(known)}" if known else "; it has none")
        raise BordeauxError(f"player {name} has no option {quote(option)}{hint}")


@functools.lru_cache(maxsize=64)
def parameters(kind: Any) -> Mapping[str, Any]:
    """The parameters of a player's class except its seat, with their types: as annotated, else those of their
    defaults."""
    types = typing.get_type_hints(kind.__init__)
    _, *parameters = inspect.signature(kind).parameters.values() or [None]
    by_name = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    annotations = {
        parameter.name: types.get(parameter.name, _type_of(parameter.default))
        for parameter in parameters
        if parameter is not None and parameter.kind in by_name
    }
    if hasattr(kind, "settings"):
        # The settings of the search are options as well.
        annotations |= kind.settings
    return annotations


def _type_of(default: object) -> type:
    """The type of an option from its default value."""
    return type(default) if type(default) in (bool, int, float) else str


_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def _convert(name: str, option: str, text: str, annotation: Any, depth: int) -> object:
    """The value of a text with the annotated type; ``none`` is None if that is allowed."""
    what = f"option {option} of player {name}"
    kinds = get_args(annotation) if get_origin(annotation) in (UnionType, typing.Union) else (annotation,)
    if NoneType in kinds and text.casefold() == "none":
        return None
    kind = next(kind for kind in kinds if kind is not NoneType)
    if kind is Spec:
        return parse(text, depth + 1)
    if get_origin(kind) is Literal:
        choices = get_args(kind)
        if text not in choices:
            raise BordeauxError(f"{what} must be one of {', '.join(choices)}, not {quote(text)}")
        return text
    if kind is bool:
        if text.casefold() not in _BOOLEANS:
            raise BordeauxError(f"{what} must be yes or no, not {quote(text)}")
        return _BOOLEANS[text.casefold()]
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            wanted = "a whole number" if kind is int else "a number"
            raise BordeauxError(f"{what} must be {wanted}, not {quote(text)}") from None
    return text
