"""Players of ours in empty chairs, as real processes: most here are a small script, which starts quickly."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.daide.server import GameSettings, ServerGame
from bordeaux.daide.server.fill import Fill
from bordeaux.daide.server.logbook import Logbook

from .wires import Served, player, serving, until

SCRIPT = Path(__file__).with_name("childbot.py")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children that do not end by themselves are not waited for long."""
    monkeypatch.setattr("bordeaux.daide.server.fill.GRACE", 0.1)
    monkeypatch.setattr("bordeaux.daide.server.fill.FIRST_DELAY", 0.05)


@contextlib.asynccontextmanager
async def filling(served: Served, *options: str, kept: int) -> AsyncIterator[Fill]:
    """Scripts in the chairs of a server; `options` are theirs."""
    program = (sys.executable, "-I", str(SCRIPT))
    fill = Fill(
        "hold", served.game, served.host.logbook, kept=kept, seed=10, options=options, program=program
    )
    task = asyncio.create_task(fill.run(f"127.0.0.1:{served.port}"))
    try:
        yield fill
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def children(fill: Fill) -> list[int]:
    """The keepers of those that play."""
    return [child.pid for child in fill._children.values()]


def kept(keeper: int) -> int:
    """The player of a keeper."""
    return int(Path(f"/proc/{keeper}/task/{keeper}/children").read_text("utf-8"))


async def test_all_chairs_but_those_that_are_kept_are_filled() -> None:
    async with serving() as served, filling(served, kept=2):
        await until(lambda: served.game.open_chairs == 2)
        assert served.game.state == "waiting"
        one, two = await player(served), await player(served)
        for client in (one, two):
            assert (await client.hear()).startswith("HLO")
        seats = served.saves[0]["daide"]["seats"].values()
        assert sorted(seat["name"] for seat in seats) == ["Raw"] * 2 + ["hold"] * 5
        assert {seat["version"] for seat in seats} - {"1"} == {f"fill {number}" for number in range(1, 6)}


@pytest.mark.slow
async def test_a_child_that_dies_comes_back_to_its_power() -> None:
    async with serving() as served, filling(served, kept=1) as fill:
        await until(lambda: served.game.open_chairs == 1)
        watcher = await player(served)
        assert (await watcher.hear()).startswith("HLO")
        victim = children(fill)[0]
        os.kill(kept(victim), signal.SIGKILL)
        lost = (await watcher.hear_until("CCD"))[-1]
        assert (await watcher.hear_until("NOT"))[-1] == f"NOT ({lost})"
        await served.logged("hold (fill", "has failed", "exit code 137")
        await until(lambda: not served.game.vacant)
        assert len(children(fill)) == 6
        assert victim not in children(fill)


@pytest.mark.slow
async def test_a_child_that_always_fails_is_given_up_and_harms_nobody() -> None:
    async with serving() as served, filling(served, "--fail", kept=6):
        await served.logged("hold (fill 1) has failed: no such luck")
        await served.logged("hold (fill 1) is not started again")
        client = await served.client()
        assert await client.ask("MAP") == "MAP ('standard')"


async def test_before_the_game_began_children_are_told_to_end_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing else would tell them: each stage would wait for as long as it may."""
    monkeypatch.setattr("bordeaux.daide.server.fill.GRACE", 3600.0)

    async with serving() as served, filling(served, kept=5) as fill:
        await until(lambda: len(children(fill)) == 2)
        pids = children(fill)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.slow
async def test_in_a_resumed_game_they_take_their_own_powers_again() -> None:
    async with serving() as served, filling(served, kept=1):
        await until(lambda: served.game.open_chairs == 1)
        outside = await player(served)
        power = (await outside.hear()).split()[1].strip("()")
        saved = served.saves[-1]
    async with serving(ServerGame.resume(saved)) as again, filling(again, kept=1):
        await until(lambda: again.game.vacant == (power,))
        client = await again.client()
        assert (await client.ask(f"IAM ({power}) ({saved['daide']['seats'][power]['passcode']})")).startswith(
            "YES"
        )
        assert again.game.state == "running"


def test_who_does_not_exist_cannot_be_seated() -> None:
    with pytest.raises(BordeauxError, match="no player 'dumbot'; did you mean 'dumbbot'"):
        game = ServerGame(GameSettings())
        Fill("dumbot", game, Logbook(game, print))
