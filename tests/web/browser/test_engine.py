"""The engine beside the board, games against players, keys alone, and what must never happen."""

import json

from ...review.games import letter
from ..conftest import played
from .conftest import Open
from .served import Served

EVIL = "<script>alert('evil')</script><img src=x onerror=alert(1)>"


def test_the_engine_streams_and_stops(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.open_tab("Engine")
    table.page.get_by_label("How long the engine thinks").select_option("")
    table.button("Start", "#panel-engine").click()
    answers = table.page.locator("#panel-engine .answer")
    table.until(lambda: answers.count() == 7)
    nodes = table.page.locator("#panel-engine .statistics")
    first = nodes.text_content()
    table.until(lambda: nodes.text_content() != first)
    cards = table.page.locator("#panel-engine .answer")
    # The first answers are not searched, and no advice yet.
    table.until(lambda: cards.locator(".chosen .star").count() == 7)
    for card in cards.all():
        shown = [str(text).split()[-1] for text in card.locator(".figure").all_text_contents()]
        assert shown == ["score", "solo"]
        assert card.locator(".star").count() == 1 and card.locator(".chosen .star").count() == 1
    # A line that is pointed at is drawn on the board.
    line = table.page.locator("#panel-engine .answer button[aria-pressed]").first
    line.hover()
    table.page.locator("#board.foreseen").wait_for()
    table.page.mouse.move(5, 5)
    table.button("Stop", "#panel-engine").click()
    table.page.locator("#panel-engine .news", has_text="Stopped").wait_for()
    last = nodes.text_content()
    table.page.wait_for_timeout(600)
    assert nodes.text_content() == last
    line.click()
    table.until(lambda: len(table.orders) == 3)


def test_each_of_several_powers_has_its_best_line_until_it_is_opened(open_page: Open, server: Served) -> None:
    study = server.study(text=json.dumps(played({"FRANCE": ["A PAR - BUR"]})))
    table = open_page(study)
    table.button("Options", "#panel-engine").click()
    follow = table.page.get_by_label("follow the board")
    news, answers = (table.page.locator(f"#panel-engine {part}") for part in (".news", ".answer"))
    table.page.locator("#panel-engine select").first.select_option("1")
    table.button("Start", "#panel-engine").click()
    news.get_by_text("Done").wait_for()
    assert answers.count() == 7 and table.button("Go on", "#panel-engine").count() == 1
    # A line that is pointed at stays where it is, though the results give way to its orders.
    line = answers.locator("button.answer-line").first
    line.hover()
    table.page.locator("#board.foreseen").wait_for()
    stood = line.bounding_box()
    table.page.mouse.move(5, 5)
    table.page.locator("#board:not(.foreseen)").wait_for()
    assert line.bounding_box() == stood
    france = table.page.locator("#panel-engine").get_by_role("group", name="France", exact=True)
    why = france.get_by_text("Why these orders")
    assert france.locator("button.answer-line").count() == 1 and why.is_hidden()
    table.button("More of France", "#panel-engine").click()
    france.locator("button.answer-line").nth(2).wait_for()
    assert why.is_visible()
    # It searches where the board goes; that this is switched off is kept when the page is opened anew.
    table.press("ArrowRight")
    table.wait_for_phase("Fall 1901")
    news.get_by_text("Done").wait_for()
    assert follow.is_checked() and answers.count() == 7
    follow.uncheck()
    table.page.reload()
    table.page.locator("#board .picture svg").wait_for()
    assert not follow.is_checked()


def test_a_whole_year_against_players(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.open_tab("Play")
    table.button("New game").click()
    form = table.page.get_by_role("dialog")
    form.get_by_label("Your seat").select_option("TURKEY")
    form.get_by_label("Opponents").select_option("dumbbot")
    form.get_by_label("Time per phase").select_option("0.1")
    form.get_by_label("Last year").fill("1901")
    form.get_by_role("button", name="Start").click()
    hand_in = table.button("Submit", "#stepper")
    hand_in.wait_for()
    table.study = table.page.url.split("study=")[1].split("&")[0]
    table.drag("CON", "BUL")
    table.wait_for_orders("A CON - BUL")
    table.until(lambda: server.node(table.study)["draft"].get("TURKEY") == ["A CON - BUL"])
    for number in range(8):
        status = server.call("GET", f"/api/studies/{table.study}")["play"]
        if status["over"]:
            break
        before = table.node
        table.until(hand_in.is_enabled)
        hand_in.click()
        # What came of the orders is shown first, also of phases in which only the others had orders.
        table.until(table.on.first.is_visible)
        assert table.node == before and table.page.locator("#orders .order .result").count()
        while table.on.count():
            table.on.click()
            table.page.wait_for_timeout(100)
        assert table.node != before
        assert number < 7
    phases = [node["phase"] for node in server.call("GET", f"/api/studies/{table.study}")["nodes"]]
    assert phases[:1] == ["S1901M"] and "F1901M" in phases and phases[-1] in ("W1901A", "S1902M")
    assert "A BUL" in server.node(table.study, "1")["state"]["units"]["TURKEY"]
    table.page.locator("#panel-play .turn", has_text="1901").wait_for()


def test_keys_alone(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.press("z")
    reached = table.page.locator("#board .hit:focus")
    for _ in range(80):
        table.press("n")
        if reached.get_attribute("data-tag") == "PAR":
            break
    assert reached.get_attribute("aria-label") == "Paris; France, army; centre of France"
    table.press("Enter")
    for _ in range(8):
        table.press("n")
        if reached.get_attribute("data-tag") == "BUR":
            break
    table.press("Enter")
    table.wait_for_orders("A PAR - BUR")
    table.press("Shift+Enter")
    table.page.locator("#board .prompt", has_text="Space, or Next phase, goes on.").wait_for()
    table.page.locator("body").focus()
    table.press("Shift+Enter")
    table.wait_for_phase("Fall 1901")
    table.press("Escape", "?")
    table.page.get_by_role("dialog", name="Keys").wait_for()
    table.press("Escape")
    table.until(lambda: table.page.get_by_role("dialog").count() == 0)
    seen = set()
    for _ in range(60):
        table.press("Tab")
        seen.add(
            table.page.evaluate("document.activeElement.closest('header, section, nav, #flip')?.id ?? ''")
        )
    assert {"menu", "table", "flip", "orders"} <= seen


def test_the_keyboards_place_stays_in_lists_that_change(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.click("PAR", "BUR")
    table.click("MAR", "SPA")
    table.wait_for_orders("A PAR - BUR", "A MAR - SPA")
    table.button("Take back A PAR - BUR", "#orders").focus()
    table.press("Enter")
    table.wait_for_orders("A MAR - SPA")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert table.page.evaluate(focused) == "Take back A MAR - SPA"
    # Shift and Enter adjudicate, wherever the keyboard's place is.
    table.press("Shift+Enter")
    table.on.wait_for()
    table.press("Shift+Enter")
    table.wait_for_phase("Fall 1901, moves")


def test_hostile_names_stay_text(open_page: Open, server: Served) -> None:
    game = played({"FRANCE": ["A PAR - BUR"]}, identity=EVIL)
    game["phases"][0]["messages"] = [letter("FRANCE", "GLOBAL", EVIL)]
    study = server.study(text=json.dumps(game), name=EVIL)
    server.call("PUT", f"/api/studies/{study}/nodes/0/comment", {"text": EVIL})
    table = open_page(study)
    table.page.locator("#name", has_text=EVIL).wait_for()
    table.button("Lines", "#flip").click()
    table.page.locator("#tree .comment", has_text=EVIL).wait_for()
    table.open_tab("Talks")
    table.page.locator("#panel-talks", has_text=EVIL).wait_for()
    for name in ("Engine", "People", "Book", "Heat", "Play", "Review", "Share"):
        table.open_tab(name)
    table.press("l")
    table.page.get_by_role("dialog").get_by_text(EVIL).first.wait_for()
    assert table.page.locator("img[src='x'], body script").count() == 0
    assert table.page.title().startswith("<script>")
