"""Regret matching on small games whose solutions are known from theory."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from bordeaux._ext.search.regret import MatrixGame

# Matching pennies with unequal stakes: equalising 3p - 2(1 - p) and -p + (1 - p) gives p = 3/7, the
# other side 2/7, and the value 1/7.
PENNIES = np.array([[3.0, -1.0], [-2.0, 1.0]])
# Rock, paper, scissors where each win counts otherwise: rock over scissors 2, paper over rock 1, scissors
# over paper 3. The chance of each is proportional to the stakes between the other two.
STAKES = np.array([[0.0, -1.0, 2.0], [1.0, 0.0, -3.0], [-2.0, 3.0, 0.0]])


def two_players(rows: np.ndarray, columns: np.ndarray | None = None, **options: Any) -> MatrixGame:
    """A game of two: what the rows get and what the columns get; if left out, what the rows lose."""
    other = -rows if columns is None else columns
    return MatrixGame(rows.shape, np.ascontiguousarray([rows.ravel(), other.ravel()]), **options)


def test_matching_pennies_with_unequal_stakes() -> None:
    game = two_players(PENNIES, seed=1)
    game.run(20_000)
    assert game.average(0) == pytest.approx([3 / 7, 4 / 7], abs=0.01)
    assert game.average(1) == pytest.approx([2 / 7, 5 / 7], abs=0.01)
    assert game.value(0) == pytest.approx(1 / 7, abs=0.03)
    assert game.value(1) == pytest.approx(-1 / 7, abs=0.03)


def test_rock_paper_scissors_with_unequal_stakes() -> None:
    game = two_players(STAKES, seed=2)
    game.run(20_000)
    for player in (0, 1):
        assert game.average(player) == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=0.02)
        assert game.value(player) == pytest.approx(0, abs=0.03)


def test_a_game_with_one_good_answer_comes_out_pure() -> None:
    """The prisoners' dilemma: the second action is better whatever the other does."""
    rows = np.array([[3.0, 0.0], [5.0, 1.0]])
    game = two_players(rows, rows.T.copy(), seed=0)
    game.run(500)
    assert game.average(0)[1] > 0.99 and game.average(1)[1] > 0.99
    assert game.value(0) == pytest.approx(1, abs=0.05)


def three_players(seed: int) -> MatrixGame:
    """The odd one out of three pays the two others; nobody can do better than toss a coin."""
    payoffs = np.zeros((3, 2, 2, 2))
    for joint in itertools.product((0, 1), repeat=3):
        for player in range(3):
            alone = joint.count(joint[player]) == 1
            payoffs[(player, *joint)] = 0 if len(set(joint)) == 1 else -2 if alone else 1
    return MatrixGame([2, 2, 2], payoffs.reshape(3, -1), seed=seed)


def test_three_players_are_left_with_nothing_to_regret() -> None:
    game = three_players(seed=4)
    game.run(5_000)
    values = [game.value(player) for player in range(3)]
    assert sum(values) == pytest.approx(0, abs=1e-6)
    for player in range(3):
        answers, own = game.against(player, 4_000)
        assert max(answers) - own < 0.1


def test_payoffs_lie_where_the_last_player_runs_fastest() -> None:
    """Three players with 2, 3 and 4 actions, of whom one joint action is wanted by all."""
    payoffs = np.zeros((3, 2, 3, 4))
    payoffs[:, 1, 2, 3] = 1
    game = MatrixGame([2, 3, 4], payoffs.reshape(3, -1), seed=0)
    game.start(0, [0, 1], learns=False)
    game.start(1, [0, 0, 1], learns=False)
    assert game.against(2, 1) == ([0, 0, 0, 1], 0.25)
    game.run(100)
    assert game.average(2)[3] > 0.99
    assert game.average(0) == [0, 1] and game.value(0) == 0


def test_strategies_are_shares_and_repeat_from_the_seed() -> None:
    games = [two_players(STAKES, seed=seed) for seed in (7, 7, 8)]
    for game in games:
        assert game.run(300) == 300
    for player in (0, 1):
        for shares in (games[0].strategy(player), games[0].average(player)):
            assert sum(shares) == pytest.approx(1) and min(shares) >= 0
        assert games[0].average(player) == games[1].average(player)
    assert games[0].average(0) != games[2].average(0)


def test_an_outside_stop_ends_the_learning() -> None:
    game = two_players(PENNIES)
    answers = iter([False, False, True])
    assert game.run(1_000, lambda: next(answers), 10) == 20
    assert game.iterations == 20


def test_what_has_faded_is_learnt_anew() -> None:
    """After 1,000 iterations against a known opponent, few are needed against another once those fade."""
    rows = np.array([[1.0, -1.0], [-1.0, 1.0]])
    shares = {}
    for faded in (1.0, 0.0):
        game = two_players(rows)
        game.start(1, [1, 0], learns=False)
        game.run(1_000)
        assert game.average(0)[0] > 0.99
        game.start(1, [0, 1], learns=False)
        game.fade(faded)
        game.run(50)
        shares[faded] = game.average(0)[1]
    assert shares[1.0] < 0.1 < 0.9 < shares[0.0]


def test_games_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="2 by 3"):
        MatrixGame([2, 2], np.zeros((2, 3)))
    with pytest.raises(ValueError, match="0 players"):
        MatrixGame([], np.zeros((0, 1)))
    with pytest.raises(ValueError, match="actions"):
        MatrixGame([2, 0], np.zeros((2, 0)))
    with pytest.raises(ValueError, match="room"):
        MatrixGame([2, 2], np.zeros((2, 4)), room=0)
    game = two_players(PENNIES)
    for ask in (game.strategy, game.average, game.value, game.actions):
        with pytest.raises(ValueError, match="no player 2"):
            ask(2)
    with pytest.raises(ValueError, match="weights"):
        game.start(0, [1, -1])
    with pytest.raises(ValueError, match="weights"):
        game.start(0, [1])
    with pytest.raises(ValueError, match="no action"):
        game.credit(0, 2, 1.0)
    with pytest.raises(ValueError, match="iterations"):
        game.run(-1)
    with pytest.raises(ValueError, match="share"):
        game.fade(2)
    with pytest.raises(ValueError, match="samples"):
        game.against(0, 0)


def test_against_whole_strategies_the_joint_average_agrees_with_the_averages() -> None:
    game = two_players(PENNIES)
    joint = np.array(game.solve(2000)).reshape(2, 2)
    assert joint.sum() == pytest.approx(1.0) and joint.min() >= 0
    assert joint.sum(axis=1) == pytest.approx(game.average(0)) and game.average(0)[0] == pytest.approx(
        3 / 7, abs=0.01
    )
    assert joint.sum(axis=0) == pytest.approx(game.average(1)) and game.average(1)[0] == pytest.approx(
        2 / 7, abs=0.01
    )
    assert game.value(0) == pytest.approx(float((joint * PENNIES).sum()))


def test_players_who_learn_from_each_other_do_not_play_independently() -> None:
    """Shapley's game: play goes round the six cells in which one of the two wins."""
    rows = np.eye(3)[[1, 2, 0]]
    columns = rows.T.copy()
    game = two_players(rows, columns)
    game.start(0, [1.0, 0.0, 0.0])
    game.start(1, [0.0, 1.0, 0.0])
    joint = np.array(game.solve(3000)).reshape(3, 3)
    worth = float((joint * rows).sum()), float((joint * columns).sum())
    # Nobody would have had more with one action throughout.
    assert max(rows @ joint.sum(axis=0)) < worth[0] + 0.02
    assert max(joint.sum(axis=1) @ columns) < worth[1] + 0.02
    independent = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    assert np.abs(joint - independent).max() > 0.05
    assert worth[0] > float((independent * rows).sum()) + 0.05


def test_of_three_players_each_is_met_with_both_others() -> None:
    """The third wins by naming the action that the first two agree on, and they where it does not."""
    cells = list(itertools.product(range(2), repeat=3))
    agreed = np.array([float(a == b) * (1.0 if c != a else -1.0) for a, b, c in cells])
    game = MatrixGame((2, 2, 2), np.ascontiguousarray([agreed, agreed, -agreed]))
    game.start(0, [0.8, 0.2])
    joint = np.array(game.solve(4000))
    for player in range(3):
        for action in range(2):
            alone = [(*cell[:player], action, *cell[player + 1 :]) for cell in cells]
            payoffs = agreed if player < 2 else -agreed
            with_it = sum(
                share * payoffs[cells.index(cell)] for share, cell in zip(joint, alone, strict=True)
            )
            assert with_it < float(joint @ payoffs) + 0.02


@pytest.mark.parametrize("iterations", [1, 50])
def test_a_credited_action_is_played_as_if_it_had_gained_so_much_in_every_iteration(iterations: int) -> None:
    """The worst action against a strategy that stays: it is played when its credit exceeds the best."""
    worst = int(np.argmin(STAKES[:, 0]))
    for gain, played in ((0.0, False), (1e3, True)):
        game = two_players(STAKES, seed=5)
        game.start(1, [1.0, 0.0, 0.0], learns=False)
        game.run(iterations)
        game.credit(0, worst, gain)
        game.run(1)
        assert (game.strategy(0)[worst] > 0.9) == played
