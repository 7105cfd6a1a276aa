"""training/foretell.py and its parts: what counts as foretold, and what is told of it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bordeaux import Map, Position
from bordeaux.board.code import as_bytes
from bordeaux.board.notation import parse_order
from bordeaux.board.submission import encode
from tests.core.nets import weights
from tests.players.playing import standard as board
from tests.training.conftest import GAMES as SAMPLE
from training import cases, foretell, foretellers

HELD_OUT = {"people_1", "people_8", "people_10", "people_16", "people_21", "people_38", "people_39"}
MAP = Map.standard()
START = Position.start()


def code(position: Position, power: str, text: str) -> int:
    option, fault = encode(position, power, parse_order(text, MAP, position))
    assert not fault
    return option


def keys(position: Position, power: str, *texts: str) -> list[Any]:
    return [cases.key_of(MAP, code(position, power, text)) for text in texts]


def asked(position: Position, power: str, *texts: str) -> Any:
    codes = as_bytes([code(position, power, text) for text in texts])
    full = cases.in_full(position, power, codes)
    sent = frozenset(key[1] for key in cases.keys_of(MAP, codes))
    return cases.Asked("game", position, {power: full}, {power: sent}, [])


@pytest.mark.slow
def test_only_held_out_games_and_powers_that_ordered_are_asked_about() -> None:
    phases = list(cases.sampled([str(SAMPLE)], 60, 0, kinds="M"))
    assert {phase.game for phase in phases} == HELD_OUT
    for phase in phases:
        for power, orders in phase.orders.items():
            assert 0 < len(phase.sent[power]) <= len(orders) // 8 == len(phase.position.units_of(power))
            assert len(phase.history) <= cases.HISTORY
            assert all(before.position.phase.year <= phase.position.phase.year for before in phase.history)
    train = {phase.game for phase in cases.sampled([str(SAMPLE)], 5, 0, part="train")}
    assert not train & HELD_OUT


@pytest.mark.slow
def test_a_sample_is_of_the_wanted_size_and_repeats_by_its_seed() -> None:
    def drawn(seed: int) -> list[tuple[str, str]]:
        return [(case.game, str(case.position.phase)) for case in cases.sampled([str(SAMPLE)], 12, seed)]

    sample = drawn(3)
    assert sample == drawn(3) != drawn(4)
    assert 8 <= len(set(sample)) <= 12


def test_orders_of_others_and_own_ones_are_told_apart() -> None:
    position = board("S1901M", {"FRANCE": ["F MAO", "A GAS", "A MAR"], "ENGLAND": ["F LYO"]})
    own, other, move = keys(position, "FRANCE", "A GAS S F MAO - SPA/NC", "A MAR S F LYO - SPA", "A MAR H")
    names = [cases.kind_name(position, "FRANCE", key) for key in (own, other, move)]
    assert names == ["support move, own", "support move, other", "hold"]


def test_missing_orders_follow_the_phase() -> None:
    held = asked(START, "FRANCE", "A PAR - BUR")
    wanted = keys(START, "FRANCE", "A PAR - BUR", "F BRE H", "A MAR H")
    assert cases.keys_of(MAP, held.orders["FRANCE"]) == tuple(sorted(wanted))
    winter = board("W1901A", {"FRANCE": ["A BUR"]}, {"FRANCE": ["BRE", "PAR", "MAR"]})
    waived = asked(winter, "FRANCE", "F BRE B")
    assert len(waived.orders["FRANCE"]) // 8 == 2 == winter.adjustments("FRANCE")
    too_many = board("W1901A", {"FRANCE": ["A BUR", "A GAS"]}, {"FRANCE": ["BRE", "PAR", "MAR"]})
    assert len(asked(too_many, "FRANCE", "F BRE B", "A PAR B").orders["FRANCE"]) // 8 == 1
    few = board("W1901A", {"FRANCE": ["A BUR", "A GAS", "A PIC"]}, {"FRANCE": ["BRE"]})
    assert len(asked(few, "FRANCE", "A GAS D").orders["FRANCE"]) // 8 == 1, "nobody chose the other"


def test_units_without_a_choice_are_left_out() -> None:
    state = {
        "name": "F1901R",
        "units": {"FRANCE": ["*A PAR", "*A RUH"], "GERMANY": ["A BUR", "A MUN"]},
        "retreats": {"FRANCE": {"A PAR": ["GAS", "PIC"], "A RUH": []}},
        "centers": {},
    }
    position = Position.from_json(state)
    places = [MAP.locations[place].name for place in cases.choices(position, "FRANCE")]
    assert places == ["PAR"]


def test_counted_sets_become_chances() -> None:
    listed = cases.choices(START, "FRANCE")
    often = tuple(sorted(keys(START, "FRANCE", "A PAR - BUR", "F BRE - MAO", "A MAR - SPA")))
    once = tuple(sorted(keys(START, "FRANCE", "A PAR - PIC", "F BRE - MAO", "A MAR - SPA")))
    forecast = foretellers.from_sets(listed, [(often, 0.75), (once, 0.25)], 0.2)
    for place, chances in forecast.units.items():
        assert math.fsum(chances.values()) == pytest.approx(1)
        assert set(chances) == set(listed[place])
    paris = next(key[1] for key in often if MAP.locations[key[1]].name == "PAR")
    (burgundy,) = keys(START, "FRANCE", "A PAR - BUR")
    assert forecast.first[paris] == burgundy
    assert forecast.units[paris][burgundy] == pytest.approx(0.8 * 0.75 + 0.2 / len(listed[paris]))
    assert forecast.sets == [often, once]


def test_a_forecast_is_scored_by_units_and_by_sets() -> None:
    texts = ["A PAR - BUR", "F BRE - MAO", "A MAR - SPA"]
    phase = asked(START, "FRANCE", *texts)
    listed = cases.choices(START, "FRANCE")
    right = tuple(sorted(keys(START, "FRANCE", *texts)))
    wrong = tuple(sorted(keys(START, "FRANCE", "A PAR - BUR", "F BRE - MAO", "A MAR S A PAR - BUR")))
    case = foretell.score(phase, "FRANCE", foretellers.from_sets(listed, [(right, 0.9), (wrong, 0.1)], 0.1))
    assert [unit.hit for unit in case.units] == [True] * 3
    assert (case.whole, case.among) == (True, True)
    turned = foretell.score(phase, "FRANCE", foretellers.from_sets(listed, [(wrong, 0.9), (right, 0.1)], 0.1))
    assert sorted(unit.hit for unit in turned.units) == [False, True, True]
    assert (turned.whole, turned.among) == (False, True)
    spain = next(unit for unit in turned.units if not unit.hit)
    (key,) = keys(START, "FRANCE", "A MAR - SPA")
    assert spain.log == pytest.approx(math.log(0.9 * 0.1 + 0.1 / len(listed[key[1]])))
    assert {unit.kind for unit in case.units} == {"move"}


def test_adjustments_are_compared_as_sets_and_foretold_in_turn() -> None:
    winter = board("W1901A", {"FRANCE": ["A BUR"]}, {"FRANCE": ["BRE", "PAR", "MAR"]})
    phase = asked(winter, "FRANCE", "F BRE B", "A PAR B")
    listed = cases.choices(winter, "FRANCE")
    assert list(listed) == [cases.ADJUSTMENT]
    fleet, army, paris, marseilles = keys(winter, "FRANCE", "F BRE B", "A BRE B", "A PAR B", "A MAR B")
    chances = dict.fromkeys(listed[cases.ADJUSTMENT], 0.0) | {
        fleet: 0.5,
        army: 0.2,
        paris: 0.1,
        marseilles: 0.2,
    }
    guess = tuple(sorted([fleet, marseilles]))
    case = foretell.score(phase, "FRANCE", foretellers.Forecast({cases.ADJUSTMENT: chances}, {}, [guess]))
    assert sum(unit.hit for unit in case.units) == 1
    assert not case.whole
    assert math.fsum(unit.log for unit in case.units) == pytest.approx(math.log(0.5) + math.log(0.1 / 0.3))


def test_a_lone_fleet_in_the_first_place_of_the_map_is_no_winter() -> None:
    first = MAP.locations[0]
    position = board("S1901M", {"ITALY": [f"{first.kind} {first.name}"]})
    phase = asked(position, "ITALY", f"{first.kind} {first.name} H")
    teller = foretellers.create("hold", MAP, 0, {"astray": None})
    teller.begin(phase)
    case = foretell.score(phase, "ITALY", teller.foretell(phase, "ITALY"))
    assert [unit.hit for unit in case.units] == [True]


@pytest.mark.slow
def test_the_report_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked_for = ["--games", str(SAMPLE), "--phases", "25", "--what", "dumbbot,hold"]
    assert foretell.main([*asked_for, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    hold, dumbbot = report["foretellers"]["hold"], report["foretellers"]["dumbbot"]
    assert hold["orders"]["hold"]["mean"] == 1
    assert hold["orders"]["move"]["mean"] == 0
    assert 0.1 < dumbbot["movement"]["units"]["mean"] < 0.5
    assert dumbbot["all"]["units"]["count"] == hold["all"]["units"]["count"]
    units = dumbbot["movement"]["units"]
    assert units["low"] < units["mean"] < units["high"]
    by_year = sum(year["count"] for year in dumbbot["years"].values())
    by_order = sum(order["count"] for order in dumbbot["orders"].values())
    assert by_year == by_order == units["count"]
    shares = dumbbot["movement"]["units"]["mean"] - hold["movement"]["units"]["mean"]
    assert report["differences"]["hold"]["mean"] == pytest.approx(shares)
    assert foretell.main(asked_for) == 0
    assert f"{100 * units['mean']:.1f} [" in capsys.readouterr().out


@pytest.fixture
def random_weights(tmp_path: Path) -> Path:
    """A file of a net that has learnt nothing."""
    header = json.dumps({"format": 1, "kind": "policy", "map": "standard"}).encode()
    arrays: dict[str, Any] = {name: array.astype(np.float16) for name, array in weights(scale=0.1).items()}
    path = tmp_path / "people.npz"
    np.savez(path, header=np.frombuffer(header, np.uint8), **arrays)
    return path


@pytest.mark.slow
def test_a_net_foretells_with_and_without_names_and_memory(random_weights: Path) -> None:
    phases = list(cases.sampled([str(SAMPLE)], 30, 1))
    assert {phase.position.phase.kind for phase in phases} == {"M", "R", "A"}
    forecasts: dict[str, list[Any]] = {}
    for name in ("people", "people-nameless", "people-forgetful"):
        with foretellers.create(name, MAP, 0, {"weights": str(random_weights)}) as teller:
            for phase in phases:
                teller.begin(phase)
                forecasts.setdefault(name, []).extend(teller.foretell(phase, power) for power in phase.orders)
    powers = [(phase, power) for phase in phases for power in phase.orders]
    for (phase, power), forecast in zip(powers, forecasts["people"], strict=True):
        assert forecast.units.keys() == cases.choices(phase.position, power).keys()
        for chances in forecast.units.values():
            assert math.fsum(chances.values()) == pytest.approx(1, abs=1e-4)
        assert forecast.sets
        assert forecast.log_probability is None or -200 < forecast.log_probability < 0
    assert forecasts["people"] != forecasts["people-nameless"]
    movement = [n for n, (phase, _) in enumerate(powers) if phase.history]
    assert any(forecasts["people"][n].units != forecasts["people-forgetful"][n].units for n in movement)
