"""The environment of Gymnasium: its own check, other players at the table, and how games end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bordeaux import BordeauxError, Position
from bordeaux.env.seat import DiplomacyEnv


def played(env: DiplomacyEnv, seed: int) -> tuple[list[str], float, bool, bool, dict[str, Any]]:
    """A game with random orders: its phases, and its end."""
    seen, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    phases = [info["phase"]]
    while True:
        seen, reward, terminated, truncated, info = env.step(env.action_space.sample(seen["action_mask"]))
        phases.append(info["phase"])
        assert env.observation_space.contains(seen)
        if terminated or truncated:
            return phases, float(reward), terminated, truncated, info
        assert reward == 0


def test_it_passes_the_check_of_gymnasium() -> None:
    check_env(DiplomacyEnv("FRANCE", until=1902), skip_render_check=True)


def test_it_goes_on_to_the_next_phase_with_orders_of_its_own() -> None:
    # A power of one unit that never moves: nothing to retreat, nothing to build.
    start = Position.from_json(
        {
            "name": "S1901M",
            "units": {"FRANCE": ["A PAR"], "TURKEY": ["A CON", "A ANK"]},
            "centers": {"FRANCE": ["PAR"], "TURKEY": ["CON", "ANK", "SMY"]},
        }
    )
    env = DiplomacyEnv("FRA", "dumbbot", start=start, until=1902)
    phases = [env.reset(seed=1)[1]["phase"]]
    ended = False
    while not ended:
        _, reward, terminated, ended, info = env.step(np.zeros(75, np.int64))
        phases.append(info["phase"])
    assert phases[:3] == ["S1901M", "F1901M", "S1902M"]
    assert len(env.board.position.units_of("TURKEY")) > 2
    assert not terminated and 0 < reward < 1


def test_a_lost_seat_terminates_with_nothing() -> None:
    start = Position.from_json(
        {
            "name": "F1901M",
            "units": {"FRANCE": ["A GAS"], "ITALY": ["A PAR"]},
            "centers": {"FRANCE": ["PAR"], "ITALY": ["VEN"]},
        }
    )
    env = DiplomacyEnv("FRANCE", "hold", start=start)
    env.reset(seed=0)
    nothing = np.zeros(75, np.int64)
    _, reward, terminated, truncated, info = env.step(nothing)
    assert (reward, terminated, truncated, info["phase"]) == (0, False, False, "W1901A")
    _, reward, terminated, truncated, _ = env.step(nothing)
    assert (reward, terminated, truncated) == (0, True, False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"power": "SPAIN"}, "unknown power"),
        ({"opponents": "dumbot"}, "no player 'dumbot'"),
        ({"opponents": "dumbbot*5"}, "one player for all seats, or 6"),
        ({"opponents": "dumbbot", "until": -1}, "until"),
        ({"autoreset": True}, "leave out autoreset"),
    ],
)
def test_what_does_not_fit_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BordeauxError, match=message):
        DiplomacyEnv(**options)


def test_a_step_needs_a_game_that_goes_on() -> None:
    env = DiplomacyEnv("FRANCE", "hold", until=1901)
    with pytest.raises(BordeauxError, match="no game is played: reset"):
        env.step(np.zeros(75, int))
    played(env, 0)
    with pytest.raises(BordeauxError, match="no game is played: reset"):
        env.step(np.zeros(75, int))


def test_a_level_of_the_engine_may_sit_opposite() -> None:
    env = DiplomacyEnv("AUSTRIA", "bordeaux:level=1", nodes=10, until=1901)
    *_, truncated, info = played(env, 0)
    assert truncated and info["power"] == "AUSTRIA"
    env.close()
