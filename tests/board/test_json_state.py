"""Positions in JSON: those of the PyPI package diplomacy, and what is wrong with others."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import BordeauxError, Position
from bordeaux.board.errors import FormatError, PositionError
from bordeaux.formats.games import read_games
from tests.board.positions import MAP, positions

KEYS = ("name", "units", "retreats", "centers", "homes", "builds")


def state(**changes: Any) -> dict[str, Any]:
    """A small state in a retreat phase; a change to None leaves the key out."""
    whole: dict[str, Any] = {
        "name": "F1902R",
        "units": {"FRANCE": ["A BUR", "*A PAR"], "GERMANY": ["A PIC"]},
        "centers": {"FRANCE": ["BRE", "PAR"], "GERMANY": ["MUN"]},
        "retreats": {"FRANCE": {"A PAR": ["BRE"]}},
    }
    whole |= changes
    return {key: value for key, value in whole.items() if value is not None}


def unordered(value: object) -> object:
    """The value with its lists sorted."""
    if isinstance(value, dict):
        return {key: unordered(inner) for key, inner in value.items()}
    return sorted(value) if isinstance(value, list) else value


def possible_retreats(recorded: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """Recorded retreats without occupied provinces, which the package lists for units that a
    convoyed army dislodged."""
    taken = {unit.split()[1][:3] for units in recorded["units"].values() for unit in units if unit[0] != "*"}
    return {
        power: {
            unit: [place for place in places if place[:3] not in taken] for unit, places in options.items()
        }
        for power, options in recorded["retreats"].items()
    }


@given(positions())
def test_every_position_reads_back(position: Position) -> None:
    assert Position.from_json(json.loads(json.dumps(position.to_json())), MAP) == position


def test_states_of_the_package_are_written_as_it_writes_them(recorded_games: Path) -> None:
    checked = 0
    for game in islice(read_games(recorded_games / "selfplay.jsonl.gz"), 8):
        for phase in game.phases:
            written = Position.from_json(phase.state, MAP).to_json()
            recorded = phase.state | {"retreats": possible_retreats(phase.state)}
            for key in KEYS:
                assert unordered(written[key]) == unordered(recorded[key]), (game.id, phase.name, key)
            checked += 1
    assert checked > 300


def test_retreats_that_are_not_recorded_are_the_open_neighbours() -> None:
    (dislodged,) = Position.from_json(state(retreats=None), MAP).dislodged
    assert dislodged.retreats == ("BRE", "GAS")


def test_input_is_forgiven() -> None:
    loose = state(
        units={"fra": ["a bur", "* A Paris"], "Germany": ["A pic"]},
        name="f1902r",
        retreats={"FRA": {"A PAR": ["bre"]}},
        note="any other key",
    )
    assert Position.from_json(loose, MAP) == Position.from_json(state(), MAP)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": None}, "no 'name'"),
        ({"name": "X1901M"}, "unknown phase 'X1901M'"),
        ({"units": None}, "no 'units'"),
        ({"units": {"FRANCE": [1]}}, "units of FRANCE must hold texts, not '1'"),
        ({"units": {"FRENCE": []}}, "did you mean 'FRANCE'?"),
        ({"units": {"FRANCE": ["A PARR"]}}, "units of FRANCE: unknown province 'PARR'; did you mean 'PAR'?"),
        ({"units": {"FRANCE": ["A NTH"]}}, "an army cannot stand in North Sea (NTH), a sea"),
        ({"units": {"FRANCE": ["A GAS"], "ITALY": ["F GAS"]}}, "two units stand in GAS"),
        ({"centers": None}, "no 'centers'"),
        ({"centers": {"FRANCE": ["BUR"]}}, "BUR is not a supply centre"),
        ({"name": "F1902M"}, "is not a retreat phase"),
        ({"retreats": {"FRANCE": {"A PAR": "BRE"}}}, "retreats of FRANCE A PAR must be a list"),
        ({"retreats": {"FRANCE": {"A PAR": ["MUN"]}}}, "cannot retreat to MUN"),
        ({"retreats": {"FRANCE": {"A BUR": []}}}, "A BUR is not dislodged"),
        ({"homes": {"FRANCE": ["MUN"]}}, "homes of FRANCE"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(changes: dict[str, Any], message: str) -> None:
    if "units" in changes:
        changes = {"retreats": None, **changes}
    with pytest.raises((FormatError, PositionError)) as caught:
        Position.from_json(state(**changes), MAP)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@given(st.sampled_from(["", *KEYS]), st.sampled_from(["", "FRANCE"]), json_values)
def test_no_value_anywhere_is_more_than_an_error(key: str, power: str, value: Any) -> None:
    inner = {power: value} if power else value
    given_state = {**state(), key: inner} if key else value
    try:
        Position.from_json(given_state, MAP)
    except BordeauxError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 400
