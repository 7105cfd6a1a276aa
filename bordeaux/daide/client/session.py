"""One bot's conversation with a server, over all connections of the game, and the play of its phases.

A client that wants to play sends NME, receives the map, and waits for HLO. Each NOW begins a phase. After a
lost link it reconnects with IAM and its passcode. Source: LANGUAGE.md, sections 5 to 8; PROTOCOL.md,
section 4.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.order import Order
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.base import Client
from bordeaux.daide.client.envoy import EnvoyTalks, answers_to, press_group, seconds_to_talk, strange_at
from bordeaux.daide.client.link import AnyLink, Link, LinkError, LinkLost
from bordeaux.daide.client.submission import PhaseSubmission, spare_orders, worded
from bordeaux.daide.client.table import Ending
from bordeaux.daide.client.thinking import Orders, Thought, margin, seconds_to_think
from bordeaux.daide.repeats import Repeats
from bordeaux.players.base import Limit, Turn
from bordeaux.press.language.letter import Letter, Talker

log = logging.getLogger(__name__)
T = TypeVar("T")


class ClaimRefused(LinkLost):
    """The server does not give a power back; perhaps it has not noticed yet that our connection ended."""


#: Seconds between attempts to reconnect; the last one is repeated.
BACKOFF = (0.2, 0.5, 1.0, 2.0, 5.0)
#: Seconds after which a connection counts as good.
LONG = 60.0
#: Messages that a server must not refuse before the game; REJ to NME, OBS and IAM has a meaning of its own.
INTRODUCTION = ("NME", "OBS", "IAM", "MAP", "MDF", "YES")
#: The messages with which a client resumes a game.
QUESTIONS = (d.HLO(), d.SCO(), d.NOW(), d.TME())
#: Attempts to take over a power at the start, where a wrong passcode is more likely than a seat that is still
#: occupied.
FIRST_CLAIMS = 4
#: Seconds to wait for the summary after the result, and for OFF after the summary.
LINGER = 5.0
LINGER_AFTER_SUMMARY = 1.0
#: Seconds for the server to answer the last orders; then GOF is sent in any case.
ANSWER = 2.0
#: The shortest interval between early orders, in seconds and as a share of the time for the search.
GAP, GAP_SHARE = 0.25, 0.2
#: Orders are reconsidered only with more than so many seconds left.
RETHINK = 2.0


class PhasePlay:
    """The play of one phase; `before` is that of the last one, whose search must end first."""

    def __init__(self, session: Session, before: PhasePlay | None) -> None:
        self.session = session
        self.bot = session.bot
        self.table = session.table
        position = self.table.position
        assert position is not None
        self.position = position
        self.loop = asyncio.get_running_loop()
        self.submission: PhaseSubmission | None = None
        #: Phases that the bot has not processed yet.
        self._seen: list[Turn] = [*(before._seen if before else ()), *filter(None, [self.table.latest])]
        self._thought: Thought | None = None
        self._earlier = before._thought if before else None
        last = before.submission if before else None
        self._held_up = last is not None and last.holding
        self._timers: list[asyncio.TimerHandle] = []
        self._alarms: list[asyncio.TimerHandle] = []

    def begin(self) -> None:
        """Start the talks and the search, if there is anything to do."""
        table, power = self.table, self.table.power
        if power is not None and power not in table.eliminated:
            owes = table.owes(power)
            self._begin_submission(power if owes else None, early=owes and table.deadline is not None)
        self.bot.last_orders = table.last_orders()
        self._thought = Thought(self._think, self._found, self._done, self._earlier)
        self._earlier = None
        self._thought.start()

    def _begin_submission(self, power: str | None, *, early: bool) -> None:
        """Begin with the messages to the server, for a power that must order; None for one that need not."""
        self.submission = PhaseSubmission(
            translate.turn_of(self.position.phase),
            spare_orders(self.position, power) if power else (),
            early=early,
            gap=max(GAP, GAP_SHARE * (self._limit().time or 0.0)),
            awaits_go=self.session.awaits_go,
            holding=self._held_up,
        )
        self.session.send(*self.submission.begin())
        if power is None:
            self.submission.offer((), self.loop.time())
        self.set_alarm()

    def _left(self) -> tuple[float | None, float]:
        """The seconds to the deadline, None without one, and the margin."""
        if self.table.deadline is None:
            return None, 0.0
        left = self.table.deadline - self.loop.time()
        return left, margin(left)

    def _limit(self) -> Limit:
        return Limit(seconds_to_think(self.bot.time, *self._left()), self.bot.nodes)

    # What runs in the thread of the thought.

    def _think(self) -> Orders | Iterator[Orders]:
        while self._seen:
            self.bot.observe(self._seen.pop(0))
        if self.submission is None:
            return iter(())
        talker = self.bot.envoy.talker
        return self._orders() if talker is None else self._talk_and_think(talker)

    def _orders(self) -> Orders | Iterator[Orders]:
        power = self.table.power
        if power is None or power not in self.position.orderable():
            return iter(())
        return self.bot.orders(self.position, power, self._limit())

    def _talk_and_think(self, talker: Talker) -> Iterator[Orders]:
        """First the talks, then orders; and new orders after a late agreement."""
        thought, envoy = self._thought, self.bot.envoy
        assert thought is not None
        talks = EnvoyTalks(
            envoy,
            talker,
            self.position,
            say=lambda letter: thought.tell(self.session.deliver, letter, self),
            tell=lambda line: thought.tell(self.bot.tell, f"{self.position.phase}: {line}"),
            stopped=lambda: thought.is_stopped,
        )
        if envoy.level and self.table.press_is_open(self.loop.time()):
            barred = self.table.options.get("PTL") or 0 if self.position.phase.kind == "M" else 0
            talks.hold(seconds_to_talk(self.bot.talk, *self._left(), barred))
        offered: d.DRW | None = None
        while True:
            draw = envoy.draw(talks.draw())
            if draw != offered:
                changed = (None if offered is None else d.NOT(offered), draw)
                thought.tell(self.session.send, *filter(None, changed))
                offered = draw
            given = self._orders()
            yield from given if isinstance(given, Iterator) else (given,)
            thought.tell(self._submit_best)
            while agreed := talks.linger():
                left, kept = self._left()
                if left is None or left - kept > RETHINK:
                    break
            if not agreed:
                return
            thought.tell(self.reopen)

    # What runs in the event loop again.

    def set_alarm(self) -> None:
        """Finish in time for the present deadline."""
        _cancel(self._alarms)
        left, kept = self._left()
        if self.submission is not None and left is not None and not self.submission.finished:
            # Half the margin: a search that keeps to its time is done before.
            self._alarms.append(self.loop.call_later(max(0.0, left - kept / 2), self.finish))

    def _found(self, thought: Thought, orders: Orders) -> None:
        if thought is self._thought:
            self.offer(orders)

    def offer(self, orders: Sequence[Order | str]) -> None:
        """Take better orders, which are sent if it is time."""
        if self.submission is not None and self.table.power is not None:
            values, complaints = worded(self.position, self.table.power, orders)
            for complaint in complaints:
                self.bot.tell(f"{self.position.phase}: {complaint}")
            self.session.send(*self.submission.offer(values, self.loop.time()))

    def _done(self, thought: Thought, error: Exception | None) -> None:
        if thought is self._thought:
            if error is not None:
                trace = None if isinstance(error, BordeauxError) else error
                log.error("%s: no orders in %s", self.bot.name, self.position.phase, exc_info=trace)
                self.bot.tell(f"{self.position.phase}: {type(error).__name__}: {error}")
            self.finish()

    def finish(self) -> None:
        """Send the best orders so far, and let the phase be played."""
        self._end_thought()
        self._submit_best()

    def _end_thought(self) -> None:
        if self._thought is not None:
            self._thought.stop()
            self.bot.envoy.wake()

    def _submit_best(self) -> None:
        _cancel(self._alarms)
        if self.submission is None or self.submission.finished:
            return
        if self.submission.best is None:
            self.offer(())
        self.table.sent = self.submission.best or ()
        self.session.send(*self.submission.finish())
        self._timers.append(self.loop.call_later(ANSWER, self._go))

    def reopen(self) -> None:
        """Delay the phase for other orders."""
        assert self.submission is not None
        _cancel(self._timers)
        self.session.send(*self.submission.reopen())
        self.set_alarm()

    def _go(self) -> None:
        if self.submission is not None:
            self.session.send(*self.submission.go_late())

    def heard(self, message: d.Value, now: float) -> None:
        """React to the server's answers to our orders."""
        if self.submission is not None:
            self.session.send(*self.submission.heard(message, now))
            self.session.awaits_go = self.submission.awaits_go

    def again(self) -> None:
        """Continue the phase on a new connection."""
        if self.submission is not None:
            self.session.send(*self.submission.again())
            if self.submission.finished:
                self._timers.append(self.loop.call_later(ANSWER, self._go))

    def stop(self) -> None:
        """Stop the search: the phase has been played, or the game is over."""
        self._end_thought()
        _cancel(self._alarms)
        _cancel(self._timers)

    async def ended(self) -> None:
        """Wait until the search has ended, with a limit."""
        if self._thought is not None:
            await asyncio.to_thread(self._thought.join, ANSWER)


def _cancel(timers: list[asyncio.TimerHandle]) -> None:
    while timers:
        timers.pop().cancel()


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
        claim = self._own_claim()
        if claim is not None:
            self._claim(*claim)
        else:
            self._mapping, self._claiming = True, False
            self.send(self.bot.introduction())

    def _own_claim(self) -> tuple[str, int] | None:
        """The token and the passcode of our power, if we have one."""
        table = self.table
        if table.power is None or table.passcode is None:
            return self.bot.claim
        return table.token(table.power), table.passcode

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
                if probing or not self._welcome:
                    raise LinkLost(f"{self.bot.address} is silent since {patience:g} s") from None
                probing = True
                self.send(d.TME())
                continue
            probing = False
            self._hear(tokens)
            if self.table.off:
                if not self._playing:
                    raise LinkError(f"{self.bot.address} sent us away before the game: OFF")
                return self.table.ending()
            await link.flush()
        return self.table.ending()

    @property
    def _playing(self) -> bool:
        return self._begun or self.table.started

    def _patience(self) -> float | None:
        """The seconds of silence after which the server is asked. Before a game begins there is no limit. The
        time after the end is one span, whatever comes in it."""
        now = asyncio.get_running_loop().time()
        if self.table.over:
            linger = LINGER if self.table.summary is None else LINGER_AFTER_SUMMARY
            self._linger_until = min(self._linger_until, now + linger)
            return self._linger_until - now
        return self.bot.patience if self._playing else None

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
            message = d.read(tokens, side="server", level=d.HIGHEST, vocabulary=self.vocabulary, lenient=True)
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
                self._press(message)
            case d.SVE():
                self.send(d.REJ(message) if self._own_claim() is None else d.YES(message))
            case d.LOD(name):
                claim = self._own_claim()
                if claim is not None:
                    self._claim(*claim)
                else:
                    self.send(d.REJ(message))
                    if not self._begun:
                        raise LinkError(
                            f"{self.bot.address} goes on with the saved game {quote(name)}, in which we"
                            " have no power; give its power and passcode"
                        )
            case d.TME() | d.NOT(d.TME()) if self.current is not None:
                self.current.set_alarm()
        if isinstance(message, d.HUH | d.PRN):
            what = f"{self.bot.address} does not understand: {message}"
            self._warnings.line("messages that the server does not understand", what)
        if self.current is not None:
            self.current.heard(message, now)

    def _is_refusal(self, message: d.REJ | d.HUH | d.PRN) -> bool:
        """Whether the server refuses what no game can begin without: our first messages."""
        words = [word for word in d.tokens(message)[1:] if word not in ("(", ")", "ERR")]
        refused = words[0] in INTRODUCTION if words else self.table.map_name is None
        return refused and not self._playing

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

    def _press(self, message: d.FRM) -> None:
        ears = self.bot.envoy
        words = d.tokens(message.press)
        ears.listen(message)
        strange = strange_at(words, ears.understood, ears.level >= 8000)
        try:
            replies = (
                list(ears.hear(message))
                if strange is None
                else answers_to(message.sender, words, strange, ears.understood)
            )
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            self._told.line("unanswered press", f"press of {message.sender} left unanswered: {fault}")
        else:
            self._send_press(replies)

    def _send_press(self, messages: Iterable[d.SND]) -> None:
        """Send press while the game allows it; with its turn, so that it cannot count for a later one. One
        server cannot read press to a single power without the turn."""
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
        table, envoy = self.table, self.bot.envoy
        plays = table.power is not None and table.power not in table.eliminated
        if plays and not self._talker_asked:
            self._talker_asked = True
            envoy.talker = self._asked(self.bot.talker, "nobody talks")
        self.current.begin()
        if plays and envoy.talker is None:
            self.send(*filter(None, [self._asked(self.bot.draw, f"no draw in {table.phase}")]))

    def _asked(self, ask: Callable[..., T | None], fault: str) -> T | None:
        """What the bot answers for the present position; None if it fails, which is told as a `fault`."""
        try:
            return ask(self.table.position, self.table.power)
        except Exception as error:
            self.bot.tell(f"{fault}: {type(error).__name__}: {error}")
            return None
