"""Orders with their results, who stands how, and the end of a game."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.text import Text

from bordeaux import Map, Position
from bordeaux.board.notation import parse_order
from bordeaux.daide import Ending
from bordeaux.daide.client.table import PlayedOrder
from bordeaux.view.screen import PackedTexts, draw_end, draw_results, draw_standing, result_text

STANDARD = Map.standard()


def lines(shown: RenderableType, width: int = 80) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as captured:
        console.print(shown)
    return [line.rstrip() for line in captured.get().splitlines()]


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


def test_orders_stand_power_by_power_and_none_is_broken() -> None:
    orders = [played("FRANCE", "A PAR - BUR", "BNC"), played("FRANCE", "F BRE - MAO", "SUC")]
    orders += [played("AUSTRIA", "A BUD - SER", "SUC")]
    assert lines(draw_results(STANDARD, orders)) == [
        "AUSTRIA  A BUD - SER",
        "FRANCE   A PAR - BUR (bounced)  F BRE - MAO",
    ]
    assert lines(draw_results(STANDARD, orders), 36)[1:] == [
        "FRANCE   A PAR - BUR (bounced)",
        "         F BRE - MAO",
    ]


def test_texts_are_packed_as_many_on_a_line_as_fit() -> None:
    packed = PackedTexts([Text("one"), Text("three"), Text("four")])
    assert lines(packed, 14) == ["one  three", "four"] and lines(packed, 16) == ["one  three  four"]
    assert lines(packed, 5) == ["one", "three", "four"]
    assert lines(PackedTexts([]), 10) == [""]


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
