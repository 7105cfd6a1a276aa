"""The board as it is seen: its size and that of its names; coming near by wheel, fingers and keys."""

from typing import Any

import pytest

from .conftest import Open
from .served import Served
from .table import Table

DESK = {"width": 1440, "height": 900}
PHONE = {"width": 400, "height": 800}
LEAST_NAME = 11.0
NAMES = """() => {
    const scale = document.querySelector("#board .hits").getScreenCTM().a;
    return [...document.querySelectorAll("#board text.name, #board text.waters")]
        .filter(text => getComputedStyle(text).visibility === "visible")
        .map(text => ({
            name: text.dataset.tag, shown: text.textContent,
            size: parseFloat(getComputedStyle(text).fontSize) * scale,
            box: (({left, top, right, bottom}) => [left, top, right, bottom])(text.getBoundingClientRect()),
        }));
}"""
BOX = "selector => document.querySelector(selector).getBoundingClientRect().toJSON()"


def box(table: Table, selector: str) -> dict[str, float]:
    sizes: dict[str, float] = table.page.evaluate(BOX, selector)
    return sizes


def seen_at(table: Table, place: str) -> tuple[float, float, float]:
    """Where a place is on the screen, and how many pixels of it are one of the sheet."""
    scale = table.page.evaluate("document.querySelector('#board .hits').getScreenCTM().a")
    return (*table.at(place), float(scale))


def test_the_board_has_most_of_a_desk_and_all_is_seen(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=DESK)
    board = box(table, "#board")
    assert board["width"] >= DESK["width"] * 0.63
    for part in ("#board", "#stepper", "#orders", "#panels"):
        assert box(table, part)["bottom"] <= DESK["height"], part
    names = table.page.evaluate(NAMES)
    assert len([node for node in names if node["name"].isupper()]) == 75
    assert min(node["size"] for node in names) >= LEAST_NAME - 0.01
    # Eight tabs in one row.
    tops = {round(tab.bounding_box()["y"]) for tab in table.page.get_by_role("tab").all()}
    assert table.page.get_by_role("tab").count() == 8 and len(tops) == 1


def test_the_board_has_all_of_a_phone_and_names_never_lie_on_each_other(
    open_page: Open, server: Served
) -> None:
    table = open_page(server.study(), viewport=PHONE, has_touch=True, is_mobile=True)
    board = box(table, "#board")
    assert board["left"] == 0 and board["width"] == PHONE["width"]
    names = table.page.evaluate(NAMES)
    # Those without room wait until one comes nearer.
    assert 20 < len(names) < 75 and min(node["size"] for node in names) >= LEAST_NAME - 0.01
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            (a, b, c, d), (e, f, g, h) = one["box"], other["box"]
            # Boxes of text have some air above and below.
            assert min(c, g) - max(a, e) <= 3 or min(d, h) - max(b, f) <= 7, (one, other)
    for _ in range(3):
        table.button("Zoom in", "#stepper").click()
    nearer = table.page.evaluate(NAMES)
    assert {node["name"] for node in nearer} >= {node["name"] for node in names}
    # Where one is near, names are written out.
    assert "Munich" in {node["shown"] for node in nearer}


def test_a_desk_shows_the_orders_of_all_powers_and_draws_the_best_ones(
    open_page: Open, server: Served
) -> None:
    table = open_page(server.study(), viewport=DESK)
    under = box(table, "#orders .powers")["bottom"]
    powers = table.page.locator("#orders .power")
    assert powers.count() == 7
    for power in powers.all():
        each = power.bounding_box()
        assert each["y"] + each["height"] <= under
    drawn = table.page.locator("#board .picture .sbetter")
    assert drawn.count() == 0
    table.open_tab("Engine")
    table.page.locator("#panel-engine select").first.select_option("1")
    table.button("Start", "#panel-engine").click()
    # Until a power has orders of its own, those are drawn.
    table.page.locator("#panel-engine .answer").nth(6).wait_for()
    table.until(lambda: drawn.count() >= 20)
    # A line that changes while it is clicked is another line.
    stopping = table.button("Stop", "#panel-engine")
    table.until(lambda: not stopping.count() or not stopping.is_visible())
    all_drawn, austrian = drawn.count(), table.page.locator("#board .picture .s0")
    before = austrian.count()
    table.page.locator("#panel-engine .answer-line").first.click()
    table.until(lambda: 0 < drawn.count() < all_drawn)
    assert austrian.count() > before


SMALL = """() => [...document.querySelectorAll("button, select, summary, .pick label, .kind, input")]
  .filter((each) => !["checkbox", "radio"].includes(each.type))
  .filter((each) => each.checkVisibility())
  .map((each) => [each.getAttribute("aria-label") ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < 43.9).map(([name]) => name)"""


def test_a_phone_shows_the_best_lines_under_the_board_and_nothing_is_smaller_than_a_finger(
    open_page: Open, server: Served
) -> None:
    table = open_page(server.study(), viewport=PHONE, has_touch=True, is_mobile=True)
    panel = table.page.locator("#panel-engine")
    if not panel.is_visible():
        table.page.locator(".fold button", has_text="Engine").click()
    panel.locator("select").first.select_option("1")
    table.button("Start", "#panel-engine").click()
    panel.locator(".answer").nth(6).wait_for()
    assert table.page.evaluate(SMALL) == []
    board, under = box(table, "#board"), box(table, "#table")
    assert board["top"] >= 0
    first, second = (
        each.bounding_box() for each in (panel.locator(".answer").first, panel.locator(".answer").nth(1))
    )
    assert under["bottom"] <= first["y"] and second["y"] + second["height"] <= PHONE["height"]


def test_how_the_board_looks_is_chosen_and_kept(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=DESK)
    land = "getComputedStyle(document.querySelector('#board .t3')).fill"
    before = table.page.evaluate(land)
    table.press("b")
    table.page.locator("dialog").get_by_role("radio", name="Paper").check()
    assert table.page.evaluate(land) != before
    table.page.get_by_label("Patterns on owned land").check()
    assert "power3" in table.page.evaluate(land)
    table.page.get_by_label("Full names of provinces").check()
    assert "Munich" in {node["shown"] for node in table.page.evaluate(NAMES)}
    table.page.reload()
    table.page.locator("#board .picture svg").wait_for()
    assert "power3" in table.page.evaluate(land)
    assert table.page.evaluate("document.documentElement.dataset.board") == "paper"


def test_the_wheel_comes_near_where_it_points(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=DESK)
    x, y, scale = seen_at(table, "MUN")
    table.page.mouse.move(x, y)
    table.page.mouse.wheel(0, -400)
    table.page.locator("#board.zoomed").wait_for()
    u, v, nearer = seen_at(table, "MUN")
    assert nearer > 1.5 * scale and abs(u - x) < 2 and abs(v - y) < 2
    # The picture and the areas over it are one.
    views = [table.page.locator(part).get_attribute("viewBox") for part in (".hits", ".picture svg")]
    assert views[0] == views[1]
    # Orders are given there as anywhere.
    table.click("MUN", "BOH")
    table.wait_for_orders("A MUN - BOH")
    # What is no unit moves the board.
    before = table.at("MUN")
    table.page.mouse.move(*table.at("TYR"))
    table.page.mouse.down()
    table.page.mouse.move(table.at("TYR")[0] + 60, table.at("TYR")[1] + 40, steps=4)
    table.page.mouse.up()
    after = table.at("MUN")
    assert after[0] - before[0] == pytest.approx(60, abs=2) and after[1] - before[1] == pytest.approx(
        40, abs=2
    )
    table.wait_for_orders("A MUN - BOH")
    table.press("0")
    assert seen_at(table, "MUN")[2] == pytest.approx(scale)
    assert table.button("Zoom out", "#stepper").is_disabled()


def fingers(session: Any, kind: str, *places: tuple[float, float]) -> None:
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_two_fingers_come_near(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=PHONE, has_touch=True, is_mobile=True)
    session = table.page.context.new_cdp_session(table.page)
    x, y, scale = seen_at(table, "MUN")
    fingers(session, "touchStart", (x - 20, y), (x + 20, y))
    for reach in (25, 35, 45, 60):
        fingers(session, "touchMove", (x - reach, y), (x + reach, y))
    fingers(session, "touchEnd")
    u, v, nearer = seen_at(table, "MUN")
    assert nearer == pytest.approx(3 * scale, rel=0.1)
    # The browser keeps the first pixels of a move to itself.
    assert abs(u - x) < 15 and abs(v - y) < 15
    # The page itself has not grown, and no order came of it.
    assert table.page.evaluate("visualViewport.scale") == 1
    assert table.orders == []
    table.page.touchscreen.tap(*table.at("MUN"))
    table.page.touchscreen.tap(*table.at("BOH"))
    table.wait_for_orders("A MUN - BOH")


def test_nothing_is_cut_off_in_windows_of_any_width(open_page: Open, server: Served) -> None:
    page = open_page(server.study(), viewport=DESK).page
    script = """() => {
        const end = (part) => document.querySelector(part).getBoundingClientRect().right;
        const tabs = document.querySelector(".tabs");
        const table = document.querySelector("#table").getBoundingClientRect().right;
        const parts = [...document.querySelectorAll("#bar .part")];
        const clipped = parts.filter((part) => part.scrollWidth > part.clientWidth + 1);
        return {
            wide: document.documentElement.scrollWidth,
            modes: Math.floor(end(".modes")),
            tabs: tabs.scrollWidth - tabs.clientWidth,
            stepper: Math.floor(end("#stepper .strong") - table),
            clipped: clipped.map((part) => part.textContent),
        };
    }"""
    for width in (400, 860, 1000, 1100, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        page.locator("#bar .part").first.wait_for()
        boxes = page.evaluate(script)
        assert boxes["wide"] <= width and boxes["modes"] <= width and boxes["stepper"] <= 0, boxes
        assert boxes["tabs"] <= 0 and boxes["clipped"] == [], boxes
