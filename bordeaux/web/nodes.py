"""Routes of the nodes of a study: details, drafts of orders, their result, comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bordeaux.rules.rulesets import rules_named
from bordeaux.rules.threats import threats
from bordeaux.studies.details import node_details
from bordeaux.studies.orders import given_orders, legal_draft, order_as_read
from bordeaux.studies.study import Study
from bordeaux.web.routing import PageRoute, RouteRequest, ServerState, route
from bordeaux.web.studies import answer

NODE = "/api/studies/{study}/nodes/{node}"


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


def read(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """A typed order: the order as read, its power, and the reason why it is illegal, None if it is legal."""
    position = server_state.store.get(ask.path["study"]).position(ask.path["node"])
    return order_as_read(position, ask.text("text"))


def threatened(server_state: ServerState, ask: RouteRequest) -> dict[str, Any]:
    """What the others can attack of the ``power`` of the query, and how strongly."""
    position = server_state.store.get(ask.path["study"]).position(ask.path["node"])
    power = position.map.power(ask.query.get("power", ""))
    return {
        "power": power,
        "threats": [
            {**threat._asdict(), "attacks": [attack._asdict() for attack in threat.attacks]}
            for threat in threats(position, power)
        ],
    }


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


ROUTES: Sequence[PageRoute] = (
    route(NODE, shown),
    route(NODE, deleted, ["DELETE"]),
    route(f"{NODE}/draft", drafted, ["PUT"]),
    route(f"{NODE}/draft", drafted_in_part, ["PATCH"]),
    route(f"{NODE}/read", read, ["POST"]),
    route(f"{NODE}/threats", threatened),
    route(f"{NODE}/adjudicate", adjudicated, ["POST"]),
    route(f"{NODE}/promote", promoted, ["POST"]),
    route(f"{NODE}/comment", commented, ["PUT"]),
)
