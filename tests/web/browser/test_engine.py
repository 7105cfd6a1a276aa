"""The engine beside the board, games against players, keys alone, and what must never happen."""

import json
import re
from typing import Any

from ...openings.small_book import advised
from ..conftest import played
from .conftest import Open
from .served import Served
from .table import Table

EVIL = "<script>alert('evil')</script><img src=x onerror=alert(1)>"
FRAMES = """() => new Promise(done => {
    const gaps = [];
    let last = performance.now();
    const end = last + 2000;
    function frame(now) {
        gaps.push(now - last);
        last = now;
        now < end ? requestAnimationFrame(frame) : done(gaps);
    }
    requestAnimationFrame(frame);
})"""


def open_tab(table: Table, name: str) -> None:
    """Open a panel beside the board."""
    table.page.get_by_role("tab", name=name, exact=True).click()


def test_the_engine_streams_and_stops(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    open_tab(table, "Engine")
    table.button("Options", "#panel-engine").click()
    table.page.get_by_label("use the opening book").uncheck()
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


def test_known_openings_are_answered_from_the_book_unless_it_is_switched_off(
    open_page: Open, server: Served
) -> None:
    # What nobody plays, so that no book has what follows for France; of some others it knows the own units.
    study = server.study(text=json.dumps(played({"FRANCE": ["A PAR - GAS", "A MAR H", "F BRE - PIC"]})))
    table = open_page(study)
    table.button("Options", "#panel-engine").click()
    switch = table.page.get_by_label("use the opening book")
    news, answers = (table.page.locator(f"#panel-engine {part}") for part in (".news", ".answer"))
    books = answers.locator(".chosen .figure", has_text="in book")
    nodes = table.page.locator("#panel-engine .statistics")
    assert switch.is_checked()
    table.page.locator("#panel-engine select").first.select_option("1")
    table.button("Start", "#panel-engine").click()
    news.get_by_text("From the opening book; turn it off").wait_for()
    # Nothing was searched, so nothing is said of that.
    assert (answers.count(), books.count(), nodes.is_visible()) == (7, 7, False)
    assert table.button("Start", "#panel-engine").count() == 1
    # The trusted line with the highest value is advised, with what the Book panel has of it.
    book = server.call("GET", f"/api/studies/{study}/nodes/0/book")["powers"]
    for power, entries in book.items():
        card = table.page.locator("#panel-engine").get_by_role("group", name=power.title(), exact=True)
        orders = advised(power, entries)
        best = next(entry for entry in entries if tuple(entry["orders"]) == orders)
        first = card.locator("button.answer-line").first
        label = str(first.get_attribute("aria-label"))
        assert re.search(r": best, score \d+.*, in book \d+", label)
        assert sorted(card.locator(".chosen .each").all_text_contents()) == sorted(best["orders"])
        shown = first.locator(".figure").last.text_content()
        assert shown == f"{round(100 * best['weight'])}\u202f% in book"
        # Beside others a power has one line until it is opened.
        assert card.locator("button.answer-line").count() == 1
        table.button(f"More of {power.title()}", "#panel-engine").click()
        card.locator("button.answer-line").nth(2).wait_for()
        assert card.get_by_text("Why these orders").is_hidden()
    # Out of the book the engine searches as before.
    table.press("ArrowRight")
    table.wait_for_phase("Fall 1901")
    table.until(lambda: books.count() < 7)
    news.get_by_text("Done").wait_for()
    assert answers.count() == 7
    france = table.page.locator("#panel-engine").get_by_role("group", name="France", exact=True)
    assert france.locator(".figure", has_text="in book").count() == 0
    assert france.get_by_text("Why these orders").is_visible()
    table.press("ArrowLeft")
    table.wait_for_phase("Spring 1901")
    table.until(lambda: books.count() == 7)
    switch.uncheck()
    table.until(lambda: books.count() == 0 and answers.count() == 7)
    news.get_by_text("Done").wait_for()
    # It stays so when the page is opened anew.
    table.page.reload()
    table.page.locator("#board .picture svg").wait_for()
    assert not switch.is_checked()


def test_the_page_stays_responsive_while_the_engine_searches(
    open_page: Open, server: Served, record_property: Any
) -> None:
    table = open_page(server.study())
    table.button("Options", "#panel-engine").click()
    table.page.get_by_label("use the opening book").uncheck()
    table.button("Start", "#panel-engine").click()
    table.until(lambda: table.page.locator("#panel-engine .answer").count() == 7)
    gaps = table.page.evaluate(FRAMES)
    table.click("PAR", "BUR")
    table.wait_for_orders("A PAR - BUR")
    table.button("Stop", "#panel-engine").click()
    record_property("frames", len(gaps))
    record_property("longest gap in ms", round(max(gaps)))
    print(f"{len(gaps)} frames in 2 s, longest gap {max(gaps):.0f} ms")
    assert len(gaps) > 1


def test_a_whole_year_against_players(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    open_tab(table, "Play")
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
        on = table.button("Next phase", "#stepper").and_(table.page.locator(".strong"))
        table.until(on.first.is_visible)
        assert table.node == before and table.page.locator("#orders .order .result").count()
        while on.count():
            on.click()
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


def test_hostile_names_stay_text(open_page: Open, server: Served) -> None:
    game = played({"FRANCE": ["A PAR - BUR"]}, identity=EVIL)
    message = {"sender": "FRANCE", "recipient": "GLOBAL", "phase": "S1901M", "message": EVIL, "time_sent": 1}
    game["phases"][0]["messages"] = [message]
    study = server.study(text=json.dumps(game), name=EVIL)
    server.call("PUT", f"/api/studies/{study}/nodes/0/comment", {"text": EVIL})
    table = open_page(study)
    table.page.locator("#name", has_text=EVIL).wait_for()
    table.button("Lines", "#flip").click()
    table.page.locator("#tree .comment", has_text=EVIL).wait_for()
    open_tab(table, "Talks")
    table.page.locator("#panel-talks", has_text=EVIL).wait_for()
    for name in ("Engine", "People", "Book", "Heat", "Play", "Review", "Share"):
        open_tab(table, name)
    table.press("l")
    table.page.get_by_role("dialog").get_by_text(EVIL).first.wait_for()
    assert table.page.locator("img[src='x'], body script").count() == 0
    assert table.page.title().startswith("<script>")


def test_a_request_from_elsewhere_is_refused(open_page: Open, server: Served, browser: Any) -> None:
    table = open_page(server.study())
    stranger = browser.new_context()
    page = stranger.new_page()
    answer = page.goto(f"http://127.0.0.1:{server.port}/")
    assert answer.status in (401, 403)
    assert page.goto(f"http://127.0.0.1:{server.port}/api/studies").status in (401, 403)
    stranger.close()
    # A page of another origin, in the very browser that has the cookie, can neither read nor write.
    other, count = table.page.context.new_page(), len(server.call("GET", "/api/studies"))
    other.route(
        "http://other.example/", lambda route: route.fulfill(body="<p>other", content_type="text/html")
    )
    other.goto("http://other.example/")
    said = other.evaluate(
        """async port => {
            const base = `http://127.0.0.1:${port}/api/studies`;
            const said = [];
            for (const options of [{}, {method: 'POST', body: '{"start": true}', mode: 'no-cors'}]) {
                try { said.push((await fetch(base, {credentials: 'include', ...options})).type); }
                catch (error) { said.push('refused'); }
            }
            return said;
        }""",
        server.port,
    )
    assert said[0] == "refused" and len(server.call("GET", "/api/studies")) == count
    other.close()
