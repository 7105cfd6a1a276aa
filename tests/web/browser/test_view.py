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


GIVEN_WAY = """() => {
    const box = element => element.getBoundingClientRect();
    // The page reckons with the widest letters.
    const near = (low, high, from, to) => low < to + 3 && from < high + 3;
    const meet = (a, b) => near(a.left, a.right, b.left, b.right) && near(a.top, a.bottom, b.top, b.bottom);
    const shown = text => getComputedStyle(text).visibility === "visible";
    const land = [...document.querySelectorAll("#board text.name.tag")];
    const others = [...land.filter(shown), ...document.querySelectorAll("#board .unit")];
    const hidden = land.filter(text => !shown(text));
    const frame = box(document.querySelector("#board"));
    const out = at => at.left < frame.left + 3 || at.right > frame.right - 3 || at.bottom > frame.bottom - 3;
    const covered = text => others.some(other => meet(box(text), box(other)));
    const given = hidden.filter(text => !out(box(text)) && !covered(text));
    return [hidden.length, given.map(text => text.textContent)];
}"""


def test_no_name_of_land_gives_way_to_one_of_a_sea(open_page: Open, server: Served) -> None:
    narrow = {"width": 320, "height": 700}
    table = open_page(server.study(), viewport=narrow, has_touch=True, is_mobile=True)
    hidden, given_way = table.page.evaluate(GIVEN_WAY)
    assert hidden > 0 and given_way == []


def test_the_name_of_the_province_that_is_pointed_at_is_written_out(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=DESK)
    written = table.page.locator("#board .written.drawn")
    for place, name in (("MUN", "Munich"), ("NAO", "North Atlantic Ocean")):
        table.page.mouse.move(*table.at(place))
        table.until(lambda name=name: written.text_content() == name)  # type: ignore[misc]
        edge = written.bounding_box()
        assert edge["x"] >= box(table, "#board")["left"]
    table.page.mouse.move(2, 2)
    written.wait_for(state="detached")


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


def test_marks_and_lines_grow_more_slowly_than_the_board(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=DESK)
    unit = """() => {
        const box = document.querySelector('#board .unit [class~="rim"]').getBoundingClientRect();
        return [box.width, parseFloat(getComputedStyle(document.querySelector('#board .coast')).strokeWidth)];
    }"""
    (before, line), scale = table.page.evaluate(unit), seen_at(table, "MUN")[2]
    table.press("+", "+", "+", "+")
    (after, thin), near = table.page.evaluate(unit), seen_at(table, "MUN")[2]
    assert near > 3 * scale and 1.5 < after / before < 2.4 and thin < 0.7 * line


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


def test_keys_come_near_and_go_along(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=DESK)
    table.press("+", "+", "+", "+", "+")
    table.page.locator("#board.zoomed").wait_for()
    # The province that has the keyboard's place comes into sight.
    for _ in range(30):
        table.press("n")
        place = table.page.evaluate("document.activeElement.dataset.tag")
        x, y = table.at(place)
        frame = box(table, "#board")
        assert frame["left"] < x < frame["right"] and frame["top"] < y < frame["bottom"], place
    table.press("-", "-", "-", "-", "-")
    assert table.page.locator("#board.zoomed").count() == 0


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


def test_what_is_told_covers_nothing(open_page: Open, server: Served) -> None:
    tell = """async texts => {
        const { notify } = await import("/static/js/api.js");
        for (const text of texts) notify(text, "bad");
    }"""
    for viewport in (DESK, PHONE):
        table = open_page(server.study(), viewport=viewport)
        table.page.evaluate(
            tell, ["The server does not answer.", "A line of some length, as servers write it."]
        )
        notes = table.page.locator(".notice").all()
        assert len(notes) == 2
        for note in notes:
            place = note.bounding_box()
            middle = [place["x"] + place["width"] / 2, place["y"] + place["height"] / 2]
            for part in ("#menu", "#name", "#board", "#stepper", "#side"):
                there = box(table, part)
                inside = (
                    there["left"] < middle[0] < there["right"] and there["top"] < middle[1] < there["bottom"]
                )
                assert not inside, part
    # While a dialog is open it is told there.
    table.press("?")
    table.page.evaluate(tell, ["Told in the dialog."])
    table.page.get_by_role("dialog").get_by_text("Told in the dialog.").wait_for()
    table.press("Escape")
    table.page.locator("header #news").wait_for(state="attached")


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
    for width in (400, 860, 900, 1000, 1100, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.reload()
        page.locator("#bar .part").first.wait_for()
        boxes = page.evaluate(script)
        assert boxes["wide"] <= width and boxes["modes"] <= width and boxes["stepper"] <= 0, boxes
        assert boxes["tabs"] <= 0 and boxes["clipped"] == [], boxes
