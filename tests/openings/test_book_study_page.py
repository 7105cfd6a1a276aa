"""The worked study of docs/studies/openings.md is run, in one piece as it stands there."""

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "studies" / "openings.md").read_text("utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_study_runs_and_ranks(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(BLOCKS) == 4
    # fewer draws than in the page, for the sake of time
    code = re.sub(r"samples=\d+", "samples=12", "\n".join(BLOCKS))
    names: dict = {}
    exec(compile(code, "docs/studies/openings.md", "exec"), names)
    assert "behind   0.0 (0.0 to 0.0)" in capsys.readouterr().out
    answers = names["answers"]
    assert len(answers) == len(names["sets"]) == 8
    assert [answer.expected.mean for answer in answers] == sorted(
        (answer.expected.mean for answer in answers), reverse=True
    )
    assert 2 <= answers[0].expected.mean <= 6


def test_the_table_that_is_described_is_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict = {}
    exec(compile("\n".join(BLOCKS[:2]), "docs/studies/openings.md", "exec"), names)
    capsys.readouterr()
    assert sum(share for _, share in names["this"]["ITALY"]) == pytest.approx(1)
    assert names["this"]["FRANCE"] == names["usual"]["FRANCE"]


def test_every_command_of_the_page_is_one() -> None:
    commands = re.findall(r"^\$ .*\bbordeaux book (\w+)", PAGE, re.MULTILINE)
    assert set(commands) == {"explore", "novelties", "export"}
