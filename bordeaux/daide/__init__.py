"""DAIDE: the language and the protocol of the Diplomacy AI Development Environment.

`language` has the messages as values. `translate` converts between them and Bordeaux's own values. `client`
and `server` are the two ends of a connection. To write a bot, use `Bot`, which plays with Bordeaux's search
unless its methods are overridden. Its ``run`` returns an `Ending`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bordeaux.daide.client.bot import Bot, PlayerBot
    from bordeaux.daide.client.table import Ending, Table
    from bordeaux.daide.client.thinking import stopped
    from bordeaux.players.base import Limit, Turn

__all__ = ["Bot", "Ending", "Limit", "PlayerBot", "Table", "Turn", "stopped"]

_WHERE = {
    "Bot": "bordeaux.daide.client.bot",
    "PlayerBot": "bordeaux.daide.client.bot",
    "Ending": "bordeaux.daide.client.table",
    "Table": "bordeaux.daide.client.table",
    "stopped": "bordeaux.daide.client.thinking",
    "Limit": "bordeaux.players.base",
    "Turn": "bordeaux.players.base",
}


def __getattr__(name: str) -> Any:
    """The parts for a bot are imported on first use, so that the language alone loads quickly."""
    if name in _WHERE:
        return getattr(importlib.import_module(_WHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
