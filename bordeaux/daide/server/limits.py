"""Limits against abuse: what one client may cost the server and the other clients.

Every limit has a default that an honest program never meets. Where a limit is passed the client is
slowed down or refused if that is enough, and its connection closed, with a reason, if it is not.
Seconds are seconds of the machine's clock. Sources: the 30 s for the initial message are in the
DAIDE client-server protocol; the 30 s for the rest of a frame are what Parlance allows; the others
are ours.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Bucket", "Limits", "Rate"]


class Rate(NamedTuple):
    """So many `each_second` in the long run, and `at_once` after a silence."""

    each_second: float
    at_once: float


class Limits(NamedTuple):
    """What a client may do.

    `introduction_seconds`: from the connection to a complete initial message; then EM 0x01.
    `stall_seconds`: from the first byte of a message to its last; then EM 0x09.
    `message_bytes`: the body of one message; a longer one closes the connection.
    `connections`, `connections_per_address`: open at the same time; further ones are refused.
    `arrivals`: new connections from one address; faster ones are refused.
    `messages`: from one client, a message counting once for every 512 bytes begun, and an answer in
    proportion; a faster client is read more slowly.
    `press`: press (SND) and talk (ADM) of one client, which others have to read; what comes faster
    is answered REJ and goes to nobody.
    `system_bytes`: what the system may hold that a client has not read yet.
    `unsent_pause`: bytes waiting besides for a client that does not read; above it nothing more is read
    from that client, so that it cannot ask for more.
    `unsent_bytes`: above it the connection is closed, as the client will never catch up.
    `unsent_seconds`: how long bytes above `unsent_pause` may wait; then the connection is closed.
    `farewell_seconds`: how long a closed connection stays to hand over its last messages.
    """

    introduction_seconds: float = 30.0
    stall_seconds: float = 30.0
    message_bytes: int = 32_768
    connections: int = 200
    connections_per_address: int = 100
    arrivals: Rate = Rate(each_second=10, at_once=200)
    messages: Rate = Rate(each_second=100, at_once=1000)
    press: Rate = Rate(each_second=5, at_once=200)
    system_bytes: int = 131_072
    unsent_pause: int = 262_144
    unsent_bytes: int = 4_194_304
    unsent_seconds: float = 60.0
    farewell_seconds: float = 5.0


class Bucket:
    """A bucket that fills at a rate up to its brim; what it holds may be taken out.

    `now` is any clock in seconds that does not go back.
    """

    __slots__ = ("_content", "_filled", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._content = rate.at_once
        self._filled = now

    def take(self, now: float, amount: float = 1.0) -> bool:
        """Take `amount` out if the bucket holds as much; whether it did.

        An amount above the brim is taken from a full bucket, which then has a debt, so that no
        amount has to wait for ever.
        """
        if self.wait(now, amount) > 0.0:
            return False
        self._content -= amount
        return True

    def spend(self, amount: float) -> None:
        """Take `amount` out even if the bucket does not hold it, so that it has a debt."""
        self._content -= amount

    def wait(self, now: float, amount: float = 1.0) -> float:
        """Seconds until `amount` can be taken; 0 if it can be now."""
        each_second, at_once = self._rate
        self._content = min(at_once, self._content + (now - self._filled) * each_second)
        self._filled = now
        lacking = min(amount, at_once) - self._content
        # A wait that rounds to nothing must not be waited for again and again.
        return lacking / each_second if lacking > 1e-9 else 0.0

    def full(self, now: float) -> bool:
        """Whether nothing is missing, so that a new bucket would be the same."""
        return self.wait(now, self._rate.at_once) == 0.0
