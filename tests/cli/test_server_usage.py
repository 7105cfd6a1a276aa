"""``bordeaux server``: what it refuses, and its help."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run, Save
from .test_rubbish import complaint


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("--port 65536", "from 0 to 65535"),
        ("--port x", "'x'"),
        ("--host no.such.host.invalid --port 0", "cannot listen on no.such.host.invalid:0"),
        ("--level 7", "no language level 7"),
        ("--level x", "'x'"),
        ("--mtl 0", "from 1 to 8191"),
        ("--mtl 9000", "from 1 to 8191"),
        ("--pda", "raise the level"),
        ("--level 10 --no-press-before 5", "longer mtl"),
        ("--variant atlantis", "atlantis"),
        ("--fill dumbot", "did you mean 'dumbbot'"),
        ("--fill dumbbot:speed=3", "no option 'speed'"),
        ("--fill dumbbot --open -1", "from 0 to 256"),
        ("--save /no/such/folder/game.json", "no folder /no/such/folder"),
        ("--save /tmp", "is a folder"),
        ("--idle 0", "from 1 to 2592000"),
        ("--idle-player hold", "goes with --idle"),
        ("--idle 5 --idle-player dumbot", "did you mean 'dumbbot'"),
        ("--seed -1", "'-1'"),
        ("--frobnicate", "--frobnicate"),
        ("game.json", "game.json"),
    ],
)
def test_command_lines_that_make_no_sense(run: Run, args: str, says: str) -> None:
    assert says in complaint(run("server", *args.split()))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "cut short"),
        ("{", "cut short"),
        ("[]", "saved game"),
        ({"id": "x", "map": "standard", "phases": []}, "no server has saved"),
        ({"id": "x", "map": "standard", "phases": [], "daide": {"version": 2}}, "version '2'"),
    ],
)
def test_files_that_are_no_game_to_go_on_with(run: Run, save: Save, content: Any, says: str) -> None:
    path = save("game.json", content)
    before = Path(path).read_bytes()
    line = complaint(run("server", "--port", "0", "--save", path))
    assert says in line
    assert "game.json" in line
    assert Path(path).read_bytes() == before, "what is not ours is left alone"


def test_a_game_that_is_over_is_not_gone_on_with(run: Run, tmp_path: Path) -> None:
    from bordeaux.daide.server import ServerGame

    from ..daide.server.scene import Scene

    scene = Scene.started()
    for power in scene.of:
        scene.say(power, "DRW")
    assert scene.game.state == "over"
    path = tmp_path / "over.json"
    path.write_text(json.dumps(scene.game.saved()))
    assert "is over" in complaint(run("server", "--port", "0", "--save", str(path)))
    assert isinstance(scene.game, ServerGame)


def test_a_taken_port_is_an_error_in_one_line(run: Run) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"cannot listen on 127.0.0.1:{port}" in complaint(run("server", "--port", str(port)))


OPTIONS = [
    *("--host", "--port", "--level", "--mtl", "--rtl", "--btl", "--dsd", "--aoa", "--pda", "--npr", "--npb"),
    *(
        "--no-press-before",
        "--until",
        "--variant",
        "--fill",
        "--open",
        "--fill-time",
        "--idle",
        "--idle-player",
        "--save",
        "--wait",
        "--linger",
    ),
    *("--seed", "--verbose", "--json"),
]


def test_help_names_every_option(run: Run) -> None:
    shown = run("server", "--help").stdout
    for option in OPTIONS:
        assert option in shown
    assert os.sep not in shown.split("Examples:")[0]
