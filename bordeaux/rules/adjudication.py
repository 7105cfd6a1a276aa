"""Adjudication for people: the result of every order, with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.pictures import picture_of
from bordeaux.board.position import Position
from bordeaux.board.submission import Submission, submit
from bordeaux.board.unit import Dislodged, Unit
from bordeaux.rules.explain import (
    BOUNCE,
    CUT,
    DISBANDED,
    DISLODGED,
    DISRUPTED,
    NO_CONVOY,
    VOID,
    Explainer,
)
from bordeaux.rules.landroute import by_land
from bordeaux.rules.rulesets import DATC, RuleSet

__all__ = ["OUTCOMES", "Resolution", "adjudicate"]

#: Words for the outcome bits of the core, in the order of lists.
OUTCOMES = (
    (BOUNCE, "bounce"),
    (VOID, "void"),
    (CUT, "cut"),
    (DISRUPTED, "disrupted"),
    (NO_CONVOY, "no convoy"),
    (DISLODGED, "dislodged"),
    (DISBANDED, "disband"),
)


class Resolution(NamedTuple):
    """The result of a phase.

    `results` gives for every unit (``A BUD``) the words of `OUTCOMES` that apply; an empty list means
    success. `reasons` gives one sentence for each. `after` is the next position, `victor` the power that has
    won with it, if any. `position` and `orders`, by power, are the input.
    """

    results: dict[str, list[str]]
    reasons: dict[str, str]
    after: Position
    position: Position | None = None
    orders: Mapping[str, tuple[Order, ...]] = {}

    def _repr_svg_(self) -> str | None:
        """A picture of the orders and their results, for notebooks."""
        return picture_of("resolution", self)

    @property
    def victor(self) -> str | None:
        """The power that has won the game with this phase, or None."""
        return self.after.victor if self.after.phase.kind == "-" else None


def adjudicate(
    position: Position, orders: Mapping[str, Iterable[str | Order]], rules: RuleSet = DATC
) -> Resolution:
    """Resolve a phase of any kind.

    `orders` maps powers to their orders, as text or `Order`. Illegal orders are void; units without orders
    hold, disband or fall under civil disorder, builds not ordered are waived. `rules` selects a rule set.
    Raises OrderError or MapError for unreadable text.
    """
    if rules.land_route:
        orders = by_land(position, orders)
    submission = submit(position, orders, given_routes=rules.given_routes)
    routes = submission.routes() if rules.given_routes else None
    after, outcomes, arrivals, convoyed = position.packed.adjudicate(submission.codes(), rules.bits, routes)
    following = Position.from_packed(position.map, after)
    # Sorted, because the order of orders means nothing.
    given_orders = {
        power: tuple(
            sorted((submitted.order for submitted in submission.orders if submitted.power == power), key=str)
        )
        for power in {submitted.power: None for submitted in submission.orders}
    }
    if position.phase.kind == "A":
        resolved = _adjustments(submission, outcomes, following)
        return resolved._replace(position=position, orders=given_orders)
    map = position.map
    units = (
        position.units if position.phase.kind == "M" else [dislodged.unit for dislodged in position.dislodged]
    )
    faults = {submitted.province: submitted.fault for submitted in submission.orders if submitted.fault}
    given = {submitted.province for submitted in submission.orders if not submitted.fault}
    retreating = {dislodged.unit for dislodged in following.dislodged}
    explainer = Explainer(submission, outcomes, arrivals, convoyed)
    if rules.keep_dislodged and position.phase.kind == "M":
        driven_out = [unit for unit in units if outcomes[map.province(unit.province).index] & DISLODGED]
        following = _keeping(position, following, driven_out)
    results: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    for unit in units:
        bits = outcomes[map.province(unit.province).index]
        reason = explainer.reason(unit)
        if unit.province in faults and unit.province not in given:
            bits |= VOID
            reason = f"void: {faults[unit.province]}" + (f"; {reason}" if bits & ~VOID else "")
        if bits & DISLODGED and unit not in retreating:
            reason += "; it has nowhere to retreat to"
            reason += "" if rules.keep_dislodged else " and is disbanded"
        results[str(unit)] = _words(bits)
        reasons[str(unit)] = reason
    there = {unit.province for unit in units}
    for submitted in submission.orders:
        if submitted.fault and submitted.province not in there:
            key = f"{submitted.order.unit} {submitted.order.location}".strip() or str(submitted.order)
            results.setdefault(key, ["void"])
            reasons.setdefault(key, f"void: {submitted.fault}")
    return Resolution(results, reasons, following, position, given_orders)


def _keeping(position: Position, following: Position, driven_out: list[Unit]) -> Position:
    """The position after a movement phase, with a retreat phase for units without a retreat."""
    placed = {dislodged.unit for dislodged in following.dislodged}
    lost = [Dislodged(unit, ()) for unit in driven_out if unit not in placed]
    if not lost:
        return following
    phase = position.phase._replace(kind="R")
    return Position(position.map, phase, following.units, position.centres, [*following.dislodged, *lost])


def _words(bits: int) -> list[str]:
    return [word for bit, word in OUTCOMES if bits & bit]


def _adjustments(submission: Submission, outcomes: list[int], following: Position) -> Resolution:
    results: dict[str, list[str]] = {}
    reasons: dict[str, str] = {}
    counted = iter(outcomes)
    for submitted in submission.orders:
        bits = VOID if submitted.fault else next(counted)
        order = submitted.order
        key = "WAIVE" if order.kind == OrderKind.WAIVE else f"{order.unit} {order.location}"
        if results.get(key) == []:
            # The same order again, after the one that was carried out.
            continue
        results[key] = _words(bits)
        if submitted.fault:
            reasons[key] = f"void: {submitted.fault}"
        elif bits & VOID:
            reasons[key] = "void: one order too many"
        elif order.kind == OrderKind.WAIVE:
            reasons[key] = "waived"
        else:
            reasons[key] = "built" if order.kind == OrderKind.BUILD else "removed"
    standing = set(following.units)
    for unit in submission.position.units:
        if unit not in standing and str(unit) not in results:
            results[str(unit)] = ["disband"]
            reasons[str(unit)] = (
                "removed by the rule for civil disorder: farthest from the centres of its power"
            )
    return Resolution(results, reasons, following)
