"""Modules of the page in a browser that come when they are imported."""

from __future__ import annotations

import importlib
import io
import shutil
import sys
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from bordeaux.board.errors import BordeauxError

from .conftest import ROOT


def test_a_module_that_cannot_come_is_told_in_one_line_and_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(ROOT / "tools" / "browser" / "later.py", tmp_path)
    (tmp_path / "later.txt").write_text("seldom_wanted")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(f"{tmp_path}/seldom_wanted.py".lstrip("/"), "ANSWER = 42")
    page = ModuleType("js")
    monkeypatch.setitem(sys.modules, "js", page)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("later")
    try:

        def gone() -> None:
            raise RuntimeError("Error: python/later.zip cannot be loaded")

        monkeypatch.setattr(page, "readLater", gone, raising=False)
        for _ in range(2):
            with pytest.raises(BordeauxError, match=r"^python/later\.zip cannot be loaded$"):
                importlib.import_module("seldom_wanted")
        for content in (
            b"<html>not found</html>",
            packed.getvalue()[:-20],
            packed.getvalue().replace(b"42", b"43"),
        ):
            monkeypatch.setattr(page, "readLater", lambda got=content: SimpleNamespace(to_bytes=lambda: got))
            with pytest.raises(BordeauxError, match=r"^python/later\.zip is damaged"):
                importlib.import_module("seldom_wanted")
        monkeypatch.setattr(page, "readLater", lambda: SimpleNamespace(to_bytes=packed.getvalue))
        assert importlib.import_module("seldom_wanted").ANSWER == 42
    finally:
        for name in ("later", "seldom_wanted"):
            sys.modules.pop(name, None)
