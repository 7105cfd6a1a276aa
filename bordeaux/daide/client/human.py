"""A person's seat on a DAIDE server: phases, actions, information and completions, without the user
interface."""

from __future__ import annotations

import asyncio
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, MapError, OrderError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.bot import Bot
from bordeaux.daide.client.chronicle import Chronicle
from bordeaux.daide.client.human_input import (
    Delivery,
    OrderSheet,
    letter_of,
    may_follow,
    reply_to,
    talk_of,
    text_of,
)
from bordeaux.daide.client.phase import PhasePlay
from bordeaux.daide.client.session import Session
from bordeaux.daide.client.table import NOTES, Ending, PlayedOrder
from bordeaux.daide.press import in_english
from bordeaux.engine import Found
from bordeaux.players.base import Turn
from bordeaux.rules.rulesets import DAIDE

#: Seconds before a deadline at which a person is warned, and the shortest limit with this warning.
WARNINGS = ((60, 120), (15, 30))


class HumanPhase(PhasePlay):
    """A phase that a person plays: only their own orders are sent."""

    def begin(self) -> None:
        """Prepare the sheet, and keep the server from ending the phase before the person confirms."""
        table, power = self.table, self.table.power
        self.sheet: OrderSheet | None = None
        self.delivery = Delivery(translate.turn_of(self.position.phase))
        if power is None or power in table.eliminated:
            return
        sheet = OrderSheet(self.position, power, "AOA" in table.options, self.session.vocabulary)
        if sheet.legal or sheet.owed:
            self.sheet = sheet
            self.session.send(*self.delivery.begin())
            if self.bot.claim is not None and table.turns == 1:
                self.session.send(d.MIS())
        self.set_alarm()

    def set_alarm(self) -> None:
        """Warn before the deadline, and send the remaining orders just before it."""
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        deadline = self.table.deadline
        if self.sheet is None or deadline is None:
            return
        left = deadline - self.loop.time()
        limit = self.table.limit(self.position.phase) or 0
        for seconds, least in WARNINGS:
            if left > seconds and limit >= least:
                self._timers.append(self.loop.call_later(left - seconds, self._warn, seconds))
        self._timers.append(self.loop.call_later(max(0.0, left - self._margin(left)), self._send_all))

    def _warn(self, seconds: int) -> None:
        if self.sheet is not None and not self.delivery.done:
            missing = self.sheet.missing()
            self.bot.tell(
                f"{seconds} s left" + (f"; without orders: {', '.join(missing)}" if missing else "")
            )

    def _send_all(self) -> None:
        if self.sheet is not None:
            self.submit(self.delivery.now)

    def submit(self, how: Callable[[Sequence[d.Order]], Iterable[d.Value]]) -> None:
        """Send the messages of the delivery for the present orders."""
        assert self.sheet is not None
        values = self.sheet.values()
        self.session.send(*how(values))
        self.table.sent = values

    def heard(self, message: d.Value, now: float) -> None:
        """React to the server's answers to our orders."""
        if self.sheet is None:
            return
        match message:
            case d.THX(value, note) if note != "MBV" and not self.sheet.lax:
                order = self.sheet.drop(value)
                self.delivery.sent = tuple(
                    value_sent for value_sent in self.delivery.sent if value_sent != value
                )
                self.bot.tell(f"the server does not take {order or value}: {NOTES.get(note, note)} ({note})")
            case d.REJ(d.NOT(d.GOF())):
                self.bot.tell("this server does not wait: your orders go out when you say done")
        self.session.send(*self.delivery.heard(message, self.sheet.values()))

    def again(self) -> None:
        """Continue the phase on a new connection."""
        if self.sheet is not None:
            done = self.delivery.done
            self.session.send(*self.delivery.begin())
            if done:
                self.submit(self.delivery.finish)


class HumanSession(Session):
    """A session that also shows unreadable messages."""

    phase_class = HumanPhase

    def _unreadable(self, tokens: d.Tokens, error: d.LanguageError) -> None:
        self.bot.tell(f"from the server, not understood: {d.text(tokens)}")
        super()._unreadable(tokens, error)


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
        """Give orders, several with ``;`` between them; those before a wrong one are kept. ``all hold`` is a
        hold of every unit without an order."""
        phase, sheet = self.writing()
        all_hold = text.lower().split() == ["all", "hold"]
        if all_hold and sheet.position.phase.kind != "M":
            raise OrderError("all hold: nothing holds in this phase; done follows the rules")
        given = []
        try:
            for text_of_order in [f"{unit} H" for unit in sheet.missing()] if all_hold else text.split(";"):
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
        """Send press, in the form that `human_input.letter_of` reads."""
        return self._write(letter_of(text, self.table, self.vocabulary))

    def speak(self, text: str) -> tuple[d.SND, str]:
        """Send press in English, as `human_input.talk_of` reads it; returns it with what was left out."""
        press, left = talk_of(text, self.table, self.letters, self.spoken)
        return self._write(press), left

    def say(self, text: str) -> d.SND:
        """Send free text, as `human_input.text_of` reads it."""
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
            # Before that, MIS only answers single orders, which others have followed.
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


_BLANKS = re.compile(r"\s+")
#: The parts of an order: the unit, then its action, with a supported or convoyed unit and its goal separate.
_ORDER = re.compile(r"([AF] \S+) ((?:- |R )\S+(?: VIA)?|[SC] [AF] \S+(?= )|[SC] [AF] \S+|[HDB])(?: (.+))?")
#: Commands with powers as arguments, followed by press.
_PRESS, _POWERS = frozenset({"press"}), frozenset({"say", "talk", "draw"})
_UNITS = frozenset({"clear", "legal"})
_COASTS = {"N": "north", "S": "south", "E": "east", "W": "west"}


class TypedCompletion(NamedTuple):
    """A text that replaces the last `replaces` characters typed; `shown` is its new part, `meaning` explains
    it."""

    text: str
    replaces: int
    shown: str
    meaning: str = ""


def candidates(typed: str, human: Human, commands: Mapping[str, str]) -> Iterator[TypedCompletion]:
    """All completions of the typed text; `commands` maps their names to their purpose."""
    line = typed.lstrip()
    word, blank, rest = line.partition(" ")
    if blank and word.lower() in commands:
        yield from _arguments(word.lower(), rest, human)
        return
    if not blank and line:
        yield from (
            TypedCompletion(f"{name} ", len(line), name, meaning)
            for name, meaning in commands.items()
            if name.startswith(line.lower())
        )
    if human.sheet is not None:
        yield from order_candidates(typed.rpartition(";")[2].lstrip(), human.sheet)


def _arguments(command: str, rest: str, human: Human) -> Iterator[TypedCompletion]:
    map = human.table.map
    if map is None:
        return
    last = rest.rpartition(" ")[2]
    if command in _UNITS and human.sheet is not None:
        for place in human.sheet.legal:
            unit = _unit_of(place, human.sheet)
            if unit.startswith(rest.upper()) or place.startswith(rest.upper()):
                yield TypedCompletion(unit, len(rest), unit, _name(map, place))
    elif command in _POWERS | _PRESS:
        words = rest.split() if not last else rest.split()[:-1]
        named = [word for word in words if _is_power(word, map)]
        if len(named) == len(words):
            for power in map.powers:
                tag = map.tags[power]
                if power != human.table.power and tag not in named and _begins(last, tag, power):
                    yield TypedCompletion(f"{tag} ", len(last), tag, power)
        if command in _PRESS and named:
            yield from _press(rest, len(named), human)


def _press(rest: str, count: int, human: Human) -> Iterator[TypedCompletion]:
    """Tokens that may come next in press, after `count` powers."""
    written = rest.split(maxsplit=count)[count:]
    press = "" if not written else written[0]
    match = re.search(r"[A-Za-z0-9]*$", press)
    part = match[0] if match else ""
    for word in may_follow(press[: len(press) - len(part)], human.table.level, human.vocabulary):
        if word.startswith(part.upper()) and word != part.upper():
            yield TypedCompletion(word, len(part), word)


def _is_power(word: str, map: Map) -> bool:
    try:
        map.power(word)
    except MapError:
        return False
    return True


def _begins(part: str, *names: str) -> bool:
    return any(name.upper().startswith(part.upper()) for name in names)


# Orders.


def pieces(order: str) -> list[str]:
    """An order divided where a person may pause: ``A MAR``, ``S A PAR``, ``- BUR``."""
    match = _ORDER.fullmatch(order)
    return [order] if match is None else [piece for piece in match.groups() if piece]


def order_candidates(typed: str, sheet: OrderSheet) -> Iterator[TypedCompletion]:
    """The next piece of every legal order that begins with the typed text."""
    map = sheet.position.map
    plain = _with_kind(_BLANKS.sub(" ", typed.upper()), sheet)
    seen: set[str] = set()
    for order in _by_need(sheet):
        begun = ""
        for piece in pieces(order):
            whole = f"{begun} {piece}".strip()
            if len(whole) > len(plain):
                fits = whole.startswith(plain) or (not begun and _named(plain, piece, map))
                if fits and whole not in seen:
                    seen.add(whole)
                    yield TypedCompletion(whole, len(typed), piece, _meaning(piece, map))
                break
            if not plain.startswith(whole):
                break
            begun = whole


def _by_need(sheet: OrderSheet) -> Iterator[str]:
    """All legal orders, those for units without an order first."""
    given = {str(order.location).partition("/")[0] for order in sheet.orders}
    for later in (False, True):
        for place, orders in sheet.legal.items():
            if (place.partition("/")[0] in given) == later:
                yield from orders


def _with_kind(plain: str, sheet: OrderSheet) -> str:
    """``PAR - B`` as ``A PAR - B``."""
    first, blank, rest = plain.partition(" ")
    for place in sheet.legal:
        if blank and first in (place, place.partition("/")[0]):
            return f"{_unit_of(place, sheet)} {rest}"
    return plain


def _unit_of(place: str, sheet: OrderSheet) -> str:
    """The unit in a place, or the one that is built there, as in its orders."""
    return " ".join(sheet.legal[place][0].split()[:2])


def _named(plain: str, unit: str, map: Map) -> bool:
    """Whether a unit's place or name begins with the typed text: ``PA``, ``Paris``, ``A PA``."""
    if not plain or plain.endswith(" "):
        return False
    tag = unit.partition(" ")[2].partition("/")[0]
    return any(_begins(plain, name) for name in _full_names(map, tag))


def _full_names(map: Map, tag: str) -> Iterable[str]:
    try:
        province = map.province(tag)
    except MapError:
        return ()
    return (province.name, province.full)


def _meaning(piece: str, map: Map) -> str:
    """A piece in words: ``- BUR`` is ``move to Burgundy``."""
    words = piece.split()
    place = _name(map, words[-1] if words[-1] != "VIA" else words[-2])
    match words:
        case ["-", _]:
            return f"to {place}"
        case ["-", _, "VIA"]:
            return f"to {place} by convoy"
        case ["R", _]:
            return f"retreat to {place}"
        case ["S", *_]:
            return f"support {place}"
        case ["C", *_]:
            return f"convoy {place}"
        case ["H"]:
            return "hold"
        case ["D"]:
            return "disband"
        case ["B"]:
            return "build"
        case ["WAIVE"]:
            return "build nothing"
    return place


def _name(map: Map, place: str) -> str:
    """The full name of a place, with its coast."""
    tag, _, coast = place.partition("/")
    try:
        full = map.province(tag).full
    except MapError:
        return ""
    return f"{full}, {''.join(_COASTS.get(letter, '') for letter in coast[:-1])} coast" if coast else full
