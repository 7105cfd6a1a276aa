"""The file of positions, and what is counted and hashed of each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bordeaux import Position, adjudicate, legal_orders
from bordeaux.formats.text import position_from_text

__all__ = ["POSITIONS", "Entry", "chosen", "measure", "read_book", "write_book"]

POSITIONS = Path(__file__).with_name("positions.txt")
SETS = 8
DEPTH = 3

HEAD = f"""\
# Positions with the number of their legal orders (waiving not counted) and a hash of what comes of them.
#
# `legal` counts the orders of all powers. `states` is made of {SETS} sets of orders, numbered from 0, each
# played for {DEPTH} phases at most: SHA-256, in its first 16 hexadecimal digits, of the text form of every
# position that comes up, with an end of line after each. A legal order's rank in set k is SHA-256 of
# "k ORDER", least first. In even sets every unit takes its first order; in Winter so many do as are due,
# one for a province. In odd sets the units take their turns in the order of those first orders, and one
# that could help a move already taken (its order ends with " S MOVE" or " C MOVE", without VIA) does.
#
# The numbers are made anew by `python -m tests.perft.book`; positions are added by hand, with `legal 0`
# and a line `states`.
"""


class Entry(NamedTuple):
    """A position with its name, the number of its legal orders and the hash of what follows it."""

    name: str
    position: Position
    legal: int
    states: str


def read_book(path: Path = POSITIONS) -> list[Entry]:
    """Read the file: blocks of a name in brackets, the text of a position, and the numbers."""
    entries = []
    for block in path.read_text("utf-8").split("\n["):
        name, bracket, rest = block.partition("]\n")
        if not bracket:
            continue
        text, _, numbers = rest.partition("legal ")
        legal, _, states = numbers.partition("\nstates ")
        entries.append(Entry(name, position_from_text(text), int(legal), states.strip()))
    return entries


def write_book(entries: Iterable[Entry], path: Path = POSITIONS) -> None:
    """Write the file, beside it first."""
    blocks = [
        f"\n[{entry.name}]\n{entry.position!s}\nlegal {entry.legal}\nstates {entry.states}\n"
        for entry in entries
    ]
    beside = path.with_suffix(".part")
    beside.write_text(HEAD + "".join(blocks), "utf-8")
    beside.replace(path)


def measure(name: str, position: Position) -> Entry:
    """Count and hash."""
    legal = sum(order != "WAIVE" for orders in legal_orders(position).values() for order in orders)
    digest = hashlib.sha256()
    for number in range(SETS):
        current = position
        for _ in range(DEPTH):
            if current.phase.kind == "-":
                break
            current = adjudicate(current, chosen(current, number)).after
            digest.update(f"{current!s}\n".encode())
    return Entry(name, position, legal, digest.hexdigest()[:16])


def chosen(position: Position, number: int) -> dict[str, list[str]]:
    """The orders of one set, as the head of the file says."""
    taken: dict[str, list[str]] = {}
    turns: list[tuple[str, str, list[str]]] = []
    for power in position.map.powers:
        places: dict[str, list[str]] = {}
        for place, orders in legal_orders(position, power).items():
            listed = places.setdefault(place.partition("/")[0], [])
            listed += [order for order in orders if order != "WAIVE"]
        ranked = sorted(
            sorted((rank(number, order), order) for order in orders) for orders in places.values()
        )
        due = abs(position.adjustments(power)) if position.phase.kind == "A" else len(ranked)
        turns += [(orders[0][0], power, [order for _, order in orders]) for orders in ranked[:due]]
    moves: list[str] = []
    for _, power, orders in sorted(turns):
        helped = tuple(f" {verb} {move}" for move in moves for verb in "SC")
        helping = [order for order in orders if order.endswith(helped)]
        order = helping[0] if helping and number % 2 else orders[0]
        if " - " in order and " S " not in order and " C " not in order:
            moves.append(order.removesuffix(" VIA"))
        taken.setdefault(power, []).append(order)
    return taken


def rank(number: int, order: str) -> str:
    return hashlib.sha256(f"{number} {order}".encode()).hexdigest()


def main() -> None:
    """Rewrite the file, and say which positions come out otherwise than it said."""
    old = read_book()
    new = [measure(entry.name, entry.position) for entry in old]
    write_book(new)
    changed = [entry.name for entry, before in zip(new, old, strict=True) if entry != before]
    print(f"{len(new)} positions, {len(changed)} changed{': ' * bool(changed)}{', '.join(changed)}")


if __name__ == "__main__":
    main()
