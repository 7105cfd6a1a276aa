"""One phase of a person's game: warnings, the deadline, and the server's answers to the orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.human_orders import Delivery, OrderSheet
from bordeaux.daide.client.meanings import NOTES
from bordeaux.daide.client.phase import PhasePlay
from bordeaux.daide.client.session import Session

__all__ = ["HumanPhase", "HumanSession"]

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
