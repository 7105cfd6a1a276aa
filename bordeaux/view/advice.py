"""The line of an answer to recommend: the best one, or one drawn as the engine draws."""

from __future__ import annotations

from bordeaux.engine import Engine, Found, Line
from bordeaux.openings.guide import sound

__all__ = ["advised"]


def advised(engine: Engine, found: Found) -> Found:
    """An answer with its best line first and as its orders. Of a search that is the line of the most points;
    of a book it is the one that weighs most of those that lose nothing at once. Lines of equal worth stay in
    the order of the answer."""
    if not found.orders or not found.lines:
        return found
    ranked = sorted(found.lines, key=lambda line: -(line.probability if found.book else line.value))
    sound_lines = (line for line in ranked if not found.book or _holds(engine, found, line))
    first = next(sound_lines, found.lines[0])
    lines = (first, *(line for line in ranked if line is not first))
    return found._replace(orders=first.orders, value=first.value, lines=lines)


def _holds(engine: Engine, found: Found, line: Line) -> bool:
    """Whether a line of the book loses nothing at once; what the engine drew has been looked at."""
    position = found.position
    if line.orders == found.orders or position is None:
        return True
    return sound(position, found.power, line.orders, engine.glanced(position))
