"""Orders of every kind, given with a real mouse."""

from .conftest import Open
from .served import Served


def test_moves_by_click_and_by_drag_and_holds(open_page: Open, server: Served) -> None:
    table = open_page(server.study())
    table.click("PAR", "BUR")
    table.wait_for_orders("A PAR - BUR")
    table.drag("MAR", "SPA")
    table.click("BRE", "BRE")
    table.wait_for_orders("A PAR - BUR", "A MAR - SPA", "F BRE H")
