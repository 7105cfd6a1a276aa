"""A game in a terminal: what was ordered, who stands how, and the board."""

from __future__ import annotations

from rich.console import Console
from rich.measure import Measurement
from rich.text import Text

from bordeaux import Map, Position
from bordeaux.board.notation import parse_order
from bordeaux.daide import Ending
from bordeaux.daide.client.table import PlayedOrder
from bordeaux.view.screen import (
    GAP,
    PackedTexts,
    draw_end,
    draw_standing,
    result_text,
)
from bordeaux.view.textmap import draw_board
from tests.cli.conftest import shown as lines

START = Position.start()
STANDARD = Map.standard()


def test_texts_side_by_side_ask_for_the_room_of_one_line() -> None:
    console = Console(width=80)
    packed = PackedTexts([Text("A PAR H"), Text("F BRE - MAO")])
    assert Measurement.get(console, console.options, packed) == (11, 7 + GAP + 11)
    assert lines(packed, 7 + GAP + 11) == [f"A PAR H{' ' * GAP}F BRE - MAO"]
    assert lines(packed, 7 + GAP + 10) == ["A PAR H", "F BRE - MAO"]


def played(power: str, order: str, *results: str) -> PlayedOrder:
    return PlayedOrder(power, parse_order(order, STANDARD), results)


def test_results_in_words() -> None:
    for order, results, said in (
        ("A PAR - BUR", ("SUC",), "A PAR - BUR"),
        ("A PAR - BUR", ("BNC",), "A PAR - BUR (bounced)"),
        ("A PAR - BUR", ("BNC", "RET"), "A PAR - BUR (bounced, dislodged)"),
        ("A MAR S A PAR - BUR", ("CUT",), "A MAR S A PAR - BUR (cut)"),
        ("A MAR S A PAR - BUR", ("NSO",), "A MAR S A PAR - BUR (not matched)"),
        ("A LON - NWY VIA", ("DSR",), "A LON - NWY VIA (convoy disrupted)"),
        ("A PAR - BUR", ("NSO",), "A PAR - BUR (failed)"),
        ("A PAR - MUN", ("FAR",), "A PAR - MUN (out of reach)"),
        ("A PAR H", ("RET",), "A PAR H (dislodged)"),
        ("A PAR H", (), "A PAR H"),
    ):
        assert result_text(played("FRANCE", order, *results)).plain == said


def test_standing_with_changes_and_who_is_away() -> None:
    before = Position.start()
    owned = {**before.centres, "FRANCE": (*before.centres["FRANCE"], "SPA"), "TURKEY": ("ANK", "CON")}
    gone = {power: tags for power, tags in owned.items() if power != "ITALY"}
    units = [unit for unit in before.units if unit.power != "ITALY"]
    after = Position(STANDARD, "W1901A", units, gone)
    shown = lines(draw_standing(after, before, {"RUSSIA"}))
    assert shown[0].split() == ["FRANCE", "4", "+1", "████", "3", "units"]
    assert shown[1].split() == ["RUSSIA", "4", "████", "civil", "disorder"]
    assert [line.split()[:3] for line in shown][-2:] == [["TURKEY", "2", "-1"], ["ITALY", "0", "-3"]]
    assert shown[-1].endswith("out")


def test_the_end_names_the_players() -> None:
    ending = Ending(
        "draw", ("FRANCE", "RUSSIA"), None, "W1910A", {"FRANCE": 17, "RUSSIA": 17}, {"FRANCE": "TinyBot 0.3"}
    )
    shown = lines(draw_end(ending, STANDARD))
    assert shown[0] == "a draw of FRANCE, RUSSIA in W1910A"
    assert shown[2].split() == ["FRANCE", "17", "TinyBot", "0.3", "shares", "the", "draw"]
    assert shown[-1].split() == ["TURKEY", "0"]
    won = Ending("solo", ("RUSSIA",), None, "W1910A", {"RUSSIA": 18}, {})
    assert lines(draw_end(won, STANDARD))[2].split() == ["RUSSIA", "18", "wins"]


def drawn(position: Position, width: int = 118) -> str:
    return "\n".join(lines(draw_board(position, width), width))


def test_the_board_names_every_unit_and_centre_and_marks_who_is_dislodged() -> None:
    text = drawn(START)
    assert text.startswith("S1901M") and "MOS SEV STP WAR" in text and "A MOS, F SEV, F STP/SC, A WAR" in text
    places = {province.name for province in STANDARD.provinces}
    words = text.partition("power")[0].upper().replace("/", " ").split()
    assert places <= set(words)
    austria = ["F TRI - ALB", "A VIE - TRI"]
    first = START.next({"GERMANY": ["A MUN - TYR"], "ITALY": ["A VEN H"], "AUSTRIA": austria})
    text = drawn(first.next({"GERMANY": ["A TYR - VEN"], "AUSTRIA": ["A TRI S A TYR - VEN"]}))
    assert "!" in text and "may go to" in text
    assert "(in 112 columns there is room for the map)" in drawn(START, 80)


def test_other_maps_are_listed() -> None:
    gulfs = Position.start(Map.load("gulfs"))
    text = drawn(gulfs)
    assert "S1901M" in text.split("\n")[0] and all(power in text for power in gulfs.map.powers)
