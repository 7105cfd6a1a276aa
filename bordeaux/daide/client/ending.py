"""The end of a game, as a client saw it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Ending"]


class Ending(NamedTuple):
    """The end of a game.

    `kind` is ``solo``, ``draw`` or ``off`` (the server dismissed its clients before a result). `powers` are
    the winner or those who share the draw; `power` is our own, None if we had none yet. `phase` is the last
    one seen, `centres` the number of centres of every power then. `names` are the names and versions of all
    players, which a server gives at the end.
    """

    kind: str
    powers: tuple[str, ...]
    power: str | None
    phase: str
    centres: Mapping[str, int]
    names: Mapping[str, str]

    def __str__(self) -> str:
        ours = "" if self.power is None else f"; {self.power} has {self.centres.get(self.power, 0)} centres"
        match self.kind:
            case "solo":
                return f"{self.powers[0]} wins alone in {self.phase}{ours}"
            case "draw":
                return f"a draw of {', '.join(self.powers)} in {self.phase}{ours}"
        return f"the server ended the game in {self.phase or 'its lobby'}{ours}"

    def to_json(self) -> dict[str, Any]:
        """The ending as plain values."""
        return {
            "ending": self.kind,
            "powers": list(self.powers),
            "power": self.power,
            "phase": self.phase,
            "centres": dict(self.centres),
            "names": dict(self.names),
        }
