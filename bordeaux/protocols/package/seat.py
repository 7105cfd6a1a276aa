"""The seat to play: the server, the account, the game and the power."""

from __future__ import annotations

import re
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError, quote

__all__ = ["PORT", "AccountSeat", "place_of"]

#: The port of the package's servers.
PORT = 8432
_ADDRESS = re.compile(r"(?:(wss?|https?)://)?(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+)(?::(\d{1,5}))?/?")


class AccountSeat(NamedTuple):
    """A power of a game on a server, and the account that plays it; the server creates unknown accounts.
    `game_password` is that of the game, if it has one. With `secure` the connection is encrypted."""

    host: str
    port: int
    game: str
    power: str
    name: str
    password: str
    game_password: str | None = None
    secure: bool = False

    @property
    def address(self) -> str:
        """``HOST:PORT``, for error messages."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def place_of(text: str) -> tuple[str, int, bool]:
    """Host, port, and whether the connection is encrypted, of ``HOST``, ``HOST:PORT``, ``ws://HOST:PORT`` or
    ``wss://HOST:PORT``. Raises BordeauxError."""
    match = _ADDRESS.fullmatch(text.strip())
    port = int(match[3] or PORT) if match else 0
    if match is None or not 0 < port < 65536:
        raise BordeauxError(
            f"{quote(text)} is no address of a server; write HOST:PORT like 127.0.0.1:{PORT}, or wss://HOST"
        )
    return match[2].strip("[]"), port, match[1] in ("wss", "https")
