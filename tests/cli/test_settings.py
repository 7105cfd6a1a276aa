"""Defaults of a user: a file, the environment, and the command line before both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux.cli.settings import settings_file
from tests.cli.conftest import Run


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of settings that the program reads."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("BORDEAUX_CONFIG", str(path))
    return path


def powers(run: Run, *args: str) -> list[str]:
    done = run("orders", "start", "--json", *args)
    assert done.exit_code == 0, done.stderr
    return list(json.loads(done.stdout)["powers"])


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


def test_the_program_s_own_options_have_settings(run: Run, settings: Path) -> None:
    settings.write_text('color = "always"\n')
    assert "\x1b[" in run("legal", "start", "--power", "ITALY").stdout
    assert "\x1b[" not in run("--color", "never", "legal", "start", "--power", "ITALY").stdout


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[orders]\nnods = 3\n", "[orders] has no 'nods'; did you mean 'nodes'?"),
        ("[ordres]\nnodes = 3\n", "has no 'ordres'; did you mean 'orders'?"),
        ("[book.shwo]\n", "[book] has no 'shwo'; did you mean 'show'?"),
        ("[orders]\nnodes = 'many'\n", "[orders]: nodes: 'many' is not a whole number"),
        ("[orders]\nnodes = [1]\n", "[orders]: nodes: a single value is wanted"),
        ("[orders]\nwatch = 3.5\n", "[orders]: watch:"),
        ("orders = 3\n", "write a table [orders]"),
        ("color = 'pink'\n", "color: 'pink' is not one of"),
        ("color = \n", "is no TOML"),
        ("\udcff", "is no TOML"),
    ],
)
def test_what_cannot_be_taken_is_one_line_with_the_file(
    run: Run, settings: Path, text: str, says: str
) -> None:
    settings.write_bytes(text.encode(errors="surrogateescape"))
    done = run("book", "show", "start") if "[book" in text else run("orders", "start")
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"bordeaux: {settings}") and says in done.stderr


def test_a_fault_in_what_one_command_is_told_stops_no_other(run: Run, settings: Path) -> None:
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


@pytest.mark.parametrize("unset", ["", "relative/place"])
def test_the_usual_file_is_below_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unset: str
) -> None:
    monkeypatch.delenv("BORDEAUX_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", unset)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings_file() is None
    file = tmp_path / ".config" / "bordeaux" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[legal]\njson = true\n")
    assert settings_file() == file


def test_a_bad_value_of_the_environment_names_its_variable(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BORDEAUX_BOOK_SHOW_JSON", "perhaps")
    done = run("book", "show", "start")
    assert done.exit_code == 2 and "BORDEAUX_BOOK_SHOW_JSON: json: 'perhaps'" in done.stderr
