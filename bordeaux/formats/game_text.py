"""Whole games as text: the history of a judge, which jDip imports, and lists of orders for people.

`to_judge` gives text as a judge mails it, `to_text` the orders alone, for letters and posts. Our reader of
lines of orders reads both (`bordeaux.formats.hobby`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position

Adjudicated = tuple[Position, Mapping[str, Sequence[Order]], Mapping[str, list[str]]]
"""A position, the orders by power, and the results by unit, which are empty in an unplayed phase."""

SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
STAGES = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
TYPES = {"A": "Army", "F": "Fleet"}
TITLES = {"M": "Movement results", "R": "Retreat orders", "A": "Adjustment orders"}
_COASTS = {"NC": "North Coast", "SC": "South Coast", "EC": "East Coast", "WC": "West Coast"}


def to_text(phases: Iterable[Adjudicated]) -> str:
    """The orders of a game, one a line below its phase and its power, each with what became of it. In a phase
    that was played units without orders hold or disband; one that was not is named alone."""
    lines: list[str] = []
    for played, after in _followed(phases):
        phase = played[0].phase
        stage = STAGES[phase.kind] + ("s" if phase.kind != "M" else "")
        lines += [f"{SEASONS[phase.season]} {phase.year} {stage}", ""]
        for power, given in _whole(*played, after) if played[1] or after is not None else ():
            lines.append(f"{power.title()}:")
            lines += [f"{order}  ({', '.join(words)})" if words else str(order) for order, words in given]
            lines.append("")
    return "\n".join(lines).rstrip()


def was_played(position: Position, after: Position | None) -> bool:
    """Whether the position `after` shows that a phase was played, even where nobody gave an order. A game may
    end by agreement, with the board as it is."""
    if after is None or position.phase.kind == "-":
        return False
    return after.phase.kind != "-" or (after.units, after.owners) != (position.units, position.owners)


def _followed(phases: Iterable[Adjudicated]) -> list[tuple[Adjudicated, Position | None]]:
    """The phases before the end, each with the position that was played after it."""
    listed = list(phases)
    return [
        (played, after if was_played(played[0], after) else None)
        for played, after in zip(listed, [*(played[0] for played in listed[1:]), None], strict=False)
        if played[0].phase.kind != "-"
    ]


def to_judge(phases: Iterable[Adjudicated], game: str = "game") -> str:
    """The history of a game as a judge mails it, with the name `game` without blanks. jDip knows a turn by
    its lines Date and Subject."""
    listed = _followed(phases)
    called = "".join(letter for letter in game if letter.isascii() and letter.isalnum()) or "game"
    variant = listed[0][0][0].map.name.title() if listed else "Standard"
    lines = [f":: Judge: BRDX  Game: {called}  Variant: {variant}", ""]
    for played, after in listed:
        position, orders, results = played
        map, phase = position.map, position.phase
        if after is None and not orders:
            continue
        kind = "B" if phase.kind == "A" else phase.kind
        code = f"{'S' if phase.season == 'S' else 'F'}{phase.year:04}{kind}"
        lines += ["Date: Thu, 1 Jan 1970 00:00:00 +0000", f"Subject: BRDX:{called} - {code} Results", ""]
        season = SEASONS[phase.season]
        lines += [f"{TITLES[phase.kind]} for {season} of {phase.year}.  ({called}.{code})", ""]
        for power, given in _whole(position, orders, results, after):
            for order, words in given:
                note = f"  (*{', '.join(words)}*)" if words and phase.kind != "A" else ""
                lines.append(f"{power.title() + ':':<10} {_judged(order, position)}.{note}")
            lines.append("")
        if after is not None and after.dislodged:
            lines += ["The following units were dislodged:", ""]
            for unit, retreats in after.dislodged:
                where = f"The {unit.power.title()} {TYPES[unit.kind]} in {place(unit.location, map)}"
                to = " or ".join(place(retreat, map) for retreat in retreats)
                lines.append(
                    f"{where} {f'can retreat to {to}' if to else 'with no valid retreats was destroyed'}."
                )
            lines.append("")
        if phase.kind == "A" or (after is not None and after.phase.kind == "A"):
            lines += ["Ownership of supply centers:", ""]
            for power, tags in (after or position).centres.items():
                lines.append(f"{power.title() + ':':<10} {', '.join(place(tag, map) for tag in tags)}.")
            lines.append("")
        if after is not None and after.phase.kind != "-":
            season, stage = SEASONS[after.phase.season], STAGES[after.phase.kind]
            lines += [f"The next phase of '{called}' will be {stage} for {season} of {after.phase.year}.", ""]
    return "\n".join(lines)


def _whole(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    results: Mapping[str, list[str]],
    after: Position | None,
) -> list[tuple[str, list[tuple[Order, list[str]]]]]:
    """The orders of powers that have any, with those that a judge adds: holds, disbanded units, removals in
    civil disorder, and waived builds where nobody gave an order. Each has the words of its result."""
    whole = {power: list(orders.get(power, ())) for power in position.map.powers}
    if not orders:
        for power, given in whole.items():
            given += [Order(OrderKind.WAIVE)] * position.adjustments(power)
    ordered = {order.province for given in whole.values() for order in given}
    kind, left = OrderKind.DISBAND, position.units
    if position.phase.kind == "M":
        kind = OrderKind.HOLD
    elif position.phase.kind == "R":
        left = tuple(unit for unit, _ in position.dislodged)
    else:
        left = tuple(unit for unit in left if after is not None and unit not in after.units)
    for unit in left:
        if unit.province not in ordered:
            whole[unit.power].append(Order(kind, unit.kind, unit.location))
    return [
        (power, [_with_words(power, order, results, after) for order in given])
        for power, given in whole.items()
        if given
    ]


def _with_words(
    power: str, order: Order, results: Mapping[str, list[str]], after: Position | None
) -> tuple[Order, list[str]]:
    words = [word for word in results.get(f"{order.unit} {order.location}", []) if word]
    if order.via and words and after is not None:
        here, there = (after.unit_at(place) for place in (order.location, order.destination))
        mine = power, order.unit
        if there is not None and there[:2] == mine and (here is None or here[:2] != mine):
            # By the rules of the record the army went by land.
            return order._replace(via=False), []
    return order, words


def _judged(order: Order, position: Position) -> str:
    """An order in the words of a judge: ``Army Paris SUPPORT Army Munich -> Burgundy``."""
    map = position.map
    if order.kind == OrderKind.WAIVE:
        return "Build waived"
    where = place(order.location, map)
    if position.phase.kind == "A":
        kind = TYPES[order.unit].lower()
        article = "a" if kind == "fleet" else "an"
        return f"{f'Builds {article}' if order.kind == OrderKind.BUILD else 'Removes the'} {kind} in {where}"
    goal = f" -> {place(order.destination, map)}" if order.destination else ""
    helped = f"{TYPES[order.target_unit]} {place(order.target, map)}{goal}" if order.target else ""
    # jDip takes a convoy for granted unless the army could go by land.
    via = order.via and order.destination in map.adjacent(order.unit, order.location)
    does = {
        OrderKind.HOLD: " HOLD",
        OrderKind.MOVE: f"{goal}{' VIA CONVOY' * via}",
        OrderKind.SUPPORT_HOLD: f" SUPPORT {helped}",
        OrderKind.SUPPORT_MOVE: f" SUPPORT {helped}",
        OrderKind.CONVOY: f" CONVOY {helped}",
        OrderKind.RETREAT: goal,
        OrderKind.DISBAND: " DISBAND",
    }[order.kind]
    return f"{TYPES[order.unit]} {where}{does}"


def place(location: str, map: Map) -> str:
    """The full name of a location: ``St. Petersburg (South Coast)``."""
    tag, _, coast = location.partition("/")
    full = map.province(tag).full
    return f"{full} ({_COASTS.get(coast, coast)})" if coast else full
