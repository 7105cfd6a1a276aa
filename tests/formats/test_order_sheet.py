"""Orders of many powers in plain text, as people write them and sites print them."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Position
from bordeaux.formats.order_sheet import orders_from_text, orders_in

START = Position.start()
SHEET = {
    "AUSTRIA": ["A VIE - GAL", "F TRI H"],
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    "RUSSIA": ["F STP/SC - BOT"],
}
HELD = ["F BRE H", "A MAR H", "A PAR H"]
WINTER = Position.from_json(
    {
        "name": "W1901A",
        "units": {"FRANCE": ["A BUR"], "RUSSIA": ["A GAL"], "ITALY": ["A ROM", "A VEN"]},
        "centers": {"FRANCE": ["PAR", "MAR"], "RUSSIA": ["STP", "MOS"], "ITALY": ["ROM"]},
    }
)


def read(text: str, position: Position = START) -> dict[str, list[str]]:
    orders = orders_from_text(text, position)
    return {power: [str(order) for order in orders[power]] for power in sorted(orders)}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "AUSTRIA: A VIE - GAL\nAUSTRIA: F TRI H\nFRANCE: A PAR - BUR\n  A MAR S A PAR - BUR\n"
            "  F BRE - MAO\nRUSSIA: F STP/SC - BOT\n",
            id="a power before its orders",
        ),
        pytest.param(
            "S1901M\n\nAustria\nA VIE - GAL; F TRI H\n\nfra\nA PAR - BUR, A MAR S A PAR - BUR, F BRE - MAO\n"
            "rus:\nF St. Petersburg, south coast - BOT",
            id="a power on a line of its own",
        ),
        pytest.param(
            "A VIE - GAL; F TRI H; A PAR - BUR; A MAR S A PAR - BUR; F BRE - MAO; F STP - BOT", id="no power"
        ),
        pytest.param(
            "Spring, 1901\n\nAustria:\nThe army at Vienna move to Galicia. (bounced)\n"
            "The fleet at Trieste hold.\n"
            "France:\nThe army at Paris move to Burgundy. (fail)\n"
            "The army at Marseilles support move to Burgundy from Paris.\n"
            "The fleet at Brest move to Mid-Atlantic Ocean.\n"
            "Russia:\nThe fleet at St. Petersburg (South Coast) move to Gulf of Bothnia.\n",
            id="webDiplomacy",
        ),
        pytest.param(
            "Spring 1901 Movement\nAustria\n- Vie Move Gal\n- Tri Hold\nFrance\n* Par Move Bur # as agreed\n"
            "* Mar Support Par Bur\n* Bre Move Mao\nRussia\nStp/sc Move Bot",
            id="godip",
        ),
        pytest.param(
            "FRANCE\nA PAR-BUR\nA MAR S A PAR-BUR; AUSTRIA: A VIE-GAL; F TRI H\n"
            "Russia Fleet St Petersburg/sc - BOT\nfrance F BRE-MAO\n",
            id="a power in the line, without a colon or after another order",
        ),
    ],
)
def test_orders_as_people_and_sites_write_them(text: str) -> None:
    assert read(text) == SHEET


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("FRANCE: all hold; GERMANY: A MUN - BUR", {"FRANCE": HELD, "GERMANY": ["A MUN - BUR"]}),
        ("A PAR - BUR, rest hold", {"FRANCE": ["A PAR - BUR", *HELD[:2]]}),
        ("FRANCE: A PAR - BUR\nFRANCE: rest hold", {"FRANCE": ["A PAR - BUR", *HELD[:2]]}),
    ],
)
def test_all_and_the_rest_hold(text: str, orders: dict[str, list[str]]) -> None:
    assert read(text) == orders
    assert set(read("All hold")) == set(START.map.powers) and read("FRANCE: all hold", WINTER) == {
        "FRANCE": []
    }


@pytest.mark.parametrize(
    ("text", "orders", "told"),
    [
        ('{"FRANCE": ["A PAR - BUR", 5]}', {"FRANCE": ["A PAR - BUR"]}, ["FRANCE: order '5'"]),
        ('["A PAR - BUR", 7, null, true]', {"FRANCE": ["A PAR - BUR"]}, ["'7'", "'null'", "'true'"]),
        ('{"FRANCE": ["A PAR H"], "FRANCE": ["A PAR D"]}', {"FRANCE": ["A PAR H", "A PAR D"]}, []),
        ('{"FRANCE": 7}', {"FRANCE": []}, ["FRANCE: order '7'"]),
        ('["A BUD H", {"FRANCE": 7}]', {"AUSTRIA": ["A BUD H"], "FRANCE": []}, ["FRANCE: order '7'"]),
        ("{}", {}, []),
        ("FRANCE: A PAR H\nForwarded message\nSpring 1901\nA PAR - PIC", {"FRANCE": ["A PAR H"]}, ["quoted"]),
        (
            "S1901M\nA PAR H\n-----Original Message-----\nS1901M\nFRANCE: A PAR - PIC\nF1901M\nA MAR H",
            {"FRANCE": ["A PAR H"]},
            ["line 3: no order from '-----Original Message-----' to line 5", "'F1901M'", "another phase"],
        ),
        ('{"power": "FRANCE", "orders": {"FRANCE": ["A PAR H"]}}', {"FRANCE": ["A PAR H"]}, []),
        (
            '{"power": ["x"], "orders": ["A PAR H", ""]}',
            {"FRANCE": ["A PAR H"]},
            ["unknown power 'power [\"x\"]'", '""'],
        ),
        (
            "Gauls:\nA PAR H",
            {"FRANCE": ["A PAR H"]},
            ["ITALY, RUSSIA, TURKEY); the orders below it go to the owners of the units"],
        ),
        ("A PAR H\n[1]\nA MAR H", {"FRANCE": ["A PAR H", "A MAR H"]}, ["'[1]'"]),
        ('{"FRANCE": ["Attack at dawn", "A PAR H"]}', {"FRANCE": ["A PAR H"]}, ["FRANCE: order 'Attack"]),
        ("A PAR - BUR -- cancelled\nA MAR H", {"FRANCE": ["A MAR H"]}, ["withdrawn"]),
        ("*** Press ***\nA MUN - BUR\n*** End ***\nA PAR H", {"FRANCE": ["A PAR H"]}, ["said to somebody"]),
    ],
)
def test_what_is_no_order_is_noted(text: str, orders: dict[str, list[str]], told: list[str]) -> None:
    notes: list[str] = []
    assert {power: list(map(str, given)) for power, given in orders_in(text, START, notes).items()} == orders
    assert len(notes) == len(told) and all(map(str.__contains__, notes, told)), notes


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ('["A PAR - BUR", "rest hold"]', {"FRANCE": ["A PAR - BUR", *HELD[:2]]}),
        ('{"FRANCE": "A PAR H", "FRA": {"F BRE": "H"}}', {"FRANCE": ["A PAR H", "F BRE H"]}),
        (
            '{"FRANCE": [["A PAR H"], {"unit": "F BRE", "action": "hold"}]}',
            {"FRANCE": ["A PAR H", "F BRE H"]},
        ),
        ('{"powers": {"FRANCE": ["A PAR H"]}, "orders": ["A MAR H"]}', {"FRANCE": ["A PAR H", "A MAR H"]}),
        ('{"name": "My game", "phase": 3, "orders": {"FRANCE": ["A PAR H"]}}', {"FRANCE": ["A PAR H"]}),
        ('{"FRANCE": "A PAR H\\nA MAR H"}', {"FRANCE": ["A PAR H", "A MAR H"]}),
        ('{"orders": "FRANCE: A PAR H\\nAUSTRIA: A BUD H"}', {"FRANCE": ["A PAR H"], "AUSTRIA": ["A BUD H"]}),
        ('{"name": "", "phase": "S1901M", "powers": {"FRANCE": ["A PAR H"]}}', {"FRANCE": ["A PAR H"]}),
        ("[France] A PAR H\n[Austria]\nA BUD H", {"FRANCE": ["A PAR H"], "AUSTRIA": ["A BUD H"]}),
    ],
)
def test_json_says_the_same_whether_its_faults_are_left_out_or_not(
    text: str, orders: dict[str, list[str]]
) -> None:
    notes: list[str] = []
    for read in (orders_in(text, START), orders_in(text, START, notes)):
        assert {power: list(map(str, given)) for power, given in read.items()} == orders
    assert not notes


def test_builds_and_removals_in_words() -> None:
    text = "Winter 1901\nBuild army at Paris.\nStp Build Fleet\nDestroy the unit at Venice.\nFRANCE: waive"
    with pytest.raises(BordeauxError, match="line 3: order 'Atlantis Build Fleet'"):
        read(text.replace("Stp", "Atlantis"), WINTER)
    assert read(text.replace("Stp", "Stp/nc"), WINTER) == {
        "FRANCE": ["A PAR B", "WAIVE"],
        "ITALY": ["A VEN D"],
        "RUSSIA": ["F STP/NC B"],
    }


def test_retreats_are_of_the_dislodged_unit() -> None:
    position = Position.from_json(
        {
            "name": "F1901R",
            "units": {"FRANCE": ["A MUN"], "GERMANY": ["*A MUN"]},
            "centers": {},
            "retreats": {"GERMANY": {"A MUN": ["BOH", "TYR"]}},
        }
    )
    for text in (
        "The army at Munich retreat to Bohemia.",
        "Autumn 1901 Retreats\nA MUN R BOH",
        "Mun Move Boh",
    ):
        assert read(text, position) == {"GERMANY": ["A MUN R BOH"]}
    assert read("The army at Munich disband.", position) == {"GERMANY": ["A MUN D"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("FRANCE: A PAR - BUR\nFRANCIA: A MAR H", "line 2: unknown power 'FRANCIA'; did you mean 'FRANCE'?"),
        (
            "FRANCE: A PAR - BURR",
            "FRANCE: order 'A PAR - BURR': unknown province 'BURR'; did you mean 'BUR'?",
        ),
        ("Fall 1901\nA PAR - BUR", "line 1: these orders are for 'Fall 1901', and the position is S1901M"),
        ("The army at Marseilles support move to Burgundy.", "it does not say from where"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, says: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        read(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value) and "orders below" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("." * (1 << 20), "too long"),
        ("A PAR H " + "(ok" * 6000, "too long"),
        ("A PAR H; " * 2000, "more than 1,000 orders"),
        ("A PAR H\n" * 40_000, "line 1001: more than 1,000 orders"),
        ("Spring " + "1" * 15_000, "Spring"),
    ],
)
def test_rubbish_takes_no_time(text: str, says: str) -> None:
    """A search that went back for every letter would take hours here."""
    with pytest.raises(BordeauxError) as caught:
        read(text)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 300


def test_an_order_that_several_could_give_needs_its_power() -> None:
    with pytest.raises(BordeauxError, match="whose order is this"):
        read("WAIVE", WINTER)
    assert read("RUSSIA: WAIVE", WINTER) == {"RUSSIA": ["WAIVE"]}


@pytest.mark.parametrize(
    "text",
    [
        "A PAR != BUR",
        "A PAR !- BUR",
        "A PAR ↛ BUR",
        "AUSTRIA: Vienna, Budapest",
        "( ) A MAR - SPA",
        "<del>A PAR - BUR\nA MAR - SPA</del>",
        "~~A PAR - BUR\nA MAR - SPA~~",
        *(f"{label}: A PAR - BUR" for label in ("Cancelled French orders", "No orders for France")),
    ],
)
def test_what_is_struck_called_off_or_a_list_of_places_is_no_order(text: str) -> None:
    with pytest.raises(BordeauxError):
        orders_from_text(text, START)
    notes: list[str] = []
    assert not any(orders_from_text(text, START, notes).values()) and notes
