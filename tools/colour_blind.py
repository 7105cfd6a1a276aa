"""A board as the colour-blind see it: python tools/colour_blind.py --out FILE.svg|png

The simulation is that of Machado, Oliveira and Fernandes (2009) at full severity, as filters of SVG, which
use linear light as the method requires.
"""

from __future__ import annotations

from pathlib import Path

import click

from bordeaux import Position
from bordeaux.cli.program import Script
from bordeaux.view.board import svg
from bordeaux.view.svg import png

SIGHT = {
    "common sight": "1 0 0 0 1 0 0 0 1",
    "protanopia": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
    "deuteranopia": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
    "tritanopia": "1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900",
}
WIDTH = 760


def spread_centres() -> Position:
    """A position in which the centres are dealt out in turn, so that all colours are adjacent."""
    start = Position.start()
    board = start.map
    owned: dict[str, list[str]] = {}
    for number, centre in enumerate(board.centres):
        owned.setdefault(board.powers[number % len(board.powers)], []).append(centre)
    return Position(board, "F1905M", start.units, owned)


def sheet(position: Position) -> str:
    """Four boards on one sheet, two by two."""
    picture = svg(position, size=WIDTH, style="light")
    height = WIDTH * 1.02
    parts = []
    for number, (name, numbers) in enumerate(SIGHT.items()):
        rows = numbers.split()
        matrix = " ".join(" ".join((*rows[n : n + 3], "0 0")) for n in (0, 3, 6)) + " 0 0 0 1 0"
        x, y = number % 2 * WIDTH, number // 2 * height
        parts.append(
            f'<filter id="sight{number}" x="0" y="0" width="1" height="1">'
            f'<feColorMatrix values="{matrix}"/></filter>'
            f'<g transform="translate({x} {y})" filter="url(#sight{number})">{picture}</g>'
            f'<text x="{x + 10}" y="{y + 22}" font-family="Arial, sans-serif" font-size="18">{name}</text>'
        )
    size = f'width="{2 * WIDTH}" height="{2 * height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>\n'


@click.command(cls=Script)
@click.option("--out", type=Path, required=True, metavar="FILE", help="A picture, .svg or .png.")
def main(out: Path) -> None:
    """Draw a board as the colour-blind see it."""
    drawn = sheet(spread_centres())
    out.write_bytes(png(drawn) if out.suffix == ".png" else drawn.encode())


if __name__ == "__main__":
    main()
