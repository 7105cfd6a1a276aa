"""Orders in requests, read and checked; those of the line to a node; and those that people would give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bordeaux.board import pieces
from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.engine import Engine
from bordeaux.formats.games import Played, readable
from bordeaux.studies.study import Orders, Study, order_texts

MOST_ORDERS = 300
"""Orders of a power that one request may hold; a map has at most 255 provinces."""
LONGEST_ORDER = 200


def given_orders(position: Position, given: object) -> Orders:
    """The orders of a request by power, for a position. They must be readable, but may be illegal.

    Raises FormatError, MapError or OrderError.
    """
    lists = pieces.table(given, "orders by power")
    orders: dict[str, list[str]] = {}
    for name, items in lists.items():
        power = position.map.power(name)
        orders.setdefault(power, []).extend(_listed([] if items is None else items, f"orders of {power}"))
    return order_texts(position, orders)


def _listed(items: object, name: str) -> list[str]:
    """The texts of a list of orders in a request. Raises FormatError."""
    texts = pieces.string_list(items, name)
    if len(texts) > MOST_ORDERS:
        raise FormatError(f"{name}: more than {MOST_ORDERS}; no phase has that many")
    return texts


def legal_set(
    position: Position, power: str, texts: object, name: str, *, lenient: bool = False
) -> tuple[Order, ...]:
    """The orders of a power from a request, under the `name` that they have in it. If `lenient`, illegal and
    unreadable ones are omitted. Raises FormatError or OrderError."""
    legal_orders = []
    for text in _listed(texts, f"{name!r}"):
        try:
            order = parse_order(text, position.map, position)
        except BordeauxError:
            if not lenient:
                raise
            continue
        submission = submit(position, {power: [order]})
        if not lenient:
            submission.legal()
        if not submission.orders[0].fault:
            legal_orders.append(order)
    return tuple(legal_orders)


def legal_draft(position: Position, given: Mapping[str, Any]) -> tuple[Orders, list[dict[str, str]]]:
    """The legal orders of a request, by power, and the errors of the others.

    Raises FormatError or MapError if they are not lists of texts by power.
    """
    faults: list[dict[str, str]] = []
    draft: Orders = {}
    for name, items in given.items():
        power = position.map.power(name)
        read = []
        for text in _listed([] if items is None else items, f"orders of {power}"):
            try:
                read.append(parse_order(text, position.map, position))
            except BordeauxError as error:
                faults.append({"power": power, "order": text[:200], "why": str(error)})
        for submitted in submit(position, {power: read}).orders:
            if submitted.fault:
                faults.append({"power": power, "order": str(submitted.order), "why": submitted.fault})
                continue
            listed = draft.setdefault(power, [])
            if str(submitted.order) not in listed or submitted.order.kind == OrderKind.WAIVE:
                listed.append(str(submitted.order))
        draft.setdefault(power, [])
    return draft, faults


def order_as_read(position: Position, text: str) -> dict[str, str | None]:
    """A typed order: the `order` as read, its `power`, and `why` it is illegal, None if it is legal. Raises
    FormatError if it is too long."""
    if len(text) > LONGEST_ORDER:
        raise FormatError(f"an order has at most {LONGEST_ORDER} characters, not {len(text)}; shorten it")
    try:
        order = parse_order(text, position.map, position)
    except BordeauxError as error:
        return {"order": None, "power": None, "why": str(error)}
    power = owner_of(position, order)
    if power is None:
        place = order.location.partition("/")[0]
        why = f"there is no unit in {place} to order here" if place else "use Waive, beside the power"
        return {"order": str(order), "power": None, "why": why}
    (submitted,) = submit(position, {power: [order]}).orders
    return {"order": str(order), "power": power, "why": submitted.fault or None}


def owner_of(position: Position, order: Order) -> str | None:
    """The power of an order: the owner of the unit, or in an adjustment of the centre, where it begins."""
    tag = order.location.partition("/")[0]
    if order.kind == OrderKind.BUILD:
        unit = position.unit_at(tag)
        return position.owner_of.get(tag) or (unit.power if unit is not None else None)
    if position.phase.kind == "R":
        return next((unit.power for unit, _ in position.dislodged if unit.province == tag), None)
    standing = position.unit_at(tag)
    return None if standing is None else standing.power


def history_of(study: Study, node: str) -> tuple[Played, ...]:
    """The movement phases before a node with their orders, the first one first.

    Powers without orders in a variation are unknown; in a recorded game they have sent none. Unreadable
    orders are omitted. Raises Missing.
    """
    history = []
    for child in study.line(node)[1:]:
        assert child.parent is not None
        position = study.position(child.parent)
        if position.phase.kind == "M":
            sent = [power for power, given in child.orders.items() if given]
            named = study.map.powers if child.recorded else sent
            orders = {power: readable(child.orders.get(power, ()), position) for power in named}
            history.append((position, orders))
    return tuple(history)


LOOKED_BACK = 2
"""Movement phases that the prediction of people's orders uses."""


def people_of(position: Position, history: Sequence[Played], lines: int) -> dict[str, Any]:
    """The most probable sets of people for each power that must give orders, with their probabilities.
    `history` are the movement phases before. Raises BordeauxError for a number of lines out of range."""
    with Engine(map=position.map) as engine:
        for before, orders in history[-LOOKED_BACK:]:
            engine.observe(before, orders)
        sets = {power: engine.people(position, power, lines) for power in position.map.powers}
    told = {
        power: [{"orders": list(orders), "probability": chance} for orders, chance in listed]
        for power, listed in sets.items()
        if listed
    }
    return {"powers": told}
