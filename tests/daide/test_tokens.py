"""The table of tokens, and those that maps and programs change."""

import csv
from pathlib import Path

import pytest

from bordeaux import Map
from bordeaux.board.errors import FormatError
from bordeaux.board.map import load_map
from bordeaux.daide.tokens import Vocabulary

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
        assert STANDARD.category(name) == kind, name
        listed.add(name)
    assert {name for name in STANDARD.codes if STANDARD.category(name) != "text"} == listed


def test_the_examples_of_the_protocol() -> None:
    assert STANDARD.encode(("MIS", "(", -2, ")")) == bytes.fromhex("480B40003FFE4001")
    name = ("NME", "(", "'A", ")", "(", "'1", ")")
    assert STANDARD.encode(name) == bytes.fromhex("480C40004B41400140004B314001")
    assert STANDARD.category(7) == "number"
    assert STANDARD.category("'A") == "text"
    assert STANDARD.category("XYZ") == "unknown"


def test_half_a_token_is_refused() -> None:
    with pytest.raises(FormatError, match="3 bytes"):
        STANDARD.decode(b"\x48\x0b\x40")


def test_the_standard_map_needs_no_table() -> None:
    assert Vocabulary.for_map(Map.standard()) is STANDARD
    assert STANDARD.rm() == b""
    assert Vocabulary.from_rm(b"") is STANDARD
    assert Vocabulary.for_map(load_map("capitals")) is STANDARD


def test_another_map_has_a_table_of_its_own() -> None:
    board = (
        load_map("gulfs")
        if {p.daide for p in load_map("gulfs").provinces} != set(STANDARD.provinces)
        else None
    )
    board = board or load_map("pure")
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


def test_dialects_number_some_press_otherwise() -> None:
    parlance, package = Vocabulary.standard("parlance"), Vocabulary.standard("diplomacy")
    assert [parlance.codes[name] for name in ("FCT", "FOR", "FWD")] == [0x4A07, 0x4A08, 0x4A06]
    assert [package.codes[name] for name in ("CCL", "NAR")] == [0x4A26, 0x4A25]
    assert parlance.decode(package.encode(("CCL", "SUB"))) == ("NAR", "SUB")
    assert parlance.rm() == b""
    with pytest.raises(FormatError, match="no dialect 'klingon'; there are parlance, diplomacy"):
        Vocabulary.standard("klingon")


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
