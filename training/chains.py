"""Games as chains of features, for the fit by temporal differences (`training.temporal`).

A chain is a power of a game: the features of its positions in successive movement phases, and its share at
the end. The sum of features times weights is the value of the hand-made evaluation.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux import Map, Position
from bordeaux._ext.value.influence import Evaluator
from bordeaux.board.errors import BordeauxError
from bordeaux.evaluation.altitude import Altitude, altitudes
from bordeaux.evaluation.stalemates import compiled_lines
from bordeaux.formats.games import Game, read_games
from bordeaux.formats.whole_files import beside

__all__ = ["FEWEST", "PARTS", "Chains", "Floats", "Measures", "Start", "gathered"]

Floats = npt.NDArray[np.float64]

MAP = Map.standard()
TERMS = ("owned", "occupied", "danger", "rivals", "stalemate")
"""Terms that are linear in their weight."""
PARTS = (*TERMS, "floor", "slope", "centre_spring", "centre_fall", "beside_spring", "beside_fall")
"""All fitted parameters; the heights of the mountain are in every term with altitudes."""
CHUNK = 250
"""Games that are measured, and kept, at a time."""
FEWEST = 8
"""The minimum number of movement phases of a used game."""


class Start(NamedTuple):
    """The initial evaluation of a fit: weights and mountain by name, and the weights of `PARTS`."""

    weights: dict[str, float]
    shape: Altitude

    @property
    def foot(self) -> float:
        """The number of moves from home at which the mountain reaches its floor."""
        return (self.shape.peak - self.shape.floor) / self.shape.slope if self.shape.slope else 0.0

    @property
    def parts(self) -> Floats:
        """The weights of `PARTS`."""
        shape = self.shape
        heights = (shape.floor, shape.slope, *shape.centre, *shape.beside_centre)
        return np.array([*(self.weights[name] for name in TERMS), *heights], float)

    def with_parts(self, parts: Floats) -> Start:
        """This evaluation with other weights of `PARTS`."""
        by_name = dict(zip(PARTS, map(float, parts), strict=True))
        floor, slope = by_name["floor"], by_name["slope"]
        shape = Altitude(
            floor + self.foot * slope,
            slope,
            floor,
            (by_name["centre_spring"], by_name["centre_fall"]),
            (by_name["beside_spring"], by_name["beside_fall"]),
        )
        return Start(self.weights | {name: by_name[name] for name in TERMS}, shape)

    def to_toml(self, description: str, rest: Mapping[str, float] = MappingProxyType({})) -> str:
        """The form of the evaluation's data, with the `rest` of its entries, like `prospect`."""

        def shown(value: float | tuple[float, float] | bool) -> str:
            if isinstance(value, tuple):
                return f"[{', '.join(map(shown, value))}]"
            return json.dumps(value) if isinstance(value, bool | int) else f"{value:.4g}"

        lines = [f"description = {json.dumps(description)}"]
        lines += [f"{name} = {value}" for name, value in rest.items()]
        lines += ["", "[weights]"]
        lines += [f"{name} = {shown(value)}" for name, value in self.weights.items()]
        lines += ["", "[altitude]", *(f"{name} = {shown(x)}" for name, x in self.shape._asdict().items())]
        return "\n".join(lines) + "\n"


class Measures:
    """The features of a position for `PARTS`: the sum of each times its weight is the value."""

    def __init__(self, start: Start) -> None:
        level = Altitude(0, 0, 0, (0, 0), (0, 0))
        still = start.weights | dict.fromkeys((*TERMS, "losses", "victory", "goals"), 0.0)
        shapes = (
            level._replace(floor=1),
            level._replace(peak=start.foot, slope=1),
            level._replace(centre=(1, 1)),
            level._replace(beside_centre=(1, 1)),
        )
        self._heights = [Evaluator(MAP.tables, still, altitudes(MAP, shape)) for shape in shapes]
        once = dict.fromkeys(still, 0.0) | dict.fromkeys(TERMS, 1.0)
        once |= {name: start.weights[name] for name in ("home_delay", "dilute")}
        self._terms = Evaluator(MAP.tables, once, altitudes(MAP, level), lines=compiled_lines(MAP))

    def __call__(self, position: Position, power: int) -> list[float]:
        """The parts, in the order of `PARTS`, of a position at the start of a movement phase."""
        terms = self._terms.evaluate(position.packed, power)[1]
        floor, slope, centre, near = (height.evaluate(position.packed, power)[0] for height in self._heights)
        by_season = (centre, 0.0, near, 0.0) if position.phase.season == "F" else (0.0, centre, 0.0, near)
        return [*(terms[name] for name in TERMS), floor, slope, *by_season]


class Chains(NamedTuple):
    """Powers of games, each a chain of positions in successive rows.

    `parts` [rows, PARTS] and `season` [rows] (0 before Fall moves, 1 before Spring moves) are of every
    position. Every chain has its `length`, its `end` (the final share, NaN for a power that left), and
    whether it is `held` out.
    """

    parts: Floats
    season: npt.NDArray[np.int64]
    length: npt.NDArray[np.int64]
    end: Floats
    held: npt.NDArray[np.bool_]

    def only(self, held: bool) -> Chains:
        """The chains that are held out, or the others."""
        chosen = self.held == held
        rows = np.repeat(chosen, self.length)
        return Chains(
            self.parts[rows], self.season[rows], self.length[chosen], self.end[chosen], self.held[chosen]
        )


def held_out(game: str) -> bool:
    """Whether a game with this id is held out."""
    return int(hashlib.sha256(game.encode()).hexdigest()[:8], 16) % 10 == 0


def ends(game: Game) -> dict[str, float]:
    """The share of each power at the end of a game."""
    owned = {power: len(game.phases[-1].state["centers"].get(power, ())) for power in MAP.powers}
    squares = {power: float(count) ** 2 for power, count in owned.items()}
    if 2 * max(owned.values()) > len(MAP.centres):
        squares = {power: float(count == max(owned.values())) for power, count in owned.items()}
    total = sum(squares.values())
    return {power: square / total for power, square in squares.items()} if total else {}


def chains_of(game: Game, measures: Measures) -> Iterator[tuple[list[tuple[list[float], int]], float]]:
    """``([(parts, season)], end)`` of every power of a game, for the phases with units. A power that stops
    ordering while others continue has left, and its chain has no end."""
    played = [
        n for n, phase in enumerate(game.phases) if phase.name.endswith("M") and any(phase.orders.values())
    ]
    if len(played) < FEWEST or game.map != MAP.name:
        return
    share = ends(game)
    positions = [game.position(number) for number in played]
    for index, power in enumerate(MAP.powers):
        there = [n for n, position in enumerate(positions) if position.units_of(power)]
        ordered = [n for n in there if game.phases[played[n]].orders.get(power)]
        if not ordered or not share:
            continue
        chain = [
            (measures(positions[n], index), int(positions[n].phase.season == "S"))
            for n in there
            if n <= ordered[-1]
        ]
        yield chain, share[power] if ordered[-1] == there[-1] else float("nan")


def measured(path: Path, measures: Measures, kept: Path | None, key: str) -> Iterator[Chains]:
    """The features of the games of a file, chunk by chunk, stored in the folder `kept` if given."""
    source = read_games(path)
    for number, games in enumerate(iter(lambda: list(islice(source, CHUNK)), [])):
        file = None if kept is None else kept / f"{path.name.partition('.')[0]}-{key}-{number}.npz"
        if file is None or not file.exists():
            chains = measured_chunk(games, measures)
            if file is not None:
                part = beside(file)
                with part.open("wb") as out:
                    np.savez_compressed(out, **chains._asdict())
                part.replace(file)
        else:
            with np.load(file, allow_pickle=False) as data:
                chains = Chains(*(data[name] for name in Chains._fields))
        print(f"{path}: {number * CHUNK + len(games)} games", file=sys.stderr)
        yield chains


def measured_chunk(games: Sequence[Game], measures: Measures) -> Chains:
    """The chains of some games. Games with an invalid position are left out."""
    rows: list[list[float]] = []
    seasons: list[int] = []
    lengths: list[int] = []
    finals: list[float] = []
    held: list[bool] = []
    for game in games:
        try:
            ended_chains = list(chains_of(game, measures))
        except BordeauxError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        for chain, end in ended_chains:
            rows += [parts for parts, _ in chain]
            seasons += [season for _, season in chain]
            lengths.append(len(chain))
            finals.append(end)
            held.append(held_out(game.id))
    return Chains(
        np.array(rows, float).reshape(-1, len(PARTS)),
        np.array(seasons, int),
        np.array(lengths, int),
        np.array(finals, float),
        np.array(held, bool),
    )


def gathered(paths: Sequence[Path], start: Start, kept: Path | None) -> Chains:
    """All games of some files."""
    measures = Measures(start)
    chunks = []
    for path in paths:
        source = f"{path.resolve()} {path.stat().st_size} {start} {PARTS}"
        chunks += list(measured(path, measures, kept, hashlib.sha256(source.encode()).hexdigest()[:12]))
    return Chains(*(np.concatenate(column) for column in zip(*chunks, strict=True)))
