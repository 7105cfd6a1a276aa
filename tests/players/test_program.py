"""A program as a player: real child processes, good ones and bad ones."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.formats.daide import map_from_mdf, map_to_mdf
from bordeaux.players import program
from bordeaux.players.base import Limit, Seat, Turn
from bordeaux.players.child import Late
from bordeaux.players.program import Program
from bordeaux.players.registry import create
from tests.jobs.seen import alive, gone
from tests.patience import PATIENCE

START = Position.start()
HOLDS = "say({'type': 'orders', 'id': heard['id'], 'orders': ['A PAR H']})"
FRANCE = Seat("FRANCE", Map.standard(), 7)
HEAD = """
import json, os, sys, time
def say(answer):
    print(json.dumps(answer), flush=True)
def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit(0)
"""
#: Holds with everything, and notes down whatever it hears.
HOLDER = """
while True:
    heard = hear()
    with open(sys.argv[1], "a") as log:
        print(json.dumps(heard), file=log)
    if heard["type"] == "setup":
        say({"type": "ready"})
    elif heard["type"] == "orders":
        say({"type": "info", "text": "thinking"})
        units = heard["position"]["units"][heard["power"]]
        say({"type": "orders", "id": heard["id"], "orders": [unit + " H" for unit in units]})
    elif heard["type"] == "close":
        break
"""
#: Gets ready, and answers each request for orders with `ANSWER`, an expression.
ANSWERER = """
hear()
say({{"type": "ready"}})
while True:
    heard = hear()
    if heard["type"] == "orders":
        {statement}
"""

#: Notes down its number, gets ready, and sleeps.
SLEEPER = """
hear()
print(os.getpid(), file=open(sys.argv[1], "w"), flush=True)
say({"type": "ready"})
time.sleep(99)
"""
Write = Callable[[str], str]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is late because the machine is busy; tests of those that are late have less patience."""
    monkeypatch.setattr(program, "STARTUP", PATIENCE)
    monkeypatch.setattr(program, "GRACE", PATIENCE)
    monkeypatch.setattr("bordeaux.players.child.FAREWELL", PATIENCE)


@pytest.fixture
def script(tmp_path: Path) -> Write:
    """Writes a program and gives its command line."""

    def write(text: str) -> str:
        path = tmp_path / "my bot.py"
        path.write_text(HEAD + textwrap.dedent(text), encoding="utf-8")
        return f"{sys.executable} -I -S '{path}' '{tmp_path / 'log'}'"

    return write


@pytest.fixture
def answering(script: Write) -> Iterator[Callable[[str], Program]]:
    """A program that carries out a statement for each request; it is closed in any case."""
    with contextlib.ExitStack() as stack:

        def made(statement: str) -> Program:
            text = script(ANSWERER.format(statement=statement))
            return stack.enter_context(contextlib.closing(Program(FRANCE, command=text)))

        yield made


def answered(player: Program) -> list[str]:
    return [str(order) for order in player.orders(START, Limit(time=5.0))]


def test_a_program_hears_all_and_plays(script: Write, tmp_path: Path) -> None:
    start = START
    player = create(f"program:{script(HOLDER)}", FRANCE)
    orders = player.orders(start, Limit(time=5.0))
    assert [str(order) for order in orders] == ["F BRE H", "A MAR H", "A PAR H"]
    after = start.next({"FRANCE": orders})
    player.observe(Turn(start, {"FRANCE": orders, "ITALY": ["A VEN - TRI"]}, after))
    assert len(player.orders(after, Limit(nodes=9))) == 3
    player.close()
    setup, first, turn, second, close = map(json.loads, (tmp_path / "log").read_text("utf-8").splitlines())
    assert setup == {
        "type": "setup",
        "protocol": 1,
        "power": "FRANCE",
        "powers": list(Map.standard().powers),
        "map": "standard",
        "seed": 7,
    }
    assert Position.from_json(first["position"]) == start
    assert (first["phase"], first["power"], first["time"], first["nodes"]) == ("S1901M", "FRANCE", 5.0, None)
    assert Position.from_json(turn["before"]) == start and Position.from_json(turn["after"]) == after
    assert turn["orders"] == {"FRANCE": ["F BRE H", "A MAR H", "A PAR H"], "ITALY": ["A VEN - TRI"]}
    assert (second["phase"], second["time"], second["nodes"]) == ("F1901M", None, 9)
    assert (first["id"], second["id"]) == (1, 2)
    assert close == {"type": "close"}


def test_a_map_that_does_not_come_with_bordeaux_is_sent(script: Write, tmp_path: Path) -> None:
    gulfs = Map.load("gulfs")
    text = map_to_mdf(gulfs)
    own = map_from_mdf(text, "mine", gulfs)
    player = Program(Seat(own.powers[0], own), command=script(HOLDER))
    player.close()
    setup = json.loads((tmp_path / "log").read_text("utf-8").splitlines()[0])
    assert setup["mdf"] == text and setup["map"] == "mine"


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("print('A PAR - BUR', flush=True)", "'A PAR - BUR' is no JSON"),
        ("print('[' * 60_000, flush=True)", "is no JSON"),
        ("print('[1, 2]', flush=True)", "is no answer of this protocol"),
        ("say({'type': 'move'})", "is no answer of this protocol"),
        ("say({'type': 'orders', 'id': heard['id'], 'orders': [1]})", "are no list of texts"),
        ("say({'type': 'orders', 'id': heard['id'], 'orders': ['A PAR - PAX']})", "PAX"),
        ("(sys.stdout.buffer.write(b'\\xff\\xfe\\n'), sys.stdout.flush())", "is no JSON"),
    ],
)
def test_rubbish_is_an_error_and_the_next_phase_may_be_better(
    answering: Callable[[str], Program], statement: str, message: str
) -> None:
    player = answering(f"{statement} if heard['id'] == 1 else {HOLDS}")
    with pytest.raises(BordeauxError, match=message) as caught:
        answered(player)
    assert "my bot.py" in str(caught.value) and "\n" not in str(caught.value)
    assert answered(player) == ["A PAR H"]


@pytest.mark.parametrize(
    "statement",
    [
        # An answer to an earlier request, and much on standard error.
        "say({'type': 'orders', 'id': heard['id'] - 1, 'orders': ['A PAR - BUR']})",
        "sys.stderr.write('x' * 300000)",
    ],
)
def test_other_output_is_passed_over(answering: Callable[[str], Program], statement: str) -> None:
    assert answered(answering(f"{statement}; {HOLDS}")) == ["A PAR H"]


@pytest.mark.parametrize(
    ("statement", "fate"),
    [
        ("print('out of cheese', file=sys.stderr, flush=True); os._exit(3)", "3, saying 'out of cheese'"),
        ("sys.stdout.write('x' * 9000); sys.stdout.flush()", "without an end of line"),
    ],
)
def test_an_end_is_told_and_lasts(
    answering: Callable[[str], Program], monkeypatch: pytest.MonkeyPatch, statement: str, fate: str
) -> None:
    monkeypatch.setattr("bordeaux.players.child.LONGEST", 5000)
    player = answering(statement)
    for _ in range(2):
        with pytest.raises(BordeauxError, match=fate):
            answered(player)
    player.observe(Turn(START, {}, START.next({})))


def test_a_stall_is_told_and_the_program_and_its_own_child_are_ended(
    script: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "GRACE", 0.1)
    text = """
        import subprocess
        hear()
        helper = subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(99)"])
        with open(sys.argv[1], "w") as log:
            print(os.getpid(), helper.pid, file=log)
        say({"type": "ready"})
        time.sleep(99)
    """
    player = Program(FRANCE, command=script(text))
    for _ in range(2):
        with pytest.raises(Late, match="stalled"):
            player.orders(Position.start(), Limit(time=0.1))
    numbers = [int(word) for word in (tmp_path / "log").read_text("utf-8").split()]
    assert len(numbers) == 2 and all(map(gone, numbers))
    player.close()


def test_a_program_that_is_not_there_or_never_gets_ready(
    script: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BordeauxError, match=r"no program '\./nowhere'"):
        Program(FRANCE, command="./nowhere --fast")
    with pytest.raises(BordeauxError, match="empty command line"):
        Program(FRANCE, command="  ")
    with pytest.raises(BordeauxError, match="No closing quotation"):
        Program(FRANCE, command="bot 'x")
    with pytest.raises(BordeauxError, match="died with exit code 1"):
        Program(FRANCE, command=script("raise SystemExit(1)"))
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF of a kind")
    broken.chmod(0o755)
    with pytest.raises(BordeauxError, match="exit code 127, saying 'cannot start"):
        Program(FRANCE, command=str(broken))
    monkeypatch.setattr(program, "STARTUP", 0.3)
    with pytest.raises(BordeauxError, match="stalled"):
        Program(FRANCE, command=script("time.sleep(99)"))


def test_orders_after_closing_are_refused_and_closing_twice_is_fine(script: Write) -> None:
    player = Program(FRANCE, command=script(HOLDER))
    player.close()
    player.close()
    with pytest.raises(BordeauxError, match="closed"):
        player.orders(Position.start(), Limit())


def test_a_program_that_does_not_listen_holds_nobody_up_and_is_ended_on_closing(
    script: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bordeaux.players.child.FAREWELL", 0.1)
    player = Program(FRANCE, command=script(SLEEPER))
    number = int((tmp_path / "log").read_text("utf-8"))
    assert alive(number)
    for _ in range(100):
        player.observe(Turn(START, {}, START.next({})))
    player.close()
    assert gone(number)


@pytest.mark.parametrize("ending", ["os.kill(os.getpid(), 9)", "raise SystemExit"])
def test_a_program_does_not_outlive_us(script: Write, tmp_path: Path, ending: str) -> None:
    ours = f"""
import os
from bordeaux import Map
from bordeaux.players.program import Program
from bordeaux.players.base import Seat
player = Program(Seat("FRANCE", Map.standard()), command={script(SLEEPER)!r})
{ending}
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", ours], env=dict(os.environ), timeout=PATIENCE)
    assert gone(int((tmp_path / "log").read_text("utf-8")))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has processes that adopt others")
def test_a_child_in_a_session_of_its_own_ends_with_the_program(script: Write, tmp_path: Path) -> None:
    text = """
        import subprocess
        hear()
        one = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-I', '-c', sys.argv[1]], "
        one += "start_new_session=True, stdout=open(sys.argv[2], 'w'))"
        two = "import os, time; print(os.getpid(), flush=True); time.sleep(99)"
        subprocess.run([sys.executable, "-I", "-c", one, two, sys.argv[1]], start_new_session=True)
        while not open(sys.argv[1]).read().endswith("\\n"):
            time.sleep(0.01)
        say({"type": "ready"})
        hear()
    """
    player = Program(FRANCE, command=script(text))
    number = int((tmp_path / "log").read_text("utf-8"))
    assert alive(number)
    player.close()
    assert gone(number)


ROOT = Path(__file__).resolve().parents[2]


def test_the_example_plays_a_game_without_a_fault() -> None:
    spec = f"program:{sys.executable} {ROOT / 'examples' / 'line_program.py'}"
    result = play(Job(0, (spec, *["dumbbot"] * 5, spec), 2, Limit(5.0), 1908))
    assert result.faults == ()
    assert len(result.centres) == 9 and result.orders[0] > 6


def test_the_page_names_all_that_a_program_hears(script: Write, tmp_path: Path) -> None:
    player = Program(FRANCE, command=script(HOLDER))
    player.orders(START, Limit(time=1.0))
    player.observe(Turn(START, {"FRANCE": ["A PAR H"]}, START))
    player.close()
    heard = [json.loads(line) for line in (tmp_path / "log").read_text("utf-8").splitlines()]
    assert [line["type"] for line in heard] == ["setup", "orders", "turn", "close"]
    page = (ROOT / "docs" / "program.md").read_text("utf-8")
    section = page.partition("## What the program hears")[2].partition("## ")[0]
    rows = [line.split("|") for line in section.splitlines() if line.startswith("| `")]
    fields = {row[1].strip(" `"): row[3] for row in rows if len(row) == 5}
    for line in heard:
        assert {name for name in line if f"`{name}`" not in fields[line["type"]]} == {"type"}
    assert all(f"| `{field}` |" in section for field in START.to_json())
