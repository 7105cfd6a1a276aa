"""Files that commands write besides standard output."""

from __future__ import annotations

import os
from pathlib import Path

from bordeaux.board.errors import BordeauxError

__all__ = ["check_place", "write_whole"]


def check_place(path: str | None, option: str) -> None:
    """Raise BordeauxError where a file of this name could not be written once the work is done."""
    if path is None:
        return
    if "\0" in path or not path:
        raise BordeauxError(f"{option}: {path!r} is not a file name")
    target = Path(path)
    if target.is_dir():
        raise BordeauxError(f"{option}: {path} is a folder; name a file")
    if not target.parent.is_dir():
        raise BordeauxError(f"{option}: there is no folder {target.parent}; make it first")
    if not os.access(target.parent, os.W_OK):
        raise BordeauxError(f"{option}: the folder {target.parent} cannot be written to")


def write_whole(path: str, text: str) -> None:
    """Write a text file beside its place and move it there, so that nobody reads half of it."""
    target = Path(path)
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
