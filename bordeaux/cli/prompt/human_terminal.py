"""Sources of input lines: a prompt on a terminal, with completion, or plain standard input."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.patch_stdout import patch_stdout

from bordeaux.cli.prompt.human_commands import COMMANDS
from bordeaux.cli.prompt.human_person import TerminalPerson
from bordeaux.daide.client.human import candidates

__all__ = ["plain_lines", "prompted_lines"]

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
        self.commands = {name: meaning for name, (_, meaning) in COMMANDS.items()}

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """All completions at the cursor."""
        for candidate in candidates(document.text_before_cursor, self.person, self.commands):
            yield Completion(
                candidate.text,
                start_position=-candidate.replaces,
                display=candidate.shown,
                display_meta=candidate.meaning,
            )


def prompt(person: TerminalPerson) -> StyleAndTextTuples:
    """``FRANCE S1901M> ``."""
    phase = person.table.phase
    words = [word for word in (person.table.power or "bordeaux", str(phase or "")) if word]
    return [("bold", f"{' '.join(words)}> ")]


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


async def plain_lines() -> AsyncIterator[str]:
    """The lines of standard input, to its end."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[str | None] = asyncio.Queue()

    def read() -> None:
        try:
            for line in sys.stdin:
                loop.call_soon_threadsafe(waiting.put_nowait, line)
            loop.call_soon_threadsafe(waiting.put_nowait, None)
        except (RuntimeError, ValueError):
            return  # the game, and the loop with it, has ended before the input

    # A thread, because a file cannot be waited for; a daemon, because it may never end.
    threading.Thread(target=read, name="bordeaux-input", daemon=True).start()
    while (line := await waiting.get()) is not None:
        yield line
