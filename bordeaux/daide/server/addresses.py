"""Addresses of clients, grouped by network."""

from __future__ import annotations

import functools
import ipaddress

__all__ = ["is_own", "network_of"]

#: The number of leading bits of an address that identify a network, as one line or house usually has.
_BITS = {4: 24, 6: 64}


@functools.lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The network of an address: ``192.0.2.0/24``, ``2001:db8::/64``; other text is returned unchanged."""
    known = _parsed(address)
    if known is None:
        return address
    return str(ipaddress.ip_network((known, _BITS[known.version]), strict=False))


@functools.lru_cache(maxsize=4096)
def is_own(address: str) -> bool:
    """Whether an address is of the server's own machine."""
    known = _parsed(address)
    return known is not None and known.is_loopback


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = known.ipv4_mapped if isinstance(known, ipaddress.IPv6Address) else None
    return mapped or known
