"""The engine's side as a machine: a line in, lines out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError
from bordeaux.engine import Analysis, Request
from bordeaux.formats.dui import orders_from_dson, position_to_dfen
from bordeaux.protocols.dui.machine import ERROR, EngineTask, Machine, done
from bordeaux.protocols.dui.options import OPTIONS
from bordeaux.search.config import SearchConfig

START = position_to_dfen(Position.start())


@pytest.fixture
def machine() -> Iterator[Machine]:
    """A machine whose engine is ended at last."""
    made = Machine()
    yield made
    made.mind.close()


def told(machine: Machine, *lines: str) -> list[str]:
    """The answers to the last of some lines; those before it must be silent."""
    for line in lines[:-1]:
        assert machine.answer(line) == [], line
    return machine.answer(lines[-1])


def test_the_handshake_lists_every_option(machine: Machine) -> None:
    said = machine.answer("dui")
    assert said[0].startswith("id name Bordeaux ") and said[1].startswith("id author ")
    assert said[2:-2] == [str(option) for option in OPTIONS.values()]
    assert said[-2:] == ["protocol_version 1", "duiok"]
    assert machine.answer("protocol_version 7") == ["protocol_version 1"]
    assert machine.answer("isready") == ["readyok"]


def test_positions_in_every_form_are_the_same(machine: Machine) -> None:
    position = Position.start().next({"FRANCE": ["A PAR - BUR"]})
    text = str(position).replace("\n", " | ")
    for form in (position_to_dfen(position), f"json {json.dumps(position.to_json())}", f"text {text}"):
        assert machine.answer("newgame") == []
        assert told(machine, f"position {form}") == [] and machine.position == position
    assert told(machine, "position start", "played france A par - bur", "position next") == []
    assert machine.position == position
    shown = machine.answer("show")
    assert shown[0] == f"info string dfen {position_to_dfen(position)}"
    assert json.loads(shown[-1].removeprefix("info string json ")) == position.to_json()


def test_what_dfen_leaves_out_is_shown(machine: Machine) -> None:
    assert told(machine, "setoption name Map value pure", "newgame", "show")[1] == (
        "info string not in dfen: the map, which is pure"
    )
    shown = told(machine, "setoption name Map value gulfs", "newgame", "show")
    assert shown[0].startswith("info string no dfen: ") and '"map": "gulfs"' in shown[1]
    assert told(machine, "setpower estria", "go nodes 50")[-1].startswith("bestorders ")


def test_given_orders_and_agreements_bind(machine: Machine) -> None:
    promise = [{"kind": "promise", "parties": ["AUSTRIA"], "orders": ["A VIE - TYR"]}]
    said = told(machine, "setpower austria", f"agreements {json.dumps(promise)}", "go nodes 500")
    assert "A vie - tyr" in said[-1]
    assert "illegal" in machine.answer("given russia A war - mun")[0]
    assert told(machine, "given none", "given russia A war - gal", "go nodes 500")[-1].startswith(
        "bestorders"
    )
    assert told(machine, 'given {"RUSSIA": ["A WAR - GAL"]}') == []
    assert "two lists" in machine.answer('given {"RUS": ["A WAR - GAL"], "RUSSIA": []}')[0]
    assert machine._given["RUSSIA"] and machine._agreements
    assert told(machine, f"position {START}") == [] and not machine._given and not machine._agreements


def test_what_was_played_is_learnt(machine: Machine) -> None:
    seen = []
    machine.mind.observe = lambda turn, settings: seen.append(turn)  # type: ignore[method-assign]
    told(
        machine,
        "position start",
        "played france A par - bur",
        'played {"ITALY": ["A VEN H"]}',
        "position next",
    )
    (turn,) = seen
    assert turn.before == Position.start() and turn.after == machine.position
    assert {power: list(map(str, orders)) for power, orders in turn.orders.items()} == {
        "FRANCE": ["A PAR - BUR"],
        "ITALY": ["A VEN H"],
    }
    told(machine, "played france A bur H", "position start")
    assert len(seen) == 1, "an earlier position is no next turn"


def test_press_wakes_the_diplomat(machine: Machine) -> None:
    assert told(machine, "setpower austria", "draw") == ["draw none"]
    said = machine.answer("press italy propose_nonaggression")
    assert said and all(line.startswith("press_out ") for line in said)
    assert any(line in ("press_out italy accept", "press_out italy reject") for line in said)
    opened = [line for line in said if "propose" in line]
    assert opened
    again = machine.answer("talk")
    assert not set(opened) & set(again), "what was proposed is not proposed again"
    assert told(machine, "newgame", "setoption name Press value 0", "press italy propose_nonaggression") == []


def test_a_peace_agreed_to_by_press_binds_the_search(machine: Machine) -> None:
    machine.answer("setpower austria")
    agreed = [
        power
        for power in ("italy", "russia", "germany", "turkey")
        if f"press_out {power} accept" in machine.answer(f"press {power} propose_nonaggression")
    ]
    assert agreed, "half of the neighbours are friends at most, but one is"
    asked: list[Request] = []
    machine.mind._ready(machine.settings)
    engine = machine.mind._engine
    assert engine is not None
    analyse = engine.analyse

    def noted(request: Request, stop: Callable[[], bool] | None = None) -> Iterator[Analysis]:
        asked.append(request)
        return analyse(request, stop)

    engine.analyse = noted  # type: ignore[method-assign]  # for this one engine
    machine.answer("go nodes 200")
    kept = {agreement.parties for agreement in asked[-1].agreements if agreement.kind == "peace"}
    assert any(set(parties) == {"AUSTRIA", agreed[0].upper()} for parties in kept)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("xyzzy", "unknown command 'xyzzy'; it was skipped"),
        ("positoin start", "did you mean 'position'?"),
        ("position", "four parts"),
        ("position json {", "JSON is cut short"),
        ("position json []", "a position is a JSON object"),
        ("position text S1901M | FRANCE: A PAX", "line 2"),
        ("setpower", "setpower names a power"),
        ("setpower narnia", "unknown power 'narnia'"),
        ("setoption", "setoption is written"),
        ("setoption name Nonsense value 3", "no option 'Nonsense'"),
        ("setoption name Threads value many", "whole number from 1 to"),
        ("setoption name UseBook value perhaps", "true or false"),
        ("setoption name Evaluation value narnia", "narnia"),
        ("setoption name Search value draws", "option Search is one of learnt, paper, not 'draws'"),
        ("setoption name Caution value 50", "caution is a setting of search paper, not of search learnt"),
        ("press", "press is written"),
        ("press italy propose_nonaggression", "name one power first"),
        ("talk", "name one power first"),
        ("draw", "name one power first"),
        ("people", "name a power first"),
        ("played", "played is written"),
        ("played france A par - pax", "pax"),
        ("played {", "JSON is cut short"),
        ('played {"FRANCE": "A PAR H"}', "a list of texts"),
        ("agreements {}", "JSON list"),
        ('agreements [{"kind": "war"}]', "parties is missing"),
        ("protocol_version x", "whole number"),
        ("x" * 70_000, "65535 bytes"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_and_changes_nothing(
    machine: Machine, line: str, text: str
) -> None:
    before = machine.settings, machine.position
    (said,) = machine.answer(line)
    assert said.startswith(ERROR) and text in said and said.isprintable() and len(said) < 600
    assert (machine.settings, machine.position) == before


def test_bytes_that_are_no_text_and_empty_lines(machine: Machine) -> None:
    assert machine.answer(b"\xff\xfe") == [f"{ERROR}a line must be UTF-8; this one was skipped"]
    assert machine.answer(b"  \r\n") == machine.answer("") == []
    assert machine.answer(b"  isready \r\n") == ["readyok"]
    (said,) = machine.answer("a\x1b[2J")
    assert "\x1b" not in said


def test_every_go_is_answered_once(machine: Machine) -> None:
    assert machine.answer("go") == [f"{ERROR}no power to play; name it first: setpower POWER", "bestorders"]
    assert machine.answer(b"go \xff")[-1] == "bestorders"
    machine.answer("setpower france")
    said = machine.answer("go sideways nodes x nodes 200")
    assert said[0] == f"{ERROR}go does not know 'sideways'; go nodes takes a whole number from 1 to" + (
        f" {2**62}, not 'x'"
    )
    assert [line.split()[0] for line in said].count("bestorders") == 1
    told(machine, "setoption name Map value gulfs", "newgame")
    assert machine.answer("go nodes 9")[-1] == "bestorders", "France is not on that map"


def test_a_fault_of_ours_is_one_line_and_the_search_is_answered() -> None:
    def broken(stop: object) -> Iterator[str]:
        yield "info depth 1"
        raise KeyError("a\nb")

    said = list(done(EngineTask("search", broken)))
    assert said[0] == "info depth 1" and said[-1] == "bestorders" and len(said) == 3
    assert said[1].startswith(f"{ERROR}KeyError") and "\n" not in said[1]

    def wrong(stop: object) -> Iterator[str]:
        raise BordeauxError("no such thing")
        yield

    assert list(done(EngineTask("work", wrong))) == [f"{ERROR}no such thing"]


@pytest.mark.parametrize(
    ("search", "others"),
    [
        ("learnt", {"without": "forcing", "models": "people-wide=1"}),
        ("paper", {"evaluation": "paper", "without": "fronts+people", "maxims": "none", "caution": 0.75}),
    ],
)
def test_every_setting_of_a_search_is_an_option(
    machine: Machine, search: str, others: dict[str, object]
) -> None:
    wanted = SearchConfig(search).changed(others)
    for name in SearchConfig.settings(search):
        value = wanted.value(name)
        written = round(100 * value) if name == "caution" else "none" if value is None else value
        assert machine.answer(f"setoption name {name.capitalize()} value {written}") == []
    assert machine.settings.search == wanted
    machine.answer("setoption name Without value none")
    assert machine.settings.search.without == ""
    declared = {str(option).removeprefix("option name ") for option in OPTIONS.values()}
    assert {
        "Search type combo default learnt var learnt var paper",
        "Caution type spin default 25 min 0 max 100",
    } < declared


def test_another_search_begins_with_its_own_settings(machine: Machine) -> None:
    for line in ("Evaluation value hand", "Without value people+reasoning"):
        assert machine.answer(f"setoption name {line}") == []
    assert machine.answer("setoption name search value PAPER") == []
    assert machine.settings.search == SearchConfig("paper", evaluation="hand", without="people")
    assert machine.answer("setoption name Caution value 50") == []
    assert machine.answer("setoption name Search value learnt") == []
    assert machine.settings.search == SearchConfig(evaluation="hand", without="people")


def test_strength_up_to_five_orders_as_people_do_and_higher_ones_search(machine: Machine) -> None:
    def answered(strength: int) -> list[str]:
        return told(machine, f"setoption name Strength value {strength}", "setpower france", "go nodes 5000")

    weak, strong = answered(2), answered(6)
    assert len(weak) == 1 and weak[0].startswith("bestorders ") and weak[0].count(";") == 2
    infos = [line.split() for line in strong if line.startswith("info")]
    searched = [int(words[words.index("nodes") + 1]) for words in infos if "nodes" in words]
    assert searched and max(searched) <= 300
    (fault,) = told(machine, "setoption name Strength value 9")
    assert "Strength" in fault and "1 to 8" in fault


@pytest.mark.parametrize("strength", range(1, 6))
def test_a_low_strength_keeps_its_word(machine: Machine, strength: int) -> None:
    """Of what people order, much goes where a peace forbids; promised orders are given whatever was drawn."""
    promise = {"kind": "promise", "parties": ["AUSTRIA", "ITALY"], "orders": ["A VIE - GAL"]}
    barred = {
        "kind": "demilitarised",
        "parties": ["AUSTRIA", "ITALY"],
        "provinces": ["SER", "ALB", "TRI", "BUD"],
    }
    told(machine, f"setoption name Strength value {strength}", "setpower austria")
    position = Position.start()

    def ordered() -> list[str]:
        (last,) = machine.answer("go")[-1:]
        return [
            str(order) for order in orders_from_dson(last.removeprefix("bestorders "), position.map, position)
        ]

    free = [ordered() for _ in range(4)]
    assert any("SER" in order for orders in free for order in orders), "people go to Serbia"
    told(machine, f"agreements {json.dumps([promise, barred])}")
    for orders in [ordered() for _ in range(4)]:
        assert len(orders) == 3 and "A VIE - GAL" in orders
        assert not any(order.endswith((" - SER", " - ALB", " - TRI", " - BUD")) for order in orders)
