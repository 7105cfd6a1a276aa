"""The saved game of a job, phase by phase, in the form of `bordeaux.formats.games`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bordeaux.arena.job import Job
from bordeaux.arena.sending import Sent
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.rules import adjudicate

__all__ = ["Recorder", "Watch"]

Watch = Callable[[dict[str, Any]], None]
"""Told about every phase that has been played, in the form of a saved game."""

RULES = ["NO_PRESS"]


class Recorder:
    """Keeps a game while it is played; `watch` is told about every phase.

    Orders that do not count are recorded after those that do, and are ``void``; what could not be read
    is left out.
    """

    def __init__(self, job: Job, map: Map, watch: Watch | None = None) -> None:
        self._job = job
        self._map = map
        self._watch = watch
        self._phases: list[dict[str, Any]] = []

    def add(self, position: Position, sent: Mapping[str, Sent]) -> None:
        """Record a phase that has been played."""
        results = adjudicate(position, {power: each.orders for power, each in sent.items()}).results
        ordered = {order.location for each in sent.values() for order in each.orders}
        for each in sent.values():
            for order in each.void:
                key = f"{order.unit} {order.location}".strip() or str(order)
                if order.location not in ordered and "void" not in results.setdefault(key, []):
                    results[key] = ["void", *results[key]]
        phase = {
            "name": str(position.phase),
            "state": position.to_json(),
            "orders": {
                power: [str(order) for order in (*each.orders, *each.void)] for power, each in sent.items()
            },
            "results": results,
        }
        self._phases.append(phase)
        if self._watch is not None:
            self._watch(phase)

    def game(self, last: Position, end: str) -> dict[str, Any]:
        """The saved game with the position that it ended in. `players`, `seed` and `end` are ours;
        other programs pass over them."""
        final = {"name": str(last.phase), "state": last.to_json(), "orders": {}, "results": {}}
        return {
            "id": f"{self._job.index}-{self._job.seed}",
            "map": self._map.name,
            "rules": RULES,
            "phases": [*self._phases, final],
            "players": dict(zip(self._map.powers, self._job.seats, strict=True)),
            "seed": self._job.seed,
            "end": end,
        }
