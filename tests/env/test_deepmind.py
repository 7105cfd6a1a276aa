"""The state of google-deepmind/diplomacy: whole games, shares, and faults that change nothing."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bordeaux import Position
from bordeaux.board.errors import FormatError, OrderError
from bordeaux.env.deepmind import DiplomacyState, Season
from bordeaux.formats.deepmind import actions


def actions_of(state: DiplomacyState, chance: Random) -> list[list[int]]:
    """Random legal actions for all that is due."""
    given = []
    for power, listed in zip(state.position.map.powers, state.legal_actions(), strict=True):
        by_province: dict[int, list[int]] = {}
        for action in listed:
            by_province.setdefault(action >> 9 & 127 if action & 255 != 13 else -1, []).append(action)
        due = abs(state.position.adjustments(power)) if state.position.phase.kind == "A" else len(by_province)
        given.append([chance.choice(group) for group in chance.sample(list(by_province.values()), due)])
    return given


def test_a_random_game_runs_to_its_end() -> None:
    state, chance = DiplomacyState(until=1908), Random(4)
    seen = set()
    while not state.is_terminal():
        observation = state.observation()
        seen.add(observation.season)
        # One of each group: the kind and owner of the unit, of the dislodged unit, and the kind of area.
        for first, count in ((0, 3), (3, 8), (13, 3), (16, 8), (24, 3)):
            assert (observation.board[:, first : first + count].sum(1) == 1).all()
        assert not state.returns().any()
        given = actions_of(state, chance)
        state.step(given)
        after = state.observation() if not state.is_terminal() else None
        if after is not None:
            assert after.last_actions == [action for of_power in given for action in of_power]
    assert seen == set(Season)
    assert state.returns().dtype == np.float32 and state.returns().sum() == pytest.approx(1)
    with pytest.raises(OrderError, match="has ended"):
        state.step([[]] * 7)


def test_a_solo_is_one_for_its_winner() -> None:
    centres = [tag for tag in Position.start().map.centres if tag not in ("PAR", "LON")]
    autumn = Position.from_json(
        {
            "name": "F1910M",
            "units": {"FRANCE": ["A PAR"], "TURKEY": ["A CON"]},
            "centers": {"TURKEY": centres, "FRANCE": ["PAR"]},
        }
    )
    state = DiplomacyState(autumn)
    state.step([None, (), np.array([], np.int64), [], [], [], []])
    assert state.is_terminal() and state.returns().tolist() == [0, 0, 0, 0, 0, 0, 1]
    with pytest.raises(FormatError):
        state.observation()


def test_observations_have_the_seasons_of_the_caller() -> None:
    class Theirs(Enum):
        FIRST, SECOND, THIRD, FOURTH, FIFTH = range(5)

    assert DiplomacyState(season=Theirs).observation().season is Theirs.FIRST


def test_faults_change_nothing() -> None:
    state = DiplomacyState()
    before, legal = state.position, state.legal_actions()
    austria = legal[0]
    budapest = [action for action in austria if action >> 9 & 127 == 7]
    cases: tuple[tuple[list[list[int]], str], ...] = (
        ([[austria[0]]] + [[]] * 5, "actions of 7 powers, not 6"),
        ([[]] + [[austria[0]]] + [[]] * 5, "not legal for ENGLAND"),
        ([budapest[:2]] + [[]] * 6, "AUSTRIA has two actions for"),
        ([[int(actions()[3])]] + [[]] * 6, "not legal for AUSTRIA in S1901M"),
    )
    for given, message in cases:
        with pytest.raises(OrderError, match=message):
            state.step(given)
        assert state.position is before and state.observation().last_actions == []


def test_more_builds_than_are_due_are_refused() -> None:
    winter = Position.from_json(
        {"name": "W1901A", "units": {"TURKEY": ["A SMY"]}, "centers": {"TURKEY": ["ANK", "CON"]}}
    )
    state = DiplomacyState(winter)
    armies = [action for action in state.legal_actions()[6] if action & 255 == 10]
    assert len(armies) == 2
    with pytest.raises(OrderError, match="TURKEY has 2 actions, but 1 are due"):
        state.step([[]] * 6 + [armies])
    state.step([[]] * 6 + [armies[:1]])
    assert len(state.position.units) == 2


def test_the_page_shows_what_runs() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "deepmind.md").read_text("utf-8")
    [shown] = [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "action_of" in block]
    exec(shown, {})
