"""Seven engines play a game on the server of the PyPI package `diplomacy`, on loopback.

    python tools/package_server.py [--time S] [--deadline S] [--until YEAR] [--players A,B,...]
    python tools/package_server.py --serve [--deadline S] [--until YEAR] [--press]
    python tools/package_server.py --websocket FOLDER [--port P] [--deadline S] [--until YEAR] [--press]

Every engine is a process of its own. The output has the result, the years played, and the numbers of orders
accepted and refused. It also has the time between the last orders of a phase and the deadline. With --serve
the server waits for seven external DAIDE clients; its first line gives the address. With --websocket
clients use the package's own protocol (`bordeaux join`), and the game is named `game`. The server then
keeps its data in FOLDER. Killed and restarted on the same port, it continues the game, which ends as a draw
after the last year. Needs `diplomacy` 1.1.2.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import click

from bordeaux.cli.options import seconds, whole
from bordeaux.cli.program import Script
from bordeaux.daide import Bot, PlayerBot
from bordeaux.daide import language as d

SEATS = 7
GAME = "game"


def package() -> Any:
    """Load the package, without what takes long for a game of some seconds: a second for every password, and
    searches for garbage among the convoys of all its maps. Returns its server, which loads no list of all
    maps, as convoys on some take minutes to prepare, and opens no DAIDE port on all addresses."""
    import bcrypt

    salt = bcrypt.gensalt
    bcrypt.gensalt = lambda *_: salt(4)
    gc.disable()
    from diplomacy import Server

    gc.freeze()
    gc.enable()
    logging.getLogger("diplomacy").setLevel(logging.CRITICAL)

    class Alone(Server):  # type: ignore[misc]
        __slots__ = ()

        def _load_available_maps(self) -> None:
            pass

        def start_new_daide_server(self, game_id: str, port: int | None = None) -> None:
            pass

    return Alone


async def host(
    folder: str,
    deadline: int,
    until: int,
    listening: Callable[[int], None],
    rules: tuple[str, ...] = ("NO_PRESS",),
    seats: int = SEATS,
) -> dict[str, Any]:
    """Serve one game for so many clients, until it ends or a year is over; returns the result.

    `listening` is called with the port. The package would listen on all addresses and choose a port from 8000
    to 8999; here its DAIDE server gets a socket on loopback.
    """
    server = package()(server_dir=folder)
    from diplomacy.daide.server import Server as DaideServer
    from diplomacy.server.notifier import Notifier
    from diplomacy.server.server_game import ServerGame
    from diplomacy.utils import strings
    from tornado.ioloop import IOLoop
    from tornado.netutil import bind_sockets

    server.set_tasks(IOLoop.current())
    game = ServerGame(
        server=server,
        map_name="standard",
        n_controls=seats,
        deadline=deadline,
        rules=[*rules, "IGNORE_ERRORS", "POWER_CHOICE", "CIVIL_DISORDER"],
    )
    server.games[game.game_id] = game
    daide = DaideServer(server, game.game_id)
    sockets = bind_sockets(0, "127.0.0.1")
    port = sockets[0].getsockname()[1]
    daide.add_sockets(sockets)
    server.daide_servers[port] = daide
    listening(port)
    while not game.is_game_completed and not over(game.get_current_phase(), until):
        await asyncio.sleep(0.1)
    state = game.get_state()
    phases = len(game.state_history)
    if not game.is_game_completed:
        game.set_status(strings.CANCELED)
        Notifier(server).notify_game_status(game)
    await asyncio.sleep(0.5)
    server.stop_daide_server(None)
    centres = {power: len(owned) for power, owned in state["centers"].items()}
    return {"phase": state["name"], "phases": phases, "centres": centres}


async def host_websocket(
    folder: str,
    port: int,
    deadline: int,
    until: int,
    backup: int,
    listening: Callable[[int], None],
    rules: Sequence[str],
) -> None:
    """Serve the game `game` over the package's websocket on loopback, for ever; data are saved to the folder
    every `backup` seconds. After the year `until` the game is drawn."""
    server = package()(server_dir=folder, backup_delay_seconds=backup)
    from diplomacy.server.connection_handler import ConnectionHandler
    from diplomacy.server.notifier import Notifier
    from diplomacy.server.server_game import ServerGame
    from tornado.httpserver import HTTPServer
    from tornado.ioloop import IOLoop
    from tornado.netutil import bind_sockets
    from tornado.web import Application

    server.set_tasks(IOLoop.current())
    if not server.has_game_id(GAME):
        rules = [*rules, "IGNORE_ERRORS", "POWER_CHOICE"]
        game = ServerGame(
            server=server, game_id=GAME, map_name="standard", n_controls=SEATS, deadline=deadline, rules=rules
        )
        server.add_new_game(game)
        server.save_game(game)
        server.backup_now(force=True)
    application = Application([(r"/", ConnectionHandler, {"server": server})], cookie_secret="none")
    sockets = bind_sockets(port, "127.0.0.1")
    HTTPServer(application).add_sockets(sockets)
    listening(sockets[0].getsockname()[1])
    while True:
        await asyncio.sleep(0.05)
        game = server.games.get(GAME)
        if game is not None and game.is_game_active and over(game.get_current_phase(), until):
            before, after = game.draw()
            await server.unschedule_game(game)
            await Notifier(server).notify_game_processed(game, before, after)
            server.save_game(game)


def announce(port: int) -> None:
    """Print the address of the server."""
    print(f"listening on 127.0.0.1:{port}", flush=True)


def over(phase: str, until: int) -> bool:
    """Whether a phase lies after the last year to play."""
    return phase[1:5].isdecimal() and int(phase[1:5]) > until


class Watched:
    """A bot that counts the notes on its orders and records how early the last ones are."""

    def begin(self) -> None:
        """Start counting."""
        self.notes: Counter[str] = Counter()
        self.refused: list[str] = []
        self.late = 0
        self.left: list[float] = []
        super().begin()  # type: ignore[misc]

    def heard(self, message: d.Value) -> None:
        """Count notes on orders, and late sets."""
        match message:
            case d.THX(order, note):
                self.notes[note] += 1
                if note != "MBV":
                    self.refused.append(f"{self.table.phase} {order}")  # type: ignore[attr-defined]
            case d.REJ(d.SUB()):
                self.late += 1

    def sent(self, message: d.Value) -> None:
        """Record the time that is left at GOF, which follows the last orders of a movement phase."""
        table = self.table  # type: ignore[attr-defined]
        moving = table.phase is not None and table.phase.kind == "M" and table.owes(table.power)
        if isinstance(message, d.GOF) and table.deadline is not None and moving:
            self.left.append(table.deadline - asyncio.get_running_loop().time())


class WatchedBot(Watched, Bot):
    """The engine, with these counts."""


class WatchedPlayerBot(Watched, PlayerBot):
    """Another player, with these counts."""


def play(port: int, player: str, number: int, seconds: float, answers: Any) -> None:
    """The work of one bot's process."""
    address = f"127.0.0.1:{port}"
    options: dict[str, Any] = {"time": seconds, "seed": number, "patience": 60.0}
    bot: Any
    if player == "bordeaux":
        bot = WatchedBot(address, **options)
    else:
        bot = WatchedPlayerBot(address, player, **options)
    ending = bot.run()
    answers.put((ending.to_json(), dict(bot.notes), bot.refused, bot.late, bot.left))


@click.command(cls=Script)
@click.option("--time", "span", type=seconds, default=1.0, metavar="S", help="Seconds to think in a phase.")
@click.option("--deadline", type=whole(1, 10**6), default=5, metavar="S", help="The server's deadline.")
@click.option("--until", type=whole(1901, 9999), default=1920, metavar="YEAR", help="The last year to play.")
@click.option("--players", default=",".join(["bordeaux"] * SEATS), metavar="A,B,...", help="Seven players.")
@click.option("--serve", is_flag=True, help="Start no bots; print the port.")
@click.option("--websocket", metavar="FOLDER", help="Speak as the package does; data in FOLDER.")
@click.option(
    "--port",
    type=whole(0, 65_535),
    default=0,
    metavar="N",
    help="With --websocket: where; 0 for any free port.",
)
@click.option(
    "--backup",
    type=whole(1, 10**6),
    default=1,
    metavar="S",
    help="With --websocket: seconds between savings.",
)
@click.option("--strict", is_flag=True, help="Put out who misses a deadline.")
@click.option("--press", is_flag=True, help="Allow press, at level 30.")
@click.option(
    "--seats", type=whole(1, SEATS), default=SEATS, metavar="N", help="With --serve: clients to wait for."
)
def main(
    span: float,
    deadline: int,
    until: int,
    players: str,
    serve: bool,
    websocket: str | None,
    port: int,
    backup: int,
    strict: bool,
    press: bool,
    seats: int,
) -> None:
    """Play one game on the server of the package diplomacy, and print what came of it."""
    rules = () if press else ("NO_PRESS",)
    if websocket:
        rules = rules if strict else (*rules, "CIVIL_DISORDER")
        asyncio.run(host_websocket(websocket, port, deadline, until, backup, announce, rules))
        return
    if serve:
        with tempfile.TemporaryDirectory() as folder:
            result = asyncio.run(host(folder, deadline, until, announce, rules, seats))
        print(json.dumps(result), flush=True)
        return
    context = multiprocessing.get_context("spawn")
    answers: Any = context.Queue()
    processes: list[Any] = []

    def listening(port: int) -> None:
        for number, player in enumerate(players.split(",")):
            process = context.Process(target=play, args=(port, player, number, span, answers))
            process.start()
            processes.append(process)

    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(host(folder, deadline, until, listening, rules))
    reports = [answers.get(timeout=30) for _ in processes]
    for process in processes:
        process.join(10)
    notes = sum((Counter(report[1]) for report in reports), Counter())
    left = sorted(fault for report in reports for fault in report[4])
    result |= {
        "seconds": round(time.monotonic() - begun, 1),
        "endings": Counter(report[0]["ending"] for report in reports),
        "notes": notes,
        "refused": [fault for report in reports for fault in report[2]][:20],
        "late": sum(report[3] for report in reports),
        "left_least": round(left[0], 3) if left else None,
        "left_median": round(left[len(left) // 2], 3) if left else None,
        "movement_turns": len(left),
    }
    json.dump(result, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
