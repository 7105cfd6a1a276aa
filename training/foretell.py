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

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

from bordeaux.arena.statistics import paired_bootstrap
from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from training.cases import KINDS, Asked, Key, key_of, kind_name, place_of, sampled
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


def measured(args: argparse.Namespace) -> dict[str, list[Case]]:
    """The scores of all predictors in all phases; reports progress on standard error."""
    map = Map.standard()
    options = {"nodes": args.nodes, "weights": args.weights, "astray": args.astray}
    with ExitStack() as stack:
        tellers = {name: stack.enter_context(create(name, map, args.seed, options)) for name in args.what}
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


def parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m training.foretell", description=(__doc__ or "").partition("\n")[0]
    )
    add = parser.add_argument
    add("--games", nargs="+", required=True, metavar="FILE", help="saved games, one a line")
    add("--phases", type=int, default=500, help="phases that are drawn; 0 for all (500)")
    add("--seed", type=int, default=0, help="of all chance (0)")
    add("--what", default="dumbbot", help=f"foretellers, with commas: {', '.join(FORETELLERS)} (dumbbot)")
    add("--split", choices=PARTS, default="test", help="the part of the games (test)")
    add("--kinds", default=KINDS, help="kinds of phases (MRA)")
    add("--nodes", type=int, default=5000, help="nodes of a search of the engine (5000)")
    add("--astray", type=float, help="share of chance around counted sets; each foreteller has its own")
    add("--weights", help="weights of the net, in place of those that are shipped")
    add("--json", action="store_true", help="print JSON")
    args = parser.parse_args(argv)
    args.what = list(dict.fromkeys(name for name in args.what.split(",") if name))
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    args = parsed(argv)
    try:
        if not args.what:
            raise BordeauxError(f"--what names nobody; there are {', '.join(FORETELLERS)}")
        if args.phases < 0 or args.nodes < 1:
            raise BordeauxError("--phases and --nodes must be positive numbers")
        if args.astray is not None and not 0 < args.astray <= 1:
            raise BordeauxError(f"--astray must be a number above 0 and up to 1, not {args.astray}")
        if not args.kinds or set(args.kinds) - set(KINDS):
            raise BordeauxError(f"--kinds are letters of {KINDS}, not {args.kinds!r}")
        scored = measured(args)
    except (BordeauxError, OSError) as error:
        print(f"foretell: {error}", file=sys.stderr)
        return 2
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
    if args.json:
        print(json.dumps(report))
        return 0
    for line in lines(report):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
