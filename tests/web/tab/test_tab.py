"""The whole page in a tab, from a host of files: what a person does there, first, later, and offline."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, Host, Tab, until

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
GAMES = ROOT / "tests" / "data" / "human.jsonl.gz"
MOST = 12_000_000
"""Bytes that travel until the first answer."""
PYODIDE = ROOT / "tools" / "browser" / "node_modules" / "pyodide"


@pytest.fixture(scope="module")
def tab(browser: Any, folder: Path) -> Iterator[Tab]:
    """One tab for the tests of this module, in their order."""
    host = Host(folder)
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    tab = Tab(context, host)
    tab.visit()
    yield tab
    context.close()
    host.close()


@pytest.fixture(autouse=True)
def faultless(tab: Tab) -> Iterator[None]:
    """No fault is told in the console during a test."""
    tab.faults.clear()
    yield
    assert tab.faults == []


def test_orders_by_the_mouse_and_the_engine_s_answer(tab: Tab) -> None:
    for place in ("PAR", "BUR"):
        tab.page.locator(f'.hit[data-tag="{place}"]').click()
    tab.page.locator("#orders", has_text="A PAR - BUR").wait_for()
    tab.page.get_by_role("tab", name="Engine").click()
    panel = tab.page.locator("#panel-engine")
    panel.locator("select").first.select_option(label="until stopped")
    panel.get_by_role("button", name="Start", exact=True).click()
    panel.locator(".answer").first.wait_for()
    assert tab.host.travelled() < MOST
    panel.get_by_role("button", name="Stop", exact=True).click()
    panel.get_by_role("button", name=re.compile("Go on|Start")).first.wait_for()


def test_a_search_is_stopped_at_once_and_another_begins(tab: Tab) -> None:
    """What is stopped ends with what it had found; the next one needs no new start."""
    heard = tab.page.evaluate(
        """async (node) => {
            const api = await import(new URL("static/js/api.js", document.baseURI));
            const heard = [];
            for (let round = 0; round < 2; round++) {
                const { analysis } = await api.post(node + "/analyses", { powers: ["RUSSIA"] });
                const path = "/api/analyses/" + analysis;
                await new Promise((resolve, reject) => {
                    let asked = 0;
                    api.stream(path + "/events", {
                        analysis: (event) => {
                            if (asked || !Object.keys(event.answers).length) return;
                            asked = performance.now();
                            api.post(path + "/stop").catch(reject);
                        },
                        end: ({ reason }) => resolve(heard.push([reason, performance.now() - asked])),
                        error: ({ error }) => reject(new Error(error)),
                    });
                });
            }
            return heard;
        }""",
        f"/api/studies/{tab.study()}/nodes/0",
    )
    assert [reason for reason, _ in heard] == ["stopped", "stopped"]
    print("stopped within", [round(milliseconds) for _, milliseconds in heard], "ms")


def test_a_reload_keeps_the_study_and_a_link_brings_another(tab: Tab) -> None:
    study = tab.study()
    tab.visit()
    assert tab.study() == study
    tab.page.locator("#orders", has_text="A PAR - BUR").wait_for()
    made = tab.call("post", "/api/studies", {"start": True, "name": "Sent"})
    orders = {"FRANCE": ["A PAR - BUR"]}
    tab.call("post", f"/api/studies/{made['id']}/nodes/0/adjudicate", {"orders": orders})
    fragment = tab.call("get", f"/api/studies/{made['id']}/link")["fragment"]
    tab.call("del", f"/api/studies/{made['id']}")
    tab.visit(f"#{fragment}")
    arrived = tab.call("get", f"/api/studies/{tab.study()}")
    assert [node["phase"] for node in arrived["nodes"]] == ["S1901M", "F1901M"]


def test_why_a_link_cannot_be_opened_stays_to_be_read(tab: Tab) -> None:
    tab.visit("#shared=AAAA")
    told = tab.page.locator("#alerts", has_text="copy it whole")
    told.wait_for()
    tab.page.wait_for_timeout(3000)
    assert told.is_visible()


def test_all_studies_are_saved_as_a_file_and_read_again(tab: Tab) -> None:
    page = tab.page
    made = tab.call("post", "/api/studies", {"start": True, "name": "To be kept"})
    page.get_by_role("button", name="Studies").click()
    with page.expect_download() as saving:
        page.get_by_role("link", name="Save all as a file").click()
    page.get_by_role("button", name="Close").click()
    tab.call("del", f"/api/studies/{made['id']}")
    page.get_by_role("button", name="Open", exact=True).click()
    page.locator("#open-file").set_input_files(saving.value.path())
    page.locator("#notices", has_text="1 added").wait_for()
    page.wait_for_function("id => location.hash.includes(id)", arg=made["id"])
    assert tab.call("get", f"/api/studies/{made['id']}")["name"] == "To be kept"


def test_a_full_store_is_told(tab: Tab) -> None:
    keeper = next(worker for worker in tab.page.workers if worker.evaluate("self.name") == "")
    full = (
        "IDBObjectStore.prototype.put = () => { throw new DOMException('it is full', 'QuotaExceededError'); }"
    )
    keeper.evaluate(f"() => {{ {full}; }}")
    tab.call("post", "/api/studies", {"start": True})
    tab.page.locator(".loading", has_text="The studies could not be saved: it is full").wait_for()


REMEMBERED = """async () => {
    const names = (await caches.keys()).filter((name) => /[0-9a-f]{16}/.test(name));
    const kept = await caches.open(names[0]);
    return Boolean(await kept.match(new URL("stored/memory", document.baseURI).href));
}"""
SEARCHED = """async (node) => {
    const api = await import(new URL("static/js/api.js", document.baseURI));
    const { analysis } = await api.post(node + "/analyses", { powers: ["RUSSIA"], nodes: 2000 });
    return await new Promise((resolve, reject) => {
        let nodes = 0;
        api.stream("/api/analyses/" + analysis + "/events", {
            analysis: (event) => (nodes = event.nodes),
            end: () => resolve(nodes),
            error: ({ error }) => reject(new Error(error)),
        });
    });
}"""


def test_a_visit_from_what_is_stored_searches_too(tab: Tab) -> None:
    until(lambda: tab.page.evaluate(REMEMBERED))
    tab.visit()
    assert tab.page.evaluate(SEARCHED, f"/api/studies/{tab.study()}/nodes/0") >= 500


DAMAGED = """async (name) => {
    const kept = await caches.open((await caches.keys()).find((name) => /[0-9a-f]{16}/.test(name)));
    const aside = await caches.open("aside");
    const at = (name) => new URL(`stored/${name}`, document.baseURI).href;
    // What a visit has stored is laid aside once, and put back before another part of it is damaged.
    const [from, to] = (await aside.match(at("memory"))) ? [aside, kept] : [kept, aside];
    if (!(await from.match(at("memory")))) return false;
    const parts = (await from.keys()).filter(({ url }) => url.startsWith(at("")));
    for (const each of parts) await to.put(each, await from.match(each));
    return kept.put(at(name), new Response("damaged")).then(() => true);
}"""


@pytest.mark.parametrize("name", ["memory", "pyodide/program.pack", "python/nets.pack"])
def test_what_is_stored_for_the_next_visit_may_be_damaged(tab: Tab, name: str) -> None:
    study = tab.study()
    until(lambda: tab.page.evaluate(DAMAGED, name))
    tab.visit()
    assert tab.study() == study


def test_a_game_against_a_player_with_press(tab: Tab) -> None:
    """To the end of 1902, the person's units holding, with talks in every movement phase."""
    powers = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    players = dict.fromkeys(powers, "dumbbot") | {"FRANCE": "you", "GERMANY": "bordeaux:level=3"}
    asked = {"players": players, "level": 20, "nodes": 100, "until": 1902, "name": "A game"}
    path = f"/api/studies/{tab.call('post', '/api/play', asked)['id']}"
    phases = []
    while (study := until(lambda: settled(tab, path)))["play"]["status"] != "over":
        node = next(each for each in study["nodes"] if each["id"] == study["play"]["node"])
        phases.append(node["phase"])
        tab.call("post", f"{path}/play/submit", {"orders": {}})
        until(lambda: tab.call("get", path)["version"] > study["version"])
    assert {"S1901M", "F1901M", "S1902M", "F1902M"} <= set(phases)
    assert study["play"]["over"] == "1902 was the last year" and not study["play"]["faults"]
    assert study["nodes"][-1]["phase"] == "S1903M"


def settled(tab: Tab, path: str) -> Any:
    """The study of a game whose players do not think, else None."""
    study = tab.call("get", path)
    return study if study["play"]["status"] != "thinking" else None


def test_a_review_of_a_game_with_progress_and_its_report(tab: Tab) -> None:
    with gzip.open(GAMES, "rt") as games:
        game = json.loads(next(games))
    game["phases"] = game["phases"][:8]
    path = f"/api/studies/{tab.call('post', '/api/studies', {'text': json.dumps(game)})['id']}"
    tab.call("post", f"{path}/review", {"nodes": 100})
    told: list[dict[str, Any]] = []

    def over() -> bool:
        told.append(tab.call("get", f"{path}/review"))
        return bool(told[-1]["status"] == "done")

    until(over)
    assert len({state.get("done") for state in told}) > 2
    found = tab.call("get", f"{path}/review.json")
    assert max(len(power["phases"]) for power in found["powers"].values()) >= 4
    tab.page.evaluate("hash => { location.hash = hash }", f"study={path.rpartition('/')[2]}&node=0")
    tab.page.get_by_role("tab", name="Review").click()
    tab.page.get_by_role("button", name="Read it here").click()
    frame = tab.page.frame_locator("dialog iframe")
    frame.get_by_text("Review of").first.wait_for()
    tab.page.get_by_role("button", name="Close").click()


def test_offline_after_the_first_visit(tab: Tab) -> None:
    until(lambda: tab.page.evaluate(KEPT))
    tab.page.context.set_offline(True)
    try:
        tab.visit()
        study = tab.study()
        people = tab.call("get", f"/api/studies/{study}/nodes/0/people")
        assert people
    finally:
        tab.page.context.set_offline(False)


KEPT = """async () => {
    const names = (await caches.keys()).filter((name) => /[0-9a-f]{16}/.test(name));
    const cache = await caches.open(names[0]);
    const { later } = await (await cache.match("files.json")).json();
    const found = await Promise.all(later.map((path) => cache.match(path)));
    return names.length === 1 && found.every(Boolean);
}"""


def test_the_benchmark_s_positions_are_searched_as_natively(folder: Path, tab: Tab) -> None:
    """Orders, values and nodes; the ratio of the speeds is printed."""
    script = HERE / "bench_positions.py"
    node = ["node", HERE / "python.mjs", PYODIDE, folder, script]
    told = [
        json.loads(subprocess.run([*map(str, words)], capture_output=True, text=True, check=True).stdout)
        for words in ([sys.executable, "-P", script], node)
    ]
    native, there = told
    assert there["found"] == native["found"] and there["nodes"] == native["nodes"]
    assert there["half"] == native["half"] == 0.5
    print(f"{native['seconds'] / there['seconds']:.2f} of the native nodes a second")
