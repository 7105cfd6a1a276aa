"""Boards of a page with many, whose shapes are defined once; a turning point as played and with better
orders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from bordeaux.board.cleaning import html_text as escape
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.review import Review, TurningPoint
from bordeaux.review.telling import percent
from bordeaux.rules import adjudicate
from bordeaux.view import scrolling
from bordeaux.view.board import svg
from bordeaux.view.board.paint import css, defs
from bordeaux.view.board.units import heading

SHAPE = re.compile(r'<path([^>]*?) d="([^"]{100,})"([^>]*?)(?:/>|>(.*?)</path>)', re.DOTALL)
PATTERNS = re.compile(r"<defs>.*?</defs>", re.DOTALL)


class Boards:
    """Draws boards in the style ``bare``; the page must contain `shapes` once, before them."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self._names: dict[str, str] = {}

    def draw(
        self,
        position: Position,
        orders: Mapping[str, Iterable[str | Order]],
        results: Mapping[str, list[str]] | None = None,
        highlight: Iterable[str] = (),
    ) -> str:
        """One board as an SVG element; see `bordeaux.view.board.svg`."""
        drawn = svg(position, orders, results, highlight=highlight, style="bare")
        return SHAPE.sub(self._use, PATTERNS.sub("", drawn, count=1))

    def _use(self, match: re.Match[str]) -> str:
        before, d, after, inside = match.groups()
        name = self._names.setdefault(d, f"shape-{len(self._names)}")
        return f'<use{before} href="#{name}"{after}>{inside or ""}</use>'

    def name_of(self, outline: str) -> str | None:
        """The id of a shape that was drawn, by its outline."""
        return self._names.get(outline)

    def shapes(self) -> str:
        """The definitions that the drawn boards refer to."""
        listed = "".join(f'<path id="{name}" d="{d}"/>' for d, name in self._names.items())
        inside = f"{defs('bare', len(self.map.powers))}<defs>{listed}</defs>"
        return f'<svg class="shapes bordeaux-bare" width="0" height="0" aria-hidden="true">{inside}</svg>'


def board_css() -> str:
    """The rules of these boards, light and dark on a screen, light on paper."""
    return css("bare").replace(
        "@media (prefers-color-scheme:dark)", "@media screen and (prefers-color-scheme:dark)"
    )


HEADINGS = {
    "loss": "{power}'s orders cost {loss}",
    "stab": "{power} stabs {victim}",
    "missed solo": "{power} misses a victory",
    "missed stop": "{power} could have stopped {victim}",
    "missed capture": "{power} misses centres that were sure",
    "peace kept": "{power} keeps a peace that cost it {loss}",
}


def point_section(review: Review, number: int, boards: Boards) -> str:
    """The section of a turning point, counted from 1."""
    point = review.turning_points[number - 1]
    shown = (figure(drawn, name, f"{name}.", "board") for name, drawn in pictures(review, point, boards))
    return (
        f'<section id="turn-{number}" aria-labelledby="turn-{number}-title"><h3 id="turn-{number}-title">'
        f'<span class="count">{number}</span> {escape(title_of(point))}</h3>'
        f"<p>{escape(point.why)}</p>{differences(point)}"
        f'<div class="pair">{"".join(shown)}</div></section>\n'
    )


def title_of(point: TurningPoint) -> str:
    """The phase, and the event in a few words."""
    what = HEADINGS[point.kind].format(
        power=point.power.title(), victim=point.victim.title(), loss=percent(point.loss)
    )
    return f"{heading(Phase.parse(point.phase)).removesuffix(', movement')}: {what}"


def differences(point: TurningPoint) -> str:
    """The units with other orders in the better set, as a table."""
    played = {unit_of(order): order for order in point.played}
    rows = "".join(
        f"<tr><td>{escape(played.get(unit_of(order), 'no order'))}</td><td>{escape(order)}</td></tr>"
        for order in point.better
        if order not in point.played
    )
    if not rows:
        return ""
    other = "The stab" if point.kind == "peace kept" else "Better"
    return (
        f'<table class="differences"><thead><tr><th scope="col">Played</th><th scope="col">{other}</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>"
    )


def pictures(review: Review, point: TurningPoint, boards: Boards) -> Iterator[tuple[str, str]]:
    """The boards of a turning point by their captions."""
    position, given, name = review.position(point.number), review.orders(point.number), point.power.title()
    played = boards.draw(position, given, adjudicate(position, given).results, point.places)
    yield f"As played in {point.phase}, by all", played
    better = [parse_order(order, position.map, position) for order in point.better]
    if better and point.kind == "missed stop":
        instead = {**given, point.power: tuple(better)}
        drawn = boards.draw(position, instead, adjudicate(position, instead).results)
        yield f"{name}'s better orders, as the others played", drawn
    elif better:
        drawn = boards.draw(position, {point.power: better}, highlight=point.places)
        yield f"{name}'s stab" if point.kind == "peace kept" else f"{name}'s better orders", drawn


def figure(drawn: str, name: str, caption: str, kind: str = "wide") -> str:
    """A picture that scrolls if it is too wide, with its caption."""
    return f"<figure>{scrolling(name, kind)}{drawn}</div><figcaption>{escape(caption)}</figcaption></figure>"


def unit_of(order: str) -> str:
    """The unit with which an order begins."""
    return " ".join(order.split()[:2])
