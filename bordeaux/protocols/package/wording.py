"""Conversion between the package's data and DAIDE's messages, and orders in the package's notation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate

__all__ = ["hello", "order_text", "played_in", "result_of", "seconds_left"]

#: Deadlines of the package come in steps of a second, and the first step may end at once.
STEP = 1
#: The largest DAIDE number: longer deadlines count as so many seconds.
MOST = 8191
PASSCODE = 0
_RESULTS = {
    "void": "NSO",
    "bounce": "BNC",
    "cut": "CUT",
    "no convoy": "DSR",
    "disrupted": "DSR",
    "dislodged": "RET",
    "disband": "RET",
}


def hello(token: str, level: int, deadline: int) -> d.HLO:
    """The beginning of a game for a power, with press up to a level, and seconds for a phase (0: none)."""
    options = [d.Option("LVL", level)]
    if deadline:
        limit = min(max(1, deadline - STEP), MOST)
        options += [d.Option(kind, limit) for kind in ("MTL", "RTL", "BTL")]
    return d.HLO(token, PASSCODE, tuple(options))


def seconds_left(schedule: Any) -> int:
    """Seconds to the deadline of the server's schedule, minus one step; may be 0."""
    left = (schedule.time_added + schedule.delay - schedule.current_time) * schedule.time_unit - STEP
    return min(int(left), MOST)


def order_text(value: d.Order, map: Map) -> str:
    """An order in the package's notation: a convoyed move does not name its seas."""
    return str(translate.order_of(value, map)[1]._replace(route=()))


def played_in(before: Position, data: Any) -> Iterator[d.ORD]:
    """The orders of a phase in the package's data, with their results. Orders that DAIDE cannot express had
    no effect, and are omitted."""
    turn = translate.turn_of(before.phase)
    for power, orders in data.orders.items():
        for text in orders or ():
            try:
                order = parse_order(text, before.map, before)
                value = translate.value_of(order, before.map.power(power), before)
            except (BordeauxError, KeyError):
                continue
            yield d.ORD(turn, value, _result(map(str, data.results.get(" ".join(text.split()[:2]), ()))))


def _result(words: Iterable[str]) -> tuple[str, ...]:
    """The result in the form of ORD: the result of the order, then whether the unit was dislodged."""
    tokens = [_RESULTS[word] for word in words if word in _RESULTS]
    first = [token for token in tokens if token != "RET"][:1]
    return (*first, *(["RET"] if "RET" in tokens else [])) or ("SUC",)


def result_of(note: str, map: Map) -> d.SLO | d.DRW:
    """The result in the note of a finished game, ``Victory by: FRA, GER``: a solo, or a draw of the named
    powers, or of all survivors if none is named."""
    named = note.partition(":")[2].replace(",", " ").split()
    winners = [map.tags[power] for power in map.powers if any(power.startswith(name) for name in named)]
    return d.SLO(winners[0]) if len(winners) == 1 else d.DRW(tuple(winners))
