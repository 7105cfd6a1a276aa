"""The engine behind a line protocol on standard input and output, and other engines held by it.

The protocol is DUI, version 1, with commands of our own; ``docs/protocol.md`` is its text. `open` starts any
engine that speaks it.
"""

from bordeaux.protocol.client import Analysis, HeldEngine, Info, Late, Result, open

__all__ = ["Analysis", "HeldEngine", "Info", "Late", "Result", "open"]
