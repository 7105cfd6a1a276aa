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
from collections.abc import Mapping, Sequence
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


class Late(BordeauxError, TimeoutError):
    """A program or engine has not answered in time; the arena counts this as a stall."""


class Program(Chair):
    """A program in a process of its own; `command` is its command line, split as in a shell.

    An invalid answer raises BordeauxError, and the program is asked again in the next phase. A program that
    dies, or is more than `GRACE` seconds late, is ended. Every later call for orders raises BordeauxError
    with the reason (`Late` if it was late), and so does the constructor if the program does not get ready.
    The program and its child processes never outlive this process.
    """

    def __init__(self, seat: Seat, *, command: str) -> None:
        super().__init__(seat)
        words = read_command(command)
        self._name = quote(command, 200)
        self._requests = 0
        self._ended = ""
        self._fault: type[BordeauxError] = BordeauxError
        self._child = Child(words)
        try:
            self._child.send(json.dumps(self._setup()))
            self._answer("ready", time.monotonic() + STARTUP)
        except BaseException:
            self._child.close(kill=True)
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
        if self._ended:
            raise self._fault(self._ended)
        self._requests += 1
        request = {"type": "orders", "id": self._requests, "power": self.seat.power}
        request |= {"phase": str(position.phase), "position": position.to_json()}
        self._child.send(json.dumps(request | limit._asdict()))
        allowed = PATIENCE if limit.time is None else limit.time + GRACE
        answer = self._answer("orders", time.monotonic() + allowed)
        return self._checked(position, answer.get("orders"))

    def observe(self, turn: Turn) -> None:
        """Tell the program of a phase, without waiting for it."""
        if not self._ended:
            states = {"before": turn.before.to_json(), "after": turn.after.to_json()}
            self._child.send(json.dumps({"type": "turn", "orders": _texts(turn.orders)} | states))

    def close(self) -> None:
        """Ask the program to end, and end it after a second."""
        if not self._ended:
            self._ended = f"program {self._name} has been closed"
            self._child.send(json.dumps({"type": "close"}))
        self._child.close()

    def _answer(self, kind: str, deadline: float) -> dict[str, Any]:
        """The next answer of a kind, with the id of the last request if it needs one."""
        while True:
            try:
                line = self._child.receive(deadline)
            except TimeoutError:
                raise self._end("stalled and was stopped: no answer in time", Late) from None
            except EOFError:
                raise self._end(self._child.obituary()) from None
            except ValueError as error:
                raise self._rubbish(str(error)) from None
            try:
                answer = json.loads(line)
            except (ValueError, RecursionError):
                raise self._rubbish(f"{quote(line.decode(errors='replace'))} is no JSON") from None
            if not isinstance(answer, dict) or answer.get("type") not in ("ready", "orders", "info"):
                raise self._rubbish(f"{quote(line.decode(errors='replace'))} is no answer of this protocol")
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
        return BordeauxError(f"program {self._name}: {what}")

    def _end(self, fate: str, fault: type[BordeauxError] = BordeauxError) -> BordeauxError:
        self._ended, self._fault = f"program {self._name} {fate}", fault
        self._child.close(kill=True)
        return fault(self._ended)


def _texts(orders: Mapping[str, Sequence[Order | str]]) -> dict[str, list[str]]:
    return {power: [str(order) for order in given] for power, given in orders.items()}
