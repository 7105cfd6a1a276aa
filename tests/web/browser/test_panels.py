"""The panels beside the board: what each control does, and what their helpers make of lists and numbers."""

import json
import re
from pathlib import Path
from typing import Any

from ..conftest import played
from .conftest import Open
from .served import Served
from .table import Table

ENGINE = "#panel-engine"


def pure(table: Table, module: str, call: str) -> Any:
    """What a call of a function in a module of the panels gives, in the page."""
    return table.page.evaluate(
        f"async () => {{ const m = await import('/static/js/panels/{module}.js'); return m.{call}; }}"
    )


def engine(table: Table, powers: str = "") -> Any:
    """Start the engine on some powers, named by letters, with a second, its options in sight; its news."""
    table.open_tab("Engine")
    table.button("Options", ENGINE).click()
    table.page.locator(f"{ENGINE} select").first.select_option("1")
    for name in powers.split():
        table.button(name, f"{ENGINE} .power-choice").click()
    table.button("Start", ENGINE).click()
    table.page.locator(f"{ENGINE} .answer").first.wait_for()
    return table.page.locator(f"{ENGINE} .news")


def cards(table: Table) -> list[str]:
    """The powers for which the engine shows lines."""
    return [str(card.get_attribute("aria-label")) for card in table.page.locator(f"{ENGINE} .answer").all()]


def test_numbers_and_lists(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    narrow = "\u202f"
    for call, text in (
        ("percent(0.843)", f"84{narrow}%"),
        ("percent(0.004)", f"<1{narrow}%"),
        ("percent(null)", "–"),
        ("percent(0)", f"0{narrow}%"),
        ("within(0.281, 0.023)", f"28 ± 2{narrow}%"),
        ("within(0.15, 0.0082)", f"15 ± 0.8{narrow}%"),
        ("within(0.004, 0.0003)", f"<1{narrow}%"),
        ("many(25234)", "25.2K"),
        ("duration(0.5)", f"0.5{narrow}s"),
        ("duration(9.96)", f"10{narrow}s"),
        ("duration(125)", f"2:05{narrow}min"),
        ("duration(59.6)", f"1:00{narrow}min"),
    ):
        assert pure(table, "numbers", call) == text, call
    assert pure(table, "keyed", "steady(['a', 'b', 'c'], ['c', 'd', 'b'])") == ["d", "b", "c"]
    assert pure(table, "keyed", "steady([], ['a', 'b'])") == ["a", "b"]
    assert pure(table, "keyed", "steady(['a', 'b', 'c', 'd'], ['d', 'a'])") == ["a", "d"]


def test_powers_lines_and_going_on(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    news = engine(table, "France Turkey")
    assert set(cards(table)) == {"France", "Turkey"}
    news.get_by_text("Done").wait_for()
    lines = table.page.locator(f"{ENGINE} .answer").first.locator("button.answer-line")
    assert lines.count() == 1
    table.button("More of France", ENGINE).click()
    table.until(lambda: lines.count() == 3)
    nodes = table.page.locator(f"{ENGINE} .statistics")
    before = nodes.text_content()
    table.button("Go on", ENGINE).click()
    table.until(lambda: nodes.text_content() != before)
    table.page.get_by_label("Lines for each power").select_option("4")
    table.until(lambda: lines.count() == 4)
    news.get_by_text("Done").wait_for()
    table.button("Use the best orders of all", ENGINE).click()
    table.until(lambda: len(table.orders) == 6)
    assert table.page.locator(f"{ENGINE} .chosen [aria-pressed=true]").count() == 2
    why = table.page.locator(f"{ENGINE} .answer summary", has_text="Why these orders").first
    why.click()
    table.page.locator(f"{ENGINE} .answer").first.locator("caption", has_text="What would be lost").wait_for()


ADVISED = """async () => {
  const { store } = await import("/static/js/store.js");
  const { node } = store;
  store.node = null;
  store.advise({ FRANCE: ["A BUR H"] });
  store.node = node;
}"""


def test_the_engine_goes_along_when_the_board_does(open_page: Open, server: Served) -> None:
    game = played({"FRANCE": ["A PAR - BUR"]}, {"FRANCE": ["A BUR - MUN"]})
    table = open_page(server.study(text=json.dumps(game)))
    engine(table, "France")
    table.press("ArrowRight")
    table.wait_for_phase("Fall 1901")
    table.page.locator(f"{ENGINE} .each", has_text=re.compile("^A BUR")).first.wait_for()
    # While another study is opened, the engine goes on.
    table.page.evaluate(ADVISED)
    # Without the switch it stays, and the panel says so.
    table.page.get_by_label("follow the board").uncheck()
    table.page.evaluate("document.activeElement.blur()")
    table.press("ArrowLeft")
    table.page.locator(f"{ENGINE} .news", has_text="F1901M").wait_for()
    table.button("Analyse this position", ENGINE).click()
    table.page.locator(f"{ENGINE} .answer:not([aria-busy=true])", has_text="A PAR").wait_for()


def test_what_ifs(open_page: Open, server: Served) -> None:
    study = server.study()
    server.call("PUT", f"/api/studies/{study}/nodes/0/draft", {"GERMANY": ["A MUN - BUR"]})
    table = open_page(study)
    asked: list[dict[str, Any]] = []

    def noted(request: Any) -> None:
        if request.url.endswith("/analyses"):
            asked.append(json.loads(request.post_data or "{}"))

    table.page.on("request", noted)
    engine(table, "France")
    table.page.locator(f"{ENGINE} summary", has_text="What if").click()
    known = table.page.get_by_role("group", name=re.compile("^Take the draft"))
    known.get_by_label("Germany").check()
    table.until(lambda: asked[-1].get("given") == {"GERMANY": ["A MUN - BUR"]})
    expected = table.page.locator(f"{ENGINE} .answer summary", has_text="What it expects")
    expected.click()
    table.page.locator(f"{ENGINE} .folds .answer", has_text="A MUN - BUR").wait_for()
    form = table.page.get_by_role("form", name="A promise")
    for name in ("France", "Germany"):
        form.get_by_label(name).check()
    form.get_by_role("button", name="Add the promise").click()
    table.until(
        lambda: (
            asked[-1].get("agreements") == [{"kind": "peace", "parties": ["FRANCE", "GERMANY"], "trust": 1}]
        )
    )
    # What the server cannot take is said in its words, and taking it away mends it.
    form.get_by_label("Kind of promise").select_option("demilitarised")
    form.get_by_label("France").check()
    form.get_by_label("Provinces").fill("XYZ")
    count = len(asked)
    form.get_by_role("button", name="Add the promise").click()
    table.page.locator(f"{ENGINE} .news.fault", has_text="XYZ").wait_for()
    table.until(lambda: len(asked) == count + 1)
    table.page.get_by_role("button", name=re.compile("Take away: Demilitarised")).click()
    # On a busy machine the second that it thinks may pass unseen.
    table.page.locator(f"{ENGINE} .news", has_text=re.compile("Thinking|Done")).wait_for()
    table.until(lambda: len(asked) == count + 2)
    assert len(asked[-1]["agreements"]) == 1
    # A browser tells of every answer of 400.
    assert [fault for fault in table.faults if "400" not in fault] == []
    table.faults.clear()


def test_people_book_and_where_it_was_left(open_page: Open, server: Served) -> None:
    game = played({"FRANCE": ["A PAR - GAS", "A MAR H", "F BRE - PIC"]}, {})
    table = open_page(server.study(text=json.dumps(game)), "1")
    table.open_tab("Book")
    table.page.locator("#panel-book", has_text="The game left the book in S1901M, by France").wait_for()
    table.button("Go there", "#panel-book").click()
    table.wait_for_phase("Spring 1901")
    book = table.page.locator("#panel-book").get_by_role("group", name="France", exact=True)
    book.locator("button.answer-line", has_text="Burgundy Variation").first.click()
    table.wait_for_orders("F BRE - MAO", "A MAR - SPA", "A PAR - BUR")
    lines = book.locator("button.answer-line")
    few = lines.count()
    book.get_by_role("button", name=re.compile("more$")).click()
    table.until(lambda: lines.count() > few)
    table.open_tab("People")
    people = table.page.locator("#panel-people").get_by_role("group", name="Turkey", exact=True)
    people.locator("button.answer-line").first.focus()
    table.press("Tab", "Shift+Tab")
    table.page.locator("#board.foreseen").wait_for()
    assert people.locator("button.answer-line").count() == 5


def test_shares_and_heat(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    bar = table.page.locator("#bar .bar")
    table.until(lambda: "Russia 17" in str(bar.get_attribute("aria-label")))
    assert bar.locator(".part").count() == 7
    board = table.page.locator("#board").bounding_box()
    bar.click()
    rows = table.page.locator("#bar table tbody tr")
    table.until(lambda: rows.count() == 7)
    assert table.page.locator("#board").bounding_box() == board
    bar.click()
    table.open_tab("Heat")
    with table.page.expect_request(
        lambda request: request.url.endswith("/picture") and '"danger"' in (request.post_data or "")
    ):
        table.page.get_by_label("Danger").check()
    with table.page.expect_request(
        lambda request: request.url.endswith("/picture") and '"TURKEY"' in (request.post_data or "")
    ):
        table.page.locator("#panel-heat select").select_option("TURKEY")


def test_a_hint_in_a_game_is_given_and_told(open_page: Open, server: Served) -> None:
    game = server.game("parrot", time=0.2)
    table = open_page(game)
    table.open_tab("Play")
    table.button("Hint", "#panel-play").click()
    suggested = table.page.locator("#panel-play button.answer-line")
    table.page.get_by_text("The engine suggests; click").wait_for()
    table.page.locator("#panel-play .turn", has_text="Hints used: 1 (Spring 1901, moves).").wait_for()
    suggested.click()
    table.until(lambda: len(table.orders) == 3)
    assert server.call("GET", f"/api/studies/{game}")["play"]["hints"] == ["S1901M"]


def test_share(open_page: Open, server: Served) -> None:
    game = played({"FRANCE": ["A PAR - BUR"]})
    table = open_page(server.study(text=json.dumps(game)), "1")
    table.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    table.open_tab("Share")
    table.button("Copy a link", "#panel-share").click()
    table.page.locator("#notices", has_text="copied").wait_for()
    link = table.page.evaluate("navigator.clipboard.readText()")
    assert "token" not in link and "#position=" in link
    table.button("Copy the orders", "#panel-share").click()
    table.page.locator("#notices", has_text="The orders are copied.").wait_for()
    orders = table.page.evaluate("navigator.clipboard.readText()")
    assert orders.startswith("Fall 1901 Movement")
    table.button("Copy a short link", "#panel-share").click()
    table.until(lambda: "/s/" in table.page.evaluate("navigator.clipboard.readText()"))
    short = table.page.evaluate("navigator.clipboard.readText()")
    other = table.page.context.new_page()
    other.goto(short)
    other.locator("output.phase", has_text="Fall 1901").wait_for()
    assert f"study={table.study}&node=1" in other.url
    other.close()
    with table.page.expect_download() as waiting:
        table.page.get_by_role("link", name="Moving picture, GIF", exact=True).click()
    assert Path(waiting.value.path()).read_bytes().startswith(b"GIF89a")
    for name, begins in (
        ("Picture, SVG", "<svg"),
        ("State, JSON", "{"),
        ("Game, JSON", "{"),
        ("Orders, text", "Spring 1901 Movement"),
    ):
        with table.page.expect_download() as waiting:
            table.page.get_by_role("link", name=name, exact=True).click()
        assert Path(waiting.value.path()).read_text("utf-8").lstrip().startswith(begins), name
    table.page.goto(link)
    table.page.reload()
    table.wait_for_phase("Fall 1901")
    assert "A BUR" in server.node(re.findall(r"study=(\w+)", table.page.url)[0])["state"]["units"]["FRANCE"]


def test_talks_at_a_table(open_page: Open, server: Served) -> None:
    table = open_page(server.game("parrot", time=0.2, level=10, until=1901))
    table.open_tab("Talks")
    words = table.page.get_by_role("textbox", name="Message")
    table.until(lambda: bool(table.button("Send", "#panel-talks").is_enabled()))
    words.fill("peace?")
    words.press("Enter")
    status = table.page.locator(".writing [role=status]")
    status.get_by_text("Choose at least one power.").wait_for()
    table.page.get_by_role("group", name="To", exact=True).get_by_label("England").check()
    words.press("Enter")
    status.get_by_text("Understood: France proposes peace").wait_for()
    table.page.locator(".talks li", has_text="England to France").first.wait_for()
    table.until(lambda: bool(table.button("Send", "#panel-talks").is_enabled()))
    words.fill("gibberish")
    words.press("Enter")
    status.get_by_text("gibberish").wait_for()
    assert words.input_value() == "gibberish"
    table.button("Answer England", "#panel-talks").first.click()
    assert words.evaluate("field => field === document.activeElement")
    table.open_tab("Play")
    table.button("Leave the game").click()
    table.page.get_by_role("dialog").get_by_role("button", name="Leave", exact=True).click()
    table.page.locator("#panel-play .turn", has_text="you have left the game").wait_for()
    table.faults[:] = [fault for fault in table.faults if "400" not in fault]


def test_review(open_page: Open, server: Served) -> None:
    game = played({"FRANCE": ["A PAR - BUR"]})
    study = server.study(text=json.dumps(game))
    table = open_page(study)
    table.open_tab("Review")
    table.page.locator("#panel-review select").select_option("5000")
    news = table.page.locator("#panel-review .news")
    for done, text in ((0, "Starting"), (9, "9 of 29 phases")):
        table.page.evaluate(
            """async (done) => {
              const { store } = await import("/static/js/store.js");
              const detail = { status: "running", done, all: 29 };
              store.dispatchEvent(new CustomEvent("review", { detail }));
            }""",
            done,
        )
        assert text in news.inner_text()
    table.page.reload()
    table.open_tab("Review")
    table.page.locator("#panel-review select").select_option("5000")
    table.button("Review the game", "#panel-review").click()
    table.page.locator("#panel-review", has_text="The report is ready.").wait_for()
    # A page that is opened anew knows of it.
    table.page.reload()
    table.open_tab("Review")
    table.button("Read it here", "#panel-review").click()
    table.page.frame_locator("dialog iframe").get_by_role("heading").first.wait_for()
    assert server.call("GET", f"/api/studies/{study}/review")["status"] == "done"
    assert server.call("GET", f"/api/studies/{server.study()}/review")["status"] == "none"
