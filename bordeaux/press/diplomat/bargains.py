"""Bargains: promises by which two powers both gain over the result without a deal.

The engine searches for both powers. Their sets form a two-player game, in which the others play as expected.
The value of the game without press is the baseline. A deal requires or forbids some orders. Its value is that
of the game restricted to sets that keep it. So a promise counts only by what it changes
(`bordeaux.press.diplomat.haggling`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.haggling import LEAST, MOST, NODES, SEARCHED, Bargain, Haggling
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
    """Deals by which `power` and `partner` both gain at least `least` points, at most `most` of them, sorted
    by the smaller of the two gains.

    Empty outside movement phases, and, without a search, if no unit of one power can reach a province that
    one of the other can reach. `agreements` are kept, `previous` are the orders of the movement phase before.
    About `nodes` nodes are used, and equal calls give equal results. Raises what `Request` raises.
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
    """Single favours that `power` can ask of `partner`, and repay at another time: one support or convoy,
    with the order of ours that it helps. `gain_theirs` is its cost to the partner, usually negative. The
    favours with the largest value beyond their cost come first. All else is as for `bargains`."""
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
    """The search for both powers, ready for deals; None if there cannot be any."""
    powers = position.map.power(pair[0]), position.map.power(pair[1])
    if position.phase.kind != "M" or not reach(position, powers[0]) & reach(position, powers[1]):
        return None
    limit = Limit(nodes=max(1, int(SEARCHED * nodes)))
    request = Request(position, powers, limit, agreements=agreements, previous=previous)
    return Haggling(engine.pools(request), powers, tuple(request.agreements), nodes)
