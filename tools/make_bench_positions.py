"""Makes bordeaux/bench/positions.json: positions and orders of a game of the engine against itself.

    python tools/make_bench_positions.py

The benchmark's signature changes with its positions, so this is run only on purpose.
"""

import json
from pathlib import Path

from bordeaux import Engine, Position

TARGET = Path(__file__).parent.parent / "bordeaux" / "bench" / "positions.json"
YEARS = 12
#: Every how many phases a position is kept.
EVERY = 2


def main() -> None:
    """Play, keep every second position, write beside and rename."""
    lines = []
    with Engine(seed=7) as engine:
        position = Position.start()
        number = 0
        while position.phase.kind != "-" and position.phase.year < 1901 + YEARS:
            found = engine.search_all(position, nodes=30_000)
            orders = {power: list(answer.orders) for power, answer in found.items() if answer.orders}
            if number % EVERY == 0:
                lines.append(json.dumps({"state": position.to_json(), "orders": orders}))
            position = position.next(orders)
            number += 1
    beside = TARGET.with_suffix(".part")
    beside.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
    beside.replace(TARGET)
    print(f"{len(lines)} positions in {TARGET.name}")


if __name__ == "__main__":
    main()
