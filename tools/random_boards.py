"""Tests pictures of random boards for faults: python tools/random_boards.py --count 1000

Positions of every kind of phase on every bundled map, with random legal orders, some illegal ones, and
their results. Each picture must be XML with nothing outside its frame, and its units, centres and names
must overlap nothing. Exit code 1 if a fault was found.
"""

from __future__ import annotations

import itertools
import random
import re
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator

import click

from bordeaux import Map, Position, adjudicate, legal_orders
from bordeaux.board.order import Dislodged, Province, Unit
from bordeaux.cli.options import MOST_SEED, whole
from bordeaux.cli.program import Script
from bordeaux.view.board import svg
from bordeaux.view.board.paint import STYLES
from bordeaux.view.svg import width_of

MAPS = ("standard", "standard", "gulfs", "pure", "capitals")
SVG = "{http://www.w3.org/2000/svg}"
CAPITAL = 0.73
"""Height of a capital letter, as a part of the size of its font."""
SLACK = 0.3
"""Pixels by which marks may touch: numbers are rounded."""

Box = tuple[float, float, float, float]


def random_position(rng: random.Random, board: Map) -> Position:
    """Units in random places, at most as many as there are centres, some dislodged, and random owners of
    centres."""

    def unit_in(province: Province) -> Unit:
        place = rng.choice([location for location in board.locations if location.province == province.index])
        return Unit(rng.choice(board.powers), place.kind, place.name)

    phase = rng.choice(("S1903M", "F1903M", "F1903R", "W1903A"))
    held = rng.sample(board.provinces, rng.randint(1, max(1, len(board.centres))))
    tags = {province.name for province in held}
    dislodged = []
    for province in held if phase.endswith("R") else ():
        unit = unit_in(province)
        near = board.adjacent(unit.kind, unit.location)
        goals = [name for name in sorted(near) if name.partition("/")[0] not in tags]
        dislodged.append(Dislodged(unit, tuple(goals[: rng.randint(0, 3)])))
    owned: dict[str, list[str]] = {}
    for centre in board.centres:
        if rng.random() < 0.8:
            owned.setdefault(rng.choice(board.powers), []).append(centre)
    return Position(board, phase, [unit_in(province) for province in held], owned, dislodged)


def random_orders(rng: random.Random, position: Position) -> dict[str, list[str]]:
    """A legal order for each unit that needs one; sometimes an order of another power, which is void."""
    orders = {
        power: [rng.choice(choices) for choices in legal_orders(position, power).values()]
        for power in position.map.powers
    }
    if rng.random() < 0.1:
        turned = [*orders.values()]
        orders = dict(zip(orders, [*turned[1:], turned[0]], strict=True))
    return orders


def boards(seed: int) -> Iterator[tuple[Position, dict[str, list[str]]]]:
    """Positions with orders, without end: random ones, each followed by the result of its orders."""
    rng = random.Random(seed)
    for name in itertools.cycle(MAPS):
        position = random_position(rng, Map.load(name))
        for _ in range(4):
            orders = random_orders(rng, position)
            yield position, orders
            position = adjudicate(position, orders).after
            if position.phase.kind == "-":
                break


def box_of(element: ElementTree.Element) -> Box | None:
    """The box of a shape of a picture: left, top, right, base. None for other elements."""

    def number(name: str) -> float:
        return float(element.get(name, "0"))

    match element.tag.removeprefix(SVG):
        case "circle":
            x, y, radius = number("cx"), number("cy"), number("r")
            return x - radius, y - radius, x + radius, y + radius
        case "line":
            xs, ys = (number("x1"), number("x2")), (number("y1"), number("y2"))
            return min(xs), min(ys), max(xs), max(ys)
        case "polyline" | "polygon":
            points = [point.split(",") for point in element.get("points", "").split()]
            across, down = ([float(number) for number in numbers] for numbers in zip(*points, strict=True))
            return min(across), min(down), max(across), max(down)
        case "text":
            size = number("font-size")
            wide = width_of(element.text or "", size, bold=element.get("font-weight") == "bold")
            left = (
                number("x")
                - {"start": 0.0, "middle": wide / 2, "end": wide}[element.get("text-anchor", "start")]
            )
            return left, number("y") - size * CAPITAL, left + wide, number("y")
    return None


def box_of_cross(cross: ElementTree.Element) -> Box:
    """The box of a cross, from the first stroke of its path: its corner, and how far it goes."""
    numbers = re.findall(r"-?[\d.]+", cross.get("d", ""))
    x, y, across, down = map(float, numbers[:4])
    return x, y, x + across, y + down


def union(boxes: list[Box]) -> Box:
    """The box around boxes."""
    lefts, tops, rights, bases = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bases)


def marks_of(root: ElementTree.Element) -> list[tuple[str, Box]]:
    """The marks that must not overlap: units, centres and names, each with its text."""
    marks = []
    for element in root:
        kind, title = element.get("class", ""), element.findtext(f"{SVG}title", "")
        shape = box_of(element)
        # Orders, and the crosses on who was dislodged, lie on other marks on purpose.
        if element.tag == f"{SVG}g" and kind.split()[:1] not in (["order"], ["beaten"]):
            marks.append((title, union([box for part in element if (box := box_of(part))])))
        elif shape and kind.split()[:1] in (["name"], ["waters"]):
            marks.append((element.text or "", shape))
    return marks


def crosses_of(root: ElementTree.Element) -> list[tuple[str, Box]]:
    """The crosses on the lines of failed moves, supports and convoys, each with the text of its order."""
    crosses = []
    for element in root.iter(f"{SVG}g"):
        title = element.findtext(f"{SVG}title", "")
        if element.get("class", "").split()[:1] == ["order"] and set(title.split()) & {"-", "S", "C", "R"}:
            crosses += [
                (title, box_of_cross(part)) for part in element if part.get("class") == "mark bad cross"
            ]
    return crosses


def hidden(picture: str) -> list[str]:
    """The crosses that a unit covers, a line each."""
    root = ElementTree.fromstring(picture)
    units = [(title, box) for title, box in marks_of(root) if ": " in title]
    lines = []
    for order, (left, top, right, base) in crosses_of(root):
        x, y = (left + right) / 2, (top + base) / 2
        lines += [
            f"{unit} covers the cross of {order}" for unit, a in units if a[0] < x < a[2] and a[1] < y < a[3]
        ]
    return lines


def faults(picture: str) -> list[str]:
    """The faults of a picture, a line each. Raises ParseError for invalid XML."""
    root = ElementTree.fromstring(picture)
    _, _, width, height = map(float, root.get("viewBox", "").split())
    faults_seen = []
    for element in root.iter():
        box = box_of(element)
        if box and (min(box) < 0 or box[2] > width or box[3] > height):
            faults_seen.append(f"{element.tag.removeprefix(SVG)} {element.text or ''} lies outside: {box}")
    for (one, a), (other, b) in itertools.combinations(marks_of(root), 2):
        if min(a[2], b[2]) - max(a[0], b[0]) > SLACK and min(a[3], b[3]) - max(a[1], b[1]) > SLACK:
            faults_seen.append(f"{one} overlaps {other}")
    return faults_seen + hidden(picture)


@click.command(cls=Script)
@click.option("--count", type=whole(1, 10**9), default=1000, metavar="N", help="Pictures in all.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="N", help="Makes other boards.")
def main(count: int, seed: int) -> int:
    """Draw random boards and look for faults in the pictures. Exit code 1 if one was found."""
    drawing = parsing = letters = 0.0
    wrong = 0
    for number, (position, orders) in enumerate(itertools.islice(boards(seed), count)):
        results = adjudicate(position, orders).results if number % 3 else None
        begun = time.perf_counter()
        picture = svg(position, orders, results, style=STYLES[number % len(STYLES)])
        drawn = time.perf_counter()
        ElementTree.fromstring(picture)
        drawing, parsing = drawing + drawn - begun, parsing + time.perf_counter() - drawn
        letters += len(picture)
        for fault in faults(picture):
            wrong += 1
            print(f"{number}, {position.map.name} {position.phase}: {fault}")
    drawing, parsing = drawing / count * 1e3, parsing / count * 1e3
    measured = f"{drawing:.1f} ms to draw, {parsing:.1f} ms to parse as XML, {letters / count / 1e3:.0f} kB"
    print(f"{count} pictures, {wrong} faults; each {measured}")
    return 1 if wrong else 0


if __name__ == "__main__":
    main()
