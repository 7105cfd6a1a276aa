"""The recommended line of an answer: the best one, or one drawn as in a game."""

from __future__ import annotations

from bordeaux.engine import Engine, Found, Line
from bordeaux.openings.guide import sound

__all__ = ["advised"]


def advised(engine: Engine, answer: Found) -> Found:
    """An answer with its best line first and as its orders. For a search that is the line with the most
    points; for a book it is the one with the largest weight among those that lose nothing at once. Equal
    lines keep their order."""
    if not answer.orders or not answer.lines:
        return answer
    ranked = sorted(answer.lines, key=lambda line: -(line.probability if answer.book else line.value))
    sound_lines = (line for line in ranked if not answer.book or _holds(engine, answer, line))
    first = next(sound_lines, answer.lines[0])
    lines = (first, *(line for line in ranked if line is not first))
    return answer._replace(orders=first.orders, value=first.value, lines=lines)


def _holds(engine: Engine, answer: Found, line: Line) -> bool:
    """Whether a line of the book loses nothing at once; the engine's own draw has been checked."""
    position = answer.position
    if line.orders == answer.orders or position is None:
        return True
    return sound(position, answer.power, line.orders, engine.glanced(position))
