"""Frames out of a stream of bytes, and every way to break the protocol."""

from random import Random
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux.board.errors import FormatError
from bordeaux.daide import wire

Side = Literal["server", "client"]
SIDES: st.SearchStrategy[Side] = st.sampled_from(["server", "client"])

IM, RM, FM = wire.im(), wire.rm(), wire.fm()
NOW = wire.dm(b"\x48\x0e")


def codes(frames: list[wire.Frame | wire.WireFault]) -> list[int]:
    return [frame.code for frame in frames if isinstance(frame, wire.WireFault)]


def test_a_connection_as_each_side_reads_it() -> None:
    table = b"\x41\x00ABC\0\x50\x00DEF\0"
    server = wire.FrameReader("server")
    assert server.feed(IM + NOW) == [wire.IM(1), wire.DM(b"\x48\x0e")]
    assert server.feed(NOW + FM) == [wire.DM(b"\x48\x0e"), wire.FM()]
    client = wire.FrameReader("client")
    assert client.feed(wire.rm(table) + NOW + wire.em(6)) == [
        wire.RM(table),
        wire.DM(b"\x48\x0e"),
        wire.EM(6),
    ]
    for reader in (server, client):
        assert reader.closed
        assert reader.feed(IM + NOW) == []
        assert reader.pending == 0


def test_what_a_begun_frame_lacks_is_known() -> None:
    reader = wire.FrameReader("server")
    assert reader.pending == 0
    for received, lacks in ((IM[:1], 3), (IM[1:4], 4), (IM[4:7], 1), (IM[7:], 0)):
        reader.feed(received)
        assert reader.pending == lacks


@pytest.mark.parametrize(
    ("side", "stream", "code"),
    [
        ("server", NOW, wire.NO_IM),
        ("server", RM, wire.NO_IM),
        ("server", b"\0\0\4\0", wire.SWAPPED),
        ("server", bytes.fromhex("00000004000110DA"), wire.SWAPPED),
        ("server", bytes.fromhex("00000004010010DA"), wire.SWAPPED),
        ("server", bytes.fromhex("0000000400010000"), wire.FOREIGN),
        ("server", bytes.fromhex("0000000400020001"), wire.FOREIGN),
        ("server", wire.im(2), wire.UNSUPPORTED),
        ("server", IM + IM, wire.SECOND_IM),
        ("client", IM, wire.SERVER_IM),
        ("client", RM + IM, wire.SERVER_IM),
        ("server", b"\5\0\0\0", wire.UNKNOWN),
        ("server", b"GET / HTTP/1.1\r\n", wire.UNKNOWN),
        ("client", b"\xff\0\0\0", wire.UNKNOWN),
        ("client", RM + b"\5\0\0\0", wire.UNKNOWN),
        ("server", b"\0\0\0\3", wire.SHORT),
        ("server", b"\0\0\0\5", wire.SHORT),
        ("server", IM + b"\2\0\0\0", wire.SHORT),
        ("server", IM + b"\2\0\0\3", wire.SHORT),
        ("client", b"\1\0\0\7", wire.SHORT),
        ("client", b"\1\0\x0c\x06", wire.SHORT),
        ("client", RM + b"\2\0\0\1", wire.SHORT),
        ("client", NOW, wire.NO_RM),
        ("client", RM + RM, wire.SECOND_RM),
        ("server", IM + RM, wire.CLIENT_RM),
        ("server", IM + wire.dm(b"\x48\x0e\x58\x00"), wire.BAD_TOKEN),
        ("server", IM + wire.dm(b"\x48\x0e\x5f\xff"), wire.BAD_TOKEN),
        ("client", RM + wire.dm(b"\x5f\x00"), wire.BAD_TOKEN),
    ],
)
def test_what_breaks_the_protocol_has_its_code(side: Side, stream: bytes, code: int) -> None:
    reader = wire.FrameReader(side)
    frames = reader.feed(stream)
    assert codes(frames) == [code]
    assert isinstance(frames[-1], wire.WireFault)
    assert frames[-1].reason.startswith(wire.ERRORS[code])
    assert reader.closed
    bytewise = wire.FrameReader(side)
    assert [frame for byte in stream for frame in bytewise.feed(bytes([byte]))] == frames


def test_every_code_but_that_of_the_clock_is_raised_by_reading() -> None:
    marks = test_what_breaks_the_protocol_has_its_code.pytestmark  # type: ignore[attr-defined]
    (cases,) = [mark.args[1] for mark in marks if mark.name == "parametrize"]
    assert (
        {code for _, _, code in cases} | {wire.LATE, wire.NO_RM_YET} == set(wire.ERRORS) == set(range(1, 15))
    )


def test_closing_is_always_allowed() -> None:
    for side in ("server", "client"):
        for stream, frame in (
            (FM, wire.FM()),
            (wire.em(8), wire.EM(8)),
            (b"\4\0\0\0", wire.EM(0)),
            (b"\4\0\xff\xff", wire.EM(0)),
        ):
            reader = wire.FrameReader(side)
            assert reader.feed(stream + NOW) == [frame]
            assert reader.closed


def test_unknown_tokens_are_let_through() -> None:
    body = bytes.fromhex("4C004E03420241FF57FF")
    assert wire.FrameReader("client").feed(RM + wire.dm(body)) == [wire.RM(b""), wire.DM(body)]


def test_length_is_limited() -> None:
    longest = b"\x48\x0e" * (wire.LONGEST_BODY // 2)
    assert wire.FrameReader("server").feed(IM + wire.dm(longest))[1] == wire.DM(longest)
    reader = wire.FrameReader("server", longest=100)
    assert len(reader.feed(IM + wire.dm(b"\x48\x0e" * 50))) == 2
    # Refused by its header: nothing has to be kept of what follows.
    (fault,) = reader.feed(b"\2\0\0\x66")
    assert fault == wire.WireFault(wire.SHORT, "a message of 102 bytes is longer than the 100 that are taken")
    for body in (b"", b"\x48", b"\x48\x0e" * 32768):
        with pytest.raises(FormatError):
            wire.dm(body)


@given(st.binary(), st.randoms(use_true_random=False), SIDES)
def test_pieces_make_no_difference_to_any_bytes(data: bytes, random: Random, side: Side) -> None:
    whole = wire.FrameReader(side)
    stream = (IM if side == "server" else RM) + data
    expected = whole.feed(stream)
    pieces = wire.FrameReader(side)
    frames = []
    while stream:
        size = random.randint(1, len(stream))
        frames += pieces.feed(stream[:size])
        stream = stream[size:]
    assert frames == expected
    assert pieces.closed == whole.closed
    assert len(codes(frames)) <= 1
