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
- *set nats*: the logarithm of the probability of the whole ordered set, for each unit, where known.

Then follows the same share of units by kind of phase, by year, and by kind of order. All predictors get the
same phases. `training.cases` defines when two orders are the same.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from bordeaux.arena.statistics import Interval, bootstrap, paired_bootstrap
from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from training.cases import KINDS, Asked, Key, key_of, kind_name, place_of, sampled
from training.foretellers import FORETELLERS, Forecast, create
from training.split import PARTS

__all__ = ["Case", "Unit", "figures", "main", "score"]

#: The last year with a row of its own.
LATE = 1912
#: The least chance that a legal order is taken to have.
LEAST = 1e-9
PHASES = {"M": "movement", "R": "retreats", "A": "adjustments"}


class Unit(NamedTuple):
    """One order: whether it was the first choice, the logarithm of its probability, what it did, and whether
    it was sent or follows from none."""

    hit: bool
    log: float
    kind: str
    sent: bool


class Case(NamedTuple):
    """One power in one phase: its units, whether the likeliest set or one of the best three was ordered,
    and the logarithm of the probability of what was."""

    game: str
    phase: str
    units: tuple[Unit, ...]
    whole: bool
    among: bool
    log: float | None

    @property
    def kind(self) -> str:
        """The kind of the phase."""
        return self.phase[-1]

    @property
    def year(self) -> int:
        """The year of the phase."""
        return int(self.phase[1:-1])


def score(phase: Asked, power: str, forecast: Forecast) -> Case:
    """How a forecast fares against what a power ordered."""
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
        if place in forecast.first:
            hit = forecast.first[place] == key
        else:
            hit = left[key] > 0
            left[key] -= 1
        total = math.fsum(chances[place].values())
        log = math.log(max(LEAST, chances[place].get(key, 0.0) / total)) if total else 0.0
        units.append(Unit(hit, log, kind_name(position, power, key), key[1] in phase.sent[power]))
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
    )


def _without(chances: dict[Key, float], map: Map, taken: Key) -> None:
    """Leave out what a build or a removal makes impossible for the next one: all others in its province."""
    province = map.locations[taken[1]].province
    for key in list(chances):
        if taken[0] != OrderKind.WAIVE != key[0] and map.locations[key[1]].province == province:
            del chances[key]


def interval(values: Sequence[float], games: Sequence[str], *, logs: bool = False) -> dict[str, Any]:
    """The mean with its interval, whole games being drawn, and how many there are."""
    if not values:
        return {"count": 0}
    # One game alone tells nothing about the spread of what has no bounds.
    alone = logs and len(set(games)) < 2
    mean = math.fsum(values) / len(values)
    found = (
        Interval(mean, -math.inf, 0.0)
        if alone
        else bootstrap([float(each) for each in values], groups=games, bounds=None if logs else (0.0, 1.0))
    )
    return {"count": len(values), **found.to_json()}


def figures(cases: Sequence[Case]) -> dict[str, Any]:
    """All that is told of one foreteller: the figures of all kinds of phases together and of each, and the
    share of units by year and by what was ordered, the latter two of movement alone."""
    movement = [case for case in cases if case.kind == "M"]

    def grouped(name: Callable[[Case, Unit], str]) -> dict[str, Any]:
        found: dict[str, list[tuple[bool, str]]] = {}
        for case in movement:
            for unit in case.units:
                found.setdefault(name(case, unit), []).append((unit.hit, case.game))
        return {
            key: interval([hit for hit, _ in rows], [game for _, game in rows])
            for key, rows in sorted(found.items())
        }

    return {
        "all": _whole(cases),
        **{
            name: _whole([case for case in cases if case.kind == kind])
            for kind, name in PHASES.items()
            if any(case.kind == kind for case in cases)
        },
        "years": grouped(lambda case, unit: str(case.year) if case.year < LATE else f"{LATE} on"),
        "orders": grouped(lambda case, unit: unit.kind),
    }


def _whole(cases: Sequence[Case]) -> dict[str, Any]:
    hits = [(unit.hit, unit.log, case.game) for case in cases for unit in case.units]
    games = [game for *_, game in hits]
    each = [case.game for case in cases]
    sent = [(unit.hit, case.game) for case in cases for unit in case.units if unit.sent]
    told: dict[str, Any] = {
        "units": interval([hit for hit, *_ in hits], games),
        "sent": interval([hit for hit, _ in sent], [game for _, game in sent]),
        "nats": interval([log for _, log, _ in hits], games, logs=True),
        "sets": interval([case.whole for case in cases], each),
        "top 3": interval([case.among for case in cases], each),
    }
    known = [case for case in cases if case.log is not None and case.units]
    if known:
        counts = [len(case.units) for case in known]
        logs = [case.log / len(case.units) for case in known if case.log is not None]
        # A power weighs as much as it has units, so that this is a mean over units as well.
        found = bootstrap(logs, groups=[case.game for case in known], weights=counts, bounds=None)
        told["set nats"] = {"count": sum(counts), **found.to_json()}
    return told


def differences(scored: dict[str, list[Case]]) -> dict[str, Any]:
    """By how much the first foreteller's share of units in movement is above that of each other one, pair by
    pair."""
    first, *others = scored
    mine = [(unit.hit, case.game) for case in scored[first] if case.kind == "M" for unit in case.units]
    told = {}
    for name in others if mine else ():
        theirs = [unit.hit for case in scored[name] if case.kind == "M" for unit in case.units]
        pairs = [float(hit) for hit, _ in mine]
        found = paired_bootstrap(pairs, [float(hit) for hit in theirs], groups=[game for _, game in mine])
        told[name] = found.to_json()
    return told


def measured(args: argparse.Namespace) -> dict[str, list[Case]]:
    """The scores of all foretellers in all phases; says on standard error how far it is."""
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


def shown(found: dict[str, Any], *, share: bool = True) -> str:
    """A figure with its interval."""
    if not found["count"]:
        return "-"
    mean, low, high = (found[end] * (100 if share else 1) for end in ("mean", "low", "high"))
    digits = 1 if share else 3
    return f"{mean:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def lines(report: dict[str, Any]) -> Iterable[str]:
    """The report for people."""
    about = report["about"]
    yield (
        f"{about['phases']} phases of {about['games']} games ({about['split']}), seed {about['seed']};"
        " shares in %, logarithms in nats a unit, 95 % intervals"
    )
    tellers = report["foretellers"]
    for part in ("all", *PHASES.values()):
        rows = {name: told[part] for name, told in tellers.items() if part in told}
        if not rows:
            continue
        counts = next(iter(rows.values()))
        yield ""
        yield f"{part}: {counts['units']['count']} units, {counts['sets']['count']} sets"
        yield f"{'':18s} {'units':20s} {'sent':20s} {'nats':26s} {'sets':20s} {'top 3':20s} set nats"
        for name, told in rows.items():
            joint = shown(told["set nats"], share=False) if "set nats" in told else "-"
            yield (
                f"{name:18s} {shown(told['units']):20s} {shown(told['sent']):20s}"
                f" {shown(told['nats'], share=False):26s}"
                f" {shown(told['sets']):20s} {shown(told['top 3']):20s} {joint}"
            )
    for title, part in (("units of movement by year", "years"), ("units of movement by order", "orders")):
        names = list(dict.fromkeys(key for told in tellers.values() for key in told[part]))
        if not names:
            continue
        yield ""
        yield f"{title:24s} {'count':>7s}  " + " ".join(f"{name:20s}" for name in tellers)
        for key in names:
            found = [told[part].get(key, {"count": 0}) for told in tellers.values()]
            yield f"{key:24s} {found[0]['count']:7d}  " + " ".join(f"{shown(each):20s}" for each in found)
    if report["differences"]:
        yield ""
        yield f"units of movement: {next(iter(tellers))} less"
        for name, found in report["differences"].items():
            yield f"{name:18s} {shown({'count': 1, **found})}"


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
    """Run the command; its exit code."""
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
        "foretellers": {name: figures(each) for name, each in scored.items()},
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
