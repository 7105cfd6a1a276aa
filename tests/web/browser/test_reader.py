"""The page that opens links with a study in them: no server, and nothing that a link can do to it."""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image

from bordeaux import Map, Position
from bordeaux.rules.rulesets import DATC
from bordeaux.search.analysis import Line
from bordeaux.studies.intake import study_of_position
from bordeaux.studies.saved import SHARED, shared_fragment
from bordeaux.studies.study import Study
from bordeaux.view.palette import THEMES
from bordeaux.web.standalone import carried, reader_page, study_page
from tests.patience import PATIENCE

from .conftest import Open
from .served import Served

LINES = {"0": {"FRANCE": [[["A PAR - BUR", "A MAR H"], 0.183, 0.099, 0.012], [["A PAR - PIC"], 0.1, 1, 0]]}}


@pytest.fixture
def study() -> Study:
    """A main line with a bounce, a side line, a convoy, a retreat, and words with marks in them."""
    made = study_of_position(Position.start(), "Mine <b>")
    first = {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
        "GERMANY": ["A MUN - BUR"],
        "ENGLAND": ["F LON - NTH"],
    }
    made, one = made.adjudicated("0", first, DATC)
    second = {"ENGLAND": ["F NTH C A LVP - NWY", "F EDI S F NTH"], "FRANCE": ["A BUR - MUN"]}
    made, _ = made.adjudicated(one, second, DATC)
    made, _ = made.adjudicated(
        "0", {"FRANCE": ["A PAR - PIC"], "TURKEY": ["A CON - BUL", "A SMY - CON"]}, DATC
    )
    return made.commented("0", "Look:\n<img src=x onerror=alert(1)>")


@pytest.fixture
def offline(browser: Any) -> Iterator[Any]:
    """A page without a network; nothing may have gone wrong on it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, offline=True)
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    faults: list[str] = []

    def dialog_came(dialog: Any) -> None:
        faults.append(dialog.message)
        dialog.dismiss()

    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", dialog_came)
    page.on("console", lambda said: faults.extend([said.text] if said.type == "error" else []))
    page.on("request", lambda asked: faults.extend([asked.url] if asked.url.startswith("http") else []))
    yield page
    context.close()
    assert faults == []


def about(page: Any) -> str:
    """What the page says of itself."""
    return str(page.locator("#about").text_content())


@pytest.mark.parametrize("kind", ["address", "file"])
def test_a_link_opens_without_a_server(kind: str, offline: Any, study: Study, tmp_path: Path) -> None:
    text = reader_page(study.map)
    (tmp_path / "reader.html").write_text(text, encoding="utf-8")
    where = carried(text) if kind == "address" else (tmp_path / "reader.html").as_uri()
    offline.goto(f"{where}#{shared_fragment(study, LINES, 'the engine searched')}")
    offline.get_by_role("heading", name="Spring 1901, movement").wait_for()
    assert offline.locator("h1").text_content() == "Mine <b>"
    assert "4 positions; the engine searched." in about(offline)
    assert offline.locator(".comment p").all_text_contents() == ["Look:", "<img src=x onerror=alert(1)>"]
    # The board: units of all powers, and the orders with what came of them.
    assert offline.locator(".board use[href^='#piece-']").count() == 22
    orders = offline.locator(".board g.order > title").all_text_contents()
    assert "Germany: A MUN - BUR (bounce)" in orders and "France: A MAR S A PAR - BUR" in orders
    assert offline.locator("td .failed").all_text_contents() == ["A MUN - BUR bounce"]
    # A unit has the colour of its power.
    unit = offline.locator(".board use[href='#piece-A2']").first.screenshot()
    with Image.open(io.BytesIO(unit)) as shown:
        data = shown.convert("RGB").tobytes()
    pixels = Counter(data[n : n + 3].hex() for n in range(0, len(data), 3))
    assert pixels[THEMES["calm"].light["power2"].removeprefix("#")] > 30
    engine = offline.locator("table", has=offline.get_by_role("columnheader", name="Score")).locator(
        "tbody tr"
    )
    assert engine.nth(0).locator("td").all_text_contents()[:2] == ["18 ± 1.2 %", "10 %"]
    assert engine.nth(1).locator("td").all_text_contents() == ["10 %", "forced", "A PAR - PIC"]
    # Keys: along the line, back, and to the side line.
    offline.keyboard.press("ArrowRight")
    offline.get_by_role("heading", name="Fall 1901, movement").wait_for()
    assert offline.locator(".board g.order > title", has_text="F NTH C A LVP - NWY").count() == 1
    offline.keyboard.press("ArrowLeft")
    offline.locator(".ways .side").click()
    assert offline.locator("nav [aria-current]").text_content() == "F1901M"
    assert offline.evaluate("document.activeElement.tagName") == "H2"
    assert offline.locator(".side > .faint-text").text_content() == "A PAR - PIC; A CON - BUL; A SMY - CON"


def test_a_file_has_its_study_in_it(offline: Any, study: Study, tmp_path: Path) -> None:
    (tmp_path / "study.html").write_text(study_page(study), encoding="utf-8")
    offline.goto(f"{tmp_path.as_uri()}/study.html")
    offline.get_by_role("heading", name="Spring 1901, movement").wait_for()
    assert offline.locator("h1").text_content() == "Mine <b>" and "4 positions" in about(offline)
    offline.goto(f"{tmp_path.as_uri()}/study.html#node=1")
    offline.get_by_role("heading", name="Fall 1901, movement").wait_for()


def test_a_link_may_name_the_position_and_another_may_follow(
    offline: Any, study: Study, tmp_path: Path
) -> None:
    (tmp_path / "reader.html").write_text(reader_page(study.map), encoding="utf-8")
    where = (tmp_path / "reader.html").as_uri()
    offline.goto(f"{where}#{shared_fragment(study)}&node=1")
    offline.get_by_role("heading", name="Fall 1901, movement").wait_for()
    other = study_of_position(Position.start(), "Another")
    offline.goto(f"{where}#{shared_fragment(other)}")
    offline.get_by_role("heading", name="Another").wait_for()


def shared(data: object) -> str:
    """A link with anything in it."""
    return SHARED + base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode().rstrip("=")


STATE = {
    "name": "S1901M",
    "units": {"FRANCE": ["A PAR", "A <b>", "X"]},
    "centers": {"FRANCE": ["PAR", "NOWHERE", "constructor"]},
}


def after(**wrong: object) -> str:
    """A link whose second position, reached by a key, is not of our form."""
    first = {"id": "0", "children": ["1"], "state": STATE}
    return shared({"map": "standard", "nodes": [first, {"id": "1", "parent": "0", "state": STATE} | wrong]})


NO_STUDIES = [
    ("", "copy it whole"),
    ("shared=AAAA", "copy it whole"),
    (shared({"map": "standard", "nodes": []}), "copy it whole"),
    (shared({"map": "standard", "nodes": [{"id": "0", "children": ["0"], "state": STATE}]}), "copy it whole"),
    (shared({"map": "pure", "nodes": [{"id": "0", "state": STATE}]}), "the study is on pure"),
    (shared({"map": "standard", "nodes": [{"id": "0", "state": STATE}]}), "1 positions"),
    (after(orders={"FRANCE": ["constructor", "__proto__ x"]}), "2 positions"),
    (after(orders={"FRANCE": "A PAR H"}), "copy it whole"),
    (after(comment={"split": 1}), "copy it whole"),
    (after(results=["A PAR"]), "copy it whole"),
    (after(lines={"FRANCE": [None]}), "copy it whole"),
    (after(parent="1"), "copy it whole"),
    (after(state=STATE | {"units": {"FRANCE": [1]}}), "copy it whole"),
    (SHARED + base64.urlsafe_b64encode(zlib.compress(b" " * (64 << 20))).decode(), "copy it whole"),
]


def test_what_is_no_study_is_told(offline: Any, tmp_path: Path) -> None:
    (tmp_path / "reader.html").write_text(reader_page(Map.standard()), encoding="utf-8")
    for number, (fragment, message) in enumerate(NO_STUDIES):
        print(f"number {number}")  # pytest shows the last one of a failure
        offline.goto("about:blank")
        offline.goto((tmp_path / "reader.html").as_uri() + f"#{fragment}")
        offline.locator("#about", has_text=message).wait_for()
        offline.keyboard.press("ArrowRight")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "dark"), (400, "light")])
def test_reader_and_file_have_no_fault_for_people_who_cannot_see(
    scheme: str, width: int, browser: Any, study: Study, tmp_path: Path
) -> None:
    (tmp_path / "reader.html").write_text(reader_page(study.map), encoding="utf-8")
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 860})
    long = Line(("A MAR S F WES - SPA/SC",) * 9, 0.1)
    (tmp_path / "study.html").write_text(study_page(study, {"0": {"FRANCE": [long]}}), encoding="utf-8")
    for address in (f"reader.html#{shared_fragment(study, LINES)}", "study.html"):
        page.goto(f"{tmp_path.as_uri()}/{address}")
        page.locator(".here .board svg").wait_for()
        assert [fault["id"] for fault in Axe().run(page).response["violations"]] == [], address
        assert page.evaluate("document.documentElement.scrollWidth") <= width, address
    page.close()


def test_the_page_copies_a_link_and_opens_one_that_is_pasted(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.open_tab("Share")
    table.page.get_by_text("Link with the whole study in it").click()
    table.button("Copy a link to the study", "#panel-share").click()
    table.page.locator("#notices", has_text="copied").wait_for()
    link = table.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith("data:text/html,") and "token" not in link
    before = table.page.url
    table.press("o")
    table.page.get_by_label("Or paste").fill(link)
    table.button("Import").click()
    table.until(lambda: table.page.url != before)
    table.wait_for_phase("Spring 1901")
