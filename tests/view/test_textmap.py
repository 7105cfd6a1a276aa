from rich.console import Console

from bordeaux import Map, Position
from bordeaux.view.textmap import _places, apportioned, draw_board


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


def test_a_bar_is_dealt_by_largest_remainders() -> None:
    assert apportioned({"a": 0.55, "b": 0.35, "c": 0.1}, 10) == {"a": 6, "b": 3, "c": 1}
    assert apportioned({"a": 0.0, "b": 0.0}, 10) == {"a": 0, "b": 0}
