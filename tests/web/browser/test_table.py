"""The keyboard's place, quick keys, fingers, and studies that cannot be read."""

from .conftest import Open
from .served import Served
from .table import Table


def focused(table: Table) -> str:
    """The name of what has the keyboard's place."""
    return str(table.page.evaluate("document.activeElement.getAttribute('aria-label')"))


def test_the_keyboards_place_stays_in_lists_that_change(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.click("PAR", "BUR")
    table.click("MAR", "SPA")
    table.wait_for_orders("A PAR - BUR", "A MAR - SPA")
    table.button("Take back A PAR - BUR", "#orders").focus()
    table.press("Enter")
    table.wait_for_orders("A MAR - SPA")
    assert focused(table) == "Take back A MAR - SPA"
    # Shift and Enter adjudicate, wherever the keyboard's place is.
    table.press("Shift+Enter")
    table.button("Next phase", "#stepper").and_(table.page.locator(".strong")).wait_for()
    table.press("Shift+Enter")
    table.wait_for_phase("Fall 1901, moves")


def test_fingers_order_on_a_small_screen(open_page: Open, server: Served) -> None:
    table = open_page(server.study(), viewport={"width": 400, "height": 800}, has_touch=True, is_mobile=True)
    table.page.touchscreen.tap(*table.at("MOS"))
    assert "Moscow: tap where it moves" in str(table.page.locator(".prompt").text_content())
    table.page.touchscreen.tap(*table.at("UKR"))
    table.wait_for_orders("A MOS - UKR")
    assert table.page.evaluate("document.documentElement.scrollWidth") <= 400


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
