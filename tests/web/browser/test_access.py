"""Axe finds nothing on the page: in every panel and dialog, light and dark, on a desk and on a phone."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from .conftest import Open
from .served import Served
from .test_findings import reviewed_game

PANELS = ("Engine", "People", "Book", "Heat", "Talks", "Play", "Review", "Share")
JUDGED = """(context) => axe.run({ include: [["html"]], ...context }, { resultTypes: ["violations"] })
  .then(({ violations }) => violations)"""
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 400, "height": 800}


@pytest.mark.parametrize(("viewport", "scheme"), [(DESK, "dark"), (PHONE, "light")], ids=["desk", "phone"])
def test_no_fault_for_people_who_cannot_see_or_point(
    scheme: str, viewport: dict[str, int], open_page: Open, server: Served
) -> None:
    table = open_page(reviewed_game(server), color_scheme=scheme, viewport=viewport)
    page = table.page
    faults: dict[str, list[str]] = {}
    page.evaluate(Axe().axe_script)

    def judge(where: str, board: bool = False) -> None:
        # The board has most of all that stands on the page, and is seldom another one.
        context = {} if board else {"exclude": [["#board svg"]]}
        for fault in page.evaluate(JUDGED, context):
            faults.setdefault(fault["id"], []).append(f"{where}: {fault['nodes'][0]['html'][:200]}")

    for name in PANELS:
        panel = page.locator(f"#panel-{name.lower()}")
        if viewport is DESK:
            page.get_by_role("tab", name=name, exact=True).click()
        elif panel.is_hidden():
            # A fold that is open would close.
            page.locator(".fold button", has_text=name).click()
        panel.wait_for()
        judge(name)
        if name == "Heat":
            page.get_by_label("Altitude").check()
            page.locator("#warmth .scale").wait_for()
            judge("a heat map", board=True)
            page.get_by_label("Nothing").check()
        if name == "Review":
            page.locator(".point > button").first.click()
            page.locator(".key-better").wait_for()
            judge("a turning point", board=viewport is DESK)
            table.button("Find the better order", "#panel-review").click()
            table.button("Check my orders", "#panel-review").wait_for()
            judge("an order to find")
    if viewport is DESK:
        table.button("Lines", "#flip").click()
        judge("lines")
        table.button("Orders", "#flip").click()
    field = page.get_by_role("combobox", name="Type an order")
    field.fill("A PAR - MOS")
    field.press("Enter")
    page.locator("#orders .why-not:not(:empty)").wait_for()
    judge("an order that is none")
    field.blur()
    tell = """async () => {
        const { notify } = await import("/static/js/api.js");
        for (const kind of ["bad", "good", "news"]) notify(kind, kind);
    }"""
    page.evaluate(tell)
    judge("what is told")
    table.press("t")
    page.locator("#warmth select").wait_for()
    judge("threats", board=viewport is PHONE)
    table.press("t")
    for key in ("o", "f", "l", "?", "e"):
        table.press(key)
        page.locator("dialog[open], #setup:not([hidden])").wait_for()
        judge(f"key {key}")
        table.press("Escape")
        table.until(lambda: page.locator("dialog[open], #setup:not([hidden])").count() == 0)
    table.press("Shift+Enter")
    page.locator("#board .prompt", has_text="Crosses:").wait_for()
    judge("results")
    assert faults == {}
