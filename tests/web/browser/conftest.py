"""A browser, a server, and a page that knows its board.

The browser is Debian's Chromium, driven by Playwright. Without it these tests are skipped; under CI
they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

from .served import Served
from .table import Table

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome")
WIDE = {"width": 1280, "height": 900}

Open = Callable[..., Table]


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """One Chromium for all tests here; what runs after them finds no event loop of its driver."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        reason = "the page is not tested in a browser: there is none (Debian: apt install chromium)"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that tests share, each with studies of its own."""
    with Served(tmp_path_factory.mktemp("studies")) as served:
        yield served


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Served]:
    """A server for one test alone, which may kill it."""
    with Served(tmp_path / "studies") as served:
        yield served


@pytest.fixture(scope="package")
def desk(browser: Any) -> Any:
    """The page on a desk that tests have in turn: a window of its own costs a test a second."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    context.set_default_timeout(1000 * PATIENCE)
    return context.new_page()


@pytest.fixture
def open_page(browser: Any, server: Served, desk: Any) -> Iterator[Open]:
    """Open a study: ``open_page(study, node, **options of the context)``. With other options than its size,
    and for a second study, in a window of its own.

    At the end of the test no page may have met a fault, a dialog, or a breach of its content-security policy.
    """
    contexts, tables, free = [], [], [desk]

    def call(
        study: str = "", node: str = "0", at: Served = server, context: Any = None, **options: Any
    ) -> Table:
        if context is None and set(options) <= {"viewport"} and free:
            page = free.pop()
            page.set_viewport_size(options.get("viewport", WIDE))
        else:
            if context is None:
                context = browser.new_context(**{"viewport": WIDE, "reduced_motion": "reduce", **options})
                contexts.append(context)
            context.set_default_timeout(1000 * PATIENCE)
            page = context.new_page()
        tables.append(Table(page, at))
        tables[-1].visit(study, node)
        return tables[-1]

    yield call
    faults = [fault for table in tables for fault in table.faults]
    for context in contexts:
        context.close()
    if not free:
        desk.evaluate("localStorage.clear(), sessionStorage.clear()")
        tables[[table.page for table in tables].index(desk)].leave()
    assert faults == []
