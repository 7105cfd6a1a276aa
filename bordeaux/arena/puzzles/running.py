"""The number of puzzles that a search solves, by kind, at several budgets."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from typing import Any

from bordeaux.arena.puzzles.puzzle import KINDS, Puzzle, solves
from bordeaux.board.errors import BordeauxError
from bordeaux.engine import Engine

__all__ = ["BUDGETS", "CONTRACT", "attempt", "report", "sample"]

BUDGETS = (5_000, 20_000, 100_000)
"""Nodes of the searches, unless others are asked for."""

CONTRACT = 20_000
"""The budget whose figures come first in a report, if it is among those run."""


def sample(puzzles: Sequence[Puzzle], count: int, seed: int = 0) -> list[Puzzle]:
    """A number of puzzles drawn with a seed, every kind with about its share; in the order of the file.

    Raises BordeauxError for fewer than one.
    """
    if count < 1:
        raise BordeauxError(f"a sample has at least one puzzle, not {count}")
    if count >= len(puzzles):
        return list(puzzles)
    chance = random.Random(seed)
    order = []
    for kind in KINDS:
        numbers = [i for i, puzzle in enumerate(puzzles) if puzzle.kind == kind]
        chance.shuffle(numbers)
        # Its place within the kind, as a share: the first few of all kinds come first.
        order += [((place + 0.5) / len(numbers), number) for place, number in enumerate(numbers)]
    order.sort()
    return [puzzles[number] for number in sorted(number for _, number in order[:count])]


def attempt(puzzle: Puzzle, budgets: Sequence[int] = BUDGETS, seed: int = 0) -> frozenset[int]:
    """The budgets, in nodes, with which a search solves a puzzle; the searches are independent."""
    solved = set()
    for nodes in budgets:
        with Engine(seed=seed) as engine:
            answer = engine.search(puzzle.position, puzzle.power, nodes=nodes)
        if solves(puzzle, answer.orders):
            solved.add(nodes)
    return frozenset(solved)


def report(
    puzzles: Sequence[Puzzle], solved: Sequence[Collection[int]], budgets: Sequence[int] = BUDGETS
) -> dict[str, Any]:
    """The figures, from the budgets that solved each puzzle, in the form of ``bordeaux bench --puzzles
    --json``.

    ``puzzles`` holds ``{kind: {"count", "solved"}}`` and ``nodes`` their budget: `CONTRACT` if it was run,
    else the first. ``budgets`` holds the same for all budgets, each with the identities of the unsolved
    puzzles as ``failed``.
    """
    rows = []
    for nodes in budgets:
        kinds: dict[str, dict[str, int]] = {}
        failed = []
        for puzzle, enough in zip(puzzles, solved, strict=True):
            row = kinds.setdefault(puzzle.kind, {"count": 0, "solved": 0})
            row["count"] += 1
            if nodes in enough:
                row["solved"] += 1
            else:
                failed.append(puzzle.id)
        ordered = {kind: kinds[kind] for kind in KINDS if kind in kinds}
        rows.append({"puzzles": ordered, "nodes": nodes, "failed": failed})
    top = next((row for row in rows if row["nodes"] == CONTRACT), rows[0])
    return {"puzzles": top["puzzles"], "nodes": top["nodes"], "budgets": rows}
