"""Reviews from the page: made beside it, told as they go on, and kept."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import Position
from bordeaux.web.reviews import glyph
from bordeaux.web.routing import ServerState
from tests.patience import PATIENCE

from .conftest import Make, played, refused

SPRING = {"FRANCE": ["A PAR - BUR", "A MAR - SPA"], "GERMANY": ["A MUN - RUH"]}
FALL = {"FRANCE": ["A BUR - BEL"], "GERMANY": ["A RUH - HOL"]}


class Told:
    """What is published of reviews in a server."""

    def __init__(self, server_state: ServerState, monkeypatch: pytest.MonkeyPatch) -> None:
        self.events: list[dict[str, Any]] = []
        self._news = threading.Condition()

        def publish(topic: str, name: str, data: Any) -> None:
            with self._news:
                self.events += [data] * (name == "review")
                self._news.notify_all()

        monkeypatch.setattr(server_state.hub, "publish", publish)

    def until(self, **wanted: Any) -> None:
        """Wait for an event that has some values."""
        with self._news:
            came = self._news.wait_for(
                lambda: any(wanted.items() <= event.items() for event in self.events), PATIENCE
            )
        assert came


@pytest.fixture
def news(server_state: ServerState, monkeypatch: pytest.MonkeyPatch) -> Told:
    return Told(server_state, monkeypatch)


@pytest.mark.slow
def test_a_review_of_a_study(
    client: TestClient,
    make: Make,
    news: Told,
    server_state: ServerState,
    own_children: Callable[[], list[int]],
) -> None:
    study = make(text=json.dumps(played(SPRING, FALL)))["id"]
    path = f"/api/studies/{study}/review"
    assert [client.get(f"{path}.{form}").status_code for form in ("html", "json")] == [404, 404]
    assert client.post(path, json={"nodes": 60}).status_code == 202
    refused(client.post(path, json={"nodes": 60}), 409, "wait")
    # A process that dies is replaced, and begins anew.
    news.until(status="running", done=1)
    for process in own_children():
        os.kill(process, signal.SIGKILL)
    news.until(status="done")
    assert client.get(path).json()["status"] == "done"
    page = client.get(f"{path}.html")
    assert page.headers["content-type"].startswith("text/html") and "Review of" in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'self'" in policy and "sha256-" in policy
    # The page beside the board is told the same, by nodes of the study.
    answer = client.get(f"{path}.json").json()
    assert set(answer["powers"]) == set(Position.start().map.powers)
    phases = answer["powers"]["FRANCE"]["phases"]
    assert [(phase["node"], phase["phase"]) for phase in phases][:2] == [("0", "S1901M"), ("1", "F1901M")]
    assert sorted(phases[0]["played"]) == sorted([*SPRING["FRANCE"], "F BRE H"])
    assert all(point["node"] in ("0", "1") and point["glyph"] for point in answer["points"])
    client.delete(f"/api/studies/{study}")
    assert not list(server_state.store.folder.glob(f"{study}*"))


def test_what_cannot_be_reviewed_is_told(client: TestClient, make: Make) -> None:
    study = make()["id"]
    refused(client.post(f"/api/studies/{study}/review", json={}), 400, "nothing to review")
    assert client.post(f"/api/studies/{study}/review", json={"time": -1}).status_code == 400
    assert client.post("/api/studies/0000000000000000/review", json={}).status_code == 404


@pytest.mark.slow
def test_a_review_that_is_stopped_leaves_nothing(client: TestClient, make: Make, news: Told) -> None:
    study = make(text=json.dumps(played(SPRING, FALL)))["id"]
    path = f"/api/studies/{study}/review"
    assert client.post(f"{path}/stop").status_code == 202
    assert client.get(path).json()["status"] == "none"
    client.post(path, json={"nodes": 60})
    news.until(status="running", done=1)
    assert client.post(f"{path}/stop").status_code == 202
    news.until(status="none")
    assert client.get(path).json()["status"] == "none" and client.get(f"{path}.html").status_code == 404


def test_nothing_is_left_of_a_review_whose_study_is_deleted(
    client: TestClient, make: Make, news: Told, server_state: ServerState
) -> None:
    study = make(text=json.dumps(played(SPRING, FALL)))["id"]
    client.post(f"/api/studies/{study}/review", json={"nodes": 2000})
    news.until(status="running", done=1)
    assert client.delete(f"/api/studies/{study}").status_code == 200
    server_state.close()
    assert not list(server_state.store.folder.glob(f"{study}*"))


def test_turning_points_have_signs() -> None:
    kinds = [("loss", False), ("loss", True), ("missed solo", True), ("stab", False), ("peace kept", False)]
    signs = [glyph({"kind": kind, "sure": sure}) for kind, sure in kinds]
    assert signs == ["?", "??", "??", "⚔", "!?"]
