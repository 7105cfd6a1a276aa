"""One bot's conversation with a server, over all connections of the game.

A client that wants to play sends NME, receives the map, and waits for HLO. Each NOW begins a phase. After a
lost link it reconnects with IAM and its passcode. Source: LANGUAGE.md, sections 5 to 8; PROTOCOL.md,
section 4.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Iterable

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.base import Client
from bordeaux.daide.client.envoy import answers_to, press_group, strange_at
from bordeaux.daide.client.link import AnyLink, Link, LinkError, LinkLost
from bordeaux.daide.client.phase import PhasePlay
from bordeaux.daide.client.table import Ending
from bordeaux.daide.repeats import Repeats
from bordeaux.press.language.letter import Letter

log = logging.getLogger(__name__)


class ClaimRefused(LinkLost):
    """The server does not give a power back; perhaps it has not noticed yet that our connection ended."""


#: Seconds between attempts to reconnect; the last one is repeated.
BACKOFF = (0.2, 0.5, 1.0, 2.0, 5.0)
#: Seconds after which a connection counts as good.
LONG = 60.0
#: Messages that a server must not refuse before the game; REJ to NME, OBS and IAM has a meaning of its own.
INTRODUCTION = ("NME", "OBS", "IAM", "MAP", "MDF", "YES")
#: Attempts to take over a power at the start, where a wrong passcode is more likely than a seat that is still
#: occupied.
FIRST_CLAIMS = 4
#: Seconds to wait for the summary after the result, and for OFF after the summary.
LINGER = 5.0
LINGER_AFTER_SUMMARY = 1.0


class LogText:
    """A foreign message for a log, cleaned when it is written."""

    def __init__(self, said: object) -> None:
        self.said = said

    def __str__(self) -> str:
        return clean(str(self.said))


class Session:
    """Plays one game for a bot, by `play`."""

    #: The class that plays a phase.
    phase_class: type[PhasePlay] = PhasePlay

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.table = bot.table
        self.link: AnyLink | None = None
        self.current: PhasePlay | None = None
        self.saved: dict[str, tuple[str, int]] = {}
        #: Whether the server waits for GOF before it plays a phase; None if unknown.
        self.awaits_go: bool | None = None
        self._turns = 0
        self._begun = False
        self._welcome = self._ever_welcome = False
        self._linger_until = math.inf
        self._told = Repeats(bot.tell)
        self._warnings = Repeats(lambda line: log.warning("%s", LogText(line)))
        self._mapping = self._claiming = self._back = False
        self._asked_again = False
        self._talker_asked = False

    async def play(self) -> Ending:
        """Play until the game ends. Raises LinkError if there is no server, or if it refuses us, breaks the
        protocol, becomes silent or does not come back."""
        loop = asyncio.get_running_loop()
        tries, lost_at = 0, 0.0
        try:
            while True:
                begun, known = loop.time(), self._known()
                try:
                    self._welcome = False
                    self.link = await self.open_link()
                    self._enter()
                    return await self._converse(self.link)
                except LinkLost as lost:
                    if self.table.over:
                        return self.table.ending()
                    if self._known() != known or loop.time() - begun > max(self.bot.comeback, LONG):
                        tries, lost_at = 0, loop.time()
                    await self._wait_to_return(lost, tries, loop.time() - lost_at)
                    tries += 1
                finally:
                    if self.link is not None:
                        await self.link.close()
                        self.link = None
        finally:
            if self.current is not None:
                self.current.stop()
                await self.current.ended()

    def _known(self) -> tuple[object, ...]:
        """What the server has told so far. A connection counts as good if it brings something new or is long:
        servers that say yes and close would be tried for ever otherwise."""
        table = self.table
        return self._ever_welcome, table.map is None, table.started, self._begun, table.turns

    async def open_link(self) -> AnyLink:
        """A new connection. Raises LinkLost if there is none, LinkError if none is possible."""
        return await Link.open(self.bot.host, self.bot.port, self.bot.patience)

    async def _wait_to_return(self, lost: LinkLost, tries: int, gone: float) -> None:
        """Wait before the next attempt; raises LinkError after enough attempts, or without a game to return
        to."""
        if self._ever_welcome:
            if gone > self.bot.comeback:
                raise LinkError(f"{lost}; gave up after {tries} attempts to return") from None
        elif not isinstance(lost, ClaimRefused) or tries + 1 >= FIRST_CLAIMS:
            raise LinkError(str(lost)) from None
        delay = BACKOFF[min(tries, len(BACKOFF) - 1)]
        self.bot.tell(f"{lost}; trying again in {delay:g} s")
        await asyncio.sleep(delay)

    def _enter(self) -> None:
        """The first message on a new connection."""
        if self.table.power is not None and self.table.passcode is not None:
            self._claim(self.table.token(self.table.power), self.table.passcode)
        elif self.bot.claim is not None:
            self._claim(*self.bot.claim)
        else:
            self._mapping, self._claiming = True, False
            self.send(self.bot.introduction())

    def _claim(self, token: str, passcode: int) -> None:
        self._mapping, self._claiming = self.table.map is None, True
        self.send(d.IAM(token, passcode))

    async def _converse(self, link: AnyLink) -> Ending:
        """Process messages until the game is over. Raises LinkLost when the connection ends first."""
        probing = False
        loop = asyncio.get_running_loop()
        while loop.time() < self._linger_until:
            patience = self._patience()
            try:
                # Not wait_for, which in Python 3.11 forgets that it was cancelled if a message comes then.
                async with asyncio.timeout(patience):
                    tokens = await link.receive()
            except TimeoutError:
                if self.table.over:
                    break
                waiting = not (self._begun or self.table.started)
                if probing or waiting or not self._welcome:
                    raise LinkLost(f"{self.bot.address} is silent since {patience:g} s") from None
                probing = True
                self.send(d.TME())
                continue
            probing = False
            self._hear(tokens)
            if self.table.off:
                if not self._begun and not self.table.started:
                    raise LinkError(f"{self.bot.address} sent us away before the game: OFF")
                return self.table.ending()
            await link.flush()
        return self.table.ending()

    def _patience(self) -> float | None:
        """The seconds of silence after which the server is asked. Before a game begins there is no limit. The
        time after the end is one span, whatever comes in it."""
        now = asyncio.get_running_loop().time()
        if self.table.over:
            linger = LINGER if self.table.summary is None else LINGER_AFTER_SUMMARY
            self._linger_until = min(self._linger_until, now + linger)
            return self._linger_until - now
        return self.bot.patience if self._begun or self.table.started else self.bot.waiting

    def _link(self) -> AnyLink:
        assert self.link is not None
        return self.link

    @property
    def vocabulary(self) -> d.Vocabulary:
        """The tokens that the server uses."""
        return d.Vocabulary.standard() if self.link is None else self.link.vocabulary

    def send(self, *messages: d.Value) -> None:
        """Send messages; without a connection they are lost."""
        for message in messages:
            if self.link is not None:
                log.debug("to server: %s", LogText(message))
                self.link.send(message)
                self.bot.sent(message)

    # What the server says.

    def _hear(self, tokens: d.Tokens) -> None:
        try:
            message = d.read(
                tokens, side="server", level=d.HIGHEST, vocabulary=self._link().vocabulary, lenient=True
            )
        except d.LanguageError as error:
            self._unreadable(tokens, error)
            return
        log.debug("from server: %s", LogText(message))
        now = asyncio.get_running_loop().time()
        try:
            self.table.take(message, now)
        except BordeauxError as error:
            # A client that joins late gets some messages before the map, and again after it.
            if self.table.map is not None or isinstance(message, d.MDF):
                self._told.line("impossible messages", f"{self.bot.address}: {error}")
            if isinstance(message, d.MDF):
                self.send(d.REJ(d.MAP(self.table.map_name or "")))
                raise LinkError(f"{self.bot.address} has a map that cannot be played: {error}") from None
            return
        self.bot.heard(message)
        self._answer(message, now)
        if self.table.over and self.current is not None:
            self.current.stop()
        elif self.table.turns != self._turns:
            self._turns = self.table.turns
            self._begin_phase()
        elif isinstance(message, d.NOW) and self._back and self.current is not None:
            self._back = False
            self.current.again()

    def _answer(self, message: d.Value, now: float) -> None:
        match message:
            case d.REJ(d.NME()):
                raise LinkError(f"{self.bot.address} takes no more players: the game is full or has begun")
            case d.REJ(d.OBS()):
                raise LinkError(
                    f"{self.bot.address} takes no observers: it refuses OBS, as the server of the package"
                    " diplomacy does"
                )
            case d.REJ(d.IAM(power)):
                raise ClaimRefused(f"{self.bot.address} does not give us {power}: wrong passcode or not free")
            case d.REJ() | d.HUH() | d.PRN() if self._is_refusal(message):
                raise LinkError(f"{self.bot.address} does not understand us: {quote(d.text(message))}")
            case d.YES(d.NME() | d.OBS()):
                self._welcome = self._ever_welcome = True
            case d.YES(d.IAM()):
                self._welcome = self._ever_welcome = True
                self._back = self._begun
                self.send(*((d.MAP(),) if self._mapping else QUESTIONS))
            case d.MAP(str()) if self._mapping:
                self.send(d.MDF())
            case d.MDF() if self._mapping:
                self._mapping = False
                self.send(*(QUESTIONS if self._claiming else (d.YES(d.MAP(self.table.map_name or "")),)))
            case d.HLO() if not self._begun:
                self._begun = True
                if self.current is not None:
                    # A turn was told before we knew our power, to one who takes it over: it begins now.
                    self._turns = -1
                self.bot.begin()
            case d.REJ(d.SUB()) if not self._asked_again:
                # The phase is over, or we have missed that another has begun.
                self._asked_again = True
                self.send(d.NOW())
            case d.FRM():
                self._press(message, now)
            case d.SVE(name):
                if self.table.power is None or self.table.passcode is None:
                    self.send(d.REJ(message))
                else:
                    self.saved[name] = self.table.token(self.table.power), self.table.passcode
                    self.send(d.YES(message))
            case d.LOD(name):
                claim = self.saved.get(name) or self.bot.claim
                if claim is None:
                    self.send(d.REJ(message))
                    if not self._begun:
                        raise LinkError(
                            f"{self.bot.address} goes on with the saved game {quote(name)}, in which we"
                            " have no power; give its power and passcode"
                        )
                else:
                    self._claim(*claim)
            case d.TME() | d.NOT(d.TME()) if self.current is not None:
                self.current.set_alarm()
        if isinstance(message, d.HUH | d.PRN):
            what = f"{self.bot.address} does not understand: {message}"
            self._warnings.line("messages that the server does not understand", what)
        if self.current is not None:
            self.current.heard(message, now)

    def _is_refusal(self, message: d.REJ | d.HUH | d.PRN) -> bool:
        """Whether the server refuses what no game can begin without: our first messages."""
        if self._begun or self.table.started:
            return False
        words = [word for word in d.tokens(message)[1:] if word not in ("(", ")", "ERR")]
        first = words[0] if words else ""
        return first in INTRODUCTION or (not words and self.table.map_name is None)

    def _unreadable(self, tokens: d.Tokens, error: d.LanguageError) -> None:
        """Answer an unreadable message: press to its sender, others to the server, errors not at all."""
        if tokens[0] in ("MAP", "MDF") and self._mapping:
            raise LinkError(f"{self.bot.address} has a map that cannot be read: {clean(str(error))}")
        self._warnings.line(
            "messages that cannot be read", f"{self.bot.address} sent what cannot be read: {error}"
        )
        press = press_group(tokens)
        if press is not None and self.table.level >= 10:
            sender, begin, words = press
            place = min(max(error.at - begin, 0), len(words))
            self._send_press(answers_to(sender, words, place, self.bot.envoy.understood))
        elif error.reply is not None:
            self.send(error.reply)

    # Press.

    def _press(self, message: d.FRM, now: float) -> None:
        ears = self.bot.envoy
        words = d.tokens(message.press)
        ears.listen(message)
        strange = strange_at(words, ears.understood, ears.level >= 8000)
        if strange is not None:
            self._send_press(answers_to(message.sender, words, strange, ears.understood))
            return
        try:
            replies = list(ears.hear(message))
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            self._told.line("unanswered press", f"press of {message.sender} left unanswered: {fault}")
            return
        self._send_press(replies)

    def _send_press(self, messages: Iterable[d.SND]) -> None:
        """Send press while the game allows it; with its turn, so that it cannot count for a later one.

        One server cannot read press to a single power without the turn.
        """
        phase = self.table.phase
        if phase is not None and self.table.press_is_open(asyncio.get_running_loop().time()):
            turn = translate.turn_of(phase)
            audible = filter(None, map(self.bot.envoy.audible, messages))
            self.send(*(d.SND(message.turn or turn, message.to, message.press) for message in audible))

    def deliver(self, letter: Letter, phase: PhasePlay) -> None:
        """Send the talker's messages in a phase, if it is still played."""
        if phase is self.current:
            self._send_press(filter(None, [self.bot.envoy.sendable(letter)]))

    # Phases.

    def _begin_phase(self) -> None:
        if self.current is not None:
            self.current.stop()
            submission = self.current.submission
            if self.awaits_go is None and submission is not None and submission.played_without_go:
                self.awaits_go = False
        self._back = self._asked_again = False
        self.current = self.phase_class(self, self.current)
        self._seat_talker()
        self.current.begin()
        self._offer_draw()

    def _offer_draw(self) -> None:
        """Send the draw that the bot accepts, if it has no talker."""
        table = self.table
        if table.power is None or table.power in table.eliminated or self.bot.envoy.talker is not None:
            return
        try:
            assert table.position is not None
            draw = self.bot.draw(table.position, table.power)
        except Exception as error:
            self.bot.tell(f"no draw in {table.phase}: {type(error).__name__}: {error}")
            return
        if draw is not None:
            self.send(draw)

    def _seat_talker(self) -> None:
        """Get the bot's talker, in the first phase in which it has a power."""
        table, envoy = self.table, self.bot.envoy
        if self._talker_asked or table.power is None or table.power in table.eliminated:
            return
        self._talker_asked = True
        try:
            assert table.position is not None
            envoy.talker = self.bot.talker(table.position, table.power)
        except Exception as error:
            self.bot.tell(f"nobody talks: {type(error).__name__}: {error}")


#: The messages with which a client resumes a game.
QUESTIONS = (d.HLO(), d.SCO(), d.NOW(), d.TME())
