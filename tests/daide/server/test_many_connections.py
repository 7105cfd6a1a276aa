"""How many connections a server takes, and how fast they may come."""

from __future__ import annotations

import asyncio

from bordeaux.daide import wire
from bordeaux.daide.server.limits import Limits, Rate

from .wires import run, serving

PATIENT = Limits()


def test_too_many_connections_are_refused() -> None:
    async def body() -> None:
        limits = PATIENT._replace(connections=5, connections_per_own_address=3)
        async with serving(limits=limits) as served:
            inside = [await served.client() for _ in range(3)]
            refused = await served.client(bare=True)
            refused.write(wire.im())
            assert await refused.last() == wire.FM()
            await served.logged("refused", "3 connections from this address")
            await inside[0].close()
            await served.logged("client 1", "is gone")
            assert await (await served.client()).ask("MAP") == "MAP ('standard')"

    run(body)


def test_connections_that_come_too_fast_are_refused() -> None:
    async def body() -> None:
        async with serving(limits=PATIENT._replace(arrivals=Rate(0.001, 4))) as served:
            for _ in range(4):
                await (await served.client()).close()
            refused = await served.client(bare=True)
            assert await refused.last() == wire.FM()
            await served.logged("refused", "too fast")

    run(body)


def test_a_hundred_clients_at_once() -> None:
    async def body() -> None:
        async with serving() as served:
            clients = await asyncio.gather(*(served.client() for _ in range(100)))
            answers = await asyncio.gather(*(client.ask("NME ('A') ('1')") for client in clients))
            assert sum(answer.startswith("YES") for answer in answers) == 7
            assert sum(answer.startswith("REJ") for answer in answers) == 93

    run(body)
