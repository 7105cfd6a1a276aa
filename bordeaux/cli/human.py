"""``bordeaux human``: play as a person on a DAIDE server, from the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import threading
from collections.abc import AsyncIterator, Iterable
from dataclasses import asdict

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.patch_stdout import patch_stdout
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, FormatError, OrderError, PositionError, nearest, quote
from bordeaux.board.phase import Phase
from bordeaux.cli.options import json_option, save_options
from bordeaux.cli.playing import claim_of, claim_options
from bordeaux.cli.program import at_terminal, input_lines
from bordeaux.cli.report import BAD_INPUT
from bordeaux.cli.report.event_output import EventPrinter, Saving
from bordeaux.cli.report.output import console
from bordeaux.daide import language as d
from bordeaux.daide.client.human import Human, HumanPhase, candidates, order_candidates
from bordeaux.daide.client.table import Ending, game_in_words
from bordeaux.players.base import Turn
from bordeaux.view.screen import PackedTexts, draw_end, draw_results, draw_standing
from bordeaux.view.textmap import colours_of, draw_board


@click.command("human")
@click.argument("address", metavar="HOST[:PORT]")
@click.option("--name", metavar="N", default="Human", show_default=True, help="Your name in the summary.")
@claim_options
@save_options
@json_option
def command(
    address: str,
    name: str,
    power: str | None,
    passcode: int | None,
    path: str | None,
    force: bool,
    as_json: bool,
) -> int:
    """Play on the DAIDE server at HOST:PORT, as a person.

    Type orders, like A PAR - BUR or all hold, then done; Tab completes, help lists the commands. An illegal
    order is refused at once, with those that are legal. Talk to others in plain English: talk FRA peace? Your
    passcode is shown at the start: with it and --power you can take your seat again from anywhere. Lines
    may come through a pipe as well: they wait until the game has begun, and the command next waits for the
    next phase.

    \b
    Examples:
      bordeaux human 127.0.0.1:16713 --name Alice
      bordeaux human 127.0.0.1:16713 --power FRA --passcode 4711
      printf 'A PAR - BUR; A MAR - SPA; F BRE - MAO\\ndone\\nnext\\n' | bordeaux human 127.0.0.1:16713
    """
    claim = claim_of(power, passcode)
    # A player who comes back goes on with the file, which has our passcode.
    save = Saving.to(path, private=True, fresh=not force and claim is None)
    person = TerminalPerson(address, EventPrinter(as_json), name=name, claim=claim, save=save)
    ending = asyncio.run(take_part(person))
    if ending is not None:
        person.end(ending)
    else:
        back = person.return_line()
        text = f"You have left. To come back: {back}" if back else "You have left."
        person.teller.line(text, event="left", back=back)
    return BAD_INPUT if save is not None and save.complain() else 0


async def take_part(person: TerminalPerson) -> Ending | None:
    """Play until the game ends, or the person leaves: then None."""
    seen = at_terminal() and not person.teller.as_json
    lines = prompted_lines(person) if seen else plain_lines()
    game = asyncio.create_task(person.play())
    reading = asyncio.create_task(follow(lines, Commands(person, patient=not seen)))
    try:
        await asyncio.wait((game, reading), return_when=asyncio.FIRST_COMPLETED)
        if not game.done():
            await reading
            if not person.table.over:
                return None
        return await game
    finally:
        for task in (reading, game):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


async def follow(lines: AsyncIterator[str], commands: Commands) -> None:
    """Carry out the lines, to their end or until quit."""
    with contextlib.suppress(Quit):
        async for line in lines:
            await commands.run(line)
        # Input that ends at once does not keep us from hearing that there is no game here.
        await commands.person.joined.wait()


class TerminalPerson(Human):
    """Shows a person the game. `joined` is set when the server accepts us, `begun` when the first phase is
    there, `moved` at every phase and at the end."""

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
        self.joined, self.begun, self.moved = asyncio.Event(), asyncio.Event(), asyncio.Event()

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
            self.phase_played(phase, draw_results(latest.before.map, self.table.played.get(phase, [])))
            if latest.before.owners != latest.after.owners:
                counts = {power: len(owned) for power, owned in latest.after.centres.items()}
                self.teller.line("Centres", "bold", "centres", centres=counts)
                if not self.teller.as_json:
                    shown = draw_standing(latest.after, latest.before, self.table.disorder)
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
            self.teller.show(draw_board(position, console().width), "position")
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
        data = {"phase": str(phase), "state": position.to_json(), "missing": missing, "seconds": left}
        self.teller.show(Text.assemble((f"{phase}{limit}: ", "bold"), text), "turn", **data)

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
        if phase.is_done:
            return "done; waiting for the others"
        if missing:
            return f"missing: {', '.join(missing)}"
        return "all is ordered; done lets the phase be played"

    # Press.

    def letter(self, message: d.FRM, number: int) -> None:
        """Show press."""
        map = self.table.map
        name = map.power if map is not None else str
        others = [name(power) for power in message.to if name(power) != self.table.power]
        to = f" (also to {', '.join(others)})" if others else ""
        said = self.english(message.press, message.sender)
        sender = self._in_colour(name(message.sender))
        text = Text.assemble((f"[{number}] ", "bold"), sender, f"{to}: ", clean(said))
        data = {"number": number, "sender": message.sender, "to": list(message.to)}
        self.teller.show(text, "letter", **data, press=d.text(message.press), meaning=said)

    def tell(self, line: str) -> None:
        """Show messages of the game, the server or the connection."""
        self.teller.line(f"* {line}" if not self.teller.as_json else line, "cyan")

    def _in_colour(self, power: str) -> Text:
        colours = {} if self.table.map is None else colours_of(self.table.map)
        return Text(power, style=f"bold {colours.get(power, '')}".strip())


#: Every command with its arguments and its effect, in the order of the help.
COMMANDS = {
    "orders": ("", "what you have ordered, and what is missing"),
    "clear": ("[A PAR]", "strike out an order, or all"),
    "done": ("", "let the phase be played, as submit does (GOF)"),
    "wait": ("", "not before the deadline (NOT GOF)"),
    "legal": ("[A PAR]", "what your units can do"),
    "board": ("", "the board, the centres, the units"),
    "history": ("[F1901M]", "what was ordered in the last phase, or in that one"),
    "time": ("", "how much time is left"),
    "talk": ("FRA peace?", "send press in plain English; talk yes answers"),
    "press": ("FRA GER PRP (...)", "send press in DAIDE text"),
    "say": ("FRA TEXT", "send plain words (press level 8000)"),
    "letters": ("", "the press that has come"),
    "draw": ("[FRA ENG]", "accept a draw in this phase"),
    "nodraw": ("[FRA ENG]", "do so no more"),
    "next": ("", "wait for the next phase (for scripts)"),
    "help": ("", "this list"),
    "quit": ("", "leave; somebody else, or you, may take over"),
}

MEANINGS = {name: meaning for name, (_, meaning) in COMMANDS.items()}
#: Other names of commands, that people try.
ALIASES = {"submit": "done", "exit": "quit", "map": "board", "status": "orders"}
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
        self._asked: HumanPhase | None = None  # the phase in which done waits for another done

    async def run(self, line: str) -> None:
        """Carry out one line. Errors are shown; raises Quit."""
        line = line.strip()
        if not line or line.startswith("#"):
            return
        word, _, rest = line.partition(" ")
        name = word.lower()
        name = ALIASES.get(name, name)
        if self.patient and name not in ("help", "quit"):
            await self.person.begun.wait()
        asked, self._asked = self._asked, None
        try:
            if name not in COMMANDS:
                self._give(line)
                return
            if name == "done":
                self._done(again=asked is self.person.phase)
                return
            waiting = getattr(self, f"_{name}")(rest.strip())
            if waiting is not None:
                await waiting
        except BordeauxError as error:
            self.teller.line(f"{error}", "red", "refused", text=str(error))

    # Orders.

    def _give(self, line: str) -> None:
        try:
            given = self.person.give(line)
        except OrderError as error:
            raise OrderError(self._meant(line, str(error))) from None
        _, sheet = self.person.writing()
        missing = sheet.missing()
        state = f"without orders: {', '.join(missing)}" if missing else "all is ordered"
        if not missing and not self.person.is_done:
            state += "; done lets the phase be played"
        shown = [str(order) for order in given]
        said = Text.assemble(("; ".join(shown), "bold green"), (f"   {state}", "dim"))
        self.teller.show(said, "given", orders=shown, missing=missing)

    def _meant(self, line: str, error: str) -> str:
        """What is wrong with a line that is no order, with suggestions."""
        word, sheet = line.split()[0], self.person.sheet
        command = nearest(word, [*COMMANDS, *ALIASES]) if word.isalpha() and len(word) > 2 else ""
        if command or (line.strip().isalpha() and "unknown province" in error):
            return f"no command {quote(word)}{command}; help lists all"
        if sheet is None or "; legal: " in error:
            return error
        going_on = [candidate.text for candidate in order_candidates(line.rpartition(";")[2].strip(), sheet)]
        return f"{error}; could be {', '.join(going_on[:MEANT])}" if going_on else error

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
        phase, sheet = self.person.writing()
        missing = sheet.missing()
        if missing and not again:
            follow = "; ".join(str(order) for order in sheet.defaults())
            self._asked = phase
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
            province = place.partition("/")[0]
            exact = [location for location in places if location in (place, province)]
            places = exact or [location for location in places if location.startswith(province)]
        if not places:
            raise OrderError(f"{quote(rest)} has no orders; your units: {', '.join(sheet.legal)}")
        for location in places:
            texts = sheet.legal[location]
            self.teller.show(PackedTexts(map(Text, texts)), "legal", place=location, orders=texts)

    # Commands that show something.

    def _board(self, rest: str) -> None:
        position = self.person.table.position
        if position is None:
            raise BordeauxError("there is no board yet: the game has not begun")
        shown = draw_board(position, console().width)
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
        sent, left = self.person.speak(rest)
        self._said(sent, "understood")
        if left:
            self.teller.line(left, "yellow", "left_out", text=left)

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
        # Messages of the phase are shown before the next line is read.
        await asyncio.sleep(0)

    def _help(self, rest: str) -> None:
        made = Table.grid(padding=(0, 2, 0, 0))
        made.add_row(Text("A PAR - BUR", style="bold"), "an order in any notation; several with ; between")
        for name, (arguments, meaning) in COMMANDS.items():
            made.add_row(Text.assemble((name, "bold"), f" {arguments}".rstrip()), meaning)
        self.teller.show(made, "help", commands=MEANINGS)

    def _quit(self, rest: str) -> None:
        raise Quit


#: Lines below the prompt for the menu.
MENU = 6
#: Seconds between two checks of the clock.
BLINK = 0.5


async def prompted_lines(person: TerminalPerson) -> AsyncIterator[str]:
    """The lines that a person types at a prompt. Other output appears above it."""
    session: PromptSession[str] = PromptSession(
        completer=Suggestions(person),
        complete_while_typing=True,
        reserve_space_for_menu=MENU,
        bottom_toolbar=lambda: toolbar(person),
        refresh_interval=BLINK,
    )
    with patch_stdout(raw=True):
        while True:
            try:
                line = await session.prompt_async(lambda: prompt(person))
            except KeyboardInterrupt:
                # As in a shell, Ctrl-C throws away the line; Ctrl-D leaves.
                continue
            except EOFError:
                return
            yield line


class Suggestions(Completer):
    """Orders, commands and press, from `candidates`."""

    def __init__(self, person: TerminalPerson) -> None:
        self.person = person

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """All completions at the cursor."""
        for candidate in candidates(document.text_before_cursor, self.person, MEANINGS):
            yield Completion(
                candidate.text,
                start_position=-candidate.replaces,
                display=candidate.shown,
                display_meta=candidate.meaning,
            )


def prompt(person: TerminalPerson) -> StyleAndTextTuples:
    """``FRANCE S1901M> ``."""
    table = person.table
    return [("bold", f"{table.power or 'bordeaux'} {table.phase or ''}".rstrip() + "> ")]


def toolbar(person: TerminalPerson) -> StyleAndTextTuples:
    """The line below: the state of our orders, the remaining time, unanswered press."""
    parts = [person.state()]
    left = person.seconds_left()
    if left is not None and not person.table.over:
        parts.append(f"{int(left) // 60}:{int(left) % 60:02} left")
    if person.table.stopped:
        parts.append("clock stopped")
    if person.letters:
        parts.append(f"{len(person.letters)} letter{'s' if len(person.letters) > 1 else ''}")
    return [("", f" {'   '.join(parts)} ")]


MOST_AHEAD = 1000
"""Lines of standard input that are read before they are carried out."""


async def plain_lines() -> AsyncIterator[str]:
    """The lines of standard input, to its end. Raises FormatError for one that no command has."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[str | FormatError | None] = asyncio.Queue()
    ahead = threading.Semaphore(MOST_AHEAD)

    def read() -> None:
        try:
            try:
                for line in input_lines():
                    ahead.acquire()
                    loop.call_soon_threadsafe(waiting.put_nowait, line)
            except FormatError as error:
                loop.call_soon_threadsafe(waiting.put_nowait, error)
            except OSError:
                pass  # a terminal that is gone is the end of the input
            loop.call_soon_threadsafe(waiting.put_nowait, None)
        except (RuntimeError, ValueError):
            return  # the game, and the loop with it, has ended before the input

    # A thread, because a file cannot be waited for; a daemon, because it may never end.
    threading.Thread(target=read, name="bordeaux-input", daemon=True).start()
    while (line := await waiting.get()) is not None:
        if isinstance(line, FormatError):
            raise line
        yield line
        ahead.release()
