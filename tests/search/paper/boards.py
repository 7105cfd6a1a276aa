"""Small boards and questions that the demonstrations of the paper's ideas share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from bordeaux import Engine, Map, Position, Unit
from bordeaux._ext.search.rollout import Rollout
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.search.sets import from_orders

MAP = Map.standard()
SAMPLES = 60
WON = (
    *("CON", "ANK", "SMY", "BUL", "GRE", "SER", "RUM", "NAP", "ROM"),
    *("VEN", "TUN", "TRI", "BUD", "VIE", "SPA", "POR", "MAR"),
)
"""Seventeen centres for Turkey, one short of a victory."""


def board(phase: str, centres: Mapping[str, Sequence[str]], units: Mapping[str, Sequence[str]]) -> Position:
    """A position of the standard map, units as ``A PAR``."""
    placed = [Unit(power, text[0], text[2:]) for power, given in units.items() for text in given]
    return Position(MAP, phase, placed, centres)


def standing(
    phase: str = "S1902M", centres: Mapping[str, Sequence[str]] | None = None, **units: Sequence[str]
) -> Position:
    """The same, with the units of each power by its name."""
    return board(phase, centres or {}, units)


def chosen(
    position: Position,
    power: str,
    nodes: int,
    seeds: Iterable[int] = range(3),
    without: Sequence[str] = (),
    **settings: object,
) -> list[tuple[str, ...]]:
    """The orders that a search of so many nodes comes to, from each of some random seeds, where the hand-made
    evaluation finds the candidates."""
    answers = []
    for seed in seeds:
        with Engine(seed=seed, evaluation="hand", search="paper", without=[*without]) as engine:
            answers.append(engine.search(position, power, nodes=nodes, **settings).orders)  # type: ignore[arg-type]
    return answers


def played_on(position: Position, power: str, orders: Sequence[str], movements: int = 2) -> float:
    """Mean value of a set over rollouts against powers that hold now and follow the policy later; the
    same chance for every set."""
    rollout = Rollout(evaluator(MAP), DUMBBOT.chooser(MAP))
    own = from_orders(position, power, orders)
    others = [b""] * SAMPLES
    (row,) = rollout.compare(
        position.packed, MAP.powers.index(power), [own], others, movements, list(range(SAMPLES))
    )
    return fmean(row)


def ends(position: Position, power: str, orders: Sequence[str]) -> list[Position]:
    """The next movement positions that rollouts come to."""
    rollout = Rollout(evaluator(MAP), DUMBBOT.chooser(MAP))
    own = from_orders(position, power, orders)
    return [
        Position.from_packed(MAP, end) for end in rollout.ends(position.packed, own, 0, list(range(SAMPLES)))
    ]
