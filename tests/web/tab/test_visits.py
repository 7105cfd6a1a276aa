"""Visits that do not go as they should: a slow network, a broken download, two tabs, a new version."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE

from .conftest import ROOT, Host, Tab, until

pytestmark = pytest.mark.slow

PHONE = {"width": 400, "height": 800}

PAGE = ROOT / "bordeaux" / "web" / "static" / "js" / "transports" / "worker.js"
(TAKES_MS,) = re.findall(r"const TAKES_MS = (\w+);", PAGE.read_text())
"""A page gives a new version so long to take over, which a busy machine exceeds."""
PATIENT = f"""const {{ setTimeout: plain }} = window;
window.setTimeout = (then, ms, ...more) => plain(then, ms === {TAKES_MS} ? {500 * PATIENCE} : ms, ...more);"""
"""Half as long as tests wait, so that a test tells which version the page went on with."""


@pytest.fixture(scope="module")
def phone(browser: Any) -> Iterator[Any]:
    """A phone that waits long for a new version."""
    made = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    made.add_init_script(PATIENT)
    yield made
    made.close()


@pytest.fixture
def context(phone: Any) -> Iterator[Any]:
    """The phone for one test. A tab that stays open would keep those of the next test waiting."""
    yield phone
    phone.set_offline(False)
    for page in phone.pages:
        page.close()


@pytest.fixture(scope="module")
def renewing(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A host of a folder that can be changed. The tests visit it in their order: a first visit takes long."""
    made = Host(shutil.copytree(folder, tmp_path_factory.mktemp("renewing") / "site"))
    yield made
    made.close()


def test_a_slow_network_is_seen_in_a_bar(context: Any, renewing: Host) -> None:
    come = threading.Event()
    host = renewing
    host.handler.held = "first.pack", come
    tab = Tab(context, host)
    tab.page.goto(host.address)
    bar = tab.page.get_by_role("progressbar")
    bar.wait_for()
    files = json.loads((host.folder / "files.json").read_text())["files"]
    total = sum(file["size"] for name, file in files.items() if name.endswith(".pack"))
    tab.page.locator(".loading", has_text=f"of {total / 1e6:.1f} MB").wait_for()
    until(lambda: bar.evaluate("bar => bar.value > 3e6"))
    box, part = bar.bounding_box(), bar.evaluate("bar => bar.value / bar.max")
    assert 0 < part < 1 and box["x"] > 0 and box["x"] + box["width"] < PHONE["width"]
    come.set()
    tab.page.locator("#board .picture svg").wait_for()
    assert tab.page.locator(".loading").count() == 0 and tab.faults == []
    until(lambda: tab.page.evaluate(CONTROLLED))


@pytest.mark.parametrize(
    ("way", "path", "told"),
    [
        ("damaged", "nets.pack", "python/nets.pack came damaged. Load the page again."),
        ("cut", "program.pack", "pyodide/program.pack cannot be loaded: network error. Load the page again."),
        ("cut", "files.json", "files.json cannot be loaded. Load the page again."),
    ],
)
def test_a_broken_download_is_one_line(host: Host, context: Any, way: str, path: str, told: str) -> None:
    setattr(host.handler, way, path)
    page = context.new_page()
    page.goto(host.address)
    line = page.locator(".loading.fault")
    line.wait_for(timeout=1000 * PATIENCE)
    assert line.text_content() == told


def newer(folder: Path, made: Path) -> Path:
    """Another version of the page in a folder, in one of its own."""
    shutil.copytree(folder, made)
    files = json.loads((made / "files.json").read_text())["files"]
    (made / "files.json").unlink()
    shutil.copy(ROOT / "tools" / "browser" / "site" / "sw.js", made)
    for name in ("index.html", "static/js/main.js"):
        text = (made / name).read_text()
        (made / name).write_text(text.replace("<html ", "<html data-newer ") + "\n")
    build = runpy.run_path(str(ROOT / "tools" / "browser" / "build.py"))
    build["listed"](made, {name: file["whole"] for name, file in files.items() if "whole" in file})
    return made


def publish(made: Path, folder: Path, without: str = "") -> None:
    """Put another version in the place of one: what tells of it last, since browsers look at any time."""
    for name in ("index.html", "static/js/main.js", "files.json", "sw.js"):
        if name != without:
            part = shutil.copy(made / name, folder / "part")
            Path(part).replace(folder / name)


CONTROLLED = "Boolean(navigator.serviceWorker.controller)"
WAITING = "async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting)"
INSTALLING = WAITING.replace("waiting", "installing")
OTHERS = """async () => {
    const names = (await caches.keys()).filter((name) => name !== "bordeaux-made");
    const { version, files } = await (await fetch("files.json")).json();
    const main = await (await fetch("static/js/main.js")).text();
    return [names.length, names[0] === `bordeaux-${version}`, main.endsWith("\\n\\n")];
}"""


def test_a_host_of_two_versions_at_once_is_not_kept(context: Any, renewing: Host, tmp_path: Path) -> None:
    tab = Tab(context, renewing)
    made = newer(renewing.folder, tmp_path / "newer")
    renewing.handler.sent.clear()
    publish(made, renewing.folder, without="static/js/main.js")
    tab.visit()
    until(lambda: {"/sw.js", "/static/js/main.js"} <= renewing.handler.sent)
    until(lambda: not tab.page.evaluate(INSTALLING))
    assert not tab.page.evaluate(WAITING)
    assert tab.page.evaluate(OTHERS)[1:] == [True, False]
    publish(made, renewing.folder)


def test_a_new_version_comes_whole_at_the_next_visit(context: Any, renewing: Host) -> None:
    """The visit on which it is found stays with the old one."""
    tab = Tab(context, renewing)
    tab.visit()
    study = tab.study()
    assert tab.page.evaluate(OTHERS)[1:] == [True, False]
    until(lambda: tab.page.evaluate(WAITING))
    assert tab.page.evaluate(OTHERS)[1:] == [True, False]
    # All of it is there by then.
    context.set_offline(True)
    tab.visit()
    assert tab.page.evaluate(OTHERS) == [1, True, True]
    assert tab.study() == study


def test_tabs_that_wait_make_way_for_a_new_version(context: Any, renewing: Host, tmp_path: Path) -> None:
    """They wait for the first one. Whichever lets the new version in, none begins with the old page."""
    tab, *waiting = [Tab(context, renewing) for _ in range(3)]
    made = newer(renewing.folder, tmp_path / "newer")
    publish(made, renewing.folder)
    tab.visit()
    until(lambda: tab.page.evaluate(WAITING))
    for each in waiting:
        each.page.goto(renewing.address)
        each.page.locator(".loading", has_text="Close it there, and it opens here").wait_for()
    study = tab.study()
    tab.page.close()
    for each in waiting:
        each.page.locator("html[data-newer]").wait_for(state="attached")
    shown = until(lambda: [each for each in waiting if each.page.locator("#board .picture svg").count()])
    assert shown[0].study() == study
    assert [each.faults for each in waiting] == [[], []]
