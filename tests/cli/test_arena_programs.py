"""Programs as players in a real tournament: good ones, and ones that crash, stall and send rubbish."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

FRAME = """
import json, sys, time

def tell(**answer):
    print(json.dumps(answer), flush=True)

for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "setup":
        tell(type="ready")
    elif asked["type"] == "orders":
        units = asked["position"]["units"][asked["power"]]
        holds = [unit + " H" for unit in units] if asked["phase"].endswith("M") else []
        late = int(asked["phase"][1:5]) >= 1902
        def give(orders):
            tell(type="orders", id=asked["id"], orders=orders)
        {body}
"""
BODIES = {
    "good": "give(holds)",
    "illegal": 'give([*holds, "A MOS - PAR"])',
    "rubbish": 'give(["\\u0000 sell everything"] if late else holds)',
    "crash": 'give(holds) if not late else sys.exit("out of ideas")',
    "stall": "give(holds) if not late else time.sleep(60)",
    "flood": 'sys.stdout.write("x" * 10_000_000) if late else give(holds)',
}


@pytest.fixture
def program(tmp_path: Path) -> Any:
    def make(name: str) -> str:
        path = tmp_path / f"{name}.py"
        path.write_text(FRAME.replace("{body}", BODIES[name]), encoding="utf-8")
        return f"program:{sys.executable} -S {path}"

    return make


def faults_of(answer: dict[str, Any], spec: str) -> set[str]:
    return {fault["kind"] for fault in answer["faults"] if fault["player"] == spec}


@pytest.mark.slow
def test_bad_programs_stop_neither_the_game_nor_the_tournament(run: Run, program: Any) -> None:
    specs = {name: program(name) for name in BODIES}
    lists = [part for spec in specs.values() for part in ("--players", spec)]
    limits = ("--games", "2", "--until", "1902", "--time", "0.1", "--processes", "2")
    result = run("arena", *lists, "--players", "hold", *limits, "--json")
    assert result.exit_code == 0, result.stderr
    answer = json.loads(result.stdout)
    assert answer["games"] == 2
    assert set(answer["players"]) == {*specs.values(), "hold"}
    assert faults_of(answer, specs["good"]) == set()
    assert faults_of(answer, "hold") == set()
    assert faults_of(answer, specs["illegal"]) == {"illegal"}
    for name in ("rubbish", "crash", "flood"):
        kinds = faults_of(answer, specs[name])
        assert kinds
        assert kinds <= {"crash", "stall", "illegal"}
    assert faults_of(answer, specs["stall"]) == {"stall"}
    assert {fault["phase"][1:5] for fault in answer["faults"] if fault["player"] == specs["crash"]} == {
        "1902"
    }
    assert any("out of ideas" in fault["text"] for fault in answer["faults"])
    lines = result.stderr.splitlines()
    assert all(line.startswith("bordeaux: ") for line in lines)
    assert any("more faults" in line for line in lines)


def test_a_program_that_is_late_has_stalled_however_long_the_time(run: Run, program: Any) -> None:
    # Beyond a second its own clock runs out before that of the arena.
    seats = ("--players", program("stall"), "--players", "hold*6")
    result = run("play", *seats, "--until", "1902", "--time", "1.5", "--json")
    assert result.exit_code == 1, result.stderr
    lines = result.stderr.splitlines()
    assert lines and all(line.startswith("bordeaux: stall: AUSTRIA") for line in lines)


def test_a_good_program_plays_as_the_player_that_it_copies(run: Run, program: Any) -> None:
    args = ("--until", "1902", "--nodes", "10", "--json")
    ours = json.loads(run("play", "--players", program("good"), "--players", "hold*6", *args).stdout)
    holds = json.loads(run("play", "--players", "hold*7", *args).stdout)
    assert ours["phases"] == holds["phases"]
