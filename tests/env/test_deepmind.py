"""The state of google-deepmind/diplomacy: whole games, shares, and faults that change nothing."""

from __future__ import annotations

from enum import Enum
from random import Random

import numpy as np
import pytest

from bordeaux import Position
from bordeaux.board.errors import FormatError, OrderError
from bordeaux.env import Batch, order_table
from bordeaux.env.deepmind import AreaView, DiplomacyState, Season, table_actions
from bordeaux.formats.deepmind import ObservationHistory, actions
from tests.players.playing import standard


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
    autumn = standard(
        "F1910M", {"FRANCE": ["A PAR"], "TURKEY": ["A CON"]}, {"TURKEY": centres, "FRANCE": ["PAR"]}
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
    winter = standard("W1901A", {"TURKEY": ["A SMY"]}, {"TURKEY": ["ANK", "CON"]})
    state = DiplomacyState(winter)
    armies = [action for action in state.legal_actions()[6] if action & 255 == 10]
    assert len(armies) == 2
    with pytest.raises(OrderError, match="TURKEY has 2 actions, but 1 are due"):
        state.step([[]] * 6 + [armies])
    state.step([[]] * 6 + [armies[:1]])
    assert len(state.position.units) == 2


def test_a_batch_shows_what_single_games_show() -> None:
    batch = Batch(16, until=1907, seed=3)
    view, histories = AreaView(batch), [ObservationHistory() for _ in range(batch.games)]
    kinds = set()
    before = [batch.position(game) for game in range(batch.games)]
    seen = view.observe()
    ended = np.zeros(batch.games, bool)
    while not ended.all():
        assert ((seen.seasons == -1) == ended).all()
        for game, position in enumerate(before):
            if ended[game]:
                continue
            expected = histories[game].observation(position)
            kinds.add((expected.season, bool((expected.build_numbers < 0).any())))
            assert seen.seasons[game] == expected.season.value
            assert (seen.boards[game] == expected.board).all()
            assert (seen.build_numbers[game] == expected.build_numbers).all()
            last = seen.last_actions[game]
            assert sorted(last[last >= 0]) == sorted(expected.last_actions)
        ended |= batch.step(batch.random()).ended
        after = [batch.position(game) for game in range(batch.games)]
        seen = view.observe()
        for game, position in enumerate(before):
            # What was ordered is tested elsewhere; here it is taken as the view has it.
            last = seen.last_actions[game]
            histories[game].note(position, [last[last >= 0].tolist()], after[game])
        before = after
    assert kinds >= {(season, False) for season in Season} | {
        (Season.BUILDS, True),
        (Season.SPRING_MOVES, True),
    }


def test_last_actions_are_those_that_were_given() -> None:
    batch = Batch(8, seed=1)
    view = AreaView(batch)
    view.observe()
    compared = 0
    for _ in range(40):
        legal, choice = batch.legal(), batch.random()
        positions = [batch.position(game) for game in range(batch.games)]
        numbers = legal.orders[legal.starts[:-1] + choice]
        games = np.repeat(np.arange(len(legal.rows) - 1), np.diff(legal.rows)) // 7
        batch.step(choice)
        last = view.observe().last_actions
        for game, position in enumerate(positions):
            winter = position.phase.kind == "A"
            given = table_actions()[int(winter), numbers[games == game]]
            there = last[game][last[game] >= 0]
            if winter:
                # Of rows that choose the same, the first counts; civil disorder may add a removal.
                assert set(given[given & 255 == 12]) <= set(there) and set(there & 255) <= {10, 11, 12}
            else:
                assert set(there) == set(given)
            compared += len(there)
    assert compared > 1000


def test_every_order_of_the_table_has_an_action() -> None:
    assert (table_actions() >= 0).all() and table_actions().shape[1] == len(order_table("standard"))
    with pytest.raises(FormatError, match="for the standard map"):
        AreaView(Batch(1, "pure"))
