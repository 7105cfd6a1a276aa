"""``bordeaux export``: games for other programs, read again by the commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux import Position, load_games
from bordeaux.rules.replay import FORMS

from ..review.games import saved
from .conftest import Run, Save, complaint

GAME = str(Path(__file__).resolve().parents[1] / "data" / "human.jsonl.gz")


@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=pytest.mark.slow if form == "judge" else ()) for form in sorted(FORMS)]
)
def test_a_game_goes_out_and_is_read_again(run: Run, tmp_path: Path, form: str) -> None:
    out = str(tmp_path / "game.out")
    written = run("export", GAME, "--game", "5", "--format", form, "--out", out)
    assert written.exit_code == 0 and "phases of game people_4" in written.stdout
    one = str(tmp_path / "one.json")
    assert run("export", GAME, "--game", "people_4", "--format", "json", "--out", one).exit_code == 0
    again, record = (run.told("replay", path, "--processes", "1") for path in (out, one))
    # Texts for people also name the phase after the last orders.
    assert (
        again["phases"] - record["phases"] == (form in ("judge", "text"))
        and not again["notes"]
        and not again["unexplained"]
    )
    assert run("export", GAME, "--game", "5", "--format", form, "--out", "-").stdout == Path(out).read_text()


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
    refused = complaint(run("export", GAME, "--format", "judge", "--out", "-"))
    assert "more than one game" in refused and "--game people_0" in refused


@pytest.mark.parametrize("form", ["judge", "text"])
def test_a_game_of_another_start_comes_back_on_its_map(
    run: Run, save: Save, tmp_path: Path, form: str
) -> None:
    out, start = tmp_path / "game.txt", Position.start(name="standard_france_austria")
    source = save("saved.json", saved(start, {"FRANCE": ["A PAR - BUR"]}, {}))
    assert run("export", source, "--format", form, "--out", str(out)).exit_code == 0
    _same(source, str(out))
    # Of a list without the name of a map --map tells it.
    bare = out.read_text().replace("map standard_france_austria\n", "").replace("Variant: ", "")
    (tmp_path / "bare.txt").write_text(bare)
    again = run.told("replay", str(tmp_path / "bare.txt"), "--map", "fva", "--processes", "1")
    assert (again["phases"], again["notes"]) == (3, [])
    out.write_text(out.read_text().replace("ustria\n", "ustria_x\n", 1))
    assert "unknown map" in complaint(run("export", str(out), "--format", "json", "--out", "-"))


@pytest.mark.parametrize("form", ["judge", "text"])
def test_phases_without_orders_come_back(run: Run, save: Save, tmp_path: Path, form: str) -> None:
    taken = {"AUSTRIA": ["A TYR - VEN", "F TRI S A TYR - VEN"]}
    orders: list[dict[str, list[str]]] = [{"AUSTRIA": ["A VIE - TYR"]}, taken, {}, {}, {}]
    for given in (orders, [{}, *orders]):
        source, out = save("saved.json", saved(Position.start(), *given)), str(tmp_path / "game.txt")
        assert run("export", source, "--format", form, "--out", out).exit_code == 0
        _same(source, out)


@pytest.mark.parametrize("form", ["judge", "text"])
def test_a_form_refuses_a_game_that_it_cannot_hold(run: Run, save: Save, form: str) -> None:
    game = json.dumps(saved(Position.start(), {})).replace("A PAR", "A GAS")
    refused = complaint(run("export", save("saved.json", game), "--format", form, "--out", "-"))
    assert f"does not begin as map standard does, which no {form} tells" in refused


def _same(source: str, out: str) -> None:
    """Both games have the same positions."""
    (game,), (again,) = load_games(source), load_games(out)
    assert not again.notes
    positions = [[one.position(index) for index in range(len(one.phases))] for one in (game, again)]
    assert positions[0] == positions[1]
