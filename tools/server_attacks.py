"""Attack a `bordeaux server` on loopback, and measure the effect on an honest client.

    python tools/server_attacks.py [--only NAME ...] [--seconds S] [--bordeaux COMMAND]

flood       99 connections of one address, each sending MDF frames as fast as it can, and not reading
reading     the same, but the answers are read
reconnect   10 connections a second that send 256 KB of MDF frames each, and stay for 6 s
silent      199 connections of two addresses that send IM and nothing more; then a player comes back
guesses     20 connections at a time that guess the passcode of a power that is being played

For each attack the tool measures how long an honest observer of another address waits for an answer. The
time is in seconds of the server's processor time and of the clock. The tool also reports the server's
memory. The attacks are limited to loopback and to the given time. They come from processes of low priority.
Linux only, for the figures in /proc.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import selectors
import shlex
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from bordeaux.cli.options import seconds
from bordeaux.cli.program import Script
from bordeaux.daide import language as d
from bordeaux.daide import wire

IM = wire.im()
MDF = wire.dm(d.encode(d.MDF()))
MAP = wire.dm(d.encode(d.MAP()))
OBS = wire.dm(d.encode(d.OBS()))
BLOB = MDF * 10_000
HONEST, ATTACKER, SECOND = "127.0.0.1", "127.0.0.2", "127.0.0.3"
PLAYERS = 7
NICE = 15
PATIENCE = 60.0


class Client:
    """A blocking client that speaks values of the language."""

    def __init__(self, port: int, source: str = HONEST) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
        self.frames = wire.FrameReader("client")
        self.waiting: list[wire.Frame | wire.WireFault] = []
        self.socket.sendall(IM)
        assert isinstance(self.frame(), wire.RM)

    def frame(self) -> wire.Frame | wire.WireFault:
        """The next frame. Raises EOFError if the server has closed the connection."""
        while not self.waiting:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError
            self.waiting += self.frames.feed(data)
        return self.waiting.pop(0)

    def hear(self, *kinds: type) -> d.Message:
        """The next message of one of some kinds, by default of any. Raises EOFError."""
        while True:
            frame = self.frame()
            if not isinstance(frame, wire.DM):
                raise EOFError
            message = d.read(d.tokens_from_bytes(frame.body), side="server", level=d.HIGHEST, lenient=True)
            if not kinds or isinstance(message, kinds):
                return message

    def close(self) -> None:
        """Close, even if another process has inherited the connection."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def say(self, message: d.Value) -> None:
        """Send a message."""
        self.socket.sendall(wire.dm(d.encode(message)))


class Server:
    """A server as a process; `processor` is the processor time of its main thread."""

    def __init__(self, command: str, *options: str) -> None:
        self.process = subprocess.Popen(
            [*shlex.split(command), "server", "--port", "0", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def processor(self) -> float:
        """Seconds."""
        return int(Path(f"/proc/{self.process.pid}/schedstat").read_text().split()[0]) / 1e9

    def memory(self) -> float:
        """The maximum of its resident memory in megabytes."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))

    def players(self) -> list[tuple[Client, str, int]]:
        """Seven players, once the game has begun, with power and passcode."""
        clients = [Client(self.port) for _ in range(PLAYERS)]
        for client in clients:
            client.say(d.NME("Honest", "1"))
            client.say(d.YES(d.MAP("standard")))
        players = []
        for client in clients:
            hello = client.hear(d.HLO)
            assert isinstance(hello, d.HLO) and hello.power and hello.passcode
            players.append((client, hello.power, hello.passcode))
        return players

    def end(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def attacking(attack: Callable[..., None], *args: object) -> Iterator[multiprocessing.Process]:
    """An attack that runs in a process of its own."""
    process = multiprocessing.Process(target=nicely, args=(attack, *args), daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.terminate()
        process.join()


def nicely(attack: Callable[..., None], *args: object) -> None:
    """Run an attack with low priority."""
    os.nice(NICE)
    attack(*args)


def connected(port: int, source: str) -> socket.socket | None:
    """A non-blocking connection; None if none is possible."""
    made = socket.socket()
    try:
        made.bind((source, 0))
        made.settimeout(5.0)
        made.connect(("127.0.0.1", port))
    except OSError:
        made.close()
        return None
    made.setblocking(False)
    return made


def flood(port: int, seconds: float, reads: bool) -> None:
    """99 connections that send as fast as they can."""
    selector = selectors.DefaultSelector()
    for _ in range(99):
        if (made := connected(port, ATTACKER)) is not None:
            made.sendall(IM)
            selector.register(made, selectors.EVENT_WRITE | (selectors.EVENT_READ if reads else 0))
    until = time.monotonic() + seconds
    places: dict[int, int] = {}
    while time.monotonic() < until and selector.get_map():
        for key, events in selector.select(0.1):
            open_one = key.fileobj
            assert isinstance(open_one, socket.socket)
            try:
                if events & selectors.EVENT_READ and not open_one.recv(65536):
                    raise OSError
                if events & selectors.EVENT_WRITE:
                    place = places.get(key.fd, 0)
                    sent = open_one.send(memoryview(BLOB)[place:])
                    places[key.fd] = (place + sent) % len(BLOB)
            except BlockingIOError:
                continue
            except OSError:
                selector.unregister(open_one)
                open_one.close()


def reconnect(port: int, seconds: float) -> None:
    """Ten connections a second that send 256 KB each."""
    until = time.monotonic() + seconds
    blob = (IM + MDF * 50_000)[: 256 * 1024]
    left: list[socket.socket] = []
    while time.monotonic() < until:
        made = connected(port, ATTACKER)
        if made is not None:
            with contextlib.suppress(OSError):
                made.send(blob)
            left.append(made)
        # A connection that is closed at once would take back what the server has not read.
        if len(left) > 60:
            left.pop(0).close()
        time.sleep(0.1)


def silent(port: int, seconds: float, count: int) -> None:
    """Connections that send IM and nothing more; each is made again when it is closed."""
    places: list[socket.socket | None] = [None] * count
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for number, made in enumerate(places):
            if made is not None:
                try:
                    heard = made.recv(4096)
                except BlockingIOError:
                    continue
                except OSError:
                    heard = b""
                if heard and not heard.endswith(wire.fm()):
                    continue
                made.close()
            made = places[number] = connected(port, SECOND if number % 2 else ATTACKER)
            if made is not None:
                with contextlib.suppress(OSError):
                    made.send(IM)
        time.sleep(0.05)


def guess(port: int, seconds: float, power: str, code: int, refused: object) -> None:
    """Twenty connections at a time, each trying five passcodes: four wrong ones and the right one."""
    until = time.monotonic() + seconds
    count = 0
    while time.monotonic() < until:
        made = [
            connection
            for connection in (connected(port, ATTACKER) for _ in range(20))
            if connection is not None
        ]
        for connection in made:
            connection.settimeout(2.0)
            codes = [code % 8000 + number for number in range(1, 5)] + [code]
            with contextlib.suppress(OSError):
                connection.sendall(IM + b"".join(wire.dm(d.encode(d.IAM(power, one))) for one in codes))
        for connection in made:
            count += refusals(connection, 5)
            connection.close()
        refused.value = count  # type: ignore[attr-defined]


def refusals(connection: socket.socket, most: int) -> int:
    """The number of REJ on a connection, until it is closed, silent for two seconds, or all have come."""
    reader, count = wire.FrameReader("client"), 0
    rejected = struct.pack(">H", d.Vocabulary.standard().codes["REJ"])
    try:
        while count < most and (data := connection.recv(65536)):
            for frame in reader.feed(data):
                count += isinstance(frame, wire.DM) and frame.body.startswith(rejected)
    except OSError:
        pass
    return count


def watch(server: Server, seconds: float, source: str = HONEST) -> str:
    """Ask repeatedly for the name of the map; returns the longest and the median time for the answer."""
    client = Client(server.port, source)
    client.say(d.OBS())
    client.hear(d.MAP)
    until = time.monotonic() + seconds
    waits: list[tuple[float, float]] = []
    while time.monotonic() < until:
        before, begun = server.processor(), time.monotonic()
        client.say(d.MAP())
        client.hear(d.MAP)
        waits.append((server.processor() - before, time.monotonic() - begun))
        time.sleep(0.05)
    used, clock = ([wait[which] for wait in waits] for which in (0, 1))
    client.close()
    return (
        f"{len(waits)} answers; server time {max(used):.3f} s at most, {sorted(used)[len(used) // 2]:.4f} s"
        f" in the middle; clock {max(clock):.2f} s at most; memory {server.memory():.0f} MB"
    )


def measure_flood(command: str, seconds: float, reads: bool = False) -> str:
    """The effect of a flood on an observer."""
    server = Server(command)
    try:
        with attacking(flood, server.port, seconds + PATIENCE, reads):
            return watch(server, seconds)
    finally:
        server.end()


def measure_reconnect(command: str, seconds: float) -> str:
    """The effect of reconnecting clients on an observer."""
    server = Server(command)
    try:
        with attacking(reconnect, server.port, seconds + PATIENCE):
            return watch(server, seconds)
    finally:
        server.end()


def measure_silent(command: str, seconds: float) -> str:
    """How soon a player with its passcode gets back in, while strangers hold all places."""
    server = Server(command)
    try:
        players = server.players()
        client, power, passcode = players[0]
        with attacking(silent, server.port, seconds + 2 * PATIENCE, 199):
            time.sleep(3.0)
            client.close()
            time.sleep(1.0)
            begun = time.monotonic()
            while time.monotonic() < begun + PATIENCE + 10.0:
                with contextlib.suppress(OSError, EOFError, AssertionError):
                    back = Client(server.port)
                    back.say(d.IAM(power, passcode))
                    if isinstance(back.hear(d.YES, d.REJ), d.YES):
                        return f"the player is back after {time.monotonic() - begun:.1f} s"
                time.sleep(0.5)
            return f"the player was refused for {PATIENCE + 10.0:g} s"
    finally:
        server.end()


def measure_guesses(command: str, seconds: float) -> str:
    """The number of answered guesses, and whether the owner gets its power back after them."""
    server = Server(command)
    refused = multiprocessing.Value("i", 0)
    try:
        client, power, passcode = server.players()[0]
        begun = time.monotonic()
        with attacking(guess, server.port, seconds, power, passcode, refused) as process:
            process.join(seconds + 2 * PATIENCE)
        took = time.monotonic() - begun
        client.close()
        time.sleep(0.5)
        back = Client(server.port)
        back.say(d.IAM(power, passcode))
        answer = type(back.hear(d.YES, d.REJ)).__name__
        count = f"{refused.value} refusals in {took:.0f} s ({refused.value / took:.1f} a second)"
        return f"{count}; the owner then hears {answer}"
    finally:
        server.end()


ATTACKS: dict[str, Callable[[str, float], str]] = {
    "flood": measure_flood,
    "reading": lambda command, seconds: measure_flood(command, seconds, True),
    "reconnect": measure_reconnect,
    "silent": measure_silent,
    "guesses": measure_guesses,
}


@click.command(cls=Script)
@click.option(
    "--only",
    type=click.Choice(list(ATTACKS)),
    multiple=True,
    default=list(ATTACKS),
    help="Which attack; may be repeated.",
)
@click.option("--seconds", "span", type=seconds, default=20.0, metavar="S", help="How long each lasts.")
@click.option("--bordeaux", metavar="COMMAND", help="What to attack.  [default: this Bordeaux]")
def main(only: tuple[str, ...], span: float, bordeaux: str | None) -> None:
    """Attack a server on loopback, and print a line for each attack."""
    command = bordeaux or shlex.join((sys.executable, "-P", "-m", "bordeaux"))
    for name in only:
        print(f"{name}: {ATTACKS[name](command, span)}", flush=True)


if __name__ == "__main__":
    main()
