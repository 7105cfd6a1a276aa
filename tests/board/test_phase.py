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


@pytest.mark.parametrize(
    ("said", "phase"),
    [
        *((said, "S1903M") for said in ("spring 03", "S1903M", "S1903", "S03", "Spring '03", "1903 Spring")),
        *((said, "W1903A") for said in ("W1903", "W03", "Winter 1903", "W1903A")),
        ("Fall 1902", "F1902M"),
    ],
)
def test_a_position_may_say_its_phase_in_words(tmp_path: Path, said: str, phase: str) -> None:
    path = tmp_path / "position.txt"
    path.write_text(f"{said}\nFRANCE: A PAR; centres PAR\n", encoding="utf-8")
    assert read_position(path) == position_from_text(f"{phase}\nFRANCE: A PAR; centres PAR")
    assert read_position(path, phase=phase) == read_position(path)
