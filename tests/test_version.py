"""One version: that of the package is that of what was installed."""

from __future__ import annotations

from importlib.metadata import version

import bordeaux


def test_the_installed_version_is_the_package_s() -> None:
    assert version("bordeaux-diplomacy") == bordeaux.__version__
