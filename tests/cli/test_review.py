"""``bordeaux review``: what it writes, what it says, and how it goes on after it was ended."""

import json
import signal
from pathlib import Path

import pytest

from tests.jobs.seen import wait_until
from tests.players.playing import standard as board
from tests.review.games import saved

from .conftest import Run, Save, complaint
from .processes import PATIENCE, lines_in, piped

POSITION = board(
    "F1905M",
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "A SIL"]},
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["BER", "MUN"]},
)
SENT = {"FRANCE": ["A BUR H", "A RUH H"], "GERMANY": ["A MUN - TYR", "A SIL - MUN"]}
GAME = saved(POSITION, SENT, {"FRANCE": ["A BUR H"], "GERMANY": ["A MUN H"]})
QUICK = ("--nodes", "300", "--processes", "1")


@pytest.fixture
def game(save: Save) -> str:
    return save("game.json", GAME)


def test_json_is_a_file_of_the_promised_shape(run: Run, game: str, tmp_path: Path) -> None:
    out = tmp_path / "review.json"
    answer = run.told("review", game, "--out", out, *QUICK)
    data = json.loads(out.read_text())
    assert answer["file"] == str(out) and answer["turning_points"] == len(data["turning_points"])
    france = data["powers"]["FRANCE"]
    assert answer["accuracy"]["FRANCE"] == france["accuracy"] and 0 < france["accuracy"] <= 100
    assert [phase["phase"] for phase in france["phases"]] == ["F1905M", "S1906M"]
    assert {"phase", "played", "best", "loss", "shares"} <= france["phases"][0].keys()


def test_a_page_is_written_and_the_screen_has_the_gist(run: Run, game: str, tmp_path: Path) -> None:
    out = tmp_path / "review.html"
    result = run("review", game, "--out", out, "--power", "fra", *QUICK)
    assert result.exit_code == 0, result.stderr
    text = " ".join(result.stdout.split())
    assert "FRANCE" in text and "France misses centres that were sure. Whatever the others did" in text
    assert "2 sets of orders reviewed in 0:" in text
    assert "GERMANY" not in result.stdout
    assert out.read_text().startswith("<!DOCTYPE html>")


def test_a_game_cannot_name_a_map_file(run: Run, save: Save, tmp_path: Path) -> None:
    game = save("game.json", {**GAME, "map": save("map.toml", "name = 'mine'")})
    out = tmp_path / "review.html"
    assert "unknown map" in complaint(run("review", game, "--power", "FRANCE", "--out", out, *QUICK))


@pytest.mark.slow
def test_ended_by_ctrl_c_it_leaves_what_is_done_and_goes_on(save: Save, tmp_path: Path) -> None:
    calm = {"FRANCE": ["A BUR H"], "GERMANY": ["A MUN H"]}
    game, out = save("game.json", saved(POSITION, SENT, *[calm] * 40)), tmp_path / "review.json"
    journal = Path(f"{out}.journal")
    words = ("review", game, "--out", str(out), "--nodes", "20000", "--processes", "1", "--json")
    with piped(*words) as process:
        wait_until(lambda: lines_in(journal) >= 3 or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "goes on from" in complaint and complaint.count("\n") == 1
    assert not out.exists()
    done = journal.read_bytes()
    assert done.endswith(b"\n") and done.count(b"\n") < 40
    # Another search does not go on from there, and says so.
    with piped(*words[:-4], "900", "--processes", "1") as process:
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2 and "another review" in complaint
    assert journal.read_bytes() == done
