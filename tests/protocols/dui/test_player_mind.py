"""Any player behind the protocol: its orders, its talks, and a game in which it sits as an engine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bordeaux import Map, Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.formats.dui import orders_from_dson, position_to_dfen
from bordeaux.players.base import Limit, Seat
from bordeaux.players.registry import create
from bordeaux.protocols.dui.machine import Machine
from bordeaux.protocols.dui.mind import PlayerMind

START = Position.start()
NOTING = '''
class Noting:
    """Holds, and says aloud what it hears."""
    def __init__(self, seat):
        self.seat = seat
    def orders(self, position, limit):
        print("aloud")
        return [f"{unit.kind} {unit.location} H" for unit in position.units_of(self.seat.power)]
    def observe(self, turn):
        with open("seen", "a") as file:
            print(self.seat.power, turn.before.phase, len(turn.orders), file=file)
    def close(self):
        with open("seen", "a") as file:
            print(self.seat.power, "closed", file=file)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "noting.py").write_text(NOTING)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def parrot() -> Iterator[Machine]:
    made = Machine(PlayerMind("parrot"), "Parrot")
    yield made
    made.mind.close()


def test_it_answers_as_the_player_does(parrot: Machine) -> None:
    assert parrot.answer("dui")[0] == "id name Parrot"
    parrot.answer("setoption name Seed value 5")
    parrot.answer(f"position {position_to_dfen(START)}")
    parrot.answer("setpower turkey")
    (line,) = parrot.answer("go nodes 7")
    own = create("parrot", Seat("TURKEY", Map.standard(), 5)).orders(START, Limit(nodes=7))
    assert {*orders_from_dson(line.partition(" ")[2], START.map, START)} == {*own}
    assert parrot.answer("go infinite")[-1].startswith("bestorders ")


def test_it_hears_what_was_played_and_is_closed_with_the_game(folder: Path) -> None:
    machine = Machine(PlayerMind("noting.py:Noting"))
    machine.answer("setpower france")
    assert machine.answer("go") == ["bestorders F bre H ; A mar H ; A par H"]
    machine.answer('played {"FRANCE": ["A PAR H"], "ITALY": ["A ROM H"]}')
    fall = Position.from_json(START.to_json() | {"name": "F1901M"})
    machine.answer(f"position {position_to_dfen(fall)}")
    machine.answer("newgame")
    machine.mind.close()
    # Another one was made, to see whether the class can be: it is closed as well.
    assert (folder / "seen").read_text().splitlines() == [
        "AUSTRIA closed",
        "FRANCE S1901M 2",
        "FRANCE closed",
    ]


def test_it_sits_at_a_table_as_an_engine_whatever_it_prints(folder: Path) -> None:
    engine = f"dui:{sys.executable} -P -m bordeaux engine --player noting.py:Noting"
    result = play(Job(0, (engine, *["hold"] * 6), 3, Limit(5.0), 1901))
    assert result.faults == ()
    assert result.orders[0] >= 6
