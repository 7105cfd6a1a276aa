"""Players by name: `create` makes the player of a text such as ``dumbbot:neutral_value=0``.

``mine.py:Bot`` and ``package.module:Bot`` name Python classes (`bordeaux.players.python_class`).
"""

from __future__ import annotations

import importlib
import inspect
import re
import typing
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.players import python_class
from bordeaux.players.child import read_command
from bordeaux.players.levels import numbered
from bordeaux.players.protocol import Player, Seat

__all__ = ["check", "create", "describe", "names", "runs_what", "short_name"]


class PlayerEntry(NamedTuple):
    """A named player: the place of its class, and a description of one line. `rest` names the option that
    takes everything after the colon, if there is one."""

    target: str
    line: str
    rest: str = ""


_PLAYERS = "bordeaux.players"
_TABLE = {
    "hold": PlayerEntry(
        f"{_PLAYERS}.hold:Hold", "every unit holds; what is dislodged disbands; nothing is built"
    ),
    "random": PlayerEntry(f"{_PLAYERS}.randbot:RandBot", "RandBot: any legal orders, all equally likely"),
    "dumbbot": PlayerEntry(
        f"{_PLAYERS}.dumbbot:DumbBot", "DumbBot (Norman 2002): values by proximity, no search"
    ),
    "dumbbot-weak": PlayerEntry(
        f"{_PLAYERS}.dumbbot:WeakDumbBot",
        "DumbBot as a widely used Python port plays it: slow to expand",
    ),
    "haai-vanilla": PlayerEntry(
        f"{_PLAYERS}.haai:HaaiVanilla", "HaAI (Håård 2004), weights Vanilla: cautious"
    ),
    "haai-berserk": PlayerEntry(
        f"{_PLAYERS}.haai:HaaiBerserk", "HaAI (Håård 2004), weights Berserk: attacks"
    ),
    "diplominator": PlayerEntry(
        f"{_PLAYERS}.diplominator:Diplominator",
        "The Diplominator (Webb and others 2008): DumbBot's family, with an enemy factor, and peace to all",
    ),
    "blabbot": PlayerEntry(
        f"{_PLAYERS}.blabbot:BlabBot", "BlabBot (Newbury): DumbBot that offers peace; without press DumbBot"
    ),
    "liar": PlayerEntry(
        f"{_PLAYERS}.yes_sayers:Liar", "promises everything and keeps nothing; plays as DumbBot, or `player`"
    ),
    "parrot": PlayerEntry(
        f"{_PLAYERS}.yes_sayers:Parrot", "agrees to everything and keeps it; plays as DumbBot, or `player`"
    ),
    "diplobot": PlayerEntry(f"{_PLAYERS}.diplobot:DiploBot", "DiploBot 1.2, as it has been described"),
    "manchi-attack": PlayerEntry(f"{_PLAYERS}.manchi:ManchiAttack", "Man'chi 7, Attack: one enemy at a time"),
    "manchi-defence": PlayerEntry(
        f"{_PLAYERS}.manchi:ManchiDefence", "Man'chi 7, Defence: own centres first"
    ),
    "people": PlayerEntry(
        f"{_PLAYERS}.people:Person", "plays like people in recorded games: a learnt net's draws, no search"
    ),
    "policy": PlayerEntry(
        f"{_PLAYERS}.people:PolicyPlayer", "draws its orders from a learnt policy, `file`: no search"
    ),
    "sampler": PlayerEntry(
        f"{_PLAYERS}.sampler:Sampler", "draws 200 sets of orders a phase and plays the best"
    ),
    "iterated": PlayerEntry(
        f"{_PLAYERS}.iterated:Iterated",
        "every power's sets of orders improved in turn, after Albert (van Hal)",
    ),
    "bordeaux": PlayerEntry(
        f"{_PLAYERS}.bordeaux:Bordeaux", "this engine: learnt policies and values, and a search on them"
    ),
    "bordeaux-paper": PlayerEntry(
        f"{_PLAYERS}.bordeaux:BordeauxPaper", "this engine with the evaluation and maxims of the papers"
    ),
    "program": PlayerEntry(
        f"{_PLAYERS}.program:Program", "a program of yours, one line in and one line out", "command"
    ),
    "dui": PlayerEntry(
        f"{_PLAYERS}.dui:DuiPlayer", "an engine that speaks DUI, such as `bordeaux engine`", "command"
    ),
}


def names() -> tuple[str, ...]:
    """The names of all players that `create` knows."""
    return tuple(_TABLE)


def describe(name: str) -> str:
    """The description of a player in one line. Raises BordeauxError for an unknown name."""
    return _entry(name).line


def check(spec: str) -> None:
    """Raise BordeauxError unless `spec` names a player with valid options. The program of a command line is
    looked up, not started; a class is loaded and instantiated."""
    kind, options = _read(spec)
    if not _is_class(spec) and _entry(spec.partition(":")[0]).rest:
        read_command(spec.partition(":")[2])
        return
    map = Map.standard()
    seat = Seat(map.powers[0], map)
    if not _is_class(spec):
        kind(seat, **options).close()
        return
    with python_class.told(spec):
        kind(seat, **options).close()


def short_name(spec: str) -> str:
    """A short name for a player: its name without options, or that of its class."""
    name, _, word = (python_class.use(spec)[0] if _is_class(spec) else spec).partition(":")
    return word if _is_class(spec) else name


def runs_what(spec: str) -> str:
    """The kind of foreign code that a player of this spec runs: ``"program"``, ``"class"``, or "". Players in
    options count. Nothing is loaded."""
    if _is_class(spec):
        return "class"
    name, _, tail = spec.partition(":")
    entry = _TABLE.get(name.strip())
    if entry is None or entry.rest:
        return "" if entry is None else "program"
    values = (part.partition("=")[2].strip() for part in re.split("[,;]", tail))
    named = (value for value in values if ":" in value or value.partition(":")[0] in _TABLE)
    return next((reason for reason in map(runs_what, named) if reason), "")


def create(spec: str, seat: Seat) -> Player:
    """The player of `spec`, in `seat`.

    A spec is a name, or a name, a colon and options: ``dumbbot:neutral_value=0``. The options are the keyword
    parameters of the player's class. Everything after ``program:`` is a command line. For a class the name is
    ``FILE.py:CLASS`` or ``MODULE:CLASS``. Raises BordeauxError for an unknown name or option, an invalid
    value, or a class that cannot be loaded.
    """
    kind, options = _read(spec)
    player: Player
    if not _is_class(spec):
        player = kind(seat, **options)
        return player
    with python_class.told(spec):
        player = kind(seat, **options)
    return player


def _entry(name: str) -> PlayerEntry:
    entry = _TABLE.get(name)
    if entry is None:
        if name.endswith(".py"):
            raise BordeauxError(f"say which class of {name} is to play: {name}:CLASS")
        if (number := numbered(name)) is not None:
            raise BordeauxError(f"no player {quote(name)}; a level is an option: bordeaux:level={number}")
        hint = nearest(name, _TABLE) or f"; players: {', '.join(_TABLE)}, or a class: FILE.py:CLASS"
        raise BordeauxError(f"no player {quote(name)}{hint}")
    return entry


def _is_class(spec: str) -> bool:
    """Whether a spec has the form of a Python class: a name of the table has precedence."""
    return spec.partition(":")[0].strip() not in _TABLE and python_class.is_class(spec)


def _read(spec: str) -> tuple[Any, dict[str, object]]:
    """The class and the options of a spec."""
    if _is_class(spec):
        name, tail = python_class.use(spec)
        if not python_class.may_be(name):
            # A word that is no module is more likely a name with a slip in it.
            _entry(name.partition(":")[0])
        if tail and (not tail.startswith(":") or not tail[1:].strip()):
            raise BordeauxError(f"player {quote(spec)}: after {name} come a colon and options, or nothing")
        kind = python_class.class_of(name)
        with python_class.told(name):
            return kind, _options(name, kind, tail[1:])
    name, colon, tail = spec.partition(":")
    entry = _entry(name)
    module, _, attribute = entry.target.partition(":")
    kind = getattr(importlib.import_module(module), attribute)
    if entry.rest:
        if not tail.strip():
            raise BordeauxError(f"player {name} needs its {entry.rest}: write {name}:{entry.rest.upper()}")
        return kind, {entry.rest: tail}
    if colon and not tail:
        raise BordeauxError(f"player {quote(spec)} has a colon and no option; leave the colon out")
    return kind, _options(name, kind, tail)


def _options(name: str, kind: Any, text: str) -> dict[str, object]:
    """Options with the types of the class, from ``option=value,option=value``."""
    known = _parameters(kind)
    options: dict[str, object] = {}
    for part in text.split(",") if text else ():
        option, sign, value = (piece.strip() for piece in part.partition("="))
        if option not in known:
            hint = nearest(option, known) or (f"; options: {', '.join(known)}" if known else "; it has none")
            raise BordeauxError(f"player {name} has no option {quote(option)}{hint}")
        if not sign:
            raise BordeauxError(f"option {option} of player {name} needs a value: write {option}=VALUE")
        if option in options:
            raise BordeauxError(f"option {option} of player {name} is given twice; leave one out")
        options[option] = _convert(f"option {option} of player {name}", value, known[option])
    return options


def _parameters(kind: Any) -> dict[str, Any]:
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
        # The fields of a class of settings are options as well.
        annotations |= {
            name: annotation
            for name, annotation in typing.get_type_hints(kind.settings).items()
            if name not in annotations
        }
    return annotations


def _type_of(default: object) -> type:
    """The type of an option from its default value."""
    return type(default) if type(default) in (bool, int, float) else str


_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def _convert(what: str, text: str, annotation: Any) -> object:
    """The value of a text with the annotated type; ``none`` is None if that is allowed."""
    kinds = get_args(annotation) if get_origin(annotation) in (UnionType, typing.Union) else (annotation,)
    if NoneType in kinds and text.casefold() == "none":
        return None
    kind = next(kind for kind in kinds if kind is not NoneType)
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
