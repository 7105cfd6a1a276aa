"""One position from a file, standard input or `start`, in whichever form; rubbish in one line."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import subprocess
import sys
from glob import escape
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.arena.tournament import GamesFile
from bordeaux.board.errors import FormatError, PositionError
from bordeaux.cli.report.output import write_whole
from bordeaux.formats.daide import position_to_daide
from bordeaux.formats.games import write_document
from bordeaux.formats.load import read_position, read_with_history
from tests.openings.small_book import small_book

START = Position.start()
STATE = json.dumps(START.to_json())
AFTER = START.next({"FRANCE": ["A PAR - BUR"]})
GAME: dict[str, Any] = {
    "id": "two phases",
    "map": "standard",
    "phases": [
        {"name": "S1901M", "state": START.to_json(), "orders": {"FRANCE": ["A PAR - BUR"]}, "results": {}},
        {"name": "F1901M", "state": AFTER.to_json(), "orders": {}, "results": {}},
    ],
}


@pytest.mark.parametrize(
    "text",
    [
        STATE,
        json.dumps(START.to_json(), indent=1),
        "\ufeff" + STATE,
        json.dumps({**START.to_json(), "map": "standard", "zobrist_hash": "1", "note": ""}),
        str(START),
        "# a remark first\n\n" + str(START),
        "map standard\n" + str(START),
        position_to_daide(START),
        position_to_daide(START).lower(),
        "HLO (TUR) (0) ((LVL 0))\n" + position_to_daide(START),
        json.dumps({**GAME, "phases": GAME["phases"][:1]}),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_the_form_is_told_by_the_content(tmp_path: Path, text: str, packed: bool) -> None:
    path = tmp_path / "position"
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert read_position(path) == START
    assert read_position(str(path), phase="s1901m", map=Map.standard()) == START


def test_the_word_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert read_position("start") == START
    assert read_position("start", phase="S1901M") == START
    with pytest.raises(FormatError, match="this is the single position of S1901M"):
        read_position("start", phase="F1901M")
    monkeypatch.chdir(tmp_path)
    Path("start").write_text(str(AFTER), encoding="utf-8")
    assert read_position("./start") == AFTER


def test_a_saved_game_gives_its_last_phase_or_the_one_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(GAME), encoding="utf-8")
    assert read_position(path) == AFTER
    assert read_position(path, phase="F1901M") == AFTER
    assert read_position(path, phase="S1901M") == START
    with pytest.raises(FormatError, match="no phase 'W1901A'; its phases go from S1901M to F1901M"):
        read_position(path, phase="W1901A")


@pytest.mark.parametrize("data", [STATE.encode(), gzip.compress(str(START).encode(), mtime=0)])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    assert read_position("-") == START


def noise(size: int) -> bytes:
    """Bytes that mean nothing."""
    return random.Random(1).randbytes(size)


RUBBISH = {
    "empty": (b"", "there is nothing in it"),
    "cut short": (STATE[:300].encode(), "JSON is cut short"),
    "a stray comma": (b'{"name": "S1901M",, }', "not JSON"),
    "unknown province": (STATE.replace("A PAR", "A PARX").encode(), "unknown province 'PARX'"),
    "huge year": (STATE.replace("S1901M", f"S{'9' * 5000}M").encode(), "unknown phase 'S999"),
    "huge number": (b'{"name": ' + b"9" * 10_000 + b"}", "a number in its JSON has too many digits"),
    "not a number": (b'{"name": NaN}', "NaN in its JSON is no number"),
    "a list": (b"[]", "is a JSON object, not '[]'"),
    "many games": (f"{json.dumps(GAME)}\n{json.dumps(GAME)}".encode(), "more than one game"),
    "a game without phases": (b'{"id": "x", "phases": []}', "game 'x' has no phases"),
    "another map": (b'{"map": "ancmed", "name": "S1901M"}', "unknown map 'ancmed'; maps: "),
    "deeply nested": (b"[" * 1_000_000, "nested too deeply"),
    "10 MB of noise": (noise(10 << 20), "not UTF-8 text"),
    "10 MB of letters": (noise(5 << 20).hex().encode(), "no position: it begins with"),
    "10 MB of key": (b'{"' + b"n" * (10 << 20) + b'": 1}', "no 'name'"),
    "10 MB of text after a phase": (b"S1901M\nFRANCE: " + b"A PAR " * (1 << 20), "more than 4 MB"),
    "10 MB of brackets": (b"NOW (" + b"(" * (10 << 20), "more than 4 MB"),
    "not UTF-8": (str(START).encode().replace(b"A PAR", b"A P\xc4X"), "unknown province"),
    "a broken gzip file": (b"\x1f\x8b" + noise(1000), "damaged or cut short"),
    "HTML": (b"<!DOCTYPE html>\n<html>", "no position, and no page of a game that is known"),
    "DAIDE cut short": (position_to_daide(START)[:-10].encode(), "cut short"),
    "DAIDE without centres": (position_to_daide(START).split("\n")[0].encode(), "no SCO message"),
}


@pytest.mark.parametrize(("content", "message"), RUBBISH.values(), ids=RUBBISH)
def test_rubbish_gives_one_short_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "rubbish.json"
    path.write_bytes(content)
    with pytest.raises((FormatError, PositionError)) as caught:
        read_position(path)
    text = str(caught.value)
    assert message in text
    assert text.isprintable()
    assert "rubbish.json" in text
    # A quotation of 60 characters, each of which may have to be escaped.
    assert len(text.replace(str(path), "")) < 400


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("nothing.json", "cannot read nothing.json: No such file or directory"),
        ("folder", "cannot read folder: there is no saved page in it"),
        ("a\0b", "not a file name"),
        ("x" * 5000, "cannot read ...xxx"),
        ("", "directory"),
    ],
)
def test_what_is_no_file_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(FormatError) as caught:
        read_position(source)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 250


def test_a_document_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b'{"name": "' + bytes(70 << 20)))
    with pytest.raises(FormatError, match="more than 64 MB in one document"):
        read_position(path)


def test_a_saved_game_tells_the_orders_of_the_movement_phases_before(tmp_path: Path) -> None:
    retreat = {"name": "F1901R", "state": {**AFTER.to_json(), "name": "F1901R"}, "orders": {}}
    later = {"name": "S1902M", "state": {**AFTER.to_json(), "name": "S1902M"}, "orders": {}}
    fall = {**GAME["phases"][1], "orders": {"ITALY": ["A VEN H", "nonsense"], "NOBODY": ["A PAR H"]}}
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**GAME, "phases": [GAME["phases"][0], fall, retreat, later]}))
    history = {
        phase: [
            (str(before.phase), {power: [str(order) for order in orders] for power, orders in given.items()})
            for before, given in read_with_history(path, phase)[1]
        ]
        for phase in ("S1901M", "F1901M", "F1901R", None)
    }
    spring, autumn = ("S1901M", {"FRANCE": ["A PAR - BUR"]}), ("F1901M", {"ITALY": ["A VEN H"]})
    assert history["S1901M"] == []
    assert history["F1901M"] == [spring]
    assert history["F1901R"] == history[None] == [spring, autumn]


# What a killed writer leaves is removed by the next one.

KILLED = """
import os, signal, sys
from glob import escape
from pathlib import Path
from bordeaux.formats.whole_files import beside
for name in sys.argv[1:]:
    beside(Path(name)).write_text("half of it")
os.kill(os.getpid(), signal.SIGKILL)
"""


def left_by_a_killed_writer(*targets: Path) -> list[Path]:
    """Files that a process was writing for `targets` when it was killed, long ago."""
    subprocess.run([sys.executable, "-c", KILLED, *map(str, targets)], check=False)
    left = [part for target in targets for part in target.parent.glob(f".{escape(target.name)}.*.part")]
    assert len(left) == len(targets)
    for part in left:
        os.utime(part, (1, 1))
    return left


@pytest.mark.parametrize("writer", ["document", "whole", "book", "games"])
def test_the_next_writer_removes_what_a_killed_one_left(tmp_path: Path, writer: str) -> None:
    target, other = tmp_path / "a file [1].json", tmp_path / "other.json"
    gone, kept = left_by_a_killed_writer(target, other)
    alive = tmp_path / f".{target.name}.{os.getppid()}.part"
    strange = [tmp_path / f".{target.name}.{text}.part" for text in ("x1", "1.2", "")]
    for path in (alive, *strange):
        path.write_text("of others")
        os.utime(path, (1, 1))
    if writer == "document":
        write_document(target, {"id": "0"})
    elif writer == "whole":
        write_whole(str(target), "text")
    elif writer == "book":
        small_book().save(target)
    else:
        with GamesFile(target) as games:
            games.append(1, {"id": "1-0"})
            games.append(0, {"id": "0-0"})
    assert target.stat().st_size > 0
    assert not gone.exists()
    assert kept.exists()
    assert all(path.exists() for path in (alive, *strange))
