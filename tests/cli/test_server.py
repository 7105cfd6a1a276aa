"""``bordeaux server`` as a process: its first line, its end, its interruption, and what it refuses."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from bordeaux.daide import wire
from bordeaux.formats.games import read_games
from tests.jobs.seen import alive, children
from tests.patience import PATIENCE

from ..daide.server.processes import agree, server
from ..daide.server.wires import Gone
from .conftest import Run, complaint


async def test_a_game_from_the_first_line_to_the_last(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async with server("--save", str(path), "--seed", "5", "--linger", "0.1") as served:
        assert served.first == f"listening on 127.0.0.1:{served.port}\n"
        assert not path.exists()
        table = await served.game()
        assert json.loads(path.read_text())["daide"]["state"] == "running"
        await agree(table)
        code, out, err = await served.end()
        assert (code, out) == (0, "")
        for words in ("client 1 connects", "S1901M: AUS 3", "the game is over: a draw of AUSTRIA"):
            assert words in err
        assert "Traceback" not in err
        game = next(read_games(path))
        assert [phase.name for phase in game.phases] == ["S1901M"]
        assert not list(tmp_path.glob(".*")), "nothing is left beside it"


@pytest.mark.slow
async def test_options_reach_the_clients() -> None:
    given = "--level 20 --mtl 60 --rtl 20 --btl 30 --dsd --aoa --pda --npr --npb --no-press-before 5"
    async with server(*given.split(), "--variant", "gulfs") as served:
        client = await served.client()
        client.say("OBS")
        assert await client.hear_until("MAP") == ["YES (OBS)", "MAP ('gulfs')"]
        client.say("YES (MAP ('gulfs'))")
        players = (await client.ask("MDF")).split("(")[1].split(")")[0].split()
        for _ in players:
            other = await served.client()
            other.say("NME ('Raw') ('1')", "YES (MAP ('gulfs'))")
        hello = (await client.hear_until("HLO"))[-1]
        assert hello == (
            "HLO (UNO) (0) ((LVL 20) (MTL 60) (RTL 20) (BTL 30) (DSD) (AOA) (PDA) (NPR) (NPB) (PTL 5))"
        )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
@pytest.mark.slow
async def test_told_to_stop_it_saves_and_says_how_to_go_on(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "game.json"

    async with server("--save", str(path), "--mtl", "600") as served:
        table = await served.game()
        assert (await table["FRA"].hear()) == "TME (600)"
        assert await table["FRA"].hear() == "SVE ('game')"
        assert (await table["FRA"].ask("SUB ((FRA AMY PAR) MTO BUR)")).startswith("THX")
        served.process.send_signal(number)
        for client in table.values():
            assert (await client.hear_until("OFF"))[-1] == "OFF"
            with pytest.raises(Gone) as gone:
                await client.hear()
            assert gone.value.args[0] == wire.FM()
            await client.close()
        code, out, err = await served.end()
        assert (code, out) == (128 + number, "")
        how = f"bordeaux server --port {served.port} --mtl 600 --save {path}"
        assert err.splitlines()[-1] == f"bordeaux: stopped in S1901M; to go on: {how}"
        assert json.loads(path.read_text())["daide"]["orders"] == {"FRA": ["(FRA AMY PAR) MTO BUR"]}


async def test_a_game_whose_end_could_not_be_saved_ends_with_exit_code_1(tmp_path: Path) -> None:
    path = tmp_path / "house" / "game.json"
    path.parent.mkdir()

    async with server("--save", str(path), "--linger", "0.1") as served:
        table = await served.game()
        shutil.rmtree(path.parent)
        await agree(table)
        code, _, err = await served.end()
        assert code == 1
        assert f"the game cannot be saved in {path}, and goes on: No such file" in err
        assert err.splitlines()[-1].startswith(f"bordeaux: --save {path}: the end of the game is not saved")


@pytest.mark.slow
async def test_nobody_need_read_what_it_says() -> None:
    async with server("--linger", "0.1", "--verbose") as served:
        assert served.process.stderr is not None
        served.process.stderr._transport.close()  # type: ignore[attr-defined]
        await agree(await served.game())
        assert await asyncio.wait_for(served.process.wait(), PATIENCE) == 0


@pytest.mark.slow
async def test_a_child_that_has_been_frozen_does_not_outlive_the_server() -> None:
    async with server("--fill", "hold", "--open", "6") as served:
        await served.game(6)
        (keeper,) = children(served.process.pid)
        (child,) = children(keeper)
        os.kill(child, signal.SIGSTOP)
        served.process.terminate()
        assert (await served.end())[0] == 143
        assert not alive(keeper) and not alive(child)


@pytest.mark.slow
async def test_players_of_ours_do_not_outlive_a_server_that_is_killed() -> None:
    async with server("--fill", "hold", "--open", "6") as served:
        await served.game(6)
        (keeper,) = children(served.process.pid)
        (child,) = children(keeper)
        served.process.kill()
        await served.process.wait()
        while alive(keeper) or alive(child):
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("wait", [0.0, 0.4])
@pytest.mark.slow
async def test_ctrl_c_while_players_of_ours_start_shows_no_traceback(wait: float) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "bordeaux", "server", "--port", "0"),
        *("--fill", "hold", "--open", "5"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert (await process.stdout.readline()).startswith(b"listening")
    while len(children(process.pid)) < 2:
        await asyncio.sleep(0.01)
    await asyncio.sleep(wait)
    begun = children(process.pid)
    # As a terminal does: to everybody in its foreground.
    os.killpg(process.pid, signal.SIGINT)
    _, err = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in err and b"KeyboardInterrupt" not in err and b"failed" not in err
    assert err.splitlines()[-1] == b"bordeaux: stopped before the game began"
    assert not any(map(alive, begun))


@pytest.mark.slow
async def test_passcodes_of_our_players_are_not_for_everybody_to_read(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async with server("--save", str(path)) as first:
        table = await first.game()
        codes = {power: client.passcode for power, client in table.items()}
        for client in table.values():
            await client.close()
        first.process.kill()
        await first.process.wait()
    async with server("--save", str(path), "--fill", "hold", "--open", "0") as second:
        while len(children(second.process.pid)) < 7:
            await asyncio.sleep(0.01)
        lines = [Path(f"/proc/{child}/cmdline").read_text() for child in children(second.process.pid)]
        assert not any(f"\0{code}\0" in line for line in lines for code in codes.values())
        assert all("--passcode" not in line for line in lines)
        watcher = await second.client()
        watcher.say("OBS", "YES (MAP ('standard'))")
        assert await watcher.hear_until("NOW (FAL 1901)"), "they have taken their powers"


def test_a_game_that_is_over_is_not_gone_on_with(run: Run, tmp_path: Path) -> None:
    from ..daide.server.scene import Scene

    scene = Scene.started()
    for power in scene.of:
        scene.say(power, "DRW")
    assert scene.game.state == "over"
    path = tmp_path / "over.json"
    path.write_text(json.dumps(scene.game.saved()))
    assert "is over" in complaint(run("server", "--port", "0", "--save", str(path)))
