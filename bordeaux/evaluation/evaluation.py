"""Named evaluations: weights as data, compiled for a map, applied to positions."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple

from bordeaux._ext.influence import Evaluator
from bordeaux._ext.value import Blend, Valuer
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.evaluation.altitude import Altitude, altitudes
from bordeaux.evaluation.prospect import prospect_value
from bordeaux.evaluation.stalemates import compiled_lines

__all__ = ["Evaluation", "end_value", "evaluate", "evaluations", "evaluator", "with_goals"]


class Evaluation(NamedTuple):
    """What a position is worth to a power, in points: the sum of its weighted terms, by name.

    The core has the table of them; each says there what it counts (`_ext/terms.pyx`).
    """

    value: float
    terms: dict[str, float]


def evaluations() -> tuple[str, ...]:
    """Names of the evaluations that come with Bordeaux."""
    folder = resources.files("bordeaux.evaluation") / "weights"
    return tuple(sorted(e.name.removesuffix(".toml") for e in folder.iterdir() if e.name.endswith(".toml")))


@functools.cache
def _data(name: str) -> dict[str, Any]:
    """The file of an evaluation, on top of the one that it names as its base."""
    if name not in evaluations():
        known = evaluations()
        raise BordeauxError(
            f"unknown evaluation {quote(name)}{nearest(name, known)} (known: {', '.join(known)})"
        )
    text = (resources.files("bordeaux.evaluation") / "weights" / f"{name}.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return _data(data["base"]) | data if "base" in data else data


@functools.cache
def _weights(name: str) -> tuple[dict[str, float], Altitude]:
    data = _data(name)
    shape = data["altitude"]
    return data["weights"], Altitude(
        shape["peak"], shape["slope"], shape["floor"], tuple(shape["centre"]), tuple(shape["beside_centre"])
    )


def _made(map: Map, name: str, given: Mapping[str, Mapping[str, float]] | None = None) -> Evaluator:
    weights, shape = _weights(name)
    heights = altitudes(map, shape, given)
    try:
        return Evaluator(map.tables, weights, heights, lines=compiled_lines(map))
    except ValueError as error:
        raise BordeauxError(f"evaluation {name}: {error}") from error


@functools.cache
def _compiled(map: Map, name: str) -> Evaluator:
    return _made(map, name)


def evaluator(
    map: Map,
    name: str = "default",
    given: Mapping[str, Mapping[str, float]] | None = None,
    raised: Mapping[str, Mapping[str, float]] | None = None,
) -> Evaluator:
    """The compiled evaluation of a name on a map; `given` replaces the altitudes of some powers.

    `raised` adds points to provinces and for units that stand in places, ``{"TURKEY": {"GRE": 12.0,
    "A SER": 5.0, "F BUL/SC": 5.0}}``, which the term goals counts.
    Raises BordeauxError for an unknown name and for data whose weights are not those of the terms,
    MapError for unknown powers or provinces.
    """
    judge = _made(map, name, given) if given else _compiled(map, name)
    return with_goals(map, judge, raised) if raised else judge


def end_value(map: Map, name: str, judge: Evaluator) -> Valuer:
    """What rollouts judge their ends by: the compiled evaluation itself, mixed with as much of the prospect
    as the evaluation of that name says. Raises BordeauxError for a part outside 0 to 1."""
    part = _data(name).get("prospect", 0.0)
    if not part:
        return judge
    try:
        return Blend(map.tables, judge, prospect_value(map), part)
    except ValueError as error:
        raise BordeauxError(f"evaluation {name}: {error}") from error


def with_goals(map: Map, judge: Evaluator, raised: Mapping[str, Mapping[str, float]]) -> Evaluator:
    """A compiled evaluation of a map with points added as `evaluator` says, in microseconds."""
    return judge.raised(*_goals(map, raised))


def _goals(
    map: Map, raised: Mapping[str, Mapping[str, float]]
) -> tuple[list[list[float]], list[list[float]]]:
    """Points as ``[power][province]``, and those for units as ``[power][location]``."""
    chosen = {map.power(power): points for power, points in raised.items()}
    rows, marches = [], []
    for power in map.powers:
        row, march = [0.0] * len(map.provinces), [0.0] * len(map.locations)
        for name, points in chosen.get(power, {}).items():
            if name[:2] in ("A ", "F "):
                march[map.location(name[0], name[2:]).index] = float(points)
            else:
                row[map.province(name).index] = float(points)
        rows.append(row)
        marches.append(march)
    return rows, marches


def evaluate(
    position: Position,
    evaluation: str = "default",
    altitudes: Mapping[str, Mapping[str, float]] | None = None,
    raised: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, Evaluation]:
    """What a position is worth to every power.

    `altitudes` replaces the mountains of the powers it names, ``{"TURKEY": {"CON": 100, ...}}``;
    `raised` adds points to provinces of theirs, or for units, in the form that `evaluator` takes.
    """
    judge = evaluator(position.map, evaluation, altitudes, raised)
    return {
        power: Evaluation(*judge.evaluate(position.packed, number))
        for number, power in enumerate(position.map.powers)
    }
