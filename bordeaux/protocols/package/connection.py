"""The parts of the package's client library in use: a connection, an account on the server, and a game.

A lost connection ends here. The library's own reconnection uses the token of the old connection. A server
that was killed may not know that token any more, and then the library waits for ever. To continue, a caller
opens another connection, signs in and joins again: the power belongs to the account, not to the connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.daide.client.link import LinkError, LinkLost

#: The port of the package's servers.
PORT = 8432
_ADDRESS = re.compile(r"(?:(wss?|https?)://)?(\[[0-9A-Fa-f:.]+\]|[^\s:/\[\]]+)(?::(\d{1,5}))?/?")


class AccountSeat(NamedTuple):
    """A power of a game on a server, and the account that plays it; the server creates unknown accounts.
    `game_password` is that of the game, if it has one. With `secure` the connection is encrypted."""

    host: str
    port: int
    game: str
    power: str
    name: str
    password: str
    game_password: str | None = None
    secure: bool = False

    @property
    def address(self) -> str:
        """``HOST:PORT``, for error messages."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def place_of(text: str) -> tuple[str, int, bool]:
    """Host, port, and whether the connection is encrypted, of ``HOST``, ``HOST:PORT``, ``ws://HOST:PORT`` or
    ``wss://HOST:PORT``. Raises BordeauxError."""
    match = _ADDRESS.fullmatch(text.strip())
    port = int(match[3] or PORT) if match else 0
    if match is None or not 0 < port < 65536:
        raise BordeauxError(
            f"{quote(text)} is no address of a server; write HOST:PORT like 127.0.0.1:{PORT}, or wss://HOST"
        )
    return match[2].strip("[]"), port, match[1] in ("wss", "https")


#: Seconds between pings, and to wait for the answer to one.
PING, PONG = 20.0, 15.0
#: Bytes of the longest message: a game of many years with all its messages.
LONGEST = 64 << 20
#: Seconds for the server to receive the closing message.
GOODBYE = 1.0


class TooLate(LinkError):
    """The request belongs to a phase or a game that is over."""


class JoinedGame(NamedTuple):
    """The result of joining: the library's game, a call that closes the connection, and whether the power is
    played or only watched, because it is eliminated or the game is over."""

    game: Any
    close: Callable[[], Awaitable[None]]
    plays: bool


def require() -> None:
    """Raise BordeauxError if the package is not installed. Its log is suppressed; the caller reports
    errors."""
    try:
        importlib.import_module("diplomacy.client.connection")
    except ImportError:
        raise BordeauxError(
            "playing on a server of the package diplomacy takes that package: "
            "pip install 'bordeaux-diplomacy[join]'"
        ) from None
    logging.getLogger("diplomacy").setLevel(logging.CRITICAL)


def _connection(seat: AccountSeat, lost: Callable[[str], None]) -> Any:
    """A connection of the library that calls `lost`, once, when it ends."""
    from diplomacy.client.connection import Connection
    from tornado.websocket import websocket_connect

    class Plain(Connection):  # type: ignore[misc]
        """Without the library's own reconnection."""

        __slots__ = ()

        async def _connect(self, message: str | None = None) -> None:
            self.connection = await websocket_connect(  # type: ignore[misc]
                self.url, ping_interval=PING, ping_timeout=PONG, max_message_size=LONGEST
            )
            self.connection_count += 1
            self.is_connecting.set()

        async def listen(self) -> None:
            """Receive from the server until the connection ends."""
            reason = f"{seat.address} closed the connection"
            try:
                while (message := await self.connection.read_message()) is not None:
                    await self._on_socket_message(message)
            except Exception as error:
                # The library has many assertions about messages. A new connection recovers from all of them.
                reason = f"{seat.address} sent what cannot be taken: {type(error).__name__}: {error}"
            lost(reason)

    return Plain(f"[{seat.host}]" if ":" in seat.host else seat.host, seat.port, seat.secure)


async def enter(
    seat: AccountSeat, patience: float, lost: Callable[[str], None], *, returning: bool
) -> JoinedGame:
    """Connect, sign in and join the game, with at most `patience` seconds for each; `lost` is called when the
    connection ends afterwards. With `returning`, a power that is eliminated by now, or a game that is over,
    is watched.

    Raises LinkLost if there is no answer, LinkError if the server refuses.
    """
    require()
    gone: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def ended(reason: str) -> None:
        gone.set_result(reason)
        lost(reason)

    connection = _connection(seat, ended)
    listening: asyncio.Task[None] | None = None
    stream: Any = None

    async def close() -> None:
        try:
            if connection.connection is not None:
                connection.connection.close()
            if listening is not None:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(GOODBYE):
                        await asyncio.shield(listening)
        finally:
            # A server that takes no goodbye must not leave a socket open here, nor must a loop that ends.
            if stream is not None:
                stream.close()
            if listening is not None:
                listening.cancel()

    try:
        async with asyncio.timeout(patience):
            await connection._connect()
    except TimeoutError:
        raise LinkLost(f"no server answers at {seat.address} within {patience:g} s") from None
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise LinkLost(f"cannot connect to a server at {seat.address}: {reason}") from None
    # The library forgets its stream when the other side says goodbye.
    stream = connection.connection.protocol.stream
    listening = asyncio.create_task(connection.listen())
    try:
        channel = await answer(connection.authenticate(seat.name, seat.password), seat, patience, gone)
        joined = {"game_id": seat.game, "registration_password": seat.game_password}
        try:
            game = await answer(channel.join_game(power_name=seat.power, **joined), seat, patience, gone)
        except LinkError:
            if not returning:
                raise
            game = await answer(channel.join_game(**joined), seat, patience, gone)
            return JoinedGame(game, close, False)
        return JoinedGame(game, close, True)
    except BaseException:
        await close()
        raise


async def answer(
    asked: Awaitable[Any], seat: AccountSeat, patience: float, gone: asyncio.Future[str] | None = None
) -> Any:
    """The answer of the server. Raises LinkError if it refuses (TooLate if the phase is over), LinkLost if it
    does not answer, or if `gone` reports the end of the connection."""
    from diplomacy.utils.exceptions import DiplomacyException

    # Given up, a request goes on: the library logs what becomes of a cancelled one.
    request = asyncio.ensure_future(asked)
    request.add_done_callback(lambda done: done.cancelled() or done.exception())
    waiting: set[asyncio.Future[Any]] = {request} if gone is None else {request, gone}
    await asyncio.wait(waiting, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
    if not request.done():
        silent = f"{seat.address} gives no answer within {patience:g} s"
        raise LinkLost(gone.result() if gone is not None and gone.done() else silent)
    try:
        return request.result()
    except DiplomacyException as error:
        late = type(error).__name__ in ("GamePhaseException", "GameFinishedException")
        late = late or str(error).startswith("Invalid order phase")
        meaning = " ".join(str(error).split())
        raise (TooLate if late else LinkError)(
            f"{seat.address} refuses {quote(seat.name)} as {seat.power} in game {quote(seat.game)}: {meaning}"
        ) from None
    except Exception as error:
        raise LinkLost(f"{seat.address}: {type(error).__name__}: {error}") from None
