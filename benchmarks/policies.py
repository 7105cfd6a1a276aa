"""The cost of fast policies and values on one core, in microseconds, side by side in one run.

    python benchmarks/policies.py [--policies dumbbot,crude,people,people-wide] [--seconds S] [--rounds N]
                                  [--weights FILE] [--value FILE] [--json]

Measured on the two movement positions of 34 units of `bordeaux bench`, alternately, so that nothing is cached
from the call before:

- a joint phase: the orders of all seven powers, one after the other, by each policy; `nobody` is a policy
  without orders, which shows the overhead of calls from Python that is part of all other figures;
- a phase of a rollout: the cost of a movement phase with the retreats and builds after it, with orders of all
  powers by each policy;
- a value of one position for all seven powers: of the hand-made evaluation, of the learnt prospect, and of
  the value net of a file (`--value`).

Every figure is the fastest of `--rounds` runs of `--seconds` seconds of processor time, with the rows
interleaved.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

import click

from bordeaux import Map, Position
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.arena.bench import positions
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import json_option, seconds, whole
from bordeaux.cli.program import Script
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.prospect import learnt_value, prospect_value
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT
from bordeaux.policy.net import WIDE, load_net
from bordeaux.policy.people import People

UNITS = 34
#: Movement phases of a rollout, and rollouts of one call.
MOVEMENTS, SAMPLES = 4, 8

Measure = Callable[[], int]
"""Does some work, and returns the number of pieces."""


def full_positions() -> list[Position]:
    """The movement positions of `bordeaux bench` with all units that the map has centres for."""
    movements = [position for position, _ in positions() if position.phase.kind == "M"]
    return [position for position in movements if len(position.units) == UNITS]


def joint(chooser: Chooser, where: Sequence[Position]) -> Measure:
    """Orders of all powers, position after position."""
    powers = range(len(where[0].map.powers))
    packed = [position.packed for position in where]

    def run() -> int:
        for position in packed:
            for power in powers:
                chooser.orders(position, power)
        return len(packed)

    return run


def rollouts(chooser: Chooser, where: Sequence[Position]) -> Measure:
    """Phases of rollouts from every position, with other random numbers in each call."""
    rollout = Rollout(evaluator(where[0].map), chooser)
    seeds = list(range(SAMPLES))

    def run() -> int:
        for position in where:
            rollout.ends(position.packed, b"", MOVEMENTS, seeds)
        seeds[:] = [seed + SAMPLES for seed in seeds]
        # Nobody there is near a solo, which would end a rollout sooner.
        return len(where) * MOVEMENTS * SAMPLES

    return run


def values(valuer: Valuer, where: Sequence[Position]) -> Measure:
    """Points of all powers, position after position; a value for all powers at once is called once."""
    powers = range(len(where[0].map.powers))
    packed = [position.packed for position in where]
    judged = getattr(valuer, "judged", None)

    def run() -> int:
        for position in packed:
            if judged is not None:
                judged(position)
            else:
                for power in powers:
                    valuer.points(position, power)
        return len(packed)

    return run


def rows(names: Sequence[str], weights: str | None, value: str | None) -> dict[str, dict[str, Measure]]:
    """The measured items by kind and name. Raises BordeauxError for an unknown policy, and for weights that
    cannot be read."""
    map = Map.standard()
    where = full_positions()

    def people(name: str | None, *, names: bool = True) -> Chooser:
        return People(map, net=load_net(name or "people"), names=names).chooser

    policies: dict[str, Callable[[], Chooser]] = {
        "nobody": lambda: Chooser(map.tables),
        "dumbbot": lambda: DUMBBOT.chooser(map),
        "crude": lambda: WEAK_VARIANT.chooser(map),
        "people": lambda: people(weights),
        "people-wide": lambda: people(WIDE),
        "people-nameless": lambda: people(weights, names=False),
    }
    judges: dict[str, Valuer] = {"hand-made": evaluator(map), "prospect": prospect_value(map)}
    if value is not None:
        judges["value net"] = learnt_value(map, value)
    choosers: dict[str, Chooser] = {}
    for name in ("nobody", *filter(None, names)):
        if name not in policies:
            raise BordeauxError(f"no policy {name!r}; there are {', '.join(policies)}")
        choosers[name] = policies[name]()
    return {
        "joint phase": {name: joint(chooser, where) for name, chooser in choosers.items()},
        "rollout phase": {name: rollouts(chooser, where) for name, chooser in choosers.items()},
        "value": {name: values(judge, where) for name, judge in judges.items()},
    }


def fastest(measures: Sequence[Measure], seconds: float, rounds: int) -> list[float]:
    """Microseconds of a piece of each kind of work, the fastest of a number of interleaved runs."""
    best = [float("inf")] * len(measures)
    for measure in measures:
        measure()
    for _ in range(rounds):
        for number, measure in enumerate(measures):
            begun, pieces = time.process_time(), 0
            while (spent := time.process_time() - begun) < seconds:
                pieces += measure()
            best[number] = min(best[number], 1e6 * spent / pieces)
    return best


@click.command(cls=Script)
@click.option("--policies", default="dumbbot,crude,people,people-wide", metavar="A,B,...", help="Which.")
@click.option("--seconds", "span", type=seconds, default=0.3, metavar="S", help="How long a stretch lasts.")
@click.option("--rounds", type=whole(1, 10**6), default=5, metavar="N", help="Stretches of each.")
@click.option("--weights", metavar="FILE", help="Weights of the net, in place of those that are shipped.")
@click.option("--value", metavar="FILE", help="A value net to be measured too.")
@json_option
def main(
    policies: str, span: float, rounds: int, weights: str | None, value: str | None, as_json: bool
) -> None:
    """Measure what fast policies and values cost on one core, in microseconds."""
    measures = rows(policies.split(","), weights, value)
    all_measures = [measure for named in measures.values() for measure in named.values()]
    figures = iter(fastest(all_measures, span, rounds))
    by_kind = {kind: {name: next(figures) for name in named} for kind, named in measures.items()}
    if as_json:
        print(json.dumps({"microseconds": by_kind, "units": UNITS}))
        return
    print(f"microseconds on one core, {UNITS} units, seven powers")
    for kind, named in by_kind.items():
        base = named.get("dumbbot")
        for name, spent in named.items():
            beside = f"   {spent / base:5.2f} of dumbbot's" if base else ""
            print(f"{kind:14s} {name:16s} {spent:9.2f}{beside}")


if __name__ == "__main__":
    main()
