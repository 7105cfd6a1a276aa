"""``bordeaux analyse`` as a process of its own, over a socket on this machine."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner

from bordeaux import Map, Position
from bordeaux.board.map import parse_map
from bordeaux.cli import main
from bordeaux.formats.daide import map_to_mdf
from bordeaux.studies.store import Store
from tests.cli.test_rubbish import complaint
from tests.patience import PATIENCE

from .conftest import FALL, SPRING, played, text

ADDRESS = re.compile(
    r"(?P<base>http://127\.0\.0\.1:(?P<port>\d+)/)\?token=(?P<token>[\w-]{40,})"
    r"(?:#study=(?P<study>[0-9a-f]{16})&node=(?P<node>\d+))?\n"
)


class Served:
    """A running server: its process, its address in parts, and a client that has the token."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stdout is not None
        line = process.stdout.readline()
        match = ADDRESS.fullmatch(line)
        assert match, line or process.communicate(timeout=PATIENCE)
        self.parts = match.groupdict()
        self.client = httpx2.Client(
            base_url=self.parts["base"],
            headers={"Authorization": f"Bearer {self.parts['token']}"},
            timeout=PATIENCE,
            trust_env=False,
        )

    def study(self) -> dict[str, Any]:
        """The study that was named on the command line."""
        answer: dict[str, Any] = self.client.get(f"/api/studies/{self.parts['study']}").json()
        return answer


@contextlib.contextmanager
def served(folder: Path, *words: str) -> Iterator[Served]:
    """A server over a folder of studies; it is killed at the end if it still runs."""
    line = [sys.executable, "-m", "bordeaux", "analyse", *words, "--studies", str(folder)]
    process = subprocess.Popen(
        line,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    with process:
        try:
            made = Served(process)
            with made.client:
                yield made
        finally:
            process.kill()


@pytest.mark.slow
def test_a_killed_server_comes_back_with_all_that_it_said(tmp_path: Path) -> None:
    """Killed in the middle of writes, started again on the same port: the same token opens it, everything
    that was acknowledged is there, and the study opens again for the same game."""
    source = tmp_path / "game.json"
    source.write_text(text(played(SPRING, FALL)))
    folder = tmp_path / "studies"
    said: list[str] = []
    with served(folder, str(source), "--port", "0") as first:
        study = first.study()
        assert [node["phase"] for node in study["nodes"]] == ["S1901M", "F1901M", "W1901A"]
        assert first.parts["node"] == "2" and study["name"] == "game.json"
        path = f"/api/studies/{study['id']}/nodes/0"

        def write() -> None:
            with contextlib.suppress(httpx2.HTTPError):
                for number in range(10_000):
                    words = f"{number} " + "x" * 15_000
                    assert first.client.put(f"{path}/comment", json={"text": words}).status_code == 200
                    said.append(words)

        writer = threading.Thread(target=write)
        writer.start()
        deadline = time.monotonic() + PATIENCE
        while len(said) < 5 and time.monotonic() < deadline:
            time.sleep(0.005)
        first.process.send_signal(signal.SIGKILL)
        writer.join(PATIENCE)
        assert len(said) >= 5 and first.process.wait(PATIENCE) == -signal.SIGKILL
    with served(folder, str(source), "--port", first.parts["port"], "--phase", "F1901M") as second:
        assert second.parts == {**first.parts, "node": "1"}
        again = second.study()
        comment = again["nodes"][0]["comment"]
        number = int(comment.split()[0])
        assert number in (len(said) - 1, len(said)) and comment.endswith("x" * 15_000)
        assert again["version"] == 2 + number
        assert len(second.client.get("/api/studies").json()) == 1
        assert [path.name for path in folder.iterdir() if "broken" in path.name] == []
        second.process.send_signal(signal.SIGINT)
        assert second.process.wait(PATIENCE) == 130
        assert second.process.stderr is not None and second.process.stderr.read() == ""


@pytest.mark.slow
def test_a_page_in_a_browser_and_a_stream_that_hears_of_changes(tmp_path: Path) -> None:
    """The cookie of the address opens the page; a stream tells a second tab, and ends with the server."""
    with served(tmp_path, "start", "--port", "0") as server:
        base = server.parts["base"]
        with httpx2.Client(base_url=base, timeout=PATIENCE, trust_env=False) as tab:
            assert tab.get("/").status_code == 403
            assert tab.get("/", params={"token": server.parts["token"]}).status_code == 200
            path = f"/api/studies/{server.parts['study']}"
            heard: list[str] = []

            def listen() -> None:
                with server.client.stream("GET", f"{path}/events") as stream:
                    for line in stream.iter_lines():
                        heard.append(line)

            listener = threading.Thread(target=listen)
            listener.start()
            wait_for(lambda: 'data: {"version":1}' in heard)
            own = {"Origin": base.rstrip("/")}
            assert tab.put(f"{path}/nodes/0/comment", json={"text": "x"}, headers=own).status_code == 200
            assert tab.put(f"{path}/nodes/0/comment", json={"text": "y"}).status_code == 403
            wait_for(lambda: any('"version":2' in line for line in heard))
            with socket.socket() as other:
                other.connect(("127.0.0.1", int(server.parts["port"])))
                server.process.send_signal(signal.SIGTERM)
                listener.join(PATIENCE)
                assert not listener.is_alive()
                assert server.process.wait(PATIENCE) == 128 + signal.SIGTERM


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call ``bordeaux analyse`` in this process, for what it refuses."""
    monkeypatch.setattr("bordeaux.web.server.serve", lambda *args, **options: pytest.fail("it serves"))

    def call(*words: str, input: bytes | None = None) -> Any:
        line = ["analyse", *words]
        if "--studies" not in words:
            line += ["--studies", str(tmp_path / "studies")]
        return CliRunner().invoke(main, line, input=input)

    return call


def test_a_port_that_is_taken_is_one_line(run: Any) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        line = complaint(run("start", "--port", str(port)))
        assert str(port) in line and "--port" in line


def test_it_prints_where_the_page_is(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a line and as JSON; the same position gives the same study, and no position none."""

    def serve(server_state: Any, token: str, sock: Any, ready: Any, verbose: bool) -> int:
        ready()
        return 0

    monkeypatch.setattr("bordeaux.web.server.serve", serve)
    line, told_as_json = (
        run("start", "--port", "0").stdout,
        json.loads(run("start", "--port", "0", "--json").stdout),
    )
    match = ADDRESS.fullmatch(line)
    assert match and (match["token"], match["study"], match["node"]) == (
        told_as_json["token"],
        told_as_json["study"],
        "0",
    )
    assert ADDRESS.fullmatch(told_as_json["address"] + "\n") and told_as_json["node"] == "0"
    bare = ADDRESS.fullmatch(run("--port", "0").stdout)
    assert bare and bare["study"] is None and bare["token"] == told_as_json["token"]
    other = json.loads(run("start", "--map", "pure", "--port", "0", "--json").stdout)
    assert other["study"] != told_as_json["study"]


@pytest.mark.parametrize("form", ["toml", "mdf"])
def test_a_map_file_goes_with_the_study(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setattr("bordeaux.web.server.serve", lambda *given, **more: given[3]() or 0)
    pure = Map.load("pure")
    content = files("bordeaux.board").joinpath("data", "pure.toml").read_text("utf-8")
    content = content.replace('name = "pure"', 'name = "mine"') if form == "toml" else map_to_mdf(pure)
    (tmp_path / f"mine.{form}").write_text(content)
    start = Position.start(parse_map(content, f"mine.{form}"))
    (tmp_path / "position.json").write_text(text(start.to_json()))
    words = ("--map", str(tmp_path / f"mine.{form}"), "--port", "0", "--json")
    answer = json.loads(run(str(tmp_path / "position.json"), *words).stdout)
    study = Store(tmp_path / "studies").get(answer["study"])
    assert study.map.name == "mine" and study.map_text == content
    assert study.position("0") == start and len(start.centres) == 7


def test_without_the_extra_it_says_what_to_install(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.cli.analyse.NEEDED", ("starlette", "no_such_library"))
    line = complaint(run("start"))
    assert "no_such_library" in line and "bordeaux-diplomacy[web]" in line


def test_a_folder_that_cannot_be_written_is_one_line(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any, **options: Any) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr("bordeaux.studies.store.write_document", refuse)
    assert "Permission denied" in complaint(run("start"))


def test_of_a_file_of_games_one_is_chosen(tmp_path: Path) -> None:
    source = tmp_path / "games.jsonl"
    games = [played(SPRING, identity="one"), played(SPRING, FALL, identity="two")]
    source.write_text("\n".join(json.dumps(game) for game in games))
    with served(tmp_path / "studies", str(source), "--game", "2", "--port", "0") as server:
        assert server.study()["name"] == "games.jsonl, game two" and len(server.study()["nodes"]) == 3
    link = ("analyse", str(source), "--link", "--no-engine")
    by_id, first = (CliRunner().invoke(main, [*link, *more]) for more in (["--game", "two"], []))
    assert by_id.exit_code == first.exit_code == 0 and by_id.stderr == "" and by_id.stdout != first.stdout
    assert "the first, one, is taken" in first.stderr and first.stdout.startswith("data:")
    assert "no game '3'" in complaint(CliRunner().invoke(main, ["analyse", str(source), "--game", "3"]))
