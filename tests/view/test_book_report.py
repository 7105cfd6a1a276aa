import re
import xml.etree.ElementTree as ET

import pytest

from bordeaux.view.book import report
from bordeaux.view.book.scatter import Dot, scatter
from bordeaux.view.book.sunburst import sunburst
from bordeaux.view.svg import Picture
from tests.openings.small_book import small_book

from .reader import SVG, Reader, texts


@pytest.fixture(scope="module")
def page() -> str:
    return report(small_book(name="<small> & tidy"))


def test_the_page_is_whole_and_names_from_the_book_are_no_markup(page: str) -> None:
    Reader(page)
    assert set(re.findall(r"https?://[^\"\s]+", page)) <= {"http://www.w3.org/2000/svg"}
    assert "<small>" not in page and "&lt;small&gt; &amp; tidy" in page


def test_every_picture_can_be_read_aloud(page: str) -> None:
    drawn = [ET.fromstring(match) for match in re.findall(r"<svg.*?</svg>", page, re.DOTALL)]
    # A sunburst and a scatter for each power.
    assert len(drawn) == 2 * 7 and {picture.get("role") for picture in drawn} == {"img"}
    for picture in drawn:
        named, described = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")
        assert named is not None and described is not None and named.text and described.text
        assert picture.get("aria-labelledby") == f"{named.get('id')} {described.get('id')}"


def test_the_table_shows_what_the_book_knows(page: str) -> None:
    austria = page[page.index('id="austria"') : page.index('id="england"')]
    assert "66.7 %" in austria and "33.3 %" in austria
    assert "<span>A VIE - TRI</span>" in austria and 'best">25.0 %' in austria
    assert "In 1905" in austria and "F1901M with F ALB, A SER, A TRI" in austria
    people, engine = page[page.index('id="disagreements"') :].split("nobody does")
    assert "the engine does not" in people and "Trieste Variation" in people and ">12.5<" in people
    assert "A VIE - GAL" in engine and "+12.5" in engine


def test_a_sunburst_shares_out_the_whole_turn() -> None:
    played: dict[tuple[str, ...], float] = {
        ("A PAR - BUR", "F BRE - MAO"): 0.5,
        ("A PAR - BUR", "F BRE H"): 0.25,
        ("A PAR H", "F BRE H"): 0.25,
    }
    picture = ET.fromstring(sunburst("s", "france", played, "France", "S1901M"))
    assert [piece.findtext(f"{SVG}title", "") for piece in picture.iter(f"{SVG}path")] == [
        "A PAR - BUR: 75.0 %",
        "A PAR - BUR; F BRE - MAO: 50.0 %",
        "A PAR - BUR; F BRE H: 25.0 %",
        "A PAR H: 25.0 %",
        "A PAR H; F BRE H: 25.0 %",
    ]
    # A ring of one piece is two halves.
    (whole,) = ET.fromstring(sunburst("s", "france", {("A PAR H",): 1.0}, "", "")).iter(f"{SVG}path")
    assert str(whole.get("d")).count("M") == 2
    assert sunburst("s", "france", {}, "France", "") == ""


def test_the_scatter_has_a_dot_for_each_set_that_is_played() -> None:
    dots = [
        Dot("Maginot", 0.2, 20, 5.5, "A PAR - BUR"),
        Dot("", 0.8, 80, 5.0, "A PAR H"),
        Dot("", 0.0, 0, 9.0, ""),
    ]
    text = scatter("s", "france", dots, "France", "Centres")
    assert text.count("<circle") == 2 and "mean 5.10" in text
    assert {"Maginot", "all hold"} <= {label.text for label in texts(text)}
    assert scatter("s", "france", dots[2:], "France", "Centres") == ""


def test_text_in_a_picture_is_escaped() -> None:
    picture = Picture(10, "1 < 2", "x & y", "a")
    picture.text(0, 0, "<b>")
    assert [text.text for text in texts(picture.whole(10))] == ["<b>"]
