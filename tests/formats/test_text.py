"""Positions in plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import BordeauxError, Position
from bordeaux.board.errors import FormatError, PositionError
from bordeaux.formats.text import position_from_text
from tests.board.positions import MAP, positions

START = """\
S1901M
AUSTRIA: A BUD, F TRI, A VIE; centres BUD TRI VIE
ENGLAND: F EDI, F LON, A LVP; centres EDI LON LVP
FRANCE:  F BRE, A MAR, A PAR; centres BRE MAR PAR
GERMANY: A BER, F KIE, A MUN; centres BER KIE MUN
ITALY:   F NAP, A ROM, A VEN; centres NAP ROM VEN
RUSSIA:  A MOS, F SEV, F STP/SC, A WAR; centres MOS SEV STP WAR
TURKEY:  F ANK, A CON, A SMY; centres ANK CON SMY"""

RETREATS = """\
F1902R
AUSTRIA: A BUD; dislodged A SER to ALB GRE, F TRI to nowhere
ITALY:   no units; centres NAP ROM"""

LOOSE = """
# after the Balkans fell
phase: f1902r      # a remark

italy  centers Naples, Rome
Austria: dislodged army Serbia to Greece or Albania, fleet Trieste to nowhere
AUS units Army Budapest
"""


def test_the_start_is_written_plainly() -> None:
    assert str(Position.start()) == START


@pytest.mark.parametrize("text", [START, RETREATS])
def test_written_text_reads_and_writes_alike(text: str) -> None:
    assert str(position_from_text(text, MAP)) == text


def test_input_is_forgiven() -> None:
    assert str(position_from_text(LOOSE, MAP)) == RETREATS
    assert str(position_from_text(RETREATS.replace("\n", "\r\n"), MAP)) == RETREATS


def test_retreats_left_out_are_the_open_neighbours() -> None:
    position = position_from_text("F1902R\nAUSTRIA: A BUD; no centres; dislodged A SER", MAP)
    assert position.dislodged[0].retreats == ("ALB", "BUL", "GRE", "RUM", "TRI")


@given(positions())
def test_every_position_reads_back(position: Position) -> None:
    assert position_from_text(str(position), MAP) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no position"),
        ("FRANCE: A PAR", "line 1: expected the phase first"),
        ("S1901M\n\nFRENCE: A PAR", "line 3: unknown power 'FRENCE'; did you mean 'FRANCE'?"),
        ("S1901M\nFRANCE: A PARR", "line 2: 'A PARR': unknown province 'PARR'; did you mean 'PAR'?"),
        ("S1901M\nFRANCE: BRE", "line 2: 'BRE': an army or a fleet?"),
        ("F1902R\nFRANCE: A PAR (dislodged from BUR)", "cannot read 'DISLODGED FROM BUR' at its end"),
        ("S1901M\nFRANCE: A PAR,, A BUR", "line 2: '': a province is missing"),
        ("S1901M\nFRANCE: dislodged A PAR to BUR", "is not a retreat phase"),
        ("S1901R\nFRANCE: dislodged A PAR to MOS", "cannot retreat to MOS"),
        ("map atlantis\nS1901M", "line 1: unknown map 'atlantis'; maps: "),
        ("S1901M\n???", "line 2: expected a power and units"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises((FormatError, PositionError)) as caught:
        position_from_text(text, MAP)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


WORDS = [
    "FRANCE",
    "A",
    "F",
    "PAR",
    "SPA",
    "NTH",
    ";",
    ",",
    ":",
    "centres",
    "dislodged",
    "to",
    "\n",
    "no units",
    "/",
]


@given(st.text(max_size=60) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_no_text_is_more_than_an_error(text: str) -> None:
    try:
        position_from_text(f"S1901R\n{text}", MAP)
    except BordeauxError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
