"""Orders and positions as the hobby's sites print them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import BordeauxError, Position
from bordeaux.board.order import Order
from bordeaux.formats import orders_from_text
from bordeaux.formats.hobby.backstabbr import position_from_backstabbr
from bordeaux.formats.load import position_in
from tests.patience import examples

START = Position.start()


def texts(orders: dict[str, list[Order]]) -> dict[str, list[str]]:
    return {power: [str(order) for order in given] for power, given in orders.items()}


@pytest.mark.parametrize(
    "page",
    [
        "Spring, 1901\nDiplomacy\nOrders:\n\nFrance:\n- The army at Paris move to Burgundy. (fail)\n"
        "- The fleet at Brest support hold to Paris.  (dislodged)\n",
        "Spring 1901\nFrance\nA Par - Bur (fails)\nF Bre S A Par  bounced, dislodged\n",
        '<script>var stage = 1;\nvar orders = {"France": {"Par": {"type": "MOVE", "to": "Bur", "result":'
        ' "FAILS"}, "Bre": {"type": "SUPPORT", "from": "Par", "to": "Par"}}};</script>',
        "Spring 1901\nOrders\nFrance:\nA Paris -> Burgundy BOUNCED\n"
        "F Brest SUPPORTS A Paris CUT, DISLODGED\n",
        "France | A Paris -> Burgundy | FAILS\nFrance\tF Brest SUPPORTS A Paris\tSUCCEEDS\n",
    ],
)
def test_what_came_of_orders_is_passed_over(page: str) -> None:
    wanted = {"FRANCE": ["A PAR - BUR", "F BRE S A PAR"]}
    assert texts(orders_from_text(page, START)) == wanted


def test_webdiplomacy_has_the_builds_in_autumn() -> None:
    units = {"FRANCE": ["A BUR"], "ITALY": ["A ROM", "A VEN"]}
    centres = {"FRANCE": ["PAR", "MAR", "BRE"], "ITALY": ["ROM"]}
    winter = Position.from_json({"name": "W1901A", "units": units, "centers": centres})
    page = "Autumn, 1901\nUnit-placing\nFrance:\nBuild army at Paris.\nWait.\n"
    page += "Italy:\nDestroy the unit at Venice.\n"
    assert texts(orders_from_text(page, winter)) == {"FRANCE": ["A PAR B", "WAIVE"], "ITALY": ["A VEN D"]}


def test_backstabbrs_script() -> None:
    page = (
        "<h1>Fall 1902 (Retreats)</h1><script>\n"
        'var territories = {"Mar": "France", "Gas": "France", "Spa": "Italy", "Mun": null};\n'
        'var unitsByPlayer = {"Italy": {"Mar": "A", "Spa": {"type": "F", "coast": "sc"}}};\n'
        'var retreatOptions = {"France": {"Mar": {"type": "A", "to": ["Gas", "Bur"]}}};\n</script>'
    )
    position = position_from_backstabbr(page)
    assert str(position.phase) == "F1902R"
    assert position.centres == {"FRANCE": ("MAR",), "ITALY": ("SPA",)}
    assert [str(unit) for unit in position.units] == ["A MAR", "F SPA/SC"]
    assert set(position.dislodged[0].retreats) == {"BUR", "GAS"}


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("Spring 1901\nFrance:\nlovely weather over the Channel", "line 3: "),
        ("France:\nA Paris -> Atlantis SUCCEEDS", "line 2: "),
        ("Fall 1903\nFrance:\nA Paris -> Burgundy", "line 1: these orders are for"),
        ('x\nvar orders = {"France": {"Par": ', "line 2: cannot read the value of orders"),
        ('var orders = {"France": {"Par": {"type": "DANCE"}}}', "order 'Par DANCE': expected H"),
    ],
)
def test_rubbish_is_one_line_that_names_the_line(page: str, message: str) -> None:
    with pytest.raises(BordeauxError, match=message) as failure:
        orders_from_text(page, START)
    assert len(str(failure.value).splitlines()) == 1


@settings(max_examples=examples(60), deadline=None)
@given(
    st.text(alphabet=st.sampled_from('France:ALPrisBu->\n\t|(){}"var odesHupots=ByYl,S1901 '), max_size=200)
)
def test_no_page_is_a_fault_of_ours(page: str) -> None:
    try:
        orders_from_text(page, START)
    except BordeauxError as error:
        assert len(str(error).splitlines()) == 1
    for reads in (position_from_backstabbr, lambda page: position_in(page.encode())):
        try:
            reads(page)
        except BordeauxError as error:
            assert len(str(error).splitlines()) == 1
