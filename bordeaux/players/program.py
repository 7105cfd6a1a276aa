"""Any program as a player: a child process that reads and writes JSON, one object a line.

``docs/program.md`` specifies the lines. Positions and orders are in the forms of the PyPI package
``diplomacy`` (see `bordeaux.board.position`). ``setup`` comes first, and is answered by ``ready``.
``orders`` asks for the orders of a phase and is answered with its id. ``turn`` and ``close`` need no answer.
Lines of type ``info`` and late answers are ignored. The program's standard error is shown only in the
message about its death.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.daide import map_to_mdf
from bordeaux.players.base import Chair, Limit, Seat, Turn
from bordeaux.players.child import Child, read_command

PROTOCOL = 1
#: Seconds for the answer to setup, and for orders without a time limit.
STARTUP, PATIENCE = 10.0, 60.0
#: Seconds over the limit after which a program counts as stalled.
GRACE = 1.0


class Program(Chair):
    """A program in a process of its own; `command` is its command line, split as in a shell. An invalid
    answer raises BordeauxError, and the program is asked again in the next phase. A program that dies, or is
    more than `GRACE` seconds late, is ended (`Child`), also if it does not get ready. The program and its
    child processes never outlive this process."""

    def __init__(self, seat: Seat, *, command: str) -> None:
        super().__init__(seat)
        self._requests = 0
        self._child = Child(read_command(command), f"program {quote(command, 200)}")
        try:
            self._child.send(json.dumps(self._setup()))
            self._answer("ready", time.monotonic() + STARTUP)
        except BaseException:
            self._child.end("did not get ready")
            raise

    def _setup(self) -> dict[str, object]:
        map = self.seat.map
        setup: dict[str, object] = {"type": "setup", "protocol": PROTOCOL, "power": self.seat.power}
        setup |= {"powers": map.powers, "map": map.name, "seed": self.seat.seed}
        if map.name not in bundled_maps() or Map.load(map.name) is not map:
            setup["mdf"] = map_to_mdf(map)
        return setup

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The program's orders. Raises BordeauxError as described above."""
        self._requests += 1
        request = {"type": "orders", "id": self._requests, "power": self.seat.power}
        request |= {"phase": str(position.phase), "position": position.to_json()}
        self._child.send(json.dumps(request | limit._asdict()))
        allowed = PATIENCE if limit.time is None else limit.time + GRACE
        answer = self._answer("orders", time.monotonic() + allowed)
        return self._checked(position, answer.get("orders"))

    def observe(self, turn: Turn) -> None:
        """Tell the program of a phase, without waiting for it."""
        if not self._child.ended:
            states = {"before": turn.before.to_json(), "after": turn.after.to_json()}
            orders = {power: list(map(str, given)) for power, given in turn.orders.items()}
            self._child.send(json.dumps({"type": "turn", "orders": orders} | states))

    def close(self) -> None:
        """Ask the program to end, and end it after a second."""
        self._child.close(json.dumps({"type": "close"}))

    def _answer(self, kind: str, deadline: float) -> dict[str, Any]:
        """The next answer of a kind, with the id of the last request if it needs one."""
        while True:
            line = self._child.receive(deadline)
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                raise self._rubbish(f"{quote(line)} is no JSON") from None
            if not isinstance(answer, dict) or answer.get("type") not in ("ready", "orders", "info"):
                raise self._rubbish(f"{quote(line)} is no answer of this protocol")
            if answer["type"] == kind and (kind == "ready" or answer.get("id") == self._requests):
                return answer

    def _checked(self, position: Position, orders: object) -> list[Order]:
        if not isinstance(orders, list) or not all(isinstance(order, str) for order in orders):
            raise self._rubbish(f"orders {quote(orders)} are no list of texts")
        try:
            return [parse_order(order, position.map, position) for order in orders]
        except BordeauxError as error:
            raise self._rubbish(str(error)) from None

    def _rubbish(self, what: str) -> BordeauxError:
        return BordeauxError(f"{self._child.name}: {what}")
