"""The environment of PettingZoo: its own tests, and what actions, masks, rewards and pictures mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import max_cycles_test, parallel_api_test, parallel_seed_test, render_test

from bordeaux import BordeauxError, Position
from bordeaux.env import parallel
from bordeaux.env.parallel import DiplomacyParallelEnv, parallel_env
from tests.players.playing import standard


def action(env: DiplomacyParallelEnv, *orders: str) -> Any:
    """The action that gives these orders."""
    board = env.board
    choices = np.zeros(len(board.layout.sizes), np.int64)
    for text in orders:
        number = board.batch.table.number(text)
        place = board.batch.provinces.index(text.split()[1].partition("/")[0])
        choices[place] = 1 + board.orders_of(place).index(number)
    return choices


@pytest.mark.slow
def test_it_passes_the_tests_of_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    parallel_api_test(parallel_env(), 40)
    parallel_api_test(parallel_env(until=1902), 40)
    parallel_seed_test(lambda: parallel_env(until=1903), 10)
    max_cycles_test(parallel)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.slow
def test_it_passes_the_render_test_of_pettingzoo(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(parallel.env, custom_tests={"svg": lambda shown: shown.startswith("<svg")})
    assert "S1901M" in capsys.readouterr().out


def test_actions_are_orders_and_masks_the_legal_ones() -> None:
    env = parallel_env()
    seen, infos = env.reset(seed=1)
    assert infos["FRANCE"] == {"phase": "S1901M"} and seen["TURKEY"]["power"] == 6
    orders = {"FRANCE": action(env, "A PAR - BUR", "F BRE - MAO"), "ENGLAND": action(env, "F LON - NTH")}
    assert env.board.texts(2, orders["FRANCE"]) == ["F BRE - MAO", "A PAR - BUR"]
    seen, rewards, *_ = env.step(orders)
    position = env.board.position
    assert {str(unit) for unit in position.units_of("FRANCE")} == {"A BUR", "F MAO", "A MAR"}
    assert {str(unit) for unit in position.units_of("ENGLAND")} == {"F NTH", "F EDI", "A LVP"}
    assert set(rewards.values()) == {0.0}
    for agent, what in seen.items():
        masks = np.split(what["action_mask"], np.cumsum(env.board.layout.sizes)[:-1])
        listed = {
            env.board.batch.table.texts[env.board.orders_of(place)[choice - 1]]
            for place, mask in enumerate(masks)
            for choice in np.flatnonzero(mask)
            if choice
        }
        legal = position.packed.legal()[position.map.powers.index(agent)]
        assert len(listed) == sum(map(len, legal.values()))
        # A unit must have an order; an empty province has none.
        places = {location.partition("/")[0] for location in position.orderable()[agent]}
        silent = {env.board.batch.provinces[place] for place, mask in enumerate(masks) if mask[0] == 0}
        assert silent == places


def test_what_is_not_legal_is_no_order_and_what_is_no_action_is_refused() -> None:
    env = parallel_env()
    env.reset()
    before = env.board.position
    with pytest.raises(BordeauxError, match="75 whole numbers"):
        env.step({"FRANCE": np.zeros(74, np.int64)})
    with pytest.raises(BordeauxError, match="no order 99999 in ADR; it has 0 to"):
        env.step({"FRANCE": np.array([99999, *[0] * 74])})
    with pytest.raises(BordeauxError, match="no agent 'SPAIN'"):
        env.step({"SPAIN": np.zeros(75, np.int64)})
    assert env.board.position == before
    env.step({"FRANCE": action(env, "A LON - YOR", "A PAR - GAS")})
    after = env.board.position
    assert after.units_of("ENGLAND") == before.units_of("ENGLAND") and after.unit_at("GAS") is not None


def test_in_winter_the_first_provinces_count() -> None:
    winter = standard(
        "W1901A",
        {"FRANCE": ["A SPA"], "TURKEY": ["A CON", "A SMY"]},
        {"FRANCE": ["BRE", "PAR", "MAR"], "TURKEY": ["CON"]},
    )
    env = parallel_env(start=winter)
    seen, _ = env.reset()
    assert sorted(seen) == ["FRANCE", "TURKEY"]
    env.step(
        {"FRANCE": action(env, "A BRE B", "A PAR B", "F MAR B"), "TURKEY": action(env, "A CON D", "A SMY D")}
    )
    position = env.board.position
    assert {str(unit) for unit in position.units_of("FRANCE")} == {"A SPA", "A BRE", "F MAR"}
    assert {str(unit) for unit in position.units_of("TURKEY")} == {"A SMY"}


def test_rewards_are_the_shares_at_the_end() -> None:
    env = parallel_env(until=1901, scoring="draw")
    env.reset()
    while env.agents:
        _, rewards, terminated, truncated, _ = env.step({})
    assert rewards == dict.fromkeys(env.possible_agents, pytest.approx(1 / 7))
    assert not any(terminated.values()) and all(truncated.values())


def test_cycles_end_with_shares_as_well() -> None:
    env = parallel_env(max_cycles=1)
    env.reset()
    _, rewards, terminated, truncated, _ = env.step({})
    squares = 6 * 9 + 16
    assert rewards["RUSSIA"] == pytest.approx(16 / squares) and rewards["ITALY"] == pytest.approx(9 / squares)
    assert env.agents == [] and all(truncated.values()) and not any(terminated.values())


def test_a_solo_and_an_elimination_terminate() -> None:
    centres = [tag for tag in Position.start().map.centres if tag != "PAR"]
    autumn = standard(
        "F1910M",
        {"FRANCE": ["A PAR"], "TURKEY": ["A BUR", "A PIC"]},
        {"TURKEY": centres[:17], "ITALY": ["VEN"], "FRANCE": ["PAR"]},
    )
    env = parallel_env(start=autumn)
    env.reset()
    assert env.agents == ["FRANCE", "ITALY", "TURKEY"]
    env.step({"TURKEY": action(env, "A BUR - PAR", "A PIC S A BUR - PAR")})
    _, rewards, terminated, truncated, _ = env.step({})
    assert rewards == {"FRANCE": 0.0, "ITALY": 0.0, "TURKEY": 1.0}
    assert all(terminated.values()) and not any(truncated.values()) and env.agents == []


def test_pictures() -> None:
    pixels = parallel_env(render_mode="rgb_array", size=300)
    pixels.reset()
    shown = pixels.render()
    assert isinstance(shown, np.ndarray) and shown.dtype == np.uint8 and shown.shape[1:] == (300, 3)
    assert len(np.unique(shown.reshape(-1, 3), axis=0)) > 20
    text = parallel_env(render_mode="ansi")
    text.reset()
    assert "S1901M" in str(text.render()) and "\x1b[" in str(text.render())
    assert parallel_env().render() is None
    with pytest.raises(BordeauxError, match="no render mode 'film'"):
        parallel_env(render_mode="film")


def test_people_see_every_phase(capsys: pytest.CaptureFixture[str]) -> None:
    env = parallel_env(render_mode="human")
    env.reset()
    env.step({})
    printed = capsys.readouterr().out
    assert printed.index("S1901M") < printed.index("F1901M") and "\x1b[" not in printed
