"""The engine behind a line protocol on standard input and output, and other engines held by it.

The protocol is DUI, version 1, with commands of our own; ``docs/protocol.md`` is its text.
"""
