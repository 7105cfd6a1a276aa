"""The agent of google-deepmind/diplomacy as a player, with a checkout that stands in for the published one.

The checkout has the modules, names and calls that the player uses. Its policy notes down what it is shown,
and orders the first legal action of every unit.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.players import deepmind
from bordeaux.players.base import Limit, Player, Seat
from bordeaux.players.child import Late
from bordeaux.players.registry import check, create
from tests.patience import PATIENCE

FILES = {
    "jax.py": """
class random:
    @staticmethod
    def PRNGKey(seed):
        return seed
""",
    "checkout/environment/observation_utils.py": """
import collections, enum
OBSERVATION_BOARD_SHAPE = [81, 35]
Season = enum.Enum("Season", "SPRING_MOVES SPRING_RETREATS AUTUMN_MOVES AUTUMN_RETREATS BUILDS", start=0)
Observation = collections.namedtuple("Observation", "season board build_numbers last_actions")
""",
    "checkout/network/config.py": """
class get_config:
    network_class, network_kwargs = "network", {}
""",
    "checkout/network/parameter_provider.py": """
import json, os, numpy
class ParameterProvider:
    def __init__(self, file):
        self.text = file.read().decode()
class SequenceNetworkHandler:
    def __init__(self, network_class, network_kwargs, seed, provider):
        self.provider = provider
    def reset(self):
        print("a word to standard output")
    def zero_observation(self, players):
        return numpy.cast[numpy.int32]([players])
    def inference(self, observation):
        assert observation.dtype == "int32"
    def observation_transform(self, *, observation, legal_actions, slots_list, prev_state, temperature):
        assert legal_actions == [[]] * 7 and slots_list == []
        note(self, observation, quiet=True)
        return None, prev_state + 1
def note(handler, observation, **more):
    note = {"season": observation.season.name, "pid": os.getpid(), "last": observation.last_actions}
    note |= {"ones": int(observation.board.sum()), "builds": observation.build_numbers.tolist(), **more}
    with open(handler.provider.text.split()[0], "a") as log:
        print(json.dumps(note), file=log)
""",
    "checkout/network/network_policy.py": """
import os, time
from diplomacy.network import parameter_provider
class Policy:
    def __init__(self, handler, players, temperature):
        self.handler, self.temperature, self._obs_transform_state = handler, temperature, 0
    def actions(self, slots, observation, legal):
        [slot] = slots
        self._obs_transform_state += 1
        text = self.handler.provider.text
        more = {"slot": slot, "seed": self.handler._rng_key, "temperature": self.temperature}
        more |= {"seen": self._obs_transform_state}
        parameter_provider.note(self.handler, observation, **more)
        if "fail" in text:
            raise ValueError("no Unit")
        if "die" in text:
            os._exit(3)
        if "sleep" in text:
            time.sleep(30)
        first = {}
        for action in legal[slot]:
            first.setdefault(action >> 9 & 127, action)
        due = abs(observation.build_numbers[slot]) if observation.season.name == "BUILDS" else len(first)
        return [list(first.values())[:due]], {}
""",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The checkout, with parameters beside it."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "sl_params.npz").write_text(f"{tmp_path / 'log'}")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    yield tmp_path / "checkout"
    deepmind.release()


def seat(power: str) -> Seat:
    return Seat(power, Map.standard(), 5)


def notes(folder: Path) -> list[dict[str, Any]]:
    """What the agent was shown."""
    return [json.loads(line) for line in (folder.parent / "log").read_text().splitlines()]


def test_it_plays_whole_games_and_sees_every_phase(folder: Path) -> None:
    spec = f"deepmind:{folder},temperature=0.5"
    job = Job(index=0, seats=(spec, *["random"] * 5, spec), seed=3, until=1903, limit=Limit())
    result = play(job)
    assert not result.faults and min(result.orders) > 0
    seen = notes(folder)
    answered = [note for note in seen if "quiet" not in note]
    assert {note["pid"] for note in seen} == {seen[0]["pid"]}
    assert {note["temperature"] for note in answered} == {0.5}
    assert len({note["seed"] for note in answered}) == len(answered) >= 12
    first, *_, last = [note for note in answered if note["slot"] == 0]
    assert first["season"] == "SPRING_MOVES" and first["last"] == [] and last["last"]
    # A phase without orders of its own counts as well.
    moves = sum(note["season"].endswith("MOVES") for note in answered if note["slot"] == 0)
    quiet = sum("quiet" in note for note in seen)
    assert quiet > 0 and last["seen"] > moves


def test_the_same_seat_gives_the_same_numbers(folder: Path) -> None:
    for _ in range(2):
        player = create(f"deepmind:{folder}", seat("FRANCE"))
        first = player.orders(Position.start(), Limit(time=PATIENCE))
        assert player.orders(Position.start(), Limit(time=PATIENCE)) == first
        assert {str(order) for order in first} == {"A PAR H", "F BRE H", "A MAR H"}
        player.close()
    one, other = notes(folder)
    assert one == other


@pytest.mark.slow
def test_faults_of_the_agent_are_told(folder: Path) -> None:
    parameters = folder.parent / "sl_params.npz"
    log, start = parameters.read_text(), Position.start()

    def seated(fault: str) -> Player:
        deepmind.release()
        parameters.write_text(f"{log} {fault}")
        return create(f"deepmind:{folder}", seat("FRANCE"))

    player = seated("fail")
    with pytest.raises(BordeauxError, match="ValueError: no Unit"):
        player.orders(start, Limit(time=PATIENCE))
    assert player.orders(start, Limit()) == ()
    player.close()
    with pytest.raises(Late, match="no answer in time"):
        seated("sleep").orders(start, Limit(time=-0.9))
    player = seated("die")
    for _ in range(2):
        with pytest.raises(BordeauxError, match="died with exit code 3"):
            player.orders(start.next({}), Limit(time=PATIENCE))
            player.orders(start, Limit(time=PATIENCE))
    player.close()
    assert len(seated("").orders(start, Limit())) == 3


def test_an_agent_that_cannot_be_loaded_is_told_with_its_last_words(folder: Path) -> None:
    (folder / "network" / "config.py").write_text("import haiku_of_old")
    with pytest.raises(BordeauxError, match="No module named 'haiku_of_old'"):
        create(f"deepmind:{folder}", seat("FRANCE"))


def test_what_is_missing_is_told_before_anything_starts(folder: Path, tmp_path: Path) -> None:
    check(f"deepmind:{folder}")
    assert not (tmp_path / "log").exists()
    cases = {
        "deepmind": "player deepmind needs its folder: write deepmind:FOLDER",
        "deepmind:temperature=1": "needs its folder",
        f"deepmind:{tmp_path}": "holds no checkout of google-deepmind/diplomacy",
        f"deepmind:{folder},temperature=0": "temperature is a number from 0.001",
        f"deepmind:{folder},parameters={tmp_path}/none": "needs its parameters",
        f"deepmind:{folder},python={tmp_path}/python": "no Python that can be run",
    }
    for spec, message in cases.items():
        with pytest.raises(BordeauxError, match=message):
            check(spec)
    (folder / "fppi2_params.npz").write_text("")
    with pytest.raises(BordeauxError, match="write deepmind:FOLDER,parameters=FILE"):
        check(f"deepmind:{folder}")
    with pytest.raises(BordeauxError, match="for the standard map"):
        create(f"deepmind:{folder},python={sys.executable}", Seat("FRANCE", Map.load("pure")))
