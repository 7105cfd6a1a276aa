"""Whole games on a real server of the package `diplomacy`, on loopback."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

import pytest
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application
from tornado.websocket import WebSocketHandler, WebSocketProtocol13

from bordeaux import Position
from bordeaux.daide import Ending
from bordeaux.daide import language as d
from bordeaux.daide.client import envoy
from bordeaux.daide.client.link import LinkError
from bordeaux.players.base import Turn
from bordeaux.protocols.package import AccountSeat, JoinBot, JoinPlayerBot
from bordeaux.protocols.package.gateway import Joining
from tests.daide.client.house import ended
from tests.patience import PATIENCE
from tests.protocols.package.house import POWERS, House, house


def seat(where: House, power: str, **rest: Any) -> AccountSeat:
    given = {"game": "game", "name": power.lower(), "password": "secret", **rest}
    return AccountSeat("127.0.0.1", where.port, power=power, **given)


class Noting(Joining):
    """Notes what it is told."""

    def begin(self) -> None:
        self.turns: list[Turn] = []
        self.lines: list[str] = []
        self.letters: list[tuple[str, str, str, d.Press | None]] = []

    def observe(self, turn: Turn) -> None:
        super().observe(turn)
        self.turns.append(turn)

    def tell(self, line: str) -> None:
        self.lines.append(line)

    def letter(self, sender: str, to: str, text: str, press: d.Press | None) -> None:
        self.letters.append((sender, to, text, press))


class Watched(Noting, JoinPlayerBot):
    """Plays as any player."""


def dumbbots(where: House) -> list[Watched]:
    return [Watched(seat(where, power), "dumbbot", seed=number) for number, power in enumerate(POWERS)]


@pytest.mark.slow
def test_seven_play_to_the_end_though_the_server_is_killed(tmp_path: Path) -> None:
    async def play(where: House) -> tuple[list[Watched], list[Ending]]:
        bots = dumbbots(where)
        playing = asyncio.ensure_future(ended(*bots))
        while not playing.done() and any(bot.table.turns < 2 for bot in bots):
            await asyncio.sleep(0.05)
        where.kill()
        await asyncio.sleep(0.5)
        await asyncio.to_thread(where.start)
        return bots, await playing

    with house(tmp_path, "--until", "1901", "--deadline", "20") as where:
        bots, endings = asyncio.run(play(where))
    assert {ending.kind for ending in endings} == {"draw"}
    assert [ending.power for ending in endings] == list(POWERS)
    assert all(ending.phase == "S1902M" for ending in endings)
    for bot in bots:
        assert any("trying again" in line for line in bot.lines)
        # The last time that each phase was played, it came to what we say it comes to.
        last = {turn.before.phase: turn for turn in bot.turns}
        assert len(last) >= 3
        for turn in last.values():
            if turn.before.phase.kind == "M":
                orders = {power: list(given) for power, given in turn.orders.items()}
                assert turn.before.next(orders).units == turn.after.units


class Tired(JoinBot):
    """Proposes a draw in every phase."""

    def draw(self, position: Position, power: str) -> d.DRW:
        return d.DRW()


@pytest.mark.slow
def test_a_draw_that_all_vote_for_ends_the_game(tmp_path: Path) -> None:
    with house(tmp_path, "--until", "1905", "--deadline", "20") as where:
        endings = asyncio.run(ended(*(Tired(seat(where, power), time=0.05) for power in POWERS)))
    assert {(ending.kind, ending.phase[1:5]) for ending in endings} <= {("draw", "1901"), ("draw", "1902")}


@pytest.mark.slow
def test_letters_are_carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Talks end after some calm, which a machine that is busy with other things keeps where it should not.
    monkeypatch.setattr(envoy, "MOST_CALM", 6.0)

    async def first_phase(bots: list[Watched]) -> None:
        playing = asyncio.ensure_future(ended(*bots))
        while not playing.done() and any(bot.table.turns < 2 for bot in bots):
            await asyncio.sleep(0.05)
        playing.cancel()
        await asyncio.wait([playing])

    with house(tmp_path, "--until", "1901", "--deadline", "60", "--press") as where:
        bots = [
            Watched(seat(where, power), "blabbot", seed=number, level=10, talk=40.0)
            for number, power in enumerate(POWERS)
        ]
        asyncio.run(first_phase(bots))
    carried = {
        (sender, bot.table.power)
        for bot in bots
        for sender, to, _, press in bot.letters
        if to == bot.table.power and press is not None
    }
    # A letter that comes after a talk has ended is not read, and who is slow on a busy machine sends such.
    for bot in bots:
        power = bot.table.power
        assert sum(reader == power for _, reader in carried) >= len(POWERS) // 2
        assert sum(sender == power for sender, _ in carried) >= len(POWERS) // 2
        assert [letter for letter in bot.letters if letter[3] is None] == []
    # Who is slow may find every neighbour's proposal there before its own, so not every power proposes.
    texts = [text for bot in bots for _, _, text, _ in bot.letters]
    assert any("proposes peace" in text for text in texts)
    assert any("says yes to the proposal of peace" in text for text in texts)


class Slow(Noting, JoinBot):
    """Thinks longer than there is time."""


@pytest.mark.slow
def test_orders_are_there_before_the_deadline(tmp_path: Path) -> None:
    with house(tmp_path, "--until", "1901", "--deadline", "6") as where:
        slow = Slow(seat(where, "FRANCE"), time=60.0)
        others = [bot for bot in dumbbots(where) if bot.seat.power != "FRANCE"]
        asyncio.run(ended(slow, *others))
    moves = [turn for turn in slow.turns if turn.before.phase.kind == "M"]
    assert len(moves) == 2
    for turn in moves:
        ordered = {order.location for order in turn.read()["FRANCE"]}
        assert ordered == set(turn.before.orderable()["FRANCE"])


def test_what_the_server_refuses(tmp_path: Path) -> None:
    refused: tuple[tuple[dict[str, Any], str], ...] = (
        ({"game": "other"}, "Invalid game ID"),
        ({"power": "NARNIA"}, "Invalid map power"),
        ({"name": "admin", "password": "no"}, "refuses 'admin'"),
    )
    with house(tmp_path) as where:
        for wrong, message in refused:
            bot = JoinBot(seat(where, "FRANCE")._replace(**wrong), nodes=50)
            with pytest.raises(LinkError, match=message):
                asyncio.run(ended(bot))


def test_nobody_is_there() -> None:
    with pytest.raises(LinkError, match="cannot connect"):
        asyncio.run(ended(JoinBot(AccountSeat("127.0.0.1", 1, "game", "FRANCE", "n", "p"), nodes=50)))


def test_a_server_that_goes_while_we_join() -> None:
    class Rude(WebSocketHandler):
        def on_message(self, message: str | bytes) -> None:
            self.close()

    async def join() -> None:
        sockets = bind_sockets(0, "127.0.0.1")
        server = HTTPServer(Application([("/", Rude)]))
        server.add_sockets(sockets)
        there = AccountSeat("127.0.0.1", sockets[0].getsockname()[1], "game", "FRANCE", "n", "p")
        try:
            async with asyncio.timeout(PATIENCE):
                await JoinBot(there, nodes=50, patience=10 * PATIENCE).play()
        finally:
            server.stop()

    with pytest.raises(LinkError, match="closed the connection"):
        asyncio.run(join())


def test_a_server_that_takes_no_goodbye_leaves_no_socket_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.protocols.package.connection.GOODBYE", 0.2)

    async def join() -> None:
        left = asyncio.Event()

        async def deaf(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """Shakes hands, and answers nothing more."""
            asked = (await reader.readuntil(b"\r\n\r\n")).decode()
            key = next(line.split()[1] for line in asked.splitlines() if line.startswith("Sec-Websocket-Key"))
            accepted = WebSocketProtocol13.compute_accept_value(key)
            writer.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Accept: {accepted}\r\n\r\n".encode()
            )
            await reader.read()
            writer.close()
            await writer.wait_closed()
            left.set()

        async with await asyncio.start_server(deaf, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(LinkError, match="no answer"):
                await JoinBot(AccountSeat("127.0.0.1", port, "game", "FRANCE", "n", "p"), patience=0.5).play()
            # The library itself would hang up some seconds later.
            streams = [kept for kept in gc.get_objects() if isinstance(kept, IOStream)]
            assert streams and all(stream.closed() for stream in streams)
            async with asyncio.timeout(PATIENCE):
                await left.wait()

    asyncio.run(join())


@pytest.mark.slow
def test_a_power_is_given_to_its_account_alone(tmp_path: Path) -> None:
    async def both(where: House) -> None:
        holder = JoinBot(seat(where, "FRANCE"), nodes=50)
        first = asyncio.ensure_future(holder.play())
        async with asyncio.timeout(PATIENCE):
            while holder.correspondence is None:
                await asyncio.sleep(0.05)
        try:
            with pytest.raises(LinkError, match="already controlled"):
                await JoinBot(seat(where, "FRANCE", name="thief"), nodes=50).play()
        finally:
            first.cancel()
            await asyncio.wait([first])

    with house(tmp_path) as where:
        asyncio.run(both(where))
