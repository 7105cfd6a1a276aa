"""Players that misbehave, made by name in the processes of the arena: see `create`."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bordeaux.arena import guard
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players import registry
from bordeaux.players.base import Chair, Limit, Player, Seat, Turn
from bordeaux.players.hold_and_random import Hold

WHEN = "F1901M"

if "TROUBLE_GRACE" in os.environ:
    guard.GRACE = float(os.environ["TROUBLE_GRACE"])


def slow(seconds: float) -> list[str]:
    """No orders, after some seconds."""
    time.sleep(seconds)
    return []


class Trouble(Hold):
    """Holds, until in autumn of the first year it does what it is made for, every time it is asked."""

    def __init__(self, seat: Seat, act: Callable[[], Any]) -> None:
        super().__init__(seat)
        self.act = act

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        return self.act() if str(position.phase) == WHEN else super().orders(position, limit)


class Always(Chair):
    """Gives the same, whatever it is asked."""

    def __init__(self, seat: Seat, answer: Any) -> None:
        super().__init__(seat)
        self.answer = answer

    def orders(self, position: Position, limit: Limit) -> Any:
        return self.answer


class Watcher(Trouble):
    """Fails in `observe`, which is no place to give orders either."""

    orders = Hold.orders

    def observe(self, turn: Turn) -> None:
        if str(turn.before.phase) == WHEN:
            self.act()


RUBBISH = [
    "",
    "A PAR - MOON",
    "A PAR H please",
    "\ud800\0",
    None,
    7,
    b"A PAR H",
    ["A PAR H"],
    Order(OrderKind.MOVE),
    Order(OrderKind.MOVE, "A", "PAR", destination="MOS"),
    Order("H", None, 3),  # type: ignore[arg-type]
    Order(OrderKind.HOLD, "A", "PAR", route=[]),  # type: ignore[arg-type]
    "WAIVE",
    "A VEN H",
]


def crash() -> None:
    raise RuntimeError("lost my\nmarbles")


def leave() -> None:
    raise SystemExit(0)


def doze() -> list[str]:
    time.sleep(60)
    return []


def deafen() -> None:
    """Swallow every alarm, again and again."""
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(60)


def block() -> None:
    """Be as deaf as compiled code that never looks up."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    time.sleep(600)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def linger() -> None:
    """End as slowly as on a machine that has much else to do: the line is closed long before."""
    os.closerange(3, 256)
    time.sleep(1.5)
    os._exit(3)


def die_once(path: Path) -> list[str]:
    """Die only the first time of all, in whatever process."""
    if not path.exists():
        path.touch()
        die()
    return []


ACTS = {act.__name__: act for act in (crash, leave, doze, deafen, block, die, linger)}


def create(spec: str, seat: Seat) -> Player:
    """``trouble:ACT``, ``watch:ACT``, ``once-die:FILE``, ``slow:SECONDS``, ``never`` (cannot be made),
    ``exit`` (ends its process at once), ``printer``, ``rubbish``, or any other player."""
    name, _, rest = spec.partition(":")
    if name == "trouble":
        return Trouble(seat, ACTS[rest])
    if name == "watch":
        return Watcher(seat, ACTS[rest])
    if name == "once-die":
        return Trouble(seat, lambda: die_once(Path(rest)))
    if name == "never":
        crash()
    if name == "exit":
        os._exit(3)
    if name == "printer":
        print("hello from a player")
        return Hold(seat)
    if name == "rubbish":
        return Always(seat, RUBBISH)
    if name == "slow":
        return Trouble(seat, lambda: slow(float(rest)))
    return registry.create(spec, seat)
