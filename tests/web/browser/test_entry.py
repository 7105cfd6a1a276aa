"""How clicks become orders: the pure modules of the page, run by a browser alone."""

from typing import Any

import pytest

from .table import Table

LEGAL = {
    "LON": ["A LON H", "A LON - WAL", "A LON - WAL VIA", "A LON - BEL VIA", "A LON S F ENG - WAL"],
    "MAO": [
        "F MAO H",
        "F MAO - SPA/NC",
        "F MAO - SPA/SC",
        "F MAO S A BRE",
        "F MAO S A BRE - GAS",
        "F MAO C A BRE - GAS",
    ],
    "STP/SC": ["F STP/SC H", "F STP/SC - BOT"],
}
FOUND = """async ([legal, given, steps]) => {
  const { Entry } = await import("/static/js/entry.js");
  const powerAt = (province) => ({ MUN: "GERMANY", RUH: "GERMANY" })[province] ?? "FRANCE";
  const entry = new Entry(legal, "M", { allowed: () => true, given: () => given, powerAt });
  let found = [];
  for (const [act, ...more] of steps) found = entry[act](...more) ?? [];
  return [...found];
}"""


@pytest.fixture(scope="module")
def page(browser: Any, server: Any) -> Any:
    """A page whose modules can be imported."""
    page = browser.new_page()
    Table(page, server).visit()
    yield page
    page.close()


@pytest.mark.parametrize(
    ("steps", "orders_found"),
    [
        ([["click", "LON"], ["click", "LON"]], ["A LON H"]),
        ([["click", "LON"], ["click", "BEL"]], ["A LON - BEL VIA"]),
        ([["click", "LON"], ["click", "WAL"]], ["A LON - WAL"]),
        ([["setMode", "convoy"], ["click", "LON"], ["click", "WAL"]], ["A LON - WAL VIA"]),
        ([["click", "MAO"], ["click", "SPA"]], ["F MAO - SPA/NC", "F MAO - SPA/SC"]),
        ([["click", "STP"], ["click", "BOT"]], ["F STP/SC - BOT"]),
        ([["setMode", "support"], ["click", "MAO"], ["click", "BRE"], ["click", "BRE"]], ["F MAO S A BRE"]),
        (
            [["click", "MAO"], ["setMode", "support"], ["click", "BRE"], ["click", "GAS"]],
            ["F MAO S A BRE - GAS"],
        ),
        (
            [["setMode", "convoy"], ["click", "MAO"], ["click", "BRE"], ["click", "GAS"]],
            ["F MAO C A BRE - GAS"],
        ),
        ([["click", "LON"], ["setMode", "hold"]], ["A LON H"]),
        # Elsewhere: another unit is begun with, and open sea forgets the first one.
        ([["click", "LON"], ["click", "STP"], ["click", "BOT"]], ["F STP/SC - BOT"]),
        ([["click", "LON"], ["click", "NAO"], ["click", "BEL"]], []),
        ([["drag", "LON", "BEL", False]], ["A LON - BEL VIA"]),
        ([["drag", "LON", "LON", False]], []),
        ([["drag", "MAO", "GAS", True]], ["F MAO S A BRE - GAS"]),
        ([["drag", "MAO", "BRE", True]], ["F MAO S A BRE"]),
    ],
)
def test_clicks_become_orders(page: Any, steps: list[list[Any]], orders_found: list[str]) -> None:
    assert page.evaluate(FOUND, [LEGAL, {}, steps]) == orders_found


HELPING = {
    "BUR": [
        "A BUR S A PAR",
        "A BUR S A PAR - PIC",
        "A BUR S A MUN",
        "A BUR S A RUH - MUN",
        "A BUR S A PAR - MUN",
    ]
}


@pytest.mark.parametrize(
    ("given", "place", "orders_found"),
    [
        # What the supported unit does: its move, or its hold, also where nothing is ordered yet.
        ({"FRANCE": ["A PAR - PIC"]}, "PAR", ["A BUR S A PAR - PIC"]),
        ({"FRANCE": ["A PAR H"]}, "PAR", ["A BUR S A PAR"]),
        ({}, "PAR", ["A BUR S A PAR"]),
        ({"FRANCE": ["A PAR - GAS"]}, "PAR", []),
        ({}, "MUN", ["A BUR S A MUN"]),
        # A unit that goes where another power's stands is helped, and one of the same power is not.
        ({"FRANCE": ["A PAR - MUN"]}, "MUN", ["A BUR S A PAR - MUN"]),
        ({"GERMANY": ["A RUH - MUN"]}, "MUN", ["A BUR S A MUN"]),
        ({}, "PIC", ["A BUR S A PAR - PIC"]),
        ({"FRANCE": ["A PAR - PIC"]}, "PIC", ["A BUR S A PAR - PIC"]),
    ],
)
def test_a_drop_on_a_unit_supports_what_it_does(
    page: Any, given: dict[str, list[str]], place: str, orders_found: list[str]
) -> None:
    assert page.evaluate(FOUND, [HELPING, given, [["drag", "BUR", place, True]]]) == orders_found


@pytest.mark.parametrize(
    ("orders", "orders_found"),
    [
        # Marseilles does not border on Paris, and on Burgundy, where Paris goes.
        (["A PAR - BUR"], ["A MAR S A PAR - BUR"]),
        (["A PAR - PIC"], []),
        ([], []),
    ],
)
def test_the_supported_unit_again_means_what_it_is_ordered_to_do(
    page: Any, orders: list[str], orders_found: list[str]
) -> None:
    legal = {"MAR": ["A MAR H", "A MAR S A PAR - BUR", "A MAR S A PAR - GAS"]}
    steps = [["setMode", "support"], ["click", "MAR"], ["click", "PAR"], ["click", "PAR"]]
    assert page.evaluate(FOUND, [legal, {"FRANCE": orders}, steps]) == orders_found


def test_orders_for_a_move_that_is_not_made_are_found(page: Any) -> None:
    found = page.evaluate(
        """async () => {
          const { misfits } = await import("/static/js/entry.js");
          return misfits({
            FRANCE: ["A PAR - PIC", "A BUR S A PAR - GAS", "A MAR S A PAR - PIC", "F BRE S A PAR"],
            GERMANY: ["A MUN S A BUR", "A RUH S A KIE", "F NTH C A PAR - BEL", "WAIVE"],
          });
        }"""
    )
    assert found == ["A BUR S A PAR - GAS", "F BRE S A PAR", "F NTH C A PAR - BEL"]


def test_orders_of_a_power_keep_to_what_is_due(page: Any) -> None:
    state = page.evaluate(
        """async () => {
          const { withOrder, toggled } = await import("/static/js/entry.js");
          return [
            withOrder(["A PAR H", "A MAR H"], "A PAR - BUR"),
            withOrder(["A SEV B"], "F STP/NC B", 1),
            withOrder(["WAIVE"], "WAIVE", 2),
            toggled(["A SEV B", "A WAR B"], "A SEV B", 2),
            toggled(["A SEV B"], "F SEV B", 2),
          ];
        }"""
    )
    assert state == [["A MAR H", "A PAR - BUR"], ["F STP/NC B"], ["WAIVE", "WAIVE"], ["A WAR B"], ["F SEV B"]]
