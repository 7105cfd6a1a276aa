"""A puzzle, its one line in a file, and whether an answer solves it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from bordeaux.arena.puzzles.winters import sure_after_winter
from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.position import Position
from bordeaux.search.proof import Goal, Prover, TooMany, sure_after_retreats

__all__ = ["KINDS", "Puzzle", "read_puzzles", "shipped", "solves"]

KINDS = ("capture", "keep", "retake", "cut", "convoy", "win", "stop", "retreat", "build")
"""The tasks, in the order of the tables; `docs/puzzles.md` explains each."""

DATA = "puzzles.jsonl"


class Puzzle(NamedTuple):
    """A position in which a power can force a goal.

    `game` and `phase` are its source, `solution` one set of orders that forces the goal, and `chance` the
    share of sets drawn from a simple policy that do, from 0 to 1.
    """

    id: str
    kind: str
    game: str
    power: str
    goal: Goal
    solution: tuple[str, ...]
    chance: float
    position: Position

    @property
    def phase(self) -> str:
        """The phase, as ``F1907M``."""
        return str(self.position.phase)

    def to_json(self) -> dict[str, Any]:
        """The puzzle in the form of a line of a file."""
        state = self.position.to_json()
        kept = {key: state[key] for key in ("name", "units", "centers", "retreats") if state.get(key)}
        for key in ("units", "centers"):
            kept[key] = {power: listed for power, listed in kept[key].items() if listed}
        return {
            "id": self.id,
            "kind": self.kind,
            "game": self.game,
            "phase": self.phase,
            "power": self.power,
            "goal": self.goal._asdict(),
            "solution": list(self.solution),
            "chance": round(self.chance, 3),
            "state": kept,
        }


def solves(puzzle: Puzzle, orders: Iterable[str]) -> bool:
    """Whether orders force the goal of a puzzle: proved against all replies of the others.

    Orders that force more are accepted. If there are too many replies for a proof, the answer is no.
    """
    given = list(orders)
    try:
        if puzzle.kind == "retreat":
            return sure_after_retreats(puzzle.position, puzzle.power, given) >= puzzle.goal.centres
        if puzzle.kind == "build":
            return sure_after_winter(puzzle.position, puzzle.power, given, puzzle.goal.centres)
    except TooMany:
        return False
    return Prover(puzzle.position, puzzle.power, puzzle.goal).prove(given).holds


def shipped() -> list[Puzzle]:
    """The bundled puzzles."""
    text = (resources.files("bordeaux.arena.puzzles") / DATA).read_text("utf-8")
    return list(_read(text.splitlines(), DATA))


def read_puzzles(path: str | Path) -> list[Puzzle]:
    """Puzzles from a file, one a line. Raises FormatError with file and line, and OSError."""
    try:
        lines = Path(path).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise FormatError(f"{path}: {reason}") from None
    puzzles = list(_read(lines, str(path)))
    if not puzzles:
        raise FormatError(f"{path}: there is no puzzle in it; tools/make_puzzles.py makes some")
    return puzzles


def _read(lines: Iterable[str], name: str) -> Iterator[Puzzle]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield _puzzle(json.loads(line))
            except BordeauxError as error:
                raise FormatError(f"{name}, line {number}: {error}") from None
            except (ValueError, RecursionError):
                raise FormatError(f"{name}, line {number}: this is not JSON") from None


def _puzzle(data: object) -> Puzzle:
    if not isinstance(data, dict):
        raise FormatError(f"a puzzle is a JSON object, not {quote(data)}")
    kind, goal = data.get("kind"), data.get("goal")
    if kind not in KINDS:
        raise FormatError(f"unknown kind of puzzle {quote(kind)} (kinds: {', '.join(KINDS)})")
    if not isinstance(data.get("state"), dict) or not isinstance(goal, dict):
        raise FormatError("a puzzle has a state and a goal, which are objects")
    position = Position.from_json(data["state"])
    power = position.map.power(str(data.get("power")))
    centres, against = goal.get("centres"), goal.get("against", "")
    if not isinstance(centres, int) or not isinstance(goal.get("keeping"), bool):
        raise FormatError("a goal has a number of centres, and true or false for whether it is to keep them")
    solution = data.get("solution")
    if not isinstance(solution, list) or not all(isinstance(order, str) for order in solution):
        raise FormatError("a solution is a list of orders")
    wanted = {"retreat": ("F", "R"), "build": ("W", "A")}.get(kind, ("F", "M"))
    if (position.phase.season, position.phase.kind) != wanted:
        raise FormatError(f"a puzzle of kind {kind} cannot be in {position.phase}")
    chance = data.get("chance", 0.0)
    if not isinstance(chance, int | float):
        raise FormatError(f"a chance is a number, not {quote(chance)}")
    return Puzzle(
        str(data.get("id", "")),
        kind,
        str(data.get("game", "")),
        power,
        Goal(
            position.map.power(str(goal.get("whose"))),
            goal["keeping"],
            centres,
            position.map.power(str(against)) if against else "",
        ),
        tuple(solution),
        float(chance),
        position,
    )
