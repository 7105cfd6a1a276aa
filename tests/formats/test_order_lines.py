"""Lines of orders in every spelling and layout: each line is an order, a heading, a power or a note."""

from __future__ import annotations

import functools
import random
import re
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map, Order, Position
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.formats.games import read_games
from bordeaux.formats.order_lines import LineHeading, LineNote, LineOrder, OrderLines, power_before
from bordeaux.formats.order_sheet import orders_from_text
from tests.patience import examples

MAP = Map.standard()
SAMPLE = Path(__file__).resolve().parents[1] / "data" / "human.jsonl.gz"
DASHES = (" - ", "-", " -> ", "\u2192", " \u2013 ", "\u2014", " => ", "\u21d2", " to ", " ", " m ")
COASTS = {"NC": "north coast", "SC": "south coast", "EC": "east coast", "WC": "west coast"}
KINDS = {"A": "army", "F": "fleet"}
RUBBISH = (
    "lovely weather today; ???; A Xyz - Bur; hmm; so long, and thanks for all the fish; A Par - Nowhere;"
    " Fall 1901 was dull; The next turn of Spring 1905 will be played soon; https://example.org/#1;"
    " England will pay!; (no press this time); Germany - hello there all; F Lon S; Unit positions; (((((;"
    " 12345678; Orders are due on Monday, 3 May"
)
HEADINGS = {
    "M": "{season} {year}; {season}, {year}; {year} {season}; {letter}{year}M; {letter}{two};"
    " {season} '{two}; Results for {season} of {year}; {season} Turn, {year}; Moves: {season} {year};"
    " {letter}{year}; Status of the Movement phase for {season} of {year}",
    "R": "Retreats {season} {year}; {season} {year} (Retreats); {letter}{year}R;"
    " Retreat orders for {season} of {year}.",
    "A": "Winter {year}; W{two}; W{year}A; Fall {year} Builds; Adjustment orders for Winter of {year}.;"
    " {year} Winter",
}
SEASONS = {"S": ("Spring",), "F": ("Fall", "Autumn"), "W": ("Winter",)}
ALIASES = {
    "ENGLAND": ("Britain", "Great Britain"),
    "AUSTRIA": ("Austria-Hungary",),
    "TURKEY": ("Ottoman Empire",),
}
Phase = tuple[Position, dict[str, list[Order]]]


def read(lines: list[str], map: Map = MAP) -> OrderLines:
    reader = OrderLines(map)
    for number, line in enumerate(lines, 1):
        reader.take(number, line)
    reader.end()
    return reader


def orders_in(reader: OrderLines) -> list[LineOrder]:
    return [item for item in reader.items if isinstance(item, LineOrder)]


def noted(reader: OrderLines) -> list[int]:
    return [item.line for item in reader.items if isinstance(item, LineNote)]


@functools.cache
def phases() -> list[Phase]:
    """The phases of recorded games, with their orders."""
    listed_orders = []
    for game in islice(read_games(SAMPLE), 4):
        for number, phase in enumerate(game.phases):
            position = game.position(number)
            orders = {
                power: [parse_order(text, MAP, position) for text in texts]
                for power, texts in phase.orders.items()
            }
            if any(orders.values()):
                listed_orders.append((position, orders))
    return listed_orders


def spelled_place(location: str, chance: random.Random) -> str:
    tag, _, coast = location.partition("/")
    full = MAP.province(tag).full
    if not coast:
        return chance.choice([tag, tag.title(), tag.lower(), full, full.upper()])
    said = [
        f"{tag}/{coast}",
        f"{tag.title()}({coast.lower()})",
        f"{tag}-{coast}",
        f"{full} ({COASTS[coast]})",
    ]
    return chance.choice(said)


def spelled_unit(kind: str, location: str, chance: random.Random) -> str:
    place = spelled_place(location, chance)
    return chance.choice(
        [f"{kind} {place}", f"{kind}({place})", f"{KINDS[kind]} {place}", f"the {KINDS[kind]} in {place}"]
    )


def spelled(order: Order, phase: str, chance: random.Random) -> str:
    """An order in one of many notations."""
    if order.kind == OrderKind.WAIVE:
        return chance.choice(["waive", "Build waived", "WAIVE"])
    unit = spelled_unit(order.unit, order.location, chance)
    dash = chance.choice(DASHES)
    goal = spelled_place(order.destination, chance) if order.destination else ""
    helped = spelled_unit(order.target_unit, order.target, chance) if order.target else ""
    via = chance.choice([" VIA", " via convoy", " (via convoy)", " by convoy"]) if order.via else ""
    moved = f"{helped}{dash}{goal}"
    forms = {
        OrderKind.HOLD: [f"{unit} H", f"{unit} hold", f"{unit} - hold", f"{unit} stands", f"({unit} H)"],
        OrderKind.MOVE: [
            f"{unit}{dash}{goal}{via}",
            f"({unit}{dash}{goal}){via}",
            f"Move {unit} to {goal}{via}",
        ],
        OrderKind.SUPPORT_HOLD: [
            f"{unit} S {helped}",
            f"{unit} supports {helped} to hold",
            f"{unit} s ({helped})",
        ],
        OrderKind.SUPPORT_MOVE: [f"{unit} S {moved}", f"{unit} S ({moved})", f"{unit} SUPPORTS {moved}"],
        OrderKind.CONVOY: [f"{unit} C {moved}", f"{unit} convoys ({moved})"],
        OrderKind.RETREAT: [f"{unit} R {goal}", f"{unit} retreats to {goal}", f"Retreat {unit}{dash}{goal}"],
        OrderKind.BUILD: [f"{unit} B", f"Build {unit}", f"builds {unit}"],
        OrderKind.DISBAND: [f"{unit} D", f"remove {unit}"]
        if phase == "A"
        else [
            f"{unit} D",
            f"{unit} disbands",
            f"{unit} OTB",
            f"Retreat {unit} off the board",
            f"{unit} - OTB",
        ],
    }
    result = chance.choice(
        ["", "", "", ".", " (*bounce*)", " [Failed]", " SUCCEEDS", " (*Cut, Dislodged*)", " -> resolved"]
    )
    return chance.choice(forms[order.kind]) + result


def listed(phase: Phase, chance: random.Random) -> tuple[list[str], dict[int, list[tuple[str, Order]]]]:
    """The lines of a phase in a layout of its own, and which orders stand on which of them, by index."""
    position, orders = phase
    year, season, kind = position.phase
    words = {
        "season": chance.choice(SEASONS[season]),
        "year": year,
        "two": f"{year % 100:02}",
        "letter": season,
    }
    lines = [chance.choice(HEADINGS[kind].split("; ")).format(**words)]
    where: dict[int, list[tuple[str, Order]]] = {}
    powers = [power for power in orders if orders[power]]
    chance.shuffle(powers)
    for power in powers:
        names = [power, power.title(), f"{power.title()} (anna)", MAP.tags[power], *ALIASES.get(power, ())]
        name = chance.choice(names)
        texts = [spelled(order, kind, chance) for order in orders[power]]
        layout = chance.choice(["own line", "each", "one line", "commas", "numbered"])
        if layout in ("own line", "numbered"):
            lines.append(name + chance.choice(["", ":"]))
            for number, (order, text) in enumerate(zip(orders[power], texts, strict=True), 1):
                where[len(lines)] = [(power, order)]
                lines.append(
                    f"{number}. {text}" if layout == "numbered" else chance.choice(["", "- ", "\t"]) + text
                )
        elif layout == "each":
            for order, text in zip(orders[power], texts, strict=True):
                where[len(lines)] = [(power, order)]
                lines.append(f"{name}: {text}")
        else:
            where[len(lines)] = [(power, order) for order in orders[power]]
            lines.append(f"{name}: {('; ' if layout == 'one line' else ', ').join(texts)}")
    return lines, where


@settings(max_examples=examples(45), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_orders_and_notes_are_all_the_lines(seed: int) -> None:
    chance = random.Random(seed)
    phase = chance.choice(phases())
    lines, where = listed(phase, chance)
    rubbish: set[int] = set()
    for _ in range(chance.randint(0, 6)):
        at = chance.randint(1, len(lines))
        lines.insert(at, chance.choice(RUBBISH.split("; ")))
        where = {index + (index >= at): given for index, given in where.items()}
        rubbish = {index + (index >= at) for index in rubbish} | {at}
    reader = read(lines)
    assert noted(reader) == [index + 1 for index in sorted(rubbish)], "\n".join(lines)
    position = phase[0]
    read_orders = [(item.line - 1, parse_order(item.text, MAP, position)) for item in orders_in(reader)]
    wanted = [(index, order) for index in sorted(where) for _, order in where[index]]
    assert [(i, str(o)) for i, o in read_orders] == [(i, str(o)) for i, o in wanted], "\n".join(lines)
    powers = [item.power for item in orders_in(reader)]
    meant = [power for index in sorted(where) for power, _ in where[index]]
    assert all(power in ("", right) for power, right in zip(powers, meant, strict=True))
    if not rubbish:
        assert powers == meant
    assert {item.phase for item in orders_in(reader)} == {position.phase}


def lines_of(item: LineHeading | LineOrder | LineNote) -> range:
    """The lines that an item tells of: a note of several, all of one kind, names the last one."""
    last = re.search(r" to line (\d+): ", str(item.error)) if isinstance(item, LineNote) else None
    return range(item.line, (item.line if last is None else int(last[1])) + 1)


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.text(max_size=60) | st.sampled_from(RUBBISH.split("; ")), max_size=12))
def test_rubbish_below_a_heading_is_read_or_noted(lines: list[str]) -> None:
    lines = [" ".join(line.split()) for line in lines]
    reader = read(["Spring 1901", *lines])
    numbers = {number for item in reader.items if not isinstance(item, str) for number in lines_of(item)}
    for number, line in enumerate(lines, 2):
        letters = any(letter.isalnum() for letter in line.partition("#")[0])
        assert number in numbers or not letters or may_be_silent(line, lines[number - 3 : number])


def may_be_silent(line: str, around: list[str]) -> bool:
    """Whether a line can be a power, a stage, or the continuation of the one before."""
    joined = read(["Spring 1901", " ".join(around)])
    alone = read(["Spring 1901", line])
    return (
        bool(alone.items[1:]) is False
        or joined.orders > 0
        or any(isinstance(item, str) for item in alone.items)
    )


@settings(max_examples=examples(30), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_list_without_powers_is_read_by_owners(seed: int) -> None:
    chance = random.Random(seed)
    position, orders = chance.choice([phase for phase in phases() if phase[0].phase.kind == "M"])
    texts = [spelled(order, "M", chance) for given in orders.values() for order in given]
    chance.shuffle(texts)
    listed_orders = orders_from_text("\n".join(texts), position)
    owner = {unit.location: unit.power for unit in position.units}
    assert sum(map(len, listed_orders.values())) == len(texts)
    assert all(owner[order.location] == power for power, given in listed_orders.items() for order in given)


@pytest.mark.parametrize(
    ("phase", "headings"),
    [
        ("S1901M", "Status of the Movement phase for Spring of 1901; S01; 1901 Spring; S1901"),
        ("S1901M", "Movement results for Spring of 1901.  (ghost.S1901M); Orders for France, Spring 1901"),
        ("S1901M", "* MONTREUIL-SUR-MER, Spring 1901 *"),
        ("F1901M", "Results for Fall of 1901; Fall Turn, 1901; Moves of the Fall 1901 turn; # Fall 1901"),
        ("F1901M", "Diplo 2: Ministry of Silly Walks, Fall 1901; Results for Fall of 1901 in ghodstoo"),
        ("F1901M", "F '01; 1901-F; Fall1901; Herbst 1901"),
        ("F1901M", "Fall '01 of the game PANZER (BNC number 1989H)"),
        ("S1902R", "Retreats Spring 1902; Summer 1902"),
        ("F1901R", "Fall 1901 Dislodgements"),
        ("F1902M", "Autumn, 1902 Large map :"),
        ("S1902M", "Turn 3: Spring 1902"),
        ("W1901A", "Fall 1901 Builds; 1901 Builds"),
    ],
)
def test_headings(phase: str, headings: str) -> None:
    for heading in headings.split("; "):
        item = read([heading]).items[0]
        assert isinstance(item, LineHeading) and str(item.phase) == phase, heading


@pytest.mark.parametrize(
    ("lines", "orders"),
    [
        (["Winter 1901", "France", "Build A Par, F Bre"], ["W1901A FRANCE A PAR B", "W1901A FRANCE F BRE B"]),
        (
            ["Winter 1901", "France: Builds: A Par and F Bre"],
            ["W1901A FRANCE A PAR B", "W1901A FRANCE F BRE B"],
        ),
        (
            ["W1901/S1902", "France: Build A Par; A Bur - Bel"],
            ["W1901A FRANCE A PAR B", "S1902M FRANCE A BUR - BEL"],
        ),
        (
            ["Fall 1901", "France: A Par - Bur", "Autumn 1901", "A Par - Gas"],
            ["F1901M FRANCE A PAR - BUR", "F1901R  A PAR - GAS"],
        ),
        (
            ["Fall 1901", "Italy", "A Ven retreats to Apu", "remove A Rom"],
            ["F1901R ITALY A VEN R APU", "W1901A ITALY A ROM D"],
        ),
        (["W1901", "France: 2 unused builds pending."], ["W1901A FRANCE WAIVE"] * 2),
        (
            ["S1901M", "Fr: A PAR - PIC // F BRE - MAO / A MAR H // safe", "<Italy>", "A VEN H, rest hold"],
            [f"S1901M {each}" for each in ("FRANCE A PAR - PIC", "FRANCE F BRE - MAO", "FRANCE A MAR H")]
            + ["S1901M ITALY A VEN H"],
        ),
        (["S1901M", ":de:", "A MUN H"], ["S1901M GERMANY A MUN H"]),
        (
            ["Winter 1901", "France: Build A Par. Build F Bre.", "Italy: Build: A Rom, Build: F Nap"],
            [f"W1901A {each} B" for each in ("FRANCE A PAR", "FRANCE F BRE", "ITALY A ROM", "ITALY F NAP")],
        ),
        (
            ["Spring 1901", "\u2713 A Par - Bur (blocked)", "_F Bre - MAO_", "#3 A Mar - Spa"],
            ["S1901M  A PAR - BUR", "S1901M  F BRE - MAO", "S1901M  A MAR - SPA"],
        ),
        (
            ["Fall 1902", "Ownership of supply centers:", "France: Paris, Brest", "Retreats", "A Mar Spa"],
            ["F1902R  A MAR - SPA"],
        ),
        (
            [
                "Spring of 1901",
                "England: Fleet North Sea CONVOY Army",
                "Yorkshire -> Norway.  (*cut,",
                "dislodged*)",
            ],
            ["S1901M ENGLAND F NTH C A YOR - NWY"],
        ),
        (
            ["Spring 1901: Dr. Who (Italy): A Ven-Tyr", "| France | A Par -> Bur | FAILS |"],
            ["S1901M ITALY A VEN - TYR", "S1901M FRANCE A PAR - BUR"],
        ),
    ],
)
def test_layouts(lines: list[str], orders: list[str]) -> None:
    reader = read(lines)
    assert [
        f"{item.phase} {item.power} {parse_order(item.text, MAP)}" for item in orders_in(reader)
    ] == orders
    assert noted(reader) == []


POUCH = """Results for Fall of 1905 in describe
Movement
France: Army Paris SUPPORT Army Marseilles.  (*cut, dislodged*)
Italy: Fleet Western Mediterranean => Spain (south coast).  (*bounce, dislodged*)
The following units were dislodged:
The Italian Fleet in the Western Mediterranean can retreat to Gulf of Lyon or
Tunis or North Africa.
The English Army in Belgium with no valid retreats was destroyed.
Retreat
France:	   Army	 Paris => Picardy.
Italy:	   Fleet Western Mediterranean => Gulf of Lyon.
Ownership of supply centers:
Austria:   Budapest, Bulgaria, Greece.
Unowned:   Sweden, Tunis.
Austria:   3 Supply centers,  3 Units:  Builds   0 units.
Adjustment
France:	   Removes the army in Picardy.
Italy:     Builds a fleet in Naples.
"""


def test_pages_of_the_pouch() -> None:
    reader = read(POUCH.splitlines())
    assert noted(reader) == [] and reader.judged and reader.game == "describe"
    assert [f"{item.phase} {parse_order(item.text, MAP)}" for item in orders_in(reader)] == [
        "F1905M A PAR S A MAR",
        "F1905M F WES - SPA/SC",
        "F1905R A PAR - PIC",
        "F1905R F WES - LYO",
        "W1905A A PIC D",
        "W1905A F NAP B",
    ]


@pytest.mark.parametrize(
    ("lines", "phases"),
    [
        (["Fall 1902", "Retreats", "France: A Par - Gas", "Italy: A Ven - Apu"], "RR"),
        (["Fall 1902", "Retreats", "France", "A Par - Gas", "Italy", "A Ven - Apu"], "RR"),
        (["Fall 1902", "France:", "Retreats", "A Par - Gas", "Italy:", "A Ven - Apu"], "RM"),
        (["Fall 1902", "Moves", "France", "A Par - Gas", "Retreats", "France", "A Bur - Gas"], "MR"),
    ],
)
def test_a_stage_is_of_one_power_or_of_all(lines: list[str], phases: str) -> None:
    assert "".join(item.phase.kind for item in orders_in(read(lines)) if item.phase) == phases


@pytest.mark.parametrize(
    "line",
    [
        "The next deadline is Friday, Spring 1902",
        "Builds are due on Monday: Winter 1901",
        "In the spring of 1901 an army came to Paris",
    ],
)
def test_a_line_that_only_speaks_of_a_season_is_a_note(line: str) -> None:
    reader = read(["Fall 1901", "France: A Par - Bur", line])
    assert noted(reader) == [3] and len(orders_in(reader)) == 1


@pytest.mark.parametrize(
    ("spelled", "order"),
    [
        ("A Par moved to Bur <bounce>", "A PAR - BUR"),
        ("A Par (dislodged) - Bur", "A PAR - BUR"),
        ("A Mar (no convoy) S A Par - Bur", "A MAR S A PAR - BUR"),
        ("a) Army of Paris advances on Burgundy (stood off)", "A PAR - BUR"),
        ("A Par (no order)", "A PAR H"),
        ("A Mar SA Par-Bur", "A MAR S A PAR - BUR"),
        ("A Mar supp. A Par - Bur", "A MAR S A PAR - BUR"),
        ("A Mar supports A Par cut by Move from Piedmont", "A MAR S A PAR"),
        ("F NTH CA Yor - Nwy", "F NTH C A YOR - NWY"),
        ("A Yor is convoyed to Nwy", "A YOR - NWY VIA"),
        ("A Yor via NTH to Nwy", "A YOR - NWY VIA"),
        ("A Ven retreated to Tus", "A VEN R TUS"),
        ("Waives one build", "WAIVE"),
        ("F STPNC - BAR", "F STP/NC - BAR"),
    ],
)
def test_spellings(spelled: str, order: str) -> None:
    assert str(parse_order(spelled, MAP)) == order
    assert [str(parse_order(item.text, MAP)) for item in orders_in(read([spelled]))] == [order]


@pytest.mark.parametrize(
    "lines", ["# England|[England]|England - john|England/John", "Player: England|English|E:|England, 3 SC"]
)
def test_a_power_with_words_around_it(lines: str) -> None:
    for line in lines.split("|"):
        reader = read(["Spring 1901", "France", "A Par - Bur", line, "F Lon - NTH"])
        assert [item.power for item in orders_in(reader)] == ["FRANCE", "ENGLAND"] and noted(reader) == []


@pytest.mark.parametrize("line", ["# A Par - Bur", "# England is at war", "# Fall 1901 was dull"])
def test_comments_stay_comments(line: str) -> None:
    assert read(["Spring 1901", line]).items[1:] == []


def test_results_of_jdip_stand_below_their_order() -> None:
    reader = OrderLines(MAP)
    lines = {
        1: "Results for Fall, 1901 (Movement)",
        3: "General Notices:",
        4: "No retreating units; retreat phase skipped.",
        20: "Austria: A bud -> tri",
        23: "Bounced with ven (1 against 1).",
        26: "Austria: A ser Supports F alb -> gre",
        27: "Support cut by Move from Bulgaria.",
        28: "Dislodged from bul (2 against 1).",
        30: "Austria: A vie Supports A gal",
        31: "Support failed. Move orders must be supported explicitly.",
        40: "England: A yor -> nth -> nwy",
        44: "Convoy path taken: yor\u2192nth\u2192nwy.",
        50: "Italy: A ven -> tri",
        52: "Failed because Turkey: A bul -> gre failed.",
    }
    for number, line in lines.items():
        reader.take(number, line)
    reader.end()
    assert noted(reader) == [] and reader.whole
    assert [(str(parse_order(item.text, MAP)), item.written.came) for item in orders_in(reader)] == [
        ("A BUD - TRI", ("bounce",)),
        ("A SER S F ALB - GRE", ("cut", "dislodged")),
        ("A VIE S A GAL", ("void",)),
        ("A YOR - NWY VIA", None),
        ("A VEN - TRI", ("fail",)),
    ]


def test_a_power_stands_before_words_for_an_order_but_not_in_the_name_of_a_place() -> None:
    assert power_before("France Paris - Burgundy", MAP) == ("FRANCE", "Paris - Burgundy")
    assert power_before("English Channel - North Sea", MAP) == ("", "English Channel - North Sea")
