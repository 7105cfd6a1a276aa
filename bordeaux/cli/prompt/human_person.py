"""The game of a person on a DAIDE server, shown as text, or as JSON for an enclosing program."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Coroutine
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.board.phase import Phase
from bordeaux.cli.report.event_output import EventPrinter, Saving
from bordeaux.daide import language as d
from bordeaux.daide.client.human import HINT, Human
from bordeaux.daide.client.meanings import game_in_words
from bordeaux.daide.client.table import Ending
from bordeaux.players.protocol import Turn
from bordeaux.view.textmap import colours_of, draw_board
from bordeaux.view.turns import draw_end, draw_results, draw_standing

__all__ = ["TerminalPerson"]


class TerminalPerson(Human):
    """Shows a person the game. `joined` is set when the server accepts us, `begun` when the first phase is
    there, `moved` at every phase and at the end."""

    hint_seconds = HINT

    def __init__(
        self,
        address: str,
        teller: EventPrinter,
        *,
        name: str = "Human",
        claim: tuple[str, int] | None = None,
        save: Saving | None = None,
    ) -> None:
        super().__init__(address, name=name, claim=claim, save=save)
        self.teller = teller
        self.joined = asyncio.Event()
        self.begun = asyncio.Event()
        self.moved = asyncio.Event()
        self._behind: set[asyncio.Task[None]] = set()

    def background(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something while the person continues."""
        task = asyncio.create_task(work)
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)

    # The game's beginning and end.

    def heard(self, message: d.Value) -> None:
        """Show that we have joined, and how the game ends."""
        match message:
            case d.YES(d.NME()) if not self.table.started:
                text = f"{self.address} has a chair for us; waiting for the game to begin"
                self.teller.line(text, "dim", "joined")
                self.joined.set()
            case d.YES(d.IAM()):
                self.joined.set()
        super().heard(message)
        if self.table.over:
            self.moved.set()

    def begin(self) -> None:
        """Show the power, and how to take it over again."""
        table = self.table
        name = "" if table.map is None else table.map.name
        text = Text.assemble(
            "You play ",
            self._in_colour(table.power or "nobody"),
            f" on {clean(name)}; {game_in_words(table.options)}.\n",
            (f"To come back after a break: {self.return_line()}", "dim"),
        )
        self.teller.show(
            text, "game", power=table.power, passcode=table.passcode, map=name, options=table.options
        )

    def return_line(self) -> str:
        """The command line that takes our power over again; "" before we have one."""
        table = self.table
        if table.power is None or table.passcode is None:
            return ""
        words = ["bordeaux", "human", self.address, "--power", table.token(table.power)]
        return shlex.join([*words, "--passcode", str(table.passcode)])

    def end(self, ending: Ending) -> None:
        """Show how the game ended."""
        if self.table.map is None:
            self.teller.line(str(ending), "bold", "end", **ending.to_json())
        else:
            self.teller.show(draw_end(ending, self.table.map), "end", **ending.to_json())

    # Phases.

    def turned(self, latest: Turn | None) -> None:
        """Show the last orders, the standings, and what is to be ordered now."""
        if latest is not None:
            phase = latest.before.phase
            results = draw_results(latest.before.map, self.table.played.get(phase, []))
            self.phase_played(phase, results)
            if latest.before.owners != latest.after.owners:
                shown = draw_standing(latest.after, latest.before, self.table.disorder)
                self.teller.line("Centres", "bold", "centres", centres=_counts(latest.after.centres))
                if not self.teller.as_json:
                    self.teller.show(shown, "centres")
        self.duty(latest is None)
        self.begun.set()
        self.moved.set()

    def phase_played(self, phase: Phase, shown: RenderableType) -> None:
        """Show the orders of a phase that was played."""
        record = self.chronicle.phase(phase)
        self.teller.line(f"{phase} was played", "bold", "phase", **asdict(record))
        if not self.teller.as_json:
            self.teller.show(shown, "phase")

    def duty(self, first: bool = False) -> None:
        """What must be ordered in this phase, below the board if it is a movement phase."""
        position, sheet = self.table.position, self.sheet
        if position is None or self.table.over:
            return
        phase = position.phase
        if not self.teller.as_json and (first or (phase.kind == "M" and sheet is not None)):
            self.teller.show(draw_board(position, self.teller.console.width), "position")
        missing = [] if sheet is None else sheet.missing()
        if sheet is None:
            out = self.table.power in self.table.eliminated
            text = "you are out of the game, and may watch" if out else "nothing for you to order"
        elif phase.kind == "R":
            mine = [dislodged for dislodged in position.dislodged if dislodged.unit.power == self.table.power]
            ways = (f"{unit} may go to {', '.join(places) or 'nowhere'}" for unit, places in mine)
            text = "; ".join(ways)
        elif phase.kind == "A":
            what = "open homes" if sheet.owed > 0 else "your units"
            text = f"you owe {missing[0]}; {what}: {', '.join(sheet.legal) or 'none (WAIVE)'}"
        else:
            text = f"orders for {', '.join(missing)}"
        left = self.seconds_left()
        limit = "" if left is None else f" ({round(left)} s)"
        self.teller.show(
            Text.assemble((f"{phase}{limit}: ", "bold"), text),
            "turn",
            phase=str(phase),
            state=position.to_json(),
            missing=missing,
            seconds=left,
        )

    def state(self) -> str:
        """The state of our orders, in a few words."""
        sheet, phase = self.sheet, self.phase
        if self.table.over:
            return "the game is over"
        if phase is None:
            return "waiting for the game to begin"
        if sheet is None:
            return "nothing to order"
        missing = sheet.missing()
        if phase.delivery.done:
            return "done; waiting for the others"
        if missing:
            return f"missing: {', '.join(missing)}"
        return "all is ordered; done lets the phase be played"

    # What is said.

    def letter(self, message: d.FRM, number: int) -> None:
        """Show press."""
        map = self.table.map
        name = map.power if map is not None else str
        others = [name(power) for power in message.to if name(power) != self.table.power]
        to = f" (also to {', '.join(others)})" if others else ""
        said = self.english(message.press, message.sender)
        text = Text.assemble(
            (f"[{number}] ", "bold"),
            self._in_colour(name(message.sender)),
            f"{to}: ",
            clean(said),
        )
        self.teller.show(
            text,
            "letter",
            number=number,
            sender=message.sender,
            to=list(message.to),
            press=d.text(message.press),
            meaning=said,
        )

    def tell(self, line: str) -> None:
        """Show messages of the game, the server or the connection."""
        self.teller.line(f"* {line}" if not self.teller.as_json else line, "cyan")

    def _in_colour(self, power: str) -> Text:
        colours = {} if self.table.map is None else colours_of(self.table.map)
        return Text(power, style=f"bold {colours.get(power, '')}".strip())


def _counts(centres: dict[str, tuple[str, ...]]) -> dict[str, int]:
    return {power: len(owned) for power, owned in centres.items()}
