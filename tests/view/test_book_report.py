import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from bordeaux.view.book import report
from bordeaux.view.book.scatter import Dot, scatter
from bordeaux.view.book.sunburst import sunburst
from bordeaux.view.svg import Picture
from tests.openings.small_book import small_book

Played = dict[tuple[str, ...], float]

SVG = "{http://www.w3.org/2000/svg}"
VOID = {"meta", "br"}


class Balance(HTMLParser):
    """Collects tags that are open at the end, or closed without having been opened."""

    def __init__(self) -> None:
        super().__init__()
        self.unclosed: list[str] = []
        self.wrong: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.unclosed.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.unclosed or self.unclosed.pop() != tag:
            self.wrong.append(tag)


@pytest.fixture(scope="module")
def page() -> str:
    return report(small_book(name="<small> & tidy"))


def pictures(text: str) -> list[ET.Element]:
    return [ET.fromstring(match) for match in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


def test_the_page_is_whole_and_needs_nothing_else(page: str) -> None:
    balance = Balance()
    balance.feed(page)
    assert (balance.unclosed, balance.wrong) == ([], [])
    assert page.startswith("<!DOCTYPE html>")
    assert "<script" not in page and "<link" not in page and "@import" not in page
    assert not re.search(r'(?:src|href)="(?!#)', page)
    assert set(re.findall(r"https?://[^\"\s]+", page)) <= {"http://www.w3.org/2000/svg"}


def test_names_from_the_book_are_no_markup(page: str) -> None:
    assert "<small>" not in page
    assert "&lt;small&gt; &amp; tidy" in page


def test_every_picture_can_be_read_aloud(page: str) -> None:
    drawn = pictures(page)
    # value by depth; a sunburst and a scatter for each power
    assert len(drawn) == 1 + 2 * 7
    names = set()
    for picture in drawn:
        assert picture.get("role") == "img"
        title, description = picture.get("aria-labelledby", "").split()
        named, described = picture.find(f"{SVG}title"), picture.find(f"{SVG}desc")
        assert named is not None and described is not None
        assert named.get("id") == title and described.get("id") == description
        assert picture.findtext(f"{SVG}title", "") and picture.findtext(f"{SVG}desc", "")
        names.add(title)
    assert len(names) == len(drawn)


def test_the_table_shows_what_the_book_knows(page: str) -> None:
    austria = page[page.index('id="austria"') : page.index('id="england"')]
    assert "66.7 %" in austria and "33.3 %" in austria
    assert "<span>A VIE - TRI</span>" in austria
    assert 'best">25.0 %' in austria
    assert "In 1905" in austria and "F1901M with F ALB, A SER, A TRI" in austria
    against = page[page.index('id="disagreements"') :]
    people, engine = against.split("nobody does")
    assert "the engine does not" in people and "Trieste Variation" in people and ">12.5<" in people
    assert "A VIE - GAL" in engine and "+12.5" in engine


def test_a_sunburst_shares_out_the_whole_turn() -> None:
    played: Played = {
        ("A PAR - BUR", "F BRE - MAO"): 0.5,
        ("A PAR - BUR", "F BRE H"): 0.25,
        ("A PAR H", "F BRE H"): 0.25,
    }
    picture = ET.fromstring(sunburst("s", "france", played, "France", "S1901M"))
    titles = [piece.findtext(f"{SVG}title", "") for piece in picture.iter(f"{SVG}path")]
    assert titles == [
        "A PAR - BUR: 75.0 %",
        "A PAR - BUR; F BRE - MAO: 50.0 %",
        "A PAR - BUR; F BRE H: 25.0 %",
        "A PAR H: 25.0 %",
        "A PAR H; F BRE H: 25.0 %",
    ]
    assert sunburst("s", "france", {}, "France", "") == ""


def test_the_scatter_has_a_dot_for_each_set_that_is_played() -> None:
    dots = [
        Dot("Maginot", 0.2, 20, 5.5, "A PAR - BUR"),
        Dot("", 0.8, 80, 5.0, "A PAR H"),
        Dot("", 0.0, 0, 9.0, ""),
    ]
    text = scatter("s", "france", dots, "France", "Centres")
    (picture,) = pictures(text)
    assert len(picture.findall(f"{SVG}circle")) == 2
    assert "mean 5.10" in picture.findtext(f"{SVG}desc", "")
    shown = [text.text for text in picture.iter(f"{SVG}text")]
    assert "Maginot" in shown and "all hold" in shown
    assert scatter("s", "france", dots[2:], "France", "Centres") == ""


def test_text_in_a_picture_is_escaped() -> None:
    picture = Picture(10, "1 < 2", "x & y", "a")
    picture.text(0, 0, "<b>")
    assert ET.fromstring(picture.whole(10)).findtext(f"{SVG}text", "") == "<b>"
