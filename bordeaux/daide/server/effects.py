"""The effects that the rules of the server return; the rules themselves have no side effects."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

__all__ = ["Close", "Effect", "Note", "Replace", "Save", "Send"]


class Send(NamedTuple):
    """Send a message, a value of `bordeaux.daide.language`, to a client; `after` so many seconds, in which
    its messages are not read."""

    client: int
    message: Any
    after: float = 0.0


class Close(NamedTuple):
    """Close the connection of a client, after earlier messages to it; `reason` is one sentence for the log.
    The game has forgotten the client already."""

    client: int
    reason: str


class Save(NamedTuple):
    """Save the game, ready for JSON."""

    game: dict[str, Any]


class Note(NamedTuple):
    """Report something to the operator of the server, in one sentence."""

    text: str


class Replace(NamedTuple):
    """Seat one of our players for a power, by token, whose client is silent. It takes the power over with
    `Game.spare_passcode`."""

    power: str


Effect: TypeAlias = Send | Close | Save | Note | Replace
