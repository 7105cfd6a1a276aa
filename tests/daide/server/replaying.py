"""A recorded conversation with another server, held with ours, phase by phase."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

from bordeaux import Position
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import GameSettings, Send, ServerGame

from ..recorded import recorded
from .scene import dull
from .wires import Client, Served

__all__ = ["Names", "Phase", "Replay", "names_of", "phases", "seed_for"]

Names = dict[str, tuple[str, str]]
"""Name and version of the client that plays each power."""

NOTHING = d.HST(d.SeasonYear("WIN", 1800))
REFUSED = d.encode(d.REJ(NOTHING))


class Phase(NamedTuple):
    """What went over all connections up to the time limit (TME) of the next turn: requests in the order
    of the file, with their connection, and what each connection heard."""

    requests: list[tuple[str, d.Tokens]]
    heard: dict[str, list[d.Tokens]]


def phases(path: Path) -> list[Phase]:
    """A file, phase by phase; the first goes up to the first turn."""
    phases: list[Phase] = []
    at: Counter[str] = Counter()
    for message in recorded(path):
        if len(phases) == at[message.connection]:
            phases.append(Phase([], defaultdict(list)))
        phase = phases[at[message.connection]]
        if message.side == "client":
            phase.requests.append((message.connection, message.tokens))
        else:
            phase.heard[message.connection].append(message.tokens)
            at[message.connection] += message.tokens[0] == "TME"
    return phases


def names_of(path: Path) -> Names:
    """Who plays what, by the summary at the end of a file."""
    for message in recorded(path):
        if message.tokens[0] == "SMR":
            summary = d.read(message.tokens, side="server")
            assert isinstance(summary, d.SMR)
            return {line.power: (line.name, line.version) for line in summary.lines}
    raise AssertionError(f"{path} has no summary")


def seed_for(names: Names, order: list[tuple[str, str]], settings: GameSettings) -> int:
    """A seed with which clients who come in `order` are dealt powers as in `names`."""
    for seed in range(20_000):
        game = ServerGame(settings, seed=seed)
        dealt = {}
        for number, who in enumerate(order):
            game.connected(number, 0.0)
            game.received(number, d.tokens(d.NME(*who)), 0.0)
            for effect in game.received(number, d.tokens(d.YES(d.MAP("standard"))), 0.0):
                if isinstance(effect, Send) and isinstance(effect.message, d.HLO):
                    dealt[effect.message.power] = order[effect.client]
        if dealt == names:
            return seed
    raise AssertionError("no seed deals the powers like that")


class Replay:
    """Clients that say what the file has, and the bytes that they hear.

    After every request a client asks for something that is refused, so that all that the request has
    brought about is known before the next one goes out. `others` are clients for the powers that had
    none; they hold, disband and waive.
    """

    def __init__(self, served: Served, path: Path) -> None:
        self.served = served
        self.phases = phases(path)
        self.clients: dict[str, Client] = {}
        self.others: list[Client] = []
        self._heard: dict[Client, list[bytes]] = defaultdict(list)

    async def say(self, client: Client, *messages: d.Tokens) -> list[bytes]:
        """Say something; what the client has heard since it last spoke."""
        for message in (*messages, d.tokens(NOTHING)):
            client.write(wire.dm(d.encode(message)))
        heard = []
        while True:
            frame = await client.frame()
            assert isinstance(frame, wire.DM), frame
            if frame.body == REFUSED:
                break
            heard.append(frame.body)
        self._heard[client] += heard
        return heard

    async def join(self, others: list[tuple[str, str]]) -> None:
        """Take all chairs, as in the first phase, and learn who plays what."""
        for who in others:
            client = await self.served.client()
            await self.say(client, d.tokens(d.NME(*who)), d.tokens(d.YES(d.MAP("standard"))))
            self.others.append(client)
        arrived: dict[str, Client] = {}
        for connection, request in self.phases[0].requests:
            if connection not in arrived:
                arrived[connection] = await self.served.client()
            await self.say(arrived[connection], request)
        for client in (*arrived.values(), *self.others):
            await self.say(client)
            client.power = next(
                (hello.power or "" for hello in map(value, self._heard[client]) if isinstance(hello, d.HLO)),
                "",
            )
        for connection in arrived:
            power = next(t[2] for t in self.phases[0].heard[connection] if t[0] == "HLO")
            self.clients[connection] = next(c for c in arrived.values() if c.power == power)

    async def play(self) -> AsyncIterator[dict[str, list[bytes]]]:
        """Phase after phase, what each connection has heard.

        Between connections the network keeps no order, and ours processes a turn as soon as nobody
        owes orders or wants to wait: so first all say that they want to wait, and at the end that
        they do not, those last who wanted to. Powers that still owe orders then, which the other server
        did not mind, get dull ones.
        """
        yield await self._take()
        for phase in self.phases[1:]:
            last_go = {connection: at for at, (connection, said) in enumerate(phase.requests) if is_go(said)}
            first = [
                (connection, said)
                for at, (connection, said) in enumerate(phase.requests)
                if is_wait(said) or (is_go(said) and at != last_go[connection])
            ]
            then = [(connection, said) for connection, said in phase.requests if is_ordinary(said)]
            for connection, said in first + then:
                await self.say(self.clients[connection], said)
            if last_go:
                for client in (*self.others, *self.clients.values()):
                    await self._fill_in(client)
            waiting = {connection for connection, _ in first}
            for connection in sorted(last_go, key=waiting.__contains__):
                await self.say(self.clients[connection], ("GOF",))
            yield await self._take()

    async def _take(self) -> dict[str, list[bytes]]:
        heard = {}
        for connection, client in self.clients.items():
            await self.say(client)
            heard[connection] = self._heard.pop(client, [])
        return heard

    async def _fill_in(self, client: Client) -> None:
        await self.say(client)
        before = self._heard[client][:]
        missing = next(
            m for m in map(value, await self.say(client, d.tokens(d.MIS()))) if isinstance(m, d.MIS)
        )
        position: Position = self.served.game.position
        orders = dull(missing, client.power, position)
        if orders:
            await self.say(client, d.tokens_from_text(f"SUB {orders}"))
        self._heard[client] = before


def value(body: bytes) -> d.Value:
    """A message of the server as a value."""
    return d.read(d.tokens_from_bytes(body), side="server", level=8000)


def is_wait(request: d.Tokens) -> bool:
    return request[:3] == ("NOT", "(", "GOF")


def is_go(request: d.Tokens) -> bool:
    return request == ("GOF",)


def is_ordinary(request: d.Tokens) -> bool:
    return not is_wait(request) and not is_go(request)
