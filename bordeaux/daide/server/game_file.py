"""The file of a server's game: claimed by one program, then opened, or begun anew."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.settings import GameSettings
from bordeaux.formats.source import open_source, parse_json, read_text

MOST_TRIES = 10
"""The number of attempts if a lock disappears while it is taken, because its owner ends."""
LONGEST_OWNER = 20


@contextlib.contextmanager
def claimed(path: str | None, option: str) -> Iterator[None]:
    """Lock a file, which need not exist, for the block. Raises BordeauxError if another process holds it.

    The file itself is replaced whenever it is written, so the lock is on another file beside it,
    ``.NAME.lock``, which is removed at the end. It is the system's lock: it ends with our process in any
    case. On file systems without locks, there is none.
    """
    if path is None:
        yield
        return
    target = Path(os.path.realpath(path))
    place = target.with_name(f".{target.name}.lock")
    handle = _take(place, f"{option}: {path}")
    try:
        yield
    finally:
        if handle is not None:
            # While it is still locked, so that nobody takes it between.
            with contextlib.suppress(OSError):
                place.unlink()
            os.close(handle)


def _take(place: Path, what: str) -> int | None:
    """The locked file; None on file systems without locks."""
    for _ in range(MOST_TRIES):
        try:
            handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise BordeauxError(f"{what} cannot be locked: {error.strerror or error}") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(handle, LONGEST_OWNER).decode("ascii", "replace").strip()
            os.close(handle)
            who = f"process {owner}" if owner.isdigit() else "another process"
            raise BordeauxError(f"{what} is in use by {who}; name another file, or end that one") from None
        except OSError:
            os.close(handle)
            return None
        if _is_still(handle, place):
            try:
                os.truncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
            except OSError as error:
                place.unlink(missing_ok=True)
                os.close(handle)
                raise BordeauxError(f"{what} cannot be written: {error.strerror or error}") from None
            return handle
        os.close(handle)
    raise BordeauxError(f"{what} is in use by others; name another file")


def _is_still(handle: int, place: Path) -> bool:
    """Whether the locked file is still the one in the folder: its last owner may have removed it."""
    try:
        return os.path.samestat(os.fstat(handle), place.stat())
    except OSError:
        return False


SAVED_NAME = 8
"""Letters that DAIDE allows in the name of a saved game."""


def opened(path: str | None, board: Map | None, seed: int, **given: Any) -> ServerGame:
    """The game in a file, if there is one, or a new one, with the settings that are `given`.

    `board` is needed if the map is not a bundled one. Raises BordeauxError for a file without a game that can
    be continued, and for invalid settings.
    """
    if path is None or not Path(path).exists():
        name = "" if path is None else "".join(filter(_allowed, Path(path).name.partition(".")[0]))
        return ServerGame(GameSettings(**given, save=name[:SAVED_NAME]), board, seed)
    try:
        with open_source(path) as handle:
            document = parse_json(read_text(handle))
        return ServerGame.resume(document, board, **given)
    except BordeauxError as error:
        raise BordeauxError(f"--save {path}: {error}") from None


def _allowed(letter: str) -> bool:
    """Whether DAIDE allows a letter in the name of a saved game."""
    return letter.isascii() and (letter.isalnum() or letter == "_")
