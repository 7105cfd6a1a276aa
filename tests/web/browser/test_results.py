"""Results are seen before the next phase: moves glide, what failed is marked, a key goes on."""

from collections.abc import Callable
from typing import Any

import pytest

from .conftest import Open
from .served import Served
from .table import Table

NEXT = "Fall 1901, moves"
DISLODGING = {
    "name": "F1901M",
    "units": {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A BEL"], "ENGLAND": ["F NTH"]},
    "centers": {"FRANCE": ["PAR"], "GERMANY": ["BEL"]},
}
GLIDES = """() => [...document.querySelectorAll("#board [data-stands]")].map(unit => [
    unit.dataset.stands,
    unit.getAnimations().map(each => each.effect.getKeyframes().map(frame => frame.transform)),
]).filter(([, animations]) => animations.length)"""


@pytest.fixture
def ordered(open_page: Open, server: Served) -> Callable[..., Table]:
    """A page at the start, with a bounce and a move that succeeds among its orders."""

    def call(**options: Any) -> Table:
        table = open_page(server.study(), **options)
        table.click("PAR", "BUR")
        table.click("MUN", "BUR")
        table.click("MAR", "SPA")
        table.wait_for_orders("A PAR - BUR", "A MUN - BUR", "A MAR - SPA")
        return table

    return call


def test_moves_glide_and_the_next_phase_comes_by_itself(ordered: Callable[..., Table]) -> None:
    table = ordered(reduced_motion="no-preference")
    table.button("Adjudicate", "#stepper").click()
    table.on.wait_for()
    # Still the phase that was played, with its results.
    assert table.phase == "Spring 1901, moves"
    table.until(lambda: len(table.page.evaluate(GLIDES)) == 3)
    glides = dict(table.page.evaluate(GLIDES))
    # Who goes ends elsewhere; who bounces comes back.
    assert glides["MAR"][0][-1] != "translate(0px, 0px)" and len(glides["MAR"][0]) == 2
    for bounced in ("PAR", "MUN"):
        assert [frame == "translate(0px, 0px)" for frame in glides[bounced][0]] == [True, False, True]
    assert table.page.locator("#orders li.order.failed").count() == 2
    assert table.page.locator("#board .order path.cross").count() >= 2
    table.page.locator("#board .prompt", has_text="Space goes on, Esc stays").wait_for()
    table.wait_for_phase(NEXT)
    assert "A SPA" in table.server.node(table.study, table.node)["state"]["units"]["FRANCE"]


def test_who_asks_for_less_motion_goes_on_by_a_key(ordered: Callable[..., Table]) -> None:
    table = ordered(reduced_motion="reduce")
    table.page.clock.install()
    table.button("Adjudicate", "#stepper").click()
    table.on.wait_for()
    assert table.page.evaluate(GLIDES) == []
    table.page.clock.run_for(10_000)
    assert table.phase == "Spring 1901, moves"
    table.page.locator("body").focus()
    table.press(" ")
    table.wait_for_phase(NEXT)


def test_who_is_dislodged_is_crossed(open_page: Open, server: Served) -> None:
    table = open_page(server.study(state=DISLODGING))
    table.click("BUR", "BEL")
    table.press("s")
    table.click("PIC", "BUR", "BEL")
    table.wait_for_orders("A BUR - BEL", "A PIC S A BUR - BEL")
    table.button("Adjudicate", "#stepper").click()
    table.on.wait_for()
    beaten = table.page.locator("#board .beaten title")
    assert beaten.text_content() == "Germany: A BEL, dislodged"
    assert table.page.locator("#orders li.missing", has_text="dislodged").count() == 1
    table.go_on("Fall 1901, retreats")
    table.page.locator("#board .beaten").wait_for(state="detached")


def test_the_others_tell_how_far_they_are(open_page: Open, server: Served) -> None:
    table = open_page(server.game("dumbbot", time=0.1, until=1901))
    table.open_tab("Play")
    hear = """async () => {
        const { store } = await import("/static/js/store.js");
        window.heard = [];
        store.addEventListener("thinking", ({ detail }) => heard.push([
            detail.done, detail.all, detail.power,
            document.querySelector("#board .prompt").textContent,
        ]));
    }"""
    table.page.evaluate(hear)
    table.button("Submit", "#stepper").click()
    table.on.wait_for()
    assert table.page.locator("#orders .power").first.get_attribute("aria-label") == "France"
    heard = table.page.evaluate("window.heard")
    others = ("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    assert [message[:3] for message in heard] == [[n, 6, power] for n, power in enumerate(others)]
    assert "3 of 6 are ready, Italy is thinking (" in heard[3][3]
    table.go_on(NEXT)
