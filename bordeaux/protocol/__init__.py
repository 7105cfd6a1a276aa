"""The engine behind a line protocol on standard input and output, and a client for other engines.

The protocol is DUI, version 1, with commands of our own; ``docs/protocol.md`` specifies it. `open` starts
any engine that speaks it.
"""

from bordeaux.protocol.client import Analysis, HeldEngine, Info, Late, Result, open

__all__ = ["Analysis", "HeldEngine", "Info", "Late", "Result", "open"]
