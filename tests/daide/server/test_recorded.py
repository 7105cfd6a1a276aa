"""Conversations recorded with the DAIDE server of the package ``diplomacy``, held with ours.

The clients' requests are said again over sockets, phase by phase, and what they hear is compared byte
for byte: as often as the other server said a message, ours must say it, and nothing else. Where the
language leaves a server free, or where that server has a way of its own, both sides are first brought
to one form, by the functions below; what is free, and why:

- HLO: the passcode is chance. (The power is too: here each conversation is given the one that it had.)
- NOW and MIS list units, and MDF provinces, in any order. Where a unit may retreat to (MRT), the other
  at times lists places that are occupied, and then refuses the order.
- SCO: a power without centres may stand there without any. Ours sends it when the owners may have
  changed, as the language says; the other one after every turn, so that it must then say the same again.
- ORD: ours tells everybody all orders, as the language says, also those that units are given for want
  of one; the other tells a power its own. Its results know SUC and, for whatever goes wrong, NSO; it
  finds fault with the support of a move that fails for other reasons. It shows a move by convoy as
  ``MTO VIA``, and units that are supported or convoyed as the power's own, whosever they are.
- THX: of an order that is refused the other says NYU, whatever is wrong, and so it does of all that
  follow it in one message.
- MIS follows SUB and GOF if orders are missing; the other always sends it after SUB, with what was
  missing at first in retreats and adjustments. It is compared where it tells units to move.
- SLO and DRW: the other never says how the game has ended, nor in what position (NOW). OFF follows
  its summary at once; ours comes when the server closes.
- SMR: after a solo in Fall the other names the retreats that were played last, ours the Winter in which
  the game ends. The year of elimination is that of the last unit's removal for the one, of the next
  turn for the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bordeaux import Position
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server.orders import owner_of

from ..recorded import recorded, recorded_files
from .scene import dull
from .wires import Client, Served, serving

FILES = {path.stem: path for path in recorded_files()}
# The history that a client asks for comes on top of a game of its own: all of game_data_1.
GAMES = [name for name in FILES if name not in ("game_data_1_reject_map", "game_data_1")]

HIDDEN = (d.MIS, d.OFF, d.SLO, d.DRW, d.ORD, d.THX, d.SCO)
"""What is not compared as it stands, but by a function of its own."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.slow
async def test_the_same_game_again(name: str) -> None:
    path = FILES[name]
    others = {power: who for power, who in names_of(path).items() if who[0] != "Albert"}
    options: dict[str, Any] = {
        "level": 30 if name.endswith("press") else 0,
        "mtl": 300,
        "rtl": 300,
        "btl": 300,
    }

    async with serving(linger=60.0, **options) as served:
        replay = Replay(served, path)
        await replay.join(others)
        owners: dict[str, d.SCO] = {}
        number = 0
        async for heard in replay.play():
            for connection, bodies in replay.phases[number].heard.items():
                with_theirs = Comparison(
                    [d.read(tokens, side="server", level=8000, lenient=True) for tokens in bodies],
                    [value(body) for body in heard[connection]],
                    replay.clients[connection].power,
                    f"{name}, phase {number}, connection {connection}",
                )
                with_theirs.all(owners)
            number += 1
        assert number == len(replay.phases)
        assert served.game.state == "over"


async def test_a_map_that_is_refused() -> None:
    path = FILES["game_data_1_reject_map"]

    async with serving() as served:
        client = await served.client()
        for said in recorded(path):
            if said.side == "client":
                client.write(wire.dm(d.encode(said.tokens)))
                continue
            frame = await client.frame()
            assert isinstance(frame, wire.DM)
            if said.tokens[0] == "MDF":
                assert bare(value(frame.body)) == bare(value(d.encode(said.tokens)))
            else:
                assert frame.body == d.encode(said.tokens)
        assert await client.last() == wire.FM()


class Comparison(NamedTuple):
    """What one connection was told in one phase by the other server, and by ours."""

    theirs: list[d.Value]
    ours: list[d.Value]
    power: str
    where: str

    def all(self, owners: dict[str, d.SCO]) -> None:
        """Compare everything; `owners` holds the last SCO of ours for each power."""
        self.messages()
        self.notes()
        self.missing()
        self.orders()
        self.retreats()
        self.centres(owners)
        self.end()

    def of(self, kind: type[Any]) -> tuple[list[Any], list[Any]]:
        """The messages of a kind, theirs and ours."""
        return tuple(
            [value for value in values if isinstance(value, kind)] for values in (self.theirs, self.ours)
        )  # type: ignore[return-value]

    def messages(self) -> None:
        theirs, ours = (
            Counter(bare(value) for value in values if not isinstance(value, HIDDEN))
            for values in (self.theirs, self.ours)
        )
        if d.OFF() in self.theirs:
            ours -= Counter(bare(now) for now in self.of(d.NOW)[1])
        assert theirs == ours, f"{self.where}: {theirs - ours} not said, {ours - theirs} said instead"

    def notes(self) -> None:
        """The server thanks for every order in turn, with the same note, except for NYU."""
        theirs, ours = self.of(d.THX)
        assert [note.order for note in theirs] == [note.order for note in ours], self.where
        for their, our in zip(theirs, ours, strict=True):
            assert their.note in (our.note, "NYU"), f"{self.where}: {their}, {our}"

    def missing(self) -> None:
        theirs, ours = (
            [missing for missing in after_orders(values) if missing.units]
            for values in (self.theirs, self.ours)
        )
        asked = [
            {
                d.MIS(in_order(missing.units))
                for missing in values
                if missing.units is not None and all(unit.retreats is None for unit in missing.units)
            }
            for values in (theirs, ours)
        ]
        assert asked[0] == asked[1], self.where

    def orders(self) -> None:
        """Our ORD of this power are the other's, and what units are given for want of an order."""
        theirs, ours = self.of(d.ORD)
        mine = [ordered for ordered in ours if owner_of(ordered.order) == self.power]
        left = Counter(map(result, mine)) - Counter(map(result, theirs))
        assert Counter(map(result, theirs)) - Counter(map(result, mine)) == Counter(), self.where
        implied = [ordered.order for ordered in mine if result(ordered) in left]
        assert all(isinstance(order, d.HLD | d.DSB | d.WVE) for order in implied), f"{self.where}: {implied}"

    def retreats(self) -> None:
        """Where our NOW lets a unit go, the other's does too."""
        theirs, ours = (
            {(now.turn, unit): at for now in positions for unit, at in now.units}
            for positions in self.of(d.NOW)
        )
        for key, places in theirs.items():
            assert (ours[key] is None) == (places is None), self.where
            assert set(ours[key] or ()) <= set(places or ()), self.where

    def centres(self, owners: dict[str, d.SCO]) -> None:
        """Where ours says nothing of the owners, they are as it said last."""
        theirs, ours = ([owned(message) for message in messages] for messages in self.of(d.SCO))
        known = owners.get(self.power)
        if d.OFF() in self.theirs:
            assert not theirs
        elif len(theirs) > 1:  # answers to HST
            assert Counter(theirs) >= Counter(ours), self.where
        elif theirs and not ours:
            assert theirs == [known], self.where
        else:
            assert theirs == ours, self.where
        if ours:
            owners[self.power] = ours[-1]

    def end(self) -> None:
        if d.OFF() in self.theirs:
            last = [ending for ending in self.ours if isinstance(ending, d.SLO | d.DRW | d.SMR)]
            assert [type(ending) for ending in last] in ([d.SLO, d.SMR], [d.DRW, d.SMR]), self.where


def bare(message: d.Value) -> object:
    """A message as bytes, or as what is left of it when all that is free is taken away."""
    match message:
        case d.HLO(power, _, options):
            return d.encode(d.HLO(power, 0, options))
        case d.NOW(turn, units):
            return d.encode(
                d.NOW(turn, in_order(d.UnitAt(unit, None if at is None else ()) for unit, at in units))
            )
        case d.MDF(powers, centres, others, adjacencies):
            homes = frozenset((home.owner, frozenset(home.provinces)) for home in centres)
            return powers, homes, frozenset(others), frozenset(map(borders, adjacencies))
        case d.SMR(_, lines):
            return tuple((line.power, line.name, line.version, line.centres) for line in lines)
    return d.encode(message)


def in_order(units: Iterable[d.UnitAt]) -> tuple[d.UnitAt, ...]:
    """Units in one order for all servers."""
    return tuple(sorted(units, key=d.text))


def after_orders(values: list[d.Value]) -> list[d.MIS]:
    """What is missing after SUB: not what follows GOF, which only ours adds."""
    both = zip([None, *values], values, strict=False)
    return [message for before, message in both if isinstance(message, d.MIS) and before != d.YES(d.GOF())]


def borders(adjacency: d.Adjacency) -> object:
    """What a province borders on, in no order."""
    return adjacency.province, frozenset(
        (border.kind, border.coast, frozenset(border.places)) for border in adjacency.borders
    )


def owned(message: d.SCO) -> d.SCO:
    """The owners that own something."""
    return d.SCO(tuple(centre for centre in message.centres if centre.provinces))


def result(message: d.ORD) -> object:
    """An order, and whether it was carried out where both servers mean the same by that."""
    done = message.result == ("SUC",)
    match message.order:
        case d.SUP(unit, other, province):
            # Of a support to hold the other can be right only if nobody moved against the unit.
            return message.turn, "SUP", unit, other.place, province, done if province is None else None
        case d.CVY(unit, other, province):
            return message.turn, "CVY", unit, other.place, province, done
        case d.CTO(unit) | d.VIA(unit):
            return message.turn, "CTO", unit, done
    return message.turn, message.order, done


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

    async def join(self, others: Names) -> None:
        """Take all chairs, as in the first phase, each with the power that it had."""
        for power, who in others.items():
            client = await self._come(power)
            await self.say(client, d.tokens(d.NME(*who)), d.tokens(d.YES(d.MAP("standard"))))
            self.others.append(client)
        for connection, request in self.phases[0].requests:
            if connection not in self.clients:
                hello = next(said for said in self.phases[0].heard[connection] if said[0] == "HLO")
                self.clients[connection] = await self._come(str(hello[2]))
            await self.say(self.clients[connection], request)

    async def _come(self, power: str) -> Client:
        client = await self.served.client()
        client.power = self.served.game.wanted[len(self.served.clients)] = power
        return client

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
            then = [
                (connection, said)
                for connection, said in phase.requests
                if not (is_wait(said) or is_go(said))
            ]
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
