"""The command that plays on a DAIDE server."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from bordeaux.daide import Ending
from bordeaux.protocols.package import AccountSeat, JoinPlayerBot
from tests.cli.conftest import Run
from tests.daide.client.house import house
from tests.daide.client.scripted import START, Gone, Script, Talk, game
from tests.patience import PATIENCE
from tests.protocols.package.house import POWERS, House
from tests.protocols.package.house import house as package_house


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

    for options in ((), ("--player", "hold"), ("--player", "hold", "--name", "Ida")):
        with serving(ask) as address:
            assert run("bot", address, *options).exit_code == 2
    assert [name.split("') (")[0] for name in names] == ["NME ('Bordeaux", "NME ('hold", "NME ('Ida"]


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


@pytest.mark.slow
def test_the_example_plays_a_game() -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "daide_bot.py"
    with house(level=10, until=1902, seed=7) as served:
        served.seat(6)
        command = [sys.executable, str(example), served.address, "0.05"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("a draw of ") and run.stderr == ""


# The command that plays on a server of the package `diplomacy`.


async def players(where: House, powers: Sequence[str]) -> list[Ending]:
    """Players of this process, on the other chairs."""
    seats = (AccountSeat("127.0.0.1", where.port, "game", power, power.lower(), "secret") for power in powers)
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(*(JoinPlayerBot(seat, "dumbbot").play() for seat in seats))


@pytest.mark.slow
def test_two_commands_play_with_others_and_one_tells_in_json(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bordeaux", "join"]
    rest = ["--game", "game", "--player", "dumbbot"]
    surroundings = {**os.environ, "BORDEAUX_PASSWORD": "secret"}
    with package_house(tmp_path, "--until", "1901", "--deadline", "60") as where:
        playing = [
            subprocess.Popen(
                [*command, f"ws://127.0.0.1:{where.port}", *rest, "--power", power[:3].lower(), *form],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env=surroundings,
            )
            for power, form in zip(POWERS[:2], [("--json",), ()], strict=True)
        ]
        endings = asyncio.run(players(where, POWERS[2:]))
        outputs = [process.communicate(timeout=PATIENCE) for process in playing]
    assert {ending.kind for ending in endings} == {"draw"}
    assert [process.returncode for process in playing] == [0] * 2, outputs
    assert [err for _, err in outputs] == [""] * 2
    events = [json.loads(line) for line in outputs[0][0].splitlines()]
    assert events[0]["event"] == "game" and events[0]["power"] == "AUSTRIA"
    phases = [event for event in events if event["event"] == "phase"]
    assert phases[0]["name"] == "S1901M" and len(phases[0]["orders"]) == 3
    assert events[-1]["event"] == "end" and events[-1]["ending"] == "draw"
    lines = outputs[1][0].splitlines()
    assert lines[0] == "playing ENGLAND in game game, press level 0"
    assert lines[1].startswith("S1901M ENGLAND (3): ")
    assert lines[-1].startswith("a draw of ")
