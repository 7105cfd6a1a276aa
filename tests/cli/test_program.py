"""The program as a whole: help, version, interrupts, pipes, terminals."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import bordeaux
from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux.cli import main
from bordeaux.cli.orders import check_standard_input, read_suggestion
from tests.cli.conftest import Run, Save, complaint

from ..review.games import saved
from .processes import PATIENCE, command, piped

COMMANDS = ("orders", "adjudicate", "replay", "legal", "evaluate", "play", "arena", "bench", "graph")


def examples(run: Run) -> list[str]:
    pages = [run("--help").stdout, *(run(command, "--help").stdout for command in COMMANDS)]
    lines = [line.strip() for page in pages for line in page.splitlines()]
    return [line.removeprefix("bordeaux ") for line in lines if line.startswith("bordeaux ")]


def test_examples_of_the_help_work(run: Run) -> None:
    """Those that need no file."""
    tried = [
        shlex.split(line)
        for line in examples(run)
        if " start" in line and ".json" not in line and ".toml" not in line
    ]
    assert len(tried) >= 5
    for args in tried:
        assert run(*args).exit_code == 0


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"bordeaux {bordeaux.__version__}\n"


@pytest.mark.parametrize(
    ("args", "not_used"),
    [
        ("--version", "numpy bordeaux.board.map bordeaux.cli.orders"),
        ("--help", "numpy bordeaux.board.map bordeaux.cli.orders"),
        (
            "orders FILE --power TURKEY --nodes 100 --json",
            "ssl bordeaux.board.package_maps bordeaux.cli.completion bordeaux.formats.games"
            " bordeaux.formats.order_sheet bordeaux.formats.text bordeaux.search.paper bordeaux.metamap"
            " bordeaux.openings",
        ),
    ],
)
def test_what_is_not_used_is_not_loaded(args: str, not_used: str, tmp_path: Path) -> None:
    path = tmp_path / "position.json"
    path.write_text(json.dumps(bordeaux.Position.start().to_json()))
    program = (
        "import sys, bordeaux.cli as c; c.main(sys.argv[1:], standalone_mode=False); print(*sys.modules)"
    )
    command = [sys.executable, "-c", program, *args.replace("FILE", str(path)).split()]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert "bordeaux.cli.program" in loaded
    assert not {*not_used.split()} & {*loaded}


def test_a_fault_of_the_program_itself_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("bordeaux.cli.legal.legal_orders", broken)
    result = run("legal", "start")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "internal error" in result.stderr
    assert "RuntimeError: two lines" in result.stderr
    monkeypatch.setenv("BORDEAUX_TRACEBACK", "1")
    assert "Traceback" in run("legal", "start").stderr


INTERRUPTED_IMPORT = """
import sys
import bordeaux.__main__

slow = sys.argv.pop(1)
assert slow not in sys.modules

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == slow:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
bordeaux.__main__.run()
"""


@pytest.mark.parametrize("module", ["click", "numpy", "bordeaux.cli.legal"])
def test_an_interrupt_while_the_program_loads_is_quiet(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", INTERRUPTED_IMPORT, module, "legal", "start"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr in ("", "bordeaux: interrupted\n")


def test_all_that_the_package_shows_is_there() -> None:
    for name in bordeaux.__all__:
        assert getattr(bordeaux, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Endgine'"):
        getattr(bordeaux, "Endgine")  # noqa: B009  # mypy knows that there is none


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    "args", [["legal", "start"], ["orders", "start", "--power", "all", "--time", "0.1", "--watch"]]
)
def test_a_reader_that_goes_away_is_no_error(args: list[str]) -> None:
    with piped(*args) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.wait(PATIENCE) == 141
        assert process.stderr.read() == ""


@pytest.mark.parametrize(
    ("closed", "says"),
    [(">&-", "standard output is closed"), ("<&-", "standard input: there is nothing in it")],
)
def test_a_closed_stream_is_told_in_a_line(closed: str, says: str) -> None:
    words = ["sh", "-c", f'exec "$@" {closed}', "sh", *command("legal", "-")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
@pytest.mark.parametrize("colour", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_progress_is_shown_on_a_terminal_only_and_results_apart(colour: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm-256color", **({} if colour else {"NO_COLOR": "1"})}
    done = subprocess.run(
        command("orders", "start", "--power", "ITALY", "--time", "0.6", "--json"),
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 20)
    os.close(ours)
    assert b"searching" in shown
    assert (b"\x1b[3" in shown) is colour
    assert list(json.loads(done.stdout)["powers"]) == ["ITALY"]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of settings that the program reads."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("BORDEAUX_CONFIG", str(path))
    return path


def powers(run: Run, *args: str) -> list[str]:
    return list(run.told("orders", "start", *args)["powers"])


def test_the_command_line_goes_before_the_environment_and_that_before_the_file(
    run: Run, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.write_text('[orders]\npower = ["TURKEY", "ITALY"]\nnodes = 300\n')
    assert sorted(powers(run)) == ["ITALY", "TURKEY"]
    monkeypatch.setenv("BORDEAUX_ORDERS_POWER", "FRANCE GERMANY")
    assert powers(run) == ["FRANCE", "GERMANY"]
    assert powers(run, "--power", "RUSSIA") == ["RUSSIA"]


def test_flags_and_commands_of_commands_have_settings(run: Run, settings: Path) -> None:
    settings.write_text('[legal]\njson = true\npower = "ITALY"\n[book.show]\njson = true\npower = ["ITA"]\n')
    assert set(json.loads(run("legal", "start").stdout)) == {"NAP", "ROM", "VEN"}
    assert list(json.loads(run("book", "show", "start").stdout)["powers"]) == ["ITALY"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[orders]\nnods = 3\n", "[orders] has no 'nods'; did you mean 'nodes'?"),
        ("[orders]\nno-book = true\n", "[orders] has no 'no-book'; did you mean 'book'?"),
        ("[ordres]\nnodes = 3\n", "has no 'ordres'; did you mean 'orders'?"),
        ("[book.shwo]\n", "[book] has no 'shwo'; did you mean 'show'?"),
        ("[orders]\nnodes = 'many'\n", "[orders]: Invalid value for '--nodes': 'many' is not a whole number"),
        ("[orders]\nwatch = 3.5\n", "[orders]: Invalid value for '--watch'"),
        ("orders = 3\n", "write a table [orders]"),
        ("color = 'pink'\n", "'--color': 'pink' is not one of"),
        ("version = true\n", "has no 'version'"),
        ("color = \n", "is no TOML"),
        ("\udcff", "is no TOML"),
    ],
)
def test_what_cannot_be_taken_is_one_line_with_the_file(
    run: Run, settings: Path, text: str, says: str
) -> None:
    settings.write_bytes(text.encode(errors="surrogateescape"))
    said = complaint(run("book", "show", "start") if "[book" in text else run("orders", "start"))
    assert said.startswith(str(settings)) and says in said


def test_a_fault_in_what_one_command_is_told_stops_no_other(
    run: Run, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BORDEAUX_VERSION", "1.2.3")  # as images of containers have it
    settings.write_text("[orders]\nnods = 3\n")
    assert run("legal", "start").exit_code == 0


def test_a_named_file_must_be_there_and_the_usual_one_need_not(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BORDEAUX_CONFIG", str(tmp_path / "none.toml"))
    assert run("legal", "start").exit_code == 2
    monkeypatch.delenv("BORDEAUX_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run("legal", "start").exit_code == 0
    (tmp_path / "bordeaux").mkdir()
    (tmp_path / "bordeaux" / "config.toml").write_text("[legal]\njson = true\n")
    assert json.loads(run("legal", "start").stdout)


def test_a_bad_value_of_the_environment_names_its_variable(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BORDEAUX_BOOK_SHOW_JSON", "perhaps")
    said = complaint(run("book", "show", "start"))
    assert "BORDEAUX_BOOK_SHOW_JSON: Invalid value for '--json': 'perhaps'" in said


def test_letters_that_the_output_cannot_have_are_told_by_their_codes() -> None:
    done = CliRunner(charset="ascii").invoke(main, ["orders", "start", "--power", "ITALY", "--nodes", "30"])
    assert done.exit_code == 0 and "\\xb1" in done.stdout, done.stderr


def completed(*words: str) -> list[str]:
    """What the program says to bash for a line, of which the last word is begun."""
    environment = {
        "_BORDEAUX_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("bordeaux", *words)),
        "COMP_CWORD": str(len(words)),
    }
    done = CliRunner().invoke(main, [], prog_name="bordeaux", env=environment)
    assert done.exit_code == 0, done.output
    return done.stdout.split()


def test_commands_options_powers_players_and_files_are_completed() -> None:
    assert completed("adj") == ["plain,adjudicate"]
    assert completed("book", "sh") == ["plain,show"]
    assert "plain,--nodes" in completed("orders", "start", "--no")
    assert completed("orders", "start", "--power", "tu") == ["plain,TURKEY"]
    assert completed("orders", "st") == ["plain,start", "file,st"]
    assert completed("play", "--players", "dumbbot,peo") == ["plain,dumbbot,people"]
    assert completed("bot", "127.0.0.1", "--player", "peo") == ["plain,people"]
    assert completed("adjudicate", "start", "--orders", "x") == ["file,x"]
    assert completed("server", "--port", "") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_every_shell_says_where_it_goes(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.exit_code == 0
    assert done.stdout.startswith("# In ~/.") and f"{shell}_complete" in done.stdout
    answer = run.told("completion", shell)
    assert answer["shell"] == shell and answer["script"] in done.stdout
    assert run("completion", "tcsh").exit_code == 2


OWN = 'name = "own"\nbase = "gulfs"\n[powers.SUDAR]\n[powers.ESTRIA]\n'


def test_a_map_file_of_ones_own(run: Run, save: Save) -> None:
    path = save("own.toml", OWN)
    result = run("adjudicate", "start", "--map", path, "--orders", save("orders.json", {}), "--json")
    state: dict[str, Any] = json.loads(result.stdout)["state"]
    assert (state["map"], list(state["units"])) == ("own", ["SUDAR", "ESTRIA"])
    for name, content in (("state.json", state), ("state.txt", str(Position.start(Map.load(path))))):
        position = save(name, content)
        assert run("legal", position, "--map", path).exit_code == 0
        assert "unknown map 'own'" in complaint(run("legal", position))


START = Position.start()


@pytest.mark.parametrize(
    ("sources", "option"),
    [
        (((), "-", "-", None), "--given"),
        ((("-",), "start", "-", None), "--given"),
        (((), "-", None, "-"), "--agreements"),
        (((), "start", "-", "-"), "--agreements"),
    ],
)
def test_standard_input_is_read_once(sources: Any, option: str) -> None:
    with pytest.raises(click.UsageError, match=f"give a file to {option}"):
        check_standard_input(*sources)


AGREED = [
    {"kind": "peace", "parties": ["fra", "GERMANY"], "trust": 0.8, "until": "F1903M"},
    {"kind": "promise", "parties": ["GERMANY"], "orders": ["A TYR - VIE"]},
]


@pytest.mark.parametrize("watched", [(), ("--watch",)])
def test_what_is_told_reaches_the_search(
    run: Run, save: Save, monkeypatch: pytest.MonkeyPatch, watched: tuple[str, ...]
) -> None:
    """Orders of the phase before, suggested and known ones, agreements, and the phases to learn from."""
    requests: list[Any] = []
    seen: list[Any] = []
    analyse, observe = Engine.analyse, Engine.observe

    def analysing(self: Engine, request: Any, stop: Any = None) -> Any:
        requests.append(request)
        return analyse(self, request, stop)

    def observing(self: Engine, *turn: Any) -> None:
        seen.append(turn)
        observe(self, *turn)

    monkeypatch.setattr(Engine, "analyse", analysing)
    monkeypatch.setattr(Engine, "observe", observing)
    given, played = {"ITALY": ["A VEN H"]}, {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - TYR"]}
    told = ("--suggest", "A BUR - BEL; F BRE - MAO", "--given", save("given.json", given))
    words = ("--power", "FRANCE", "--nodes", "10", *told, "--agreements", save("agreed.json", AGREED))
    assert run("orders", save("game.json", saved(START, played)), *words, *watched).exit_code == 0
    [asked], [(before, orders)] = requests, seen
    for known, wanted in ((asked.previous, played), (orders, played), (asked.given, given)):
        assert {power: [*map(str, texts)] for power, texts in known.items() if texts} == wanted
    assert [sorted(map(str, orders)) for orders in asked.seeds] == [["A BUR - BEL", "F BRE - MAO"]]
    assert [agreement.kind for agreement in asked.agreements] == ["peace", "promise"]
    assert before == START and asked.position == START.next(played)


def answer(run: Run, power: str, *more: str, position: str) -> Any:
    return run.told("orders", position, "--power", power, "--nodes", "4000", *more)["powers"][power]


def test_a_saved_game_shows_what_the_powers_are_like(run: Run, save: Save) -> None:
    """Germany held all the time, so that it is expected to hold; in a game without a past it is not, and
    of Russia, whose orders are not recorded, nothing is learnt."""
    game = saved(START, *[{}] * 9)
    for phase in game["phases"]:
        phase["orders"].pop("RUSSIA", None)
    france = answer(run, "FRANCE", position=save("game.json", game))
    untold = answer(run, "FRANCE", position=save("state.json", game["phases"][-1]["state"]))

    def holding(of_power: dict[str, Any], power: str = "GERMANY") -> float:
        return sum(
            line["probability"]
            for line in of_power["expected"][power]
            if all(order.endswith(" H") for order in line["orders"])
        )

    # Who always holds is not believed to take the best of its draws.
    assert holding(france) > 0.8
    assert holding(untold) < 0.5
    assert holding(france, "RUSSIA") < 0.5


def test_known_orders_decide(run: Run, save: Save) -> None:
    """Nobody contests Rumania where it is known that Austria and Turkey hold; where Austria is known to
    go there with support, nobody else gets in."""
    units = {"AUSTRIA": ["A BUD", "A SER"], "RUSSIA": ["A UKR", "F SEV"], "TURKEY": ["A BUL"]}
    state = {
        "name": "F1901M",
        "units": units,
        "centers": {"AUSTRIA": ["BUD", "VIE"], "RUSSIA": ["SEV", "MOS"], "TURKEY": ["CON"]},
    }
    position = save("position.json", state)
    held = save("held.json", {"AUSTRIA": ["A BUD H", "A SER H"], "TURKEY": ["A BUL H"]})
    into = save(
        "into.json", {"AUSTRIA": ["A BUD - RUM", "A SER S A BUD - RUM"], "TURKEY": ["A BUL S A BUD - RUM"]}
    )
    by_hand = "--evaluation", "hand", "--search", "paper"
    free = answer(run, "RUSSIA", "--given", held, *by_hand, position=position)
    lost = answer(run, "RUSSIA", "--given", into, *by_hand, position=position)
    assert any(order.endswith("- RUM") for order in free["orders"])
    assert free["value"] > lost["value"]


# Orders that somebody suggests, and those of the phase before, as seeds of `orders`.

ORDERS = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - RUH"]}


def read(*given: str) -> list[list[str]]:
    return [[str(order) for order in read_suggestion(source, START)] for source in given]


@pytest.mark.parametrize(
    "content", [ORDERS, {"phase": "S1901M", "powers": {p: {"orders": o} for p, o in ORDERS.items()}}]
)
def test_a_file_holds_orders_or_an_earlier_answer(save: Save, content: Any) -> None:
    assert read(save("suggested orders.json", content)) == [[*ORDERS["FRANCE"], *ORDERS["GERMANY"]]]


def test_a_file_or_a_text_may_be_plain_orders_by_power(run: Run, save: Save) -> None:
    """Wherever JSON is read, lines like ``FRANCE: A PAR - BUR`` are as well."""
    sheet = "FRANCE: A PAR - BUR\n        A MAR S A PAR - BUR\nThe army at Munich move to Ruhr."
    asked = [*ORDERS["FRANCE"], "A MUN - RUH"]
    with pytest.raises(BordeauxError, match="A MUN - RUH is illegal in S1901M: A MUN belongs to GERMANY"):
        read(sheet)
    sheet = sheet.replace("The army", "Germany:\nThe army")
    assert read(sheet, save("suggested orders.txt", sheet)) == [asked, asked]
    args = ("orders", "start", "--power", "ITALY", "--nodes", "50")
    by_text = run.told(*args, "--given", "-", input=sheet)
    by_json = run.told(*args, "--given", save("given.json", ORDERS))
    assert by_text["powers"]["ITALY"]["orders"] == by_json["powers"]["ITALY"]["orders"]
    assert "--given: " in run(*args, "--given", "-", input="FRANCE: A PAR - MOS").stderr


@pytest.mark.parametrize("given", ["a\0b", "x" * 5000, "A PAR " * 2000], ids=["zero", "name", "orders"])
def test_suggestions_that_are_none(run: Run, given: str) -> None:
    line = complaint(run("orders", "start", "--power", "FRANCE", "--nodes", "10", "--suggest", given))
    assert line.startswith("--suggest: ")
