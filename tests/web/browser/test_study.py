"""Loading, stepping, branching, setting up; two tabs; a server that is killed."""

import json
import signal
from pathlib import Path
from typing import Any

from ..conftest import played
from .conftest import Open
from .served import Served
from .table import Table

OPENING = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"], "TURKEY": ["A CON - BUL"]}
SECOND = {"FRANCE": ["A MAR - SPA"], "TURKEY": ["A BUL - SER"]}
GAME = played(OPENING, SECOND)
PHASES = ["Spring 1901, moves", "Fall 1901, moves", "Winter 1901, builds"]


def test_steps_by_keys_wheel_slider_and_buttons(open_page: Open, server: Served) -> None:
    table = open_page(server.study(text=json.dumps(GAME)))
    table.wait_for_phase(PHASES[0])
    table.wait_for_orders("A PAR - BUR", "A MUN - BUR", "A CON - BUL")
    assert table.page.locator("#orders li.order.failed").count() == 2
    table.press("ArrowRight")
    table.wait_for_phase(PHASES[1])
    table.wait_for_orders("A MAR - SPA", "A BUL - SER")
    table.press("End")
    table.wait_for_phase(PHASES[2])
    table.press("Home")
    table.wait_for_phase(PHASES[0])
    table.page.locator("#stepper .timeline").hover()
    table.page.mouse.wheel(0, 100)
    table.wait_for_phase(PHASES[1])
    # One turn of the wheel, which may come as many events, is one phase.
    table.page.wait_for_timeout(200)
    table.page.mouse.wheel(0, -100)
    table.wait_for_phase(PHASES[0])
    table.page.get_by_role("slider", name="Phase").fill("2")
    table.wait_for_phase(PHASES[2])
    table.button("Previous phase", "#stepper").click()
    table.wait_for_phase(PHASES[1])


def test_a_game_that_is_over_opens_at_its_end(open_page: Open, server: Served) -> None:
    table = open_page(server.study(state={**GAME["phases"][-1]["state"], "name": "COMPLETED"}))
    table.wait_for_phase("The end")
    table.page.locator("#board .prompt", has_text="No orders are due in this phase.").wait_for()
    table.press("s", "h", "Escape")
    table.click("PAR")
    assert table.orders == [] and table.page.locator("#tools .modes button").count() == 0


def test_games_are_opened_from_files_and_by_paste(open_page: Open, server: Served, tmp_path: Path) -> None:
    file = tmp_path / "two.jsonl"
    file.write_text("\n".join(json.dumps(played(OPENING, identity=name)) for name in ("one", "two")))
    table = open_page(server.study())
    table.press("o")
    assert "null" not in table.page.get_by_role("dialog").inner_text()
    table.page.locator("#open-file").set_input_files(str(file))
    table.page.get_by_role("dialog").get_by_text("2 games").wait_for()
    first = table.page.url
    table.page.locator("#which-game").fill("2")
    table.button("Open", "dialog").click()
    table.until(lambda: table.page.url != first)
    table.page.locator("#name", has_text="two").wait_for()
    # Keys do nothing while a dialog is open.
    table.until(lambda: table.page.locator("dialog").count() == 0, table.page.locator("body").inner_text)
    table.press("o")
    table.page.locator("#open-text").fill("this is no game")
    table.button("Import").click()
    table.page.locator("#alerts .notice, #alerts *").first.wait_for()
    # Orders alone are a draft of the phase that is shown.
    table.page.locator("#open-text").fill("France:\nA PAR - PIC")
    table.button("Import").click()
    table.wait_for_orders("A PAR - PIC", "A MUN - BUR", "A CON - BUL")
    table.until(lambda: table.page.locator("dialog").count() == 0)
    table.press("o")
    table.page.locator("#open-text").fill(json.dumps(GAME))
    table.button("Import").click()
    table.page.locator("#name", has_text="game-1").wait_for()
    table.faults = [fault for fault in table.faults if "status of 400" not in fault]


def test_branches_and_a_tree(open_page: Open, server: Served) -> None:
    table = open_page(server.study(text=json.dumps(GAME)))
    table.button("Draft", "#orders").click()
    table.click("PAR", "PIC")
    table.wait_for_orders("A PAR - PIC")
    table.adjudicate(PHASES[1])
    assert "A PIC" in server.node(table.study, table.node)["state"]["units"]["FRANCE"]
    # The same orders once more lead to the same node.
    branch = table.node
    table.press("ArrowLeft")
    table.wait_for_phase(PHASES[0])
    table.button("Line 2", "#orders").click()
    table.wait_for_orders("A PAR - PIC")
    table.adjudicate(PHASES[1])
    table.until(lambda: table.node == branch)
    table.button("Lines", "#flip").click()
    tree = table.page.locator("#tree")
    assert tree.locator(".side").count() == 1
    table.button("Make main line", "#tree").click()
    table.until(
        lambda: server.call("GET", f"/api/studies/{table.study}")["nodes"][0]["children"][0] == branch
    )
    table.page.get_by_label("Comment").fill("a <b>quiet</b> line")
    table.press("Tab")
    tree.locator(".comment", has_text="a <b>quiet</b> line").wait_for()


def test_a_position_is_set_up_by_hand(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.press("e")
    table.button("Empty the board").click()
    table.page.locator("#setup label", has_text="Turkey").click()
    table.page.locator("#setup").get_by_label("Fleet", exact=True).check()
    table.click("BUL")
    table.pick("East coast")
    table.page.locator("#setup").get_by_label("Centre", exact=True).check()
    table.click("BUL")
    table.button("Study this position").click()
    table.until(
        lambda: table.page.locator("#setup").is_hidden() and "study=" + table.study not in table.page.url
    )
    study = table.page.url.split("study=")[1].split("&")[0]
    state = server.node(study)["state"]
    assert state["units"]["TURKEY"] == ["F BUL/EC"] and state["centers"]["TURKEY"] == ["BUL"]
    assert sum(map(len, state["units"].values())) == 1


def test_what_is_done_elsewhere_is_seen(open_page: Open, server: Served) -> None:
    study = server.study()
    first = open_page(study)
    second = open_page(study, context=first.page.context)
    first.click("PAR", "BUR")
    second.wait_for_orders("A PAR - BUR")
    second.click("MUN", "RUH")
    first.wait_for_orders("A PAR - BUR", "A MUN - RUH")
    first.adjudicate(PHASES[1])
    second.button("Played", "#orders").wait_for()
    assert second.phase == PHASES[0]


def held(table: Table, path: str) -> list[Any]:
    """The first answer at a path, once it was asked for, as a function that lets it through."""
    answers: list[Any] = []

    def hold(route: Any) -> None:
        response = route.fetch()
        answers.append(lambda: route.fulfill(response=response))
        if len(answers) > 1:
            answers[-1]()

    table.page.route(f"**{path}", hold)
    return answers


def test_an_older_state_that_comes_last_does_not_stay(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    path = f"/api/studies/{table.study}"
    answers = held(table, path)
    server.call("POST", f"{path}/nodes/0/adjudicate", {"orders": OPENING})
    table.until(lambda: len(answers) == 1)
    server.call("POST", f"{path}/nodes/1/adjudicate", {"orders": SECOND})
    # Time for all that the page would ask for beside it.
    table.page.wait_for_timeout(300)
    answers[0]()
    table.page.locator("#stepper input[type=range][max='2']").wait_for()
    table.page.unroute_all()


def test_of_two_studies_the_one_that_was_asked_for_last_is_shown(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    first, second = server.study(), server.study()
    answers = held(table, f"/api/studies/{first}")
    opens = """async id => {
        const { store } = await import(new URL("static/js/store.js", document.baseURI));
        store.open(id);
    }"""
    table.page.evaluate(opens, first)
    table.until(lambda: len(answers) == 1)
    table.page.evaluate(opens, second)
    table.until(lambda: second in table.page.url)
    answers[0]()
    table.page.wait_for_timeout(300)
    assert second in table.page.url
    table.page.unroute_all()


def test_a_killed_server_loses_nothing(open_page: Open, own_server: Served) -> None:
    table = open_page(own_server.study(), at=own_server)
    table.click("PAR", "BUR")
    table.adjudicate(PHASES[1])
    table.click("BUR", "BEL")
    table.wait_for_orders("A BUR - BEL")
    table.until(lambda: own_server.node(table.study, table.node)["draft"].get("FRANCE") == ["A BUR - BEL"])
    table.button("Start", "#panels").click()
    news = table.page.locator("#panels .news")
    # Its stream stands: what the engine finds has come.
    table.page.locator("#panel-engine .answer").first.wait_for()
    own_server.stop(signal.SIGKILL)
    table.page.locator("#cut", has_text="No connection").wait_for()
    news.get_by_text("No connection to the engine").wait_for()
    # What is ordered meanwhile is sent when the server is back.
    table.click("MAR", "SPA")
    table.page.locator("#alerts", has_text="The server does not answer").wait_for()
    own_server.start()
    table.page.locator("#notices", has_text="The server is back").wait_for()
    table.until(lambda: "A MAR - SPA" in own_server.node(table.study, table.node)["draft"].get("FRANCE", []))
    table.wait_for_orders("A BUR - BEL", "A MAR - SPA")
    news.get_by_text("Thinking").wait_for()
    assert table.page.locator("#cut").is_hidden()
    # The browser itself says that its streams broke, and that the new server does not know the analysis.
    table.faults = [fault for fault in table.faults if "Failed to load resource" not in fault]


def test_the_engine_is_asked_again_where_the_server_died_first(open_page: Open, own_server: Served) -> None:
    table = open_page(own_server.study(), at=own_server)
    news = table.page.locator("#panel-engine .news")
    # A server that stands still takes the question, and never answers it.
    own_server.process.send_signal(signal.SIGSTOP)
    table.button("Start", "#panels").click()
    news.get_by_text("Thinking").wait_for()
    own_server.stop(signal.SIGKILL)
    news.get_by_text("The server does not answer").wait_for()
    table.page.locator("#cut", has_text="No connection").wait_for()
    own_server.start()
    news.get_by_text("Thinking").wait_for()
    table.page.locator("#panel-engine .answer").first.wait_for()
    table.faults = [fault for fault in table.faults if "Failed to load resource" not in fault]


def test_a_search_is_stopped_while_it_is_asked_for(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    news = table.page.locator("#panel-engine .news")
    table.button("Start", "#panel-engine").click()
    table.page.locator("#panel-engine .answer").first.wait_for()
    table.button("Stop", "#panel-engine").click()
    news.get_by_text("Stopped").wait_for()
    held: list[Any] = []
    table.page.route("**/analyses", lambda route: held.append(route))
    table.button("Go on", "#panel-engine").click()
    table.until(lambda: bool(held))
    table.button("Stop", "#panel-engine").click()
    news.get_by_text("Stopped").wait_for()
    with table.page.expect_response("**/analyses"):
        held[0].continue_()
    table.page.wait_for_timeout(300)
    assert news.text_content() == "Stopped"
    table.page.unroute_all()


def test_the_page_has_room_at_400_pixels(open_page: Open, server: Served) -> None:
    phone = {"viewport": {"width": 400, "height": 800}, "has_touch": True, "is_mobile": True}
    table = open_page(server.study(text=json.dumps(GAME)), **phone)
    wide = "document.documentElement.scrollWidth"
    assert table.page.evaluate(wide) == 400
    for fold in table.page.locator("#panels .fold button").all():
        fold.click()
        assert table.page.evaluate(wide) == 400, fold.text_content()
    table.button("Draft", "#orders").click()
    table.page.locator("#board").scroll_into_view_if_needed()
    table.page.touchscreen.tap(*table.at("PAR"))
    assert "Paris: tap where it moves" in str(table.page.locator(".prompt").text_content())
    table.page.touchscreen.tap(*table.at("BUR"))
    table.wait_for_orders("A PAR - BUR")


def test_nothing_moves_on_a_narrow_page_while_a_line_is_pointed_at(open_page: Open, server: Served) -> None:
    table = open_page(server.study(text=json.dumps(GAME)), viewport={"width": 400, "height": 900})
    table.page.locator("#panels .fold button", has_text="Book").click()
    line = table.page.locator("#panel-book .answer-line").first
    line.wait_for()
    room = "document.querySelector('#orders').offsetHeight"
    before = table.page.evaluate(room)
    line.hover()
    table.page.locator("#board.foreseen").wait_for()
    assert table.page.evaluate(room) == before
    table.page.mouse.move(*table.at("PAR"))
    table.page.locator("#board:not(.foreseen)").wait_for()
    assert table.page.evaluate(room) == before


def test_a_broken_study_is_listed_with_its_reason(open_page: Open, own_server: Served) -> None:
    broken = own_server.study()
    own_server.stop()
    (own_server.folder / f"{broken}.json").write_text('{"cut')
    own_server.start()
    # A new one is begun, as there is none that can be read.
    table = open_page(at=own_server)
    assert table.study != broken
    table.press("l")
    table.page.locator("dialog .studies li", has_text=f"set aside as {broken}").wait_for()
    table.faults = [fault for fault in table.faults if "status of 404" not in fault]
