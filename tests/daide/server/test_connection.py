"""What a connection must stand: rubbish at every stage, half messages, floods, clients that do not read."""

from __future__ import annotations

import asyncio
import struct

import pytest

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server.limits import Limits, Rate
from tests.daide.server.scene import Scene, place
from tests.daide.server.test_orders import WINTER
from tests.patience import PATIENCE

from .wires import Client, Served, serving, started

QUICK = Limits(introduction_seconds=0.1, stall_seconds=0.1, farewell_seconds=1.0)
PATIENT = Limits()
FAST = Rate(each_second=1_000_000, at_once=1_000_000)
SMALL = 4096
IM, NME = wire.im(), wire.dm(d.encode(d.NME("Raw", "1")))


def header(kind: int, length: int, pad: int = 0) -> bytes:
    return struct.pack(">BBH", kind, pad, length)


async def bystander(served: Served, buffer: int | None = None) -> Client:
    """Somebody who must not be disturbed."""
    client = await served.client(buffer=buffer)
    assert await client.ask("OBS") == "YES (OBS)"
    assert await client.hear() == "MAP ('standard')"
    return client


# All codes are in tests/daide/test_wire.py.
RUBBISH = {
    # name: bytes, the code that answers them, a word of the reason
    "http": (b"GET / HTTP/1.1\r\n\r\n", wire.UNKNOWN, "unknown type"),
    "swapped magic": (header(0, 4) + b"\x00\x01\x10\xda", wire.SWAPPED, "wrong order"),
    "a second IM later": (IM + NME + IM, wire.SECOND_IM, "second IM"),
    "a huge DM": (IM + header(2, 0xFFFE), wire.SHORT, "65534 bytes"),
    "a private token": (IM + wire.dm(b"\x58\x00"), wire.BAD_TOKEN, "token"),
}


@pytest.mark.parametrize("kind", RUBBISH)
async def test_rubbish_is_answered_with_its_code(kind: str) -> None:
    data, code, word = RUBBISH[kind]

    async with serving() as served:
        calm = await bystander(served)
        client = await served.client(bare=True)
        client.write(data + bytes(100))
        assert await client.code() == code
        line = await served.logged("client 2", "is gone", word)
        assert "a stranger" in line or "Raw" in line
        assert await calm.ask("MAP") == "MAP ('standard')"


async def test_a_token_that_nobody_knows_is_not_understood_and_harms_nobody() -> None:
    async with serving() as served:
        client = await bystander(served)
        client.write(wire.dm(b"\x48\x0c\xff\xff"))
        assert await client.hear() == "HUH (NME ERR 0xFFFF)"
        assert await client.ask("MAP") == "MAP ('standard')"


@pytest.mark.parametrize("before", [b"", IM, IM + NME], ids=["first", "introduced", "named"])
@pytest.mark.parametrize(
    "last", [wire.fm(), wire.em(3), header(3, 9), header(4, 0)], ids=["FM", "EM", "FM+", "EM-"]
)
async def test_who_says_goodbye_hears_nothing_more(before: bytes, last: bytes) -> None:
    async with serving() as served:
        client = await served.client(bare=True)
        client.write(before + last + IM)
        assert await client.last() is None
        await served.logged("client 1", "is gone", "goodbye" if last[0] == 3 else "error")


async def test_a_connection_that_says_nothing() -> None:
    async with serving(limits=QUICK) as served:
        calm = await served.client()
        for beginning in (b"", IM[:1], IM[:7]):
            client = await served.client(bare=True)
            client.write(beginning)
            assert await client.code() == wire.LATE
        await served.logged("client 3", "did not come in time")
        await asyncio.sleep(0.2)
        assert await calm.ask("MAP") == "MAP ('standard')", "one that is introduced may be silent"


@pytest.mark.parametrize("cut", [1, 3, 4, len(NME) - 1])
async def test_half_a_message_is_not_waited_for_long(cut: int) -> None:
    async with serving(limits=QUICK) as served:
        client = await served.client()
        client.write(NME + NME[:cut])
        assert await client.code() == wire.SHORT
        await served.logged("client 1", "Raw", "the rest of a message did not come")
        calm = await bystander(served)
        assert await calm.ask("MAP") == "MAP ('standard')"


async def test_the_clock_of_a_half_message_is_that_of_its_own_first_byte() -> None:
    async with serving(limits=QUICK._replace(stall_seconds=0.4)) as served:
        client = await served.client()
        request = wire.dm(d.encode(d.MAP()))
        for _ in range(8):
            client.write(request[:3])
            await asyncio.sleep(0.1)
            client.write(request[3:] + request[:2])
            assert await client.hear() == "MAP ('standard')"
            client.write(request[2:])
            assert await client.hear() == "MAP ('standard')"


async def test_who_leaves_in_the_middle_of_a_message_is_only_missed() -> None:
    async with serving() as served:
        table = await started(served)
        table["FRA"].write(wire.dm(d.encode(d.MIS()))[:5])
        await table["FRA"].writer.drain()
        await table["FRA"].close()
        for power in ("AUS", "ENG", "TUR"):
            assert await table[power].hear() == "CCD (FRA)"
        assert "middle of a message" in await served.logged("FRA (Raw", "is gone")
        assert (await table["AUS"].ask("MIS")).startswith("MIS (AUS")


async def test_a_flood_is_read_slowly_and_disturbs_nobody() -> None:
    limits = PATIENT._replace(messages=Rate(each_second=100, at_once=50))
    async with serving(limits=limits) as served:
        calm, flood = await bystander(served), await served.client()
        flood.say(*["MAP"] * 100)
        await served.logged("client 2", "read more slowly")
        for _ in range(20):
            assert await calm.ask("SCO")
        answered = [await flood.hear() for _ in range(100)]
        assert answered == ["MAP ('standard')"] * 100, "late, but all"


async def test_answers_count_too() -> None:
    limits = PATIENT._replace(messages=Rate(each_second=1000, at_once=40))
    async with serving(limits=limits) as served:
        client = await served.client()
        client.say(*["MAP"] * 20)
        for _ in range(20):
            await client.hear()
        client.say(*["MDF"] * 20)
        for _ in range(20):
            await client.hear()
        await served.logged("client 1", "read more slowly")


async def test_a_flood_of_press_reaches_nobody() -> None:
    limits = PATIENT._replace(press=Rate(each_second=0.001, at_once=5))
    async with serving(limits=limits, level=10) as served:
        table = await started(served)
        sent, talk = "SND (GER) (PRP (PCE (FRA GER)))", "ADM ('Raw') ('hello')"
        table["FRA"].say(*[sent] * 3, *[talk] * 2, sent, talk, "SND (GER) (PRP")
        heard = [await table["FRA"].hear() for _ in range(8)]
        assert heard == [f"YES ({sent})"] * 3 + [talk] * 2 + [
            f"REJ ({sent})",
            f"REJ ({talk})",
            "PRN (SND (GER) (PRP)",
        ]
        await served.logged("sends too much press")
        messages = [await table["GER"].hear() for _ in range(5)]
        assert messages == ["FRM (FRA) (GER) (PRP (PCE (FRA GER)))"] * 3 + [talk] * 2
        assert await table["GER"].ask("MAP") == "MAP ('standard')", "and no more"
        assert (await table["FRA"].ask("MIS")).startswith("MIS (FRA"), "orders are still heard"


async def test_who_asks_and_does_not_read_is_not_answered_for_ever() -> None:
    limits = PATIENT._replace(system_bytes=SMALL, unsent_pause=20_000, unsent_seconds=0.2, messages=FAST)
    async with serving(limits=limits) as served:
        calm, deaf = await bystander(served), await served.client(buffer=SMALL)
        deaf.hear_nothing()
        deaf.say(*["MDF"] * 1000)
        line = await served.logged("client 2", "is gone")
        assert "has not read" in line
        assert await calm.ask("MAP") == "MAP ('standard')"


async def test_who_reads_again_hears_everything() -> None:
    limits = PATIENT._replace(system_bytes=SMALL, unsent_pause=20_000, messages=FAST)
    async with serving(limits=limits) as served:
        client = await served.client(buffer=SMALL)
        client.hear_nothing()
        client.say(*["MDF"] * 100, "MAP")
        await asyncio.sleep(0.2)
        client.hear_again()
        for _ in range(100):
            assert (await client.hear()).startswith("MDF (")
        assert await client.hear() == "MAP ('standard')"


async def test_what_others_cause_is_not_kept_for_ever_either() -> None:
    limits = PATIENT._replace(
        system_bytes=SMALL, unsent_bytes=100_000, messages=FAST, press=FAST, network_talk=FAST
    )
    async with serving(limits=limits) as served:
        loud, deaf = await bystander(served), await bystander(served, SMALL)
        deaf.hear_nothing()
        talk = f"ADM ('Raw') ('{'x' * 10_000}')"
        for _ in range(1000):
            if not any("does not read" in line for line in served.lines):
                assert await loud.ask(talk) == talk
        assert "100000 bytes" in await served.logged("client 2", "does not read")


async def test_who_goes_on_sending_after_the_end_is_cut_off() -> None:
    async with serving(limits=PATIENT._replace(farewell_seconds=PATIENCE)) as served:
        client = await served.client(bare=True)
        client.write(header(5, 0))
        assert await client.code() == wire.UNKNOWN
        with pytest.raises(ConnectionError):
            for _ in range(1_000):
                client.write(bytes(65_536))
                await client.writer.drain()


def results(scene: Scene) -> list[str]:
    return [message.partition(") ")[2] for message in scene.hears("TUR") if message.startswith("ORD")]


def test_an_illegal_order_holds_and_may_be_dislodged() -> None:
    position = place(
        "NOW (SPR 1905) (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (GER AMY MUN)"
        " SCO (FRA PAR) (GER MUN) (ENG LON) (UNO VIE)"
    )
    scene = Scene.started(position=position, aoa=True)
    scene.say("GER", "SUB ((GER AMY BUR) MTO LON) ((GER AMY MUN) SUP (GER AMY BUR) MTO LON)")
    scene.say("FRA", "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)")
    assert results(scene) == [
        "((FRA AMY PAR) MTO BUR) (SUC)",
        "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR) (SUC)",
        "((GER AMY BUR) MTO LON) (FAR RET)",
        "((GER AMY MUN) SUP (GER AMY BUR) MTO LON) (FAR)",
    ]


def test_an_illegal_attack_cuts_nothing_and_supports_nobody() -> None:
    position = place(
        "NOW (SPR 1905) (FRA AMY PAR) (FRA AMY PIC) (ENG FLT NTH) SCO (FRA PAR) (ENG LON) (UNO VIE)"
    )
    scene = Scene.started(position=position, aoa=True)
    scene.say("FRA", "SUB ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR) ((FRA AMY PAR) HLD)")
    scene.say("ENG", "SUB ((ENG FLT NTH) MTO PIC)")
    assert results(scene) == [
        "((ENG FLT NTH) MTO PIC) (FAR)",
        "((FRA AMY PAR) HLD) (SUC)",
        "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR) (NSO)",
    ]


def test_adjustments() -> None:
    scene = Scene.started(position=WINTER, aoa=True)
    assert scene.say("FRA", "SUB ((FRA AMY SPA) BLD) ((FRA AMY MAR) BLD) ((FRA AMY PAR) BLD)") == [
        "THX ((FRA AMY SPA) BLD) (MBV)",
        "THX ((FRA AMY MAR) BLD) (MBV)",
        "THX ((FRA AMY PAR) BLD) (NMB)",
    ]
    assert scene.say("RUS", "SUB ((RUS AMY MOS) BLD) ((RUS FLT MOS) BLD) ((RUS AMY WAR) BLD)") == [
        "THX ((RUS AMY MOS) BLD) (MBV)",
        "THX ((RUS FLT MOS) BLD) (MBV)",
        "THX ((RUS AMY WAR) BLD) (MBV)",
    ]
    assert scene.say("RUS", "SUB ((RUS AMY MOS) HLD)")[0] == "THX ((RUS AMY MOS) HLD) (NRS)"
    assert scene.say("ITA", "SUB ((ITA AMY ROM) BLD)")[0] == "THX ((ITA AMY ROM) BLD) (NMB)"
    assert scene.say("ENG", "SUB ((FRA AMY MAR) REM)")[0] == "THX ((FRA AMY MAR) REM) (NYU)"
    scene.say("ENG", "SUB ((ENG FLT NTH) REM)")
    assert results(scene) == [
        "((ENG FLT NTH) REM) (SUC)",
        "((FRA AMY SPA) BLD) (HSC)",
        "((FRA AMY MAR) BLD) (ESC)",
        "((RUS AMY MOS) BLD) (SUC)",
        "((RUS FLT MOS) BLD) (CST)",
        "((RUS AMY WAR) BLD) (YSC)",
    ]
    assert len(scene.game.position.units_of("FRANCE")) == 3
    assert [str(unit) for unit in scene.game.position.units_of("RUSSIA")] == ["A MOS"]
