"""An engine of any commit of Bordeaux as an opponent: speaks the protocol of `bordeaux/players/program.py`.

    PYTHON tools/older_adapter.py [--nodes N] [--time S] [--without a+b] [--processor] [--check]

`PYTHON` is the interpreter of an environment with that build of Bordeaux; ``tools/older.py`` makes one and
prints the whole command. The script needs only what every build since the first has: positions in JSON and
``Engine(seed=...).search(position, power, ...)``. Features of later builds are used if present: such builds
receive the phases that have been played.

`--nodes` and `--time` (seconds) are limits for every phase. If the game sets one of the same kind, the
lower applies. Without any limit it is 20,000 nodes. `--without` names ideas that the engine leaves out.
With `--processor` seconds are processor time of this program instead of wall-clock time, which is fair on a
busy machine. Then give the time here, and not to the game, which stops late players by the wall clock. Give
the game a number of nodes that is never reached, since it has a default time otherwise. The engine of this
very commit uses the same clock with ``tools/older.py HEAD --processor``. `--check` only reports whether the
build works.
"""

from __future__ import annotations

import argparse
import inspect
import json
import random
import sys
import time
from typing import Any

NODES = 20_000


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """The options; an invalid one ends the program with exit code 2."""
    parser = argparse.ArgumentParser(description="An older Bordeaux as an opponent in the arena.")
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--time", type=float)
    parser.add_argument("--without", default="")
    parser.add_argument("--processor", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args(arguments)
    for name in ("nodes", "time"):
        value = getattr(given, name)
        if value is not None and not 0 < value < float("inf"):
            parser.error(f"--{name} must be a positive number, not {value}")
    return given


def by_processor() -> None:
    """Let all clocks of a search show processor time from now on."""
    time.monotonic = time.perf_counter = time.process_time


class Opponent:
    """An engine in one seat. `setup` is the first line from the game."""

    def __init__(self, setup: dict[str, Any], given: argparse.Namespace) -> None:
        from bordeaux import Engine, Map

        if "mdf" in setup:
            raise SystemExit(f"map {setup['map']} does not come with this build")
        chance = random.Random(f"{setup['seed']} {setup['power']}")
        rest: dict[str, Any] = {}
        if given.without:
            parameters = inspect.signature(Engine).parameters
            # Builds with a config take each of its settings by name.
            if "without" not in parameters and "settings" not in parameters:
                raise SystemExit("this build cannot leave ideas out: no --without")
            rest["without"] = given.without.split("+")
        self._map = Map.load(setup["map"])
        self._engine = Engine(seed=chance.getrandbits(32), map=self._map, **rest)
        self._power = setup["power"]
        self._limits = {"time": given.time, "nodes": given.nodes}
        self._previous: dict[str, list[str]] = {}

    def orders(self, request: dict[str, Any]) -> list[str]:
        """Orders for a phase, within the lower of both limits."""
        limits: dict[str, Any] = {
            name: min((limit for limit in (own, request[name]) if limit is not None), default=None)
            for name, own in self._limits.items()
        }
        if not any(limits.values()):
            limits["nodes"] = NODES
        answer = self._engine.search(
            self._position(request["position"]), self._power, previous=self._previous, **limits
        )
        return [str(order) for order in answer.orders]

    def observe(self, turn: dict[str, Any]) -> None:
        """Store the orders of a movement phase, and tell them to an engine that learns from them."""
        position = self._position(turn["before"])
        if position.phase.kind != "M":
            return
        self._previous = turn["orders"]
        if hasattr(self._engine, "observe"):
            self._engine.observe(position, turn["orders"])

    def close(self) -> None:
        """Close the engine."""
        self._engine.close()

    def _position(self, state: dict[str, Any]) -> Any:
        from bordeaux import Position

        return Position.from_json(state, self._map)


def say(message: dict[str, Any]) -> None:
    """Send one line to the game at once."""
    print(json.dumps(message), flush=True)


def main() -> None:
    """Play until the game closes."""
    given = options()
    if given.check:
        from bordeaux import Engine, Position

        with Engine() as engine:
            engine.search(Position.start(), "FRANCE", nodes=100)
        return
    if given.processor:
        by_processor()
    opponent = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "setup":
            opponent = Opponent(message, given)
            say({"type": "ready"})
        elif kind == "close" or opponent is None:
            break
        elif kind == "orders":
            say({"type": "orders", "id": message["id"], "orders": opponent.orders(message)})
        elif kind == "turn":
            opponent.observe(message)
    if opponent is not None:
        opponent.close()


if __name__ == "__main__":
    main()
