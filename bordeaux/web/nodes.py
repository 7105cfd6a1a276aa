"""Routes of the nodes of a study: details, drafts of orders, their result, comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bordeaux.board.errors import FormatError
from bordeaux.formats.order_sheet import orders_in
from bordeaux.rules.rulesets import rules_named
from bordeaux.rules.threats import threats
from bordeaux.studies.details import node_details
from bordeaux.studies.intake import SHORT
from bordeaux.studies.orders import given_orders, legal_draft, order_as_read
from bordeaux.studies.store import Change
from bordeaux.studies.study import Study
from bordeaux.web.routing import NODE, PageRoute, RouteRequest, ServerState
from bordeaux.web.studies import answer


def shown(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A node."""
    return node_details(server_state.study(ask), ask.path["node"])


def changed(server_state: ServerState, ask: RouteRequest, change: Change, what: str = "tree") -> Study:
    """A study after a change at the node of a request; `what` tells the tabs of what kind it is."""
    return server_state.change(ask.path["study"], change, ask.version, node=ask.path["node"], what=what)


def drafted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Replace the draft orders of a node; illegal ones are omitted and reported."""
    node, given = ask.path["node"], ask.table()
    faults: list[dict[str, str]] = []

    def change(study: Study) -> Study:
        read, faults[:] = legal_draft(study.position(node), given)
        draft = {power: texts for power, texts in read.items() if texts}
        return study if draft == study.node(node).draft else study.changed_node(node, draft=draft)

    study = changed(server_state, ask, change, "draft")
    return {"draft": study.node(node).draft, "faults": faults, "version": study.version}


def read(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A typed order: the order as read, its power, and the reason why it is illegal, None if it is legal."""
    return order_as_read(server_state.position(ask), ask.text("text"))


def sheet(server_state: ServerState, ask: RouteRequest) -> dict[str, list[str]]:
    """The orders of a text by power, as commands read it."""
    text = ask.text("text")
    if len(text) > SHORT:
        raise FormatError(f"orders of a phase have at most {SHORT} characters, not {len(text)}")
    read = orders_in(text, server_state.position(ask))
    return {power: [str(order) for order in orders] for power, orders in read.items()}


def threatened(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """What the others can attack of the ``power`` of the query, and how strongly."""
    position = server_state.position(ask)
    power = position.map.power(ask.query.get("power", ""))
    told = [
        {**threat._asdict(), "attacks": [attack._asdict() for attack in threat.attacks]}
        for threat in threats(position, power)
    ]
    return {"power": power, "threats": told}


def adjudicated(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """The node after orders: those of the request, or the draft."""
    node, given = ask.path["node"], ask.table()
    reached = ""

    def change(study: Study) -> Study:
        nonlocal reached
        orders = given.get("orders")
        texts = study.node(node).draft if orders is None else given_orders(study.position(node), orders)
        study, reached = study.adjudicated(node, texts, rules_named(study.rules))
        return study

    study = changed(server_state, ask, change)
    return {"node": reached, "study": answer(server_state, study)}


def promoted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Make the line to a node the main line."""
    return answer(server_state, changed(server_state, ask, lambda study: study.promoted(ask.path["node"])))


def deleted(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Delete a node and all nodes below it."""
    return answer(server_state, changed(server_state, ask, lambda study: study.without(ask.path["node"])))


def commented(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """Change the comment of a node."""
    node, text = ask.path["node"], ask.text("text")
    study = changed(server_state, ask, lambda study: study.commented(node, text), "comment")
    return answer(server_state, study)


ROUTES: Sequence[PageRoute] = (
    PageRoute(NODE, shown),
    PageRoute(NODE, deleted, "DELETE"),
    PageRoute(f"{NODE}/draft", drafted, "PUT"),
    PageRoute(f"{NODE}/read", read, "POST"),
    PageRoute(f"{NODE}/sheet", sheet, "POST"),
    PageRoute(f"{NODE}/threats", threatened),
    PageRoute(f"{NODE}/adjudicate", adjudicated, "POST"),
    PageRoute(f"{NODE}/promote", promoted, "POST"),
    PageRoute(f"{NODE}/comment", commented, "PUT"),
)
