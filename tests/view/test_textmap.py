import itertools

from rich.console import Console

from bordeaux import Map, Position
from bordeaux.view import draw_board
from bordeaux.view.textmap import _places, draw_map


def drawn(position: Position, width: int = 118) -> str:
    console = Console(width=width, color_system=None, force_terminal=False)
    with console.capture() as capture:
        console.print(draw_board(position))
    return capture.get()


def test_every_province_of_the_standard_map_has_a_place_of_its_own() -> None:
    standard = Map.standard()
    places = _places("standard")
    assert set(places) == {province.name for province in standard.provinces}
    assert len(set(places.values())) == len(places)


def test_labels_never_push_one_another_aside_even_with_a_unit_on_every_coast() -> None:
    places = sorted(_places("standard").items(), key=lambda item: (item[1][1], item[1][0]))
    for (name, (column, row)), (_, (next_column, next_row)) in itertools.pairwise(places):
        if row == next_row:
            room = next_column - column
            coasts = Map.standard().province(name).coasts
            assert room > len(name) + 3 + (3 if coasts else 0), name


def test_units_stand_behind_their_provinces() -> None:
    lines = draw_map(Position.start()).plain.split("\n")
    column, row = _places("standard")["STP"]
    assert lines[row][column:].startswith("STP/SC Fr")
    column, row = _places("standard")["BUR"]
    assert lines[row][column:].startswith("bur ")


def test_the_board_names_every_unit_and_centre() -> None:
    text = drawn(Position.start())
    assert text.startswith("S1901M")
    assert "MOS SEV STP WAR" in text
    assert "A MOS, F SEV, F STP/SC, A WAR" in text


def test_dislodged_units_are_marked_and_listed() -> None:
    text = drawn(after_a_dislodgement())
    assert "!" in text
    assert "may go to" in text


def after_a_dislodgement() -> Position:
    austria = ["F TRI - ALB", "A VIE - TRI"]
    first = Position.start().next({"GERMANY": ["A MUN - TYR"], "ITALY": ["A VEN H"], "AUSTRIA": austria})
    position = first.next({"GERMANY": ["A TYR - VEN"], "AUSTRIA": ["A TRI S A TYR - VEN"]})
    assert position.dislodged
    return position


def test_other_maps_are_listed() -> None:
    text = drawn(Position.start(Map.load("gulfs")))
    assert "S1901M" in text.split("\n")[0]
    for power in Map.load("gulfs").powers:
        assert power in text


def test_a_map_that_is_too_wide_is_left_out_and_that_is_said() -> None:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(draw_board(Position.start(), 80))
    text = capture.get()
    assert "nwg" not in text and "A MOS, F SEV" in text and "(in 112 columns there is room" in text
    for name, width in (("standard", 112), ("gulfs", 20)):
        with console.capture() as capture:
            console.print(draw_board(Position.start(Map.load(name)), width))
        assert "there is room" not in capture.get()
