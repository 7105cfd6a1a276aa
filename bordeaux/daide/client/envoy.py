"""Connects a talker to the press of a DAIDE game: letters in and out, what each side understands, and the
time for talks in a phase."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from queue import Empty, SimpleQueue

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.client.table import Table
from bordeaux.daide.press import message_of, named_powers, press_of
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter, Talker
from bordeaux.press.language.levels import level_of

# Source: LANGUAGE.md, section 11.


def strange_at(press: d.Tokens, known: Collection[str], text: bool) -> int | None:
    """The place of the first unknown token in press; None if there is none. HUH and TRY are always known, and
    `text` says whether free text is."""
    if press[:1] in (("HUH",), ("TRY",)):
        return None
    unknown = d.press_levels().keys() - {*known}
    marks = ("0x",) if text else ("0x", "'")
    strange = (at for at, token in enumerate(press) if token in unknown or str(token).startswith(marks))
    return next(strange, None)


def answers_to(sender: str, press: d.Tokens, place: int, known: Collection[str]) -> list[d.SND]:
    """HUH with ERR before the token at `place`, then TRY with the tokens that are understood."""
    marked = (*press[:place], "ERR", *press[place:])
    return [d.SND(None, (sender,), d.HUH(marked)), d.SND(None, (sender,), d.TRY(tuple(known)))]


def press_group(message: d.Tokens) -> tuple[str, int, d.Tokens] | None:
    """Sender, place and tokens of the press in an unreadable FRM message; None if it does not even have that
    form."""
    match message:
        case ("FRM", "(", str(sender), ")", "(", *rest, ")") if ")" in rest:
            begin = 5 + rest.index(")") + 2
            if message[begin - 1 : begin] == ("(",) and len(message) > begin + 1:
                return sender, begin, message[begin:-1]
    return None


#: Messages that expect an answer to everything that they list.
_ASKING = frozenset({"PRP", "INS", "SUG", "QRY"})
_ANSWERS = frozenset({"YES", "REJ", "BWX", "IDK"})


class Hearing:
    """What one power understands. There is no way to ask. Three things are evidence: the words that it uses
    itself, the list of words in its ``TRY``, and its answers with ``HUH``. Programs are inconsistent about
    them: Albert lists nothing and still sends press. Source: LANGUAGE.md, section 11."""

    def __init__(self) -> None:
        self.used: set[object] = set()
        self.listed: frozenset[object] | None = None
        self.refused: set[d.Tokens] = set()

    def uses(self, press: d.Tokens) -> None:
        """It has sent press with these words."""
        self.used |= d.press_levels().keys() & set(press)

    def lists(self, words: Collection[object]) -> None:
        """It has listed the words that it understands (``TRY``), possibly only one that it has refused."""
        self.listed = frozenset(words)

    def refuses(self, press: d.Tokens) -> None:
        """It has not understood press, with ``ERR`` before the place (``HUH``)."""
        self.refused.add(tuple(token for token in press if token != "ERR"))

    def understands(self, press: d.Tokens) -> bool:
        """Whether it understands press, as far as is known."""
        if press in self.refused or self.listed is None:
            return press not in self.refused
        answers = _ANSWERS if self.used & _ASKING else frozenset()
        return d.press_levels().keys() & set(press) <= self.listed | self.used | answers


log = logging.getLogger(__name__)

#: Seconds of talks in a phase without a deadline that shortens them.
TALK = 15.0
#: The share of the time for orders that talks may use.
SHARE = 0.4
#: The silence that ends talks: a share of their time, and the minimum and maximum in seconds.
CALM_SHARE, LEAST_CALM, MOST_CALM = 0.15, 0.05, 2.0
#: Letters that a talker may write in a phase, and letters that may wait for it.
MOST_LETTERS, MOST_WAITING = 128, 1000
#: How often orders are reconsidered in a phase after late agreements.
RETHINKS = 3
#: Messages that make or end an agreement.
AGREEING = p.Accept | p.Cancel


def seconds_to_talk(wanted: float, left: float | None, kept: float, barred: float) -> float:
    """The seconds for talks: those wanted, or a share of the rest of the phase minus the margin `kept`. The
    last `barred` seconds, in which press is not allowed (PTL), are excluded."""
    if left is None:
        return wanted
    return max(0.0, min(wanted, (left - kept) * SHARE, left - barred))


def everybody(message: d.FRM, table: Table) -> tuple[str, ...]:
    """The sender of press, and all its other recipients."""
    us = (table.token(table.power or ""), message.sender)
    return (message.sender, *(power for power in message.to if power not in us))


class Envoy:
    """Carries the letters of one power's `talker`, None for a power without one. `level` is the highest level
    that it speaks; the game's own level limits it further. All of it runs in the event loop, except
    `next`."""

    def __init__(self, table: Table, level: int) -> None:
        self.table = table
        self.own_level = level
        self.talker: Talker | None = None
        self._hearing: dict[str, Hearing] = {}
        self._waiting: SimpleQueue[Letter | None] = SimpleQueue()

    @property
    def level(self) -> int:
        """The level of press that can be used: the game's or ours, whichever is lower."""
        return min(self.table.level, self.own_level)

    @property
    def understood(self) -> tuple[str, ...]:
        """The tokens of press that we understand; press with any other is answered with HUH and TRY."""
        return tuple(token for token, least in d.press_levels().items() if least <= self.level)

    # In.

    def listen(self, message: d.FRM) -> None:
        """Record the words that a power uses, with any meaning."""
        if not isinstance(message.press, d.HUH | d.TRY):
            self._hearing_of(message.sender).uses(d.tokens(message.press))

    def hear(self, message: d.FRM) -> Iterator[d.SND]:
        """Pass understood press to the talker, if there is one; press that names things that are not on the
        map is answered at once."""
        match message.press:
            case d.HUH(tokens):
                self._hearing_of(message.sender).refuses(tokens)
                return
            case d.TRY(tokens):
                self._hearing_of(message.sender).lists(tokens)
                return
        if self.talker is None:
            return
        map = self._map()
        try:
            said = message_of(message.press, map)
        except BordeauxError as error:
            log.warning("%s: %s", message.sender, error)
            yield from self._refused(message)
            return
        if self._waiting.qsize() < MOST_WAITING:
            to = tuple(map.power(power) for power in message.to)
            self._waiting.put(Letter(map.power(message.sender), to, said))

    def _refused(self, message: d.FRM) -> Iterator[d.SND]:
        match message.press:
            case d.PRP() | d.INS() | d.SUG() | d.IFF():
                yield d.SND(None, everybody(message, self.table), d.REJ(message.press))
            case d.QRY() | d.WHT() | d.HOW() | d.EXP():
                yield d.SND(None, (message.sender,), d.IDK(message.press))
            case d.WHY():
                yield d.SND(None, (message.sender,), d.BWX(message.press))

    def next(self, seconds: float | None, stopped: Callable[[], bool]) -> Letter | None:
        """The next letter, in the thread of the talker; None if none comes within some seconds, or after
        `stopped` and a wake-up."""
        until = None if seconds is None else time.monotonic() + seconds
        while not stopped():
            try:
                left = None if until is None else max(0.0, until - time.monotonic())
                letter = self._waiting.get(timeout=left)
            except Empty:
                return None
            if letter is not None:
                return letter
        return None

    def wake(self) -> None:
        """Wake the talker's thread to check whether it has been stopped."""
        self._waiting.put(None)

    # Out.

    def sendable(self, letter: Letter) -> d.SND | None:
        """A letter in DAIDE's words to the recipients that can be reached. None if it may not or cannot be
        sent: above the level, with another sender, without recipients, about eliminated powers, or a proposal
        that not all could accept."""
        there = set(self.table.survivors) - self.table.disorder
        reached = [power for power in dict.fromkeys(letter.to) if power in there]
        proposes = isinstance(letter.message, p.Propose | p.Insist)
        obstacle, press = "", None
        try:
            level = level_of(letter.message)
            if letter.sender != self.table.power or letter.sender in letter.to:
                obstacle = "not from us to others"
            elif level > self.level:
                obstacle = f"above the level: {level}"
            elif not reached or (proposes and len(reached) < len(set(letter.to))):
                obstacle = "out of reach"
            else:
                press = press_of(letter.message, self._map())
                if {self.table.token(power) for power in self.table.eliminated} & {*named_powers(press)}:
                    obstacle = "about powers that are out"
        except (BordeauxError, RecursionError) as error:
            obstacle = str(error)
        if press is None or obstacle:
            log.info("not sent: %s: %s", obstacle, letter)
            return None
        return d.SND(None, tuple(map(self.table.token, reached)), press)

    def _map(self) -> Map:
        assert self.table.map is not None
        return self.table.map

    def audible(self, message: d.SND) -> d.SND | None:
        """Press for the recipients that understand it, as far as is known. None if nobody does, and for a
        proposal that not all required powers understand."""
        if isinstance(message.press, d.HUH | d.TRY):
            return message
        words = d.tokens(message.press)
        to = tuple(power for power in message.to if self._hearing_of(power).understands(words))
        if not to or (to != message.to and isinstance(message.press, d.PRP | d.INS)):
            return None
        return message if to == message.to else d.SND(message.turn, to, message.press)

    def draw(self, powers: tuple[str, ...] | None) -> d.DRW | None:
        """The message to the server for the draw that the talker accepts, if any; a draw of some powers only
        if the options allow it (PDA)."""
        survivors = set(self.table.survivors)
        if powers is None:
            return None
        if not powers or set(powers) == survivors:
            return d.DRW()
        if "PDA" not in self.table.options or len(set(powers)) < 2 or not set(powers) <= survivors:
            return None
        return d.DRW(tuple(map(self.table.token, dict.fromkeys(powers))))

    def _hearing_of(self, power: str) -> Hearing:
        return self._hearing.setdefault(power, Hearing())


class EnvoyTalks:
    """A talker's talks in the phase of a position; all of it runs in one thread. The talker's messages go to
    `say`, errors to `tell`: a call that fails counts as silence. `stopped` tells whether the phase is
    over."""

    def __init__(
        self,
        envoy: Envoy,
        talker: Talker,
        position: Position,
        *,
        say: Callable[[Letter], None],
        tell: Callable[[str], None],
        stopped: Callable[[], bool],
    ) -> None:
        self._envoy = envoy
        self._talker = talker
        self._position = position
        self._say = say
        self._tell = tell
        self._stopped = stopped
        self._rethinks = self._written = 0
        self._calm = LEAST_CALM
        self._until = math.inf

    def hold(self, seconds: float) -> None:
        """Talk for some seconds, or until there was no message for a while and the talker has none."""
        self._until = time.monotonic() + seconds
        self._calm = min(max(seconds * CALM_SHARE, LEAST_CALM), MOST_CALM)
        self._answered(self._talker.open_talks, self._position, self._envoy.level)
        while not self._stopped() and (left := self._until - time.monotonic()) > 0:
            letter = self._envoy.next(min(self._calm, left), self._stopped)
            if letter is not None:
                self._answered(self._talker.hear, letter)
            elif self._stopped() or time.monotonic() >= self._until or not self._answered(self._talker.quiet):
                return

    def draw(self) -> tuple[str, ...] | None:
        """The draw that the talker accepts."""
        try:
            return self._talker.draw()
        except Exception as error:
            self._tell(f"no word of a draw: {type(error).__name__}: {error}")
            return None

    def linger(self) -> bool:
        """Process and answer late letters, until the phase is over (False) or until an agreement requires
        another search (True)."""
        agreed, self._until = False, math.inf
        while not self._stopped():
            letter = self._envoy.next(self._calm if agreed else None, self._stopped)
            if letter is not None:
                said = self._answered(self._talker.hear, letter)
                agreed |= any(isinstance(heard.message, AGREEING) for heard in (letter, *said))
                agreed &= self._rethinks < RETHINKS
            elif agreed and not self._stopped():
                self._rethinks += 1
                return True
        return False

    def _answered(self, ask: Callable[..., Iterable[Letter]], *about: object) -> list[Letter]:
        """The talker's answers, sent as they come, until the time is over or too much has been written."""
        said: list[Letter] = []
        try:
            for letter in ask(*about):
                if self._written == MOST_LETTERS:
                    break
                self._written += 1
                said.append(letter)
                self._say(letter)
                if self._stopped() or time.monotonic() >= self._until:
                    break
        except Exception as error:
            self._tell(f"the talker keeps quiet: {type(error).__name__}: {error}")
        return said
