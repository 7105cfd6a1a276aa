"""Kill a running `bordeaux server` with -9 again and again, and see that no phase is lost.

    python tools/server_kills.py [--kills N] [--player NAME] [--seed N] [--bordeaux COMMAND]

Seven bots play a game on a server that saves it. At random times the server is killed and started again on
the same port with the same file. The bots reconnect by themselves, and a new observer connects. After every
kill the saved game must contain all that it contained before, with the same orders. It must contain every
position that the observer received, and the game must continue. Limited to loopback.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shlex
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from bordeaux.daide import language as d
from bordeaux.daide import translate, wire
from bordeaux.formats.games import read_games

PATIENCE = 120.0
PLAYERS = 7
BOT = """
import sys
from bordeaux.daide import PlayerBot

class Stubborn(PlayerBot):
    def draw(self):
        return None  # the game shall go on

Stubborn(sys.argv[1], sys.argv[2], seed=int(sys.argv[3])).run()
"""


class Watch(threading.Thread):
    """An observer that notes the phases that it is told, until the link ends."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.port = port
        self.told: list[str] = []
        self.start()

    def run(self) -> None:
        """Listen."""
        reader = wire.FrameReader("client")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)) as link:
            link.sendall(wire.im())
            for message in (d.OBS(), d.YES(d.MAP("standard"))):
                link.sendall(wire.dm(d.encode(message)))
            while data := link.recv(65536):
                for frame in reader.feed(data):
                    if isinstance(frame, wire.DM):
                        self._hear(d.tokens_from_bytes(frame.body))

    def _hear(self, tokens: d.Tokens) -> None:
        if tokens[0] == "NOW":
            message = d.read(tokens, side="server", level=d.HIGHEST)
            assert isinstance(message, d.NOW) and message.turn is not None
            self.told.append(str(translate.phase_of(message.turn)))


def started(command: str, port: int, path: Path, seed: int, log: Path) -> tuple[subprocess.Popen[str], int]:
    """A server, and its port; what it says is added to a file."""
    process = subprocess.Popen(
        [*shlex.split(command), "server", "--port", str(port), "--save", str(path), "--seed", str(seed)],
        stdout=subprocess.PIPE,
        stderr=log.open("a"),
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    return process, int(line.rpartition(":")[2])


def kept(path: Path) -> list[tuple[str, Any]]:
    """The phases that are saved with their orders, the last one without as it is being played."""
    if not path.exists():
        return []
    (game,) = read_games(path)
    return [(phase.name, phase.orders) for phase in game.phases]


def until(true: Any, what: str) -> None:
    """Wait until something is so."""
    begun = time.monotonic()
    while not true():
        if time.monotonic() > begun + PATIENCE:
            raise SystemExit(f"{what}: not within {PATIENCE:g} s")
        time.sleep(0.01)


def main() -> None:
    """Run it, and say how it went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=50, help="how often")
    parser.add_argument("--player", default="random", help="who plays")
    parser.add_argument("--seed", type=int, default=1, help="of the moments, and of the game")
    parser.add_argument("--bordeaux", default=f"{sys.executable} -P -m bordeaux", help="the command")
    parser.add_argument("--log", type=Path, default=Path(os.devnull), help="what the server says")
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        server, port = started(options.bordeaux, 0, path, options.seed, options.log)
        bots = [
            subprocess.Popen(
                [sys.executable, "-P", "-c", BOT, f"127.0.0.1:{port}", options.player, str(number)],
                stdout=subprocess.DEVNULL,
                stderr=options.log.open("a"),
            )
            for number in range(PLAYERS)
        ]
        try:
            before: list[tuple[str, Any]] = []
            slowest = 0.0
            for number in range(options.kills):
                watch, begun = Watch(port), time.monotonic()
                until(lambda: len(kept(path)) > len(before) + 1, f"after kill {number} the game goes on")  # noqa: B023
                slowest = max(slowest, time.monotonic() - begun)
                time.sleep(chance.uniform(0.0, 0.5))
                server.kill()
                server.communicate()
                watch.join(PATIENCE)
                now = kept(path)
                assert now[: max(0, len(before) - 1)] == before[:-1], "what was saved is as it was"
                missing = set(watch.told) - {name for name, _ in now}
                assert not missing, f"told and not saved: {missing}"
                assert watch.told or not number
                before = now
                print(f"kill {number + 1}: {len(now)} phases, to {now[-1][0]}", flush=True)
                server, port = started(options.bordeaux, port, path, options.seed, options.log)
            until(lambda: len(kept(path)) > len(before) + 1, "after the last kill the game goes on")
            left = list(Path(folder).glob("*.part")) + list(Path(folder).glob(".*.part"))
            print(
                f"{options.kills} kills, no phase lost; {len(kept(path))} phases played; back at play after"
                f" {slowest:.1f} s at most; files left over: {len(left)}"
            )
        finally:
            for process in (server, *bots):
                process.kill()
                process.wait()


if __name__ == "__main__":
    main()
