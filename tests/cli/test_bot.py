"""The command that plays on a DAIDE server."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.daide.client.house import house
from tests.daide.client.scripted import START, Gone, Script, Talk, game
from tests.patience import PATIENCE


@contextmanager
def serving(script: Script) -> Iterator[str]:
    """A scripted server for one client, in a thread of its own; its address."""
    ready: list[int] = []
    warned = threading.Event()
    failures: list[BaseException] = []

    async def main() -> None:
        served = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await script(Talk(reader, writer, []))
            except Gone:
                pass
            except BaseException as error:
                failures.append(error)
            finally:
                writer.close()
                served.set()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        ready.append(server.sockets[0].getsockname()[1])
        warned.set()
        async with asyncio.timeout(PATIENCE):
            await served.wait()
        server.close()
        await server.wait_closed()

    thread = threading.Thread(target=lambda: asyncio.run(main()))
    thread.start()
    assert warned.wait(PATIENCE)
    yield f"127.0.0.1:{ready[0]}"
    thread.join(PATIENCE)
    assert not thread.is_alive() and failures == []


def test_a_game_told_line_by_line(run: Run) -> None:
    """One phase, and a solo of somebody else."""
    fall = ("ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (SUC)", "NOW (FAL 1901) (FRA AMY BUR)")
    with serving(game(START, "all", *fall, "all", options="(LVL 10)")) as address:
        result = run("bot", address, "--nodes", "50", "--talk", "0.2", "--name", "Mirko")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [
        "playing FRANCE, passcode 77, press level 10",
        "S1901M FRANCE (3): A PAR - BUR",
        "RUSSIA wins alone in F1901M; FRANCE has 0 centres",
    ]


def test_the_name_is_that_of_the_player_unless_one_is_given(run: Run) -> None:
    names: list[str] = []

    async def ask(talk: Talk) -> None:
        await talk.introduce()
        names.append(await talk.hear())
        talk.say(f"REJ ({names[-1]})")
        await talk.gone()

    for options in ((), ("--player", "hold"), ("--player", "hold", "--name", "Ida", "--version", "7")):
        with serving(ask) as address:
            assert run("bot", address, *options).exit_code == 2
    assert [name.split("') (")[0] for name in names] == ["NME ('Bordeaux", "NME ('hold", "NME ('Ida"]
    assert names[2] == "NME ('Ida') ('7')"


def test_a_power_is_claimed_by_token_or_name(run: Run) -> None:
    claims: list[str] = []

    async def ask(talk: Talk) -> None:
        await talk.introduce()
        claims.append(await talk.hear())
        talk.say("OFF")
        await talk.gone()

    for power in ("fra", "FRANCE"):
        with serving(ask) as address:
            run("bot", address, "--power", power, "--passcode", "77")
    assert claims == ["IAM (FRA) (77)"] * 2


def test_no_server_is_one_line(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    result = run("bot", f"127.0.0.1:{port}")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"bordeaux: cannot connect to a server at 127.0.0.1:{port}")
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
def test_the_example_plays_a_game() -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "daide_bot.py"
    with house(level=10, until=1902, seed=7) as served:
        served.seat(6)
        command = [sys.executable, str(example), served.address, "0.05"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("a draw of ") and run.stderr == ""
