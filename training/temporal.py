"""Fit the hand-made evaluation by temporal differences: each value predicts the next, the last the result.

    python -m training.temporal GAMES... --out FILE.toml [--start default] [--trace 0.7] [--keep owned,...]
                                [--pull 0.001] [--work FOLDER]

GAMES are files of saved games (``bordeaux arena --games-file``, or people's). The value of a position for a
power, squashed to a number from 0 to 1, predicts its value at the next movement phase. At the end of the
game it predicts the power's share: the square of its centres over the sum of all squares, and 1 for a solo.
That is TD(lambda) (R. S. Sutton, Learning to predict by the methods of temporal differences, 1988), by which
the LA Diplomat learnt (paper 000, section 2.3.6). `--trace` is its lambda: 0 uses the next position alone,
1 the end of the game alone. All games are learnt from at once, in the forward view. The targets are computed
from the weights, and the weights from the targets by a Newton step of logistic regression, until both
converge. No step is random: the same games give the same weights.

Only the weights that a value is linear in are fitted; all others stay the start's. `--keep` names more that
stay. `--pull` regularises towards the start, and more with a larger number. No weight falls below 0. The
result is rescaled to the start's points: an own centre under control has the same value.

Games whose id's hash ends in 0 are never learnt from. The output is the mean log-likelihood of their
results, for the start and for the fitted weights. Both are calibrated on the other games by a factor and a
shift a season. With `--work` the features of the games are kept there, and the same command continues from
them after a kill.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import between, share
from bordeaux.evaluation.evaluation import _data, read_weights
from bordeaux.formats.whole_files import beside
from training.chains import FEWEST, PARTS, Chains, Floats, Start, gathered
from training.command import Command, summary_of

ITERATIONS, SETTLED = 200, 1e-6


def squashed(logits: Floats) -> Floats:
    """Numbers from 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def returns(values: Floats, chains: Chains, trace: float) -> Floats:
    """The lambda-return of every position: the target of its value.

    For the last of a chain it is the end, or the value itself if there is none; for another, ``(1 - trace)``
    times the next value plus ``trace`` times the next return.
    """
    targets = np.empty_like(values)
    last = np.cumsum(chains.length) - 1
    targets[last] = np.where(np.isnan(chains.end), values[last], chains.end)
    for back in range(1, int(chains.length.max(initial=0))):
        rows = last[chains.length > back] - back
        targets[rows] = (1 - trace) * values[rows + 1] + trace * targets[rows + 1]
    return targets


def newton(
    design: Floats,
    targets: Floats,
    weights: Floats,
    middle: Floats,
    stiff: Floats,
    free: npt.NDArray[np.bool_],
) -> Floats:
    """One Newton step of logistic regression towards soft targets, with a quadratic penalty `stiff` towards
    `middle`. Only `free` numbers change, and of these the parts stay at 0 or above."""
    values = squashed(design @ weights)
    curve = (design * (values * (1 - values))[:, None]).T @ design / len(design) + np.diag(stiff)
    slope = design.T @ (values - targets) / len(design) + stiff * (weights - middle)
    moving = free.copy()
    while True:
        new = weights.copy()
        new[moving] -= np.linalg.solve(curve[np.ix_(moving, moving)], slope[moving])
        low = moving & (new < 0) & (np.arange(len(new)) < len(PARTS))
        if not low.any():
            return new
        # What would fall below 0 stays there, and the rest is worked out again.
        slope = slope + curve[:, low] @ (0 - weights[low])
        weights = np.where(low, 0.0, weights)
        moving &= ~low


def seasons_of(chains: Chains) -> Floats:
    """A shift for each season: [rows, 2]."""
    return np.stack([chains.season == 0, chains.season == 1], axis=1).astype(float)


def calibrated(chains: Chains, parts: Floats) -> Floats:
    """The factor and the two shifts that best fit the squashed values to the results of games."""
    known = np.repeat(~np.isnan(chains.end), chains.length)
    values = chains.parts @ parts
    design = np.column_stack([values / values.std(), seasons_of(chains)])[known]
    target = np.repeat(chains.end, chains.length)[known]
    squash = np.zeros(3)
    for _ in range(50):
        squash = squash - np.linalg.solve(
            (design * (squashed(design @ squash) * (1 - squashed(design @ squash)))[:, None]).T @ design,
            design.T @ (squashed(design @ squash) - target),
        )
    return squash / [values.std(), 1, 1]


def likelihood(chains: Chains, parts: Floats, squash: Floats) -> float:
    """The mean log-likelihood of the results of games, over all positions."""
    known = np.repeat(~np.isnan(chains.end), chains.length)
    target = np.repeat(chains.end, chains.length)[known]
    logits = squash[0] * (chains.parts @ parts) + seasons_of(chains) @ squash[1:]
    values = np.clip(squashed(logits[known]), 1e-9, 1 - 1e-9)
    return float(np.mean(target * np.log(values) + (1 - target) * np.log(1 - values)))


def fitted(chains: Chains, start: Start, trace: float, pull: float, kept: Sequence[str]) -> Floats:
    """The weights of `PARTS` by temporal differences, in the start's points."""
    squash = calibrated(chains, start.parts)
    design = np.column_stack([chains.parts, seasons_of(chains)])
    middle = np.array([*(squash[0] * start.parts), *squash[1:]])
    spread = np.maximum(chains.parts.std(axis=0), 1e-9)
    stiff = np.array([*(pull * spread**2), 0.0, 0.0])
    free = np.array([*(name not in kept for name in PARTS), True, True])
    weights = middle
    for _ in range(ITERATIONS):
        targets = returns(squashed(design @ weights), chains, trace)
        new = newton(design, targets, weights, middle, stiff, free)
        moved = np.abs((new - weights)[:-2] * spread).max()
        weights = new
        if moved < SETTLED:
            break
    parts = weights[: len(PARTS)]
    if "owned" in kept:
        return np.asarray(parts / squash[0])
    return np.asarray(parts * (safe_centre(start.parts) / safe_centre(parts)))


def safe_centre(parts: Floats) -> float:
    """The value of an own centre under control."""
    named = dict(zip(PARTS, parts, strict=True))
    return float(named["owned"] + (named["centre_spring"] + named["centre_fall"]) / 2)


@click.command(cls=Command, help=summary_of(__doc__))
@click.argument("games", nargs=-1, required=True, type=Path, metavar="GAMES...")
@click.option("--out", required=True, type=Path, metavar="FILE", help="The weights, as a .toml file.")
@click.option("--start", default="default", metavar="NAME", help="The evaluation to begin from.")
@click.option(
    "--trace", type=share, default=0.7, metavar="LAMBDA", help="Lambda of temporal differences, 0 to 1."
)
@click.option(
    "--pull", type=between(0, 1e9), default=1e-3, metavar="X", help="How strongly the start draws, 0 or more."
)
@click.option(
    "--keep", default="", show_default=False, metavar="NAMES", help=f"Weights to hold, of {', '.join(PARTS)}."
)
@click.option("--work", type=Path, metavar="FOLDER", help="A folder for what is measured.")
def main(
    games: tuple[Path, ...], out: Path, start: str, trace: float, pull: float, keep: str, work: Path | None
) -> None:
    """Extract the features of the games, fit, write the weights, and print the gain as JSON."""
    kept = [name for name in keep.split(",") if name]
    if unknown := set(kept) - set(PARTS):
        raise BordeauxError(f"--keep has no {min(unknown)}; known: {', '.join(PARTS)}")
    if work is not None:
        work.mkdir(parents=True, exist_ok=True)
    begun = Start(*read_weights(start))
    chains = gathered(games, begun, work)
    train, test = chains.only(False), chains.only(True)
    if not len(train.parts) or np.isnan(train.end).all():
        raise BordeauxError(f"there is no game to learn from of {FEWEST} movement phases or more")
    parts = fitted(train, begun, trace, pull, kept)
    summary: dict[str, Any] = {
        "positions": len(train.parts),
        "held out": len(test.parts),
        "trace": trace,
        "pull": pull,
    }
    for name, weights in (("before", begun.parts), ("after", parts)):
        summary[name] = {
            "weights": {part: round(float(x), 3) for part, x in zip(PARTS, weights, strict=True)}
        }
        if len(test.parts):
            summary[name]["log-likelihood"] = round(likelihood(test, weights, calibrated(train, weights)), 5)
    part = beside(out)
    names = ", ".join(path.name for path in games)
    rest = {name: value for name, value in _data(start).items() if isinstance(value, int | float)}
    described = f"{start}, by temporal differences from {names}"
    part.write_text(begun.with_parts(parts).to_toml(described, rest), "utf-8")
    part.replace(out)
    print(json.dumps(summary))


if __name__ == "__main__":
    sys.exit(main())
