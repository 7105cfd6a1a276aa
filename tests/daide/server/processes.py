"""``bordeaux server`` as a process, with clients of bare sockets."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tests.patience import PATIENCE

from .wires import Client

__all__ = ["Server", "agree", "server"]


class Server:
    """A running ``bordeaux server``."""

    def __init__(self, process: asyncio.subprocess.Process, first: str) -> None:
        self.process = process
        self.first = first
        self.port = int(first.rpartition(":")[2])
        self.clients: list[Client] = []

    async def client(self) -> Client:
        client = await Client.connect(self.port)
        self.clients.append(client)
        await client.introduce()
        return client

    async def game(self, count: int = 7) -> dict[str, Client]:
        """Take chairs until the game begins; the clients by power."""
        table = {}
        clients = [await self.client() for _ in range(count)]
        for client in clients:
            client.say("NME ('Raw') ('1')", "YES (MAP ('standard'))")
        for client in clients:
            hello = (await client.hear_until("HLO"))[-1].split()
            client.power, client.passcode = hello[1].strip("()"), int(hello[2].strip("()"))
            await client.hear_until("NOW")
            table[client.power] = client
        return table

    async def end(self) -> tuple[int, str, str]:
        """Wait for the end: exit code, the rest of standard output, standard error."""
        out, err = await asyncio.wait_for(self.process.communicate(), PATIENCE)
        assert self.process.returncode is not None
        return self.process.returncode, out.decode(), err.decode()


@asynccontextmanager
async def server(*args: str, port: int = 0, stderr: int = subprocess.PIPE) -> AsyncIterator[Server]:
    """A server, with its first line read; it is killed if it is still there at the end."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "bordeaux", "server", "--port", str(port), *args),
        stdout=subprocess.PIPE,
        stderr=stderr,
    )
    assert process.stdout is not None
    made = None
    try:
        made = Server(process, (await asyncio.wait_for(process.stdout.readline(), PATIENCE)).decode())
        yield made
    finally:
        for client in made.clients if made else ():
            await client.close()
        if process.returncode is None:
            process.kill()
            await process.communicate()
        process._transport.close()  # type: ignore[attr-defined]


async def agree(table: dict[str, Client]) -> None:
    """End a game by a draw."""
    for client in table.values():
        client.say("DRW")
    for client in table.values():
        await client.hear_until("SMR")
        await client.close()
