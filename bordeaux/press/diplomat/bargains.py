"""Bargains: promises by which two powers both gain over the result without a deal.

The engine searches for both powers. Their sets form a game of two, in which the others play as expected.
The value of the game without press is the baseline. A deal requires some orders, or forbids some. Its value
is that of the game restricted to sets that keep it. So a promise counts by what it changes, and not by what
the other units would do anyway (`bordeaux.press.diplomat.haggling`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.haggling import LEAST, MOST, NODES, SEARCHED, Bargain, Haggling
from bordeaux.press.diplomat.hindsight import searched
from bordeaux.press.diplomat.joint import reach
from bordeaux.search.agreements import Agreement
from bordeaux.search.request import Limit, Request

__all__ = ["LEAST", "MOST", "NODES", "Bargain", "bargains", "requests"]


def bargains(
    engine: Engine,
    position: Position,
    power: str,
    partner: str,
    *,
    agreements: Iterable[Agreement] = (),
    previous: Mapping[str, Iterable[str | Order]] | None = None,
    nodes: int = NODES,
    most: int = MOST,
    least: float = LEAST,
) -> list[Bargain]:
    """Deals by which `power` and `partner` both gain at least so many points, the best for the one who gains
    less first, at most so many.

    None outside movement phases, and none, at once, where no unit of one could come where one of the other
    could. `agreements` are kept, `previous` are the orders of the movement phase before. About so many
    `nodes` are spent, and the same call finds the same. Raises what `Request` raises.
    """
    haggling = _haggling(engine, position, (power, partner), agreements, previous, nodes)
    return haggling.bargains(most, least) if haggling is not None else []


def requests(
    engine: Engine,
    position: Position,
    power: str,
    partner: str,
    *,
    agreements: Iterable[Agreement] = (),
    previous: Mapping[str, Iterable[str | Order]] | None = None,
    nodes: int = NODES,
    most: int = MOST,
    least: float = LEAST,
) -> list[Bargain]:
    """Single favours that `power` could ask of `partner`, and repay at another time: one help, with the order
    of ours that it is for. `gain_theirs` is what it costs the partner, mostly below 0; the favours that are
    worth most beyond their cost come first. All else is as for `bargains`."""
    haggling = _haggling(engine, position, (power, partner), agreements, previous, nodes)
    return haggling.requests(most, least) if haggling is not None else []


def _haggling(
    engine: Engine,
    position: Position,
    pair: tuple[str, str],
    agreements: Iterable[Agreement],
    previous: Mapping[str, Iterable[str | Order]] | None,
    nodes: int,
) -> Haggling | None:
    """The search for both powers, and what deals can be made of it; None where there cannot be any."""
    powers = position.map.power(pair[0]), position.map.power(pair[1])
    if position.phase.kind != "M" or not reach(position, powers[0]) & reach(position, powers[1]):
        return None
    limit = Limit(nodes=max(1, int(SEARCHED * nodes)))
    request = Request(position, powers, limit, agreements=agreements, previous=previous)
    return Haggling(searched(engine, request), powers, tuple(request.agreements), nodes)
