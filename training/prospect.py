"""Fit the prospect, the learnt value of a position, to recorded games.

    python training/prospect.py [GAMES] --out bordeaux/evaluation/weights/prospect.npz

GAMES is a file of saved games on the standard map (../shared/data/games/human.jsonl.gz). Every movement phase of a
game that came to something, which is to 1905 or to a solo, is an example: the rows that stand for its position
(`bordeaux._ext.prospect`) against the shares in which the game ended, squares of centres or a solo, and against
who won alone. Both heads are fitted by Adam with a ridge, in minibatches, and the epoch in which the validation
games were foretold best is kept. All of it takes some minutes on one core and NumPy alone.

Whole games are held out by a hash of their id. Figures of the held-out games go into the header of the weights,
and with --report FILE into a page of tables. With --cache FILE the examples are kept for the next time.
Phases from which on a power with units never orders again count for --left only, as their outcome is not one
of play, and are left out of all figures.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux import BordeauxError, Map, evaluate
from bordeaux._ext.prospect import N_GENERAL, N_NOBODY, Prospect, count_rows
from bordeaux.formats.games import Game

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MAP = Map.standard()
POWERS = len(MAP.powers)
#: A game that ends before this year without a solo was given up.
EARLIEST = 1905
#: Decks of ten into which games fall by their id: held out, and for validation.
HELD_OUT, VALIDATION = 0, 1
#: Share of the end that everybody has in the naive predictor before his squares are counted, lest it be sure.
SMOOTHED = 0.5

Floats = npt.NDArray[np.float64]
Table = npt.NDArray[np.float32]


class Plan(NamedTuple):
    """How a fit goes: epochs over all examples, positions of a minibatch, Adam's first rate (which falls to 0 by a
    cosine), the ridges of rows that are general and of those of names, the weight of phases in which a power had
    left, and the seed of all chance."""

    epochs: int = 16
    batch: int = 1024
    rate: float = 0.03
    ridge: float = 1e-5
    ridge_names: float = 3e-5
    left: float = 0.0
    seed: int = 0
    talks: bool = False


def deck(game: str) -> int:
    """Which of ten parts a game belongs to, by its id."""
    return int(hashlib.sha256(game.encode()).hexdigest()[:8], 16) % 10


@dataclass
class Examples:
    """Positions, n of them, with what came of them.

    `rows` uint16[n, 7, width] and `common` uint16[n, 4] are what the core lists, padded with row 0; `alive` bool[n, 7];
    `counts` uint8[n, 7] centres; `shares` float32[n, 7] of the end; `winner` int8[n], 7 for nobody; `year` int16[n]; `season`
    uint8[n]; `deck` uint8[n]; `left` bool[n], whether a power had left; `points` float32[n, 7] of the hand-made
    evaluation, for some of them, else NaN.
    """

    rows: npt.NDArray[np.uint16]
    common: npt.NDArray[np.uint16]
    alive: npt.NDArray[np.bool_]
    counts: npt.NDArray[np.uint8]
    shares: Table
    winner: npt.NDArray[np.int8]
    year: npt.NDArray[np.int16]
    season: npt.NDArray[np.uint8]
    deck: npt.NDArray[np.uint8]
    left: npt.NDArray[np.bool_]
    points: Table

    def only(self, which: npt.NDArray[Any]) -> Examples:
        """Those of a mask, or of some numbers."""
        return Examples(**{name: array[which] for name, array in vars(self).items()})


class End(NamedTuple):
    """How a game ended: the share of every power, and the number of who won alone, or of powers for nobody."""

    shares: list[float]
    winner: int


def ending(game: Game) -> End | None:
    """The end of a game, None for one that was given up. A last Fall is carried out, as far as it is recorded."""
    final = game.position(-1)
    for phase in ("M", "R"):
        if (final.phase.season, final.phase.kind) == ("F", phase):
            with contextlib.suppress(BordeauxError):
                final = final.next(game.phases[-1].orders if str(final.phase) == game.phases[-1].name else {})
    counts = [len(final.centres.get(power, ())) for power in MAP.powers]
    most = max(counts)
    if 2 * most > len(MAP.centres):
        return End([float(count == most) for count in counts], counts.index(most))
    if int(game.phases[-1].name[1:5]) < EARLIEST:
        return None
    squares = sum(count * count for count in counts)
    return End([count * count / squares for count in counts], POWERS)


def last_orders(game: Game) -> list[int]:
    """For every power the last movement phase in which it ordered, by number; -1 if it never did."""
    last = [-1] * POWERS
    for number, phase in enumerate(game.phases):
        if phase.name.endswith("M"):
            for power, orders in phase.orders.items():
                if orders:
                    last[MAP.powers.index(power)] = number
    return last


def listed(game: Game, core: Prospect, measured: int) -> Iterator[tuple[object, ...]]:
    """The examples of a game, without its deck, each as the fields of `Examples`; every `measured`th with points."""
    end = ending(game)
    if end is None:
        return
    last = last_orders(game)
    for number, phase in enumerate(game.phases[: max(last) + 1]):
        if not phase.name.endswith("M"):
            continue
        position = game.position(number)
        rows, common = core.features(position.packed)
        alive = [len(each) > 0 for each in rows]
        standing = [bool(position.units_of(power)) for power in MAP.powers]
        left = any(here and last[power] < number for power, here in enumerate(standing))
        points = [np.nan] * POWERS
        if number % measured == 0:
            points = [each.value for each in evaluate(position).values()]
        counts = [len(position.centres.get(power, ())) for power in MAP.powers]
        season = position.phase.season == "F"
        yield rows, common, alive, counts, *end, position.phase.year, season, left, points


def gathered(games: Iterator[Game], most: int | None = None, measured: int = 7) -> Examples:
    """The examples of all games, or of the first so many."""
    core = Prospect(
        MAP.tables,
        bytes(8 * count_rows(MAP.tables, True)),
        bytes(4 * N_NOBODY),
        True,
        MAP.start_phase.year,
    )
    found: list[tuple[object, ...]] = []
    decks: list[int] = []
    for number, game in enumerate(games):
        if number == most:
            break
        try:
            these = list(listed(game, core, measured))
        except BordeauxError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        found += these
        decks += [deck(game.id)] * len(these)
    columns = list(zip(*found, strict=True))
    width = max(len(each) for rows in columns[0] for each in rows) // 2
    padded = b"".join(each.ljust(2 * width, b"\0") for rows in columns[0] for each in rows)
    return Examples(
        np.frombuffer(padded, np.uint16).reshape(len(found), POWERS, width),
        np.frombuffer(b"".join(columns[1]), np.uint16).reshape(len(found), -1),
        np.array(columns[2], np.bool_),
        np.array(columns[3], np.uint8),
        np.array(columns[4], np.float32),
        np.array(columns[5], np.int8),
        np.array(columns[6], np.int16),
        np.array(columns[7], np.uint8),
        np.array(decks, np.uint8),
        np.array(columns[8], np.bool_),
        np.array(columns[9], np.float32),
    )


def softmax(logits: Table) -> Table:
    """Shares along the last axis."""
    grown = np.exp(logits - logits.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True)


class Model:
    """Weights in training: `rows` float32[n_rows, 2] and `nobody` float32[N_NOBODY], with Adam's moments."""

    def __init__(self, n_rows: int, ridge: Table) -> None:
        self.size = n_rows
        self.weights = np.zeros(2 * n_rows + N_NOBODY, np.float32)
        self.ridge = ridge
        self.moments = np.zeros((2, len(self.weights)), np.float32)
        self.steps = 0

    @property
    def rows(self) -> Table:
        """Weights of rows for both heads."""
        return self.weights[: 2 * self.size].reshape(-1, 2)

    @property
    def nobody(self) -> Table:
        """Weights of rows for nobody's logit."""
        return self.weights[2 * self.size :]

    def foretell(self, some: Examples) -> tuple[Table, Table]:
        """Shares float32[n, 7] and chances of a solo float32[n, 8], the last one that of nobody."""
        logits = self.rows[some.rows].sum(2)
        logits[~some.alive] = -1e9
        beside = self.nobody[some.common].sum(1, keepdims=True)
        return softmax(logits[:, :, 0]), softmax(np.concatenate((logits[:, :, 1], beside), 1))

    def learn(self, some: Examples, weight: Table, rate: float) -> None:
        """One step of Adam on a minibatch; the ridge is that of the mean over examples."""
        share, solo = self.foretell(some)
        won = np.eye(POWERS + 1, dtype=np.float32)[some.winner]
        each = (weight / weight.sum())[:, None]
        errors = np.stack(((share - some.shares) * each, (solo - won)[:, :POWERS] * each), -1)
        places = some.rows.ravel()
        width = some.rows.shape[2]
        slope = np.empty_like(self.weights)
        heads = slope[: 2 * self.size].reshape(-1, 2)
        for head in range(2):
            spread = np.repeat(errors[:, :, head].ravel(), width)
            heads[:, head] = np.bincount(places, spread, self.size)
        beside = np.repeat(((solo - won)[:, POWERS:] * each).ravel(), some.common.shape[1])
        slope[2 * self.size :] = np.bincount(some.common.ravel(), beside, N_NOBODY)
        slope += self.ridge * self.weights
        self.steps += 1
        self.moments[0] += 0.1 * (slope - self.moments[0])
        self.moments[1] += 0.001 * (slope * slope - self.moments[1])
        first = self.moments[0] / (1 - 0.9**self.steps)
        second = self.moments[1] / (1 - 0.999**self.steps)
        self.weights -= rate * first / (np.sqrt(second) + 1e-8)
        self.weights[[0, 1, 2 * self.size]] = 0


def log_loss(foretold: Table, came: Table) -> Floats:
    """What each forecast missed, in nats: the divergence of what came, 0 for a forecast of just that."""
    sure = np.clip(foretold, 1e-6, 1).astype(np.float64)
    return (came * (np.log(np.clip(came, 1e-12, 1)) - np.log(sure))).sum(-1)


def brier(foretold: Table, came: Table) -> Floats:
    """Squares of what each forecast was off, summed over the powers."""
    return ((foretold.astype(np.float64) - came) ** 2).sum(-1)


def losses(share: Table, solo: Table, some: Examples) -> dict[str, Floats]:
    """Log loss and Brier score of every example, for shares and solos."""
    won = np.eye(POWERS + 1)[some.winner]
    return {
        "share_log": log_loss(share, some.shares),
        "share_brier": brier(share, some.shares),
        "solo_log": log_loss(solo, won),
        "solo_brier": brier(solo, won),
    }


def seen_by(name: str, some: Examples) -> Examples:
    """Examples as a simpler predictor sees them: by centres alone, by these and the year, or without names."""
    if name == "no names":
        return Examples(**vars(some) | {"rows": np.where(some.rows < N_GENERAL, some.rows, 0)})
    known = 1 if name == "centres" else 2
    return Examples(
        **vars(some) | {"rows": some.rows[:, :, :known], "common": some.common[:, known - 1 : known]}
    )


def fit(learning: Examples, checked: Examples, ridge: Table, weight: Table, plan: Plan) -> Model:
    """The model of the epoch after which `checked` was foretold best, both heads together."""
    chance = np.random.default_rng(plan.seed)
    model = Model(
        len(ridge), np.concatenate((np.repeat(ridge, 2), np.full(N_NOBODY, plan.ridge, np.float32)))
    )
    best, kept = np.inf, model.weights.copy()
    for epoch in range(plan.epochs):
        order = chance.permutation(len(learning.year))
        rate = plan.rate * (1 + np.cos(np.pi * epoch / plan.epochs)) / 2
        for start in range(0, len(order), plan.batch):
            chosen = order[start : start + plan.batch]
            model.learn(learning.only(chosen), weight[chosen], rate)
        found = {name: each.mean() for name, each in losses(*model.foretell(checked), checked).items()}
        if found["share_log"] + found["solo_log"] < best:
            best, kept = found["share_log"] + found["solo_log"], model.weights.copy()
        if plan.talks:
            print(epoch, {name: round(float(each), 4) for name, each in found.items()}, file=sys.stderr)
    model.weights = kept
    return model


def squares(some: Examples) -> Table:
    """The naive predictor: shares in proportion to the squares of present centres."""
    weights = np.where(some.alive, some.counts.astype(np.float32) ** 2 + SMOOTHED, 0)
    return weights / weights.sum(1, keepdims=True)


def figures(models: dict[str, Model], some: Examples) -> dict[str, dict[str, Floats]]:
    """Losses of every example by predictor: the naive one, and models by the names of `seen_by`."""
    found = {
        "squares": {k: v for k, v in losses(squares(some), np.full((len(some.year), 8), 0.125), some).items()}
    }
    for name, model in models.items():
        shown = some if name == "prospect" else seen_by(name, some)
        found[name] = losses(*model.foretell(shown), some)
    return found


def fitted_scale(model: Model, some: Examples) -> float:
    """Points of the hand-made evaluation that a share of 1 is worth: how the points of the powers of one position
    go with their shares, by least squares about the means of the position's living powers."""
    some = some.only(~np.isnan(some.points[:, 0]))
    share, _ = model.foretell(some)
    living = some.alive.sum(1, keepdims=True)

    def about(values: Table) -> Table:
        return np.where(
            some.alive, values - np.where(some.alive, values, 0).sum(1, keepdims=True) / living, 0
        )

    away = about(share)
    return float((about(some.points) * away).sum() / (away * away).sum())


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table of a page."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def report(models: dict[str, Model], some: Examples) -> str:
    """Tables of held-out figures: losses by predictor and by year, and what came of what was foretold."""
    found = figures(models, some)
    parts = []
    heads = ("share_log", "share_brier", "solo_log", "solo_brier")
    shown = ("share, log loss", "share, Brier", "solo, log loss", "solo, Brier")
    rows = []
    for name, each in found.items():
        rows.append(
            (
                name,
                *(
                    f"{each[head].mean():.4f}" if "solo" not in head or name != "squares" else ""
                    for head in heads
                ),
            )
        )
    parts.append(table(("predictor", *shown), rows))
    rows = []
    for first, last in (
        (1901, 1901),
        (1902, 1902),
        (1903, 1903),
        (1904, 1904),
        (1905, 1906),
        (1907, 1909),
        (1910, 1935),
    ):
        those = (some.year >= first) & (some.year <= last)
        if those.any():
            years = str(first) if first == last else f"{first} to {last}" if last < 1935 else f"from {first}"
            values = [f"{found[name]['share_log'][those].mean():.4f}" for name in found]
            values += [f"{found[name]['solo_log'][those].mean():.4f}" for name in found if name != "squares"]
            rows.append((years, str(int(those.sum())), *values))
    named = [f"share: {name}" for name in found] + [f"solo: {name}" for name in found if name != "squares"]
    parts.append(table(("year", "phases", *named), rows))
    share, solo = models["prospect"].foretell(some)
    won = np.eye(POWERS + 1)[some.winner][:, :POWERS]
    for title, foretold, came in (("share", share, some.shares), ("solo", solo[:, :POWERS], won)):
        said, seen = foretold[some.alive], came[some.alive]
        rows = []
        for part in np.array_split(np.argsort(said, kind="stable"), 10):
            span = f"{said[part[0]]:.3f} to {said[part[-1]]:.3f}"
            rows.append((span, str(len(part)), f"{said[part].mean():.3f}", f"{seen[part].mean():.3f}"))
        parts.append(table((f"{title} foretold", "powers", "mean foretold", "mean that came"), rows))
    return "\n".join(parts)
