"""The recommended line of an answer: the best one, or one drawn as in a game."""

from __future__ import annotations

from bordeaux.engine import Engine, Found, Line
from bordeaux.openings.guide import sound

__all__ = ["advised"]


def advised(engine: Engine, found: Found) -> Found:
    """An answer with its best line first and as its orders. For a search that is the line with the most
    points; for a book it is the one with the largest weight among those that lose nothing at once. Equal
    lines keep their order."""
    if not found.orders or not found.lines:
        return found
    ranked = sorted(found.lines, key=lambda line: -(line.probability if found.book else line.value))
    sound_lines = (line for line in ranked if not found.book or _holds(engine, found, line))
    first = next(sound_lines, found.lines[0])
    lines = (first, *(line for line in ranked if line is not first))
    return found._replace(orders=first.orders, value=first.value, lines=lines)


def _holds(engine: Engine, found: Found, line: Line) -> bool:
    """Whether a line of the book loses nothing at once; the engine's own draw has been checked."""
    position = found.position
    if line.orders == found.orders or position is None:
        return True
    return sound(position, found.power, line.orders, engine.glanced(position))
