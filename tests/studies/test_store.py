"""Files of studies: nothing is lost, whatever happens to them."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import socket
import stat
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.board.errors import FormatError
from bordeaux.board.map import parse_map
from bordeaux.formats.games import game_from_json
from bordeaux.jobs.background import GivenUp
from bordeaux.protocols import loopback
from bordeaux.rules.rulesets import DATC
from bordeaux.studies import intake
from bordeaux.studies.intake import Reading, Readings, study_of_game, study_of_position
from bordeaux.studies.saved import study_from_json, study_to_json
from bordeaux.studies.store import Store, default_folder
from bordeaux.studies.study import MOST_NODES, Missing, Study
from tests.jobs.seen import wait_until
from tests.patience import PATIENCE
from tests.web.browser.served import Served
from tests.web.conftest import SPRING, played


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "folder" / "studies")


def file_of(store: Store, study: Study) -> Path:
    return store.folder / f"{study.id}.json"


def test_a_study_is_what_it_was(store: Store) -> None:
    study = store.add(study_of_game(game_from_json(played(SPRING))))
    study = store.change(study.id, lambda old: old.adjudicated("0", {}, DATC)[0])
    study = store.change(study.id, lambda old: old.commented("1", "é\u2028\x00<b>"))
    study = store.change(study.id, lambda old: old.changed_node("0", draft={"FRANCE": ["A PAR H"]}))
    study = store.change(study.id, lambda old: replace(old, play={"you": ["FRANCE"]}))
    again = Store(store.folder).get(study.id)
    assert again == study and again is not study
    assert again.version == 5 and len(again.nodes) == 3
    assert study_from_json(study.id, json.loads(file_of(store, study).read_text())) == study
    assert stat.S_IMODE(file_of(store, study).stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    store.delete(study.id)
    assert not file_of(store, study).exists() and store.listed() == []


def test_a_map_of_ones_own_stays_with_the_study(store: Store) -> None:
    text = files("bordeaux.board").joinpath("data", "pure.toml").read_text("utf-8")
    text = text.replace('name = "pure"', 'name = "mine"')
    study = store.add(study_of_position(Position.start(parse_map(text)), "mine", text))
    again = Store(store.folder).get(study.id)
    assert again.map.name == "mine" and again.map is not Map.load("pure")
    assert again.position("0").orderable() == study.position("0").orderable()


def test_a_change_that_fails_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    study = store.add(study_of_position(Position.start()))
    before = file_of(store, study).read_bytes()

    def full(*args: Any, **options: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("bordeaux.formats.games.os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.change(study.id, lambda old: old.commented("0", "lost"))
    assert store.get(study.id) == study and file_of(store, study).read_bytes() == before
    monkeypatch.undo()
    assert store.change(study.id, lambda old: old.commented("0", "kept")).version == 2
    assert [path.name for path in store.folder.iterdir() if path.name.endswith(".part")] == []


BROKEN = {
    "nothing": b"",
    "half": b'{"study": {"form": "bordeaux study 1", "name": "x", "ph',
    "no study": b'{"name": "S1901M"}',
    "another form": b'{"study": {"form": "bordeaux study 9", "name": "x", "phase": "S1901M", "changed": 1}}',
    "binary": bytes(range(256)),
    "deep": b'{"study": ' + b"[" * 100_000,
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_told_and_set_aside(tmp_path: Path, kind: str) -> None:
    lines: list[str] = []
    store = Store(tmp_path, lines.append)
    good = store.add(study_of_position(Position.start(), "good"))
    path = tmp_path / f"{'b' * 16}.json"
    path.write_bytes(BROKEN[kind])
    with pytest.raises(Missing, match="set aside"):
        store.get("b" * 16)
    assert not path.exists() and (tmp_path / f"{path.name}.broken").read_bytes() == BROKEN[kind]
    assert len(lines) == 1 and "\n" not in lines[0]
    listed = {head["name"]: head for head in store.listed()}
    aside = f"{path.name}.broken"
    assert set(listed) == {"good", aside} and "set aside" in listed[aside]["error"]
    assert store.get(good.id) == good
    with pytest.raises(Missing, match="set aside"):
        store.get("b" * 16)
    store.delete("b" * 16)
    assert [head["name"] for head in store.listed()] == ["good"]
    # A list finds a broken file by itself.
    path.write_text("rubbish")
    assert [head["id"] for head in store.listed() if head["phase"] is None] == ["b" * 16]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda data: data["nodes"].pop(0), "first node"),
        (lambda data: data["nodes"].pop(1), "missing"),
        (lambda data: data["nodes"][0].update(children=[]), "hang on none"),
        (lambda data: data["nodes"][1].update(children=["0"]), "hang"),
        (lambda data: data["nodes"][1].update(id="../x"), "sound id"),
        (lambda data: data["nodes"][1].update(id=1), "sound id"),
        (lambda data: data["nodes"][1].update(parent=0), "parent"),
        (lambda data: data["nodes"][1].update(state=[]), "state"),
        (lambda data: data["nodes"][1]["state"].update(name="X"), "unknown phase"),
        (lambda data: data["nodes"][0]["state"].update(name="COMPLETED"), "the game is over at node 0"),
        (lambda data: data["nodes"][1].update(orders={"FRANCE": "x"}), "list"),
        (lambda data: data["nodes"][1].update(rules="chess"), "no rules"),
        (lambda data: data.update(nodes={}), "list"),
        (lambda data: data.update(map="atlantis"), "unknown map"),
        (lambda data: data.update(map_text="rubbish"), "Expected"),
        (lambda data: data.update(version=0), "whole number"),
        (lambda data: data["study"].update(changed="now"), "number"),
        (lambda data: data["study"].update(name=5), "text"),
    ],
)
def test_a_file_that_contradicts_itself_is_no_study(change: Any, says: str) -> None:
    data = json.loads(json.dumps(study_to_json(study_of_game(game_from_json(played(SPRING))))))
    assert len(study_from_json("a" * 16, data).nodes) == 2
    change(data)
    with pytest.raises(ValueError, match=says):
        study_from_json("a" * 16, data)


def adjudicated(orders: dict[str, list[str]], study: Study) -> Study:
    return study.adjudicated("0", orders, DATC)[0]


def test_two_tabs_and_two_servers_lose_nothing(tmp_path: Path) -> None:
    """Six threads over two stores on one folder each add words and branches of their own."""
    stores = [Store(tmp_path), Store(tmp_path)]
    position = Position.start()
    study = stores[0].add(study_of_position(position))
    moves = ["A PAR - BUR", "A PAR - PIC", "A PAR - GAS", "A MAR - SPA", "A MAR - PIE", "A MAR - BUR"]
    faults: list[Exception] = []

    def work(number: int) -> None:
        try:
            for move in ("A MOS H", "A MOS - UKR", "A MOS - STP", "A MOS H"):
                orders = {"FRANCE": [moves[number]], "RUSSIA": [move]}
                stores[number % 2].change(study.id, partial(adjudicated, orders))
        except Exception as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    studies = [store.get(study.id) for store in (*stores, Store(tmp_path))]
    assert studies[0] == studies[1] == studies[2]
    assert len(studies[0].nodes) == 1 + 6 * 3 and studies[0].version == 1 + 6 * 3
    assert sorted(studies[0].root.children, key=int) == sorted(set(studies[0].nodes) - {"0"}, key=int)


def test_the_token_is_made_once_and_for_its_owner(tmp_path: Path) -> None:
    token = Store(tmp_path).token()
    path = tmp_path / "token"
    assert len(token) >= 40 and stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert Store(tmp_path).token() == token and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Store(tmp_path / "other").token() != token
    for bad in ("", "short", "x" * 50 + "\n; Path=/", "\xff" * 50):
        path.write_text(bad, encoding="latin-1")
        made = Store(tmp_path).token()
        assert len(made) >= 40 and made not in (token, bad) and Store(tmp_path).token() == made


def test_where_studies_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "bordeaux" / "studies"
    monkeypatch.setenv("HOME", str(tmp_path))
    for unset in ("", "relative/place"):
        monkeypatch.setenv("XDG_DATA_HOME", unset)
        assert default_folder() == tmp_path / ".local" / "share" / "bordeaux" / "studies"


def test_a_study_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.studies.study.MOST_NODES", 3)
    study = study_of_position(Position.start())
    for move in ("A PAR - BUR", "A PAR - PIC"):
        study, _ = study.adjudicated("0", {"FRANCE": [move]}, DATC)
    with pytest.raises(ValueError, match="the most"):
        study.adjudicated("0", {"FRANCE": ["A PAR - GAS"]}, DATC)
    assert study.adjudicated("0", {"FRANCE": ["A PAR - PIC"]}, DATC)[1] == "2" and MOST_NODES > 1000


def test_a_study_that_is_there_stays(store: Store) -> None:
    first = store.add(study_of_position(Position.start()))
    kept = store.change(first.id, lambda old: old.commented("0", "kept"))
    assert store.add(first) == kept and store.get(first.id) == kept
    file_of(store, first).write_text("rubbish")
    assert store.add(first).root.comment == "" and len(store.listed()) == 2


def test_a_pipe_in_the_folder_keeps_nobody_waiting(store: Store) -> None:
    """Who opened it would wait for its writer, with the lock of all studies."""
    path = store.folder / f"{'a' * 16}.json"
    os.mkfifo(path)
    with pytest.raises(Missing):
        store.get("a" * 16)
    assert store.listed() == []


# Foreign texts are read where they can be stopped, and nobody waits for them.

#: Not so many lines that they are refused unread; reading them takes minutes.
LONG = "Spring 1901\n" + "A PAR (\n" * 300_000


@pytest.fixture
def reader() -> Iterator[Readings]:
    made = Readings()
    yield made
    made.close()


def test_a_long_text_comes_back_whole_and_so_does_its_error(reader: Readings) -> None:
    text = "S1901M\nFRANCE: A PAR\n" + "#" * intake.SHORT
    study = reader.read(Reading(text, Map.standard(), name="mine")).study
    assert (study.name, study.root.state["units"]["FRANCE"]) == ("mine", ["A PAR"])
    assert study.position("0").units_of("FRANCE")
    with pytest.raises(FormatError, match="no study in this link"):
        reader.read(Reading("#shared=x", link=True))


@pytest.mark.slow
def test_the_limit_of_processor_time_is_one_line() -> None:
    reader = Readings(seconds=0)
    with pytest.raises(BordeauxError, match="takes more than 0 s of the processor"):
        reader.read(Reading(LONG))
    reader.close()


def test_the_end_of_the_page_ends_what_is_read() -> None:
    reader = Readings()
    came: list[BaseException] = []

    def ask() -> None:
        try:
            reader.read(Reading(LONG))
        except BordeauxError as error:
            came.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    wait_until(lambda: reader._process.tasks)
    reader.close()
    asking.join(PATIENCE)
    assert isinstance(came[0], GivenUp)
    with pytest.raises(GivenUp):
        reader.read(Reading(LONG))


@pytest.mark.slow
def test_idle_connections_make_room(tmp_path: Path) -> None:
    most = loopback.most_connections()
    with Served(tmp_path) as server, contextlib.ExitStack() as idle:
        for _ in range(most + 50):
            idle.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        assert server.call("GET", "/api/about")["version"]
        held = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        assert held < most + loopback.BACKLOG


@pytest.mark.slow
def test_a_client_that_leaves_in_the_middle_of_a_body_is_no_fault(tmp_path: Path) -> None:
    with Served(tmp_path, stderr=subprocess.PIPE) as server:
        head = f"POST /api/studies HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        head += f"Authorization: Bearer {server.token}\r\nContent-Length: 1000\r\n\r\n{{"
        with socket.create_connection(("127.0.0.1", server.port)) as leaving:
            leaving.sendall(head.encode())
        assert server.call("GET", "/api/about")["version"]
        server.process.terminate()
        assert server.process.communicate(timeout=PATIENCE)[1] == ""
