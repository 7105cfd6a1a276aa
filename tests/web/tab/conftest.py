"""The folder of `make browser`, a plain host of files, and one tab that the tests share."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

from ..browser.conftest import browser

__all__ = ["browser"]

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "wasm"


def missing() -> str | None:
    """What is lacking to build the folder, if anything is."""
    if shutil.which("npm") is None:
        return "npm"
    return None if (SHARED / "headers.zip").exists() else f"the headers in {SHARED}"


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder: that of $BORDEAUX_BROWSER, else it is built."""
    if given := os.environ.get("BORDEAUX_BROWSER"):
        return Path(given)
    if (lack := missing()) is not None:
        pytest.skip(f"the page for a browser is not built: it needs {lack} (docs/browser.md)")
    made = tmp_path_factory.mktemp("folder") / "browser"
    subprocess.run([sys.executable, ROOT / "tools" / "browser" / "build.py", "--out", made], check=True)
    return made


class Files(SimpleHTTPRequestHandler):
    """A host of files, without a header beyond what any host sends."""

    damaged = ""
    """A path whose second half is sent as zeros."""
    cut = ""
    """A path whose second half is not sent."""
    held: tuple[str, threading.Event] | None = None
    """A path whose second half is sent after something has happened."""
    sent: set[str]
    """What was asked for."""

    def log_request(self, *_: Any) -> None:
        """Say nothing."""
        self.sent.add(self.path.partition("?")[0])

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file."""
        content = source.read()
        if self.damaged and self.path.endswith(self.damaged):
            content = content[: len(content) // 2] + bytes(len(content) - len(content) // 2)
        half = len(content) // 2
        if self.cut and self.path.endswith(self.cut):
            content = content[:half]
        outputfile.write(content[:half])
        if self.held and self.path.endswith(self.held[0]):
            assert self.held[1].wait(PATIENCE)
        outputfile.write(content[half:])


Files.extensions_map |= {".mjs": "text/javascript", ".wasm": "application/wasm"}


class Host:
    """A running host of the folder."""

    def __init__(self, folder: Path) -> None:
        self.handler: type[Files] = type("HostedFiles", (Files,), {"sent": set()})
        self.folder = folder
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(self.handler, directory=str(folder)))
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def travelled(self) -> int:
        """Bytes of all that was asked for, each file once, with text packed by gzip as public hosts do."""
        paths = [self.folder / (path[1:] or "index.html") for path in self.handler.sent]
        return sum(
            path.stat().st_size if path.suffix == ".pack" else len(gzip.compress(path.read_bytes()))
            for path in paths
            if path.is_file()
        )

    def close(self) -> None:
        """Serve no more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def host(folder: Path) -> Iterator[Host]:
    """A host for one test."""
    made = Host(folder)
    yield made
    made.close()


def until(wanted: Any, seen: Any = str) -> Any:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not (found := wanted()):
        assert time.monotonic() < end, seen()
        time.sleep(0.05)
    return found


class Tab:
    """The page in a tab, as one uses it; `faults` are what must not happen."""

    def __init__(self, context: Any, host: Host) -> None:
        context.set_default_timeout(1000 * PATIENCE)
        self.page = context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("console", self._said)
        self.host = host

    def _said(self, said: Any) -> None:
        if said.type == "error":
            self.faults.append(f"console: {said.text}")

    def visit(self, fragment: str = "") -> None:
        """Open the page, and wait for its board."""
        self.page.goto("about:blank")
        self.page.goto(self.host.address + fragment)
        self.page.locator("#board .picture svg").wait_for()

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Ask what answers the page, as the page does."""
        return self.page.evaluate(
            """async ([method, path, body]) => {
                const api = await import(new URL("static/js/api.js", document.baseURI));
                return await (body === null ? api[method](path) : api[method](path, body));
            }""",
            [method, path, body],
        )

    def study(self) -> str:
        """The id of the open study."""
        self.page.wait_for_function("location.hash.includes('study=')")
        return str(self.page.url.partition("study=")[2].partition("&")[0])
