"""Prints what the search finds for the positions of the benchmark; run by Python and by Pyodide."""

import json
import time

from bordeaux import Engine
from bordeaux.arena.bench import positions

begun, found, spent = time.perf_counter(), [], 0
with Engine(seed=0) as engine:
    for position, _ in positions():
        answers = engine.search_all(position, nodes=500)
        found.append(
            {
                power: [list(answer.orders), round(answer.value, 9), answer.nodes]
                for power, answer in answers.items()
            }
        )
        spent += max(answer.nodes for answer in answers.values())
seconds = time.perf_counter() - begun
print(json.dumps({"found": found, "nodes": spent, "seconds": seconds}))
