"""What all commands of the training share: options of several values, plans as options, exit codes."""

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

from bordeaux import BordeauxError
from bordeaux.search.config import named, ranged
from tests.training.conftest import GAMES
from training import command


@dataclass(frozen=True)
class Plan:
    steps: int = ranged(3, 1, 9, "", "steps")
    large_rate: float = ranged(0.5, 0.0, 1.0, "", "rate of them")
    name: str = named("plain", "name of the plan")
    other: int = 7


def program(seen: list[Any], **how: Any) -> click.Command:
    options: Callable[[Callable[..., None]], Callable[..., None]] = command.plan_options(Plan(), **how)

    @click.command(cls=command.Command)
    @click.argument("folder")
    @click.option("--files", cls=command.Several)
    @options
    def main(**given: Any) -> None:
        seen.append(given)

    return main


def test_an_option_takes_several_values() -> None:
    seen: list[Any] = []
    main = program(seen)
    assert main(["here", "--files", "a", "b", "--steps", "4", "--files=c"]) == 0
    wanted = {"folder": "here", "files": ("a", "b", "c"), "steps": 4, "large_rate": 0.5, "name": "plain"}
    assert seen.pop() == wanted
    assert main(["here", "--steps", "-1", "--files"]) == 2
    assert seen == []


def test_settings_of_a_plan_are_options_with_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[Any] = []
    main = program(seen, prefix="plan", unset=True, without={"name"})
    assert main(["here", "--plan.large_rate", "0.25"]) == 0
    assert seen == [{"folder": "here", "files": (), "plan__steps": None, "plan__large_rate": 0.25}]
    for value in ("0", "10", "x"):
        assert main(["here", "--plan.steps", value]) == 2
        said = capsys.readouterr().err
        assert f"'{value}' is not a whole number from 1 to 9" in said and said.count("\n") == 1
    assert main(["--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "--plan.large_rate N Rate of them, 0 to 1. [default: 0.5]" in shown
    assert "--plan.steps N Steps, 1 to 9. [default: 3]" in shown


def test_flags_may_have_dashes() -> None:
    seen: list[Any] = []
    assert program(seen, dashed=True)(["here", "--large-rate", "1"]) == 0
    assert seen[0]["large_rate"] == 1.0


def test_a_plan_out_of_range_is_refused_by_name() -> None:
    command.check_plan(Plan())
    with pytest.raises(BordeauxError, match=r"--large_rate must be from 0 to 1, not 1\.5"):
        command.check_plan(Plan(large_rate=1.5))


COMMANDS = "foretell positions prior prospect league.__main__ league.export league.games league.policy"
COMMANDS += " league.reliability league.value"


@pytest.mark.parametrize("name", COMMANDS.split())
def test_every_option_of_a_number_says_its_range_and_its_default(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main: click.Command = importlib.import_module(f"training.{name}").main
    with click.Context(main, **main.context_settings) as context:
        for option in main.params:
            if isinstance(option, click.Option) and option.metavar in {"N", "X", "S", "SHARE", "LAMBDA"}:
                _, text = option.get_help_record(context) or ("", "")
                assert " to " in text or "or more" in text or "above" in text or "one a core" in text, text
                assert "default" in text or not isinstance(option.default, int | float), text
    assert main(["--no-such-option"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("bordeaux: ") and said.count("\n") == 1


GIVEN = {
    "foretell": "--games {games}",
    "prior": "{games}",
    "prospect": "{games} --out {folder}/never.npz",
    "league.__main__": "{folder}/run --generations 1 --processes 1",
}
"""What commands are given beside what is wrong."""


@pytest.mark.parametrize(
    ("name", "wrong", "says"),
    [
        ("foretell", "--what oracle", "oracle"),
        ("foretell", "--phases -1", "is not a whole number from 0 to"),
        ("foretell", "--astray 2", "is not a number from 1e-09 to 1"),
        ("foretell", "--kinds MX", "'MX'"),
        ("foretell", "--what=", "--what names nobody"),
        ("foretell", "--what people --weights nowhere.npz", "nowhere.npz"),
        ("prior", "--games 0", "is not a whole number from 1 to"),
        ("prior", "--nodes -1", "is not a whole number from 0 to"),
        ("prior", "nowhere.jsonl", "nowhere.jsonl"),
        ("prospect", "--cache {folder}/rubbish", "rubbish"),
        ("league.__main__", "--games 0", "is not a whole number from 1 to"),
        ("league.__main__", "--matches 1", "is not a whole number from 2 to"),
        ("league.__main__", "--policy missing.npz", "missing.npz"),
        ("league.__main__", "--value missing.npz", "missing.npz"),
        ("league.__main__", "--also missing.npz", "missing.npz"),
        ("league.__main__", "--rival old=missing.npz", "missing.npz"),
        ("league.__main__", "--rival alone", "a name and a file are needed"),
        ("league.__main__", "--rival people=x.npz", "cannot be called 'people'"),
        ("league.__main__", "--play.people_share 0.9", "leave none for the newest policy"),
        ("league.__main__", "--play.draws 65", "is not a whole number from 1 to 64"),
        ("league.__main__", "--policy.rate 3", "is not a number from 1e-09 to 1"),
        ("league.__main__", "--value.trace 1.5", "is not a number from 0 to 1"),
    ],
)
def test_bad_input_is_one_line(
    name: str, wrong: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written: a folder of the league would hold the next try to these settings."""
    rubbish = tmp_path / "rubbish"
    rubbish.write_text("none")
    words = f"{GIVEN[name]} {wrong}".format(games=GAMES, folder=tmp_path).split()
    assert importlib.import_module(f"training.{name}").main(words) == 2
    said = capsys.readouterr().err
    assert said.startswith("bordeaux: ") and says in said and said.count("\n") == 1, said
    assert list(tmp_path.iterdir()) == [rubbish]


def test_training_of_people_without_pytorch_is_one_line(only_training: Path, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError('torch')\n")
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{only_training}"}
    command = [sys.executable, "-m", "training.people", "--help"]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "bordeaux: this training needs PyTorch: pip install '.[train]'\n"
