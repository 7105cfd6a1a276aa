"""The two commands of the README build once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.skipif(
    not shutil.which("make") or not (ROOT / "Makefile").exists(), reason="there is no make"
)


def would_run(target: str, venv: Path) -> str:
    """What make would run for a target, with its environment in a folder."""
    made = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", f"VENV={venv}", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return made.stdout


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """An environment in which ``make orders`` has been run."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "pip").touch()
    (tmp_path / ".installed").touch()
    return tmp_path


def test_nothing_is_built_again_for_the_tests(built: Path) -> None:
    dry_run = would_run("test", built)
    assert "--editable" not in dry_run
    assert "test-requirements.txt" in dry_run and f"{built}/bin/pytest" in dry_run
    (built / ".installed-test").touch()
    assert "test-requirements.txt" not in would_run("test", built)


def test_a_change_of_the_core_builds_it(built: Path, tmp_path: Path) -> None:
    assert "--editable ." not in would_run("orders", built)
    (built / ".installed").unlink()
    for target in ("orders", "test"):
        assert would_run(target, built).count("--editable .") == 1


def test_slow_tests_are_left_to_continuous_integration(built: Path) -> None:
    assert f'{built}/bin/pytest -m "not slow"' in would_run("test", built)
    assert ".ci/run" in would_run("check", built)


def test_what_the_tests_need_is_what_the_project_says(tmp_path: Path) -> None:
    """The little program of the Makefile that lists it."""
    text = (ROOT / "Makefile").read_text("utf-8")
    program = text.partition("define EXTRAS\n")[2].partition("endef")[0]
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert result.stdout.split("\n")[:-1] == project["project"]["optional-dependencies"]["test"]


@pytest.mark.slow
def test_where_nothing_compiles_one_line_says_what_to_install(tmp_path: Path) -> None:
    """Before anything is copied or built."""
    shutil.copytree(ROOT / "_ext", tmp_path / "_ext", ignore=shutil.ignore_patterns("*.so", "*.c"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("bordeaux", "openings", "metamap"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text('__version__ = "0"\n')
    build = [sys.executable, "setup.py", "build_py"]
    for compiler, line in (
        (
            "/nonexistent",
            "bordeaux: no C compiler works here: install one, then try again (Debian: apt install gcc",
        ),
        (
            "cc -nostdinc",
            "bordeaux: the headers of Python are missing: install them, then try again (Debian: apt",
        ),
    ):
        made = subprocess.run(
            build, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "CC": compiler}
        )
        assert made.returncode == 1 and not (tmp_path / "build").exists()
        (said,) = (line for line in made.stderr.splitlines() if line.startswith("bordeaux: "))
        assert said.startswith(line)
        assert "copying" not in made.stdout
    made = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
