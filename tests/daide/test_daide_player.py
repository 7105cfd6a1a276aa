"""DAIDE clients as players of the arena: real processes and sockets, good ones and bad ones."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.arena import guard, player_specs
from bordeaux.arena.game import play
from bordeaux.arena.job import CRASH, STALL, Job
from bordeaux.board.order import Order, Unit
from bordeaux.daide import daide_player
from bordeaux.daide.daide_player import DaidePlayer
from bordeaux.players.base import Limit, Player, Seat, Turn
from bordeaux.players.child import Late
from tests.jobs.seen import wait_until
from tests.patience import PATIENCE

STANDARD = Map.standard()
FRANCE = Seat("FRANCE", STANDARD, 7)
OURS = f"daide:{sys.executable} -P -m bordeaux bot {{address}} --player"
SCRIPT = Path(__file__).with_name("guests.py")
Sit = Callable[..., DaidePlayer]
MARK = "BORDEAUX_TEST_GUEST"


def client(how: str, log: Path | None = None) -> str:
    """The command line of a client in guests.py."""
    words = [sys.executable, str(SCRIPT), how]
    return f"{shlex.join(words)} {{host}} {{port}}" + (f" {log}" if log else "")


def table(*seats: str, until: int = 1902, time: float = 2.0) -> Job:
    return Job(0, (*seats, *("dumbbot",) * (7 - len(seats))), 3, Limit(time), until, keep=True)


def started() -> list[int]:
    """The processes that carry the mark of this test in their environment, without this one."""
    wanted = f"{MARK}={os.getpid()}".encode()
    processes = []
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and wanted in (folder / "environ").read_bytes().split(b"\0"):
                processes.append(int(folder.name))
        except OSError:
            continue
    return [process for process in processes if process != os.getpid()]


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test leaves a process behind."""
    monkeypatch.setenv(MARK, str(os.getpid()))
    yield
    wait_until(lambda: not started())


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody stalls because the machine is busy; tests of those that do have less patience."""
    monkeypatch.setattr(daide_player, "JOIN", PATIENCE)
    monkeypatch.setattr(daide_player, "GRACE", PATIENCE)
    monkeypatch.setattr(guard, "GRACE", PATIENCE)
    monkeypatch.setattr(guard, "UNLIMITED", PATIENCE)


@pytest.fixture
def sit() -> Iterator[Sit]:
    """Let a client of guests.py come to the table as France; it is closed in any case."""
    with contextlib.ExitStack() as stack:

        def seated(*words: Any) -> DaidePlayer:
            player = stack.enter_context(contextlib.closing(DaidePlayer(FRANCE, command=client(*words))))
            player.arrive()
            return player

        yield seated


@pytest.mark.slow
def test_two_games_in_turn_leave_no_processes() -> None:
    spec = f"{OURS} dumbbot"
    for seed in (1, 2):
        result = play(replace(table("dumbbot", spec, until=1901), seed=seed))
        assert (result.faults, started()) == ((), [])
        assert result.orders[1] > 0


@pytest.mark.parametrize(
    ("how", "kind", "text"),
    [
        ("dead", CRASH, "died with exit code 1, saying 'no such world'"),
        ("refuse", CRASH, "was sent away: it does not accept the map"),
        # Its connection may be seen to end before its process is.
        ("crash", CRASH, ", saying 'out of ideas'"),
        ("leave", CRASH, "said goodbye (FM)"),
        ("garbage", CRASH, "sent what is no DAIDE: "),
        ("nonsense", STALL, "stalled and was stopped: it gave no orders"),
        ("mute", STALL, "stalled and was stopped: it gave no orders"),
    ],
)
def test_a_bad_client_is_named_and_the_game_goes_on(
    how: str, kind: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == STALL:
        monkeypatch.setattr(daide_player, "GRACE", 0.3)
    result = play(table("dumbbot", f"daide:starts=1 {client(how)}", until=1901, time=0.1))
    assert {(fault.seat, fault.kind) for fault in result.faults} == {(1, kind)}
    assert text in result.faults[0].text
    assert result.end == "cap"


def test_a_client_that_does_not_come_to_the_table() -> None:
    told = "did not come to the table in time; it has been started 2 times"
    player = DaidePlayer(FRANCE, command=f"join=.4 starts=2 {client('shy')}")
    with contextlib.closing(player), pytest.raises(Late, match=told):
        player.arrive()


def test_a_client_that_crashes_is_started_again_and_asked_again(tmp_path: Path) -> None:
    """The first two die when they are asked; the third plays on, and the seat has lost no orders."""
    spec = f"daide:{client('frail', tmp_path / 'lives')}"
    result = play(table("dumbbot", spec, until=1901))
    assert [(fault.seat, fault.kind, fault.phase) for fault in result.faults] == [
        (1, CRASH, "S1901M"),
        (1, CRASH, "F1901M"),
    ]
    assert result.game is not None
    orders = {phase["name"]: phase["orders"].get("ENGLAND", []) for phase in result.game["phases"]}
    assert [len(orders[phase]) for phase in ("S1901M", "F1901M")] == [3, 3]
    assert (tmp_path / "lives").read_text() == "xxx"


def test_incomplete_orders_count_as_they_are(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client whose order was refused may have nothing better to say; the others are not lost for it."""
    monkeypatch.setattr(daide_player, "QUIET", 0.1)
    player = sit("partial")
    assert list(map(str, player.orders(Position.start(STANDARD), Limit(None, 10)))) == ["A PAR H"]


def test_who_was_late_is_late_for_ever(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daide_player, "GRACE", 0.1)
    player = sit("mute")
    position = Position.start(STANDARD)
    for _ in range(2):
        with pytest.raises(Late, match="it gave no orders"):
            player.orders(position, Limit(0.01))
    player.observe(Turn(position, {}, position.next({})))
    player.close()


def holding(player: Player, position: Position) -> Position:
    """Ask for the orders of a phase and let it be played."""
    given = list(player.orders(position, Limit(5.0)))
    assert sorted(map(str, given)) == ["A MAR H", "A PAR H", "F BRE H"]
    assert all(isinstance(order, Order) for order in given)
    after = position.next({"FRANCE": given})
    player.observe(Turn(position, {"FRANCE": given}, after))
    return after


def test_what_a_client_is_told(tmp_path: Path, sit: Sit) -> None:
    log = tmp_path / "log"
    player = sit("hold", log)
    position = holding(player, Position.start(STANDARD))
    position = holding(player, position)
    player.close()
    heard = log.read_text().splitlines()
    first = [line.split()[0] for line in heard]
    # Bordeaux skips a retreat phase and a Winter in which nobody owes anything.
    once = ["SCO", "NOW", "TME", *["THX", "MIS"] * 2, "THX"]
    assert [word for word in first if word != "ORD"][:3] == ["YES", "MAP", "MDF"]
    assert heard[3].startswith("HLO (FRA)") and "(LVL 0) (MTL 5) (RTL 5) (BTL 5)" in heard[3]
    assert first[4 : 4 + len(once)] == once
    assert first.count("ORD") == 44
    assert "ORD (SPR 1901) ((FRA AMY PAR) HLD) (SUC)" in heard
    assert "ORD (FAL 1901) ((ENG FLT LON) HLD) (SUC)" in heard
    assert [line[:14] for line in heard if line.startswith("NOW")] == [
        "NOW (SPR 1901)",
        "NOW (FAL 1901)",
        "NOW (SPR 1902)",
    ]
    assert heard[-1] == "OFF"


def test_orders_that_wait_are_taken_when_the_time_is_over(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daide_player, "GRACE", 0.1)
    player = sit("wait")
    given = player.orders(Position.start(STANDARD), Limit(3.0))
    player.close()
    assert len(given) == 3


def test_a_solo_is_told(tmp_path: Path, sit: Sit) -> None:
    log = tmp_path / "log"
    owned = [*[tag for tag in STANDARD.centres if tag not in ("BUD", "PAR")][:16], "PAR"]
    units = [Unit("FRANCE", "A", "PAR"), Unit("FRANCE", "A", "BUD")]
    before = Position(STANDARD, "F1910M", units, {"FRANCE": owned})
    player = sit("hold", log)
    given = player.orders(before, Limit(5.0))
    after = before.next({"FRANCE": given})
    assert after.victor == "FRANCE"
    player.observe(Turn(before, {"FRANCE": given}, after))
    player.close()
    heard = log.read_text().splitlines()
    assert "SLO (FRA)" in heard
    (summary,) = (line for line in heard if line.startswith("SMR (WIN 1910)"))
    assert "(FRA ('Guest') ('1') 18)" in summary
    assert heard[-1] == "OFF"


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("daide", "needs its command: write daide:COMMAND"),
        ("daide: ", "needs its command: write daide:COMMAND"),
        ("daide:/nonexistent {address}", "no program '/nonexistent' that can be run"),
        ("daide:echo 'half {address}", "No closing quotation"),
        ("daide:echo hello", "does not say where to connect: write {address}"),
        ("daide:join=0 echo {address}", "join='0' should be seconds, more than 0, at most 600"),
        ("daide:starts=2.5 echo {address}", "starts='2.5' should be a whole number"),
        ("daide:join=9", "needs its command"),
    ],
)
def test_specs_are_checked_before_a_game(spec: str, text: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        player_specs.check(spec)
    assert text in str(caught.value)
