"""The review beside the board: signs in lines and on the timeline, better orders shown and to be found."""

import json
from typing import Any

import pytest

from ..conftest import played
from .conftest import Open
from .served import Served
from .table import Table

SPRING = {"FRANCE": ["A PAR - GAS", "A MAR H", "F BRE - MAO"], "GERMANY": ["A MUN - RUH"]}
FALL = {"FRANCE": ["A GAS - SPA", "F MAO - POR"], "GERMANY": ["A RUH - HOL"]}
BETTER = ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]
POINT = {
    "kind": "loss",
    "phase": "S1901M",
    "number": 0,
    "power": "FRANCE",
    "victim": "",
    "played": SPRING["FRANCE"],
    "better": BETTER,
    "loss": 0.05,
    "why": "France could expect more of the end.",
    "places": ["PAR"],
    "weight": 0.1,
    "node": "0",
    "glyph": "?",
}
STAB = {
    **POINT,
    "kind": "stab",
    "phase": "F1901M",
    "number": 1,
    "power": "GERMANY",
    "victim": "FRANCE",
    "played": FALL["GERMANY"],
    "better": [],
    "why": "Germany went for Holland.",
    "node": "1",
    "glyph": "⚔",
}


def reviewed_game(server: Served) -> str:
    """The study of a game that has been reviewed."""
    study = server.study(text=json.dumps(played(SPRING, FALL)))
    review: dict[str, Any] = {
        "powers": {"FRANCE": {"accuracy": 61.0, "phases": []}, "GERMANY": {"accuracy": None, "phases": []}},
        "points": [POINT, STAB],
    }
    (server.folder / f"{study}.review.points").write_text(json.dumps(review), encoding="utf-8")
    (server.folder / f"{study}.review.html").write_text("<!doctype html><title>Review</title>")
    return study


@pytest.fixture
def reviewed(open_page: Open, server: Served) -> Table:
    """A page with that game."""
    table = open_page(reviewed_game(server))
    table.open_tab("Review")
    return table


def drawn(table: Table, kind: str) -> list[str]:
    """The orders that are drawn in a colour of their own."""
    return [str(text) for text in table.page.locator(f"#board g.order.{kind} > title").all_text_contents()]


def test_signs_lead_to_the_board_with_played_and_better_orders(reviewed: Table) -> None:
    table, page = reviewed, reviewed.page
    marks = page.locator("#stepper .turn-mark")
    table.until(lambda: marks.all_inner_texts() == ["?", "⚔"])
    page.locator("#panel-review .accuracies", has_text="61").wait_for()
    table.button("Lines", "#flip").click()
    lines = page.locator("#tree .position")
    assert (
        lines.nth(0).locator(".glyph").get_attribute("title")
        == "France: France could expect more of the end."
    )
    assert lines.nth(1).locator(".glyph").inner_text().startswith("⚔")
    table.press("End")
    table.wait_for_phase("Winter 1901")
    marks.first.click()
    table.wait_for_phase("Spring 1901")
    table.until(lambda: len(drawn(table, "better")) == 2)
    assert sorted(drawn(table, "better")) == ["France: A MAR - SPA", "France: A PAR - BUR"]
    assert sorted(drawn(table, "played")) == ["France: A MAR H", "France: A PAR - GAS"]
    point = page.locator(".point[aria-current]")
    point.get_by_text("France could expect more of the end.").wait_for()
    # What was played comes back with the next phase.
    table.press("ArrowRight")
    table.wait_for_phase("Fall 1901")
    table.until(lambda: not drawn(table, "better") and page.locator("#board g.order").count() > 0)
    assert point.count() == 0


def test_a_better_order_is_looked_for_and_checked(reviewed: Table) -> None:
    table, page = reviewed, reviewed.page
    table.button("Find the better order", "#panel-review").click()
    page.locator(".point[aria-current]", has_text="Enter better orders for France").wait_for()
    # Nothing is given away: an empty draft, and no arrows.
    table.wait_for_orders()
    assert page.locator(".key-better").count() == 0 and drawn(table, "better") == []
    check = table.button("Check my orders", "#panel-review")
    for clicks in (("PAR", "GAS"), ("BRE", "MAO")):
        table.click(*clicks)
    table.wait_for_orders("A PAR - GAS", "F BRE - MAO")
    check.click()
    verdict = page.locator(".verdict caption")
    # A hold that was not ordered is a hold all the same.
    verdict.get_by_text("These are the orders that were played.").wait_for()
    table.click("PAR", "BUR")
    table.wait_for_orders("A PAR - BUR", "F BRE - MAO")
    check.click()
    page.locator(".verdict tbody tr").nth(1).wait_for()
    rows = page.locator(".verdict tbody tr th").all_inner_texts()
    assert {"your try", "what was played"} <= set(rows)
    assert page.locator(".verdict .mine").inner_text().startswith("your try")
    table.button("Show the answer", "#panel-review").click()
    table.until(lambda: len(drawn(table, "better")) == 2)
    assert check.is_hidden()
