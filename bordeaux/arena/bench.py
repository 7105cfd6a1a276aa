"""`bordeaux bench`: a fixed set of searches, their speed, and a signature of the results of each search.

A signature changes exactly when the behaviour of its search changes. It is a digest of the orders and values
found under node limits, and of the nodes used. Speeds are of one core, and of the default search.
"""

from __future__ import annotations

import functools
import hashlib
import json
import struct
import time
from collections.abc import Sequence
from importlib import resources
from typing import Any

import numpy as np

from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.search.config import LEARNT, SEARCHES, SearchConfig
from bordeaux.search.sets import from_orders

NODES = 20_000
QUICK_NODES = 2_000
#: Seconds of measurement for each rate.
MEASURE = 1.0
QUICK_MEASURE = 0.2


@functools.cache
def positions() -> tuple[tuple[Position, dict[str, list[str]]], ...]:
    """The positions of the benchmark, each with orders of all powers, in all kinds of phases."""
    records = json.loads((resources.files("bordeaux.arena") / "data" / "bench.json").read_text("utf-8"))
    return tuple((Position.from_json(record["state"]), record["orders"]) for record in records)


def run(*, quick: bool = False) -> dict[str, Any]:
    """The figures of ``bordeaux bench``: signature (of the default search), signatures (of each, by name),
    nodes, nodes_per_second (a node is one adjudication and evaluation for one power, in the course of a
    search), adjudications_per_second (in batches, packed in and out), positions."""
    table = positions()
    nodes = QUICK_NODES if quick else NODES
    searched = {name: _searches(table, nodes, SearchConfig(name)) for name in SEARCHES}
    digest, spent, seconds = searched[LEARNT]
    return {
        "signature": digest,
        "signatures": {name: result[0] for name, result in searched.items()},
        "nodes": spent,
        "nodes_per_second": round(spent / seconds),
        "adjudications_per_second": round(_adjudicated(table, QUICK_MEASURE if quick else MEASURE)),
        "positions": len(table),
    }


def signatures(*, quick: bool = False) -> dict[str, str]:
    """The signatures alone, by the name of the search."""
    nodes = QUICK_NODES if quick else NODES
    return {name: _searches(positions(), nodes, SearchConfig(name))[0] for name in SEARCHES}


def _searches(
    table: Sequence[tuple[Position, dict[str, list[str]]]], nodes: int, config: SearchConfig
) -> tuple[str, int, float]:
    """Search every position for all powers: (signature, nodes spent, seconds)."""
    digest = hashlib.sha256()
    spent = 0
    with Engine(seed=0, config=config) as engine:
        begun = time.perf_counter()
        for position, _ in table:
            answers = engine.search_all(position, nodes=nodes)
            spent_here = max(answer.nodes for answer in answers.values())
            spent += spent_here
            digest.update(f"{position.phase} {spent_here}\n".encode())
            for answer in answers.values():
                digest.update(f"{answer.power} {'; '.join(answer.orders)} {answer.value:.4f}\n".encode())
        seconds = time.perf_counter() - begun
    return digest.hexdigest()[:8], spent, seconds


def _adjudicated(table: Sequence[tuple[Position, dict[str, list[str]]]], seconds: float) -> float:
    """The movement phases adjudicated per second, in the best of several runs."""
    states, orders, starts = [], b"", [0]
    for position, given in table:
        if position.phase.kind != "M":
            continue
        codes = b"".join(from_orders(position, power, listed) for power, listed in given.items())
        for _ in position.map.powers:
            states.append(np.frombuffer(position.packed.tobytes(), dtype=np.uint8))
            orders += codes
            starts.append(len(orders) // struct.calcsize("Q"))
    packed, begins = np.stack(states), np.array(starts, dtype=np.int64)
    codes_array, out = np.frombuffer(orders, dtype=np.uint64), np.zeros_like(packed)
    best = 0.0
    for _ in range(5):
        begun, calls = time.perf_counter(), 0
        while (spent := time.perf_counter() - begun) < seconds / 5:
            adjudicate_many(Map.standard().tables, packed, begins, codes_array, out)
            calls += 1
        best = max(best, calls * len(packed) / spent)
    return best
