"""``bordeaux mcp`` before it serves; tests/protocols/mcp has the server."""

from __future__ import annotations

import importlib.util
import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_without_the_extra_one_line_says_how_to_install_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    result = run("mcp")
    assert result.exit_code == 2 and result.stdout == ""
    said = "tools for agents need the extra mcp: pip install 'bordeaux-diplomacy[mcp]'"
    assert result.stderr == f"bordeaux: {said}\n"


def test_a_port_that_is_taken_is_told(run: Run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("mcp", "--http", str(port), "--studies", str(tmp_path))
    assert result.exit_code == 2 and f"cannot listen on 127.0.0.1:{port}" in result.stderr
    assert "name another --http" in result.stderr
