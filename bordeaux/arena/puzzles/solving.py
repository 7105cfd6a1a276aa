"""Puzzles for any player: tests whether its orders are proved to force the goal."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.arena.puzzles.puzzle import Puzzle, solves
from bordeaux.players import registry
from bordeaux.players.protocol import Limit, Seat

__all__ = ["attempt_as"]


def attempt_as(puzzle: Puzzle, spec: str, limits: Sequence[Limit], seed: int = 0) -> frozenset[int]:
    """The indices of the limits at which a player solves a puzzle.

    The player is made anew for each limit, without the history of the position. An exception counts as not
    solved; if the player cannot be made, that exception is raised.
    """
    solved = set()
    for place, limit in enumerate(limits):
        player = registry.create(spec, Seat(puzzle.power, puzzle.position.map, seed))
        try:
            orders = [str(order) for order in player.orders(puzzle.position, limit)]
            if solves(puzzle, orders):
                solved.add(place)
        except Exception:
            continue
        finally:
            player.close()
    return frozenset(solved)
