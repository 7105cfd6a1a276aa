"""What the rules of the server want done: they act on nothing themselves, they return these."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

__all__ = ["Close", "Effect", "Save", "Send"]


class Send(NamedTuple):
    """Send a message, a value of `bordeaux.daide.language`, to a client."""

    client: int
    message: Any


class Close(NamedTuple):
    """Close the connection of a client, after what has been sent to it so far; `reason` is one
    sentence for the log. The game has forgotten the client already."""

    client: int
    reason: str


class Save(NamedTuple):
    """Write the saved game, ready for JSON, to wherever games are kept."""

    game: dict[str, Any]


Effect: TypeAlias = Send | Close | Save
