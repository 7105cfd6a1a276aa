"""Plots: well-formed SVG whose marks stand where the figures say, within the sheet."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from bordeaux.arena.job import Result
from bordeaux.arena.tables import lines
from bordeaux.view.svg import Scale, brief
from bordeaux.view.tournament import plot
from tests.arena.conftest import finished

from .reader import SVG, texts

NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta")


def games(count: int, names: Sequence[str] = NAMES) -> list[Result]:
    chance = random.Random(1)
    made = []
    for index in range(count):
        rows: list[tuple[int, ...]] = [(3, 3, 3, 3, 3, 4, 3)]
        for _ in range(chance.randrange(5, 11)):
            cuts = sorted(chance.randrange(35) for _ in range(6))
            rows.append(tuple(high - low for low, high in zip([0, *cuts], [*cuts, 34], strict=True)))
        last = rows[-1]
        winner = last.index(max(last)) if max(last) > 17 else None
        seats = [names[(seat + index) % len(names)] for seat in range(7)]
        result = finished(index, seats, last, winner)
        made.append(replace(result, centres=tuple(rows), phase=f"W{1899 + len(rows)}A"))
    return made


def test_every_player_has_its_dots_its_line_and_its_words() -> None:
    played = games(20)
    svg = plot(played, NAMES, title="A tournament")
    root, said = ElementTree.fromstring(svg), [text.text or "" for text in texts(svg)]
    assert len(root.findall(f"{SVG}circle")) == 3 * 7 and len(root.findall(f"{SVG}polyline")) == 7
    # What is due by chance is known of one score.
    assert svg.count("stroke-dasharray") == 7
    assert "A tournament" in said and said.count("alpha") == 2
    years = [text for text in said if text.startswith("19")]
    assert (years[0], years[-1]) == ("1900", "1910")
    description = root.findtext(f"{SVG}desc", "")
    (line,) = [line for line in lines(played) if line.name == "zeta"]
    assert f"Survived: zeta {100 * line.scores['survived'].mean:.0f} %" in description
    assert f"Centres at the end: zeta {line.centres.mean:.1f} (" in description


def test_dots_stand_where_their_scales_say() -> None:
    played = games(20)
    svg = plot(played, NAMES)
    dots = [float(dot.attrib["cx"]) for dot in ElementTree.fromstring(svg).findall(f"{SVG}circle")]
    # The marks of each panel's scale begin with 0 %.
    panels: list[dict[float, float]] = []
    for text in texts(svg):
        if (share := text.text or "").endswith("%"):
            value = float(share[:-1]) / 100
            if value == 0:
                panels.append({})
            panels[-1][value] = float(text.attrib["x"])
    summaries = lines(played, NAMES)
    for number, (score, marks) in enumerate(zip(("solo", "sum_of_squares", "survived"), panels, strict=True)):
        pixels = (marks[max(marks)] - marks[0]) / max(marks)
        shown = [(across - marks[0]) / pixels for across in dots[7 * number : 7 * number + 7]]
        assert shown == pytest.approx([line.scores[score].mean for line in summaries], abs=0.001)


def test_names_may_hold_anything_and_no_games_are_told() -> None:
    names = ("program:./bot <a> & 'b'", 'x"y', "a name that is a good deal longer than there is room for")
    svg = plot(games(9, names))
    said = [text.text or "" for text in texts(svg)]
    assert names[0] in said and any(text.startswith("a name that is") and text.endswith("…") for text in said)
    assert names[2] in ElementTree.fromstring(svg).findtext(f"{SVG}desc", "")
    assert [text.text for text in texts(plot([]))] == ["No games", "0 games"]


def test_scales() -> None:
    assert [Scale(0, 10, 100, 200).at(value) for value in (2.5, 11)] == [125, 200]
    assert Scale(0, 10, 200, 100).at(2.5) == 175
    assert Scale(1, 10_000, 0, 100, logarithmic=True).at(100) == pytest.approx(50)
    assert [brief(value) for value in (0.25, 10, 2500, 1e6)] == ["0.25", "10", "2.5k", "1M"]
