"""Tournaments of a few short games, and what of their results does not depend on the clock."""

from typing import Any

QUICK = ("--nodes", "10", "--until", "1902", "--processes", "1")


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """What the command gives in JSON, without what depends on the clock."""
    players = {
        name: {key: value for key, value in player.items() if "second" not in key}
        for name, player in answer["players"].items()
    }
    return {**answer, "players": players, "seconds": 0, "overhead": 0}
