"""Addresses of servers."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError
from bordeaux.protocols.package import AccountSeat
from bordeaux.protocols.package.connection import place_of


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("localhost", ("localhost", 8432, False)),
        ("127.0.0.1:9000", ("127.0.0.1", 9000, False)),
        ("ws://example.org:80/", ("example.org", 80, False)),
        ("wss://example.org", ("example.org", 8432, True)),
        (" [::1]:8433 ", ("::1", 8433, False)),
    ],
)
def test_an_address_is_read(text: str, place: tuple[str, int, bool]) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize("text", ["", ":", "host:0", "host:70000", "ftp://host", "host:port", "two hosts"])
def test_what_is_no_address_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BordeauxError, match="is no address of a server"):
        place_of(text)


def test_a_seat_shows_its_address() -> None:
    assert AccountSeat("::1", 5, "g", "FRA", "n", "p").address == "[::1]:5"
