"""What stands beside the board: heat, people, the book, links, the review."""

import json
import re

from ..conftest import played
from .conftest import Open
from .served import Served
from .test_engine import open_tab

FIRST = {
    "FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"],
    "GERMANY": ["A MUN - RUH", "A BER - KIE", "F KIE - DEN"],
}


def test_heat_lies_over_the_board(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    open_tab(table, "Heat")
    table.page.locator("#panel-heat").get_by_label("Altitude").check()
    table.page.locator("#board .picture path.heat7").first.wait_for()
    table.page.locator("#panel-heat select").select_option("TURKEY")
    table.page.locator("#panel-heat", has_text="Shown for Turkey").wait_for()
    table.page.locator("#panel-heat").get_by_label("Nothing").check()
    table.until(lambda: table.page.locator("#board .picture path.heat7").count() == 0)


def test_what_people_play_and_what_the_book_says(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    for name in ("People", "Book"):
        open_tab(table, name)
        panel = table.page.locator(f"#panel-{name.lower()}")
        table.until(lambda panel=panel: panel.locator(".answer").count() == 7)
        line = panel.locator(".answer", has_text="Turkey").locator("li button").first
        line.hover()
        table.page.locator("#board.foreseen").wait_for()
        line.click()
        table.until(lambda: len(table.orders) == 3)
        assert all(re.match(r"[AF] (ANK|CON|SMY) ", order) for order in table.orders)
        table.button("Clear", "#orders").click()
        table.wait_for_orders()


def test_a_link_opens_the_same_position(open_page: Open, server: Served) -> None:
    table = open_page(server.study(text=json.dumps(played(FIRST))), node="1", permissions=["clipboard-write"])
    open_tab(table, "Share")
    table.button("Copy a link").click()
    field = table.page.locator("#panel-share input")
    table.until(lambda: "#position=" in field.input_value())
    other = table.page.context.new_page()
    other.goto(field.input_value())
    other.locator("#stepper output", has_text="Fall 1901").wait_for()
    other.close()
    with table.page.expect_download() as download:
        table.page.get_by_role("link", name="Game, JSON").click()
    game = json.loads(download.value.path().read_text())
    assert [phase["name"] for phase in game["phases"]] == ["S1901M", "F1901M"]


def test_a_review_is_made_and_read_on_the_page(open_page: Open, server: Served) -> None:
    study = server.study(text=json.dumps(played(FIRST)))
    table = open_page(study)
    open_tab(table, "Review")
    table.page.locator("#panel-review select").select_option("0.1")
    table.button("Review the game").click()
    table.page.locator("#panel-review", has_text="The report is ready").wait_for()
    table.button("Read it here").click()
    report = table.page.frame_locator("iframe")
    report.get_by_role("heading", level=1).wait_for()
    report.locator("svg[role=img]").first.wait_for()
