"""Makes the recorded games of this folder: ``python tests/data/make.py``, which needs the test dependencies.

The games are played by players of ours, so that they are ours to give away. `selfplay.jsonl.gz` is
adjudicated and saved by the PyPI package ``diplomacy``, an engine that has nothing of ours in it: whole
states with retreats and results. `human.jsonl.gz` is what collections of people's games look like: units and
centres alone, powers that send nothing, armies that go by land where their VIA has no convoy.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from diplomacy import Game
from diplomacy.utils.export import to_saved_game_format

from bordeaux import Map, Position, adjudicate
from bordeaux.players.base import Limit, Seat
from bordeaux.players.registry import create
from bordeaux.rules.rulesets import LAND_ROUTE

FOLDER = Path(__file__).parent
POWERS = Map.standard().powers
PLAYERS = ("dumbbot", "random", "diplominator", "dumbbot-weak", "haai-berserk", "random", "manchi-attack")
SELFPLAY, HUMAN = 8, 40
LAST = 1912
SILENT = 0.05
"""How often a power of a game of people sends nothing."""


def players(chance: random.Random) -> dict[str, Any]:
    """A player for every power."""
    specs = chance.sample(PLAYERS, len(PLAYERS))
    map = Map.standard()
    return {
        power: create(spec, Seat(power, map, seed=chance.randrange(1 << 30)))
        for power, spec in zip(POWERS, specs, strict=True)
    }


def wish(chance: random.Random, order: str) -> str:
    """The order; now and then an army's move with VIA, be there a convoy or none."""
    walks = order.startswith("A ") and " - " in order and " S " not in order and not order.endswith("VIA")
    return f"{order} VIA" if walks and chance.random() < 0.03 else order


def selfplay(number: int) -> dict[str, Any]:
    """A game that the package keeps."""
    chance = random.Random(number)
    seated, game = players(chance), Game()
    while not game.is_game_done and int(game.get_current_phase()[1:5]) <= LAST:
        position = Position.from_json(game.get_state())
        for power, player in seated.items():
            game.set_orders(power, [str(order) for order in player.orders(position, Limit(None, 10))])
        game.process()
    saved = to_saved_game_format(game)
    return {key: saved[key] for key in ("id", "map", "rules", "phases")} | {"id": f"selfplay_{number}"}


def human(number: int) -> dict[str, Any]:
    """A game as collections of people's games have it."""
    chance = random.Random(1000 + number)
    seated, position, phases = players(chance), Position.start(), []
    while position.phase.kind != "-" and position.phase.year <= LAST:
        orders = {}
        for power, player in seated.items():
            given = [str(order) for order in player.orders(position, Limit(None, 10))]
            sends = position.phase.kind != "M" or chance.random() >= SILENT
            orders[power] = [wish(chance, order) for order in given] if sends else []
        state = position.to_json()
        phases.append(
            {
                "name": state["name"],
                "state": {"units": state["units"], "centers": state["centers"]},
                "orders": orders,
            }
        )
        position = adjudicate(position, orders, LAND_ROUTE).after
    return {"id": f"people_{number}", "map": "standard", "phases": phases}


def write(name: str, games: Iterator[dict[str, Any]]) -> None:
    """Write games, one a line."""
    lines = "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games)
    (FOLDER / name).write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    write("selfplay.jsonl.gz", map(selfplay, range(SELFPLAY)))
    write("human.jsonl.gz", map(human, range(HUMAN)))
