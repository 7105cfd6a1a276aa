"""Addresses: which pages are asked for, what is never asked, and what the user is told to save."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any

import pytest

from bordeaux.board.errors import FormatError
from bordeaux.formats.games import game_from_json
from bordeaux.formats.hobby import fetching
from bordeaux.formats.hobby.fetching import fetch
from bordeaux.formats.hobby.sites import gathered
from bordeaux.formats.registry import game_of_pages
from tests.formats.hobby.made_backstabbr import backstabbr_pages
from tests.formats.hobby.small_game import ARCHIVE, PHASES
from tests.patience import PATIENCE


def test_a_game_of_webdiplomacy_is_its_file_or_its_archive() -> None:
    asked: list[str] = []

    def site(address: str) -> bytes:
        asked.append(address)
        if "history.json" in address:
            raise FormatError("the server answered with status 404")
        return ARCHIVE.encode()

    assert gathered("https://webdiplomacy.net/board.php?gameID=12345", site) == ARCHIVE.encode()
    assert asked == [
        "https://webdiplomacy.net/cache/games/123/12345/history.json",
        "https://webdiplomacy.net/board.php?gameID=12345&viewArchive=Orders",
    ]
    gathered("https://vdiplomacy.com/board.php?gameID=7#chat", site)
    assert asked[2:] == ["https://vdiplomacy.com/board.php?gameID=7&viewArchive=Orders"]


def test_the_seasons_of_backstabbr_are_asked_for_until_one_has_no_orders() -> None:
    pages = iter(backstabbr_pages(PHASES))
    asked: list[str] = []

    def site(address: str) -> bytes:
        asked.append(address)
        page = next(pages, None)
        if page is None:
            raise FormatError("the server answered with status 404")
        return page.encode()

    data = gathered("https://www.backstabbr.com/game/A-game/5104611115794432", site)
    assert asked[0].endswith("/game/A-game/5104611115794432/1901/spring") and asked[2].endswith(
        "/1901/winter"
    )
    assert len(game_from_json(game_of_pages(data.decode())).phases) == 3


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "https://webdiplomacy.net/board.php?gameID=12345",
            "save the page board.php.gameID=12345&viewArchive=Orders",
        ),
        ("https://www.backstabbr.com/game/A/5104611115794432", "save the page of every season"),
        ("https://www.playdiplomacy.com/game_play.php?game_id=5", "save the History page of every phase"),
        ("https://example.org/results.txt", "else open it in a browser, save it"),
    ],
)
def test_without_a_network_it_says_which_file_to_save(address: str, message: str) -> None:
    def site(asked: str) -> bytes:
        raise FormatError("no network, or no such host")

    with pytest.raises(FormatError, match=message) as caught:
        gathered(address, site)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/",
        "http://localhost/",
        "http://10.1.2.3/game",
        "http://192.168.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://0.0.0.0/",
        "http://2130706433/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:10.0.0.1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[64:ff9b:1::a00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:7f00:1::]/",
        "http://[fe80::1]/",
        "http://[fd00::1]/",
    ],
)
def test_private_networks_are_never_asked(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*given: Any, **named: Any) -> socket.socket:
        raise AssertionError("it was asked")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(FormatError, match=r"private network|no such host"):
        fetch(address)


@pytest.mark.parametrize(
    "address",
    [
        "ftp://example.org/",
        "http://user:word@example.org/",
        "http://example.org:8080/",
        "http://",
        "http://[x/",
    ],
)
def test_only_plain_web_addresses_are_asked(address: str) -> None:
    with pytest.raises(FormatError):
        fetch(address)


class Wire:
    """A server for one connection: what it answers."""

    def __init__(self, answer: bytes) -> None:
        self.ours, self.theirs = socket.socketpair()
        self.theirs.sendall(answer)
        self.theirs.shutdown(socket.SHUT_WR)

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *given: object) -> None:
        self.ours.close()
        self.theirs.close()

    def connect(self, *given: Any, **named: Any) -> socket.socket:
        return self.ours


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every host is a public one."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *given, **named: [(2, 1, 6, "", ("93.184.216.34", 80))])
    return monkeypatch


def test_a_page_is_fetched(public: pytest.MonkeyPatch) -> None:
    with Wire(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") as wire:
        public.setattr(socket, "create_connection", wire.connect)
        assert fetch("http://example.org/page?x=1") == b"hello"
        assert wire.theirs.recv(100).startswith(b"GET /page?x=1 HTTP/1.1\r\nHost: example.org\r\n")


def test_more_than_the_limit_and_other_answers_are_refused(public: pytest.MonkeyPatch) -> None:
    public.setattr(fetching, "MOST_BYTES", 1000)
    for answer, message in (
        (b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 2000, "more than"),
        (b"HTTP/1.1 403 No\r\n\r\n", "status 403"),
        (b"HTTP/1.1 302 Go\r\nLocation: http://127.0.0.1/\r\n\r\n", "no answer|private network|redirects"),
        (b"HTTP/1.1 302 Go\r\nLocation: http://[::1\r\n\r\n", "which is no web address"),
        (b"rubbish\r\n\r\n", "no answer"),
    ):
        with Wire(answer) as wire:
            public.setattr(socket, "create_connection", wire.connect)
            with pytest.raises(FormatError, match=message):
                fetch("http://example.org/")


@pytest.mark.parametrize("begin", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_server_that_sends_a_byte_now_and_then_has_an_end(public: pytest.MonkeyPatch, begin: bytes) -> None:
    public.setattr(fetching, "SECONDS", 0.2)
    ours, theirs = socket.socketpair()

    def trickle() -> None:
        with contextlib.suppress(OSError):
            theirs.sendall(begin)
            while True:
                theirs.sendall(b"1")
                time.sleep(0.01)

    sending = threading.Thread(target=trickle, daemon=True)
    with ours, theirs:
        public.setattr(socket, "create_connection", lambda *given, **named: ours)
        sending.start()
        with pytest.raises(FormatError, match=r"it took more than 0\.2 seconds"):
            fetch("http://example.org/")
    sending.join(PATIENCE)
    assert not sending.is_alive()
