"""How well people's orders are predicted, in games that no predictor was trained on.

    python -m training.foretell --games GAMES... [--phases 500] [--seed 0] [--what people,dumbbot,engine]
    [--json]

Phases are drawn from the held-out games (the rule is that of training: by a hash of the game's id). Powers
that sent nothing, and units without a choice, do not count. Each predictor has these figures, with 95 %
intervals from resampling whole games:

- *units*: how often a unit's most probable order, without knowledge of people's other orders, is the one
  given. In Winter the unit is one build or removal, and the most probable set is compared;
- *sent*: the same for orders that were sent only: a tenth of the units hold because their order is missing;
- *nats*: the mean logarithm of the probability of a unit's order (in Winter given those before it);
- *sets*: how often the most probable whole set of a power is the one ordered, and *top 3*: one of the first
  three;
- *beside*: in movement, how often the first choice is the one given once the orders of the units that are
  decided before it are known;
- *set nats*: the logarithm of the probability of the whole ordered set, for each unit, where known.

Then follows the same share of units by kind of phase, by year, by kind of order, and by the power's centres
at the end of the game. The last table has the calibration of the first choice. All predictors get the same
phases. `training.cases` defines when two orders are the same.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from contextlib import ExitStack
from typing import Any, NamedTuple

import click

from bordeaux.arena.statistics import paired_bootstrap
from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.cli.options import MOST_NODES, between, json_option, whole
from training.cases import KINDS, Asked, Key, key_of, kind_name, place_of, sampled
from training.command import Command, Several, seed_option, summary_of
from training.foretellers import FORETELLERS, Forecast, create
from training.foretold import Case, Unit, figures, lines
from training.split import PARTS

__all__ = ["main", "score"]

#: The lowest probability of a legal order.
LEAST = 1e-9


def score(phase: Asked, power: str, forecast: Forecast) -> Case:
    """The figures of a forecast for the orders of a power."""
    position = phase.position
    map = position.map
    truth = [key_of(map, code) for code in codes_in(phase.orders[power])]
    left = Counter(forecast.sets[0] if forecast.sets else ())
    chances = {place: dict(orders) for place, orders in forecast.units.items()}
    units = []
    for key in truth:
        place = place_of(position, key)
        if place not in chances:
            continue
        first = forecast.first.get(place)
        if first is not None:
            hit = first == key
        else:
            hit = left[key] > 0
            left[key] -= 1
        total = math.fsum(chances[place].values())
        log = math.log(max(LEAST, chances[place].get(key, 0.0) / total)) if total else 0.0
        sent = key[1] in phase.sent[power]
        sure = chances[place].get(first, 0.0) / total if first is not None and total else None
        beside = forecast.beside[place] == key if place in forecast.beside else None
        units.append(Unit(hit, log, kind_name(position, power, key), sent, sure, beside))
        if position.phase.kind == "A":
            _without(chances[place], map, key)
    if forecast.first:
        wanted = {key[1]: key for key in truth}
        sets = [all(wanted.get(key[1]) == key for key in keys) for keys in forecast.sets]
    else:
        # Fewer removals may have been ordered than were due.
        sets = [not Counter(truth) - Counter(keys) for keys in forecast.sets]
    joint = forecast.log_probability
    return Case(
        phase.game,
        str(position.phase),
        tuple(units),
        bool(sets) and sets[0],
        any(sets),
        None if joint is None else max(len(units) * math.log(LEAST), joint),
        phase.result.get(power, 0),
    )


def _without(chances: dict[Key, float], map: Map, taken: Key) -> None:
    """Remove the options that a build or removal excludes: all others in its province."""
    province = map.locations[taken[1]].province
    for key in list(chances):
        if taken[0] != OrderKind.WAIVE != key[0] and map.locations[key[1]].province == province:
            del chances[key]


def differences(scored: dict[str, list[Case]]) -> dict[str, Any]:
    """The difference of the first predictor's share of units in movement to that of each other one, pair by
    pair."""
    first, *others = scored
    mine = [(unit.hit, case.game) for case in scored[first] if case.kind == "M" for unit in case.units]
    intervals = {}
    for name in others if mine else ():
        theirs = [unit.hit for case in scored[name] if case.kind == "M" for unit in case.units]
        pairs = [float(hit) for hit, _ in mine]
        gain = paired_bootstrap(pairs, [float(hit) for hit in theirs], groups=[game for _, game in mine])
        intervals[name] = gain.to_json()
    return intervals


class Question(NamedTuple):
    """What is measured: files of saved `games`, the number of `phases` that are drawn (0 for all) of some
    `kinds` and of one part (`split`), by a seed. `what` are the foretellers, with commas, and the rest their
    options."""

    games: tuple[str, ...]
    phases: int
    seed: int
    what: str
    split: str
    kinds: str
    nodes: int
    astray: float | None
    weights: str | None

    @property
    def names(self) -> list[str]:
        """The names of the foretellers, each once."""
        return list(dict.fromkeys(name for name in self.what.split(",") if name))


def measured(args: Question) -> dict[str, list[Case]]:
    """The scores of all predictors in all phases; reports progress on standard error."""
    map = Map.standard()
    options = {"nodes": args.nodes, "weights": args.weights, "astray": args.astray}
    with ExitStack() as stack:
        tellers = {name: stack.enter_context(create(name, map, args.seed, options)) for name in args.names}
        scored: dict[str, list[Case]] = {name: [] for name in tellers}
        phases = sampled(args.games, args.phases or None, args.seed, part=args.split, kinds=args.kinds)
        for number, phase in enumerate(phases, 1):
            for name, teller in tellers.items():
                teller.begin(phase)
                scored[name] += [score(phase, power, teller.foretell(phase, power)) for power in phase.orders]
            if sys.stderr.isatty():
                print(f"\r{number}", end="", file=sys.stderr, flush=True)
    if not any(scored.values()):
        raise BordeauxError(f"no phase of these games is of the part {args.split} and has orders of anybody")
    return scored


@click.command(cls=Command, help=summary_of(__doc__))
@click.option("--games", cls=Several, required=True, metavar="FILE...", help="Saved games, one a line.")
@click.option(
    "--phases",
    type=whole(0, 10**9),
    default=500,
    metavar="N",
    help="Phases that are drawn, 0 or more; 0 for all.",
)
@seed_option(0)
@click.option(
    "--what",
    default="dumbbot",
    metavar="NAMES",
    help=f"Foretellers, with commas: {', '.join(FORETELLERS)}.",
)
@click.option("--split", type=click.Choice(list(PARTS)), default="test", help="The part of the games.")
@click.option("--kinds", default=KINDS, metavar="LETTERS", help=f"Kinds of phases, of {KINDS}.")
@click.option(
    "--nodes",
    type=whole(1, MOST_NODES),
    default=5000,
    metavar="N",
    help="Nodes of a search of the engine, 1 or more.",
)
@click.option(
    "--astray",
    type=between(1e-9, 1),
    metavar="SHARE",
    help="Share of chance around counted sets, above 0 and up to 1; each foreteller has its own.",
)
@click.option("--weights", metavar="FILE", help="Weights of the net, in place of those that are shipped.")
@json_option
def main(as_json: bool, **asked: Any) -> None:
    """Measure how well orders are foretold."""
    args = Question(**asked)
    if not args.names:
        raise BordeauxError(f"--what names nobody; there are {', '.join(FORETELLERS)}")
    if not args.kinds or set(args.kinds) - set(KINDS):
        raise BordeauxError(f"--kinds are letters of {KINDS}, not {args.kinds!r}")
    scored = measured(args)
    cases = next(iter(scored.values()))
    report = {
        "about": {
            "phases": len({(case.game, case.phase) for case in cases}),
            "games": len({case.game for case in cases}),
            "split": args.split,
            "seed": args.seed,
        },
        "foretellers": {name: figures(of_kind) for name, of_kind in scored.items()},
        "differences": differences(scored),
    }
    if as_json:
        print(json.dumps(report))
        return
    for line in lines(report):
        print(line)


if __name__ == "__main__":
    sys.exit(main())
