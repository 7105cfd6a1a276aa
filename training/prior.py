"""Fit the prior beliefs about powers, on games that no model was trained on.

    python -m training.prior GAMES... [--engines FILE...] [--games 100] [--nodes 0] [--seed 0] [--json]

GAMES are saved games of people, `--engines` those of engines. Of each kind `--games` are drawn from the
validation part for the fit, and as many from the test part (`training.split`) to measure it. In each
movement phase every model of `bordeaux.search.beliefs` gives the probability of the orders of each power
that sent some, as it would for `Beliefs.observe`. The score is the mean over units of

    log(sum over models of share before the phase * probability of the power's orders)

Shares change from phase to phase by the rule of the beliefs (`shifted`), game by game from the prior. First
the prior is fitted. Then it is fitted together with the constants of the rule and the probability that
learnt models leave for unforeseen orders. Each number in turn is increased and decreased, in ever smaller
steps, until no step improves the score. No prior share falls below `LEAST`, as no share does in play.

The models' probabilities need not add up to 1 over the legal orders of a unit. Each has a fixed probability
for every order that it does not foresee. Beliefs use them unchanged, and so does the fit where shares
change. In the score each is divided by its sum over the legal orders, since otherwise large unnormalised
probabilities would be favoured.

Recorded games contain no searches. With `--nodes` the pools of the model of a searching power come from a
search of so many nodes for all powers together. Without it they are unknown, and each legal order of such a
power is equally probable.

People's games, engines' games, and half of each by weight are fitted separately. The output has the scores
before (the present numbers) and after. For the test games it has the gain with its 95 % interval from
resampling whole games.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import click

from bordeaux.arena.statistics import bootstrap
from bordeaux.board.code import as_bytes
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.cli.options import MOST_NODES, json_option, whole
from bordeaux.formats.games import Game, read_games
from bordeaux.search import beliefs as rule
from bordeaux.search.beliefs import MODELS, PRIOR, Beliefs, given_in, heated, note, shifted
from bordeaux.search.config import PaperConfig, SearchConfig
from bordeaux.search.models import BLIND, CHOICES, HOLD, LOOSE, SEARCH, SLIP, SURPRISE, LikePeople, order_keys
from bordeaux.search.paper import MovementSearch, paper_search
from bordeaux.search.sets import in_full
from bordeaux.search.task import Budget, SearchTask
from training.command import Command, Several, seed_option, summary_of
from training.foretellers import orders_of
from training.split import PARTS, TEST, VALIDATION, part_of, played_phases

LEARNT = tuple(name for name in PRIOR if issubclass(MODELS[heated(name)[0]], LikePeople))
#: Factors on numbers, one after the other, each until it gives no improvement.
STEPS = (2.5, 1.4, 1.12)
#: The smallest improvement per unit.
GAIN = 1e-5


class Row(NamedTuple):
    """The orders of a power in a phase: its seat (the game and the power), the log probabilities by all
    models, and the probabilities of its units' orders by learnt models. Also the numbers of legal orders of
    its units, and whether it was searched for."""

    seat: tuple[str, str]
    logs: Mapping[str, float]
    learnt: Mapping[str, Sequence[float]]
    options: Sequence[int]
    pool: bool


class Fit(NamedTuple):
    """The fitted numbers: those of `bordeaux.search.beliefs`, and the `slip` of learnt models."""

    prior: Mapping[str, float] = PRIOR
    weight: float = rule.WEIGHT
    memory: float = rule.MEMORY
    least: float = rule.LEAST
    slip: float = SLIP

    def to_json(self) -> dict[str, Any]:
        """All numbers, rounded."""
        numbers = {name: round(value, 4) for name, value in self._asdict().items() if name != "prior"}
        return {"prior": {name: round(share, 4) for name, share in self.prior.items()}, **numbers}


class Told(NamedTuple):
    """A row in the form for a fit: the likelihoods that update the shares, and probabilities by model, times
    e to the `top`."""

    seat: tuple[str, str]
    evidence: Mapping[str, float]
    chances: Mapping[str, float]
    top: float
    units: int


class Games:
    """The rows of games, for repeated evaluation by a fit."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.units = sum(len(row.options) for row in rows)
        self.likelihoods = cache(self._likelihoods)

    def _likelihoods(self, slip: float) -> list[Told]:
        """All rows, with a probability of `slip` for orders that learnt models do not predict."""
        rows = []
        for row in self.rows:
            evidence = {
                name: _log(row.learnt[name], slip) if name in LEARNT else row.logs[name] for name in PRIOR
            }
            proper = {name: evidence[name] - _sum_of_all(row, name, slip) for name in PRIOR}
            top = max(proper.values())
            chances = {name: math.exp(value - top) for name, value in proper.items()}
            rows.append(Told(row.seat, evidence, chances, top, len(row.options)))
        return rows


def _log(shares: Sequence[float], slip: float) -> float:
    """As `Model.logarithm` of learnt models, for another `SLIP`."""
    return sum(math.log((1 - slip) * share + slip / CHOICES) for share in shares)


def _sum_of_all(row: Row, name: str, slip: float) -> float:
    """The log of the sum of a model's probabilities over all legal sets."""
    if name == SEARCH and not row.pool:
        return sum(math.log(BLIND * count) for count in row.options)
    surprise = slip if name in LEARNT else LOOSE if name == SEARCH else SURPRISE
    # A hold that is foreseen has no part in the surprise.
    spread = surprise / CHOICES
    return sum(math.log(1 - surprise + spread * (count - (name == HOLD))) for count in row.options)


def _by_game(games: Games, fit: Fit) -> dict[str, tuple[float, int]]:
    """The log-likelihood of each game, and the number of its units."""
    by_game: dict[str, tuple[float, int]] = {}
    shares: dict[tuple[str, str], Mapping[str, float]] = {}
    rest = {"weight": fit.weight, "memory": fit.memory, "least": fit.least}
    for seat, evidence, chances, top, units in games.likelihoods(fit.slip):
        before = shares.get(seat, fit.prior)
        log = top + math.log(sum(share * chances[name] for name, share in before.items()))
        total, count = by_game.get(seat[0], (0.0, 0))
        by_game[seat[0]] = total + log, count + units
        shares[seat] = shifted(before, evidence, **rest)
    return by_game


def score(games: Games, fit: Fit) -> float:
    """The log-likelihood per unit."""
    return math.fsum(total for total, _ in _by_game(games, fit).values()) / games.units


def mean_score(parts: Sequence[Games], fit: Fit) -> float:
    """The mean of the scores of some games, whatever their sizes."""
    return sum(score(games, fit) for games in parts) / len(parts)


def gains(games: Games, before: Fit, after: Fit) -> dict[str, float]:
    """The gain of a fit over another, per unit, with its interval by resampling whole games."""
    first, second = _by_game(games, before), _by_game(games, after)
    gains_by_game = [(second[game][0] - first[game][0]) / first[game][1] for game in first]
    if len(gains_by_game) < 2:
        return {"mean": gains_by_game[0], "low": -math.inf, "high": math.inf}
    weights = [units for _, units in first.values()]
    return bootstrap(gains_by_game, groups=list(first), weights=weights, bounds=None).to_json()


def _moved(fit: Fit, name: str, factor: float) -> Fit | None:
    """A fit with one of its numbers increased or decreased, or None if that is impossible. For numbers below
    1 the odds are changed."""

    def odds(share: float) -> float:
        return share * factor / (1 - share + share * factor)

    if name in fit.prior:
        if len(fit.prior) == 1:
            return None
        share = min(max(rule.LEAST, odds(fit.prior[name])), 1 - rule.LEAST * (len(fit.prior) - 1))
        rest = (1 - share) / (1 - fit.prior[name])
        prior = {
            other: share if other == name else max(rule.LEAST, before * rest)
            for other, before in fit.prior.items()
        }
        total = sum(prior.values())
        return fit._replace(prior={other: part / total for other, part in prior.items()})
    if name == "weight":
        return fit._replace(weight=fit.weight * factor)
    value = odds(getattr(fit, name))
    # A floor of a share for each cannot be above an equal part.
    if name == "least" and value * len(fit.prior) >= 1:
        return None
    changed: dict[str, Any] = {name: value}
    return fit._replace(**changed)


def fitted(parts: Sequence[Games], start: Fit, names: Sequence[str]) -> Fit:
    """The best fit found from a start by changing the named numbers; a model's name means its prior share.
    All parts have the same weight, regardless of size."""

    best, value = start, mean_score(parts, start)
    for step in STEPS:
        better = True
        while better:
            better = False
            for name in names:
                for factor in (step, 1 / step):
                    while (other := _moved(best, name, factor)) is not None:
                        reached = mean_score(parts, other)
                        if reached < value + GAIN:
                            break
                        best, value, better = other, reached, True
    return best


KINDS = ("people", "engines", "half of each")


def rows_of(game: Game, nodes: int = 0, seed: int = 0) -> Iterator[Row]:
    """The rows of a game, the first phase first. With `nodes` powers are searched for."""
    map = Map.standard()
    beliefs = Beliefs(map)
    for played in played_phases(game, map):
        position = played.position
        if position.phase.kind != "M":
            continue
        pools = _pools(position, beliefs, nodes, seed) if nodes and played.orders else {}
        models, given = beliefs.models(position, pools), given_in(position, orders_of(played))
        legal = position.packed.legal()
        for number in played.orders.keys() & legal.keys():
            power = map.powers[number]
            codes = given[power]
            full = as_bytes(in_full(position, power, codes).values())
            logs, learnt = {}, {}
            for name in PRIOR:
                model = models[name]
                if isinstance(model, LikePeople):
                    learnt[name] = model.foreseen(power, full)
                    logs[name] = model.logarithm(learnt[name], SLIP)
                else:
                    logs[name] = model.log_probability(power, codes)
            options = [len(set(order_keys(map, as_bytes(ways)))) for ways in legal[number].values()]
            beliefs.shares[power] = shifted(beliefs.shares[power], logs)
            yield Row((game.id, power), logs, learnt, options, bool(pools.get(power)))
        note(beliefs.seen, position, given)


def _pools(
    position: Position, beliefs: Beliefs, nodes: int, seed: int
) -> dict[str, list[tuple[bytes, float]]]:
    """The predictions of a search of a position for all powers."""
    search = paper_search(
        SearchTask(
            position, SearchConfig(search="paper", paper=PaperConfig(maxims="none")), seed, beliefs=beliefs
        )
    )
    assert isinstance(search, MovementSearch)
    deque(search.run(position.map.powers, Budget(nodes=nodes)), maxlen=0)
    return search.pools()


class Sources(NamedTuple):
    """What a fit is made from: files of saved `games` of `people` and of `engines`, of which so many games of
    each part and kind are drawn; the `nodes` of a search for all powers, 0 for none; and the seed."""

    people: tuple[str, ...]
    engines: tuple[str, ...]
    games: int
    nodes: int
    seed: int


def _measured(paths: Sequence[str], args: Sources) -> list[Games]:
    """The rows of games drawn from files, validation and test; reports progress on standard error."""
    held: dict[int, list[Game]] = {VALIDATION: [], TEST: []}
    for path in paths:
        for game in read_games(path):
            if (part := part_of(game.id)) in held:
                held[part].append(game)
    parts = []
    for part, games in held.items():
        drawn = random.Random(args.seed).sample(games, min(args.games, len(games)))
        rows: list[Row] = []
        for number, game in enumerate(drawn, 1):
            rows += rows_of(game, args.nodes, args.seed)
            if sys.stderr.isatty():
                print(f"\r{PARTS[part]} {number}/{len(drawn)} ", end="", file=sys.stderr, flush=True)
        if not rows:
            raise BordeauxError(f"no game of {', '.join(paths)} with orders is of the part {PARTS[part]}")
        parts.append(Games(rows))
    return parts


def report(args: Sources) -> dict[str, Any]:
    """The whole output of the command."""
    files = {"people": args.people} | ({"engines": args.engines} if args.engines else {})
    parts = {kind: _measured(paths, args) for kind, paths in files.items()}
    before = Fit()
    alone = {
        kind: {name: score(test, Fit({name: 1.0})) for name in PRIOR} for kind, (_, test) in parts.items()
    }
    by_kind: dict[str, Any] = {}
    for kind in KINDS if args.engines else KINDS[:1]:
        chosen = [parts[kind]] if kind in parts else list(parts.values())
        learnt_from = [fit for fit, _ in chosen]
        prior = fitted(learnt_from, before, list(PRIOR))
        fits = {"prior": prior, "all": fitted(learnt_from, prior, [*PRIOR, *Fit._fields[1:]])}
        by_kind[kind] = {
            name: {
                **fit.to_json(),
                "validation": [mean_score(learnt_from, before), mean_score(learnt_from, fit)],
                "test": {
                    other: {
                        "before": score(test, before),
                        "after": score(test, fit),
                        "gain": gains(test, before, fit),
                    }
                    for other, (_, test) in parts.items()
                },
            }
            for name, fit in fits.items()
        }
    counts = {
        kind: {
            PARTS[part]: {
                "games": len({row.seat[0] for row in games.rows}),
                "sets": len(games.rows),
                "units": games.units,
            }
            for part, games in zip((VALIDATION, TEST), both, strict=True)
        }
        for kind, both in parts.items()
    }
    about = {"seed": args.seed, "nodes": args.nodes, "counts": counts}
    return {"about": about, "now": before.to_json(), "alone": alone, "fits": by_kind}


def lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The report for people."""
    about = report["about"]
    yield f"seed {about['seed']}, nodes of a search {about['nodes']}; log-likelihoods in nats a unit"
    for kind, parts in about["counts"].items():
        sizes = (f"{name} {size['games']} games, {size['units']} units" for name, size in parts.items())
        yield f"{kind}: {'; '.join(sizes)}"
    yield ""
    yield f"{'each model alone, test':26s}" + "".join(f"{name:>17s}" for name in PRIOR)
    for kind, scores in report["alone"].items():
        yield f"{kind:26s}" + "".join(f"{scores[name]:17.3f}" for name in PRIOR)
    yield ""
    constants = Fit._fields[1:]
    yield f"{'prior':26s}" + "".join(f"{name:>17s}" for name in (*PRIOR, *constants))
    rows = [("now", report["now"])]
    for kind, both in report["fits"].items():
        rows += [(f"{kind}, {name}", fit) for name, fit in both.items()]
    for title, fit in rows:
        numbers = [*(fit["prior"][name] for name in PRIOR), *(fit[name] for name in constants)]
        yield f"{title:26s}" + "".join(f"{number:17.4f}" for number in numbers)
    yield ""
    yield f"{'fitted to':26s} {'validation':>18s}  test of: before, after, gain"
    for title, fit in rows[1:]:
        first, last = fit["validation"]
        tests = "; ".join(
            f"{kind} {test['before']:.4f} {test['after']:.4f} {test['gain']['mean']:+.4f}"
            f" [{test['gain']['low']:+.4f}, {test['gain']['high']:+.4f}]"
            for kind, test in fit["test"].items()
        )
        yield f"{title:26s} {first:8.4f} {last:9.4f}  {tests}"


@click.command(cls=Command, help=summary_of(__doc__))
@click.argument("people", nargs=-1, required=True, metavar="GAMES...")
@click.option("--engines", cls=Several, metavar="FILE...", help="Saved games of engines.")
@click.option(
    "--games", type=whole(1, 10**9), default=100, metavar="N", help="Games of each part and kind, 1 or more."
)
@click.option(
    "--nodes",
    type=whole(0, MOST_NODES),
    default=0,
    metavar="N",
    help="Nodes of a search for all powers, 0 or more; 0 for none.",
)
@seed_option(0)
@json_option
def main(as_json: bool, **sources: Any) -> None:
    """Fit the prior beliefs to saved GAMES of people, one a line."""
    measured = report(Sources(**sources))
    if as_json:
        print(json.dumps(measured))
        return
    for line in lines(measured):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
