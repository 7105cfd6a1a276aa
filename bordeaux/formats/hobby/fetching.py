"""Fetches pages with limits: web addresses only, no private network, a maximum of bytes and seconds.

A host name is resolved once and checked, and the connection uses the checked address, so a changed name has
no effect. Redirects are followed a few times and checked again.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from bordeaux.board.errors import FormatError, quote

MOST_BYTES = 16 << 20
"""Bytes of one page."""
SECONDS = 20.0
"""For one page, redirects included."""
REDIRECTS = 4
PORTS = {"http": 80, "https": 443}
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_GATEWAYS = [ipaddress.ip_network(network) for network in ("::/96", "64:ff9b::/96", "64:ff9b:1::/48")]
"""Networks whose addresses end with one of IPv4."""
AGENT = "bordeaux (an engine for the board game Diplomacy; it reads the pages of one game)"


def fetch(address: str) -> bytes:
    """The page at an address. Raises FormatError for a forbidden address, an error of the server, or a
    missing network."""
    deadline = time.monotonic() + SECONDS
    for _ in range(REDIRECTS + 1):
        status, location, body = _get(address, deadline)
        if status in (301, 302, 303, 307, 308) and location:
            try:
                address = urljoin(address, location)
            except ValueError:
                raise FormatError(f"a redirect to {quote(location)}, which is no web address") from None
            continue
        if status != 200:
            raise FormatError(f"the server answered with status {status}")
        return body
    raise FormatError(f"more than {REDIRECTS} redirects")


def _get(address: str, deadline: float) -> tuple[int, str, bytes]:
    """Status, redirect target, and content."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or PORTS.get(parts.scheme, 0)
    except ValueError:
        raise FormatError(f"{quote(address)} is no web address") from None
    if parts.scheme not in PORTS or not host or "@" in parts.netloc:
        raise FormatError(f"{quote(address)} is no web address of http or https")
    if port != PORTS[parts.scheme]:
        raise FormatError(f"port {port}: only the usual ports of the web are asked")
    number = _checked(host, port)
    connection = _Pinned(host, number, parts.scheme == "https", deadline)
    # A server may send a byte now and then: no single wait is long, and all of them have no end.
    ending = threading.Timer(deadline - time.monotonic(), connection.hang_up)
    ending.daemon = True
    ending.start()
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request(
            "GET", path, headers={"User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": "identity"}
        )
        with connection.getresponse() as response:
            body = response.read(MOST_BYTES + 1) if response.status == 200 else b""
            if len(body) > MOST_BYTES:
                raise FormatError(f"more than {MOST_BYTES >> 20} MB in one page")
            # A connection that was cut looks like the end of the page.
            if time.monotonic() < deadline:
                return response.status, response.headers.get("Location", ""), body
    except (OSError, http.client.HTTPException, UnicodeError, ValueError) as error:
        if isinstance(error, FormatError):
            raise
        if time.monotonic() < deadline:
            raise FormatError(f"no answer: {_why(error)}") from None
    finally:
        ending.cancel()
        connection.close()
    raise FormatError(f"it took more than {SECONDS:g} seconds")


def _checked(host: str, port: int) -> str:
    """An address of the host in the public network. Raises FormatError."""
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FormatError(f"no network, or no such host {quote(host)}: {_why(error)}") from None
    numbers = [str(entry[4][0]).partition("%")[0] for entry in addresses]
    for number in numbers:
        meant = _meant(ipaddress.ip_address(number))
        if not all(address.is_global and not address.is_multicast for address in meant):
            raise FormatError(f"{quote(host)} lies in a private network ({number}); it is not asked")
    return numbers[0]


def _meant(address: Address) -> Iterator[Address]:
    """An address, and those of IPv4 that gateways take from it."""
    if not isinstance(address, ipaddress.IPv6Address):
        yield address
    elif address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    elif any(address in network for network in _GATEWAYS):
        # Whether the network is public does not matter: the gateway asks the last 32 bits.
        yield ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    else:
        yield address
        yield from filter(None, (address.sixtofour, *(address.teredo or ())))


def _why(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or error) or type(error).__name__


class _Pinned(http.client.HTTPConnection):
    """A connection to the checked address under the name of the host."""

    def __init__(self, host: str, number: str, secure: bool, deadline: float) -> None:
        left = max(0.1, deadline - time.monotonic())
        super().__init__(host, PORTS["https" if secure else "http"], timeout=left)
        self._number = number
        self._secure = secure
        self._wire: socket.socket | None = None

    def connect(self) -> None:
        sock = socket.create_connection((self._number, self.port), self.timeout)
        self._wire = self.sock = sock
        if self._secure:
            context = ssl.create_default_context()
            secured = context.wrap_socket(sock, server_hostname=self.host, do_handshake_on_connect=False)
            self._wire = self.sock = secured
            secured.do_handshake()

    def hang_up(self) -> None:
        """End all reading, from another thread."""
        if self._wire is not None:
            with contextlib.suppress(OSError):
                self._wire.shutdown(socket.SHUT_RDWR)
