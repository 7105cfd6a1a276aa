"""One phase of a bot's game: thinking, early orders and better ones later, and the deadline."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Protocol

from bordeaux.board.errors import BordeauxError
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.base import Client
from bordeaux.daide.client.envoy import EnvoyTalks, seconds_to_talk
from bordeaux.daide.client.submission import PhaseSubmission, spare_orders, worded
from bordeaux.daide.client.table import Table
from bordeaux.daide.client.thinking import Orders, Thought, margin, seconds_to_think
from bordeaux.players.base import Limit, Turn
from bordeaux.press.language.letter import Letter, Talker

log = logging.getLogger(__name__)

#: Seconds for the server to answer the last orders; then GOF is sent in any case.
ANSWER = 2.0
#: The shortest interval between early orders, in seconds and as a share of the time for the search.
GAP, GAP_SHARE = 0.25, 0.2
#: Orders are reconsidered only with more than so many seconds left.
RETHINK = 2.0


class Conversation(Protocol):
    """The part of the session that a phase uses."""

    table: Table
    awaits_go: bool | None

    @property
    def bot(self) -> Client:
        """The bot that plays."""

    @property
    def vocabulary(self) -> d.Vocabulary:
        """The tokens that the server uses."""

    def send(self, *messages: d.Value) -> None:
        """Send a message to the server."""

    def deliver(self, letter: Letter, phase: PhasePlay) -> None:
        """Send the talker's messages in a phase."""


class PhasePlay:
    """The play of one phase; `before` is that of the last one, whose search must end first."""

    def __init__(self, session: Conversation, before: PhasePlay | None) -> None:
        self.session = session
        self.bot = session.bot
        self.table = session.table
        position = self.table.position
        assert position is not None
        self.position = position
        self.loop = asyncio.get_running_loop()
        self.submission: PhaseSubmission | None = None
        self._seen: list[Turn] = [*(before.unseen if before else ()), *filter(None, [self.table.latest])]
        self._thought: Thought | None = None
        self._before = before._thought if before else None
        last = before.submission if before else None
        self._held_up = last is not None and last.holding
        self._timers: list[asyncio.TimerHandle] = []
        self._alarm: asyncio.TimerHandle | None = None

    @property
    def unseen(self) -> list[Turn]:
        """Phases that the bot has not processed yet."""
        return self._seen

    def begin(self) -> None:
        """Start the talks and the search, if there is anything to do."""
        table, power = self.table, self.table.power
        limit = self._limit()
        if power is not None and power not in table.eliminated:
            owes = table.owes(power)
            self.submission = PhaseSubmission(
                translate.turn_of(self.position.phase),
                spare_orders(self.position, power) if owes else (),
                early=owes and table.deadline is not None,
                gap=max(GAP, GAP_SHARE * (limit.time or 0.0)),
                awaits_go=self.session.awaits_go,
                holding=self._held_up,
            )
            self.session.send(*self.submission.begin())
            if not owes:
                self.submission.offer((), self.loop.time())
            self.set_alarm()
        self.bot.last_orders = table.last_orders()
        self._thought = Thought(self._think, self._found, self._done, self._before)
        self._before = None
        self._thought.start()

    def _margin(self, left: float) -> float:
        return margin(left) if self.bot.margin is None else min(self.bot.margin, left)

    def _left(self) -> tuple[float | None, float]:
        """The seconds to the deadline, None without one, and the margin."""
        left = None if self.table.deadline is None else self.table.deadline - self.loop.time()
        return left, 0.0 if left is None else self._margin(left)

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
        thought = self._thought
        assert thought is not None
        talks = EnvoyTalks(
            self.bot.envoy,
            talker,
            self.position,
            say=lambda letter: thought.tell(self.session.deliver, letter, self),
            tell=lambda line: thought.tell(self.bot.tell, f"{self.position.phase}: {line}"),
            stopped=lambda: thought.is_stopped,
        )
        if self.bot.envoy.level and self.table.press_is_open(self.loop.time()):
            barred = self.table.options.get("PTL") or 0 if self.position.phase.kind == "M" else 0
            talks.hold(seconds_to_talk(self.bot.talk, *self._left(), barred))
        offered: d.DRW | None = None
        while True:
            draw = self.bot.envoy.draw(talks.draw())
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
            thought.tell(self._reopen)

    # What runs in the event loop again.

    def set_alarm(self) -> None:
        """Finish in time for the present deadline."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        deadline = self.table.deadline
        if self.submission is not None and deadline is not None and not self.submission.finished:
            left = deadline - self.loop.time()
            # Half the margin: a search that keeps to its time is done before.
            self._alarm = self.loop.call_later(max(0.0, left - self._margin(left) / 2), self.finish)

    def _found(self, thought: Thought, orders: Orders) -> None:
        if thought is self._thought and self.submission is not None and self.table.power is not None:
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
        if self._thought is not None:
            self._thought.stop()
            self.bot.envoy.wake()
        self._submit_best()

    def _submit_best(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        if self.submission is None or self.submission.finished:
            return
        if self.submission.best is None:
            assert self.table.power is not None
            self._found_nothing()
        self.table.sent = self.submission.best or ()
        self.session.send(*self.submission.finish())
        self._timers.append(self.loop.call_later(ANSWER, self._go))

    def _reopen(self) -> None:
        """Delay the phase for another search."""
        assert self.submission is not None
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()
        self.session.send(*self.submission.reopen())
        self.set_alarm()

    def _found_nothing(self) -> None:
        assert self.submission is not None and self.table.power is not None
        values, _ = worded(self.position, self.table.power, ())
        self.session.send(*self.submission.offer(values, self.loop.time()))

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
        if self._thought is not None:
            self._thought.stop()
            self.bot.envoy.wake()
        if self._alarm is not None:
            self._alarm.cancel()
        for timer in self._timers:
            timer.cancel()
        self._timers.clear()

    async def ended(self) -> None:
        """Wait until the search has ended, with a limit."""
        if self._thought is not None:
            await asyncio.to_thread(self._thought.join, ANSWER)
