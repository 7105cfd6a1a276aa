"""A server on loopback that follows a script, and keeps a log of all that was said.

A script is a coroutine that is given the `Talk` of one connection; a list of them serves one
connection each. `play` lets a bot play against them.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from bordeaux import BordeauxError, Map, Position
from bordeaux.daide import Bot, Ending, translate
from bordeaux.daide import language as d
from tests.patience import PATIENCE, run_steadily

RM = bytes.fromhex("01000000")
FM = bytes.fromhex("03000000")
VOCABULARY = d.Vocabulary.standard()
STANDARD = Map.standard()
START = Position.start()


class Said(NamedTuple):
    """A message as the log has it: who (C or S), when in seconds of the loop's clock, and what."""

    who: str
    at: float
    text: str


class Gone(Exception):
    """The client has closed the connection; its last frame was `last` (FM, EM or none)."""

    def __init__(self, last: bytes) -> None:
        super().__init__(last)
        self.last = last


class Talk:
    """One connection, from the server's side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, log: list[Said]) -> None:
        self.reader = reader
        self.writer = writer
        self.log = log
        self.time = asyncio.get_running_loop().time

    async def frame(self) -> tuple[int, bytes]:
        """The next frame: type and body."""
        try:
            kind, _, length = struct.unpack(">BBH", await self.reader.readexactly(4))
            body = await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError):
            raise Gone(b"") from None
        if kind in (3, 4):
            raise Gone(bytes([kind, 0, 0, length]) + body)
        return kind, body

    async def introduce(self, table: bytes = RM) -> None:
        """Take IM and answer it with RM."""
        kind, body = await self.frame()
        assert (kind, body) == (0, bytes.fromhex("0001DA10"))
        self.raw(table)

    def raw(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.writer.write(data)

    def say(self, *messages: d.Value | str) -> None:
        """Send messages."""
        for message in messages:
            tokens = d.tokens_from_text(message) if isinstance(message, str) else d.tokens(message)
            body = d.encode(tokens, VOCABULARY)
            self.log.append(Said("S", self.time(), d.text(tokens)))
            self.raw(struct.pack(">BBH", 2, 0, len(body)) + body)

    async def hear(self) -> str:
        """The client's next message as text."""
        kind, body = await self.frame()
        assert kind == 2
        text = d.text(d.tokens_from_bytes(body, VOCABULARY))
        self.log.append(Said("C", self.time(), text))
        return text

    async def until(self, begin: str) -> str:
        """Skip messages until one that begins so."""
        while True:
            text = await self.hear()
            if text.startswith(begin):
                return text

    async def orders(self) -> d.SUB:
        """The client's next orders, which are taken as they are."""
        message = d.read(await self.until("SUB"), level=0)
        assert isinstance(message, d.SUB)
        self.say(*(d.THX(order, "MBV") for order in message.orders))
        return message

    async def all_orders(self) -> None:
        """Take all that the client orders in a phase, until it says GOF, for which this server waits as that
        of the package diplomacy does: it sends MIS after every set."""
        while not (text := await self.hear()).startswith("GOF"):
            if text.startswith("SUB"):
                message = d.read(text)
                assert isinstance(message, d.SUB)
                self.say(*(d.THX(order, "MBV") for order in message.orders), "MIS")

    async def seat(self, power: str = "FRA", options: str = "(LVL 0)") -> None:
        """All that comes before the first phase: NME, the map, HLO."""
        await steps(*NAMED, f"HLO ({power}) (77) ({options})", end="leave")(self)

    def turn(self, position: Position = START, seconds: int | None = None) -> None:
        """Begin a phase."""
        self.say(translate.sco_of(position), translate.now_of(position))
        if seconds is not None:
            self.say(f"TME ({seconds})")

    def end(self) -> None:
        """End the game as a solo of Russia, with its summary."""
        self.say("SLO (RUS)", "SMR (FAL 1901) (RUS ('Bear') ('2') 18) (FRA ('Bordeaux') ('1') 0 1901)", "OFF")

    async def gone(self) -> bytes:
        """Wait until the client has closed; its last frame."""
        while True:
            try:
                await self.hear()
            except Gone as gone:
                return gone.last


Script = Callable[[Talk], Awaitable[None]]
Step = Position | tuple[Position, int] | d.Value | str | float | Callable[[], object]
NAMED = (
    "introduce",
    "?NME",
    "YES ({})",
    "MAP ('standard')",
    "?MDF",
    translate.mdf_of(STANDARD),
    "?YES (MAP ('standard'))",
)
"""A server of the standard map and a client that joins, up to the powers."""


def steps(*given: Step, end: str = "end") -> Script:
    """A server that takes steps, and then ends the game (`end`), waits until the client has gone (`wait`), or
    leaves. A position begins its phase, with its seconds if it has a limit; a number waits so many seconds.
    ``?SUB`` waits for a message that begins so, `orders` takes a set of orders, `all` those of the whole
    phase, and `introduce` the IM. All else is said, with what was heard last in the place of ``{}``."""

    async def script(talk: Talk) -> None:
        heard = ""
        for step in given:
            match step:
                case Position():
                    talk.turn(step)
                case (Position() as position, int() as seconds):
                    talk.turn(position, seconds)
                case float():
                    await asyncio.sleep(step)
                case "introduce":
                    await talk.introduce()
                case "orders":
                    await talk.orders()
                case "all":
                    await talk.all_orders()
                case str() if step.startswith("?"):
                    heard = await talk.until(step[1:])
                case str():
                    talk.say(step.replace("{}", heard))
                case _ if callable(step):
                    step()
                case _:
                    talk.say(step)
        if end == "end":
            talk.end()
        if end != "leave":
            await talk.gone()

    return script


def game(*given: Step, options: str = "(LVL 0)", end: str = "end") -> Script:
    """A game of France's from its chair on: see `steps`."""
    return steps(*NAMED, f"HLO (FRA) (77) ({options})", *given, end=end)


class Result(NamedTuple):
    """How it ended: an ending or an error, everything that was said, and the bot."""

    ending: Ending | None
    error: BordeauxError | None
    log: list[Said]
    bot: Bot

    def said(self, begin: str = "", who: str = "C") -> list[str]:
        """What one side said, as far as it begins so."""
        return [line.text for line in self.log if line.who == who and line.text.startswith(begin)]


def play(*scripts: Script, kind: type[Bot] = Bot, **options: object) -> Result:
    """Let a bot play against scripts, one for each of its connections."""
    result: Result = run_steadily(_play(scripts, kind, options))
    return result


async def _play(scripts: Sequence[Script], kind: type[Bot], options: dict[str, object]) -> Result:
    log: list[Said] = []
    waiting = list(scripts)
    running: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if not waiting:
            writer.close()
            return
        running.append(task)
        try:
            await waiting.pop(0)(Talk(reader, writer, log))
        except Gone:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    given = {"time": 0.2, "patience": PATIENCE, "comeback": 1.0, **options}
    bot = kind(f"127.0.0.1:{port}", **given)  # type: ignore[arg-type]
    ending = error = None
    try:
        async with asyncio.timeout(PATIENCE):
            try:
                ending = await bot.play()
            except BordeauxError as raised:
                error = raised
            # The first failure within a script is that of the test.
            await asyncio.gather(*running)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        server.close()
        await server.wait_closed()
    return Result(ending, error, log, bot)
