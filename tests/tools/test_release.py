"""The text of a release: the entry of the changelog for the version that a tag names."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import bordeaux

TOOL = Path(__file__).resolve().parent.parent.parent / "tools" / "release.py"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with the tool, version 1.2.0 and a changelog of three entries."""
    (tmp_path / "bordeaux").mkdir()
    (tmp_path / "bordeaux" / "__init__.py").write_text('__version__ = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-01-31\n\n### Added\n\n- Oars.\n\n"
        "## [1.1.0] - 2025-01-31\n\n- Sails.\n"
    )
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "release.py").write_text(TOOL.read_text("utf-8"))
    return tmp_path


def told(tree: Path, *args: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, str(tree / "tools" / "release.py"), *args], capture_output=True, text=True
    )
    return done.returncode, done.stdout, done.stderr


def test_the_entry_of_the_version_alone_is_printed(tree: Path) -> None:
    assert told(tree, "v1.2.0") == (0, "### Added\n\n- Oars.\n", "")
    assert told(tree)[0] == 2


@pytest.mark.parametrize(
    ("old", "new", "tag", "says"),
    [
        ("", "", "v1.1.0", "the tag is v1.1.0, the version 1.2.0"),
        ("## [1.2.0] - 2026-01-31", "## [1.2.0]", "v1.2.0", "has no date"),
        ("### Added\n\n- Oars.\n", "", "v1.2.0", "nothing stands under [1.2.0]"),
        ("## [1.2.0] - 2026-01-31", "## Wooden", "v1.2.0", "has no entry [1.2.0]"),
    ],
)
def test_what_does_not_fit_together_is_one_line(tree: Path, old: str, new: str, tag: str, says: str) -> None:
    path = tree / "CHANGELOG.md"
    if old:
        path.write_text(path.read_text().replace(old, new))
    code, out, error = told(tree, tag)
    assert code == 1 and not out and says in error and error.count("\n") == 1


def test_the_version_has_an_entry_or_is_still_to_come() -> None:
    text = (TOOL.parent.parent / "CHANGELOG.md").read_text("utf-8")
    assert "## [Unreleased]" in text and f"## [{bordeaux.__version__}]" in text


def test_the_installed_version_is_the_package_s() -> None:
    assert version("bordeaux-diplomacy") == bordeaux.__version__
