"""``bordeaux analyse`` as a process of its own, over a socket on this machine."""

import contextlib
import json
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from http.client import HTTPException
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bordeaux import Map, Position
from bordeaux.board.map import parse_map
from bordeaux.cli import main
from bordeaux.formats.daide import map_to_mdf
from bordeaux.studies.store import Store
from tests.cli.conftest import complaint
from tests.jobs.seen import wait_until
from tests.patience import PATIENCE

from .browser.served import Served
from .conftest import FALL, SPRING, played, text

ADDRESS = re.compile(
    r"(?P<base>http://127\.0\.0\.1:(?P<port>\d+)/)\?token=(?P<token>[\w-]{40,})"
    r"(?:#study=(?P<study>[0-9a-f]{16})&node=(?P<node>\d+))?\n"
)


@pytest.mark.slow
def test_a_killed_server_comes_back_with_all_that_it_said(tmp_path: Path) -> None:
    """Killed in the middle of writes, started again on the same port: the same token opens it, everything
    that was acknowledged is there, and the study opens again for the same game."""
    source, folder = tmp_path / "game.json", tmp_path / "studies"
    source.write_text(text(played(SPRING, FALL)))
    said: list[str] = []
    with Served(folder, str(source)) as first:
        study = first.call("GET", f"/api/studies/{first.opened[0]}")
        assert [node["phase"] for node in study["nodes"]] == ["S1901M", "F1901M", "W1901A"]
        assert first.opened[1] == "2" and study["name"] == "game.json"

        def write() -> None:
            with contextlib.suppress(OSError, HTTPException):
                for number in range(10_000):
                    words = f"{number} " + "x" * 15_000
                    first.call("PUT", f"/api/studies/{first.opened[0]}/nodes/0/comment", {"text": words})
                    said.append(words)

        writer = threading.Thread(target=write)
        writer.start()
        wait_until(lambda: len(said) >= 5)
        first.process.send_signal(signal.SIGKILL)
        writer.join(PATIENCE)
        assert first.process.wait(PATIENCE) == -signal.SIGKILL
    words = (str(source), "--phase", "F1901M")
    with Served(folder, *words, port=first.port, stderr=subprocess.PIPE) as second:
        assert (second.token, second.opened) == (first.token, (first.opened[0], "1"))
        again = second.call("GET", f"/api/studies/{second.opened[0]}")
        comment = again["nodes"][0]["comment"]
        number = int(comment.split()[0])
        assert number in (len(said) - 1, len(said)) and comment.endswith("x" * 15_000)
        assert again["version"] == 2 + number
        assert len(second.call("GET", "/api/studies")) == 1
        assert [path.name for path in folder.iterdir() if "broken" in path.name] == []
        second.process.send_signal(signal.SIGINT)
        assert second.process.communicate(timeout=PATIENCE)[1] == "" and second.process.returncode == 130


@pytest.mark.slow
def test_a_stream_hears_of_changes_and_ends_with_the_server(tmp_path: Path) -> None:
    with Served(tmp_path, "start") as server:
        path = f"/api/studies/{server.opened[0]}"
        events = server.events(f"{path}/events")
        assert next(events) == ("changed", {"version": 1})
        server.call("PUT", f"{path}/nodes/0/comment", {"text": "x"})
        assert next(events)[1]["version"] == 2
        # A connection that asks nothing does not hold it up.
        with socket.create_connection(("127.0.0.1", server.port)):
            server.process.send_signal(signal.SIGTERM)
            assert list(events) == [] and server.process.wait(PATIENCE) == 128 + signal.SIGTERM


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What ``bordeaux analyse`` prints in this process where the page is open at once, and closed."""

    def serve(server_state: Any, token: str, sock: Any, ready: Any, verbose: bool) -> int:
        ready()
        return 0

    monkeypatch.setattr("bordeaux.web.server.serve", serve)
    rest = ("--port", "0", "--studies", str(tmp_path / "studies"))
    return lambda *words: CliRunner().invoke(main, ["analyse", *words, *rest]).stdout


def test_it_prints_where_the_page_is(run: Callable[..., str]) -> None:
    """As a line and as JSON; the same position gives the same study, and no position none."""
    line, told = run("start"), json.loads(run("start", "--json"))
    match = ADDRESS.fullmatch(line)
    assert match and (match["token"], match["study"], match["node"]) == (told["token"], told["study"], "0")
    assert ADDRESS.fullmatch(told["address"] + "\n") and told["node"] == "0"
    bare = ADDRESS.fullmatch(run())
    assert bare and bare["study"] is None and bare["token"] == told["token"]
    assert json.loads(run("start", "--map", "pure", "--json"))["study"] != told["study"]


@pytest.mark.parametrize("form", ["toml", "mdf"])
def test_a_map_file_goes_with_the_study(run: Callable[..., str], tmp_path: Path, form: str) -> None:
    pure = Map.load("pure")
    content = files("bordeaux.board").joinpath("data", "pure.toml").read_text("utf-8")
    content = content.replace('name = "pure"', 'name = "mine"') if form == "toml" else map_to_mdf(pure)
    (tmp_path / f"mine.{form}").write_text(content)
    start = Position.start(parse_map(content, f"mine.{form}"))
    (tmp_path / "position.json").write_text(text(start.to_json()))
    words = ("--map", str(tmp_path / f"mine.{form}"), "--json")
    answer = json.loads(run(str(tmp_path / "position.json"), *words))
    study = Store(tmp_path / "studies").get(answer["study"])
    assert study.map.name == "mine" and study.map_text == content
    assert study.position("0") == start and len(start.centres) == 7


def test_of_a_file_of_games_one_is_chosen(tmp_path: Path) -> None:
    source = tmp_path / "games.jsonl"
    games = [played(SPRING, identity="one"), played(SPRING, FALL, identity="two")]
    source.write_text("\n".join(json.dumps(game) for game in games))
    with Served(tmp_path / "studies", str(source), "--game", "2") as server:
        study = server.call("GET", f"/api/studies/{server.opened[0]}")
        assert study["name"] == "games.jsonl, game two" and len(study["nodes"]) == 3
    link = ("analyse", str(source), "--link", "--no-engine")
    by_id, first = (CliRunner().invoke(main, [*link, *more]) for more in (["--game", "two"], []))
    assert by_id.exit_code == first.exit_code == 0 and by_id.stderr == "" and by_id.stdout != first.stdout
    assert "the first, one, is taken" in first.stderr and first.stdout.startswith("data:")
    assert "no game '3'" in complaint(CliRunner().invoke(main, ["analyse", str(source), "--game", "3"]))
