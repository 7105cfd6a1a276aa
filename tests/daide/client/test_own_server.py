"""Whole games on our own server, each side a process of its own where it matters."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bordeaux.daide import Bot, Ending, Table
from bordeaux.daide import language as d
from bordeaux.daide.client.link import Link
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
BORDEAUX = [sys.executable, "-m", "bordeaux"]
NODES = 60


@contextmanager
def server(*options: str) -> Iterator[str]:
    """The address of a server that runs as long as the block, and ends well with its game."""
    process = subprocess.Popen(
        [*BORDEAUX, "server", "--port", "0", "--seed", "7", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on "), line
        yield line.split()[-1]
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


async def watch(address: str, seen: list[str]) -> Table:
    """Follow a game as an observer; `seen` gets every message."""
    host, _, port = address.rpartition(":")
    link = await Link.open(host, int(port), 10.0)
    table = Table()
    link.send(d.OBS())
    try:
        while not table.off:
            tokens = await link.receive()
            seen.append(d.text(tokens))
            message = d.read(tokens, side="server", level=130)
            table.take(message, 0.0)
            match message:
                case d.MAP():
                    link.send(d.MDF())
                case d.MDF():
                    link.send(d.YES(d.MAP(table.map_name or "")))
    finally:
        await link.close()
    return table


async def started(address: str, *options: str) -> asyncio.subprocess.Process:
    """A bot in a process of its own."""
    return await asyncio.create_subprocess_exec(
        *BORDEAUX,
        "bot",
        address,
        "--nodes",
        str(NODES),
        "--talk",
        "0.5",
        *options,
        stdout=asyncio.subprocess.PIPE,
    )


async def line_of(process: asyncio.subprocess.Process) -> str:
    assert process.stdout is not None
    return (await process.stdout.readline()).decode()


async def killed_and_replaced(address: str) -> tuple[str, str]:
    """A bot that is killed after its first phase, and one that takes its power over; what the second
    says first and last."""
    first = await started(address)
    words = (await line_of(first)).split()
    power, passcode = words[1].rstrip(","), words[3].rstrip(",")
    await line_of(first)
    first.kill()
    await first.communicate()
    second = await started(address, "--power", power[:3], "--passcode", passcode)
    out, _ = await second.communicate()
    assert second.returncode == 0
    lines = out.decode().splitlines()
    assert lines[0].startswith(f"playing {power}, passcode {passcode}")
    return power, lines[-1]


async def whole_game(address: str, seen: list[str]) -> tuple[list[Ending], Table, tuple[str, str]]:
    async with asyncio.timeout(PATIENCE):
        watching = asyncio.create_task(watch(address, seen))
        await asyncio.sleep(0.2)
        bots = [Bot(address, nodes=NODES, seed=number, talk=0.5).play() for number in range(6)]
        replaced = asyncio.create_task(killed_and_replaced(address))
        endings = await asyncio.gather(*bots)
        return list(endings), await watching, await replaced


@pytest.mark.slow
def test_seven_bots_an_observer_and_a_power_taken_over(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    seen: list[str] = []
    limits = ("--until", "1901", "--mtl", "20", "--rtl", "20", "--btl", "20")
    with server("--open", "7", "--level", "10", "--save", str(saved), *limits) as address:
        endings, table, (power, last) = asyncio.run(whole_game(address, seen))
    first = endings[0]
    assert first.kind in ("solo", "draw")
    assert {(ending.kind, ending.powers, ending.phase) for ending in endings} == {
        (first.kind, first.powers, first.phase)
    }
    assert len({ending.power for ending in endings} | {power}) == 7
    assert last.startswith(str(first).split(";")[0])
    seen_by_observer = table.ending()
    assert seen_by_observer.powers == first.powers and seen_by_observer.centres == first.centres
    assert f"CCD ({power[:3]})" in seen and f"NOT (CCD ({power[:3]}))" in seen
    game = json.loads(saved.read_text("utf-8"))
    moves = {phase["name"] for phase in game["phases"]}
    assert {str(phase) for phase in table.played} <= moves


@pytest.mark.slow
def test_the_example_plays_a_game() -> None:
    with server("--fill", "hold", "--open", "1", "--level", "10", "--until", "1902") as address:
        run = subprocess.run(
            [sys.executable, str(ROOT / "examples" / "daide_bot.py"), address, "0.05"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("a draw of ") and run.stderr == ""
