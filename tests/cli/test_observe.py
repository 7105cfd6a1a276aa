"""``bordeaux observe`` as a process: lines, JSON, a terminal, and servers that are of no use."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bordeaux.cli.observe import Watcher
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.repeats import MOST
from bordeaux.formats.games import read_games
from tests.cli.conftest import Run, complaint
from tests.cli.processes import PATIENCE, piped
from tests.daide.client.house import house


@pytest.mark.slow
def test_a_whole_game_in_lines_is_saved(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "game.json"
    with house() as served, piped("observe", served.address, "--save", str(path)) as process:
        assert process.stdout is not None and process.stderr is not None
        assert "lets us watch; waiting for the game" in process.stdout.readline()
        served.seat(7)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and err == ""
    assert "standard; no press; no deadlines" in out
    assert "S1901M\nAUSTRIA  A BUD H  F TRI H  A VIE H\n" in out
    assert "a draw of AUSTRIA, ENGLAND, FRANCE, GERMANY, ITALY, RUSSIA, TURKEY in S1904M" in out
    assert out.count("shares the draw") == 7 and "Guest" in out
    assert "\x1b" not in out and all(line == line.rstrip() for line in out.splitlines())
    (game,) = read_games(path)
    assert [phase.name for phase in game.phases] == [phase["name"] for phase in served.saves[-1]["phases"]]
    assert json.loads(path.read_text())["seen"]["ending"]["ending"] == "draw"
    replayed = run("replay", str(path))
    assert replayed.exit_code == 0 and "0 mismatches" in replayed.output


@contextmanager
def answering(*answers: bytes) -> Iterator[str]:
    """A server that says RM, then something to the first message, and closes; its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(8)
                connection.sendall(wire.rm(b""))
                connection.recv(100)
                connection.sendall(b"".join(answers))
                if answers:
                    connection.recv(100)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join(PATIENCE)


def test_a_server_without_observers_is_named_as_such(run: Run) -> None:
    with answering(wire.dm(d.encode(d.REJ(d.OBS())))) as address:
        said = complaint(run("observe", address))
    assert "takes no observers: it refuses OBS, as the server of the package diplomacy does" in said


@pytest.mark.slow
def test_a_disk_that_fails_later_is_reported_and_the_game_is_watched_on(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with house() as served, piped("observe", served.address, "--save", str(folder / "game.json")) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        folder.rmdir()
        served.seat(7)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "a draw of" in out
    assert len(err.splitlines()) == 2 and "the game goes on" in err and "is not saved" in err


def test_a_flood_of_letters_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    watcher = Watcher("127.0.0.1:1", None)
    letter = d.read(d.tokens_from_text("FRM (ENG) (FRA) (PRP (PCE (ENG FRA)))"), side="server", level=10)
    for _ in range(500):
        watcher.heard(letter)
    watcher.repeats.look(last=True)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == MOST + 1
    assert lines[-1] == f"not told in the last minute: {500 - MOST} letters"
    assert len(watcher.chronicle.press) == 500, "the record has all"
