"""DAIDE clients that behave well and badly, as a script: ``python guests.py HOW HOST PORT [FILE]``.

What they hear goes to FILE, a message a line.
"""

from __future__ import annotations

import itertools
import socket
import sys
import time
from pathlib import Path

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.tokens import Vocabulary

WORDS = Vocabulary.standard()


class Client:
    """The bare link of a client; `log` gets what it hears as text."""

    def __init__(self, host: str, port: str, log: str | None) -> None:
        self.socket = socket.create_connection((host, int(port)))
        self.reader = wire.FrameReader("client")
        self.socket.sendall(wire.im())
        self.log = log
        self.frames: list[object] = []

    def say(self, text: str) -> None:
        self.socket.sendall(wire.dm(d.encode(d.read(text), WORDS)))

    def hear(self) -> object:
        """The next message as a value; ends with the connection."""
        while True:
            while not self.frames:
                data = self.socket.recv(65536)
                if not data:
                    sys.exit(0)
                self.frames += self.reader.feed(data)
            frame = self.frames.pop(0)
            if isinstance(frame, wire.FM):
                sys.exit(0)
            if isinstance(frame, wire.DM):
                message = d.read(WORDS.decode(frame.body), side="server")
                if self.log is not None:
                    with Path(self.log).open("a") as log:
                        print(message, file=log)
                return message

    def until(self, kind: type) -> object:
        while True:
            message = self.hear()
            if isinstance(message, kind):
                return message


def hold(client: Client, power: str, now: d.NOW) -> None:
    """Order every unit of a power to hold, or to disband where it must retreat."""
    for unit, retreats in now.units:
        if unit.power == power:
            client.say(f"SUB (({unit}) {'HLD' if retreats is None else 'DSB'})")


def main(how: str, host: str, port: str, log: str | None = None) -> None:
    """`dead` dies first, `shy` connects and says nothing, and `refuse` does not accept the map.

    The others come to the table: `mute` gives no orders, `crash` dies when asked, `garbage` sends bytes
    that are no frames, `nonsense` messages that mean nothing, `leave` says goodbye, `hold` holds, `wait`
    holds and wants to wait for the deadline. `frail` dies in the first turn of its first life and in the
    second of its second, counting lives in FILE, and `partial` orders one unit.
    """
    if how == "dead":
        sys.exit("no such world")
    lives = 0
    if how == "frail" and log is not None:
        with Path(log).open("a+") as file:
            file.write("x")
            lives = file.tell()
        log = None
    client = Client(host, port, log)
    if how == "shy":
        time.sleep(60)
    client.say("NME ('Guest') ('1')")
    name = client.until(d.MAP)
    if how == "refuse":
        client.say(f"REJ ({name})")
        time.sleep(60)
    client.say("MDF")
    client.say(f"YES ({name})")
    hello = client.until(d.HLO)
    assert isinstance(hello, d.HLO) and hello.power is not None
    for turns in itertools.count(1):
        now = client.until(d.NOW)
        assert isinstance(now, d.NOW)
        match how:
            case "crash":
                sys.exit("out of ideas")
            case "garbage":
                client.socket.sendall(b"GET / HTTP/1.1\r\n\r\n")
            case "nonsense":
                client.socket.sendall(wire.dm(WORDS.encode(("YES", "(", "SUB", "FRA", "NOT"))))
                client.socket.sendall(wire.dm(WORDS.encode(("FRA", "(", "ENG", ")"))))
                client.say("DRW")
            case "leave":
                client.socket.sendall(wire.fm())
            case "wait":
                client.say("NOT (GOF)")
                hold(client, hello.power, now)
            case "partial":
                client.say(f"SUB (({hello.power} AMY PAR) HLD) (({hello.power} AMY LON) HLD)")
            case "frail":
                if lives < 3 and turns == lives:
                    sys.exit("out of breath")
                hold(client, hello.power, now)
            case "hold":
                hold(client, hello.power, now)


if __name__ == "__main__":
    main(*sys.argv[1:])
