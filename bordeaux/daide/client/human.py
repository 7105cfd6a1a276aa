"""A person's seat on a DAIDE server: the actions and the information, without the user interface.

Source: LANGUAGE.md, sections 5 to 8.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.bot import Bot
from bordeaux.daide.client.chronicle import Chronicle
from bordeaux.daide.client.ending import Ending
from bordeaux.daide.client.human_orders import OrderSheet
from bordeaux.daide.client.human_phase import HumanPhase, HumanSession
from bordeaux.daide.client.human_press import letter_of, reply_to, talk_of, text_of
from bordeaux.daide.client.session import Session
from bordeaux.daide.client.table import PlayedOrder
from bordeaux.daide.press_english import in_english
from bordeaux.engine import Found
from bordeaux.players.protocol import Turn
from bordeaux.rules.rulesets import DAIDE

__all__ = ["Human"]

#: Seconds of the engine's search for a hint.
HINT = 3.0


class Human(Bot):
    """A person who plays one game on the server at `address`; `play` and `run` are a bot's.

    Methods for the person's actions raise BordeauxError with one line of reason. To show the game, override
    `begin`, `turned`, `letter`, `tell`. `save` is called with the saved game after every phase and at the
    end. The rest is as for `Bot`.
    """

    def __init__(
        self,
        address: str,
        *,
        name: str = "Human",
        claim: tuple[str, int] | None = None,
        save: Callable[[dict[str, Any]], None] | None = None,
        patience: float = 30.0,
        waiting: float | None = None,
        comeback: float = 60.0,
    ) -> None:
        super().__init__(
            address,
            name=name,
            claim=claim,
            level=d.HIGHEST,
            patience=patience,
            waiting=waiting,
            comeback=comeback,
        )
        self.chronicle = Chronicle(self.table, address)
        self.letters: list[d.FRM] = []
        self.spoken: list[d.SND] = []
        self.hinted: Found | None = None
        self._save = save
        self._session: Session | None = None
        self._turns = 0
        self._hinting: threading.Event | None = None
        self._time_asked = False
        self._taken_as_done = -1

    async def play(self) -> Ending:
        """Play the game to its end, within an event loop."""
        self._session = HumanSession(self)
        try:
            ending = await self._session.play()
            self._keep()
        finally:
            if self._hinting is not None:
                self._hinting.set()
            self.close()
        return ending

    # What to override.

    def turned(self, latest: Turn | None) -> None:
        """A phase has begun: the table's. `latest` is the one before it, None if it was not reported."""

    def letter(self, message: d.FRM, number: int) -> None:
        """Press has arrived; `number` identifies it for a reply."""

    # What is known.

    @property
    def vocabulary(self) -> d.Vocabulary:
        """The tokens that the server uses."""
        return d.Vocabulary.standard() if self._session is None else self._session.vocabulary

    @property
    def phase(self) -> HumanPhase | None:
        """The present phase."""
        current = None if self._session is None else self._session.current
        return current if isinstance(current, HumanPhase) else None

    @property
    def sheet(self) -> OrderSheet | None:
        """The orders of this phase; None if there is nothing to order."""
        return None if self.phase is None else self.phase.sheet

    @property
    def is_done(self) -> bool:
        """Whether the person has confirmed the orders of this phase."""
        return self.phase is not None and self.phase.delivery.done

    def seconds_left(self) -> float | None:
        """Seconds to the deadline; None without one."""
        deadline = self.table.deadline
        return None if deadline is None else max(0.0, deadline - asyncio.get_running_loop().time())

    def past(self, phase: Phase | None = None) -> tuple[Phase, list[PlayedOrder]]:
        """The orders of a phase, by default the last one."""
        known = [phase for phase in self.chronicle.phases() if phase in self.table.played]
        if not known:
            raise BordeauxError("nothing has been played yet, as far as the server has told")
        chosen = known[-1] if phase is None else phase
        if chosen not in known:
            raise BordeauxError(f"nothing is known of {chosen}; phases go from {known[0]} to {known[-1]}")
        return chosen, self.table.played[chosen]

    # What a person does about orders.

    def writing(self) -> tuple[HumanPhase, OrderSheet]:
        """The phase and its sheet. Raises BordeauxError if there is nothing to order."""
        phase, sheet = self.phase, self.sheet
        if self.table.over:
            raise BordeauxError("the game is over")
        if phase is None:
            raise BordeauxError("the game has not begun")
        if sheet is None:
            out = self.table.power in self.table.eliminated
            raise BordeauxError("you are out of the game" if out else "you owe no orders in this phase")
        return phase, sheet

    def give(self, text: str) -> list[Order]:
        """Give orders, several with ``;`` between them; those before a wrong one are kept."""
        phase, sheet = self.writing()
        given = []
        try:
            for text_of_order in text.split(";"):
                if text_of_order.strip():
                    given.append(sheet.give(text_of_order))
        finally:
            phase.submit(phase.delivery.changed)
        return given

    def clear(self, text: str = "") -> list[Order]:
        """Withdraw one order, or all; returns them."""
        phase, sheet = self.writing()
        struck = sheet.clear(text)
        phase.submit(phase.delivery.changed)
        return struck

    def done(self) -> list[Order]:
        """Confirm the orders. Missing orders follow the rules: holds, disbands, waives, removals by civil
        disorder; returns these."""
        phase, sheet = self.writing()
        filled = sheet.fill()
        phase.submit(phase.delivery.finish)
        return filled

    def wait(self) -> None:
        """Prevent the phase from ending before its deadline."""
        phase, _ = self.writing()
        phase.submit(phase.delivery.wait)

    async def hint(self, seconds: float = HINT) -> Found:
        """The orders that the engine suggests."""
        phase, sheet = self.writing()
        if self._hinting is not None:
            raise BordeauxError("the engine is thinking already")
        stop = self._hinting = threading.Event()
        try:
            self.hinted = await asyncio.to_thread(self._search, sheet, seconds, stop)
        finally:
            stop.set()
            self._hinting = None
        if self.phase is not phase:
            raise BordeauxError("too late: that phase has been played")
        return self.hinted

    def _search(self, sheet: OrderSheet, seconds: float, stop: threading.Event) -> Found:
        answers = self.engine.improvements(
            sheet.position,
            sheet.power,
            time=seconds,
            previous=self.table.last_orders(),
            rules=DAIDE,
            stop=stop.is_set,
        )
        return deque(answers, maxlen=1).pop()

    def take(self, number: int = 1) -> list[Order]:
        """Give the orders of a line of the last hint, in place of all others."""
        _, sheet = self.writing()
        if self.hinted is None or not self.hinted.lines:
            raise BordeauxError("there is no hint to take; ask for one with hint")
        if not 1 <= number <= len(self.hinted.lines):
            raise BordeauxError(f"the hint has lines 1 to {len(self.hinted.lines)}, and no line {number}")
        sheet.clear()
        return self.give("; ".join(self.hinted.lines[number - 1].orders))

    # What a person says.

    def _say(self, *messages: d.Value) -> None:
        if self._session is None or self._session.link is None:
            raise BordeauxError("there is no connection at the moment; try again when there is")
        self._session.send(*messages)

    def write(self, text: str) -> d.SND:
        """Send press, in the form that `human_press.letter_of` reads."""
        return self._write(letter_of(text, self.table, self.vocabulary))

    def speak(self, text: str) -> d.SND:
        """Send press in English, as `human_press.talk_of` reads it."""
        return self._write(talk_of(text, self.table, self.letters, self.spoken))

    def say(self, text: str) -> d.SND:
        """Send free text, as `human_press.text_of` reads it."""
        return self._write(text_of(text, self.table))

    def reply(self, number: int | None, agree: bool) -> d.SND:
        """Accept or refuse a letter, the last one without a number."""
        if not self.letters:
            raise BordeauxError("there is no press to answer")
        if number is not None and not 1 <= number <= len(self.letters):
            raise BordeauxError(f"there is no letter {number}; they go from 1 to {len(self.letters)}")
        return self._write(reply_to(self.letters[-1 if number is None else number - 1], agree, self.table))

    def _write(self, letter: d.SND) -> d.SND:
        """Send press with its turn, so that it cannot count for a later one; one server requires it."""
        phase = self.table.phase
        if phase is None or not self.table.press_is_open(asyncio.get_running_loop().time()):
            raise BordeauxError("the game lets nobody talk at this moment")
        sent = d.SND(translate.turn_of(phase), letter.to, letter.press)
        self._say(sent)
        return sent

    def english(self, press: d.Press, sender: str = "") -> str:
        """A message of a power (our own, or that of a token) as an English sentence."""
        map = self.table.map
        return d.text(press) if map is None else in_english(sender or self._token(), press, map)

    def offer_draw(self, names: Iterable[str] = (), accept: bool = True) -> None:
        """Accept a draw in this phase, of all survivors or of some powers; or withdraw the acceptance."""
        if self.table.map is None or not self.table.started or self.table.over:
            raise BordeauxError("no game is being played")
        draw = d.DRW(tuple(self.table.token(name) for name in names))
        if draw.powers and "PDA" not in self.table.options:
            raise BordeauxError("in this game a draw is of all survivors: draw alone, without powers")
        self._say(draw if accept else d.NOT(draw))

    def ask_time(self) -> None:
        """Ask the server how much time is left; the answer is shown."""
        self._time_asked = True
        self._say(d.TME())

    # What the server says.

    def talker(self, position: Position, power: str) -> None:
        """None: the person handles press."""
        return None

    def draw(self, position: Position, power: str) -> None:
        """None: the person handles draws."""
        return None

    def heard(self, message: d.Value) -> None:
        """Show the relevant messages, and keep the record."""
        questions = self.chronicle.heard(message)
        if self._session is not None:
            self._session.send(*questions)
        if self.table.turns != self._turns:
            self._turns = self.table.turns
            self.hinted = None
            if self._hinting is not None:
                self._hinting.set()
            # The phase's own object is made right after this.
            asyncio.get_running_loop().call_soon(self.turned, self.table.latest)
            self._keep()
        if isinstance(message, d.FRM):
            self.letters.append(message)
            self.letter(message, len(self.letters))
        else:
            line = self._in_words(message)
            if line:
                self.tell(line)

    def _in_words(self, message: d.Value) -> str:
        """A message in words for the person; "" for those that are shown otherwise."""
        name = self._name
        match message:
            case d.CCD(power) if name(power) == self.table.power:
                return "your orders were not in at the deadline; what you send brings you back from disorder"
            case d.CCD(power):
                return f"{name(power)} is in civil disorder"
            case d.NOT(d.CCD(power)):
                return f"{name(power)} is back"
            case d.OUT(power):
                return f"{name(power)} is out of the game"
            case d.ADM(sender, text):
                return f"{sender} (to all): {text}"
            case d.TME(int(seconds)) if self._time_asked:
                self._time_asked = False
                return f"{seconds} s left"
            case d.NOT(d.TME()):
                return "the clock is stopped"
            case d.REJ(d.TME()):
                self._time_asked, asked = False, self._time_asked
                return "there is no deadline" if asked else ""
            case d.YES(d.SND() as sent):
                self.spoken.append(sent)
                self.chronicle.said(d.FRM(self._token(), sent.to, sent.press))
                return f"delivered to {', '.join(map(name, sent.to))}"
            case d.YES(d.DRW()):
                return "your offer of a draw stands for this phase"
            case d.YES(d.NOT(d.DRW())):
                return "your offer of a draw is taken back"
            case d.YES(d.GOF()):
                self._taken_as_done = self.table.turns
            # What was missing before comes late: those words answer orders that others followed.
            case d.MIS(units, number) if self._taken_as_done == self.table.turns and (units or number):
                return f"the server still misses orders: {message}"
            case d.MIS(None, None) if self.claim is not None and self._turns == 1:
                return "the server has orders for all your units; what you give replaces them"
            case d.REJ(d.HST() | d.IAM() | d.NME() | d.HLO()) | d.REJ(d.NOT(d.GOF())):
                return ""
            case d.REJ(refused):
                return f"the server refuses: {refused}"
            case d.HUH() | d.PRN():
                return f"the server does not understand: {message}"
        return ""

    def _name(self, token: str) -> str:
        map = self.table.map
        return token if map is None else map.power(token)

    def _token(self) -> str:
        return "" if self.table.power is None else self.table.token(self.table.power)

    def _keep(self) -> None:
        if self._save is not None and self.chronicle.positions:
            self._save(self.chronicle.to_json())
