"""Fit the prospect, the learnt value of a position, to recorded games.

    python -m training.prospect [GAMES] [--out FILE.npz] [--report FILE.md] [--cache FILE.npz] [--siblings N]

GAMES is a file of saved games on the standard map (../shared/data/games/human.jsonl.gz). Every movement
phase of a game that reached 1905 or a solo is an example. The inputs are the rows that represent its
position (`bordeaux._ext.value.prospect`). The targets are the final shares (squares of centres or a solo)
and the winner of a solo. Both heads are fitted by Adam with a ridge, in minibatches of NumPy alone. The
epoch with the lowest loss in the validation games is kept. The fit is done twice, with rows of names and
without, for other maps.

Results tell how much a position is worth, and hardly by how much two similar ones differ: too much comes
between. So both fits continue with siblings: positions after the orders of a power that differ, each with
the shares that the first fit expects at the end of short playouts by the net of people. What is learnt from
them is the differences alone. Some 45,000 groups take ten minutes of one core, the fits as much again.

Whole games are held out by a hash of their id. Figures of the held-out games go into the header of the
weights, and with --report into a page of tables. With --cache the examples are kept in a file, or taken
from it if it exists, so that a killed fit restarts in seconds. Phases after which a power with units never
orders again have less weight, since their results are not those of play. They are left out of all figures.
"""

from __future__ import annotations

import datetime
import itertools
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import numpy.typing as npt

from bordeaux import BordeauxError
from bordeaux._ext.value.prospect import N_GENERAL, N_NOBODY, Prospect, count_rows
from bordeaux.cli.options import between, whole
from bordeaux.evaluation.prospect import FORMAT, Weights, write_weights
from bordeaux.formats.games import read_games
from training.command import Command, seed_option
from training.prospect_examples import MAP, POWERS, Examples, Floats32, Siblings, examples, siblings
from training.split import TEST, VALIDATION

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
#: Names of predictors: the whole prospect, and the one for other maps.
PROSPECT, NAMELESS = "prospect", "without names"
#: Spans of years of the report.
YEARS = (
    (1901, 1901), (1902, 1902), (1903, 1903), (1904, 1904), (1905, 1906), (1907, 1909), (1910, 9999),
)  # fmt: skip
#: The number added to every power's square of centres in the naive predictor, so that no probability is zero.
SMOOTHED = 0.5

Floats = npt.NDArray[np.float64]


class FitPlan(NamedTuple):
    """The plan of a fit: epochs over all examples, positions of a minibatch, and Adam's initial rate, which
    falls to 0 by a cosine schedule. Then follow the ridges of general rows and of those of names, and the
    weight of phases in which a power had left. `differing` is the weight of the differences of siblings, of
    which a minibatch has so many `groups`. `seed` is that of all random choices; a fit that `talks` prints
    its epochs."""

    epochs: int = 8
    batch: int = 1024
    rate: float = 0.02
    ridge: float = 5e-4
    ridge_names: float = 3e-2
    left: float = 0.6
    differing: float = 60.0
    groups: int = 96
    seed: int = 0
    talks: bool = False

    def with_siblings(self) -> FitPlan:
        """The plan of the second fit: longer, in smaller steps, as siblings tell enough for rows of names."""
        return self._replace(
            epochs=self.epochs * 3 // 2,
            batch=max(1, self.batch // 2),
            rate=self.rate / 5,
            ridge_names=self.ridge_names / 6,
        )


def softmax(logits: Floats32) -> Floats32:
    """Shares along the last axis."""
    grown = np.exp(logits - logits.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True)


class Model:
    """Weights in training: `rows` float32[n_rows, 2] and `nobody` float32[N_NOBODY], with Adam's moments."""

    def __init__(self, n_rows: int, ridge: Floats32) -> None:
        self.size = n_rows
        self.weights = np.zeros(2 * n_rows + N_NOBODY, np.float32)
        self.ridge = ridge
        self.moments = np.zeros((2, len(self.weights)), np.float32)
        self.steps = 0

    @property
    def rows(self) -> Floats32:
        """Weights of rows for both heads."""
        return self.weights[: 2 * self.size].reshape(-1, 2)

    @property
    def nobody(self) -> Floats32:
        """Weights of rows for the logit of no solo."""
        return self.weights[2 * self.size :]

    def foretell(self, some: Examples) -> tuple[Floats32, Floats32]:
        """Shares float32[n, 7] and probabilities of a solo float32[n, 8], the last one that of no solo."""
        logits = self.rows[some.rows].sum(2)
        logits[~some.alive] = -1e9
        beside = self.nobody[some.common].sum(1, keepdims=True)
        return softmax(logits[:, :, 0]), softmax(np.concatenate((logits[:, :, 1], beside), 1))

    def differences(self, some: Siblings) -> tuple[Floats32, Floats32]:
        """Expected shares of siblings, and by how much more they differ from the mean of their group than
        playouts have them differ; both float32[n, SIBLINGS, 7]."""
        share = softmax(np.where(some.rows[..., 0] > 0, self.rows[:, 0][some.rows].sum(-1), -1e9))
        off = share - some.shares
        return share, off - off.mean(1, keepdims=True)

    def slope_of(self, some: Siblings) -> Floats:
        """The slope, for the weight of shares of each row, of the mean sum of squares of `differences`."""
        share, off = self.differences(some)
        errors = share * (off - (share * off).sum(-1, keepdims=True))
        return self._spread(errors * np.float32(2 / share[..., 0].size), some.rows)

    def learn(
        self, some: Examples, weight: Floats32, rate: float, beside: Siblings | None, differing: float
    ) -> None:
        """One step of Adam on a minibatch towards the results in both heads, and towards the differences of
        siblings in that of shares; the ridge is for the mean over examples."""
        share, solo = self.foretell(some)
        won = np.eye(POWERS + 1, dtype=np.float32)[some.winner]
        each = (weight / weight.sum())[:, None]
        slope = np.empty_like(self.weights)
        heads = slope[: 2 * self.size].reshape(-1, 2)
        for head, errors in enumerate(((share - some.shares) * each, (solo - won)[:, :POWERS] * each)):
            heads[:, head] = self._spread(errors, some.rows)
        common = np.repeat(((solo - won)[:, POWERS:] * each).ravel(), some.common.shape[1])
        slope[2 * self.size :] = np.bincount(some.common.ravel(), common, N_NOBODY)
        if beside is not None:
            heads[:, 0] += differing * self.slope_of(beside)
        slope += self.ridge * self.weights
        self.steps += 1
        self.moments[0] += 0.1 * (slope - self.moments[0])
        self.moments[1] += 0.001 * (slope * slope - self.moments[1])
        first = self.moments[0] / (1 - 0.9**self.steps)
        second = self.moments[1] / (1 - 0.999**self.steps)
        self.weights -= rate * first / (np.sqrt(second) + 1e-8)
        self.weights[[0, 1, 2 * self.size]] = 0

    def _spread(self, errors: Floats32, rows: npt.NDArray[np.uint16]) -> Floats:
        """The errors of logits summed for each row that they came from."""
        each = np.repeat(errors.ravel(), rows.shape[-1])
        return np.asarray(np.bincount(rows.ravel(), each, self.size), np.float64)


def log_loss(foretold: Floats32, came: Floats32) -> Floats:
    """The loss of each forecast in nats: the divergence of the result, 0 for a perfect forecast."""
    sure = np.clip(foretold, 1e-6, 1).astype(np.float64)
    return (came * (np.log(np.clip(came, 1e-12, 1)) - np.log(sure))).sum(-1)


def brier(foretold: Floats32, came: Floats32) -> Floats:
    """The squared error of each forecast, summed over the powers."""
    return ((foretold.astype(np.float64) - came) ** 2).sum(-1)


def losses(share: Floats32, solo: Floats32, some: Examples) -> dict[str, Floats]:
    """Log loss and Brier score of every example, for shares and solos."""
    won = np.eye(POWERS + 1, dtype=np.float32)[some.winner]
    return {
        "share_log": log_loss(share, some.shares),
        "share_brier": brier(share, some.shares),
        "solo_log": log_loss(solo, won),
        "solo_brier": brier(solo, won),
    }


def seen_by(name: str, some: Examples) -> Examples:
    """Examples with a predictor's inputs: centres, centres and year, without names, or all."""
    if name == PROSPECT:
        return some
    if name == NAMELESS:
        return replace(some, rows=nameless(some.rows))
    known = 1 if name == "centres" else 2
    return replace(some, rows=some.rows[:, :, :known], common=some.common[:, known - 1 : known])


def nameless(rows: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
    """Rows without those of names."""
    return np.where(rows < N_GENERAL, rows, 0).astype(np.uint16)


def fit(
    learning: Examples,
    checked: Examples,
    plan: FitPlan,
    begun: Model | None = None,
    beside: Siblings | None = None,
) -> Model:
    """The model of the epoch with the lowest loss in `checked`, both heads and the differences of siblings
    together. It begins with the weights of `begun`; groups of `beside` from games for validation are not
    learnt from."""
    chance = np.random.default_rng(plan.seed)
    n_rows = count_rows(MAP.tables, True)
    ridge = np.full(2 * n_rows + N_NOBODY, plan.ridge, np.float32)
    ridge[2 * N_GENERAL : 2 * n_rows] = plan.ridge_names
    model = Model(n_rows, ridge)
    if begun is not None:
        model.weights[:] = begun.weights
    weight = np.where(learning.left, np.float32(plan.left), np.float32(1))
    seen = beside.only(beside.part != VALIDATION) if beside is not None else None
    unseen = beside.only(beside.part == VALIDATION) if beside is not None else None
    if seen is not None and not len(seen.part):
        raise BordeauxError("too few groups of siblings to learn from: all are of games for validation")
    best, kept = np.inf, model.weights.copy()
    for epoch in range(plan.epochs):
        order = chance.permutation(np.flatnonzero(weight))
        rate = plan.rate * (1 + np.cos(np.pi * epoch / plan.epochs)) / 2
        for start in range(0, len(order), plan.batch):
            chosen = order[start : start + plan.batch]
            some = seen.only(chance.choice(len(seen.part), plan.groups)) if seen is not None else None
            model.learn(learning.only(chosen), weight[chosen], rate, some, plan.differing)
        measured = losses(*model.foretell(checked), checked)
        loss = float(measured["share_log"].mean() + measured["solo_log"].mean())
        if unseen is not None and len(unseen.part):
            loss += plan.differing * float((model.differences(unseen)[1] ** 2).sum(-1).mean())
        if loss < best:
            best, kept = loss, model.weights.copy()
        if plan.talks:
            print(f"epoch {epoch + 1} of {plan.epochs}: validation loss {loss:.4f}", file=sys.stderr)
    model.weights = kept
    return model


def squares(some: Examples) -> Floats32:
    """The naive predictor: shares in proportion to the squares of present centres."""
    weights = np.where(some.alive, some.counts.astype(np.float32) ** 2 + SMOOTHED, 0)
    return weights / weights.sum(1, keepdims=True)


def measured_by(models: dict[str, Model], some: Examples) -> dict[str, dict[str, Floats]]:
    """Losses of every example by predictor: the naive one, without solos, and the models."""
    naive = losses(squares(some), np.full((len(some.year), POWERS + 1), np.nan), some)
    made = {name: losses(*model.foretell(seen_by(name, some)), some) for name, model in models.items()}
    return {"squares": naive, **made}


def fitted_scale(model: Model, some: Examples) -> float:
    """The points of the hand-made evaluation for a share of 1: a regression of the points of a position's
    powers on their shares, by least squares about the means of its living powers."""
    some = some.only(~np.isnan(some.points[:, 0]))
    share, _ = model.foretell(some)
    living = some.alive.sum(1, keepdims=True)

    def about(values: Floats32) -> Floats32:
        return np.where(
            some.alive, values - np.where(some.alive, values, 0).sum(1, keepdims=True) / living, 0
        )

    away = about(share)
    return float((about(some.points) * away).sum() / (away * away).sum())


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table of a page, numbers with four digits."""
    lines = [list(head)]
    lines += [["---"] * len(lines[0])]
    for row in rows:
        shown = [f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in row]
        lines.append(["" if cell == "nan" else cell for cell in shown])
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def report(models: dict[str, Model], some: Examples) -> str:
    """Tables of held-out figures: losses by predictor and by year, and calibration."""
    by_model = measured_by(models, some)
    heads = {
        "share_log": "share, log loss",
        "share_brier": "share, Brier",
        "solo_log": "solo, log loss",
        "solo_brier": "solo, Brier",
    }
    rows = [(name, *(float(loss[head].mean()) for head in heads)) for name, loss in by_model.items()]
    parts = [table(("predictor", *heads.values()), rows)]
    for head in ("share_log", "solo_log"):
        shown = [name for name in by_model if head == "share_log" or name != "squares"]
        lines: list[tuple[object, ...]] = []
        for first, last in YEARS:
            those = (some.year >= first) & (some.year <= last)
            if those.any():
                years = str(first) if first == last else f"{first} to {min(last, some.year.max())}"
                lines.append(
                    (years, those.sum(), *(float(by_model[name][head][those].mean()) for name in shown))
                )
        parts.append(table((heads[head], "phases", *shown), lines))
    share, solo = models[PROSPECT].foretell(some)
    won = np.eye(POWERS + 1)[some.winner]
    for title, foretold, came in (("share", share, some.shares), ("solo", solo[:, :POWERS], won[:, :POWERS])):
        said, seen = foretold[some.alive], came[some.alive]
        deciles = np.array_split(np.argsort(said, kind="stable"), 10)
        lines = [
            (
                f"{said[part].min():.4f} to {said[part].max():.4f}",
                len(part),
                *map(mean, (said[part], seen[part])),
            )
            for part in deciles
            if len(part)
        ]
        parts.append(table((f"{title} foretold", "powers", "mean foretold", "mean that came"), lines))
    return "\n".join(parts)


def mean(values: npt.NDArray[Any]) -> float:
    """The mean as Python's number."""
    return float(values.mean())


def trained(
    every: Examples, plan: FitPlan, command: str, beside: Callable[[Prospect], Siblings] | None = None
) -> tuple[Weights, str]:
    """Weights fitted to examples, and to the siblings that `beside` gives for a first fit; and the report of
    the held-out games."""
    learning = every.only((every.part != TEST) & (every.part != VALIDATION))
    checked = every.only((every.part == VALIDATION) & ~every.left)
    held_out = every.only((every.part == TEST) & ~every.left)
    if not (len(learning.year) and len(checked.year) and len(held_out.year)):
        raise BordeauxError("too few games: none is left to learn from, to validate or to hold out")
    models: dict[str, Model] = {}
    for name in ("centres", "centres and year", NAMELESS, PROSPECT):
        # A table of a few dozen entries needs no ridge to speak of, and stays a yardstick of what came.
        how = plan if name in (NAMELESS, PROSPECT) else plan._replace(ridge=1e-6)
        models[name] = fit(seen_by(name, learning), seen_by(name, checked), how)
    if beside is not None:
        first = models[PROSPECT]
        groups = beside(
            Prospect(
                MAP.tables, first.rows.tobytes(), first.nobody.tobytes(), True, MAP.start_phase.year, 1.0
            )
        )
        for name, seen in (NAMELESS, groups._replace(rows=nameless(groups.rows))), (PROSPECT, groups):
            models[name] = fit(
                seen_by(name, learning), seen_by(name, checked), plan.with_siblings(), models[name], seen
            )
    losses_of = measured_by(models, held_out)
    header = {
        "format": FORMAT,
        "kind": "prospect",
        "map": MAP.name,
        "made": datetime.date.today().isoformat(),
        "command": command,
        "phases": len(learning.year),
        "held_out": len(held_out.year),
        "scale": round(fitted_scale(models[PROSPECT], checked), 1),
        "figures": {
            name: {head: round(mean(loss), 4) for head, loss in of.items() if not np.isnan(loss).any()}
            for name, of in losses_of.items()
        },
    }
    whole, general = models[PROSPECT], models[NAMELESS]
    made = Weights(whole.rows, whole.nobody, general.rows[:N_GENERAL], general.nobody, header)
    return made, report(models, held_out)


@click.command(cls=Command, help="Fit the prospect to saved GAMES, by default those of the shared data.")
@click.argument("games", required=False, type=Path, default=DATA / "games" / "human.jsonl.gz")
@click.option(
    "--out", type=Path, default=Path("prospect.npz"), metavar="FILE", help="File of weights to write."
)
@click.option("--report", "page_path", type=Path, metavar="FILE", help="Page of held-out figures to write.")
@click.option("--cache", type=Path, metavar="FILE", help="File in which the examples are kept.")
@click.option(
    "--limit", type=whole(1, 10**9), metavar="N", help="Games to read at most, 1 or more; by default all."
)
@click.option(
    "--siblings",
    "groups",
    type=whole(0, 10**6),
    default=45_000,
    metavar="N",
    help="Groups of siblings to play on and learn from; 0 for results alone.",
)
@click.option(
    "--epochs",
    type=whole(0, 10**6),
    default=FitPlan().epochs,
    metavar="N",
    help="Passes through the examples, 0 or more.",
)
@click.option(
    "--rate", type=between(1e-9, 1), default=FitPlan().rate, metavar="X", help="Adam's first rate, up to 1."
)
@seed_option(0)
def main(
    games: Path,
    out: Path,
    page_path: Path | None,
    cache: Path | None,
    limit: int | None,
    groups: int,
    epochs: int,
    rate: float,
    seed: int,
) -> None:
    """Fit, write, and print the header."""
    command = f"python -m training.prospect --epochs {epochs} --siblings {groups} --seed {seed}"
    if rate != FitPlan().rate:
        command += f" --rate {rate}"
    plan = FitPlan(epochs=epochs, seed=seed, rate=rate, talks=True)

    def beside(value: Prospect) -> Siblings:
        return siblings(itertools.islice(read_games(games), limit), value, groups, seed)

    made, page = trained(examples(games, cache, limit), plan, command, beside if groups else None)
    write_weights(out, made)
    if page_path is not None:
        page_path.write_text(page, "utf-8")
    print(json.dumps(made.header, indent=1))


if __name__ == "__main__":
    sys.exit(main())
