"""The course of a game below the board, its result at both ends, what is told and goes, lines kept to."""

import json

from playwright.sync_api import expect

from tests.patience import PATIENCE

from ..conftest import played
from ..test_recorded_routes import ended
from .conftest import Open
from .served import Served

OPENING = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - RUH"]}
SECOND = {"FRANCE": ["A MAR - SPA", "A BUR - BEL"]}
DESK = {"width": 1440, "height": 900}


def test_the_course_is_a_timeline(open_page: Open, server: Served) -> None:
    study = server.study(text=json.dumps(played(OPENING, SECOND)), name="Two turns")
    table = open_page(study)
    page = table.page
    bands = page.locator("#stepper .bands")
    table.until(lambda: [each.locator("polygon").count() for each in bands.all()] == [7, 7])
    course = server.call("GET", f"/api/studies/{study}/course")
    assert list(course) == ["0", "1", "2"]
    assert all(abs(sum(shares.values()) - 1) < 0.005 for shares in course.values())
    # A click on it goes to the phase, and the slider says what it shows there.
    slider = page.get_by_role("slider", name="Phase")
    place = slider.bounding_box()
    for part, phase in ((0.99, "Winter 1901"), (0.5, "Fall 1901"), (0.01, "Spring 1901")):
        page.mouse.click(place["x"] + part * place["width"], place["y"] + place["height"] / 2)
        table.wait_for_phase(phase)
        assert str(slider.get_attribute("aria-valuetext")).startswith(phase)
    assert "centres" in str(slider.get_attribute("aria-valuetext"))
    assert page.title() == "Two turns: Spring 1901, moves (Bordeaux)"


def test_a_finished_game_tells_its_result_and_offers_a_review(open_page: Open, server: Served) -> None:
    table = open_page(server.study(text=json.dumps(ended("won", "FRANCE", OPENING))), viewport=DESK)
    result = table.page.get_by_role("region", name="France won in 1901")
    assert result.locator(".counts li").all_inner_texts() == ["F\n18"]
    table.button("Go to the end", "#result").click()
    table.wait_for_phase("Fall 1901")
    table.button("Go to the start", "#result").wait_for()
    # Nothing is asked for where the game is won.
    assert table.page.locator("#board .prompt").text_content() == ""
    table.button("Review this game", "#result").click()
    table.page.locator("#panel-review", has_text="The report is ready.").wait_for()
    table.button("See the review", "#result").wait_for()
    assert server.call("GET", f"/api/studies/{table.study}/review")["status"] == "done"


def test_a_line_that_is_looked_at_is_kept_to(open_page: Open, server: Served) -> None:
    study = server.study(text=json.dumps(played(OPENING, SECOND)))
    other = {"orders": {"FRANCE": ["A PAR - PIC"]}}
    side = server.call("POST", f"/api/studies/{study}/nodes/0/adjudicate", other)["node"]
    table = open_page(study, side)
    table.wait_for_phase("Fall 1901")
    table.press("ArrowLeft")
    table.wait_for_phase("Spring 1901")
    table.wait_for_orders("A PAR - PIC")
    table.press("ArrowRight")
    table.until(lambda: table.node == side)


def test_the_ordered_power_comes_into_sight(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport=DESK)
    page = table.page
    engine = page.locator("#panel-engine")
    engine.locator("select").first.select_option("1")
    table.button("Start", "#panel-engine").click()
    table.until(lambda: engine.locator(".answer").count() == 7)
    page.mouse.move(5, 5)
    engine.evaluate("panel => (panel.scrollTop = 0)")
    table.click("CON", "BUL")
    table.wait_for_orders("A CON - BUL")
    # The lists are drawn anew while it searches: what has come into sight is waited for.
    turkey = engine.get_by_role("group", name="Turkey", exact=True)
    for part in (turkey, page.locator("#orders section[aria-label=Turkey]")):
        expect(part).to_be_in_viewport(ratio=0.99, timeout=1000 * PATIENCE)
