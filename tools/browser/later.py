"""Modules that the first answer does not need come in an archive, when one of them is imported."""

import functools
import importlib
import io
import sys
import zipfile
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

NAMES = frozenset(Path(__file__).with_name("later.txt").read_text(encoding="utf-8").split())


class Later:
    """Finds a module that is not there yet."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module in the archive, if it has one of that name."""
        if name not in NAMES:
            return None
        load()
        return PathFinder.find_spec(name, path, target)


@functools.cache
def load() -> None:
    """Load the archive, once. Raises BordeauxError if it cannot be had now."""
    import js  # type: ignore[import-not-found]

    from bordeaux.board.errors import BordeauxError

    try:
        content = js.readLater().to_bytes()
    except Exception as error:
        raise BordeauxError(str(error).removeprefix("Error: ")) from None
    sys.meta_path.remove(finder)
    zipfile.ZipFile(io.BytesIO(content)).extractall("/")
    importlib.invalidate_caches()


def stand_in(name: str) -> Callable[[str], Any]:
    """`__getattr__` of a module that only stands in for a compiled one, until that is used."""

    def attribute(key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        load()
        sys.modules.pop(name, None)
        return getattr(importlib.import_module(name), key)

    return attribute


finder = Later()
sys.meta_path.append(finder)
