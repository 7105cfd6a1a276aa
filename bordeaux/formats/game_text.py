"""Whole games as text: the history of a judge, which jDip imports, and lists of orders for people.

`to_judge` gives text as a judge mails it, `to_text` the orders alone, for letters and posts. Our reader of
lines of orders reads both (`bordeaux.formats.hobby`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.formats.site_pages import NAMES_OF_SEASONS, in_names, place

Adjudicated = tuple[Position, Mapping[str, Sequence[Order]], Mapping[str, list[str]]]
"""A position, the orders by power, and the results by unit, which are empty in an unplayed phase."""

SEASONS = {"S": "Spring", "F": "Fall", "W": "Fall"}
STAGES = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
TYPES = {"A": "Army", "F": "Fleet"}
STAGES_IN_TEXT = {"M": "Movement", "R": "Retreats", "A": "Adjustments"}


def to_text(phases: Iterable[Adjudicated], game: str = "") -> str:
    """The orders of a game, one a line below its phase and its power, each with what became of it. In a phase
    that was played units without orders hold or disband; a phase without orders is named alone."""
    lines: list[str] = []
    listed = [played for played in phases if played[0].phase.kind != "-"]
    for number, (position, orders, results) in enumerate(listed):
        phase = position.phase
        lines += [f"{NAMES_OF_SEASONS[phase.season]} {phase.year} {STAGES_IN_TEXT[phase.kind]}", ""]
        after = listed[number + 1][0] if number + 1 < len(listed) else None
        for power, given in (_whole(position, orders, results, after) if results else {}).items():
            if given:
                lines.append(f"{power.title()}:")
                lines += [f"{order}  ({', '.join(words)})" if words else str(order) for order, words in given]
                lines.append("")
    return "\n".join(lines).rstrip()


# The text of a judge. jDip knows a turn by its lines Date and Subject.

TITLES = {"M": "Movement results", "R": "Retreat orders", "A": "Adjustment orders"}


def to_judge(phases: Iterable[Adjudicated], game: str = "game") -> str:
    """The history of a game as a judge mails it, with the name `game` without blanks."""
    listed = [played for played in phases if played[0].phase.kind != "-"]
    called = "".join(letter for letter in game if letter.isascii() and letter.isalnum()) or "game"
    variant = listed[0][0].map.name.title() if listed else "Standard"
    lines = [f":: Judge: BRDX  Game: {called}  Variant: {variant}", ""]
    for number, (position, orders, results) in enumerate(listed):
        phase = position.phase
        if not results and not orders:
            continue
        code = f"{SEASONS[phase.season][0]}{phase.year:04}{'B' if phase.kind == 'A' else phase.kind}"
        lines += ["Date: Thu, 1 Jan 1970 00:00:00 +0000", f"Subject: BRDX:{called} - {code} Results", ""]
        title = TITLES[phase.kind]
        lines += [f"{title} for {NAMES_OF_SEASONS[phase.season]} of {phase.year}.  ({called}.{code})", ""]
        after = listed[number + 1][0] if number + 1 < len(listed) else None
        for power, given in _whole(position, orders, results, after).items():
            for order, words in given:
                text = (_winter if phase.kind == "A" else _judged)(order, position.map)
                note = f"  (*{', '.join(words)}*)" if words and phase.kind != "A" else ""
                lines.append(f"{power.title() + ':':<10} {text}.{note}")
            lines += [""] if given else []
        if after is not None and after.dislodged:
            lines += ["The following units were dislodged:", ""]
            lines += [_driven_out(each.unit, each.retreats, position.map) for each in after.dislodged]
            lines.append("")
        if phase.kind == "A" or (after is not None and after.phase.kind == "A"):
            owners = after or position
            lines += ["Ownership of supply centers:", ""]
            for power, tags in owners.centres.items():
                named = ", ".join(place(tag, position.map) for tag in tags)
                lines.append(f"{power.title() + ':':<10} {named}.")
            lines.append("")
        if after is not None:
            season, stage = NAMES_OF_SEASONS[after.phase.season], STAGES[after.phase.kind]
            lines += [f"The next phase of '{called}' will be {stage} for {season} of {after.phase.year}.", ""]
    return "\n".join(lines)


def _whole(
    position: Position,
    orders: Mapping[str, Sequence[Order]],
    results: Mapping[str, list[str]],
    after: Position | None,
) -> dict[str, list[tuple[Order, list[str]]]]:
    """The orders with those that a judge adds: holds, disbanded units, removals in civil disorder. Each has
    the words of its result."""
    whole = {power: list(orders.get(power, ())) for power in position.map.powers}
    ordered = {order.location.partition("/")[0] for given in whole.values() for order in given}
    match position.phase.kind:
        case "M":
            left, kind = position.units, OrderKind.HOLD
        case "R":
            left, kind = tuple(each.unit for each in position.dislodged), OrderKind.DISBAND
        case _:
            kept = position.units if after is None else after.units
            left, kind = tuple(unit for unit in position.units if unit not in kept), OrderKind.DISBAND
    for unit in left:
        if unit.province not in ordered:
            whole[unit.power].append(Order(kind, unit.kind, unit.location))
    return {
        power: [_with_words(power, order, results, after) for order in given]
        for power, given in whole.items()
    }


def _with_words(
    power: str, order: Order, results: Mapping[str, list[str]], after: Position | None
) -> tuple[Order, list[str]]:
    words = [word for word in results.get(f"{order.unit} {order.location}", []) if word]
    if order.via and words and _arrived(power, order, after):
        # By the rules of the record the army went by land.
        return order._replace(via=False), []
    return order, words


def _driven_out(unit: Unit, retreats: Sequence[str], map: Map) -> str:
    where = f"The {unit.power.title()} {TYPES[unit.kind]} in {place(unit.location, map)}"
    to = " or ".join(place(retreat, map) for retreat in retreats)
    return f"{where} can retreat to {to}." if retreats else f"{where} with no valid retreats was destroyed."


def _arrived(power: str, order: Order, after: Position | None) -> bool:
    """Whether a power's army left, and one of its armies stands at the destination."""
    if after is None:
        return False
    here, there = after.unit_at(order.location), after.unit_at(order.destination)
    mine = (power, order.unit)
    return there is not None and there[:2] == mine and (here is None or here[:2] != mine)


def _judged(order: Order, map: Map) -> str:
    # jDip takes a convoy for granted unless the army could go by land.
    either = order.via and order.destination in map.adjacent(order.unit, order.location)
    return in_names(order._replace(via=either), map, TYPES, "")


def _winter(order: Order, map: Map) -> str:
    if order.kind == OrderKind.WAIVE:
        return "Build waived"
    kind, where = TYPES[order.unit].lower(), place(order.location, map)
    if order.kind == OrderKind.BUILD:
        return f"Builds {'an' if kind == 'army' else 'a'} {kind} in {where}"
    return f"Removes the {kind} in {where}"
