"""Positions in DAIDE's text form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import BordeauxError, Position, Unit
from bordeaux.board.errors import FormatError, PositionError
from bordeaux.board.mapmessage import parse_daide, show
from bordeaux.board.order import Dislodged
from bordeaux.formats.daide import position_from_daide, position_to_daide
from tests.board.positions import MAP, positions

NOW = "NOW (AUT 1902) (FRA FLT (SPA SCS)) (ITA AMY TYR MRT (VEN PIE)) (AUS FLT ADR MRT ())"
SCO = "SCO (AUS BUD) (TUR ANK BUL CON SMY) (UNO GRE SPA)"


def test_the_messages_of_the_manual_are_read() -> None:
    position = position_from_daide(f"{NOW}\n{SCO}", MAP)
    assert str(position.phase) == "F1902R"
    assert position.units == (Unit("FRANCE", "F", "SPA/SC"),)
    assert position.dislodged == (
        Dislodged(Unit("AUSTRIA", "F", "ADR"), ()),
        Dislodged(Unit("ITALY", "A", "TYR"), ("PIE", "VEN")),
    )
    assert position.centres == {"AUSTRIA": ("BUD",), "TURKEY": ("ANK", "BUL", "CON", "SMY")}


def test_the_start_is_written_as_servers_write_it() -> None:
    now, sco = position_to_daide(Position.start()).split("\n")
    assert now.startswith("NOW (SPR 1901) (AUS AMY BUD) (AUS FLT TRI) (AUS AMY VIE) (ENG FLT EDI)")
    assert "(RUS FLT (STP SCS))" in now
    assert sco.startswith("SCO (AUS BUD TRI VIE) (ENG EDI LON LVP)")
    assert sco.endswith("(UNO BEL BUL DEN GRE HOL NWY POR RUM SER SPA SWE TUN)")


@given(positions())
def test_every_position_reads_back(position: Position) -> None:
    assert position_from_daide(position_to_daide(position), MAP) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no NOW and no SCO message"),
        (NOW, "no SCO message"),
        (SCO, "no NOW message"),
        ("(SPR 1901)", "must start with a message"),
        (f"NOW {SCO}", "unknown turn '()'"),
        (f"NOW (XXX 1901) {SCO}", "unknown turn '(XXX 1901)'"),
        (f"NOW (SPR 1901) (AUS FLT) {SCO}", "NOW: expected a unit like (AUS FLT TRI), not '(AUS FLT)'"),
        (f"NOW (SPR 1901) (XXX FLT TRI) {SCO}", "unknown power 'XXX'"),
        (f"NOW (SPR 1901) (AUS FLT (TRI NCS)) {SCO}", "TRI has no coast 'NCS'"),
        (f"NOW (SPR 1901) (AUS FLT (SPA WCS)) {SCO}", "SPA has no coast 'WCS'; it has NC and SC"),
        (f"NOW (SUM 1901) (AUS AMY TRI MRT (MOS)) {SCO}", "cannot retreat to MOS"),
        (f"{NOW} SCO ()", "SCO: expected centres"),
        (f"{NOW} SCO (AUS BUD", "1 '(' not closed; it is cut short"),
        (f"{NOW}) SCO", "')' without '('"),
        ("NOW {SPR}", "cannot read '{SPR}'"),
        ("(" * 100_000, "nested more than 50 deep"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises((FormatError, PositionError)) as caught:
        position_from_daide(text, MAP)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


trees = st.recursive(
    st.sampled_from(["NOW", "SCO", "SPR", "1901", "AUS", "FLT", "TRI", "MRT", "UNO", "'a text'", "SPA"]),
    lambda inner: st.lists(inner, max_size=5).map(tuple),
    max_leaves=20,
)


@given(st.lists(trees).map(tuple))
def test_written_trees_read_back_and_rubbish_is_an_error(tree: tuple[object, ...]) -> None:
    text = show(tree)
    assert parse_daide(text) == tree
    try:
        position_from_daide(text, MAP)
    except BordeauxError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 300
