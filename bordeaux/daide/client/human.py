"""A person's seat on a DAIDE server: phases, actions, information and completions, without the user
interface."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, OrderError
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.bot import Recorder
from bordeaux.daide.client.human_input import OrderSheet, letter_of, talk_of, text_of
from bordeaux.daide.client.session import PhasePlay, Session
from bordeaux.daide.client.table import NOTES, PlayedOrder
from bordeaux.daide.press import in_english

#: Seconds before a deadline at which a person is warned, and the shortest limit with this warning.
WARNINGS = ((60, 120), (15, 30))


class HumanPhase(PhasePlay):
    """A phase that a person plays, who writes orders on the `sheet`; None if there is nothing to order."""

    sheet: OrderSheet | None = None

    def begin(self) -> None:
        """Keep the server from ending the phase before the person confirms."""
        power = self.table.power
        if power is not None and power not in self.table.eliminated:
            sheet = OrderSheet(self.position, power)
            if sheet.legal or sheet.owed:
                self.sheet = sheet
                self._begin_submission(power, early=True)

    def set_alarm(self) -> None:
        """Warn before the deadline, and send the orders just before it."""
        super().set_alarm()
        left, _ = self._left()
        limit = self.table.limit(self.position.phase) or 0
        for seconds, least in WARNINGS:
            if self._alarms and left is not None and left > seconds and limit >= least:
                self._alarms.append(self.loop.call_later(left - seconds, self._warn, seconds))

    def _warn(self, seconds: int) -> None:
        missing = self.sheet.missing() if self.sheet is not None else ()
        self.bot.tell(f"{seconds} s left" + (f"; without orders: {', '.join(missing)}" if missing else ""))

    def finish(self) -> None:
        """Send the orders, if any were given, and let the phase be played."""
        if self.submission is not None and self.submission.best is not None:
            super().finish()

    @property
    def is_done(self) -> bool:
        """Whether the person has confirmed the orders."""
        return self.submission is not None and self.submission.finished

    def submit(self) -> None:
        """Pass on what is on the sheet, at once if the person is done."""
        done = self.is_done
        if done:
            self.reopen()
        if self.sheet is not None:
            self.offer(self.sheet.orders)
        if done:
            self.finish()


class HumanSession(Session):
    """A session that also shows unreadable messages."""

    phase_class = HumanPhase

    def _unreadable(self, tokens: d.Tokens, error: d.LanguageError) -> None:
        self.bot.tell(f"from the server, not understood: {d.text(tokens)}")
        super()._unreadable(tokens, error)


class Human(Recorder):
    """A person who plays one game on the server at `address`; `play` and `run` are a bot's. Methods for the
    person's actions raise BordeauxError with one line of reason. To show the game, override `begin`,
    `turned`, `letter`, `tell`. The rest is as for `Recorder`."""

    session_class = HumanSession

    def __init__(self, address: str, *, name: str = "Human", **rest: Any) -> None:
        super().__init__(address, name=name, **rest)
        self.letters: list[d.FRM] = []
        self.spoken: list[d.SND] = []

    def letter(self, message: d.FRM, number: int) -> None:
        """Press has arrived; `number` identifies it for a reply. To override."""

    # What is known.

    @property
    def phase(self) -> HumanPhase | None:
        """The present phase."""
        current = self.session.current
        return current if isinstance(current, HumanPhase) else None

    @property
    def sheet(self) -> OrderSheet | None:
        """The orders of this phase; None if there is nothing to order."""
        return None if self.phase is None else self.phase.sheet

    @property
    def is_done(self) -> bool:
        """Whether the person has confirmed the orders of this phase."""
        return self.phase is not None and self.phase.is_done

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
        """Give orders, several with ``;`` between them; those before a wrong one are kept. ``all hold`` is a
        hold of every unit without an order."""
        phase, sheet = self.writing()
        all_hold = text.lower().split() == ["all", "hold"]
        if all_hold and sheet.position.phase.kind != "M":
            raise OrderError("all hold: nothing holds in this phase; done follows the rules")
        wanted = [f"{unit} H" for unit in sheet.missing()] if all_hold else text.split(";")
        try:
            return [sheet.give(order) for order in wanted if order.strip()]
        finally:
            phase.submit()

    def clear(self, text: str = "") -> list[Order]:
        """Withdraw one order, or all; returns them."""
        phase, sheet = self.writing()
        struck = sheet.clear(text)
        phase.submit()
        return struck

    def done(self) -> list[Order]:
        """Confirm the orders. Missing orders follow the rules: holds, disbands, waives, removals by civil
        disorder; returns these."""
        phase, sheet = self.writing()
        filled = sheet.fill()
        phase.submit()
        phase.finish()
        return filled

    def wait(self) -> None:
        """Prevent the phase from ending before its deadline."""
        self.writing()[0].reopen()

    # What a person says.

    def _say(self, *messages: d.Value) -> None:
        if self.session.link is None:
            raise BordeauxError("there is no connection at the moment; try again when there is")
        self.session.send(*messages)

    def write(self, text: str) -> d.SND:
        """Send press, in the form that `human_input.letter_of` reads."""
        return self._write(letter_of(text, self.table, self.session.vocabulary))

    def speak(self, text: str) -> tuple[d.SND, str]:
        """Send press in English, as `human_input.talk_of` reads it; returns it with what was left out."""
        press, left = talk_of(text, self.table, self.letters, self.spoken)
        return self._write(press), left

    def say(self, text: str) -> d.SND:
        """Send free text, as `human_input.text_of` reads it."""
        return self._write(text_of(text, self.table))

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
        """Tell how much time is left."""
        left = self.seconds_left()
        self.tell("there is no deadline" if left is None else f"{round(left)} s left")

    # What the server says.

    def talker(self, position: Position, power: str) -> None:
        """None: the person handles press."""

    def draw(self, position: Position, power: str) -> None:
        """None: the person handles draws."""

    def _show_turn(self) -> None:
        # The phase's own object is made right after this.
        asyncio.get_running_loop().call_soon(self.turned, self.table.latest)

    def heard(self, message: d.Value) -> None:
        """Show the relevant messages, and keep the record."""
        super().heard(message)
        if isinstance(message, d.FRM):
            self.letters.append(message)
            self.letter(message, len(self.letters))
        elif line := self._in_words(message):
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
            case d.NOT(d.TME()):
                return "the clock is stopped"
            case d.YES(d.SND() as sent):
                self.spoken.append(sent)
                self.chronicle.said(d.FRM(self._token(), sent.to, sent.press))
                return f"delivered to {', '.join(map(name, sent.to))}"
            case d.YES(d.DRW()):
                return "your offer of a draw stands for this phase"
            case d.YES(d.NOT(d.DRW())):
                return "your offer of a draw is taken back"
            case d.THX(order, note) if note != "MBV":
                return f"the server does not take {order}: {NOTES.get(note, note)} ({note})"
            case d.REJ(d.NOT(d.GOF())):
                return "this server does not wait: your orders go out when you say done"
            case d.REJ(d.HST() | d.IAM() | d.NME() | d.HLO() | d.TME()):
                return ""
            case d.HUH(tokens) if "HST" in tokens[:2]:
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


class TypedCompletion(NamedTuple):
    """A text that replaces the last `replaces` characters typed; `shown` is its new part, `meaning` explains
    it."""

    text: str
    replaces: int
    shown: str
    meaning: str = ""


def candidates(typed: str, human: Human, commands: Mapping[str, str]) -> Iterator[TypedCompletion]:
    """All completions of the typed text, commands and orders; `commands` maps their names to their
    purpose."""
    word = typed.lstrip()
    for name, meaning in commands.items():
        if word and name.startswith(word.lower()):
            yield TypedCompletion(f"{name} ", len(word), name, meaning)
    if human.sheet is not None and word.partition(" ")[0].lower() not in commands:
        yield from order_candidates(typed.rpartition(";")[2].lstrip(), human.sheet)


def order_candidates(typed: str, sheet: OrderSheet) -> Iterator[TypedCompletion]:
    """The legal orders that begin with a text, ``A PAR - `` or ``par - ``; first those for units without an
    order."""
    plain = " ".join(typed.upper().split())
    given = {order.province for order in sheet.orders}
    for place in sorted(sheet.legal, key=lambda place: place.partition("/")[0] in given):
        for order in sheet.legal[place]:
            if order.startswith(plain) or order[2:].startswith(plain):
                yield TypedCompletion(order, len(typed), order)
