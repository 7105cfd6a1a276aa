"""The figures of forecasts, compared with people's orders (`training.foretell`), and the report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from bordeaux.arena.statistics import Interval, bootstrap

__all__ = ["Case", "Unit", "figures", "lines"]

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
