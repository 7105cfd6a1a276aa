"""A server that is killed goes on where it was; bots that are killed get their powers back."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bordeaux.cli import main
from bordeaux.daide import language as d
from bordeaux.formats.games import read_games

from .processes import Server, agree, server
from .wires import Client, run

OPENING = {
    "FRA": "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY MAR) MTO SPA) ((FRA FLT BRE) MTO MAO)",
    "GER": "SUB ((GER AMY BER) MTO KIE) ((GER AMY MUN) MTO BUR) ((GER FLT KIE) MTO DEN)",
}


async def play_turn(table: dict[str, Client], special: dict[str, str]) -> dict[str, list[str]]:
    """One movement turn with some orders, and holds of the others; what everybody hears to its end."""
    for power, client in table.items():
        if power in special:
            client.say(special[power])
            continue
        client.say("MIS")
        missing = d.read((await client.hear_until("MIS"))[-1], side="server")
        assert isinstance(missing, d.MIS)
        client.say("SUB " + " ".join(f"(({unit.unit}) HLD)" for unit in missing.units or ()))
    return {power: await client.hear_until("NOW") for power, client in table.items()}


async def retake(served: Server, codes: dict[str, int]) -> dict[str, Client]:
    """Take powers over with their passcodes."""
    table = {}
    for power, code in codes.items():
        client = table[power] = await served.client()
        assert await client.ask(f"IAM ({power}) ({code})") == f"YES (IAM ({power}) ({code}))"
    return table


def test_a_server_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async def body() -> None:
        async with server("--save", str(path), "--level", "10") as first:
            table = await first.game()
            codes = {power: client.passcode for power, client in table.items()}
            messages = await play_turn(table, OPENING)
            results = sorted(line for line in messages["FRA"] if line.startswith("ORD"))
            assert any("(FRA AMY PAR) MTO BUR) (BNC)" in line for line in results)
            press = "SND (GER) (PRP (DRW))"
            table["FRA"].say(press)
            assert (await table["FRA"].hear_until("YES"))[-1] == f"YES ({press})"
            port = first.port
            first.process.kill()
            await first.process.wait()
        async with server("--save", str(path), "--linger", "0.1", port=port) as second:
            table = await retake(second, {power: codes[power] for power in list(codes)[:6]})
            last = list(codes)[6]
            stranger = await second.client()
            assert await stranger.ask("NME ('Late') ('1')") == "YES (NME ('Late') ('1'))"
            assert await stranger.hear() == "MAP ('standard')"
            await stranger.close()
            wrong = codes[last] % 8000 + 1
            thief = await second.client()
            assert await thief.ask(f"IAM ({last}) ({wrong})") == f"REJ (IAM ({last}) ({wrong}))"
            await thief.close()
            table |= await retake(second, {last: codes[last]})
            for client in table.values():
                assert (await client.hear_until("NOW"))[-1].startswith("NOW (FAL 1901)")
            france = table["FRA"]
            france.say("HST (SPR 1901)", "HLO")
            history = await france.hear_until("HLO")
            assert sorted(line for line in history if line.startswith("ORD")) == results
            assert history[-1] == f"HLO (FRA) ({codes['FRA']}) ((LVL 10))"
            messages = await play_turn(table, {})
            assert messages["TUR"][-1].startswith("NOW (WIN 1901)")
            await agree(table)
            code, _, err = await second.end()
            assert code == 0
            assert err.splitlines()[0][9:].startswith("the game goes on in F1901M with AUS (passcode ")
        game = next(read_games(path))
        assert [phase.name for phase in game.phases] == ["S1901M", "F1901M", "W1901A"]
        assert CliRunner().invoke(main, ["replay", str(path)]).exit_code == 0
        assert json.loads(path.read_text())["daide"]["state"] == "over"

    run(body)


@pytest.mark.slow
def test_killed_again_and_again_it_always_goes_on(tmp_path: Path) -> None:
    """Killed at whatever moment, the file is whole, and no turn that was told is lost."""
    path = tmp_path / "game.json.gz"

    async def body() -> None:
        codes: dict[str, int] = {}
        port = 0
        seen: list[str] = []
        for kill_after in (0.0, 0.001, 0.003, 0.01):
            async with server("--save", str(path), port=port) as served:
                port = served.port
                table = await (retake(served, codes) if codes else served.game())
                if codes:
                    for client in table.values():
                        now = (await client.hear_until("NOW"))[-1]
                        assert now.startswith(seen[-1])
                codes = {power: codes.get(power, client.passcode) for power, client in table.items()}
                messages = await play_turn(table, {})
                seen.append(messages["AUS"][-1][:14])
                for client in table.values():
                    client.say("MIS")
                await asyncio.sleep(kill_after)
                served.process.kill()
                await served.process.wait()
        names = [phase.name for phase in next(read_games(path)).phases]
        assert len(names) == 5

    run(body)


def test_a_game_may_go_on_without_those_who_do_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "game.json"

    async def body() -> None:
        async with server("--save", str(path)) as first:
            codes = {power: client.passcode for power, client in (await first.game()).items()}
            first.process.kill()
            await first.process.wait()
        async with server("--save", str(path), "--wait", "0.5", "--mtl", "600") as second:
            table = await retake(second, {"FRA": codes["FRA"]})
            heard = await table["FRA"].hear_until("TME")
            assert heard[-1] == "TME (600)", "options may be given anew"
            assert sorted(line for line in heard if line.startswith("CCD")) == [
                f"CCD ({power})" for power in sorted(codes) if power != "FRA"
            ]

    run(body)
