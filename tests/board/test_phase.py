"""Phases in the short form and in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from bordeaux import BordeauxError, Phase
from bordeaux.formats.load import read_position
from bordeaux.formats.text import position_from_text


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("s1901m", "S1901M"),
        ("Spring 1901", "S1901M"),
        ("Spring, 1901", "S1901M"),
        ("Spring 1901 Movement", "S1901M"),
        ("Spring 1901 Retreats", "S1901R"),
        ("Summer 1901", "S1901R"),
        ("Autumn, 1901, Diplomacy", "F1901M"),
        ("fall 1901 (retreats)", "F1901R"),
        ("Autumn 1901, Unit-placing", "W1901A"),
        ("Winter 1901", "W1901A"),
        ("Winter 1901 Adjustments", "W1901A"),
        ("completed", "COMPLETED"),
    ],
)
def test_phases_are_read(text: str, phase: str) -> None:
    assert str(Phase.parse(text)) == phase


@pytest.mark.parametrize(
    "text",
    ["Spring", "1901", "Spring 19010", "Winter 1901 Retreats", "Spring 1901 Builds", "Spring 1901 Sunny"],
)
def test_what_is_no_phase(text: str) -> None:
    with pytest.raises(BordeauxError, match="unknown phase"):
        Phase.parse(text)


def test_a_position_may_say_its_phase_in_words(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("Fall 1902\nFRANCE: A PAR; centres PAR\n", encoding="utf-8")
    assert read_position(path, phase="Autumn 1902") == position_from_text(
        "F1902M\nFRANCE: A PAR; centres PAR"
    )
