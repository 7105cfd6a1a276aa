"""``bordeaux book``: show, name, stats, verify and build."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.openings import Book
from tests.cli.conftest import Run, Save
from tests.openings.games import played
from tests.patience import PATIENCE

COMMANDS = ["show", "name", "stats", "verify", "build"]


@pytest.fixture
def games(tmp_path: Path) -> str:
    """Eight small games, one a line."""
    place = tmp_path / "games.jsonl"
    place.write_text("".join(json.dumps(played(seed, 8)) + "\n" for seed in range(8)), encoding="utf-8")
    return str(place)


def test_the_group_lists_its_commands(run: Run) -> None:
    result = run("book")
    assert result.exit_code == 0
    assert all(name in result.output for name in COMMANDS)
    wrong = run("book", "shwo")
    assert wrong.exit_code == 2 and "did you mean 'show'" in wrong.output


def test_show_gives_what_the_contract_says(run: Run) -> None:
    result = run("book", "show", "start", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    assert set(data["powers"]) == set(Position.start().map.powers) and data["exact"]
    for sets in data["powers"].values():
        assert sum(entry["weight"] for entry in sets) == pytest.approx(1)
        assert {"orders", "weight", "games", "value", "name"} <= set(sets[0])
        assert isinstance(sets[0]["orders"], list)
    names = {entry["name"] for entry in data["powers"]["FRANCE"]}
    assert "Maginot" in names


def test_show_in_words(run: Run) -> None:
    result = run("book", "show", "start", "--power", "FRA")
    assert result.exit_code == 0
    assert "FRANCE, S1901M" in result.output and "Maginot" in result.output and "ENGLAND" not in result.output


def test_show_lists_the_likeliest_sets_or_as_many_as_are_asked_for(run: Run) -> None:
    """Point 22 of issue 14: 40 sets were shown, most of them with 0 %."""
    every = json.loads(run("book", "show", "start", "--power", "FRA", "--json").stdout)["powers"]["FRANCE"]
    assert len(every) > 20
    args = ("book", "show", "start", "--power", "FRA", "--limit", "3")
    assert json.loads(run(*args, "--json").stdout)["powers"]["FRANCE"] == every[:3]
    for listing, count in ((run(*args[:-2]), 12), (run(*args), 3)):
        assert len(re.findall(r"^ +\d+%", listing.stdout, re.MULTILINE)) == count
        assert f"({len(every) - count} more: --limit)" in listing.stdout
    assert "more: --limit" not in run(*args[:-1], "1000").stdout
    assert run(*args[:-1], "0").exit_code == 2


def test_show_says_when_a_position_is_seen_through_a_view(run: Run, save: Save) -> None:
    position = Position.start().next({"FRANCE": ["F BRE - MAO", "A PAR - BUR", "A MAR - SPA"]})
    result = run("book", "show", save("fall.json", position.to_json()), "--power", "FRANCE")
    assert result.exit_code == 0 and "wherever the others stand" in result.output


def test_show_out_of_book(run: Run, save: Save) -> None:
    state = Position.start().to_json()
    state["name"] = "S1950M"
    result = run("book", "show", save("late.json", state))
    assert result.exit_code == 1 and "nothing" in result.output
    assert json.loads(run("book", "show", save("late.json", state), "--json").stdout)["powers"] == {}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("show", "start", "--book"), 1),
        (("explore", "--book"), 0),
        (("stats", "--book"), 0),
        (("novelties", "--book"), 0),
        (("verify", "--book"), 1),
        (("compare", "standard", "--book"), 0),
    ],
)
def test_a_book_with_nothing_in_it(run: Run, save: Save, arguments: tuple[str, ...], code: int) -> None:
    place = save("none.jsonl", '{"bordeaux book":1,"map":"standard","positions":0,"views":0}\n')
    result = run("book", *arguments, place)
    assert (result.exit_code, result.stderr) == (code, ""), result.stderr


def test_a_report_of_an_empty_book_has_nothing_in_it(run: Run, save: Save, tmp_path: Path) -> None:
    place = save("none.jsonl", '{"bordeaux book":1,"map":"standard","positions":0,"views":0}\n')
    for form in ("html", "csv", "json"):
        result = run("book", "export", "--book", place, "--out", str(tmp_path / f"out.{form}"))
        assert (result.exit_code, result.stderr) == (0, ""), form


def test_name(run: Run, save: Save) -> None:
    result = run("book", "name", "A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
    assert (result.exit_code, result.stdout) == (0, "FRANCE: Maginot\n")
    near = run("book", "name", "A PAR - BUR", "A MAR S A PAR - BUR", "--json")
    assert json.loads(near.stdout) == {
        "powers": {"FRANCE": {"name": "Maginot", "exact": False, "share": 0.6667, "text": "near Maginot"}},
        "alliances": [],
    }
    assert run("book", "name", "A PAR H", "A MAR H", "F BRE H").exit_code == 1


def test_name_reads_games_and_orders_from_files(run: Run, save: Save) -> None:
    result = run("book", "name", save("game.json", played(1)))
    assert result.exit_code == 0 and len(result.stdout.splitlines()) >= 7
    orders = save("orders.json", {"RUSSIA": ["F SEV - RUM"], "TURKEY": ["A CON - BUL", "F ANK - CON"]})
    assert "together: Juggernaut" in run("book", "name", orders).stdout


@pytest.mark.parametrize(
    ("orders", "message"),
    [(["A XXX - BUR"], "XXX"), (["A PAR"], "A PAR"), (["A BUR - PAR"], "no unit stands there")],
)
def test_name_of_what_is_no_order(run: Run, orders: list[str], message: str) -> None:
    result = run("book", "name", *orders)
    assert result.exit_code == 2 and message in result.output and "Traceback" not in result.output


def test_stats_count_what_is_in_the_book(run: Run) -> None:
    book = Book.load()
    data = json.loads(run("book", "stats", "--json").stdout)
    assert data["positions"] == len(book) and data["views"] == len(book.views)
    assert data["phases"]["S1901M"]["sets"] == sum(map(len, book.root.powers.values()))
    assert f"{len(book):,} positions" in run("book", "stats").output


def test_build_makes_a_sound_book(run: Run, games: str, tmp_path: Path) -> None:
    out = str(tmp_path / "own.jsonl")
    common = ["--games", games, "--min-games", "2", "--positions", "3", "--out", out]
    result = run("book", "build", *common, "--nodes", "200", "--processes", "1", "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["games"] == {"human": 8} and data["searched"] == data["positions"] >= 4
    assert run("book", "verify", "--book", out).exit_code == 0
    first = Path(out).read_bytes()
    # The journal has it all, so that nothing is searched again, and in two processes all is the same.
    assert run("book", "build", *common, "--nodes", "200", "--processes", "2").exit_code == 0
    assert Path(out).read_bytes() == first
    Path(f"{out}.journal").unlink()
    assert run("book", "build", *common, "--nodes", "200", "--processes", "2").exit_code == 0
    assert Path(out).read_bytes() == first


def test_verify_finds_what_is_wrong(run: Run, games: str, tmp_path: Path) -> None:
    out = tmp_path / "own.jsonl"
    assert run("book", "build", "--games", games, "--min-games", "2", "--out", out).exit_code == 0
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace('"orders":"A BUD - SER;', '"orders":"A BUD - LON;'), encoding="utf-8")
    result = run("book", "verify", "--book", out)
    assert result.exit_code == 1 and "not legal" in result.output
    assert json.loads(run("book", "verify", "--book", out, "--json").stdout)["faults"]
    out.write_text("{}\n", encoding="utf-8")
    result = run("book", "verify", "--book", out)
    assert result.exit_code == 2 and "own.jsonl, line 1: no book" in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--out"),
        (["--out", "OUT"], "nothing to make a book from"),
        (["--games", "nowhere", "--out", "OUT"], "cannot read nowhere"),
        (["--games", "GAMES", "--out", "/nowhere/at/all"], "--out: there is no folder"),
        (["--games", "GAMES", "--out", "OUT", "--nodes", "0"], "whole number from 1"),
        (["--games", "GAMES", "--out", "OUT", "--rules", "nowhere"], "cannot read nowhere"),
        (["--games", "GAMES", "--out", "OUT", "--rules", "GAMES"], "not TOML"),
        (["--statistics", "GAMES", "--out", "OUT"], "lacks the column"),
        (
            ["--games", "GAMES", "--out", "OUT", "--scheduler", "x:1", "--processes", "1"],
            "exclude each other",
        ),
    ],
)
def test_build_with_bad_usage(
    run: Run, games: str, tmp_path: Path, arguments: list[str], message: str
) -> None:
    names = {"OUT": str(tmp_path / "out.jsonl"), "GAMES": games}
    result = run("book", "build", *(names.get(argument, argument) for argument in arguments))
    assert result.exit_code == 2 and message in result.output, result.output
    assert "Traceback" not in result.output and not Path(names["OUT"]).exists()


def start_build(games: str, out: Path) -> subprocess.Popen[str]:
    command = ["book", "build", "--games", games, "--min-games", "2", "--positions", "4", "--out", str(out)]
    return subprocess.Popen(
        [sys.executable, "-m", "bordeaux", *command, "--time", "0.8", "--processes", "2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def lines_in(journal: Path, least: int) -> int:
    """Wait until a journal has so many lines; how many it has then."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if journal.exists() and (count := journal.read_bytes().count(b"\n")) >= least:
            return count
        time.sleep(0.02)
    raise AssertionError("the build did not get on")


def alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
@pytest.mark.slow
def test_a_build_that_is_stopped_goes_on_where_it_was(games: str, tmp_path: Path, number: int) -> None:
    out = tmp_path / "own.jsonl"
    journal = tmp_path / "own.jsonl.journal"
    build = start_build(games, out)
    had = lines_in(journal, 2)
    build.send_signal(number)
    _, errors = build.communicate(timeout=PATIENCE)
    assert build.returncode == (-9 if number == signal.SIGKILL else 128 + number)
    assert not out.exists()
    if number != signal.SIGKILL:
        assert "the same command goes on from there" in errors and "Traceback" not in errors
    deadline = time.monotonic() + PATIENCE
    while alive(build.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive(build.pid), "processes are left"
    kept = journal.read_bytes().splitlines(keepends=True)[:had]
    again = start_build(games, out)
    _, errors = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, errors
    assert journal.read_bytes().splitlines(keepends=True)[:had] == kept
    keys = [json.loads(line)["position"] for line in journal.read_text("utf-8").splitlines()[1:]]
    assert len(keys) == len(set(keys)) == len(Book.load(out))
