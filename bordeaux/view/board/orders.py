"""Drawing of orders: arrows for moves, lines to the arrow that a support or convoy helps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted, convoy_route
from bordeaux.view.board.geometry import SIZES, Geometry
from bordeaux.view.board.units import draw_unit, outcome
from bordeaux.view.palette import number_of
from bordeaux.view.svg import Picture, Place

WIDE = 6.4
"""Pixels from the middle of an arrow's head to its corners."""
COVERED = {"unit": 3.0, "name": 1.0, "centre": 0.5}
"""The cost of covering a mark, for each STRIDE."""
FRAME = 10.0
"""The cost of coming near the frame, for each STRIDE."""
STRIDE = 4.0
CROSSED = 0.62
"""The part of an arrow at whose end the cross of a failed order stands, if nothing is there."""
BESIDE = 1.5
"""The cost of a cross beside its arrow: more than a name, less than a unit."""


class Obstacles:
    """The visible marks on a board, which a line should not cover."""

    def __init__(self, shape: Geometry, position: Position) -> None:
        seen = [(shape.at(unit.location), "unit") for unit in position.units]
        for province in position.map.provinces:
            seen.append((shape.at(province.name, "name"), "name"))
            if province.centre:
                seen.append((shape.at(province.name, "centre"), "centre"))
        self.size = np.array(shape.size)
        self.middles = np.array([at for at, _ in seen])
        self.halves = np.array([SIZES[mark] for _, mark in seen]) / 2
        self.worth = np.array([COVERED[mark] for _, mark in seen])

    def clearest(self, way: Sequence[Place], reach: float) -> Place:
        """The place on a line where a mark that reaches so far covers least: of several the one nearest to
        CROSSED. Where units stand too close it lies beside the line."""
        line = along(way, STRIDE)
        off = np.abs(np.linspace(0.0, 1.0, len(line)) - CROSSED) / 4
        across = np.array([way[0][1] - way[-1][1], way[-1][0] - way[0][0]])
        beside = across * 3 * reach / max(1.0, float(np.hypot(*across)))
        points = np.concatenate([line, line + beside, line - beside])
        cost = np.concatenate([off, off + BESIDE, off + BESIDE])
        inside = (np.abs(points[:, None] - self.middles) < self.halves + reach).all(axis=2)
        outside = ((points < WIDE + reach) | (points > self.size - WIDE - reach)).any(axis=1)
        x, y = points[np.argmin(cost + (inside * self.worth).sum(axis=1) + FRAME * outside)]
        return float(x), float(y)

    def covered(self, way: Sequence[Place]) -> float:
        """How much of the marks, except units at its own ends, and of the frame a line covers."""
        own = [np.abs(self.middles - np.array(end)).max(axis=1) < 1 for end in (way[0], way[-1])]
        points = along(way, STRIDE)
        outside = ((points < WIDE) | (points > self.size - WIDE)).any(axis=1)
        inside = (np.abs(points[:, None] - self.middles) < self.halves).all(axis=2)
        return float((inside * np.where(own[0] | own[1], 0.0, self.worth)).sum() + FRAME * outside.sum())


def measured(way: Sequence[Place]) -> tuple[np.ndarray, np.ndarray]:
    """The corners of a line as rows, and how far along it each is."""
    points = np.array(way)
    return points, np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])


def along(way: Sequence[Place], stride: float) -> np.ndarray:
    """Places on a line, about so many pixels apart, as rows."""
    points, far = measured(way)
    steps = np.linspace(0, far[-1], max(2, int(far[-1] / stride)))
    return np.stack([np.interp(steps, far, points[:, 0]), np.interp(steps, far, points[:, 1])], axis=1)


def bent(begin: Place, end: Place, bend: float) -> list[Place]:
    """A line that bends to its left by a part of its length."""
    if not bend:
        return [begin, end]
    (a, b), (c, d) = begin, end
    return smooth([begin, ((a + c) / 2 - (d - b) * bend, (b + d) / 2 + (c - a) * bend), end])


def shortened(begin: Place, end: Place, by: float) -> Place:
    """The end of a line that stops so far before it, but not before its middle."""
    far = math.dist(begin, end)
    part = 1 - min(by / far, 0.5) if far else 1.0
    return begin[0] + (end[0] - begin[0]) * part, begin[1] + (end[1] - begin[1]) * part


def length(track: Sequence[Place]) -> float:
    """The length of a line."""
    return float(measured(track)[1][-1])


def middle(track: Sequence[Place], part: float) -> Place:
    """The point of a line after a part of its length."""
    points, far = measured(track)
    x, y = (float(np.interp(far[-1] * part, far, axis)) for axis in points.T)
    return x, y


def cut_short(track: list[Place], first: float, last: float) -> list[Place]:
    """A line without a part of its beginning and of its end, if it is long enough."""
    far = max(length(track), 1e-6)
    begin, end = middle(track, min(first / far, 0.3)), middle(track, 1 - min(last / far, 0.3))
    inner = [p for p in track[1:-1] if math.dist(p, track[0]) > first and math.dist(p, track[-1]) > last]
    return [begin, *inner, end]


def smooth(points: Sequence[Place]) -> list[Place]:
    """A curve through points (Catmull and Rom, 1974)."""
    ends = np.array([points[0], *points, points[-1]])
    smoothed = [points[0]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for t in (n / 12 for n in range(1, 13)):
            square, cube = 2 * a - 5 * b + 4 * c - d, 3 * b - a - 3 * c + d
            x, y = 0.5 * (2 * b + (c - a) * t + square * t**2 + cube * t**3)
            smoothed.append((float(x), float(y)))
    return smoothed


def arrow_head(before: Place, tip: Place) -> list[Place]:
    """The three corners of an arrow's head."""
    far = max(math.dist(before, tip), 1e-6)
    a, b = (tip[1] - before[1]) / far * WIDE, -(tip[0] - before[0]) / far * WIDE
    return [(before[0] + a, before[1] + b), tip, (before[0] - a, before[1] - b)]


ROOM = 17.0
"""Pixels from the middle of a unit to the end of an arrow."""
NEAR = 4.0
"""Pixels from the middle of an empty place to the end of an arrow."""
HEAD = 12.5
BENDS = (0.0, 0.12, -0.12, 0.22, -0.22)
"""Possible bends of arrows, as parts of their length, to avoid covering marks."""
RING = 19.0
"""The radius of the ring around a unit."""
BENT = 8.0
"""The cost of a bend, in addition to the cost of covered marks."""


STAYING = (OrderKind.HOLD, OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)
"""Orders of units that go nowhere."""


class Drawing:
    """The orders of one phase on a picture; with `results`, failed orders and dislodged units are crossed.
    The `kind` of compared orders, ``played`` or ``better``, replaces the colours of the powers."""

    def __init__(
        self,
        picture: Picture,
        shape: Geometry,
        position: Position,
        orders: Sequence[Submitted],
        results: Mapping[str, list[str]] | None,
        kind: str = "",
    ) -> None:
        self.picture, self.shape, self.position, self.results = picture, shape, position, results
        self.kind = kind
        self.orders = [submitted for submitted in orders if submitted.order.kind != OrderKind.WAIVE]
        self.moves = {
            submitted.province: submitted.order
            for submitted in self.orders
            if submitted.order.kind == OrderKind.MOVE
        }
        self.helped: dict[str, set[str]] = {}
        for submitted in self.orders:
            if submitted.order.kind == OrderKind.CONVOY:
                self.helped.setdefault(tag(submitted.order.target), set()).add(submitted.province)
        self.tracks: dict[tuple[Place, Place, bool], list[Place]] = {}
        self.obstacles = Obstacles(shape, position)

    def lines(self) -> None:
        """The layer below names and units; arrows and rings lie above supports and convoys."""
        self.draw(OrderKind.CONVOY)
        self.draw(OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE)
        self.draw(OrderKind.MOVE, OrderKind.RETREAT)
        self.draw(OrderKind.HOLD, OrderKind.BUILD)

    def marks(self) -> None:
        """The layer above the units."""
        self.draw(OrderKind.DISBAND)
        for unit in self.position.units:
            if "dislodged" in outcome(f"{unit} H", self.results or {}):
                x, y = self.shape.at(unit.location)
                self.picture.begin("beaten", f"{unit.power.title()}: {unit}, dislodged")
                self.cross((x, y), 11.0)
                self.picture.end()

    def draw(self, *kinds: OrderKind) -> None:
        """The orders of some kinds, each with its words as a tooltip."""
        for submitted in self.orders:
            if submitted.order.kind not in kinds:
                continue
            failed = self.failed(submitted)
            colour = self.kind or str(number_of(self.position.map, submitted.power))
            why = f" ({', '.join(failed)})" if failed else ""
            note = f"{submitted.power.title()}: {submitted.order}{why}"
            self.picture.begin(f"order {self.kind}".rstrip(), note, data_for=submitted.order.location)
            self.draw_one(submitted, colour, bool(failed))
            self.picture.end()

    def failed(self, submitted: Submitted) -> list[str]:
        """The words for the failure of an order: none without results, or for success."""
        if self.results is None:
            return []
        words = ["void"] if submitted.fault else outcome(str(submitted.order), self.results)
        if submitted.order.kind in STAYING:
            return [word for word in words if word != "bounce"]
        return [word for word in words if word != "dislodged" or len(words) > 1]

    def draw_one(self, submitted: Submitted, colour: str, failed: bool) -> None:
        """One order."""
        order, origin = submitted.order, self.origin(submitted.order)
        match order.kind:
            case OrderKind.MOVE:
                occupied = self.position.unit_at(tag(order.destination)) is not None
                self.arrow(self.track(order), colour, failed, ROOM + 1 if occupied else NEAR)
            case OrderKind.SUPPORT_MOVE | OrderKind.CONVOY:
                track = self.track_of(order)
                goal = middle(track, 0.5)
                convoy = order.kind == OrderKind.CONVOY
                if convoy:
                    self.ring(origin, colour, "4 2.5", thin=True)
                    if min(math.dist(origin, point) for point in track) < ROOM:
                        # The arrow goes by the fleet itself.
                        if failed:
                            self.cross((origin[0] + ROOM, origin[1] - ROOM), 4.0)
                        return
                self.helping(origin, goal, colour, failed, "1.5 4.5" if convoy else "7 4.5")
            case OrderKind.SUPPORT_HOLD:
                goal = self.at(order.target)
                self.helping(origin, shortened(origin, goal, RING), colour, failed, "7 4.5")
                self.ring(goal, colour, "7 4.5", thin=True)
            case OrderKind.HOLD:
                self.ring(origin, colour)
                if failed:
                    self.cross(origin, 5.0)
            case OrderKind.RETREAT:
                self.arrow(self.clear(origin, self.at(order.destination)), colour, failed, NEAR, "7 3")
            case OrderKind.DISBAND:
                if self.position.phase.kind == "R":
                    # A dislodged unit is small, and would not be known below its cross.
                    self.cross((origin[0] + 12, origin[1] - 8), 5.0)
                else:
                    self.cross(origin, 12.0)
            case OrderKind.BUILD:
                self.build(submitted, origin, failed)

    def origin(self, order: Order) -> Place:
        """The place of an order's unit on the picture: a dislodged one is beside its province."""
        return self.at(order.location, "dislodged" if self.position.phase.kind == "R" else "unit")

    def at(self, name: str, mark: str = "unit") -> Place:
        """The place of a unit on the picture: an order may omit the coast."""
        unit = self.position.unit_at(tag(name))
        return self.shape.at(unit.location if unit is not None and "/" not in name else name, mark)

    def track_of(self, order: Order) -> list[Place]:
        """The line of the move that an order helps, as it was ordered or as it would go."""
        move = self.moves.get(tag(order.target))
        if move is not None and tag(move.destination) == tag(order.destination):
            return self.track(move)
        move = Order(OrderKind.MOVE, order.target_unit, order.target, destination=order.destination)
        return self.track(move)

    def track(self, order: Order) -> list[Place]:
        """The line of a move: along its convoy, bent if there is an opposite one, else straight."""
        begin, end = self.at(order.location), self.shape.at(order.destination)
        seas = [self.shape.at(sea) for sea in self.route(order)]
        if seas:
            return smooth([begin, *seas, end])
        back = self.moves.get(tag(order.destination))
        return self.clear(begin, end, back is not None and tag(back.destination) == tag(order.location))

    def clear(self, begin: Place, end: Place, opposite: bool = False) -> list[Place]:
        """The line between two places that covers fewest marks, to the left of an opposite one."""
        key = begin, end, opposite
        if key not in self.tracks:
            ways = {bend: bent(begin, end, bend) for bend in BENDS if bend > 0 or not opposite}
            bend = min(ways, key=lambda bend: self.obstacles.covered(ways[bend]) + BENT * abs(bend))
            self.tracks[key] = ways[bend]
        return self.tracks[key]

    def route(self, order: Order) -> tuple[str, ...]:
        """The seas of a convoyed move, in the order of travel."""
        if order.unit != "A" or not (order.via or tag(order.location) in self.helped):
            return ()
        if order.route:
            return order.route
        board = self.position.map
        if order.destination in board.adjacent("A", order.location) and not order.via:
            return ()
        helping = self.helped.get(tag(order.location), set())
        units = [unit for unit in self.position.units if unit.province in helping]
        placed = Position(board, self.position.phase, units, {})
        return convoy_route(placed, order.location, tag(order.destination))

    def arrow(self, track: list[Place], colour: str, failed: bool, room: float, dashes: str = "") -> None:
        """An arrow from a unit to its destination, broken and crossed if it failed."""
        track = cut_short(track, ROOM, room)
        tip, before = track[-1], middle(track, 1 - min(0.4, HEAD / max(1.0, length(track))))
        # It goes on below the head, which is drawn smaller where a page comes near.
        shaft = [*[p for p in track if math.dist(p, tip) > HEAD], before, shortened(before, tip, 0.7 * HEAD)]
        broken = {"stroke_dasharray": "8 5"} if failed else {"stroke_dasharray": dashes} if dashes else {}
        self.picture.curve(shaft, "under", **broken)
        self.picture.curve(shaft, f"over s{colour}", **broken)
        self.picture.area(arrow_head(before, tip), f"mark head rim p{colour}")
        if failed:
            self.cross(self.obstacles.clearest(track, 6.0), 6.5)

    def helping(self, begin: Place, end: Place, colour: str, failed: bool, dashes: str) -> None:
        """A thin line from a unit to the unit or move that it helps, with a dot at its end."""
        begin = shortened(end, begin, ROOM)
        self.picture.line(begin, end, "under thin", stroke_dasharray=dashes)
        self.picture.line(begin, end, f"over thin s{colour}", stroke_dasharray=dashes)
        self.picture.dot(*end, 3.8, f"mark head rim p{colour}")
        if failed:
            self.cross(self.obstacles.clearest([begin, end], 5.0), 5.5)

    def ring(self, at: Place, colour: str, dashes: str = "none", thin: bool = False) -> None:
        """A ring around a unit."""
        for kind in ("under", "over"):
            shape = f"mark {kind}{' thin' * thin}{f' s{colour}' * (kind == 'over')}"
            self.picture.dot(*at, RING, shape, stroke_dasharray=dashes)

    def cross(self, at: Place, reach: float) -> None:
        """A cross over a failed order or a removed unit."""
        x, y = at
        path = f"M{x - reach:.1f},{y - reach:.1f}l{2 * reach:g},{2 * reach:g}"
        self.stroke(path + f"m{-2 * reach:g},0l{2 * reach:g},{-2 * reach:g}", "bad cross", 5.4, 2.8)

    def stroke(self, path: str, kind: str, case: float, width: float) -> None:
        """A line on a wider one that sets it off from what is below."""
        style = {"stroke_linecap": "round", "fill": "none"}
        self.picture.path(path, "mark case", stroke_width=case, **style)
        self.picture.path(path, f"mark {kind}", stroke_width=width, **style)

    def build(self, submitted: Submitted, at: Place, failed: bool) -> None:
        """A new unit in a ring, with a plus."""
        order, (x, y) = submitted.order, at
        if self.position.unit_at(tag(order.location)) is None:
            power, note = number_of(self.position.map, submitted.power), f"{submitted.power.title()}: {order}"
            draw_unit(self.picture, order.unit, at, power, note, opacity=0.85)
        kind = "bad" if failed else "good"
        self.picture.dot(x, y, RING, f"mark {kind}", fill="none", stroke_width=2.6, stroke_dasharray="6 3")
        self.stroke(f"M{x + 9:.1f},{y - 14:.1f}h11m-5.5,-5.5v11", kind, 5.6, 3.0)
        if failed:
            self.cross(at, 9.0)


def tag(location: str) -> str:
    """The province of a location."""
    return location.partition("/")[0]
