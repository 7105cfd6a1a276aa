"""Files that commands write in addition to standard output."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from pathlib import Path

from bordeaux.board.errors import BordeauxError
from bordeaux.formats.whole_files import beside, whole

LONGEST = 255
"""Bytes in the name of a file that systems take; that under which it is written first is longer."""


def check_place(path: str | None, option: str, *, fresh: bool = False) -> None:
    """Raise BordeauxError if a file of this name could not be written at the end, and with `fresh` if it
    exists already."""
    if path is None:
        return
    if "\0" in path or not path:
        raise BordeauxError(f"{option}: {path!r} is not a file name")
    target = Path(os.path.realpath(path))
    if target.name and len(os.fsencode(beside(target).name)) > LONGEST:
        raise BordeauxError(f"{option}: {path} cannot be written: its name is too long")
    if target.is_dir() or path.endswith(("/", os.sep)):
        raise BordeauxError(f"{option}: {path} is a folder; name a file")
    if target.exists() and not target.is_file():
        # A device or pipe would be lost, as files are written beside their place and moved there.
        raise BordeauxError(f"{option}: {path} is no ordinary file; name one")
    if fresh and target.exists():
        raise BordeauxError(f"{option}: {path} is there already; name another file, or add --force")
    if not target.parent.is_dir():
        raise BordeauxError(f"{option}: there is no folder {target.parent}; make it first")
    # Rights say too little, of read-only systems and to who may all: only trying tells.
    probe = beside(target)
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise BordeauxError(f"{option}: {path} cannot be written: {error.strerror}") from None


def check_places(
    places: Mapping[str, str | None],
    fresh: Collection[str] = (),
    read: Mapping[str, str | None] | None = None,
) -> None:
    """Check the file of every option, by its name, as `check_place` does, with `fresh` for the given options.
    Also raises BordeauxError if two options name one file. `read` are options whose files are only read."""
    taken = {os.path.realpath(path): option for option, path in (read or {}).items() if path}
    for option, path in places.items():
        check_place(path, option, fresh=option in fresh)
        if path is not None and (first := taken.setdefault(os.path.realpath(path), option)) != option:
            raise BordeauxError(f"{option}: {path} is the file of {first} already; name another")


def write_whole(path: str, content: str | bytes) -> None:
    """Write a file atomically; a link is kept, and its target written."""
    with whole(path) as part:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
