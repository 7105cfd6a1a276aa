import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Engine, Found, Line, Position
from bordeaux.cli.bot import TalkingBot
from bordeaux.cli.program import asked_to_stop
from bordeaux.cli.report.explain import print_lines
from bordeaux.daide.client.bot import Bot
from bordeaux.openings import Book
from bordeaux.search.config import PaperConfig, SearchConfig

from .conftest import Run, Save
from .processes import PATIENCE, piped, terminal

POWERS = Position.start().map.powers

KEYS = ("depth", "nodes", "nps", "time", "power", "multipv", "prob", "value", "orders")
LINE = {"orders", "value", "probability", "solo", "forced", "error", "behind", "doubt"}


def test_one_power_in_json(run: Run) -> None:
    answer = run.told("orders", "start", "--power", "FRANCE", "--nodes", "2000")
    assert answer["phase"] == "S1901M"
    assert list(answer["powers"]) == ["FRANCE"]
    france = answer["powers"]["FRANCE"]
    assert list(france) == ["orders", "value", "lines", "nodes", "seconds", "book", "expected", "foreseen"]
    assert all(set(line) == LINE for line in france["lines"])
    assert france["lines"][0]["orders"] == france["orders"]
    assert france["nodes"] > 0
    assert math.isfinite(france["value"])


def test_the_time_is_for_all_powers_together(run: Run) -> None:
    # Of the processor's time: on a busy machine a search gets less of it than the clock says, never more.
    begun = time.process_time()
    run.told("orders", "start", "--power", "all", "--time", "0.3")
    assert time.process_time() - begun < 0.3 + 1.0


def test_a_power_that_owes_nothing_gets_an_empty_list(run: Run, save: Save, start: dict[str, Any]) -> None:
    start["name"] = "W1901A"
    start["units"]["FRANCE"].remove("A PAR")
    answer = run.told("orders", save("winter.json", start), "--power", "all", "--nodes", "50")
    assert answer["powers"]["GERMANY"]["orders"] == []
    assert [order[-5:] for order in answer["powers"]["FRANCE"]["orders"]] == ["PAR B"]
    readable = run("orders", save("winter.json", start), "--power", "GERMANY", "--nodes", "50")
    assert readable.stdout == "GERMANY owes no orders in W1901A.\n"


@pytest.mark.parametrize("powers", [["all"], ["TURKEY"], ["ENGLAND", "RUSSIA"]])
def test_with_watch_the_answer_is_the_same(run: Run, powers: list[str]) -> None:
    """For five powers of seven it was another one."""
    asked = ["orders", "start", *(word for power in powers for word in ("--power", power))]
    plain = run.told(*asked, "--nodes", "6000")["powers"]
    words = [line.split() for line in run(*asked, "--nodes", "6000", "--watch").stdout.splitlines()]
    assert {tuple(line[1:18:2]) for line in words if line[0] == "info"} == {KEYS}
    assert [line[2] for line in words if line[:2] == ["bestorders", "power"]] == [*plain]
    watched = run(*asked, "--nodes", "6000", "--json", "--watch").stdout
    objects = [json.loads(line) for line in watched.splitlines()]
    best = {line["power"]: line["bestorders"] for line in objects if "bestorders" in line}
    assert best == {power: of_power["orders"] for power, of_power in plain.items()}
    # What is told last of each power are its lines, from the first or, if that was told before, the second.
    for power, of_power in plain.items():
        of_it = [line for line in objects if line["power"] == power and "multipv" in line]
        last = [[line["value"], line["orders"]] for line in of_it[-len(of_power["lines"]) :]]
        assert last == [[line["value"], line["orders"]] for line in of_power["lines"]]


@pytest.mark.parametrize("nodes", ["1", "3000"])
def test_watch_says_nothing_twice(run: Run, nodes: str) -> None:
    """The first line came twice."""
    result = run("orders", "start", "--power", "TUR", "--nodes", nodes, "--watch", "--json")
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    lines_told = [(line["multipv"], line["value"], line["orders"], line["nodes"]) for line in lines[:-1]]
    assert len(lines_told) == len(set(map(str, lines_told)))
    improvements = [line[:3] for line in lines_told if line[0] == 1]
    before_the_end = improvements[: len(improvements) - (len(lines_told) > len(improvements))]
    assert len(before_the_end) == len(set(map(str, before_the_end)))
    # The search may tell its own choice with the same count before the advised line.
    last = [line[0] for line in lines_told if line[3] == lines_told[-1][3]]
    assert sorted(set(last)) == list(range(min(last), last[-1] + 1)) and last == sorted(last)


@pytest.mark.parametrize(
    "args",
    [
        ("start", "--power", "FRANCE", "--power", "TURKEY"),
        pytest.param(("start", "--power", "all", "--threads", "2"), marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_prints_the_best_so_far(args: tuple[str, ...]) -> None:
    """What was found went lost. The search is long, on a terminal, and under way when Ctrl-C comes."""
    with terminal("orders", *args, "--time", "600") as search:
        search.until(" of 600.0 s")
        os.killpg(search.process.pid, signal.SIGINT)
        search.until("this is the best that was found until then")
        assert search.end() == 130
    for power in POWERS if "all" in args else ("FRANCE", "TURKEY"):
        assert f"{power}, S1901M: " in search.text
    assert "Traceback" not in search.text


def test_ctrl_c_while_watching_ends_with_the_best_orders() -> None:
    with piped("orders", "start", "--power", "FRANCE", "--time", "600", "--watch") as search:
        assert search.stdout is not None
        first = search.stdout.readline()
        search.send_signal(signal.SIGINT)
        rest, errors = search.communicate(timeout=PATIENCE)
    assert first.startswith("info depth 1 ")
    assert rest.splitlines()[-1].startswith("bestorders power FRANCE orders F BRE")
    assert errors == "bordeaux: interrupted: this is the best that was found until then\n"
    assert search.returncode == 130


def test_a_second_signal_ends_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), asked_to_stop() as asked:
        signal.raise_signal(signal.SIGINT)
        assert asked.is_set()
        assert asked.code == 130
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("watching", ["asked_to_stop", "stoppable"])
@pytest.mark.parametrize("outlives", [True, False])
def test_what_was_started_to_outlive_its_terminal_does(watching: str, outlives: bool) -> None:
    """``nohup bordeaux ...`` goes on when the terminal is closed."""
    ended = subprocess.run(
        [sys.executable, "-c", CLOSED.format(watching)],
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN if outlives else signal.SIG_DFL),
        capture_output=True,
        text=True,
    )
    assert ended.stdout.split() == (["goes", "on"] if outlives else ["stops"]), ended.stderr


CLOSED = """
import signal
from bordeaux.cli.program import asked_to_stop, stoppable
try:
    with {}() as asked:
        signal.raise_signal(signal.SIGHUP)
        print("stops" if asked and asked.is_set() else "goes on")
except KeyboardInterrupt:
    print("stops")
"""

LINES = (
    Line(("F ANK H",), 0.2, 0.5, error=0.02, solo=0.1),
    Line(("F ANK - BLA",), 0.19, 0.3, error=0.02, solo=0.1, behind=0.01, doubt=0.01),
    Line(("F ANK - CON",), 0.1, 0.2, error=0.01, solo=0.05, behind=0.1, doubt=0.01),
)


def rows_of(
    answer: Found, capsys: pytest.CaptureFixture[str], *, drawn: bool = False
) -> tuple[list[str], str]:
    """The rows of the table of lines, and all that is printed."""
    print_lines(Position.start(), answer, drawn=drawn)
    text = capsys.readouterr().out
    return [row for row in text.splitlines() if "F ANK" in row], text


@pytest.mark.parametrize("played", [0, 1, 2])
@pytest.mark.parametrize("book", [False, True])
def test_the_line_that_was_drawn_has_the_star_and_says_why(
    played: int, book: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing said why the mark stood below lines of a better value."""
    answer = Found("TURKEY", LINES[played].orders, LINES[played].value, LINES, 100, 0.1, book=book)
    rows, text = rows_of(answer, capsys, drawn=True)
    assert [row[1] == "*" for row in rows] == [number == played for number in range(3)]
    assert f"* Drawn by {'weight' if book else 'probability'}" in text
    # A book draws among sets that are not as good, too.
    assert any(row[1] == "=" for row in rows) != book


def test_lines_as_good_as_the_best_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    rows, text = rows_of(Found("TURKEY", LINES[0].orders, 0.2, LINES, 100, 0.1), capsys)
    assert [row[1] for row in rows] == ["*", "=", " "]
    # Every line has the error of its score, the best one too.
    assert [row.split("%")[1].strip() for row in rows] == ["2.0", "2.0", "1.0"]
    assert "TURKEY is expected to have" in text and "Drawn" not in text


def test_the_book_answers_where_it_is_asked_for(run: Run) -> None:
    plain = run("orders", "start", "--power", "RUSSIA", "--book")
    assert plain.exit_code == 0 and "RUSSIA, S1901M: from the book\n" in plain.stdout
    answer = run.told("orders", "start", "--power", "RUSSIA", "--book")["powers"]["RUSSIA"]
    assert answer["book"] is True and answer["nodes"] == 0
    assert answer["orders"] == answer["lines"][0]["orders"]
    explained = run("orders", "start", "--power", "RUSSIA", "--book", "--explain", "--nodes", "300").stdout
    assert "from the book" in explained and "what the orders are for" not in explained
    for options in ((), ("--nodes", "300", "--explain"), ("--no-book", "--time", "0.1")):
        searched = run.told("orders", "start", "--power", "RUSSIA", *options)
        assert searched["powers"]["RUSSIA"]["book"] is False


def test_every_setting_of_the_search_is_set_by_file_by_name_and_by_option(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What counts for more comes later: a file, names and values, options of their own."""
    made = []
    whole = Engine.__init__

    def noting(self: Engine, **options: Any) -> None:
        made.append(options["config"])
        whole(self, **options)

    monkeypatch.setattr(Engine, "__init__", noting)
    file = tmp_path / "mine.toml"
    file.write_text('evaluation = "hand"\nwithout = ["people", "reasoning"]\n', "utf-8")
    words = ("orders", "start", "--power", "FRANCE", "--nodes", "300", "--config", str(file))
    for more, wanted in (
        ((), SearchConfig(evaluation="hand", without="people+reasoning")),
        (
            ("--set", "models = league=9", "--set", "policy=people", "--without", "forcing"),
            SearchConfig(
                evaluation="hand", policy="people", models="league=9", without="people+reasoning+forcing"
            ),
        ),
        (
            ("--search", "paper", "--without", "fronts,metamap", "--evaluation", "paper", "--caution", "1"),
            SearchConfig(
                "paper", evaluation="paper", without="people+fronts+metamap", paper=PaperConfig(caution=1.0)
            ),
        ),
        (
            ("--set", "search=paper", "--set", "caution=0.5"),
            SearchConfig("paper", evaluation="hand", without="people", paper=PaperConfig(caution=0.5)),
        ),
    ):
        result = run(*words, *more)
        assert (result.exit_code, result.stderr) == (0, "")
        assert made.pop() == wanted


START = Position.start()


def test_the_set_of_the_book_with_the_highest_score_is_played(run: Run) -> None:
    book = Book.load().root.powers
    asked = ("orders", "start", "--power", "all", "--book", "--seed", "1", "--nodes", "300")
    for power, found in run.told(*asked)["powers"].items():
        entries = {entry.orders: entry for entry in book[power] if entry.weight}
        best, *_ = Engine().lines(START, power, [*entries])
        assert sorted(best.orders) == sorted(found["orders"]) and found["value"] == best.value
        first, *others = found["lines"]
        assert first["behind"] == 0 and all(line["behind"] > 0 for line in others)
        weights = [entries[tuple(line["orders"])].weight for line in found["lines"]]
        assert [line["probability"] for line in found["lines"]] == [round(weight, 4) for weight in weights]


@pytest.mark.parametrize(
    ("options", "setting", "opened"),
    [((), "", False), (("--no-book",), "1", False), (("--book",), "", True), ((), "1", True)],
)
def test_the_bot_plays_from_the_book_where_it_is_told_to(
    run: Run, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], setting: str, opened: bool
) -> None:
    monkeypatch.setenv("BORDEAUX_BOT_BOOK", setting)
    books: list[bool] = []

    class Ending:
        def __str__(self) -> str:
            return "over"

    def play(self: Bot) -> Ending:
        books.append(self.engine.search(START, "FRANCE", nodes=300).book)
        return Ending()

    monkeypatch.setattr(TalkingBot, "run", play)
    result = run("bot", "127.0.0.1:1", *options)
    assert (result.exit_code, result.stdout) == (0, "over\n"), result.stderr
    assert books == [opened]
