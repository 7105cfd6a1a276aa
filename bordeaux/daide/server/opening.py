"""The game that a server runs: the one in its file, or a new one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.settings import GameSettings
from bordeaux.formats.source import documents, first_line, open_source

__all__ = ["opened"]

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
            document = next(documents(handle, first_line(handle)), None)
        return ServerGame.resume(document, board, **given)  # type: ignore[arg-type]
    except BordeauxError as error:
        raise BordeauxError(f"--save {path}: {error}") from None


def _allowed(letter: str) -> bool:
    """Whether DAIDE allows a letter in the name of a saved game."""
    return letter.isascii() and (letter.isalnum() or letter == "_")
