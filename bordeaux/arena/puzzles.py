"""Puzzles: positions in which something can be forced, the proofs, and the share that a search or a player
solves."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.engine import Engine
from bordeaux.formats.source import open_source, read_text
from bordeaux.players import registry
from bordeaux.players.base import Limit, Seat
from bordeaux.search.proof import Goal, Prover, TooMany, parts, sure_after_retreats

# After the adjustments a power *stands*: every unit holds, or supports another that does. The value of the
# adjustments is the number of centres that it would own at the end of the Spring.

MOST_BUILDS = 200
MOST_STANDS = 100
LIMIT = 20_000
"""Replies that are adjudicated at most for one centre or group of a stand."""


def sure_after_winter(position: Position, power: str, orders: Iterable[str], count: int) -> bool:
    """Whether, after these adjustments, a power can stand so that it certainly has `count` centres.

    That is against all builds of the others in this Winter, and all their orders after it. They remove
    nothing, which only makes them stronger. The orders to stand may depend on the builds. Raises ValueError
    for another phase.
    """
    if position.phase.kind != "A":
        raise ValueError(f"expected adjustments, not {position.phase}")
    given = list(orders)
    return all(
        stand(adjusted(position, power, given, built), power, count) is not None
        for built in others_builds(position, power)
    )


def adjusted(position: Position, power: str, orders: Iterable[str], built: Iterable[Unit]) -> Position:
    """The board after a power's adjustments and others' builds, as a Fall movement, so that the ownership at
    its end can be proved."""
    alone = position.next({power: list(orders)})
    own = [unit for unit in alone.units if unit.power == power]
    others = [unit for unit in position.units if unit.power != power]
    return Position(
        position.map,
        position.phase._replace(season="F", kind="M"),
        [*own, *others, *built],
        position.centres,
    )


def others_builds(position: Position, power: str) -> Iterator[tuple[Unit, ...]]:
    """All maximal combinations of relevant builds that the others can make together.

    A unit is relevant if it can move, or be convoyed, to a province with a unit or a centre of the power: the
    power stands, so nothing else affects it. Raises TooMany if there are more than `MOST_BUILDS`.
    """
    map = position.map
    mine = {*position.centres.get(power, ())} | {unit.province for unit in position.units_of(power)}
    if position.adjustments(power) > 0:
        mine |= set(map.homes[power])
    by_power = []
    total = 1
    for other in map.powers:
        due = position.adjustments(other)
        if other == power or due <= 0:
            continue
        places = {home: _mattering(position, other, home, mine) for home in position.orderable()[other]}
        homes = [home for home, units in places.items() if units]
        ways = [
            combination
            for chosen in itertools.combinations(homes, min(due, len(homes)))
            for combination in itertools.product(*(places[home] for home in chosen))
        ]
        by_power.append(ways)
        total *= len(ways)
        if total > MOST_BUILDS:
            raise TooMany(f"{total} ways to build are too many")
    for chosen in itertools.product(*by_power):
        yield tuple(itertools.chain.from_iterable(chosen))


def _mattering(position: Position, power: str, home: str, mine: set[str]) -> list[Unit]:
    """The units that could be built in a home and reach one of some provinces in Spring."""
    map = position.map
    units = []
    for kind in "AF":
        for location in map.locations_in(kind, home):
            goals = {goal.partition("/")[0] for goal in map.adjacent(kind, location.name)}
            by_sea = kind == "A" and any(
                unit.kind == "F" and map.province(unit.province).kind == "sea" and home in _shores(map, unit)
                for unit in position.units
            )
            if goals & mine or by_sea:
                units.append(Unit(power, kind, location.name))
    return units


def _shores(map: Map, fleet: Unit) -> set[str]:
    return {goal.partition("/")[0] for goal in map.adjacent("F", fleet.location)}


def stand(position: Position, power: str, count: int) -> list[str] | None:
    """Orders to stand that certainly keep `count` centres, if there are any: all combinations are tried."""
    prover = Prover(position, power, Goal(power, True, count), LIMIT)
    map = position.map
    if sum(owner == power for owner in position.owners) < count:
        return None
    places = {map.province(unit.province).index: unit for unit in position.units_of(power)}
    ways = []
    for place in places:
        options: list[int | None] = [None]
        for code in prover.field.legal[place]:
            part = parts(code, prover.field.province_of)
            if part.kind == OrderKind.SUPPORT_HOLD and part.helped in places:
                options.append(code)
        ways.append([(place, code) for code in options])
    for chosen in itertools.islice(itertools.product(*ways), MOST_STANDS):
        fixed = {place: code for place, code in chosen if code is not None}
        if prover.judge(fixed).holds:
            return _texts(position, fixed)
    return None


def _texts(position: Position, fixed: dict[int, int]) -> list[str]:
    return [str(decode(position.map, code)) for code in fixed.values()]


KINDS = ("capture", "keep", "retake", "cut", "convoy", "win", "stop", "retreat", "build")
"""The tasks, in the order of the tables; `docs/benchmark.md` explains each."""

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
    text = (resources.files("bordeaux.arena") / "data" / DATA).read_text("utf-8")
    return list(_read(text.splitlines(), DATA))


def read_puzzles(path: str | Path) -> list[Puzzle]:
    """Puzzles from a file, one a line. Raises FormatError with file and line."""
    if Path(path).is_dir():
        raise FormatError(f"{path} is a directory; name a file of puzzles")
    with open_source(path) as handle:
        try:
            lines = read_text(handle).splitlines()
        except FormatError as error:
            raise FormatError(f"{path}: {error}") from None
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
    most = len(position.map.centres)
    if type(centres) is not int or not 0 <= centres <= most or not isinstance(goal.get("keeping"), bool):
        raise FormatError(
            f"a goal has a number of centres, {most} at most, and true or false: whether to keep them"
        )
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


def attempt(
    puzzle: Puzzle, budgets: Sequence[int] = BUDGETS, seed: int = 0, spec: str | None = None
) -> frozenset[int]:
    """The budgets, in nodes, with which the engine, or the player of a spec, solves a puzzle.

    Engine and player are made anew for each budget, without the history of the position. An exception of a
    player counts as not solved; if it cannot be made, that exception is raised.
    """
    solved = set()
    for nodes in budgets:
        if spec is None:
            with Engine(seed=seed) as engine:
                orders = engine.search(puzzle.position, puzzle.power, nodes=nodes).orders
            if solves(puzzle, orders):
                solved.add(nodes)
            continue
        player = registry.create(spec, Seat(puzzle.power, puzzle.position.map, seed))
        with closing(player), suppress(Exception):
            if solves(puzzle, map(str, player.orders(puzzle.position, Limit(nodes=nodes)))):
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
