"""The environment of Gymnasium: its own check, other players at the table, and how games end."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import bordeaux.env
from bordeaux import BordeauxError, Position
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Unit
from bordeaux.env import DiplomacyEnv, DiplomacyVectorEnv, OrderByOrder, parallel_env
from tests.players.playing import standard


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
    start = standard(
        "S1901M",
        {"FRANCE": ["A PAR"], "TURKEY": ["A CON", "A ANK"]},
        {"FRANCE": ["PAR"], "TURKEY": ["CON", "ANK", "SMY"]},
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
    start = standard(
        "F1901M", {"FRANCE": ["A GAS"], "ITALY": ["A PAR"]}, {"FRANCE": ["PAR"], "ITALY": ["VEN"]}
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
        ({"autoreset": True}, "leave out autoreset"),
        ({"opponents": 5}, "opponents"),
        ({"time": float("nan")}, "time must be"),
        ({"nodes": 1.5}, "nodes must be"),
    ],
)
def test_what_does_not_fit_is_told(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BordeauxError, match=message):
        DiplomacyEnv(**options)


@pytest.mark.parametrize("seed", [-1, "x", [], ["x"]])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    for env in (DiplomacyEnv(), DiplomacyVectorEnv(1)):
        with pytest.raises(BordeauxError, match="seed must be a whole number from 0 on"):
            env.reset(seed=seed)


def test_a_step_needs_a_game_that_goes_on() -> None:
    env = DiplomacyEnv("FRANCE", "hold", until=1901)
    with pytest.raises(BordeauxError, match="no game is played: reset"):
        env.step(np.zeros(75, int))
    many = DiplomacyVectorEnv(2, "FRANCE", "hold")
    single = OrderByOrder(env)
    nothing: Any = []
    for call in (lambda: single.step(0), single.action_masks, lambda: many.step(nothing), many.action_masks):
        with pytest.raises(BordeauxError, match="no game is played: reset"):
            call()
    played(env, 0)
    with pytest.raises(BordeauxError, match="no game is played: reset"):
        env.step(np.zeros(75, int))


def test_a_level_of_the_engine_may_sit_opposite() -> None:
    env = DiplomacyEnv("AUSTRIA", "bordeaux:level=1", nodes=10, until=1901)
    *_, truncated, info = played(env, 0)
    assert truncated and info["power"] == "AUSTRIA"
    env.close()


def test_orders_may_be_texts() -> None:
    env = DiplomacyEnv("FRANCE", "hold")
    env.reset(seed=0)
    env.step(["a par-bur", parse_order("A MAR S A PAR - BUR", env.board.position.map)])
    assert env.board.position.unit_at("BUR") is not None
    with pytest.raises(BordeauxError, match="A BUR - LON: "):
        env.step(["F BRE - MAO", "A BUR - LON"])
    assert str(env.board.position.phase) == "F1901M"


def test_orders_one_by_one_play_the_same_game() -> None:
    seat, other = (DiplomacyEnv("FRANCE", "hold", until=1905) for _ in range(2))
    env, chance, builds, ended = OrderByOrder(seat), np.random.default_rng(1), 0, False
    seen, info = env.reset(seed=4)
    other.reset(seed=4)
    while not ended:
        orders: list[str] = []
        before = seat.board.position
        while not ended and (not orders or seat.board.position == before):
            assert env.observation_space.contains(seen) and (seen["given"] >= 0).sum() == len(orders)
            assert np.array_equal(env.action_masks(), info["action_mask"])
            number = int(chance.choice(np.flatnonzero(info["action_mask"])))
            orders.append(seat.board.batch.table.texts[number])
            seen, reward, terminated, truncated, info = env.step(number)
            ended = terminated or truncated
        builds += sum(order.endswith(" B") for order in orders)
        _, *result, told = other.step(orders)
        assert result == [reward, terminated, truncated] and told["phase"] == info["phase"]
        assert seat.board.position == other.board.position
    assert builds and reward > 0 and env.observation_space.contains(seen)


def test_a_home_with_a_build_takes_no_second_one() -> None:
    centres = {"FRANCE": ["BRE", "PAR", "MAR"], "ITALY": ["NAP"]}
    state = {"name": "W1901A", "units": {"FRANCE": ["A SPA"], "ITALY": ["A NAP"]}, "centers": centres}
    seat = DiplomacyEnv("FRANCE", "hold", start=Position.from_json(state))
    env, table = OrderByOrder(seat), seat.board.batch.table
    env.reset(seed=0)
    _, *_, info = env.step(table.number("A PAR B"))
    left = {table.texts[number] for number in np.flatnonzero(info["action_mask"])}
    assert left == {"A BRE B", "F BRE B", "A MAR B", "F MAR B", "WAIVE"}


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version")
def test_orders_one_by_one_pass_the_check_of_gymnasium() -> None:
    check_env(OrderByOrder(DiplomacyEnv("FRANCE", until=1902)), skip_render_check=True)


# The vector environment: what it shows, how games go on, and that it is registered.


def drawn(env: DiplomacyVectorEnv, seen: dict[str, Any], chance: np.random.Generator) -> np.ndarray:
    """Random actions, all of the masks."""
    spaces = [space.sample(mask) for space, mask in zip(each(env, chance), seen["action_mask"], strict=True)]
    return np.array(spaces)


def each(env: DiplomacyVectorEnv, chance: np.random.Generator) -> list[Any]:
    spaces = [env.layout.action_space() for _ in range(env.num_envs)]
    for space in spaces:
        space.seed(int(chance.integers(2**31)))
    return spaces


def test_games_go_on_and_begin_anew() -> None:
    env = DiplomacyVectorEnv(5, until=1902)
    seen, infos = env.reset(seed=2)
    assert env.observation_space.contains(seen) and len(set(infos["power"].tolist())) > 1
    chance, ended, shares = np.random.default_rng(0), 0, 0.0
    for _ in range(20):
        before = env.seats.copy()
        seen, rewards, terminated, truncated, _ = env.step(drawn(env, seen, chance))
        assert env.observation_space.contains(seen)
        over = terminated | truncated
        assert (rewards[~over] == 0).all() and (before[~over] == env.seats[~over]).all()
        assert (seen["years"][over] == [1901]).all()
        # Every mask has a choice that is an order.
        assert (seen["action_mask"].sum(1) > 75 - 40).all() and env.action_masks().any(1).all()
        ended, shares = ended + int(over.sum()), shares + float(rewards.sum())
    assert ended > 5 and shares > 0
    env.close()


def owning(centres: int) -> Position:
    """The Fall of a power that is alone, with one unit and so many centres."""
    map = Position.start().map
    return Position(map, "F1903M", [Unit("TURKEY", "A", "CON")], {"TURKEY": map.centres[:centres]})


@pytest.mark.parametrize("start", [Position.start(), owning(5), owning(18)])
def test_it_plays_as_one_seat_does(start: Position) -> None:
    one, many = (
        DiplomacyEnv("TURKEY", "hold", start=start, until=1903),
        DiplomacyVectorEnv(2, "TURKEY", "hold", start=start, until=1903),
    )
    seen, all_seen = one.reset(seed=1)[0], many.reset(seed=1)[0]
    space = one.action_space
    space.seed(7)
    while True:
        for name, value in seen.items():
            assert (all_seen[name] == value).all(), name
        action = space.sample(seen["action_mask"])
        assert (one.action_masks() == seen["action_mask"]).all()
        seen, reward, terminated, truncated, _ = one.step(action)
        all_seen, rewards, *ends, _ = many.step(np.array([action, action]))
        assert rewards.tolist() == [reward, reward]
        assert [end.tolist() for end in ends] == [[terminated] * 2, [truncated] * 2]
        if terminated or truncated:
            break


def test_it_is_registered_by_import() -> None:
    assert bordeaux.env.__name__ == "bordeaux.env"
    one = gymnasium.make("bordeaux/Diplomacy-v0", power="ITALY", opponents="hold")
    many = gymnasium.make_vec("bordeaux/Diplomacy-v0", 2, "vector_entry_point", power="ITALY")
    assert isinstance(one.unwrapped, DiplomacyEnv) and isinstance(many.unwrapped, DiplomacyVectorEnv)


@pytest.mark.parametrize("copy_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_environments_are_copied_in_a_game(copy_of: Any) -> None:
    env = DiplomacyEnv("FRANCE", "dumbbot")
    seen, _ = env.reset(seed=1)
    table = parallel_env(opponents="dumbbot", own=["FRANCE", "ITALY"])
    shown, _ = table.reset()
    assert table.agents == ["FRANCE", "ITALY"] == list(shown)
    for _ in range(3):
        seen, *_ = env.step(env.action_space.sample(seen["action_mask"]))
        shown, *_ = table.step({agent: np.zeros(75, int) for agent in table.agents})
    again, other = copy_of(env), copy_of(table)
    action = np.zeros(75, np.uint64)
    for first, second in (
        (env.step(action)[0], again.step(action)[0]),
        (table.step({})[0]["ITALY"], other.step({})[0]["ITALY"]),
    ):
        assert all((first[name] == second[name]).all() for name in first)


def test_agents_without_a_power_are_refused() -> None:
    with pytest.raises(BordeauxError, match="name those of the agents"):
        parallel_env(opponents="hold")


def test_closing_closes_the_players() -> None:
    seat, table = DiplomacyEnv("FRANCE", "random"), parallel_env(opponents="random", own=["FRANCE"])
    many = DiplomacyVectorEnv(1, "FRANCE", "random")
    for closed, batch in ((seat, seat.board.batch), (table, table.board.batch), (many, many.batch)):
        closed.reset()
        batch.step()
        assert batch._opponents is not None and len(batch._opponents.players) == 6
        closed.close()
        assert not batch._opponents.players
