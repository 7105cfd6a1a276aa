"""Routes of the nodes of a study: details, drafts of orders, their result, comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.routing import BaseRoute

from bordeaux.board import pieces
from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules.rulesets import rules_named
from bordeaux.studies.details import node_details
from bordeaux.studies.study import Orders, Study, order_texts
from bordeaux.web.routing import RouteRequest, ServerState, route
from bordeaux.web.studies import answer

__all__ = ["ROUTES", "given_orders"]

MOST_ORDERS = 300
"""Orders of a power that one request may hold; a map has at most 255 provinces."""
LONGEST_ORDER = 200
NODE = "/api/studies/{study}/nodes/{node}"


def given_orders(position: Position, given: object) -> Orders:
    """The orders of a request by power, for a position. They must be readable, but may be illegal.

    Raises FormatError, MapError or OrderError.
    """
    lists = pieces.table(given, "orders by power")
    orders: dict[str, list[str]] = {}
    for name, items in lists.items():
        power = position.map.power(name)
        texts = pieces.string_list([] if items is None else items, f"orders of {power}")
        if len(texts) > MOST_ORDERS:
            raise FormatError(f"orders of {power}: more than {MOST_ORDERS}; no phase has that many")
        orders.setdefault(power, []).extend(texts)
    return order_texts(position, orders)


def shown(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A node."""
    return node_details(server_state.store.get(ask.path["study"]), ask.path["node"])


def drafted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Replace the draft orders of a node; illegal ones are omitted and reported."""
    return _draft(server_state, ask, keep=False)


def drafted_in_part(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Replace the draft orders of some powers only."""
    return _draft(server_state, ask, keep=True)


def _draft(server_state: ServerState, ask: RouteRequest, *, keep: bool) -> dict[str, Any]:
    identity, node = ask.path["study"], ask.path["node"]
    given = ask.table()
    faults: list[dict[str, str]] = []

    def change(study: Study) -> Study:
        draft, wrong = legal_draft(study.position(node), given)
        faults[:] = wrong
        before = study.node(node).draft
        kept = {power: texts for power, texts in before.items() if keep and power not in draft}
        draft = {power: texts for power, texts in {**kept, **draft}.items() if texts}
        return study if draft == before else study.changed_node(node, draft=draft)

    study = server_state.change(identity, change, ask.version, node=node, what="draft")
    return {"draft": study.node(node).draft, "faults": faults, "version": study.version}


def legal_draft(position: Position, given: Mapping[str, Any]) -> tuple[Orders, list[dict[str, str]]]:
    """The legal orders of a request, by power, and the errors of the others.

    Raises FormatError or MapError if they are not lists of texts by power.
    """
    faults: list[dict[str, str]] = []
    draft: Orders = {}
    for name, items in given.items():
        power = position.map.power(name)
        texts = pieces.string_list([] if items is None else items, f"orders of {power}")
        if len(texts) > MOST_ORDERS:
            raise FormatError(f"orders of {power}: more than {MOST_ORDERS}; no phase has that many")
        read = []
        for text in texts:
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
        if position.phase.kind == "A":
            _not_too_many(position, power, draft[power], faults)
    return draft, faults


def _not_too_many(position: Position, power: str, texts: list[str], faults: list[dict[str, str]]) -> None:
    """Remove builds and removals beyond the due number, and second ones in a place."""
    due = abs(position.adjustments(power))
    places: set[str] = set()
    kept: list[str] = []
    for text in texts:
        place = text.split()[1].partition("/")[0] if " " in text else ""
        if place and place in places:
            faults.append({"power": power, "order": text, "why": f"{place} has an order already"})
        elif len(kept) == due:
            faults.append({"power": power, "order": text, "why": f"{power} owes no more than {due}"})
        else:
            kept.append(text)
            places.add(place)
    texts[:] = kept


def read(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A typed order: the order as read, its power, and the reason why it is illegal, None if it is legal."""
    position, text = server_state.store.get(ask.path["study"]).position(ask.path["node"]), ask.text("text")
    if len(text) > LONGEST_ORDER:
        raise FormatError(f"an order has at most {LONGEST_ORDER} characters, not {len(text)}; shorten it")
    try:
        order = parse_order(text, position.map, position)
    except BordeauxError as error:
        return {"order": None, "power": None, "why": str(error)}
    power = owner_of(position, order)
    if power is None:
        place = order.location.partition("/")[0]
        return {"order": str(order), "power": None, "why": f"there is no unit in {place} to order here"}
    (submitted,) = submit(position, {power: [order]}).orders
    return {"order": str(order), "power": power, "why": submitted.fault or None}


def owner_of(position: Position, order: Order) -> str | None:
    """The power of an order: the owner of the unit, or in an adjustment of the centre, where it begins."""
    tag = order.location.partition("/")[0]
    if order.kind == OrderKind.BUILD:
        owners = dict(zip(position.map.centres, position.owners, strict=True))
        unit = position.unit_at(tag)
        return owners.get(tag) or (unit.power if unit is not None else None)
    if position.phase.kind == "R":
        return next((unit.power for unit, _ in position.dislodged if unit.province == tag), None)
    standing = position.unit_at(tag)
    return None if standing is None else standing.power


def adjudicated(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The node after orders: those of the request, or the draft."""
    node, given = ask.path["node"], ask.table()
    reached = ""

    def change(study: Study) -> Study:
        nonlocal reached
        position = study.position(node)
        orders = given.get("orders")
        texts = study.node(node).draft if orders is None else given_orders(position, orders)
        rules = rules_named(study.rules if given.get("rules") is None else ask.text("rules"))
        study, reached = study.adjudicated(node, texts, rules)
        return study

    study = server_state.change(ask.path["study"], change, ask.version, node=node, what="tree")
    return {"node": reached, "study": answer(server_state, study)}


def promoted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Make the line to a node the main line."""
    node = ask.path["node"]
    study = server_state.change(
        ask.path["study"], lambda old: old.promoted(node), ask.version, node=node, what="tree"
    )
    return answer(server_state, study)


def deleted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Delete a node and all nodes below it."""
    node = ask.path["node"]
    study = server_state.change(
        ask.path["study"], lambda old: old.without(node), ask.version, node=node, what="tree"
    )
    return answer(server_state, study)


def commented(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Change the comment of a node."""
    node, text = ask.path["node"], ask.text("text")
    study = server_state.change(
        ask.path["study"], lambda old: old.commented(node, text), ask.version, node=node, what="comment"
    )
    return answer(server_state, study)


ROUTES: Sequence[BaseRoute] = (
    route(NODE, shown),
    route(NODE, deleted, ["DELETE"]),
    route(f"{NODE}/draft", drafted, ["PUT"]),
    route(f"{NODE}/draft", drafted_in_part, ["PATCH"]),
    route(f"{NODE}/read", read, ["POST"]),
    route(f"{NODE}/adjudicate", adjudicated, ["POST"]),
    route(f"{NODE}/promote", promoted, ["POST"]),
    route(f"{NODE}/comment", commented, ["PUT"]),
)
