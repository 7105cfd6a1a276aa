"""Frames out of a stream of bytes, and every way to break the protocol."""

import csv
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import fuzz_daide
from bordeaux import Map
from bordeaux.board.errors import FormatError
from bordeaux.board.map import load_map
from bordeaux.daide import wire
from bordeaux.daide.tokens import Vocabulary

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
        ("server", bytes.fromhex("0000000400010000"), wire.FOREIGN),
        ("server", bytes.fromhex("0000000400020001"), wire.FOREIGN),
        ("server", wire.im(2), wire.UNSUPPORTED),
        ("server", IM + IM, wire.SECOND_IM),
        ("client", IM, wire.SERVER_IM),
        ("client", RM + IM, wire.SERVER_IM),
        ("server", b"\5\0\0\0", wire.UNKNOWN),
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


# The table of tokens, and those that maps and programs change.

STANDARD = Vocabulary.standard()


def entry(code: int, name: str) -> bytes:
    return code.to_bytes(2, "big") + name.encode("ascii") + b"\0"


def test_every_token_has_its_number_and_kind(shared_data: Path) -> None:
    with (shared_data.parent / "daide" / "tokens.csv").open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert len(rows) == 220
    kinds = {"misc": "bracket", "phase": "season"}
    names = {"BRA": "(", "KET": ")"}
    listed = set()
    for row in rows:
        name = names.get(row["name"], row["name"])
        assert STANDARD.codes[name] == int(row["hex"], 16), name
        kind = "retired" if row["category"].endswith("_removed") else row["category"]
        kind = "province" if kind.startswith("province") else kinds.get(kind, kind)
        assert STANDARD.categories[name] == kind, name
        listed.add(name)
    assert {name for name in STANDARD.codes if STANDARD.categories[name] != "text"} == listed


def test_the_examples_of_the_protocol() -> None:
    assert STANDARD.encode(("MIS", "(", -2, ")")) == bytes.fromhex("480B40003FFE4001")
    name = ("NME", "(", "'A", ")", "(", "'1", ")")
    assert STANDARD.encode(name) == bytes.fromhex("480C40004B41400140004B314001")
    assert [STANDARD.symbols[token] for token in (7, "'A", "XYZ")] == ["number", "text", "unknown"]


def test_half_a_token_is_refused() -> None:
    with pytest.raises(FormatError, match="3 bytes"):
        STANDARD.decode(b"\x48\x0b\x40")


def test_the_standard_map_needs_no_table() -> None:
    assert Vocabulary.for_map(Map.standard()) is STANDARD
    assert STANDARD.rm() == b""
    assert Vocabulary.from_rm(b"") is STANDARD
    assert Vocabulary.for_map(load_map("capitals")) is STANDARD


def test_another_map_has_a_table_of_its_own() -> None:
    board = load_map("pure")
    made = Vocabulary.for_map(board)
    body = made.rm()
    assert len(body) == 6 * (len(board.powers) + len(board.provinces))
    received = Vocabulary.from_rm(body)
    assert received.codes == made.codes
    assert (received.powers, received.provinces) == (made.powers, made.provinces)
    assert received.rm() == body
    for province in board.provinces:
        code = made.codes[province.daide]
        assert bool(code >> 8 & 1) == province.centre
        assert {0: "inland", 1: "sea"}.get(code >> 9 & 3, "coastal") == province.kind


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"\x41\x00ABC", "5 bytes"),
        (entry(0x4100, "AB?") + entry(0x5000, "DEF"), "called 'AB\\?'"),
        (entry(0x4200, "ABC") + entry(0x5000, "DEF"), "0x4200 is neither"),
        (entry(0x5800, "ABC") + entry(0x5000, "DEF"), "0x5800 is neither"),
        (entry(0x4100, "ABC") + entry(0x4101, "ABC") + entry(0x5000, "DEF"), "'ABC' stands twice"),
        (entry(0x4101, "ABC") + entry(0x5000, "DEF"), "powers are not numbered 0 to 0"),
        (
            entry(0x4100, "ABC") + entry(0x5000, "DEF") + entry(0x5100, "GHI"),
            "provinces are not numbered 0 to 1",
        ),
        (entry(0x4100, "ABC"), "both powers and provinces"),
        (entry(0x4100, "ABC") + entry(0x5000, "ABC"), "the province 'ABC' has the name of another"),
        (entry(0x4100, "SUB") + entry(0x5000, "ABC"), "the power 'SUB' has the name of another"),
    ],
)
def test_a_table_that_cannot_be_is_refused(body: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        Vocabulary.from_rm(body)


def test_a_vocabulary_reads_messages_of_its_map() -> None:
    from bordeaux.daide import language as d

    body = entry(0x4100, "ROM") + entry(0x5000, "AAA") + entry(0x5001, "B12")
    small = Vocabulary.from_rm(body)
    text = "SUB ((ROM AMY AAA) MTO B12)"
    assert d.text(d.read(text, vocabulary=small)) == text
    assert small.decode(d.encode(d.read(text, vocabulary=small), small)) == d.tokens_from_text(text)
    with pytest.raises(d.LanguageError) as caught:
        d.read("SUB ((ENG AMY AAA) MTO B12)", vocabulary=small)
    assert caught.value.reply is not None
    assert d.text(caught.value.reply) == "HUH (SUB ((ERR ENG AMY AAA) MTO B12))"
    assert small.decode(b"\x41\x05") == ("0x4105",)


# A short run of the fuzzer; the long one is started by hand (`tools/fuzz_daide.py`).


def fuzzed(target: str, messages: int) -> str:
    """What a run without a crash prints."""
    words = ["--messages", str(messages), "--target", target, "--seed", "7"]
    done = CliRunner().invoke(fuzz_daide.main, words)
    assert done.exit_code == 0 and ", 0 crashes," in done.output, done.output
    return done.output


@pytest.mark.parametrize("target", ["language", "frames"])
def test_rubbish_is_always_answered(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_daide, "POOL", 400)
    told = fuzzed(target, 200)
    assert f"{target}: 200 messages" in told
    for outcome in ("right", "syntax", "brackets", "level"):
        assert f" {outcome} " in told


@pytest.mark.slow
def test_a_live_server_stands_rubbish() -> None:
    played = int(fuzzed("server", 3000).split(" phases played")[0].rpartition(" ")[2].replace(",", ""))
    assert played > 0, "the game went on meanwhile"
