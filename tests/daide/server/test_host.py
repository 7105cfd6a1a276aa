"""The host: saving, clocks, the end, several at once, and faults of our own."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import Effect, GameSettings, ServerGame
from bordeaux.daide.server.host import Host
from bordeaux.daide.server.limits import Limits

from .wires import Client, Gone, hold, player, serving, started


async def test_a_phase_is_saved_before_anybody_hears_of_it() -> None:
    heard_before_saving: list[str] = []

    def save(game: dict[str, Any]) -> None:
        saved.append(game)
        sent = [c._transport.get_write_buffer_size() for c in served.host._sockets if c._transport]
        heard_before_saving.extend("bytes" for size in sent if size)

    saved: list[dict[str, Any]] = []
    async with serving(save=save) as served:
        table = await started(served)
        assert [phase["name"] for phase in saved[-1]["phases"]] == ["S1901M"]
        await hold(table.values())
        assert (await table["TUR"].hear_until("NOW"))[-1].startswith("NOW (FAL 1901)")
        assert [phase["name"] for phase in saved[-1]["phases"]] == ["S1901M", "F1901M"]
        assert len(saved) == 2
        json.dumps(saved)
    assert heard_before_saving == []


async def test_a_game_that_cannot_be_saved_goes_on() -> None:
    def fail(game: dict[str, Any]) -> None:
        raise OSError(28, "No space left on device")

    async with serving(save=fail) as served:
        table = await started(served)
        assert served.host.unsaved
        await served.logged("cannot be saved", "No space left")
        await hold(table.values())
        assert (await table["TUR"].hear_until("NOW"))[-1].startswith("NOW (FAL 1901)")


async def test_a_save_that_failed_is_tried_again_in_the_same_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.daide.server.host.SAVE_AGAIN", 0.01)
    saves: list[dict[str, Any]] = []

    def save(game: dict[str, Any]) -> None:
        saves.append(game)
        if len(saves) < 4:
            raise OSError(28, "No space left on device")

    async with serving(save=save) as served:
        await started(served)
        await served.logged("the game is saved again")
        assert not served.host.unsaved
        assert [[phase["name"] for phase in game["phases"]] for game in saves] == [["S1901M"]] * 4


async def test_deadlines_and_warnings_come_by_the_clock() -> None:
    async with serving(mtl=60, pace=100.0) as served:
        clients = [await player(served) for _ in range(7)]
        heard = await clients[0].hear_until("TME")
        assert heard[-1] == "TME (60)"
        assert await clients[0].ask("TME (20)") == "YES (TME (20))"
        warned = d.read(await clients[0].hear(), side="server")
        assert isinstance(warned, d.TME) and 0 < (warned.seconds or 0) <= 20
        assert (await clients[0].hear_until("NOW"))[-1].startswith("NOW (FAL 1901)")
        late = await clients[0].hear_until("TME")
        assert sorted(late[:-1]) == [f"CCD ({power})" for power in sorted(served.game.map.tags.values())]


async def test_stopping_sends_everybody_away_and_saves() -> None:
    async with serving() as served:
        stranger = await served.client()
        assert await stranger.ask("MAP") == "MAP ('standard')"
        table = await started(served)
        before = len(served.saves)
        served.host.stop()
        for client in (stranger, *table.values()):
            assert (await client.hear_until("OFF"))[-1] == "OFF"
            with pytest.raises(Gone) as gone:
                await client.hear()
            assert gone.value.args[0] == wire.FM()
        assert len(served.saves) == before + 1
        await served.logged("is gone", "the server stops")
        with pytest.raises(ConnectionError):
            await Client.connect(served.port)


async def test_a_client_that_does_not_listen_does_not_hold_up_the_end() -> None:
    async with serving(limits=Limits(farewell_seconds=0.1, system_bytes=4096)) as served:
        deaf = await served.client(buffer=4096)
        deaf.hear_nothing()
        deaf.say(*["MDF"] * 50)
        await deaf.writer.drain()
        calm = await served.client()
        assert await calm.ask("MAP") == "MAP ('standard')"
        served.host.stop()
        assert served.playing is not None
        assert await served.playing == "stopped"


async def test_a_port_that_is_taken_is_named() -> None:
    async with serving() as served:
        with pytest.raises(BordeauxError, match=f"127.0.0.1:{served.port}: Address already in use"):
            await Host(ServerGame()).listen("127.0.0.1", served.port)
    with pytest.raises(BordeauxError, match=r"cannot listen on no\.such\.host\.invalid:0"):
        await Host(ServerGame()).listen("no.such.host.invalid", 0)


class Faulty(ServerGame):
    """A game with a fault that a request for history brings out."""

    def received(self, client: int, tokens: d.Tokens, now: float) -> list[Effect]:
        if tokens[0] == "HST":
            raise ZeroDivisionError("a fault of ours")
        return super().received(client, tokens, now)


async def test_a_fault_of_ours_costs_one_client_its_connection() -> None:
    async with serving(Faulty(GameSettings(), seed=1), faults=1) as served:
        table = await started(served)
        assert "internal error" in await table["FRA"].ask("HST (SPR 1901)")
        assert await table["FRA"].last() == wire.FM()
        await served.logged("a fault of bordeaux", "ZeroDivisionError")
        assert await table["GER"].hear() == "CCD (FRA)"
        await hold(client for power, client in table.items() if power != "FRA")
        back = await served.client()
        assert (await back.ask(f"IAM (FRA) ({table['FRA'].passcode})")).startswith("YES")
        assert await back.ask("SUB ((FRA AMY PAR) HLD) ((FRA AMY MAR) HLD) ((FRA FLT BRE) HLD)")
        assert (await back.hear_until("NOW"))[-1].startswith("NOW (FAL 1901)")


class Late(ServerGame):
    """A game that cannot let time pass."""

    def tick(self, now: float) -> list[Effect]:
        raise ZeroDivisionError("a fault of ours")


async def test_a_fault_in_the_clock_does_not_spin() -> None:
    async with serving(Late(GameSettings(mtl=1), seed=1), faults=1, pace=20.0) as served:
        for _ in range(7):
            await player(served)
        await served.logged("a fault of bordeaux")
        for client in served.clients:
            assert (await client.hear_until("TME"))[-1] == "TME (1)"
        await asyncio.sleep(0.02)


async def test_the_log_shows_what_clients_write_without_obeying_it() -> None:
    async with serving(verbose=True) as served:
        client = await served.client()
        evil = "\x1b[2J\n\x07bell"
        tokens = d.tokens(d.NME(evil, "x" * 5000))
        client.write(wire.dm(d.encode(tokens)))
        await client.hear_until("MAP")
        line = await served.logged("client 1 is a player")
        assert r"\x1b[2J\n\x07bell" in line and len(line) < 300
        assert all(line.isprintable() for line in served.lines)
        await served.logged("1 < NME")
        await served.logged("1 > MAP ('standard')")
