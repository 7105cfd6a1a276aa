"""``bordeaux observe``: watch a game on a DAIDE server."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

import click

from bordeaux.cli.options import json_option, save_options
from bordeaux.cli.report import BAD_INPUT
from bordeaux.cli.report.event_output import EventPrinter, Saving
from bordeaux.cli.report.output import console
from bordeaux.daide import language as d
from bordeaux.daide.client.bot import Observer
from bordeaux.daide.client.table import Ending, game_in_words
from bordeaux.daide.press import in_english
from bordeaux.daide.repeats import Repeats
from bordeaux.players.base import Turn
from bordeaux.view.screen import draw_end, draw_results, draw_standing
from bordeaux.view.textmap import draw_board

#: What a server may say any number of times, in words.
REPEATED: dict[type, str] = {
    d.CCD: "powers in civil disorder",
    d.NOT: "reports of an end",
    d.OUT: "powers out of the game",
    d.ADM: "messages to all",
    d.FRM: "letters",
    d.TME: "times",
    d.SLO: "results",
    d.DRW: "results",
    d.YES: "answers",
}


@click.command("observe")
@click.argument("address", metavar="HOST[:PORT]")
@save_options
@json_option
def command(address: str, path: str | None, force: bool, as_json: bool) -> int:
    """Watch the game on the DAIDE server at HOST:PORT, to its end.

    Every phase is printed with its orders and the centres, on a terminal with the board. An observer that
    comes late gets the turns before. A lost link is renewed. Ends with exit code 2 and one line when the
    server is lost, silent or takes no observers.

    \b
    Examples:
      bordeaux observe 127.0.0.1:16713 --save game.json
      bordeaux observe 127.0.0.1:16713 --json | jq .event
    """
    save = Saving.to(path, fresh=not force)
    watcher = Watcher(address, save, as_json)
    ending = asyncio.run(watcher.play())
    watcher.repeats.look(last=True)
    watcher.end(ending)
    return BAD_INPUT if save is not None and save.complain() else 0


class Watcher(Observer):
    """Prints a game phase by phase, on a terminal with the board; with `as_json`, one JSON object a line."""

    def __init__(self, address: str, save: Saving | None, as_json: bool = False) -> None:
        super().__init__(address, save=save)
        self.repeats = Repeats(self.line)
        self.teller = EventPrinter(as_json)

    def line(self, text: str, /, event: str = "told", **data: Any) -> None:
        """Print a line."""
        self.teller.line(text, event=event, **data)

    def tell(self, line: str) -> None:
        """Print an error of the connection."""
        self.line(line)

    def begin(self) -> None:
        """The game has begun, or is running already."""
        map, options = self.table.map, self.table.options
        name, powers = ("", []) if map is None else (map.name, list(map.powers))
        text = f"watching {self.address}: {name}; {game_in_words(options)}"
        self.line(text, "game", server=self.address, map=name, powers=powers, options=options)

    def turned(self, latest: Turn | None) -> None:
        """Print the orders of the last phase, the centres after a change, and on a terminal the board."""
        position = self.table.position
        # Of a phase that was under way when we came little is known.
        if latest is not None and latest.before.phase in self.chronicle.positions:
            phase = latest.before.phase
            self.teller.line(str(phase), "bold", "phase", **asdict(self.chronicle.phase(phase)))
            if self.teller.as_json:
                return
            self.teller.show(draw_results(latest.before.map, self.table.played.get(phase, [])), "phase")
            if latest.before.owners != latest.after.owners:
                self.teller.line(f"Centres after {phase}", "bold")
                self.teller.show(draw_standing(latest.after, latest.before, self.table.disorder), "centres")
            if position is None or position.phase.kind != "M" or not console().is_terminal:
                return
        if position is not None:
            name, state = str(position.phase), position.to_json()
            self.teller.show(draw_board(position, console().width), "position", name=name, state=state)

    def end(self, ending: Ending) -> None:
        """Print the table of the players."""
        if self.table.map is None or self.teller.as_json:
            self.teller.line(str(ending), event="end", **ending.to_json())
        else:
            self.teller.show(draw_end(ending, self.table.map), "end")

    def heard(self, message: d.Value) -> None:
        """Report messages other than phases, of each kind so many in a minute."""
        kind = REPEATED.get(type(message))
        if kind is None or self.repeats.admits(kind):
            self.report(message)
        super().heard(message)

    def report(self, message: d.Value) -> None:
        """Report a message other than a phase."""
        name = self.table.map.power if self.table.map is not None else str
        match message:
            case d.YES(d.OBS()) if not self.table.started:
                self.line(f"{self.address} lets us watch; waiting for the game to begin", "joined")
            case d.CCD(power):
                self.line(f"{name(power)} is in civil disorder", "disorder", power=name(power), away=True)
            case d.NOT(d.CCD(power)):
                self.line(f"{name(power)} is back", "disorder", power=name(power), away=False)
            case d.OUT(power):
                self.line(f"{name(power)} is out of the game", "out", power=name(power))
            case d.ADM(sender, text):
                self.line(f"{sender} to all: {text}", "talk", name=sender, text=text)
            case d.FRM(sender, to, press):
                board = self.table.map
                said = d.text(press) if board is None else in_english(sender, press, board)
                text = f"{name(sender)} to {', '.join(map(name, to))}: {said}"
                self.line(text, "letter", sender=sender, to=list(to), press=d.text(press), meaning=said)
            case d.TME(int(seconds)):
                self.line(f"{self.table.phase}: {seconds} s left", "time", seconds=seconds, stopped=False)
            case d.NOT(d.TME(seconds)):
                self.line("the clock is stopped: a power is away", "time", seconds=seconds, stopped=True)
            case d.SLO(power):
                self.line(f"{name(power)} wins alone", "result", solo=name(power))
            case d.DRW():
                self.line(f"a draw of {', '.join(self.table.draw)}", "result", draw=list(self.table.draw))
