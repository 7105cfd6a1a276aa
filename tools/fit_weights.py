"""Fit the evaluation to recorded games: the features of a position against centres two years later.

    python tools/fit_weights.py [GAMES] > bordeaux/evaluation/weights/hand.toml

GAMES is a file of saved games (../shared/data/games/human.jsonl.gz). Every power in every movement phase
from 1902 on is one observation. The terms of the evaluation, each with weight 1, are regressed on the
power's centres two years later, by ridge regression, Spring and Fall apart. The result is scaled so that an
own centre under control is worth 140 points, as in the first weights. The measurements go to standard
error, with the share of explained variance.

Some weights are not fitted. Pressure would be negative, since a power beside others is at war. But a search
with this weight would never attack, so it is 0. Gravity was set by play. Losses, stalemate and victory are
too rare, or too far from linear. Homes would be lower than their surroundings, since their owner has
nothing left to win there; the altitude keeps its peak at home.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click
import numpy as np
import numpy.typing as npt

from bordeaux import Map
from bordeaux._ext.value.influence import WEIGHTS, Evaluator
from bordeaux.cli.options import whole
from bordeaux.cli.program import Script
from bordeaux.evaluation import Altitude, altitudes
from bordeaux.formats.games import Game, read_games

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MAP = Map.standard()
SAFE_CENTRE = 140.0
YEARS, FIRST_YEAR = 2, 1902
#: Moves from home at which the altitude has reached its lowest value, and that value.
FOOT, FLOOR = 4, 2
RIDGE = 1e-3
KEPT = {"pressure": 0.0, "gravity": 0.1, "losses": 40.0, "stalemate": 40.0, "victory": 10000.0}
KEPT |= {"control": 1.0, "goals": 1.0}
SEASONS = {"F": "after Spring moves", "S": "after Fall moves"}

Floats = npt.NDArray[np.float64]


def parts() -> dict[str, tuple[Evaluator, str]]:
    """Evaluators that measure one part each, with the term to read."""
    level = Altitude(0, 0, 0, (0, 0), (0, 0))
    plain = dict.fromkeys(WEIGHTS, 0.0) | {"control": 1.0, "home_delay": 2, "dilute": True}
    shapes = {
        "area": level._replace(floor=1),
        "near": level._replace(peak=FOOT, slope=1),
        "centre": level._replace(centre=(1, 1)),
        "beside": level._replace(beside_centre=(1, 1)),
    }
    made = {
        name: (Evaluator(MAP.tables, plain, altitudes(MAP, shape)), "control")
        for name, shape in shapes.items()
    }
    homes = [[[float(p.name in MAP.homes[power]) for p in MAP.provinces] for power in MAP.powers]] * 2
    made["home"] = Evaluator(MAP.tables, plain, homes), "control"
    for term in ("owned", "occupied", "danger", "rivals"):
        made[term] = Evaluator(MAP.tables, plain | {term: 1.0}, altitudes(MAP, level)), term
    return made


def observations(game: Game, measures: dict[str, tuple[Evaluator, str]]) -> Iterator[tuple[str, list[float]]]:
    """``(season, parts and centres two years later)`` of every power in the movement phases of a game."""
    centres = {
        phase.name: {power: len(owned) for power, owned in phase.state["centers"].items()}
        for phase in game.phases
    }
    for number, phase in enumerate(game.phases):
        later = f"S{int(phase.name[1:5]) + YEARS}M"
        if not phase.name.endswith("M") or int(phase.name[1:5]) < FIRST_YEAR or later not in centres:
            continue
        position = game.position(number)
        for index, power in enumerate(MAP.powers):
            if position.units_of(power):
                row = [judge.evaluate(position.packed, index)[1][term] for judge, term in measures.values()]
                yield phase.name[0], [*row, float(centres[later].get(power, 0))]


def fitted(rows: Floats) -> tuple[Floats, float]:
    """Coefficients of the parts, and the share of the variance that they explain."""
    design = np.column_stack([np.ones(len(rows)), rows[:, :-1]])
    target = rows[:, -1]
    weights = np.linalg.solve(design.T @ design + RIDGE * np.eye(design.shape[1]), design.T @ target)
    return np.asarray(weights[1:], dtype=np.float64), float(
        1 - np.var(target - design @ weights) / np.var(target)
    )


@click.command(cls=Script)
@click.argument("games", default=DATA / "games" / "human.jsonl.gz", type=Path)
@click.option("--limit", type=whole(1, 10**9), metavar="N", help="Read N games only.")
def main(games: Path, limit: int | None) -> None:
    """Fit the evaluation to the games of a file, and print the weights in the form of its data."""
    measures = parts()
    seen: dict[str, list[list[float]]] = {season: [] for season in SEASONS}
    for number, game in enumerate(read_games(games)):
        if number == limit:
            break
        for season, row in observations(game, measures):
            seen[season].append(row)
    worth: dict[str, dict[str, float]] = {}
    for season, title in SEASONS.items():
        fitted_weights, explained = fitted(np.array(seen[season]))
        worth[season] = dict(zip(measures, fitted_weights, strict=True))
        shown = "  ".join(f"{name} {value:.3f}" for name, value in worth[season].items())
        print(f"{title}: {len(seen[season])} observations, R2 {explained:.3f}: {shown}", file=sys.stderr)

    def mean(part: str) -> float:
        return (worth["S"][part] + worth["F"][part]) / 2

    points = SAFE_CENTRE / (mean("owned") + mean("centre"))
    weights = {
        "owned": points * mean("owned"),
        "occupied": points * worth["F"]["occupied"],
        "danger": points * mean("danger"),
        "rivals": points * mean("rivals"),
    }
    print('description = "altitude times influence, fitted to what became of recorded games"\n\n[weights]')
    for name, value in {**weights, **KEPT}.items():
        print(f"{name} = {value:.3g}" if value < 1 else f"{name} = {value:.0f}")
    print("home_delay = 2\ndilute = true\n\n[altitude]")
    slope = points * mean("near")
    print(f"peak = {FOOT * slope:.0f}\nslope = {slope:.0f}\nfloor = {FLOOR}")
    for name, part in (("centre", "centre"), ("beside_centre", "beside")):
        both = ", ".join(f"{points * worth[season][part]:.0f}" for season in SEASONS)
        print(f"{name} = [{both}]")


if __name__ == "__main__":
    main()
