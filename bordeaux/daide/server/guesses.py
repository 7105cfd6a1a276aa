"""Limits on guesses of passcodes.

A passcode has as many bits as a DAIDE number, 14, and the language has no other proof of identity. So the
number of guesses is limited. Every refused ``IAM`` counts. This includes the right passcode of a power that
is being played, since otherwise its refusal would reveal the passcode. Guesses are counted for the power and
for the address, and each allowance is restored slowly. While one of them is used up no passcode is compared,
and the answer is the same.

The attempts of others must not lock an owner out. So the addresses, and then the networks, from which a power
has been played have counts of their own. Clients from elsewhere cannot use these up.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from random import Random

from bordeaux.daide.server.addresses import network_of
from bordeaux.daide.server.limits import Buckets, Rate

__all__ = ["Guesses", "draw_passcodes", "homes_with", "same"]

#: All DAIDE numbers but 0, which is the passcode of observers.
_PASSCODES = (*range(-8192, 0), *range(1, 8192))
_HOUR = 3600.0
#: Guesses for one power from all addresses that have never played it, together.
AT_A_POWER = Rate(each_second=10 / _HOUR, at_once=10)
#: Guesses from one network for all powers, in the same way.
FROM_A_NETWORK = Rate(each_second=5 / _HOUR, at_once=10)
#: Guesses for one power from an address or a network that has played it. A client whose broken link is not
#: noticed yet makes about 15 attempts in its minute.
FROM_HOME = Rate(each_second=10 / _HOUR, at_once=20)
#: Networks that are remembered for a power.
MOST_HOMES = 8


class Guesses:
    """Counts guesses; one for a game. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._at_power = Buckets(AT_A_POWER)
        self._from_network = Buckets(FROM_A_NETWORK)
        self._from_home = Buckets(FROM_HOME)

    def allows(self, power: str, address: str, homes: Sequence[str], now: float) -> bool:
        """Count one guess, and return whether it may be compared. `homes` are the addresses and networks from
        which the power has been played. A correct guess is given back with `forgive`."""
        counts = self._counts(power, address, homes)
        if any(bucket.wait(now) > 0.0 for bucket in (buckets.of(key, now) for buckets, key in counts)):
            return False
        for buckets, key in counts:
            buckets.of(key, now).take(now)
        return True

    def forgive(self, power: str, address: str, homes: Sequence[str], now: float) -> None:
        """Give the last guess back: it was correct, and the owner plays the power."""
        for buckets, key in self._counts(power, address, homes):
            buckets.of(key, now).spend(-1.0)

    def _counts(self, power: str, address: str, homes: Sequence[str]) -> list[tuple[Buckets, object]]:
        if address in homes:
            return [(self._from_home, (power, address))]
        if network_of(address) in homes:
            return [(self._from_home, (power, network_of(address)))]
        return [(self._at_power, power), (self._from_network, network_of(address))]


def draw_passcodes(count: int, chance: Random) -> list[int]:
    """A number of different passcodes."""
    return chance.sample(_PASSCODES, count)


def same(one: int, other: int) -> bool:
    """Whether two passcodes are the same, in constant time."""
    return hmac.compare_digest(*(number.to_bytes(8, signed=True) for number in (one, other)))


def homes_with(homes: Sequence[str], address: str) -> list[str]:
    """The homes of a power that has just been taken from an address, the latest last."""
    new = [address, network_of(address)]
    return [*(home for home in homes if home not in new), *new][-MOST_HOMES:]
