"""The input of ``bordeaux human``: orders, and commands with their help."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from rich.table import Table
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, OrderError, PositionError, nearest, quote
from bordeaux.board.phase import Phase
from bordeaux.cli.prompt.human_person import TerminalPerson
from bordeaux.daide import language as d
from bordeaux.daide.client.human import order_candidates
from bordeaux.view.textmap import draw_board
from bordeaux.view.turns import PackedTexts, draw_results

__all__ = ["COMMANDS", "Commands", "Quit"]

#: Every command with its arguments and its effect, in the order of the help.
COMMANDS = {
    "orders": ("", "what you have ordered, and what is missing"),
    "clear": ("[A PAR]", "strike out an order, or all"),
    "done": ("", "let the phase be played (GOF)"),
    "wait": ("", "not before the deadline (NOT GOF)"),
    "legal": ("[A PAR]", "what your units can do"),
    "hint": ("[SECONDS]", "what the engine would order"),
    "take": ("[N]", "give the orders of line N of the hint"),
    "board": ("", "the board, the centres, the units"),
    "history": ("[F1901M]", "what was ordered in the last phase, or in that one"),
    "time": ("", "how much time is left"),
    "talk": ("FRA peace?", "send press in plain English"),
    "press": ("FRA GER PRP (...)", "send press in DAIDE text"),
    "say": ("FRA TEXT", "send plain words (press level 8000)"),
    "letters": ("", "the press that has come"),
    "yes": ("[N]", "agree to letter N, or to the last one"),
    "no": ("[N]", "refuse it"),
    "draw": ("[FRA ENG]", "accept a draw in this phase"),
    "nodraw": ("[FRA ENG]", "do so no more"),
    "next": ("", "wait for the next phase (for scripts)"),
    "help": ("", "this list"),
    "quit": ("", "leave; somebody else, or you, may take over"),
}

#: Orders that are shown for an incomplete one.
MEANT = 6


class Quit(Exception):
    """The person leaves."""


class Commands:
    """Carries out typed lines. With `patient`, for input that is not interactive, it waits for the game
    first."""

    def __init__(self, person: TerminalPerson, patient: bool = False) -> None:
        self.person = person
        self.teller = person.teller
        self.patient = patient
        self._asked = ""

    async def run(self, line: str) -> None:
        """Carry out one line. Errors are shown; raises Quit."""
        line = line.strip()
        if not line or line.startswith("#"):
            return
        word, _, rest = line.partition(" ")
        name = word.lower()
        if self.patient and name not in ("help", "quit"):
            await self.person.begun.wait()
        asked, self._asked = self._asked, ""
        try:
            if name not in COMMANDS:
                self._give(line)
                return
            if name == "done":
                self._done(again=asked == "done")
                return
            action: Callable[[str], Awaitable[None] | None] = getattr(self, f"_{name}")
            waiting = action(rest.strip())
            if waiting is not None:
                await waiting
        except BordeauxError as error:
            self.teller.line(f"{error}", "red", "refused", text=str(error))

    # Orders.

    def _give(self, line: str) -> None:
        try:
            given = self.person.give(line)
        except OrderError as error:
            raise OrderError(f"{error}{self._meant(line, str(error))}") from None
        _, sheet = self.person.writing()
        missing = sheet.missing()
        state = f"without orders: {', '.join(missing)}" if missing else "all is ordered"
        if not missing and not self.person.is_done:
            state += "; done lets the phase be played"
        shown = [str(order) for order in given]
        said = Text.assemble(("; ".join(shown), "bold green"), (f"   {state}", "dim"))
        self.teller.show(said, "given", orders=shown, missing=missing)

    def _meant(self, line: str, error: str) -> str:
        """Suggestions for an unreadable line."""
        word, sheet = line.split()[0], self.person.sheet
        command = nearest(word, COMMANDS) if word.isalpha() and len(word) > 2 else ""
        if command or sheet is None or "; legal: " in error:
            return command
        going_on = [candidate.text for candidate in order_candidates(line.rpartition(";")[2].strip(), sheet)]
        return f"; could be {', '.join(going_on[:MEANT])}" if going_on else ""

    def _orders(self, rest: str) -> None:
        _, sheet = self.person.writing()
        missing = sheet.missing()
        made = Table.grid(padding=(0, 2, 0, 0))
        for order in sheet.orders:
            made.add_row("  ", Text(str(order), style="green"))
        for unit in missing:
            made.add_row("  ", Text(f"{unit}: no order", style="red"))
        made.add_row("  ", Text(self.person.state(), style="dim"))
        self.teller.show(made, "orders", orders=list(map(str, sheet.orders)), missing=missing)

    def _clear(self, rest: str) -> None:
        struck = [str(order) for order in self.person.clear(rest)]
        text = f"struck out: {'; '.join(struck)}" if struck else "there is nothing to strike out"
        self.teller.line(text, event="cleared", orders=struck)

    def _done(self, again: bool) -> None:
        _, sheet = self.person.writing()
        missing = sheet.missing()
        if missing and not again:
            follow = "; ".join(str(order) for order in sheet.defaults())
            self._asked = "done"
            text = f"without orders: {', '.join(missing)}; done once more gives: {follow}"
            self.teller.line(text, "yellow", "missing", missing=missing)
            return
        filled = [str(order) for order in self.person.done()]
        text = f"added: {'; '.join(filled)}; " if filled else ""
        text += "done; until the phase is played you can still change orders, or wait"
        self.teller.line(text, "dim", "done", added=filled)

    def _wait(self, rest: str) -> None:
        self.person.wait()
        self.teller.line("the phase waits for its deadline, or for your done", "dim", "waiting")

    def _legal(self, rest: str) -> None:
        _, sheet = self.person.writing()
        places = list(sheet.legal)
        if rest:
            place = rest.upper().split()[-1]
            places = [location for location in places if location in (place, place.partition("/")[0])]
            if not places:
                places = [
                    location for location in sheet.legal if location.startswith(place.partition("/")[0])
                ]
        if not places:
            raise OrderError(f"{quote(rest)} has no orders; your units: {', '.join(sheet.legal)}")
        for location in places:
            texts = sheet.legal[location]
            self.teller.show(PackedTexts(map(Text, texts)), "legal", place=location, orders=texts)

    async def _hint(self, rest: str) -> None:
        self.person.writing()
        try:
            seconds = float(rest) if rest else self.person.hint_seconds
        except ValueError:
            seconds = -1.0
        if not 0 < seconds <= 600:
            raise BordeauxError(f"hint: {quote(rest)} is no number of seconds from 0 to 600, like 5")
        self.teller.line(f"thinking for {seconds:g} s ...", "dim", "thinking", seconds=seconds)
        if self.patient:
            await self._think(seconds)
        else:
            self.person.background(self._think(seconds))

    async def _think(self, seconds: float) -> None:
        try:
            answer = await self.person.hint(seconds)
        except BordeauxError as error:
            self.teller.line(str(error), "red", "refused", text=str(error))
            return
        made = Table.grid(padding=(0, 2, 0, 0))
        for number, line in enumerate(answer.lines[:5], 1):
            made.add_row(str(number), f"{line.value:.2f}", PackedTexts(map(Text, line.orders)))
        made.add_row("", "", Text("take 1 gives the orders of line 1", style="dim"))
        lines = [{"orders": list(line.orders), "value": line.value} for line in answer.lines[:5]]
        self.teller.show(made, "hint", lines=lines)

    def _take(self, rest: str) -> None:
        given = [str(order) for order in self.person.take(_number("take", rest) or 1)]
        self.teller.line(f"given: {'; '.join(given)}", "bold green", "given", orders=given)

    # What there is to see.

    def _board(self, rest: str) -> None:
        position = self.person.table.position
        if position is None:
            raise BordeauxError("there is no board yet: the game has not begun")
        shown = draw_board(position, self.teller.console.width)
        self.teller.show(shown, "position", name=str(position.phase), state=position.to_json())

    def _history(self, rest: str) -> None:
        try:
            phase = Phase.parse(rest) if rest else None
        except PositionError as error:
            raise BordeauxError(f"history: {error}") from None
        played_phase, played = self.person.past(phase)
        board = self.person.table.map
        assert board is not None
        self.person.phase_played(played_phase, draw_results(board, played))

    def _time(self, rest: str) -> None:
        self.person.ask_time()

    # Press.

    def _talk(self, rest: str) -> None:
        self._said(self.person.speak(rest), "understood")

    def _press(self, rest: str) -> None:
        self._said(self.person.write(rest))

    def _say(self, rest: str) -> None:
        self.person.say(rest)

    def _said(self, sent: d.SND, verb: str = "sent") -> None:
        """Show our own messages."""
        said, words = clean(self.person.english(sent.press)), d.text(sent.press)
        self.teller.line(f"{verb}: {said}", event="said", to=list(sent.to), press=words, meaning=said)

    def _letters(self, rest: str) -> None:
        if not self.person.letters:
            raise BordeauxError("no press has come so far")
        for number, message in enumerate(self.person.letters, 1):
            self.person.letter(message, number)

    def _yes(self, rest: str) -> None:
        self._said(self.person.reply(_number("yes", rest), True))

    def _no(self, rest: str) -> None:
        self._said(self.person.reply(_number("no", rest), False))

    def _draw(self, rest: str) -> None:
        self.person.offer_draw(rest.replace(",", " ").split())

    def _nodraw(self, rest: str) -> None:
        self.person.offer_draw(rest.replace(",", " ").split(), accept=False)

    # The rest.

    async def _next(self, rest: str) -> None:
        turns = self.person.table.turns
        while self.person.table.turns == turns and not self.person.table.over:
            self.person.moved.clear()
            await self.person.moved.wait()
        # What the phase brings is shown before the next line is read.
        await asyncio.sleep(0)

    def _help(self, rest: str) -> None:
        made = Table.grid(padding=(0, 2, 0, 0))
        made.add_row(Text("A PAR - BUR", style="bold"), "an order in any notation; several with ; between")
        for name, (arguments, meaning) in COMMANDS.items():
            made.add_row(Text.assemble((name, "bold"), f" {arguments}".rstrip()), meaning)
        self.teller.show(made, "help", commands={name: meaning for name, (_, meaning) in COMMANDS.items()})

    def _quit(self, rest: str) -> None:
        raise Quit


def _number(command: str, text: str) -> int | None:
    """A typed number, if any."""
    if not text:
        return None
    if not text.isdecimal():
        raise BordeauxError(f"{command}: {quote(text)} is no number; write it like {command} 1")
    return int(text)
