"""Plots: well-formed SVG whose marks stand where the figures say, within the sheet."""

from __future__ import annotations

import random
from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from bordeaux.arena.job import Result
from bordeaux.arena.statistics import Interval
from bordeaux.arena.tables import ComparisonRow, ComparisonTable, lines
from bordeaux.view.svg import Scale, brief
from bordeaux.view.tournament import plot

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta")


def games(count: int, names: Sequence[str] = NAMES, years: int = 10) -> list[Result]:
    chance = random.Random(1)
    made = []
    for index in range(count):
        seats = [names[(seat + index) % len(names)] for seat in range(7)]
        rows: list[tuple[int, ...]] = [(3, 3, 3, 3, 3, 4, 3)]
        for _ in range(chance.randrange(years // 2, years + 1)):
            cuts = sorted(chance.randrange(35) for _ in range(6))
            rows.append(tuple(high - low for low, high in zip([0, *cuts], [*cuts, 34], strict=True)))
        last = rows[-1]
        winner = last.index(max(last)) if max(last) > 17 else None
        made.append(
            Result(
                index=index,
                seats=tuple(seats),
                seed=index,
                end="solo" if winner is not None else "cap",
                phase=f"W{1899 + len(rows)}A",
                winner=winner,
                centres=tuple(rows),
                alive=tuple(number > 0 for number in last),
                eliminated=tuple(None if number else 1905 for number in last),
                faults=(),
                seconds=(0.1,) * 7,
                orders=(10,) * 7,
                total=1.0,
            )
        )
    return made


def texts(svg: str) -> list[ElementTree.Element]:
    return ElementTree.fromstring(svg).findall(f"{SVG}text")


def said(svg: str) -> list[str]:
    return [text.text or "" for text in texts(svg)]


def numbers(element: ElementTree.Element) -> list[tuple[float, float]]:
    """The points that an element is drawn at."""
    given = element.attrib
    if "points" in given:
        pairs = (point.split(",") for point in given["points"].split())
        return [(float(x), float(y)) for x, y in pairs]
    places = [("x", "y"), ("cx", "cy"), ("x1", "y1"), ("x2", "y2")]
    return [(float(given[x]), float(given[y])) for x, y in places if x in given and y in given]


def test_every_player_has_its_dots_and_its_line() -> None:
    svg = plot(games(20), NAMES, title="A tournament")
    root = ElementTree.fromstring(svg)
    assert len(root.findall(f"{SVG}circle")) == 3 * 7
    assert len(root.findall(f"{SVG}polyline")) == 7
    assert "A tournament" in said(svg)
    assert said(svg).count("alpha") == 2
    years = [text for text in said(svg) if text.startswith("19")]
    assert years[0] == "1900"
    assert years[-1] == "1910"


def test_dots_stand_where_their_scales_say() -> None:
    played = games(20)
    svg = plot(played, NAMES)
    dots = [numbers(match)[0][0] for match in ElementTree.fromstring(svg).findall(f"{SVG}circle")]
    # The marks of each panel's scale begin with 0 %.
    panels: list[dict[float, float]] = []
    for text in texts(svg):
        if (share := text.text or "").endswith("%"):
            value = float(share[:-1]) / 100
            if value == 0:
                panels.append({})
            panels[-1][value] = float(text.attrib["x"])
    assert len(panels) == 3
    summaries = lines(played, NAMES)
    for number, (score, marks) in enumerate(zip(("solo", "sum_of_squares", "survived"), panels, strict=True)):
        pixels = (marks[max(marks)] - marks[0]) / max(marks)
        shown = [(across - marks[0]) / pixels for across in dots[7 * number : 7 * number + 7]]
        assert shown == pytest.approx([line.scores[score].mean for line in summaries], abs=0.001)


def test_the_picture_is_told_in_words() -> None:
    played = games(20)
    root = ElementTree.fromstring(plot(played, NAMES))
    assert root.attrib["role"] == "img"
    description = root.findtext(f"{SVG}desc", "")
    (line,) = [line for line in lines(played) if line.name == "zeta"]
    assert f"Survived: zeta {100 * line.scores['survived'].mean:.0f} %" in description
    assert f"Centres at the end: zeta {line.centres.mean:.1f} (" in description


def test_names_may_hold_anything() -> None:
    names = ("program:./bot <a> & 'b'", 'x"y', "a name that is a good deal longer than there is room for")
    svg = plot(games(9, names))
    assert "program:./bot <a> & 'b'" in said(svg)
    assert any(text.startswith("a name that is") and text.endswith("…") for text in said(svg))
    assert names[2] in ElementTree.fromstring(svg).findtext(f"{SVG}desc", "")


def test_a_paper_stands_beside() -> None:
    comparisons = [
        ComparisonTable(
            "Games won (table 9)",
            "player",
            {"alpha": ComparisonRow("Alpha", Interval(0.4, 0.3, 0.5), Interval(0.2, 0.1, 0.3), 1 / 7)},
        ),
        ComparisonTable(
            "Orders per second", "player", {"alpha": ComparisonRow("A", 3.7, Interval(9e4, 8e4, 1e5))}, 1
        ),
    ]
    svg = plot(games(4), NAMES, comparisons=comparisons)
    root = ElementTree.fromstring(svg)
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert "paper: 40 % (30 % to 50 %)" in titles
    assert "20 % (10 % to 30 %)" in titles
    assert "paper: 3.7" in titles
    assert {"1", "10", "100k"} <= set(said(svg))
    assert any("diamonds: the paper; dashes: by chance" in text for text in said(svg))
    assert "alpha in the paper 3.7" in root.findtext(f"{SVG}desc", "")


def test_scales() -> None:
    assert Scale(0, 10, 100, 200).at(2.5) == 125
    assert Scale(0, 10, 200, 100).at(2.5) == 175
    assert Scale(1, 10_000, 0, 100, logarithmic=True).at(100) == pytest.approx(50)
    assert Scale(0, 10, 100, 200).at(11) == 200
    assert [brief(value) for value in (0.25, 10, 2500, 1e6)] == ["0.25", "10", "2.5k", "1M"]
