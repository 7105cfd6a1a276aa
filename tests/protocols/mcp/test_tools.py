"""The tools about positions say what the library says, in short."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import golden
from bordeaux import Map, Position, adjudicate, legal_orders
from bordeaux.formats.dui import position_to_dfen
from bordeaux.openings.book import Book
from bordeaux.openings.names import name_of

from .conftest import Agent, text_of

START = Position.start()
MOVES = {"FRANCE": ["A PAR - BUR", "A MAR - SPA"], "GERMANY": ["A MUN - BUR"]}
FALL = """F1901M
FRANCE: A MAR, F BRE; centres BRE MAR PAR
TURKEY: F ANK, A CON; centres ANK CON SMY"""


def game() -> dict[str, Any]:
    """A saved game of two phases."""
    resolution = adjudicate(START, MOVES)
    first = {
        "name": "S1901M",
        "state": START.to_json(),
        "orders": {power: MOVES.get(power, []) for power in START.map.powers},
        "results": resolution.results,
    }
    last = {"name": "F1901M", "state": resolution.after.to_json(), "orders": {}, "results": {}}
    return {"id": "one", "map": "standard", "rules": [], "phases": [first, last]}


def test_every_tool_is_typed_and_told_and_all_of_it_is_short(agent: Agent) -> None:
    listed = agent.session(lambda client: client.list_tools()).tools
    assert len(listed) == 19
    size = 0
    for tool in listed:
        assert tool.description and tool.description[0].isupper()
        size += len(tool.description) + len(json.dumps(tool.input_schema))
        for name, argument in tool.input_schema.get("properties", {}).items():
            assert argument.get("description") or name in ("to",), (tool.name, name)
            assert "title" not in argument
        assert tool.name == "draw_position" or tool.output_schema["type"] == "object"
    # A model reads it before it says a word: some four thousand tokens.
    assert size < 17_000


def test_a_position_is_shown_and_its_text_is_read_again(agent: Agent) -> None:
    shown = agent("show_position", position="start")
    assert Position.start() == agent.server.desk.at(shown["text"]).position
    assert shown["centres"]["RUSSIA"] == 4 and shown["must_order"]["FRANCE"] == "orders for 3 units"
    assert "values" not in shown
    detailed = agent("show_position", detail=True)
    assert set(detailed["values"]) == set(START.map.powers) and detailed["map"] == "standard"
    other = agent("show_position", map="pure")
    assert agent("show_position", position=other["text"], detail=True)["map"] == "pure"


@pytest.mark.parametrize("form", ["json", "text", "dfen", "game", "name"])
def test_what_the_formats_read_is_a_position(agent: Agent, form: str) -> None:
    given = {
        "json": json.dumps(START.to_json()),
        "text": str(START),
        "dfen": position_to_dfen(START),
        "game": json.dumps(game()),
        "name": "classic",
    }[form]
    phase = {"phase": "S1901M"} if form == "game" else {}
    assert agent("show_position", position=given, **phase)["text"] == str(START)


def test_a_phase_of_a_game_is_chosen_and_the_last_one_is_the_usual(agent: Agent) -> None:
    text = json.dumps(game())
    assert agent("show_position", position=text)["phase"] == "F1901M"
    assert agent("show_position", position=text, phase="s1901m")["phase"] == "S1901M"
    assert "phases go from S1901M to F1901M" in agent.wrong("show_position", position=text, phase="F1907M")


def test_no_file_and_no_address_is_opened(agent: Agent, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(START.to_json()))
    assert "files are not read here" in agent.wrong("show_position", position=str(path))
    assert "nothing is fetched" in agent.wrong("show_position", position="https://127.0.0.1:1/game")
    assert "unknown map" in agent.wrong("show_position", map="./pure.toml")


def test_legal_orders_are_all_there_with_detail(agent: Agent) -> None:
    everything = agent("legal_orders", power="ITALY", detail=True)
    assert everything["orders"] == legal_orders(START, "ITALY") and "left_out" not in everything
    short = agent("legal_orders")
    assert all(len(orders) <= 12 for orders in short["orders"].values())
    missing = sum(map(len, legal_orders(START).values())) - sum(map(len, short["orders"].values()))
    assert short["left_out"].startswith(f"{missing} more")
    assert list(agent("legal_orders", unit="par")["orders"]) == ["PAR"]
    assert "leave unit out" in agent.wrong("legal_orders", unit="BUR")
    assert agent("legal_orders", unit=" ") == short


def test_orders_are_checked_with_the_reasons(agent: Agent) -> None:
    checked = agent(
        "check_orders",
        position="start",
        power="fra",
        orders=["par-bur", "A PAR - LON", "A MUN H", "hello", "A MAR S A PAR - BUR"],
    )
    assert checked["orders"][0]["order"] == "A PAR - BUR"
    wrong = [row.get("wrong", "") for row in checked["orders"]]
    assert not wrong[0] and not wrong[4] and not checked["legal"]
    assert "cannot go to LON" in wrong[1] and "GERMANY's" in wrong[2] and "unknown" in wrong[3]
    assert checked["without_orders"] == ["F BRE"]


def test_of_two_orders_for_a_unit_and_of_too_many_builds_the_first_are_right(agent: Agent) -> None:
    twice = agent(
        "check_orders", position="start", power="FRANCE", orders=["A PAR H", "A PAR - BUR", "A PAR H"]
    )
    assert not twice["legal"] and "has an order already" in twice["orders"][1]["wrong"]
    winter = "W1901A\nFRANCE: A SPA; centres BRE PAR MAR"
    builds = agent(
        "check_orders", position=winter, power="FRANCE", orders=["A PAR B", "A PAR B", "F BRE B", "F MAR B"]
    )
    assert [bool(row.get("wrong")) for row in builds["orders"]] == [False, True, False, True]
    assert not builds["legal"] and builds["without_orders"] == []
    waived = agent("check_orders", position=winter, power="FRANCE", orders=["WAIVE", "F BRE B"])
    assert waived["legal"] and waived["without_orders"] == []


def test_a_whole_answer_of_a_model_is_checked(agent: Agent) -> None:
    answer = 'I like A PAR - BUR.\n```json\n{"orders": ["A PAR - PIC", "A MAR - BER"]}\n```'
    checked = agent("check_orders", position="start", power="FRANCE", orders=answer)
    assert [row["given"] for row in checked["orders"]] == ["A PAR - PIC", "A MAR - BER"]
    assert "wrong" in checked["orders"][1] and checked["without_orders"] == ["F BRE", "A MAR"]


@pytest.mark.parametrize(
    ("orders", "power", "powers", "given"),
    [
        ("GERMANY: A MUN H\nA BER H", "FRANCE", "FRANCE, GERMANY", ["A MUN H", "A BER H"]),
        ("A PAR H; GERMANY: A MUN H", "fra", "FRANCE, GERMANY", ["A PAR H", "A MUN H"]),
        ("FRANCE: all hold", "", "FRANCE", ["F BRE H", "A MAR H", "A PAR H"]),
        ("FRANCE: no orders", "", "FRANCE", []),
        ({}, "fra", "FRANCE", []),
        ({"GER": ["A MUN H"]}, "fra", "FRANCE, GERMANY", ["A MUN H"]),
    ],
)
def test_a_text_says_whose_its_orders_are(
    agent: Agent, orders: Any, power: str, powers: str, given: list[str]
) -> None:
    checked = agent("check_orders", position="start", power=power, orders=orders)
    assert checked["power"] == powers and [row["given"] for row in checked["orders"]] == given
    assert ("F BRE" in checked["without_orders"]) == ("F BRE H" not in given)


@pytest.mark.parametrize(
    "orders",
    [
        ["A PAR - BUR", "A VIE - GAL"],
        "A PAR - BUR\nA VIE - GAL",
        {"FRANCE": "A PAR - BUR", "AUS": ["A VIE - GAL"]},
        [{"power": "FRANCE", "orders": ["A PAR - BUR"]}, {"power": "AUSTRIA", "orders": ["A VIE - GAL"]}],
        {"orders": {"france": ["A PAR - BUR"], "austria": ["A VIE - GAL"]}},
        {"orders": ["A PAR - BUR", "A VIE - GAL"]},
    ],
)
def test_orders_come_in_any_form_and_are_of_the_owners_of_the_units(agent: Agent, orders: Any) -> None:
    named = {"FRANCE": ["A PAR - BUR"], "AUSTRIA": ["A VIE - GAL"]}
    adjudicated = agent("adjudicate_orders", position="start", orders=orders)
    assert adjudicated == agent("adjudicate_orders", position="start", orders=named)
    checked = agent("check_orders", position="start", orders=orders)
    assert checked["legal"] and sorted(checked["without_orders"]) == ["A BUD", "A MAR", "F BRE", "F TRI"]


def test_what_is_nobodys_order_is_told_and_nobody_may_order_nothing(agent: Agent) -> None:
    assert "say whose order 'A BUR H' is" in agent.wrong("check_orders", position="start", orders=["A BUR H"])
    assert "no order in it" in agent.wrong("check_orders", position="start", orders="I do not know")
    assert agent("adjudicate_orders", position="start", orders={})["next_phase"] == "F1901M"
    assert len(agent("check_orders", position="start", orders={})["without_orders"]) == 22


def test_orders_are_adjudicated_with_reasons_and_the_next_position(agent: Agent) -> None:
    orders = {**MOVES, "ITALY": ["A VEN - LON"]}
    answer = agent("adjudicate_orders", position="start", orders=orders)
    text = "\n".join(f"{power}: {'; '.join(given)}" for power, given in orders.items())
    assert agent("adjudicate_orders", position="start", orders=text) == answer
    resolution = adjudicate(START, orders)
    assert answer["next_position"] == str(resolution.after) and answer["next_phase"] == "F1901M"
    bounced = answer["results"]["FRANCE"][0]
    assert bounced["result"] == "bounce" and bounced["why"] == resolution.reasons["A PAR"]
    assert "why" not in answer["results"]["FRANCE"][1]
    assert len(answer["illegal"]) == 1 and answer["illegal"][0].startswith("ITALY: A VEN - LON")
    assert (
        "why"
        in agent("adjudicate_orders", position="start", orders=orders, detail=True)["results"]["FRANCE"][1]
    )


def test_the_best_orders_have_chances_and_what_each_is_worth(agent: Agent) -> None:
    asked = {"position": str(START.next(MOVES)), "power": "FRANCE", "nodes": 600}
    best = agent("best_orders", **asked, lines=2)
    assert best["orders"] == best["lines"][0]["orders"] and 1 <= len(best["lines"]) <= 2
    lost = [order for effect in best["lost_without"] for order in effect["orders"]]
    assert sorted(lost) == sorted(best["orders"]) and not best["from_book"] and "opening" not in best
    assert all(line["score"].endswith("%") and line["solo"].endswith("%") for line in best["lines"])
    assert "expected" not in best
    checked = agent("check_orders", position=asked["position"], power="FRANCE", orders=best["orders"])
    assert checked["legal"] and checked["without_orders"] == []
    detailed = agent("best_orders", **asked, detail=True)
    assert detailed["orders"] == best["orders"], "a limit in nodes gives the same answer"
    assert "GERMANY" in detailed["expected"]


def test_known_orders_of_others_are_respected_and_checked(agent: Agent) -> None:
    asked = {"position": "start", "power": "FRANCE", "nodes": 300, "detail": True}
    best = agent("best_orders", **asked, given={"GERMANY": ["A MUN - BUR", "F KIE - HOL", "A BER - MUN"]})
    assert best["expected"]["GERMANY"][0]["orders"] == ["A BER - MUN", "F KIE - HOL", "A MUN - BUR"]
    parted = {"GERMANY": ["A MUN - BUR", "F KIE - HOL"], "GER": ["A BER - MUN"]}
    assert agent("best_orders", **asked, given=parted)["expected"]["GERMANY"] == best["expected"]["GERMANY"]
    assert "illegal" in agent.wrong("best_orders", **asked, given={"GERMANY": ["A MUN - LON"]})


def test_the_book_answers_in_the_opening(agent: Agent) -> None:
    best = agent("best_orders", position="start", power="AUSTRIA", book=True)
    assert best["from_book"] and best["opening"] and best["nodes"] == 0
    looked = agent("look_up_opening", power="AUSTRIA", lines=2)
    entries = Book.load().entries(START, "AUSTRIA")
    assert looked["exact"] and [row["orders"] for row in looked["powers"]["AUSTRIA"]] == [
        list(entry.orders) for entry in entries[:2]
    ]
    # The score is that of best_orders, and another thing than the result of those who played it.
    scores = {tuple(line["orders"]): line["score"].partition(" \u00b1")[0] for line in best["lines"]}
    assert all(
        scores.get(tuple(row["orders"]), row["score"]) == row["score"] for row in looked["powers"]["AUSTRIA"]
    )
    assert [row["result"] for row in looked["powers"]["AUSTRIA"]] == ["15 %", "19 %"]
    assert "ask best_orders" in agent("look_up_opening", position=FALL)["note"]
    assert "for map standard" in agent.wrong(
        "look_up_opening", position=str(Position.start(Map.load("pure")))
    )


def test_orders_that_are_found_have_the_name_of_their_opening(agent: Agent) -> None:
    best = agent("best_orders", position="start", power="ENGLAND", nodes=300)
    assert not best["from_book"] and best["opening"] == name_of("ENGLAND", best["orders"])
    for board, power in (("gulfs", "NORDMARK"), ("standard_fleet_rome", "ITALY")):
        elsewhere = str(Position.start(Map.load(board)))
        assert "opening" not in agent("best_orders", position=elsewhere, power=power, nodes=300)


def test_what_can_be_forced_is_told_for_all_powers(agent: Agent) -> None:
    forced = agent("forced_centres", position=FALL)
    assert forced["powers"]["FRANCE"]["owned"] == 3 and forced["powers"]["FRANCE"]["certain"] == 4
    after = adjudicate(
        agent.server.desk.at(FALL).position, {"FRANCE": forced["powers"]["FRANCE"]["orders"]}
    ).after
    assert after.owners.count("FRANCE") == 4
    assert "Fall" in agent.wrong("forced_centres", position="start")


def test_two_sets_are_compared_with_each_other_and_the_engines(agent: Agent) -> None:
    first = ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]
    asked = {"position": "start", "power": "FRANCE", "nodes": 200, "first": first}
    compared = agent("compare_orders", **asked, second=["A PAR H"])
    assert {row["name"] for row in compared["sets"]} >= {"first", "second"}
    assert compared["verdict"].startswith("first is better")
    assert agent("compare_orders", **asked, second="; ".join(first))["verdict"] == "the two sets are the same"
    assert "orders are texts, not 3" in agent.wrong("compare_orders", **asked, second=[3])
    assert "illegal" in agent.wrong("compare_orders", **asked, second=["A PAR - LON"])


def test_answers_are_lines_for_a_model(agent: Agent) -> None:
    text = text_of(agent.result("adjudicate_orders", position="start", orders=MOVES))
    assert "\n  FRANCE: A PAR - BUR (bounced: " in text and "A MAR - SPA (ok)" in text
    assert len(text) < 2_000


# The conversation on docs/agents.md is held: every call gets the answer that the page shows.


PAGE = golden.ROOT / "docs" / "agents.md"
CALL = re.compile(r"> (\w+) (\{.*\})")


def calls() -> Iterator[tuple[str, dict[str, object], list[str]]]:
    """Tool, arguments and shown answer of every call on the page."""
    for block in re.findall(r"```conversation\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        for part in re.split(r"^(?=> )", block, flags=re.MULTILINE)[1:]:
            call, *shown = part.rstrip().splitlines()
            match = CALL.fullmatch(call)
            assert match is not None, call
            yield match[1], json.loads(match[2]), shown


@pytest.mark.slow
def test_the_conversation_of_the_page_is_held(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    held = list(calls())
    assert len(held) > 8
    game = next(str(arguments["game"]) for _, arguments, _ in held if "game" in arguments)
    monkeypatch.setattr(secrets, "token_hex", lambda count: game)
    for tool, arguments, shown in held:
        lines = [line for line in text_of(agent.result(tool, **arguments)).splitlines() if line]
        assert golden.renewed(shown, lines) == shown, f"{tool}:\n" + "\n".join(lines)


def test_the_page_names_every_tool(agent: Agent) -> None:
    tools = {tool.name for tool in agent.session(lambda client: client.list_tools()).tools}
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))
    assert rows == tools
