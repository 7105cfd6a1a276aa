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

__all__ = ["Evaluation", "evaluate", "evaluations", "evaluator"]


class Evaluation(NamedTuple):
    """What a position is worth to a power, in points: the sum of its named, weighted terms.

    control: altitude times influence (4.1); owned: centres owned; occupied: centres of others
    occupied before ownership is settled; pressure: part in next provinces that others occupy
    (4.3.2); gravity: pull towards provinces not held (4.3.3); losses: own units dislodged (below
    0); victory: more than half of the centres.
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
    map: Map, name: str = "default", given: Mapping[str, Mapping[str, float]] | None = None
) -> Evaluator:
    """The compiled evaluation of a name on a map; `given` replaces the altitudes of some powers.

    Raises BordeauxError for an unknown name, MapError for unknown powers or provinces.
    """
    if not given:
        return _compiled(map, name)
    weights, shape = _weights(name)
    return Evaluator(map.tables, weights, altitudes(map, shape, given))


def evaluate(
    position: Position,
    evaluation: str = "default",
    altitudes: Mapping[str, Mapping[str, float]] | None = None,
) -> dict[str, Evaluation]:
    """What a position is worth to every power.

    `altitudes` replaces the mountains of the powers it names, ``{"TURKEY": {"CON": 100, ...}}``.
    """
    judge = evaluator(position.map, evaluation, altitudes)
    return {
        power: Evaluation(*judge.evaluate(position.packed, number))
        for number, power in enumerate(position.map.powers)
    }
