"""Every case of the DATC, through the package and through the oracle."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bordeaux.board.errors import OrderError
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, Unit
from bordeaux.board.position import Position
from bordeaux.rules import adjudicate
from tests import oracle

Case = dict[str, Any]

CASES: list[Case] = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
"""Every order stands as ``[text, [words]]`` with the document's words (DATC 4.E.2) for what becomes of it;
`after` says what the board looks like then."""
BOARD = oracle.Board.of(Map.standard())

FAILURES = {
    ("-", "fails"): {"bounce", "disrupted"},
    ("-", "illegal"): {"void"},
    ("-", "invalid"): {"no convoy"},
    ("S", "cut"): {"cut"},
    ("S", "illegal"): {"void"},
    ("S", "invalid"): {"void"},
    ("C", "illegal"): {"void"},
    ("C", "invalid"): {"void"},
    ("R", "fails"): {"bounce"},
    ("R", "illegal"): {"void"},
    ("B", "illegal"): {"void"},
    ("D", "illegal"): {"void"},
}
"""The results that say in the package's words what the document's word says. One must be there;
where a word is missing here, none of FAILED may be there."""

FAILED = {"bounce", "void", "cut", "no convoy"}


def units_of(stage: Case) -> list[Unit]:
    """The units of a stage or of what comes after it."""
    return [Unit(power, text[0], text[2:]) for power, texts in stage["units"].items() for text in texts]


def orders_of(stage: Case) -> dict[str, list[str]]:
    """The texts of the orders by power."""
    return {power: [text for text, _ in entries] for power, entries in stage["orders"].items()}


def expectations(stage: Case) -> Iterator[tuple[str, str, list[str]]]:
    """Power, text and expected words of every order."""
    for power, entries in stage["orders"].items():
        for text, words in entries:
            yield power, text, words


def place_of(text: str) -> str:
    """The province of an order."""
    tag = re.search(r"[A-Z]{3}", text)
    assert tag is not None
    return tag.group()


def by_id(selected: list[Case]) -> list[Any]:
    # The oracle tries all outcomes: of this one very many.
    slow = {"6.F.28": pytest.mark.slow}
    return [pytest.param(case, id=case["id"], marks=slow.get(case["id"], ())) for case in selected]


def movements() -> list[Case]:
    return [case for case in CASES if case["phase"].endswith("M")]


def winters() -> list[Case]:
    return [case for case in CASES if case["phase"].endswith("A")]


def verb(text: str) -> str:
    match = re.match(r"WAIVE|(?:[AF] )?\S+ (\S+)", text)
    assert match, text
    return match.group(1) or match.group(0)


def test_the_set_is_complete() -> None:
    counts = Counter(case["id"][:3] for case in CASES if "(" not in case["id"])
    expected = {"A": 12, "B": 19, "C": 9, "D": 35, "E": 15, "F": 30, "G": 20, "H": 17, "I": 7, "J": 12}
    assert {part: counts[f"6.{part}"] for part in expected} == expected
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", by_id(movements()))
def test_oracle_movement(case: Case) -> None:
    outcome = oracle.resolve(BOARD, [oracle.Unit(*unit) for unit in units_of(case)], orders_of(case))
    for power, text, words in expectations(case):
        place = place_of(text)
        if (power, text) in outcome.stray:
            assert words == ["illegal"]
        elif text in ordered_twice(case):
            continue
        else:
            assert list(outcome.tags[place]) == words, text
    assert names(outcome.units.values()) == names(units_of(case["after"]))
    assert {
        str(unit): {"power": unit.power, "retreats": list(outcome.retreats[place])}
        for place, unit in outcome.dislodged.items()
    } == case["after"]["dislodged"]
    if "retreats" in case:
        stage = case["retreats"]
        after = oracle.retreat(outcome.units.values(), outcome.dislodged, outcome.retreats, orders_of(stage))
        for power, entries in stage["orders"].items():
            assert [[word] for word in after.tags[power]] == [words for _, words in entries]
        assert names(after.units) == names(units_of(stage["after"]))


@pytest.mark.parametrize("case", by_id(winters()))
def test_oracle_winter(case: Case) -> None:
    units = [oracle.Unit(*unit) for unit in units_of(case)]
    (power,) = case["centres"]
    orders = orders_of(case).get(power, [])
    after = oracle.adjust(BOARD, power, units, case["centres"], orders)
    assert [[word] for word in after.tags] == [words for *_, words in expectations(case)]
    assert [str(unit) for unit in after.automatic] == case["after"]["disbanded"]
    assert names(after.units) == names(units_of(case["after"]))


@pytest.mark.parametrize("case", by_id(movements()))
def test_movement(case: Case) -> None:
    position = Position(Map.standard(), case["phase"], units_of(case), {})
    resolution = adjudicate(position, readable(position, case))
    check_results(position, case, resolution.results)
    following = resolution.after
    assert names(following.units) == names(units_of(case["after"]))
    dislodged = case["after"]["dislodged"]
    assert {
        str(dislodged.unit): {"power": dislodged.unit.power, "retreats": sorted(dislodged.retreats)}
        for dislodged in following.dislodged
        if dislodged.retreats
    } == {unit: dislodged for unit, dislodged in dislodged.items() if dislodged["retreats"]}
    if any(dislodged["retreats"] for dislodged in dislodged.values()):
        assert str(following.phase) == "S1901R"
    if "retreats" in case:
        check_retreats(following, case["retreats"])


def check_retreats(position: Position, stage: Case) -> None:
    if position.phase.kind != "R":
        # Nobody was left who could retreat, and the phase was skipped.
        assert all(words == ["illegal"] for *_, words in expectations(stage))
        after = position
    else:
        resolution = adjudicate(position, readable(position, stage))
        check_results(position, stage, resolution.results)
        after = resolution.after
    assert names(after.units) == names(units_of(stage["after"]))


@pytest.mark.parametrize("case", by_id(winters()))
def test_winter(case: Case) -> None:
    position = Position(Map.standard(), case["phase"], units_of(case), case["centres"])
    resolution = adjudicate(position, readable(position, case))
    check_results(position, case, resolution.results)
    assert names(resolution.after.units) == names(units_of(case["after"]))
    removed = [unit for unit, words in resolution.results.items() if "disband" in words]
    ordered = [text[:-2] for _, text, _ in expectations(case)]
    assert [unit for unit in removed if unit not in ordered] == case["after"]["disbanded"]


def readable(position: Position, stage: Case) -> dict[str, list[Order]]:
    """The orders by power; text that cannot be read as an order here must be expected to be illegal."""
    orders: dict[str, list[Order]] = {}
    for power, text, words in expectations(stage):
        try:
            orders.setdefault(power, []).append(parse_order(text, position.map, position))
        except OrderError as error:
            assert words[0] == "illegal", error
    return orders


def check_results(position: Position, stage: Case, results: dict[str, list[str]]) -> None:
    """The words for each order, save those for units that the power does not have and for units
    with several orders: results go by unit."""
    standing = {
        unit.province: unit
        for unit in [*position.units, *(dislodged.unit for dislodged in position.dislodged)]
        if position.phase.kind != "R" or unit not in position.units
    }
    for power, text, words in expectations(stage):
        if verb(text) == "WAIVE" or text in ordered_twice(stage):
            continue
        place = place_of(text)
        unit = standing.get(place)
        winter = position.phase.kind == "A"
        if not winter and (unit is None or unit.power != power):
            continue
        got = set(results.get(text[:-2], ()) if winter else results[str(unit)])
        if winter and words == ["illegal"] and text[:-2] not in results:
            continue
        wanted = FAILURES.get((verb(text), words[0]))
        assert got & wanted if wanted else not got & FAILED, f"{text}: {got}, not {words}"
        assert ("dislodged" in got) == bool({"dislodged", "destroyed"} & set(words)), f"{text}: {got}"


def ordered_twice(stage: Case) -> set[str]:
    """Texts of orders to units, or for provinces, with more than one order."""
    entries = [(text, place_of(text)) for _, text, _ in expectations(stage)]
    count = Counter(place for _, place in entries)
    return {text for text, place in entries if count[place] > 1}


def names(units: Any) -> set[tuple[str, str]]:
    return {(unit.power, str(unit)) for unit in units}
