"""Boards of a page with many: the shapes of the map are defined once, and each board uses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.view.board import css, svg
from bordeaux.view.board.paint import defs

__all__ = ["Boards", "board_css"]

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
        patterns = defs("bare", len(self.map.powers))
        inside = f"{patterns}<defs>{listed}</defs>"
        return f'<svg class="shapes bordeaux-bare" width="0" height="0" aria-hidden="true">{inside}</svg>'


def board_css() -> str:
    """The rules of these boards, light and dark on a screen, light on paper."""
    rules = css("auto").replace(".bordeaux-auto ", ".bordeaux-bare ")
    return rules.replace(
        "@media (prefers-color-scheme:dark)", "@media screen and (prefers-color-scheme:dark)"
    )
