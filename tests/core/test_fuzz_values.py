"""Evaluations, stalemate lines and games by their payoffs, made of what may be rubbish."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Position
from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.regret import MatrixGame, RegretGame
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.influence import Evaluator
from bordeaux._ext.value.lines import Lines
from bordeaux._ext.value.valuer import Valuer
from bordeaux.evaluation import compiled_lines
from bordeaux.policy.dumbbot import DUMBBOT
from tests.rubbish import (
    ALTITUDES,
    EVALUATOR,
    MAP,
    N_LOCATIONS,
    N_POWERS,
    N_PROVINCES,
    NUMBERS,
    POSITIONS,
    POWERS,
    RELAXED,
    TABLES,
    WEIGHTS,
    or_odd,
    refusing,
)

PLACES = st.integers(0, N_PROVINCES - 1)
LOCATIONS = st.integers(0, N_LOCATIONS - 1)
HOLDERS = st.tuples(PLACES, st.lists(LOCATIONS, max_size=5))
LINES = st.tuples(
    st.integers(-5, 40),
    st.lists(HOLDERS, min_size=1, max_size=32),
    st.lists(PLACES, max_size=40),
    st.lists(LOCATIONS, max_size=128),
)


def numbers(most: int) -> st.SearchStrategy[Any]:
    return or_odd(st.lists(or_odd(NUMBERS), max_size=most))


ODD_HOLDERS = or_odd(st.tuples(or_odd(NUMBERS), numbers(7)))
ODD_LINES = st.tuples(or_odd(NUMBERS), or_odd(st.lists(ODD_HOLDERS, max_size=35)), numbers(10), numbers(140))
TOKENS = st.builds(lambda power, place: power << 10 | place, st.integers(1, N_POWERS), LOCATIONS)
TERMS = st.one_of(st.floats(-100, 100), st.floats())


@st.composite
def positions(draw: st.DrawFn) -> Packed:
    """Units wherever, in any number, and one power that owns nearly all, as stalemate lines mind."""
    if draw(st.booleans()):
        packed: Packed = draw(st.sampled_from(POSITIONS)).packed
        return packed
    drawn = draw(st.lists(TOKENS, max_size=80))
    standing = {MAP.locations[token & 0x3FF].province: token for token in drawn}
    leader, other = draw(st.tuples(st.integers(0, N_POWERS - 1), st.sampled_from([*range(N_POWERS), 255])))
    owners = [other if place < draw(st.integers(0, 12)) else leader for place in range(34)]
    return Packed(TABLES, 1901, draw(st.integers(0, 2)), 0, standing.values(), [], [], owners)


def use(judge: Evaluator, position: Packed) -> None:
    """Evaluate for all, with narrow vectors and with wide ones."""
    for power in range(N_POWERS):
        judge.wide = False
        narrow = judge.evaluate(position, power)
        judge.wide = True
        assert repr(judge.evaluate(position, power)) == repr(narrow)


@given(or_odd(st.lists(or_odd(ODD_LINES), max_size=3)), positions())
@RELAXED
def test_lines_of_rubbish(lines: Any, position: Packed) -> None:
    with refusing():
        Lines(TABLES, lines)
        use(Evaluator(TABLES, WEIGHTS, ALTITUDES, lines=lines), position)


@given(st.lists(LINES, max_size=12), positions(), st.data())
@RELAXED
def test_lines_that_might_be(lines: Any, position: Packed, data: st.DataObject) -> None:
    use(Evaluator(TABLES, WEIGHTS, ALTITUDES, lines=lines), position)
    many = lines * data.draw(st.integers(1, 30))
    with refusing():
        use(Evaluator(TABLES, WEIGHTS, ALTITUDES, lines=[*many, *compiled_lines(MAP)]), position)


@given(positions(), st.dictionaries(st.sampled_from(sorted(WEIGHTS)), TERMS), st.integers(0, 17), st.data())
@RELAXED
def test_evaluations_of_any_weights(position: Packed, weights: Any, delay: int, data: st.DataObject) -> None:
    with refusing():
        weights = WEIGHTS | weights | {"home_delay": delay, "dilute": data.draw(st.integers(0, 1))}
        judge = Evaluator(TABLES, weights, ALTITUDES, lines=compiled_lines(MAP))
        use(judge, position)
        points = data.draw(st.lists(TERMS, min_size=1, max_size=3))
        goals = [[points[place % len(points)] for place in range(N_PROVINCES)]] * N_POWERS
        marches = [[points[place % len(points)] for place in range(N_LOCATIONS)]] * N_POWERS
        raised = judge.raised(goals, marches).raised(goals)
        del judge
        use(raised, position)


@given(positions(), or_odd(POWERS))
@RELAXED
def test_the_plainest_value(position: Packed, power: Any) -> None:
    for number in range(N_POWERS):
        points = Valuer(TABLES).points(position, number)
        assert points == position.owners().count(number)
    with refusing():
        Valuer(TABLES).points(position, power)
    with refusing():
        EVALUATOR.points(position, power)


ROW = st.lists(or_odd(TERMS), min_size=N_PROVINCES, max_size=N_PROVINCES)
ROWS = or_odd(st.lists(or_odd(ROW), max_size=8))


@given(ROWS, ROWS, positions(), NUMBERS)
@RELAXED
def test_goals_of_rubbish(rows: Any, marches: Any, position: Packed, power: int) -> None:
    with refusing():
        use(EVALUATOR.raised(rows, marches), position)
    with refusing():
        use(EVALUATOR.raised(ALTITUDES[0], marches), position)
    with refusing():
        EVALUATOR.evaluate(position, power)


SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=4)


@given(SHAPES, st.data())
@RELAXED
def test_games_by_their_payoffs(shape: list[int], data: st.DataObject) -> None:
    joints = int(np.prod(shape))
    numbers = data.draw(st.lists(st.floats(), min_size=1, max_size=5))
    right = np.resize(np.array(numbers), (len(shape), joints))
    counts = data.draw(or_odd(st.one_of(st.just(shape), st.lists(or_odd(st.integers(-1, 70)), max_size=33))))
    tables = [right, right[:, :-1].copy(), right.T, right[:-1], right[:, :0]]
    payoffs = data.draw(or_odd(st.sampled_from(tables)))
    # In C these are arguments of __new__ (`__cinit__`).
    game = MatrixGame.__new__(MatrixGame, room=data.draw(st.integers(1, 64)))  # type: ignore[call-arg]
    for arguments in data.draw(st.lists(st.sampled_from([(counts, payoffs), (shape, right)]), max_size=3)):
        with refusing():
            game.__init__(*arguments)  # type: ignore[misc]
        game.run(3)
    for player in data.draw(st.lists(st.integers(-1, 32), max_size=3)):
        with refusing():
            game.start(player, data.draw(or_odd(st.lists(or_odd(st.floats()), max_size=5))))
        with refusing():
            game.credit(player, data.draw(st.integers(-1, 5)), data.draw(st.floats()))
        with refusing():
            game.run(5)
            game.against(player, 3)
        with refusing():
            assert len(game.average(player)) == len(game.strategy(player)) == game.actions(player)


@given(or_odd(NUMBERS), or_odd(NUMBERS), or_odd(NUMBERS))
@RELAXED
def test_games_of_nobody(room: Any, seed: Any, iterations: Any) -> None:
    with refusing():
        game = RegretGame(room=room, seed=seed)
        assert game.n_players == 0
        game.run(min(iterations, 100))
        game.actions(0)


def test_payoffs_of_more_joint_actions_than_a_number_holds() -> None:
    """64 to the power of 31 is 0 in 64 bits, and a table of no payoffs would do."""
    with pytest.raises(ValueError, match="payoffs are 31 by 0"):
        MatrixGame([64] * 31, np.zeros((31, 0)))


def test_a_game_is_made_once_and_whole() -> None:
    game = MatrixGame([2, 2], np.ones((2, 4)), seed=1)
    with pytest.raises(ValueError, match="made once"):
        game.__init__([8, 8], np.ones((2, 64)))  # type: ignore[misc]
    game.run(10)
    assert game.value(0) == pytest.approx(1.0)
    half = MatrixGame.__new__(MatrixGame)
    with contextlib.suppress(ValueError):
        half.__init__([2, 2], np.ones((2, 3)))  # type: ignore[misc]
    half.run(10)
    assert (half.n_players, half.nodes) == (0, 0)


# What DumbBot's family is made of, with numbers that may make no sense.

#: Weights of all sizes that the core can hold, so that sums and products of them are beyond it.
OF_PLAYERS = st.one_of(st.integers(-5, 2000), st.integers(-(2**63), 2**63 - 1))
STEPS = st.lists(OF_PLAYERS, min_size=1, max_size=16)
SCHEMES = st.tuples(OF_PLAYERS, OF_PLAYERS, OF_PLAYERS, OF_PLAYERS, OF_PLAYERS, STEPS)
ODD_SCHEMES = st.tuples(*[or_odd(OF_PLAYERS)] * 5, or_odd(st.lists(or_odd(OF_PLAYERS), max_size=18)))
THREE = st.tuples(SCHEMES, SCHEMES, SCHEMES)
SIZES = st.tuples(OF_PLAYERS, OF_PLAYERS, OF_PLAYERS)
WALKS = st.tuples(st.integers(0, 100), st.integers(0, 2**31 - 1), st.tuples(*[st.integers(0, 40)] * 3))


def use_players(chooser: DumbBotPolicy, position: Position, power: int) -> None:
    """Have orders, which must be legal whatever the numbers were."""
    for code in chooser.orders(position.packed, power):
        assert position.packed.is_legal(code, power)


@given(
    or_odd(st.lists(or_odd(ODD_SCHEMES), max_size=4)),
    or_odd(st.lists(or_odd(OF_PLAYERS), max_size=4)),
    or_odd(OF_PLAYERS),
    or_odd(st.booleans()),
    or_odd(st.integers(-1, 2**64)),
    st.tuples(
        or_odd(st.integers(-1, 101)), or_odd(OF_PLAYERS), or_odd(st.lists(or_odd(NUMBERS), max_size=4))
    ),
    or_odd(NUMBERS),
)
@RELAXED
def test_choosers_of_rubbish(
    schemes: Any, size: Any, neutral: Any, weak_variant: Any, seed: Any, walk: Any, helps: Any
) -> None:
    with refusing():
        use_players(
            DumbBotPolicy(TABLES, schemes, size, neutral, weak_variant, seed, *(*walk, helps)),
            POSITIONS[0],
            0,
        )


@given(st.data(), THREE, SIZES, OF_PLAYERS, st.booleans(), WALKS, st.sampled_from(POSITIONS))
@RELAXED
def test_choosers_of_any_numbers(
    data: st.DataObject,
    schemes: Any,
    size: Any,
    neutral: int,
    weak_variant: bool,
    walk: Any,
    position: Position,
) -> None:
    helps = data.draw(st.integers(-(2**31), 2**31 - 1))
    chooser = DumbBotPolicy(TABLES, schemes, size, neutral, weak_variant, 7, *(*walk, helps))
    with refusing():
        chooser.set_percentages(
            data.draw(or_odd(st.lists(or_odd(OF_PLAYERS), max_size=N_PROVINCES))),
            data.draw(or_odd(st.lists(or_odd(OF_PLAYERS), max_size=N_POWERS))),
            100,
        )
    if data.draw(st.booleans()):
        percentages = data.draw(st.lists(OF_PLAYERS, min_size=3, max_size=3))
        chooser.set_percentages(
            [percentages[place % 3] for place in range(N_PROVINCES)],
            [percentages[power % 3] for power in range(N_POWERS)],
            data.draw(st.integers(-(2**31), 2**31 - 1)),
        )
    for power in range(N_POWERS):
        use_players(chooser, position, power)
        survey = chooser.survey(position.packed, power)
        assert len(survey["values"]) == len(MAP.locations) and len(survey["strength"]) == N_PROVINCES
    for values in (data.draw(st.lists(OF_PLAYERS, min_size=1, max_size=256)), [2**63 - 1, -(2**63), 0, -1]):
        assert 0 <= chooser.walked(values, data.draw(st.integers(0, 300))) < len(values)
    (end,) = Rollout(EVALUATOR, chooser).ends(position.packed, b"", 2, [1])
    assert end.phase[2] in (0, 3)


@given(or_odd(st.lists(or_odd(OF_PLAYERS), max_size=300)), or_odd(NUMBERS), or_odd(POWERS))
@RELAXED
def test_walks_and_powers(values: Any, furthest: Any, power: Any) -> None:
    chooser = DUMBBOT.chooser(MAP)
    with refusing():
        chooser.walked(values, furthest)
    for position in POSITIONS[::5]:
        with refusing():
            use_players(chooser, position, power)
        with refusing():
            chooser.survey(position.packed, power)


def test_who_plays_on_another_map_is_refused() -> None:
    chooser = DUMBBOT.chooser(MAP)
    with pytest.raises(ValueError, match="another map"):
        chooser.orders(Packed.__new__(Packed), 0)
    with pytest.raises(ValueError, match="map of the evaluator"):
        Rollout(EVALUATOR, chooser).ends(Packed.__new__(Packed), b"", 1, [1])
    for policy in (None, "x"):
        with pytest.raises(TypeError):
            Rollout(EVALUATOR, policy)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="another map"):
        Chooser(TABLES).orders(Packed.__new__(Packed), 0)
    for power in (-1, N_POWERS):
        with pytest.raises(ValueError, match="no power"):
            Chooser(TABLES).orders(POSITIONS[0].packed, power)
