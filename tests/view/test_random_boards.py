"""Pictures of random boards are sound, and the tool that looks for faults finds them."""

import itertools
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from random_boards import boards, faults, marks_of

from bordeaux import Position, adjudicate
from bordeaux.view.board import svg

PICTURE = svg(Position.start())


@pytest.mark.slow
def test_random_boards_have_no_faults() -> None:
    kinds, maps = set(), set()
    for position, orders in itertools.islice(boards(seed=1), 60):
        picture = svg(position, orders, adjudicate(position, orders).results)
        assert faults(picture) == []
        board, units = position.map, len(position.units) + len(position.dislodged)
        marks = [text for text, _ in marks_of(ElementTree.fromstring(picture))]
        coasts = sum(mark in ("nc", "sc", "ec", "wc") for mark in marks)
        legend = len(marks) - coasts - units - len(board.provinces) - len(board.centres)
        assert legend in (0, len(board.powers))
        kinds.add(position.phase.kind)
        maps.add(board.name)
    assert kinds == {"M", "R", "A"} and maps == {"standard", "gulfs", "pure", "capitals"}


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ('<circle cx="1199" cy="5" r="3"/></svg>', "circle  lies outside"),
        ('<line x1="-1" y1="5" x2="20" y2="5"/></svg>', "line  lies outside"),
        ('<polyline points="5,5 5,1300"/></svg>', "polyline  lies outside"),
        ('<text x="1190" y="20" font-size="12">Moscow</text></svg>', "text Moscow lies outside"),
    ],
)
def test_what_lies_outside_is_found(drawn: str, words: str) -> None:
    (fault,) = faults(PICTURE.replace("</svg>", drawn))
    assert words in fault


def test_what_overlaps_is_found() -> None:
    (paris,) = [(x, y) for name, (x, _, _, y) in marks_of(ElementTree.fromstring(PICTURE)) if name == "PAR"]
    unit = f'<g><title>France: A XYZ</title><circle cx="{paris[0]}" cy="{paris[1]}" r="3"/></g></svg>'
    assert faults(PICTURE.replace("</svg>", unit)) == ["PAR overlaps France: A XYZ"]
