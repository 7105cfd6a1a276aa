"""``bordeaux book``: show, name, verify and build; walks, comparisons and exports."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from bordeaux import Position
from bordeaux.formats.games import Game, GamePhase
from bordeaux.openings import Book
from tests.cli.conftest import Run, Save, complaint
from tests.cli.processes import lines_in
from tests.jobs.seen import wait_until
from tests.openings.small_book import (
    GALICIA,
    START,
    TRIESTE,
    USUAL,
    austrian,
    book_of_gulfs,
    played,
    small_book,
)
from tests.patience import PATIENCE

from .conftest import unwrapped


@pytest.fixture
def games(tmp_path: Path) -> str:
    """Eight small games, one a line."""
    place = tmp_path / "games.jsonl"
    place.write_text("".join(json.dumps(played(seed, 8)) + "\n" for seed in range(8)), encoding="utf-8")
    return str(place)


def test_show_gives_what_the_contract_says(run: Run) -> None:
    data = run.told("book", "show", "start")
    assert set(data["powers"]) == set(Position.start().map.powers) and data["exact"]
    for sets in data["powers"].values():
        assert sum(entry["weight"] for entry in sets) == pytest.approx(1)
        assert {"orders", "weight", "games", "value", "name"} <= set(sets[0])
        assert isinstance(sets[0]["orders"], list)
    names = {entry["name"] for entry in data["powers"]["FRANCE"]}
    assert "Maginot" in names


def test_sets_stand_by_their_weights(run: Run) -> None:
    args = ("book", "show", "start", "--power", "AUS")
    sets = run.told(*args)["powers"]["AUSTRIA"]
    weights = [each["weight"] for each in sets]
    assert weights == sorted(weights, reverse=True)
    shown = run(*args).stdout
    assert all(f"{each['value']:.1%}" in shown for each in sets[:5])


def test_show_lists_the_likeliest_sets_or_as_many_as_are_asked_for(run: Run) -> None:
    """40 sets were shown, most of them with 0 %."""
    every = run.told("book", "show", "start", "--power", "FRA")["powers"]["FRANCE"]
    assert len(every) > 20
    args = ("book", "show", "start", "--power", "FRA", "--limit", "3")
    assert run.told(*args)["powers"]["FRANCE"] == every[:3]
    for listing, count in ((run(*args[:-2]), 12), (run(*args), 3)):
        assert len(re.findall(r"^ +\d+%", listing.stdout, re.MULTILINE)) == count
        assert f"{len(every) - count} more, with --limit {len(every)}" in listing.stdout
    assert " more, " not in run(*args[:-1], "1000").stdout
    assert run(*args[:-1], "0").exit_code == 2


def test_show_out_of_book(run: Run, save: Save) -> None:
    state = Position.start().to_json()
    state["name"] = "S1950M"
    result = run("book", "show", save("late.json", state))
    assert result.exit_code == 1 and "nothing" in result.output
    assert run.told("book", "show", save("late.json", state), code=1)["powers"] == {}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("show", "start", "--book"), 1),
        (("explore", "--book"), 0),
        (("novelties", "--book"), 0),
        (("verify", "--book"), 1),
        (("compare", "standard", "--book"), 0),
    ],
)
def test_a_book_with_nothing_in_it(run: Run, save: Save, arguments: tuple[str, ...], code: int) -> None:
    place = save("none.jsonl", '{"bordeaux book":1,"map":"standard","positions":0,"views":0}\n')
    result = run("book", *arguments, place)
    assert (result.exit_code, result.stderr) == (code, ""), result.stderr


def test_name(run: Run, save: Save) -> None:
    result = run("book", "name", "A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO")
    assert (result.exit_code, result.stdout) == (0, "FRANCE: Maginot\n")
    begun = run("book", "name", "A PAR - BUR").stdout
    assert "Maginot" in begun and "Burgundy Variation" in begun and "Picardy Variation" not in begun
    assert run.told("book", "name", "A PAR - BUR", "A MAR S A PAR - BUR", code=1) == {
        "powers": {"FRANCE": {"name": None, "nearest": {"name": "Maginot", "share": 0.6667}}},
        "alliances": [],
    }
    assert run("book", "name", "A PAR H", "A MAR H", "F BRE H").exit_code == 1
    both = run("book", "name", "F SEV - RUM", "A WAR - GAL", "A CON - BUL", "F ANK - CON")
    assert "together: Juggernaut" in both.stdout


@pytest.mark.slow
def test_build_makes_a_sound_book(run: Run, games: str, tmp_path: Path) -> None:
    out = str(tmp_path / "own.jsonl")
    common = ["--games", games, "--min-games", "2", "--positions", "3", "--out", out]
    data = run.told("book", "build", *common, "--nodes", "60", "--processes", "1")
    assert data["games"] == {"human": 8} and data["searched"] == data["positions"] >= 4
    assert run("book", "verify", "--book", out).exit_code == 0


def test_verify_finds_what_is_wrong(run: Run, games: str, tmp_path: Path) -> None:
    out = tmp_path / "own.jsonl"
    assert run("book", "build", "--games", games, "--min-games", "2", "--out", out).exit_code == 0
    text = out.read_text(encoding="utf-8")
    out.write_text(text.replace('"orders":"A BUD - SER;', '"orders":"A BUD - LON;'), encoding="utf-8")
    result = run("book", "verify", "--book", out)
    assert result.exit_code == 1 and "not legal" in result.output
    assert run.told("book", "verify", "--book", out, code=1)["faults"]
    out.write_text("{}\n", encoding="utf-8")
    assert "own.jsonl, line 1: no book" in complaint(run("book", "verify", "--book", out))


def start_build(games: str, out: Path) -> subprocess.Popen[str]:
    command = ["book", "build", "--games", games, "--min-games", "2", "--positions", "4", "--out", str(out)]
    return subprocess.Popen(
        [sys.executable, "-m", "bordeaux", *command, "--time", "0.1", "--processes", "2"],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.slow
def test_a_build_that_is_stopped_goes_on_where_it_was(games: str, tmp_path: Path) -> None:
    out = tmp_path / "own.jsonl"
    journal = tmp_path / "own.jsonl.journal"
    for number, code, least in ((signal.SIGTERM, 128 + signal.SIGTERM, 2), (signal.SIGKILL, -9, 3)):
        build = start_build(games, out)
        wait_until(lambda least=least: lines_in(journal) >= least)
        had = lines_in(journal)
        build.send_signal(number)
        _, errors = build.communicate(timeout=PATIENCE)
        assert build.returncode == code and not out.exists() and "Traceback" not in errors
        assert (f"the same command goes on from {out}.journal" in errors) == (number == signal.SIGTERM)
        # No process is left in its group.
        with pytest.raises(ProcessLookupError):
            wait_until(lambda build=build: os.killpg(build.pid, 0))
    kept = journal.read_bytes().splitlines(keepends=True)[:had]
    again = start_build(games, out)
    _, errors = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, errors
    assert journal.read_bytes().splitlines(keepends=True)[:had] == kept
    keys = [json.loads(line)["position"] for line in journal.read_text("utf-8").splitlines()[1:]]
    assert len(keys) == len(set(keys)) == len(Book.load(out))


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "small.jsonl"
    small_book().save(path)
    return str(path)


@pytest.fixture
def other(tmp_path: Path) -> str:
    first, second, _ = austrian()
    path = tmp_path / "other.jsonl"
    small_book((first, second), name="other").save(path)
    return str(path)


@pytest.fixture
def study_games(tmp_path: Path) -> str:
    """Three games with Trieste, one with Galicia, in which Turkey sends nothing."""
    path = tmp_path / "games.jsonl"
    lines = []
    for number, austria in enumerate([TRIESTE] * 3 + [GALICIA]):
        orders = {"AUSTRIA": austria, **USUAL, "TURKEY": ()}
        given = {power: list(sent) for power, sent in orders.items()}
        phases = (
            GamePhase("S1901M", START.to_json(), given),
            GamePhase("F1901M", START.next(given).to_json(), {}),
        )
        lines.append(json.dumps(Game(f"g{number}", "standard", (), phases).to_json()))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def walked(run: Run, book: str, lines: str, *options: str) -> Result:
    return run("book", "explore", "--book", book, *options, input=lines)


def told(run: Run, book: str, lines: str) -> list[Any]:
    return [json.loads(line) for line in walked(run, book, lines, "--json").stdout.splitlines()]


def test_a_walk_through_a_pipe(run: Run, book: str) -> None:
    result = walked(run, book, "1\nup\nFRANCE\nquit\n")
    assert (result.exit_code, result.stderr) == (0, "")
    text = result.stdout
    assert "S1901M, AUSTRIA: 3 sets, 300 games" in text
    assert "S1901M is played" in text and "most played" in text and "chosen" in text
    assert "F1901M, AUSTRIA: 2 sets, 40 games" in text
    assert text.rindex("S1901M, FRANCE: 1 set, 300 games") > text.index("F1901M, AUSTRIA")


def test_orders_and_sets_wait_for_go(run: Run, book: str) -> None:
    text = "orders FRA A PAR - PIC; A MAR - SPA\nset AUSTRIA 2\ngo\n"
    lines = told(run, book, text)
    assert set(lines[2]["chosen"]) == {"FRANCE", "AUSTRIA"}
    assert lines[3]["how"]["FRANCE"] == "chosen" and lines[3]["how"]["ITALY"] == "most played"
    assert lines[3]["orders"]["FRANCE"] == ["F BRE H", "A MAR - SPA", "A PAR - PIC"]


def test_a_book_of_another_map_begins_there_and_has_no_names(run: Run, save: Save, tmp_path: Path) -> None:
    book = book_of_gulfs()
    book.save(tmp_path / "gulfs.jsonl")
    path = str(tmp_path / "gulfs.jsonl")
    assert "NORDMARK, S1901M" in run("book", "show", "--book", path).stdout
    result = walked(run, path, "go\n")
    assert result.exit_code == 0 and "S1901M, NORDMARK: 1 set" in result.stdout
    # A position has the map that it names.
    start = save("start.json", Position.start(book.map).to_json())
    assert "S1901M, NORDMARK" in run("book", "explore", start, input="quit\n").stdout


def test_all_board_and_help(run: Run, book: str) -> None:
    text = walked(run, book, "all\nboard\nhelp\n").stdout
    assert "best" in text and "F TRI - VEN" in text
    assert "F STP/SC" in text and "go on with set N" in text
    lines = told(run, book, "all\nboard\nhelp\n")
    assert "A VIE - TRI" in lines[1]["powers"]["AUSTRIA"]["most"]
    assert lines[2]["name"] == "S1901M" and "quit" in lines[3]["words"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9", "no set 9 of AUSTRIA in S1901M: it has 3"),
        ("besst", "no word 'besst'; did you mean 'best'?"),
        ("set 2", "expected a power and a number"),
        ("orders FRANCE", "expected a power and its orders"),
        ("orders FRANCE A PAR - LON", "A PAR - LON"),
        ("99999999999999999999", "no word"),
    ],
)
def test_a_line_that_makes_no_sense(run: Run, book: str, line: str, message: str) -> None:
    result = walked(run, book, f"{line}\n")
    assert result.exit_code == 2
    assert result.stderr.startswith("bordeaux: ") and message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_where_the_book_ends_the_engine_plays_on(run: Run, book: str) -> None:
    steps = [line for line in told(run, book, "go\ngo\n") if "played" in line]
    assert steps[1]["how"]["FRANCE"] == "not in the book"
    assert any(not order.endswith(" H") for order in steps[1]["orders"]["FRANCE"])


def test_two_books(run: Run, book: str, other: str) -> None:
    result = run("book", "compare", "--book", book, other)
    assert (result.exit_code, result.stderr) == (0, "")
    text = unwrapped(result.stdout)
    assert (
        "F TRI - VEN" in text
        and "1 set of orders that differ" in text
        and re.search(r"orders +small +other +score", text)
    )
    answer = run.told("book", "compare", "--book", book, other, "--power", "aus")
    assert answer["all"] == 1
    (only,) = answer["differences"]
    assert (only["power"], only["first"], only["second"], only["value"]) == ("AUSTRIA", 0.2, 0.0, 0.25)
    assert "nothing" in run("book", "compare", "--book", book, book).stdout


def test_a_book_and_games(run: Run, book: str, study_games: str) -> None:
    answer = run.told("book", "compare", "--book", book, study_games)
    assert answer["games"] == 4
    first = answer["people"][0]
    assert (first["power"], first["games"], first["second"], first["loss"]) == ("AUSTRIA", 3, 0.75, 0.125)
    assert "F TRI - VEN" in answer["engine"][0]["orders"]
    assert all(difference["power"] != "TURKEY" for difference in answer["people"] + answer["engine"])
    text = run("book", "compare", "--book", book, study_games, "--phase", "s1901m", "--limit", "1").stdout
    assert "People play it, the engine dislikes it" in text
    assert "The engine likes it, people do not play it" in text
    assert "F TRI - VEN" in text and "4 games" in text
    for phase, said in (("rubbish", "unknown phase 'rubbish'"), ("W1950A", "the book has no sets of W1950A")):
        assert said in complaint(run("book", "compare", "--book", book, study_games, "--phase", phase))


def test_games_of_another_map_are_not_compared(run: Run, book: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text(json.dumps(Game("g", "pure", (), ()).to_json()), encoding="utf-8")
    refused = complaint(run("book", "compare", "--book", book, path))
    assert "game g is on map pure; the book is on map standard" in refused


@pytest.mark.parametrize("form", ["json", "csv", "html"])
def test_export(run: Run, book: str, tmp_path: Path, form: str) -> None:
    out = tmp_path / f"out.{form}"
    result = run("book", "export", "--book", book, "--out", str(out))
    assert (result.exit_code, result.stderr) == (0, "")
    text = out.read_text("utf-8")
    assert f"{len(text.encode()):,} bytes of {form}" in unwrapped(result.stdout)
    if form == "json":
        assert len(json.loads(text)["sets"]) == 11
    elif form == "csv":
        assert [row["power"] for row in csv.DictReader(text.splitlines())].count("AUSTRIA") == 5
    else:
        assert text.startswith("<!DOCTYPE html>") and text.rstrip().endswith("</html>")
    assert list(tmp_path.glob(".*")) == []


def test_a_report_is_not_written_over_a_file_unasked(run: Run, book: str, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    out.write_text("precious", encoding="utf-8")
    refused = complaint(run("book", "export", "--book", book, "--out", str(out)))
    assert "is there already; name another file, or add --force" in refused
    assert out.read_text(encoding="utf-8") == "precious"
    assert run("book", "export", "--book", book, "--out", str(out), "--force").exit_code == 0
    assert out.read_text(encoding="utf-8").startswith("power,phase,")


def test_the_format_may_be_named(run: Run, book: str, tmp_path: Path) -> None:
    out = tmp_path / "table.txt"
    answer = run.told("book", "export", "--book", book, "--format", "csv", "--out", str(out))
    assert answer == {"file": str(out), "format": "csv", "bytes": out.stat().st_size}
    refused = complaint(run("book", "export", "--book", book, "--out", tmp_path / "x.pdf"))
    assert "ends in none of csv, html, json" in refused
    assert run("book", "export", "--book", book, "--out", str(tmp_path / "no" / "x.csv")).exit_code == 2


def test_novelties(run: Run, book: str) -> None:
    answer = run.told("book", "novelties", "--book", book)
    assert answer["all"] == 1
    (only,) = answer["novelties"]
    before = Position.from_json(only["position"])
    assert str(before.phase) == only["phase"] and before.units_of(only["power"])
    assert (only["gain"], only["probability"], only["share"]) == (0.125, 0.75, 0.0)
    text = run("book", "novelties", "--book", book).stdout
    assert "F TRI - VEN" in text and "+12.5" in text and "20.0%" in text, "the result of what people play"
    assert "No novelties" in run("book", "novelties", "--book", book, "--power", "FRANCE").stdout
    assert run("book", "novelties", "--book", book, "--power", "NARNIA").exit_code == 2
