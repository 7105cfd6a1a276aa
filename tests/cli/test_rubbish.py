"""Whatever is fed to a command: exit code 2 and one line that says what is wrong and where."""

import gzip
import json
import random
import shlex
import socket
import time
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run, Save, complaint

GAME = {"id": "g", "map": "standard", "phases": []}


def everywhere(run: Run, path: str, orders: str) -> list[str]:
    """What the commands that take a position complain of; all of them must."""
    return [
        complaint(run(*args))
        for args in (
            ("orders", path, "--power", "all", "--nodes", "10"),
            ("adjudicate", path, "--orders", orders),
            ("legal", path, "--json"),
            ("evaluate", path),
        )
    ]


def changed(state: dict[str, Any], power: str, *units: str) -> dict[str, Any]:
    """The state with other units for one power."""
    return {**state, "units": {**state["units"], power: list(units)}}


COMMANDS = (
    "bench --puzzles --file",
    "arena --players hold --from",
    "review --out r.html",
    "analyse",
    "analyse --games",
)
"""They take files of other kinds."""

RUBBISH_FILES = {
    "empty": (b"", "nothing in it"),
    "blank": (b" \n\t\n", ""),
    "truncated": (b'{"name": "S1901M", "units": {"FRANCE": ["A PA', "cut short"),
    "a list": (b"[]", "object"),
    "a number": (b"42", ""),
    "null": (b"null", ""),
    "not a number": (b'{"name": NaN}', "NaN"),
    "another object": (b'{"hello": "world"}', ""),
    "binary": (bytes(range(256)) * 40, ""),
    "deep": (b"[" * 200_000, "deep"),
    "a huge number": (b'{"name": ' + b"9" * 50_000 + b"}", ""),
    "no phases": (json.dumps(GAME).encode(), "no phases"),
    "prose": (b"Dear Sir, we attack at dawn.\n", ""),
    "bad gzip": (b"\x1f\x8b\x08\x00rubbish after a good beginning", ""),
    "short gzip": (gzip.compress(b'{"name": "S1901M"}' * 100, mtime=0)[:30], "cut short"),
    "a NOW that is none": (b"NOW (SPR 1901) (AUS AMY", ""),
}


@pytest.mark.parametrize("kind", RUBBISH_FILES)
def test_a_file_that_is_no_position(run: Run, save: Save, kind: str) -> None:
    content, says = RUBBISH_FILES[kind]
    path = save("rubbish.json.gz" if "gzip" in kind else "rubbish.json", content)
    for line in everywhere(run, path, save("orders.json", {})):
        assert path in line or "rubbish" in line
        assert says in line
    for command in (*COMMANDS, "replay"):
        if (command, kind) != ("replay", "no phases"):
            complaint(run(*command.split(), path))
    complaint(run("legal", "-", input=content))


@pytest.mark.parametrize("noise", [pytest.param("letters", marks=pytest.mark.slow), "lines"])
def test_ten_megabytes_of_noise_are_answered_at_once(run: Run, save: Save, noise: str) -> None:
    chance = random.Random(3)
    size = 10 << 20
    content = {
        "letters": lambda: bytes(chance.choices(b"ABC DEFGH ()\n", k=1 << 16)) * (size >> 16),
        "lines": lambda: b"{}\n" * (size // 3),
    }[noise]()
    path = save("noise", content)
    begun = time.process_time()
    lines = everywhere(run, path, save("orders.json", {}))
    lines.append(complaint(run("replay", path)))
    lines.append(complaint(run("adjudicate", "start", "--orders", path)))
    assert all("noise" in line for line in lines)
    assert time.process_time() - begun < 10, "six commands, in seconds of the processor"


def test_a_file_that_cannot_be_read(
    run: Run, save: Save, start: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's refusal is made up, because root, who runs the tests in places, is refused nothing."""
    path = save("secret.json", start)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    monkeypatch.setattr("builtins.open", refuse)
    assert "Permission denied" in complaint(run("legal", path))


@pytest.fixture
def folder(tmp_path: Path, start: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with a file of saved games, and settings that are none."""
    phases = [{"name": name, "state": {**start, "name": name}, "orders": {}} for name in ("S1901M", "S1902M")]
    (tmp_path / "games.jsonl").write_text(json.dumps({**GAME, "phases": phases}) + "\n")
    (tmp_path / "bad").write_text("warmth = 3")
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").write_text("sure = ")
    monkeypatch.delenv("BORDEAUX_PASSWORD", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))
    monkeypatch.setattr("bordeaux.web.server.serve", lambda *args, **options: pytest.fail("it serves"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


LINES = [
    line.split(" => ")
    for line in Path(__file__).with_name("bad_input.txt").read_text("utf-8").splitlines()[2:]
]


@pytest.mark.parametrize(("command", "says"), LINES)
def test_a_command_that_makes_no_sense(run: Run, folder: Path, command: str, says: str) -> None:
    """One line, which has these words; no file is changed."""
    command, file, content = command.partition(" <<< ")
    if file:
        (folder / "rubbish").write_bytes(content.encode("latin-1").decode("unicode_escape").encode("latin-1"))
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    places = {"folder": str(folder), "games": str(folder / "games.jsonl")}
    line = complaint(run(*(word.format(**places) for word in shlex.split(command)), input="{}"))
    assert says.format(**places) in line
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("server --port", "give another host or port"),
        ("mcp --http", "name another --http"),
        ("analyse start --port", "name another --port"),
    ],
)
def test_a_port_that_is_taken_is_one_line(run: Run, folder: Path, command: str, says: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        line = complaint(run(*command.split(), port))
    assert f"cannot listen on 127.0.0.1:{port}" in line and says in line


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("mcp", "tools for agents need the extra mcp: pip install 'bordeaux-diplomacy[mcp]'"),
        ("analyse start", "the page needs starlette and uvicorn: pip install 'bordeaux-diplomacy[web]'"),
    ],
)
def test_without_its_extra_a_command_says_what_to_install(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, says: str
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert complaint(run(*command.split())) == says


def test_one_bad_state_among_good_games_is_named(run: Run, save: Save, start: dict[str, Any]) -> None:
    good = {**GAME, "phases": [{"name": "S1901M", "state": start, "orders": {}}]}
    bad = {
        **good,
        "id": "spoilt",
        "phases": [{"name": "S1901M", "state": changed(start, "ITALY", "A ION"), "orders": {}}],
    }
    path = save("games.jsonl", "\n".join(json.dumps(game) for game in [good] * 20 + [bad]))
    for processes in "12":
        line = complaint(run("replay", path, "--processes", processes))
        assert "spoilt" in line
        assert "sea" in line
    other = {**good, "phases": [*good["phases"], {"name": "F1901M", "state": {"units": 1}, "orders": {}}]}
    assert "'g'" in complaint(run("replay", save("other.json", other)))
