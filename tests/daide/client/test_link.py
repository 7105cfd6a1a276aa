"""The connection itself: how it begins, and every way in which a server can spoil it."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError
from bordeaux.daide import Bot, wire
from bordeaux.daide.client.base import address_of
from tests.daide.client.scripted import FM, Script, Talk, play


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("127.0.0.1:5000", ("127.0.0.1", 5000)),
        ("localhost", ("localhost", 16713)),
        ("[::1]:99", ("::1", 99)),
        ("[::1]", ("::1", 16713)),
    ],
)
def test_an_address_is_a_host_and_perhaps_a_port(text: str, expected: tuple[str, int]) -> None:
    assert address_of(text) == expected


@pytest.mark.parametrize("text", ["", ":5000", "host:port", "host:0", "host:70000", "host:-1"])
def test_another_address_is_refused(text: str) -> None:
    with pytest.raises(BordeauxError, match="write HOST:PORT"):
        Bot(text)


@pytest.mark.parametrize("name", ["", "Zoë", "x" * 65, "a\nb"])
def test_a_name_that_cannot_be_sent_is_refused(name: str) -> None:
    with pytest.raises(BordeauxError, match="printable"):
        Bot("127.0.0.1:1", name=name)


def test_nobody_is_there() -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(BordeauxError, match=f"cannot connect to a server at 127.0.0.1:{port}"):
        Bot(f"127.0.0.1:{port}").run()


def after(data: bytes) -> Script:
    """A server that takes IM, answers with some bytes and waits."""

    async def script(talk: Talk) -> None:
        await talk.introduce(data)
        last.append(await talk.gone())

    last.clear()
    return script


last: list[bytes] = []


def test_a_server_that_says_nothing() -> None:
    result = play(after(b""), patience=0.1)
    assert "is silent: no RM within 0.1 s" in str(result.error)


def test_a_server_that_takes_no_word() -> None:
    async def script(talk: Talk) -> None:
        await talk.frame()

    assert "closed the connection without a word" in str(play(script).error)


def test_a_server_that_closes_at_once() -> None:
    assert "closed the connection" in str(play(after(FM)).error)


@pytest.mark.parametrize("code", sorted(wire.ERRORS))
def test_an_error_of_the_server_is_told_in_words(code: int) -> None:
    result = play(after(wire.em(code)))
    assert f"gave up with error {code}: {wire.ERRORS[code]}" in str(result.error)
    assert last == [b""]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (wire.dm(b"\x48\x11"), 0x0B),
        (wire.im(), 0x07),
        (b"\x01\x00\x00\x05\0\0\0\0\0", 0x09),
        (b"\x09\x00\x00\x00", 0x08),
        (wire.rm(b"\x41\x00AUS\x00"), 0x09),
        (wire.rm() + wire.rm(), 0x0C),
        (wire.rm() + b"\x02\x00\x00\x03abc", 0x09),
        (wire.rm() + wire.dm(b"\x58\x00"), 0x0E),
    ],
)
def test_a_server_that_breaks_the_protocol_hears_of_it(data: bytes, code: int) -> None:
    result = play(after(data))
    assert result.error is not None
    assert last == [wire.em(code)]


def test_a_server_that_sends_rubbish_in_between_is_told_so_and_played_with() -> None:
    async def script(talk: Talk) -> None:
        await talk.seat()
        talk.say("NOW (SPR 1901) (FRA FLT)", "MAP ) (", "HUH (ERR ERR)", "TME")
        talk.turn()
        await talk.orders()
        talk.end()
        await talk.gone()

    result = play(script)
    assert result.said("HUH") == ["HUH (NOW (SPR 1901) (FRA FLT ERR))", "HUH (TME ERR)"]
    assert result.said("PRN") == ["PRN (MAP) ()"]
    assert result.ending is not None
