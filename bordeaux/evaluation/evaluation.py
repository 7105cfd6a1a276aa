"""Named evaluations: weights as data, compiled for a map, applied to positions."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import NamedTuple

from bordeaux._ext.influence import Evaluator
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.evaluation.altitude import Altitude, altitudes

__all__ = ["Evaluation", "evaluate", "evaluations", "evaluator", "with_goals"]


class Evaluation(NamedTuple):
    """What a position is worth to a power, in points: the sum of its named, weighted terms.

    control: altitude times influence (4.1); owned: centres owned; occupied: centres of others
    occupied before ownership is settled; pressure: part in next provinces that others occupy
    (4.3.2); gravity: pull towards provinces not held (4.3.3); danger: own centres that others hold
    or could move into next (below 0); losses: own units dislodged (below 0); victory: more than
    half of the centres; goals: points of regional goals times influence, and those for units that
    stand on the way there (4.3.4).
    """

    value: float
    terms: dict[str, float]


def evaluations() -> tuple[str, ...]:
    """Names of the evaluations that come with Bordeaux."""
    folder = resources.files("bordeaux.evaluation") / "weights"
    return tuple(sorted(e.name.removesuffix(".toml") for e in folder.iterdir() if e.name.endswith(".toml")))


@functools.cache
def _weights(name: str) -> tuple[dict[str, float], Altitude]:
    if name not in evaluations():
        known = evaluations()
        raise BordeauxError(
            f"unknown evaluation {quote(name)}{nearest(name, known)} (known: {', '.join(known)})"
        )
    text = (resources.files("bordeaux.evaluation") / "weights" / f"{name}.toml").read_text("utf-8")
    data = tomllib.loads(text)
    shape = data["altitude"]
    return data["weights"], Altitude(
        shape["peak"], shape["slope"], shape["floor"], tuple(shape["centre"]), tuple(shape["beside_centre"])
    )


@functools.cache
def _compiled(map: Map, name: str) -> Evaluator:
    weights, shape = _weights(name)
    return Evaluator(map.tables, weights, altitudes(map, shape))


def evaluator(
    map: Map,
    name: str = "default",
    given: Mapping[str, Mapping[str, float]] | None = None,
    raised: Mapping[str, Mapping[str, float]] | None = None,
) -> Evaluator:
    """The compiled evaluation of a name on a map; `given` replaces the altitudes of some powers.

    `raised` adds points to provinces and for units that stand in places, ``{"TURKEY": {"GRE": 12.0,
    "A SER": 5.0, "F BUL/SC": 5.0}}``, which the term goals counts.
    Raises BordeauxError for an unknown name, MapError for unknown powers or provinces.
    """
    if given:
        weights, shape = _weights(name)
        judge = Evaluator(map.tables, weights, altitudes(map, shape, given))
    else:
        judge = _compiled(map, name)
    return with_goals(map, judge, raised) if raised else judge


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
