"""`bordeaux._ext.learn.recorded`: what a log wrote comes back as positions; what cannot be is refused."""

import numpy as np
import pytest

from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.rules.packed import Packed
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.policy.dumbbot import DUMBBOT

TABLES = Map.standard().tables


@pytest.fixture(scope="module")
def columns() -> dict[str, bytes]:
    play = SelfPlay(TABLES, [DUMBBOT.chooser(Map.standard())], [], [([(0, 1, 1.0)], [], 0, 1, -1, 0)])
    return play.play(Position.start().packed, [bytes(7)] * 3, [1, 2, 3], [1906, 1908, 1910])


def test_positions_come_back_as_they_were(columns: dict[str, bytes]) -> None:
    recorded = Recorded(TABLES, columns)
    counts = np.frombuffer(columns["game_phases"], "<u2")
    assert recorded.n_games == 3
    assert recorded.n_phases == counts.sum() > 60
    units = np.frombuffer(columns["units"], "<u2")
    last = np.cumsum(np.frombuffer(columns["n_units"], "u1"))
    driven = 0
    for phase in range(recorded.n_phases):
        packed = recorded.packed(phase)
        assert packed.units() == units[last[phase - 1] if phase else 0 : last[phase]].tolist()
        driven += len(packed.dislodged())
        again = Packed(
            TABLES,
            *packed.phase,
            packed.units(),
            [token for token, _ in packed.dislodged()],
            [ways for _, ways in packed.dislodged()],
            packed.owners(),
        )
        assert again == packed
    assert driven == len(columns["dislodged"]) // 2 > 0


@pytest.mark.parametrize("name", ["units", "owners", "orders", "n_units", "shares", "game_phases", "kind"])
def test_rubbish_is_refused_by_name(columns: dict[str, bytes], name: str) -> None:
    without = {key: value for key, value in columns.items() if key != name}
    with pytest.raises(ValueError, match=f"^{name}: missing"):
        Recorded(TABLES, without)
    with pytest.raises(ValueError):
        Recorded(TABLES, columns | {name: columns[name][:-1]})


@pytest.mark.parametrize("name", ["units", "owners", "orders", "kind"])
def test_numbers_that_lead_nowhere_are_refused(columns: dict[str, bytes], name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name}: "):
        Recorded(TABLES, columns | {name: b"\xee" * len(columns[name])})


def test_a_phase_that_there_is_not(columns: dict[str, bytes]) -> None:
    with pytest.raises(IndexError, match="no phase"):
        Recorded(TABLES, columns).packed(-1)
