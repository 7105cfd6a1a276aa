"""A server on a loopback port and clients of bare sockets, all in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import GameSettings, ServerGame
from bordeaux.daide.server.host import Host
from bordeaux.daide.server.limits import Limits
from tests.patience import PATIENCE

__all__ = ["Client", "Gone", "Served", "hold", "player", "serving", "started", "until"]


async def until(true: Callable[[], object]) -> None:
    """Wait for something."""
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.005)


class Gone(Exception):
    """The server has closed the connection; the argument is FM, EM or None for nothing at all."""


class Client:
    """A connection that says and hears DAIDE text, or whatever bytes it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self._frames: list[wire.Frame | wire.WireFault] = []
        self._cutter = wire.FrameReader("client")
        self.vocabulary = d.Vocabulary.standard()
        self.power = ""
        self.passcode = 0

    def hear_nothing(self) -> None:
        """Read nothing more of what comes, until `hear_again`."""
        assert isinstance(self.writer.transport, asyncio.Transport)
        self.writer.transport.pause_reading()

    def hear_again(self) -> None:
        """Read on."""
        assert isinstance(self.writer.transport, asyncio.Transport)
        self.writer.transport.resume_reading()

    @classmethod
    async def connect(cls, port: int, buffer: int | None = None) -> Client:
        """A new connection, on which nothing has been said; `buffer` is how many bytes the system
        takes in before the client has read them."""
        # With the protocol named asyncio turns Nagle's delays off: 40 ms a message.
        connected = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if buffer is not None:
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connected.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(connected, ("127.0.0.1", port))
        except BaseException:
            connected.close()
            raise
        return cls(*await asyncio.open_connection(sock=connected, limit=buffer or 65536))

    async def introduce(self) -> None:
        """Say IM, hear RM."""
        self.write(wire.im())
        answer = await self.frame()
        assert isinstance(answer, wire.RM)
        self.vocabulary = d.Vocabulary.from_rm(answer.body)

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    def say(self, *texts: str) -> None:
        for text in texts:
            self.write(wire.dm(d.encode(d.tokens_from_text(text), self.vocabulary)))

    async def frame(self) -> wire.Frame | wire.WireFault:
        """The next frame. Raises Gone when there is none."""
        async with asyncio.timeout(PATIENCE):
            while not self._frames:
                data = await self.reader.read(65536)
                if not data:
                    raise Gone(None)
                self._frames += self._cutter.feed(data)
        return self._frames.pop(0)

    async def hear(self) -> str:
        """The next message. Raises Gone with what the server closes with."""
        frame = await self.frame()
        if isinstance(frame, wire.DM):
            return d.text(d.tokens_from_bytes(frame.body, self.vocabulary))
        raise Gone(frame)

    async def hear_until(self, beginning: str) -> list[str]:
        """All messages up to the first with this beginning, that one included."""
        heard = [await self.hear()]
        while not heard[-1].startswith(beginning):
            heard.append(await self.hear())
        return heard

    async def ask(self, text: str) -> str:
        """Say something and hear the next message."""
        self.say(text)
        return await self.hear()

    async def last(self) -> wire.Frame | wire.WireFault | None:
        """What the server closes with, messages before it left out; None for nothing."""
        try:
            while True:
                frame = await self.frame()
                if isinstance(frame, wire.FM | wire.EM):
                    return frame
                assert isinstance(frame, wire.RM | wire.DM)
        except (Gone, ConnectionError):
            return None

    async def code(self) -> int:
        """The code of the EM that the server closes with."""
        last = await self.last()
        assert isinstance(last, wire.EM), last
        return last.code

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()


class Served:
    """A host that is playing, its port, and what it has logged and saved."""

    def __init__(self, game: ServerGame, **rest: Any) -> None:
        self.lines: list[str] = []
        self.saves: list[dict[str, Any]] = []
        rest.setdefault("save", self._keep)
        rest.setdefault("linger", 0.2)
        self.game = game
        self.host = Host(game, log=self.lines.append, **rest)
        self.port = 0
        self.clients: list[Client] = []
        self.playing: asyncio.Task[Any] | None = None

    async def client(self, *, bare: bool = False, buffer: int | None = None) -> Client:
        """One more connection, introduced unless `bare`; it is closed with the server."""
        client = await Client.connect(self.port, buffer)
        self.clients.append(client)
        if not bare:
            await client.introduce()
        return client

    def _keep(self, game: dict[str, Any]) -> None:
        """Keep what is saved: of a long game the first two and the last two, as each holds the whole."""
        self.saves.append(game)
        del self.saves[2:-2]

    async def logged(self, *words: str) -> str:
        """The first line of the log that has all the words; waits until there is one."""

        def said() -> list[str]:
            return [line for line in self.lines if all(word in line for word in words)]

        await until(said)
        return said()[0]


@contextlib.asynccontextmanager
async def serving(
    game: ServerGame | None = None,
    *,
    limits: Limits | None = None,
    faults: int = 0,
    seed: int = 1,
    **rest: Any,
) -> AsyncIterator[Served]:
    """A server for a test; settings of a game and options of the host go into `rest`."""
    known = GameSettings.__dataclass_fields__.keys() - {"save"}
    settings = {name: rest.pop(name) for name in tuple(rest) if name in known}
    served = Served(game or ServerGame(GameSettings(**settings), seed=seed), limits=limits, **rest)
    address = await served.host.listen()
    served.port = int(address.rpartition(":")[2])
    served.playing = playing = asyncio.create_task(served.host.play())
    try:
        yield served
        assert len(served.host.faults) == faults, served.host.faults
    finally:
        for client in served.clients:
            await client.close()
        served.host.stop()
        await playing


async def player(served: Served, name: str = "Raw") -> Client:
    """A client that has taken a chair and the map."""
    client = await served.client()
    assert await client.ask(f"NME ('{name}') ('1')") == f"YES (NME ('{name}') ('1'))"
    named = await client.hear()
    client.say(f"YES ({named})")
    return client


async def started(served: Served) -> dict[str, Client]:
    """A client for every power in a game that has just begun."""
    clients = [await player(served, f"Raw{number + 1}") for number in range(served.game.open_chairs)]
    table = {}
    for client in clients:
        hello = d.read(await client.hear(), side="server", vocabulary=client.vocabulary)
        assert isinstance(hello, d.HLO) and hello.power and hello.passcode
        client.power, client.passcode = hello.power, hello.passcode
        assert (await client.hear()).startswith("SCO")
        assert (await client.hear()).startswith("NOW (SPR ")
        table[hello.power] = client
    return table


async def hold(clients: Iterable[Client]) -> None:
    """Let all units hold; every order has been taken then, as connections do not wait for each other."""
    for client in clients:
        client.say("MIS")
        missing = d.read((await client.hear_until("MIS"))[-1], side="server", vocabulary=client.vocabulary)
        assert isinstance(missing, d.MIS) and missing.units
        client.say("SUB " + " ".join(f"(({unit.unit}) HLD)" for unit in missing.units))
        await client.hear_until("THX")
