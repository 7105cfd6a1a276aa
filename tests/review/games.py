"""Small saved games for the tests of reviews."""

from collections.abc import Mapping, Sequence
from typing import Any

from bordeaux import Position, adjudicate
from bordeaux.board.code import as_bytes
from bordeaux.formats.games import Game, game_from_json
from bordeaux.search.sets import from_orders, in_full

#: Seventeen centres: one more is a victory.
TURKISH = ["ANK", "CON", "SMY", "BUL", "GRE", "SER", "RUM", "BUD", "VIE"]
TURKISH += ["TRI", "VEN", "ROM", "NAP", "TUN", "SEV", "MOS", "WAR"]
Sent = Mapping[str, Sequence[str]]


def saved(
    position: Position, *sent: Sent, messages: Mapping[int, Sequence[Mapping[str, Any]]] | None = None
) -> dict[str, Any]:
    """The game that phase after phase of orders makes from a position, as it is saved."""
    phases = []
    for number, orders in enumerate(sent):
        given = {power: list(orders.get(power, ())) for power in position.map.powers}
        resolution = adjudicate(position, given)
        phase = {"name": str(position.phase), "state": position.to_json(), "orders": given}
        phases.append(
            {**phase, "results": resolution.results, "messages": list((messages or {}).get(number, ()))}
        )
        position = resolution.after
    last = {"name": str(position.phase), "state": position.to_json(), "orders": {}, "results": {}}
    return {"id": "small", "map": position.map.name, "rules": [], "phases": [*phases, last]}


def letter(sender: str, recipient: str, message: str, time: float = 1) -> dict[str, Any]:
    """A letter of the first phase, as it is saved."""
    told = {"sender": sender, "recipient": recipient, "phase": "S1901M", "message": message}
    return {**told, "time_sent": time}


def game(position: Position, *sent: Sent, **rest: Any) -> Game:
    """The same, read."""
    return game_from_json(saved(position, *sent, **rest))


def whole(position: Position, power: str, orders: list[str]) -> bytes:
    return as_bytes(in_full(position, power, from_orders(position, power, orders)).values())
