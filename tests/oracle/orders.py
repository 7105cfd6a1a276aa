"""Orders as the oracle reads them, and which of them the board allows.

An order that the board does not allow (illegal) is ignored and its unit stands. An order that the
board allows but that does not match the others (invalid) fails, yet it is the unit's order
(DATC 4.E.1, 4.E.2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tests.oracle.board import Board, Unit, province_of

UNIT = r"(?:[AF] )?([A-Z]{3}(?:/[A-Z]{2})?)"
PATTERNS = {
    "hold": re.compile(rf"{UNIT} H"),
    "move": re.compile(rf"{UNIT} - ([A-Z]{{3}}(?:/[A-Z]{{2}})?)( VIA)?"),
    "support": re.compile(rf"{UNIT} S {UNIT}(?: H)?"),
    "help": re.compile(rf"{UNIT} S {UNIT} - ([A-Z]{{3}}(?:/[A-Z]{{2}})?)"),
    "convoy": re.compile(rf"{UNIT} C {UNIT} - ([A-Z]{{3}}(?:/[A-Z]{{2}})?)"),
}


class Order(NamedTuple):
    """What the unit in province `origin` does.

    `kind` is hold, move, support (in place), help (support a move) or convoy. `subject` is the
    province of the supported or convoyed unit, `target` the location that its move, or this one,
    goes to. `via` asks for a convoy, `convoyed` says that the move goes by one. `verdict` is
    legal, illegal or invalid.
    """

    origin: str
    kind: str
    subject: str = ""
    target: str = ""
    via: bool = False
    convoyed: bool = False
    verdict: str = "legal"

    @property
    def goal(self) -> str:
        """The province that `target` is in."""
        return province_of(self.target)


def read(text: str) -> Order:
    """Read an order in canonical notation; the letter of a unit may be missing."""
    for kind, pattern in PATTERNS.items():
        match = pattern.fullmatch(text)
        if match is None:
            continue
        origin, *rest = (part or "" for part in match.groups())
        origin = province_of(origin)
        if kind == "hold":
            return Order(origin, kind)
        if kind == "move":
            return Order(origin, kind, target=rest[0], via=bool(rest[1]))
        if kind == "support":
            return Order(origin, kind, subject=province_of(rest[0]))
        return Order(origin, kind, subject=province_of(rest[0]), target=rest[1])
    raise ValueError(f"the oracle cannot read {text!r}")


def review(
    board: Board, units: Mapping[str, Unit], orders: Mapping[str, Iterable[str]]
) -> tuple[dict[str, Order], list[tuple[str, str]]]:
    """Give every unit one order with its verdict.

    Returns the orders by province, units without one holding, and the (power, text) of orders to
    units that the power does not have. Of several orders for a unit the first legal one counts,
    or else the first.
    """
    waters = [place for place, unit in units.items() if unit.kind == "F" and board.kinds[place] == "sea"]
    book: dict[str, Order] = {}
    stray: list[tuple[str, str]] = []
    for power, texts in orders.items():
        for text in texts:
            order = read(text)
            unit = units.get(order.origin)
            if unit is None or unit.power != power:
                stray.append((power, text))
                continue
            order = judge(board, units, waters, order)
            if order.origin not in book or (
                book[order.origin].verdict == "illegal" and order.verdict == "legal"
            ):
                book[order.origin] = order
    for place in units:
        book.setdefault(place, Order(place, "hold"))
    return match(board, units, book), stray


def judge(board: Board, units: Mapping[str, Unit], waters: list[str], order: Order) -> Order:
    """Settle from the board alone whether an order is legal; complete a coast left out."""
    unit = units[order.origin]
    legal = True
    if order.kind == "move":
        direct = board.step(unit.kind, unit.location, order.target) if not order.via else None
        by_sea = unit.kind == "A" and ships(board, order.origin, order.goal, waters)
        legal = direct is not None or by_sea
        target = direct or (order.goal if unit.kind == "A" else order.target)
        order = order._replace(target=target)
    elif order.kind == "support":
        legal = (
            order.subject in units
            and order.subject != order.origin
            and board.reaches(unit.kind, unit.location, order.subject)
        )
    elif order.kind == "help":
        subject = units.get(order.subject)
        order = order._replace(target=board.plain(subject.kind if subject else "A", order.target))
        legal = (
            subject is not None
            and order.subject != order.origin
            and order.goal != order.origin
            and board.reaches(unit.kind, unit.location, order.goal)
            and could_move(board, subject, order.target, [w for w in waters if w != order.origin])
        )
    elif order.kind == "convoy":
        subject = units.get(order.subject)
        legal = (
            unit.kind == "F"
            and subject is not None
            and subject.kind == "A"
            and ships(board, order.subject, order.goal, waters)
            and board.proper_route(order.subject, order.goal, waters, order.origin)
        )
    return order if legal else order._replace(verdict="illegal")


def ships(board: Board, origin: str, goal: str, waters: Iterable[str]) -> bool:
    """Whether fleets in `waters` could together carry an army from `origin` to `goal`."""
    return (
        goal != origin
        and board.kinds.get(goal) == "coastal"
        and board.kinds[origin] == "coastal"
        and board.sea_link(origin, goal, waters)
    )


def could_move(board: Board, unit: Unit, target: str, waters: Iterable[str]) -> bool:
    """Whether `unit` has a legal move to `target`. A coast that is left out may be any (4.B.4)."""
    goal = province_of(target)
    if target == goal:
        direct = board.reaches(unit.kind, unit.location, goal)
    else:
        direct = target in board.steps[unit.kind, unit.location]
    by_sea = unit.kind == "A" and ships(board, province_of(unit.location), goal, waters)
    return direct or by_sea


def match(board: Board, units: Mapping[str, Unit], book: Mapping[str, Order]) -> dict[str, Order]:
    """Mark the moves that go by convoy (4.A.3) and the orders that do not fit the others."""

    def effective(place: str) -> Order:
        order = book[place]
        return order if order.verdict == "legal" else Order(place, "hold")

    def carriers(place: str, goal: str) -> list[str]:
        return [
            other.origin
            for other in map(effective, book)
            if other.kind == "convoy" and other.subject == place and other.goal == goal
        ]

    done: dict[str, Order] = {}
    for place, order in book.items():
        if order.verdict != "legal":
            done[place] = order
        elif order.kind == "move" and units[place].kind == "A":
            fleets = carriers(place, order.goal)
            direct = board.step("A", units[place].location, order.goal) is not None
            wanted = order.via or any(units[fleet].power == units[place].power for fleet in fleets)
            convoyed = wanted or not direct
            linked = not convoyed or board.sea_link(place, order.goal, fleets)
            done[place] = order._replace(convoyed=convoyed, verdict="legal" if linked else "invalid")
        elif order.kind == "support":
            fits = effective(order.subject).kind != "move"
            done[place] = order if fits else order._replace(verdict="invalid")
        elif order.kind in ("help", "convoy"):
            move = effective(order.subject)
            fits = move.kind == "move" and move.goal == order.goal
            if fits and order.kind == "help" and "/" in order.target:
                fits = move.target == order.target
            done[place] = order if fits else order._replace(verdict="invalid")
        else:
            done[place] = order
    return done
