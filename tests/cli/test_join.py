"""The command that plays on a server of the package `diplomacy`."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bordeaux.daide import Ending
from bordeaux.protocols.package import AccountSeat, JoinPlayerBot
from tests.cli.conftest import Run
from tests.patience import PATIENCE
from tests.protocols.package.house import POWERS, House, house

SEAT = ("join", "127.0.0.1:1", "--game", "g", "--power", "FRANCE")


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
    with house(tmp_path, "--until", "1901", "--deadline", "60") as where:
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


def test_the_password_may_stand_in_a_file(run: Run, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("secret\n")
    assert "cannot connect" in run(*SEAT, "--password-file", str(key)).stderr
    key.write_text("\n")
    assert "the first line is empty" in run(*SEAT, "--password-file", str(key)).stderr
