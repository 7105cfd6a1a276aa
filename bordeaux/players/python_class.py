"""Python classes as players: ``mine.py:Bot`` names one in a file, ``a.module:Bot`` one in a module.

Naming such a player runs its file. Modules are found as in Python, and in the current folder; a file may
import modules beside it.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.players.base import Seat

#: Directories without players of others: Bordeaux itself, and Python's import code.
_NOT_THEIRS = (Path(__file__).parents[1], Path(importlib.__file__).parent)


def may_be(name: str) -> bool:
    """Whether a class of this name may exist: always if it has a file, or a dot in its module; a single word
    must be a module that can be found."""
    place = name.partition(":")[0]
    if "." in place or place in sys.modules:
        return True
    _look_in(str(Path.cwd()))
    return importlib.util.find_spec(place) is not None


def class_of(name: str) -> Any:
    """The class that ``FILE.py:CLASS`` or ``MODULE:CLASS`` names, for `seated`. Raises BordeauxError, with
    the file and the line, if it does not exist, cannot be loaded, or has no `orders`."""
    place, _, word = name.rpartition(":")
    with told(name):
        module = _from_file(place) if place.endswith(".py") else _from_module(place)
        kind = getattr(module, word, None)
    if kind is None:
        classes = [name for name in vars(module) if isinstance(vars(module)[name], type)]
        raise BordeauxError(f"{place} has no class {quote(word)}{nearest(word, classes)}")
    if not isinstance(kind, type) or not callable(getattr(kind, "orders", None)):
        raise BordeauxError(
            f"{name} is no player: give it a method orders(self, position, limit) (docs/python.md)"
        )
    return kind


def seated(kind: Any, seat: Seat, options: Mapping[str, object]) -> Any:
    """A player of a class; `seat`, `observe` and `close` are added if they are missing."""
    player = kind() if kind.__init__ is object.__init__ else kind(seat, **options)
    for name, value in (("seat", seat), ("observe", lambda turn: None), ("close", lambda: None)):
        if not hasattr(player, name):
            object.__setattr__(player, name, value)
    return player


@contextlib.contextmanager
def told(name: str) -> Iterator[None]:
    """Raise BordeauxError in place of any exception from a class's code, in one line: the error and its
    place. Its output goes to standard error, as standard output belongs to the command."""
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except BordeauxError:
        raise
    except (Exception, SystemExit) as error:
        raise BordeauxError(f"{name}: {in_words(error)}") from error


def in_words(error: BaseException) -> str:
    """An exception in one line, with the last place outside Bordeaux in its traceback."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SyntaxError):
        # It has the place in its text.
        return text
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_file() and not any(path.is_relative_to(folder) for folder in _NOT_THEIRS):
            return f"{text} ({path}, line {frame.lineno})"
    return text


def _from_file(path: str) -> ModuleType:
    """The module of a file, loaded once for each process."""
    place = Path(os.path.realpath(Path(path).expanduser()))
    if not place.is_file():
        raise BordeauxError(f"there is no file {path}; give the path of your player's file")
    name = f"bordeaux_player_{blake2b(str(place).encode(), digest_size=8).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    _look_in(str(place.parent))
    file_spec = importlib.util.spec_from_file_location(name, place)
    assert file_spec is not None and file_spec.loader is not None
    module = importlib.util.module_from_spec(file_spec)
    # Data classes and pickles look their module up there.
    sys.modules[name] = module
    try:
        file_spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _from_module(name: str) -> ModuleType:
    """A module by its name."""
    _look_in(str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise BordeauxError(
                f"no module {quote(name)} here or among what is installed; name it as import does, or give a"
                " file ending in .py"
            ) from None
        raise


def _look_in(folder: str) -> None:
    """Add a folder at the end of Python's module path, so that it hides no other module."""
    if folder not in sys.path:
        sys.path.append(folder)
