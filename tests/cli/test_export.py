"""``bordeaux export``: games for other programs, read again by the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from bordeaux.rules.replay import FORMS

from .conftest import Run

GAME = str(Path(__file__).resolve().parents[1] / "data" / "human.jsonl.gz")


@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=pytest.mark.slow if form == "judge" else ()) for form in sorted(FORMS)]
)
def test_a_game_goes_out_and_is_read_again(run: Run, tmp_path: Path, form: str) -> None:
    out = str(tmp_path / "game.out")
    written = run("export", GAME, "--game", "5", "--format", form, "--out", out)
    assert written.exit_code == 0 and "phases of game people_4" in written.stdout
    again, record = (run.told("replay", path, "--processes", "1") for path in (out, _one(run, tmp_path)))
    # Texts for people also name the phase after the last orders.
    assert (
        again["phases"] - record["phases"] == (form in ("judge", "text"))
        and not again["notes"]
        and not again["unexplained"]
    )
    assert run("export", GAME, "--game", "5", "--format", form, "--out", "-").stdout == Path(out).read_text()


def _one(run: Run, folder: Path) -> str:
    path = str(folder / "one.json")
    assert run("export", GAME, "--game", "people_4", "--format", "json", "--out", path).exit_code == 0
    return path


def test_jdip_finds_its_lines(run: Run) -> None:
    lines = run("export", GAME, "--game", "1", "--format", "judge", "--out", "-").stdout.splitlines()
    assert lines[0] == ":: Judge: BRDX  Game: people0  Variant: Standard"
    at = next(number for number, line in enumerate(lines) if line.startswith("Date: "))
    assert lines[at + 1] == "Subject: BRDX:people0 - S1901M Results"
    assert any(line.startswith("The following units were dislodged:") for line in lines)
    assert any(
        line.startswith("The next phase of 'people0' will be Adjustment for Winter of 1901") for line in lines
    )


def test_one_game_of_several_is_named(run: Run) -> None:
    refused = run("export", GAME, "--format", "judge", "--out", "-")
    assert refused.exit_code == 2 and "more than one game" in refused.stderr
    assert "--game people_0" in refused.stderr and refused.stderr.count("\n") == 1
