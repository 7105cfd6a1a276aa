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
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

import click

from bordeaux.arena.statistics import Interval, bootstrap, paired_bootstrap
from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind
from bordeaux.cli.options import MOST_NODES, between, json_option, whole
from training.cases import KINDS, Asked, Key, key_of, kind_name, place_of, sampled
from training.command import Command, Several, seed_option, summary_of
from training.foretellers import FORETELLERS, Forecast, create
from training.split import PARTS

#: The last year with a row of its own.
LATE = 1912
PHASES = {"M": "movement", "R": "retreats", "A": "adjustments"}
GROUPS = {
    "years": "units of movement by year",
    "orders": "units of movement by order",
    "results": "units of movement by end",
}
"""Groups of units with figures of their own, and their titles."""


class Unit(NamedTuple):
    """One order: whether it was the first choice, its log probability, its kind, and whether it was sent or
    is a default. Also the probability of the first choice, and whether the first choice given known orders
    was right; None if unavailable."""

    hit: bool
    log: float
    kind: str
    sent: bool
    sure: float | None = None
    beside: bool | None = None


class Case(NamedTuple):
    """One power in one phase: its units, whether the most probable set or one of the best three was ordered,
    and the log probability of the actual set. Also its number of centres at the end of the game."""

    game: str
    phase: str
    units: tuple[Unit, ...]
    whole: bool
    among: bool
    log: float | None
    result: int = 0

    @property
    def kind(self) -> str:
        """The kind of the phase."""
        return self.phase[-1]

    @property
    def year(self) -> int:
        """The year of the phase."""
        return int(self.phase[1:-1])


def interval(values: Sequence[float], games: Sequence[str], *, logs: bool = False) -> dict[str, Any]:
    """The mean with its interval, by resampling whole games, and their number."""
    if not values:
        return {"count": 0}
    # One game alone tells nothing about the spread of what has no bounds.
    alone = logs and len(set(games)) < 2
    mean = math.fsum(values) / len(values)
    resampled = (
        Interval(mean, -math.inf, 0.0)
        if alone
        else bootstrap([float(value) for value in values], groups=games, bounds=None if logs else (0.0, 1.0))
    )
    return {"count": len(values), **resampled.to_json()}


def figures(cases: Sequence[Case]) -> dict[str, Any]:
    """All figures of one predictor: those of all kinds of phases together and of each. For movement they have
    the share of units by year, by kind of order and by the end of the power, and the calibration of the first
    choice."""
    movement = [case for case in cases if case.kind == "M"]

    def grouped(name: Callable[[Case, Unit], str]) -> dict[str, Any]:
        hits: dict[str, list[tuple[bool, str]]] = {}
        for case in movement:
            for unit in case.units:
                hits.setdefault(name(case, unit), []).append((unit.hit, case.game))
        return {
            key: interval([hit for hit, _ in rows], [game for _, game in rows])
            for key, rows in sorted(hits.items())
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
        "results": grouped(lambda case, unit: _end(case.result)),
        "reliability": _reliability([unit for case in movement for unit in case.units]),
    }


def _end(centres: int) -> str:
    """The end of a power, by its centres."""
    for least, name in ((18, "solo"), (12, "12 to 17"), (6, "6 to 11"), (1, "1 to 5")):
        if centres >= least:
            return name
    return "eliminated"


def _reliability(units: Sequence[Unit]) -> dict[str, Any]:
    """By tenths of the probability of the first choice: the number of units, the mean probability, and the
    frequency of the first choice."""
    parts: dict[int, list[tuple[float, bool]]] = {}
    for unit in units:
        if unit.sure is not None:
            parts.setdefault(min(9, int(10 * unit.sure)), []).append((unit.sure, unit.hit))
    return {
        f"{part / 10:.1f}": {
            "count": len(rows),
            "foretold": math.fsum(sure for sure, _ in rows) / len(rows),
            "came": sum(hit for _, hit in rows) / len(rows),
        }
        for part, rows in sorted(parts.items())
    }


def _whole(cases: Sequence[Case]) -> dict[str, Any]:
    hits = [(unit.hit, unit.log, case.game) for case in cases for unit in case.units]
    games = [game for *_, game in hits]
    of_sets = [case.game for case in cases]
    sent = [(unit.hit, case.game) for case in cases for unit in case.units if unit.sent]
    measures: dict[str, Any] = {
        "units": interval([hit for hit, *_ in hits], games),
        "sent": interval([hit for hit, _ in sent], [game for _, game in sent]),
        "nats": interval([log for _, log, _ in hits], games, logs=True),
        "sets": interval([case.whole for case in cases], of_sets),
        "top 3": interval([case.among for case in cases], of_sets),
    }
    beside = [(unit.beside, case.game) for case in cases for unit in case.units if unit.beside is not None]
    if beside:
        measures["beside"] = interval([hit for hit, _ in beside], [game for _, game in beside])
    known = [case for case in cases if case.log is not None and case.units]
    if known:
        counts = [len(case.units) for case in known]
        logs = [case.log / len(case.units) for case in known if case.log is not None]
        # A power weighs as much as it has units, so that this is a mean over units as well.
        nats = bootstrap(logs, groups=[case.game for case in known], weights=counts, bounds=None)
        measures["set nats"] = {"count": sum(counts), **nats.to_json()}
    return measures


def shown(measure: dict[str, Any], *, share: bool = True) -> str:
    """A figure with its interval."""
    if not measure["count"]:
        return "-"
    mean, low, high = (measure[end] * (100 if share else 1) for end in ("mean", "low", "high"))
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
        rows = {name: measures[part] for name, measures in tellers.items() if part in measures}
        if not rows:
            continue
        counts = next(iter(rows.values()))
        yield ""
        yield f"{part}: {counts['units']['count']} units, {counts['sets']['count']} sets"
        titles = f"{'units':20s} {'sent':20s} {'nats':26s} {'sets':20s} {'top 3':20s} {'beside':20s}"
        yield f"{'':18s} {titles} set nats"
        for name, measures in rows.items():
            joint = shown(measures["set nats"], share=False) if "set nats" in measures else "-"
            yield (
                f"{name:18s} {shown(measures['units']):20s} {shown(measures['sent']):20s}"
                f" {shown(measures['nats'], share=False):26s}"
                f" {shown(measures['sets']):20s} {shown(measures['top 3']):20s}"
                f" {shown(measures.get('beside', {'count': 0})):20s} {joint}"
            )
    for part, title in GROUPS.items():
        names = list(dict.fromkeys(key for measures in tellers.values() for key in measures[part]))
        if not names:
            continue
        yield ""
        yield f"{title:24s} {'count':>7s}  " + " ".join(f"{name:20s}" for name in tellers)
        for key in names:
            column = [measures[part].get(key, {"count": 0}) for measures in tellers.values()]
            yield f"{key:24s} {column[0]['count']:7d}  " + " ".join(
                f"{shown(measure):20s}" for measure in column
            )
    for name, measures in tellers.items():
        if measures["reliability"]:
            yield ""
            yield f"first choices of {name} in movement   count  foretold    came"
            for rows in measures["reliability"].values():
                yield f"{'':32s} {rows['count']:9d} {100 * rows['foretold']:9.1f} {100 * rows['came']:7.1f}"
    if report["differences"]:
        yield ""
        yield f"units of movement: {next(iter(tellers))} less"
        for name, difference in report["differences"].items():
            yield f"{name:18s} {shown({'count': 1, **difference})}"


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
    "--what", default="dumbbot", metavar="NAMES", help=f"Foretellers, with commas: {', '.join(FORETELLERS)}."
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
