"""``bordeaux observe``: watch a game on a DAIDE server."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from dataclasses import asdict
from typing import Any

import click
from rich.live import Live
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
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
from bordeaux.view.screen import ScreenScene, draw_end, draw_results, draw_screen, draw_standing
from bordeaux.view.textmap import draw_board

#: Seconds between two checks of the clock.
BLINK = 0.5
MOST_NEWS = 200
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

    A terminal shows the board, the centres and the last orders as they are now; elsewhere, every phase
    is printed. An observer that comes late gets the turns before. A lost link is renewed. Ends with
    exit code 2 and one line when the server is lost, silent or takes no observers.

    \b
    Examples:
      bordeaux observe 127.0.0.1:16713
      bordeaux observe 127.0.0.1:16713 --save game.json
      bordeaux observe 127.0.0.1:16713 --json | jq .event
    """
    save = Saving.to(path, fresh=not force)
    seen = not as_json and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    watcher: Watcher = OnScreen(address, save) if seen else InLines(address, save, as_json)
    ending = asyncio.run(watcher.watch())
    watcher.repeats.look(last=True)
    watcher.end(ending)
    return BAD_INPUT if save is not None and save.complain() else 0


class Watcher(Observer):
    """An observer that reports with `line`, `turned` and `end`."""

    def __init__(self, address: str, save: Saving | None) -> None:
        super().__init__(address, save=save)
        self.repeats = Repeats(self.line)
        self.last: list[Phase] = []
        self.settled: Position | None = None

    async def watch(self) -> Ending:
        """Observe the game to its end."""
        return await self.play()

    def line(self, text: str, /, event: str = "told", **data: Any) -> None:
        """Report a line."""

    def end(self, ending: Ending) -> None:
        """Show how the game ended."""

    def tell(self, line: str) -> None:
        """Report an error of the connection."""
        self.line(line)

    def begin(self) -> None:
        """The game has begun, or is running already."""
        map, options = self.table.map, self.table.options
        name, powers = ("", []) if map is None else (map.name, list(map.powers))
        text = f"watching {self.address}: {name}; {game_in_words(options)}"
        self.line(text, "game", server=self.address, map=name, powers=powers, options=options)

    def turned(self, latest: Turn | None) -> None:
        """Store the phases since the last movement, the latest first, and the position from which changes of
        centres are counted."""
        if latest is None:
            return
        phase = latest.before.phase
        self.last = [phase] if phase.kind == "M" else [phase, *self.last]
        if latest.before.owners != latest.after.owners:
            self.settled = latest.before

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


class InLines(Watcher):
    """Prints every phase; with `as_json`, one JSON object a line."""

    def __init__(self, address: str, save: Saving | None, as_json: bool = False) -> None:
        super().__init__(address, save)
        self.teller = EventPrinter(as_json)

    def line(self, text: str, /, event: str = "told", **data: Any) -> None:
        """Print it."""
        self.teller.line(text, event=event, **data)

    def turned(self, latest: Turn | None) -> None:
        """Print the orders of the last phase, and the centres after a change."""
        super().turned(latest)
        # Of a phase that was under way when we came little is known.
        if latest is not None and latest.before.phase in self.chronicle.positions:
            phase = latest.before.phase
            self.teller.line(str(phase), "bold", "phase", **asdict(self.chronicle.phase(phase)))
            if self.teller.as_json:
                return
            self.teller.show(draw_results(latest.before.map, self.table.played.get(phase, [])), "phase")
            if self.settled is latest.before:
                self.teller.line(f"Centres after {phase}", "bold")
                self.teller.show(draw_standing(latest.after, latest.before, self.table.disorder), "centres")
        elif self.table.position is not None:
            phase = self.table.position.phase
            state = self.table.position.to_json()
            self.teller.show(draw_board(self.table.position), "position", name=str(phase), state=state)

    def end(self, ending: Ending) -> None:
        """Print the table of the players."""
        if self.table.map is None or self.teller.as_json:
            self.teller.line(str(ending), event="end", **ending.to_json())
        else:
            self.teller.show(draw_end(ending, self.table.map), "end")


def changes(before: Position, after: Position) -> str:
    """The powers with more or fewer centres: ``RUSSIA 10 (+3), TURKEY 5 (-1)``."""
    counts = {power: len(after.centres.get(power, ())) for power in after.map.powers}
    grown = {power: count - len(before.centres.get(power, ())) for power, count in counts.items()}
    listed = sorted((power for power in grown if grown[power]), key=lambda power: -grown[power])
    return ", ".join(f"{power} {counts[power]} ({grown[power]:+})" for power in listed)


class OnScreen(Watcher):
    """Draws the current board on the whole terminal; at the end it stays on the normal screen."""

    def __init__(self, address: str, save: Saving | None) -> None:
        super().__init__(address, save)
        self.news: list[str] = []
        self.console = console()
        self.live: Live | None = None

    async def watch(self) -> Ending:
        """Observe, and update the clock twice a second."""
        blinking: asyncio.Task[None] | None = None
        try:
            # The normal screen keeps its text: errors before the game are shown below it.
            with Live(console=self.console, screen=True, auto_refresh=False) as self.live:
                blinking = asyncio.create_task(self._blink())
                return await self.play()
        finally:
            if blinking is not None:
                blinking.cancel()
            self.live = None

    async def _blink(self) -> None:
        while True:
            self.redraw()
            await asyncio.sleep(BLINK)

    def redraw(self) -> None:
        """Draw the screen again."""
        if self.live is not None:
            width, height = self.console.size
            self.live.update(draw_screen(self.scene(), width, height), refresh=True)

    def scene(self) -> ScreenScene:
        """The contents of the screen."""
        table = self.table
        about = f"Bordeaux  {self.address}"
        if table.map is not None:
            about += f"  {clean(table.map.name)}"
        if table.started:
            about += f"  {game_in_words(table.options)}"
        return ScreenScene(
            about,
            table.position,
            self.settled,
            [(str(phase), self.table.played.get(phase, [])) for phase in self.last],
            frozenset(table.disorder),
            self.news,
            self._clock(),
        )

    def _clock(self) -> str:
        if self.table.over or self.table.deadline is None:
            return "clock stopped" if self.table.stopped else ""
        left = max(0, round(self.table.deadline - asyncio.get_running_loop().time()))
        return f"{left // 60}:{left % 60:02}"

    def line(self, text: str, /, event: str = "told", **data: Any) -> None:
        """Add it to the events, unless the heading shows it."""
        if event != "game" and (event != "time" or data.get("stopped")):
            self.news.append(f"{time.strftime('%H:%M:%S')}  {clean(text)}")
            del self.news[:-MOST_NEWS]
            self.redraw()

    def turned(self, latest: Turn | None) -> None:
        """Draw the new position; changes of centres are events."""
        super().turned(latest)
        if latest is not None and self.settled is latest.before:
            self.line(f"after {latest.before.phase}: {changes(latest.before, latest.after)}")
        self.redraw()

    def end(self, ending: Ending) -> None:
        """Leave the last board, the last events and the table of the players on the normal screen."""
        if self.table.position is not None:
            self.console.print(draw_board(self.table.position, self.console.width))
        for line in self.news[-5:]:
            self.console.print(Text(line, style="dim"))
        if self.table.map is not None:
            self.console.print(draw_end(ending, self.table.map))
        else:
            self.console.print(str(ending))
