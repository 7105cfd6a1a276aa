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
        # Every part of an archive has a checksum, and all of it is read before any is written.
        archive = zipfile.ZipFile(io.BytesIO(content))
        if archive.testzip() is not None:
            raise zipfile.BadZipFile
    except zipfile.BadZipFile:
        raise BordeauxError("python/later.zip is damaged; load the page again") from None
    except Exception as error:
        raise BordeauxError(str(error).removeprefix("Error: ")) from None
    archive.extractall("/")
    sys.meta_path.remove(finder)
    importlib.invalidate_caches()


def stand_in(name: str) -> Callable[[str], Any]:
    """`__getattr__` of a module that only stands in for a compiled one, until that is used."""

    @functools.cache
    def compiled() -> ModuleType:
        # Once: who imported this module keeps it, and a compiled one cannot be loaded twice.
        load()
        sys.modules.pop(name, None)
        return importlib.import_module(name)

    def attribute(key: str) -> Any:
        if key.startswith("__"):
            raise AttributeError(key)
        return getattr(compiled(), key)

    return attribute


finder = Later()
sys.meta_path.append(finder)
