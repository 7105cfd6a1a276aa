"""The engine behind a line protocol on standard input and output, and a client for other engines.

The protocol is DUI, version 1, with commands of our own; ``docs/protocol.md`` specifies it. `open` starts
any engine that speaks it.
"""

from bordeaux.players.child import Late
from bordeaux.protocols.dui.client import EngineAnswer, EngineSearch, HeldEngine, Info, open

__all__ = ["EngineAnswer", "EngineSearch", "HeldEngine", "Info", "Late", "open"]
