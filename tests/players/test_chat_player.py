"""The example that seats a language model, with a stub in place of the model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Position
from tests.patience import PATIENCE

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "chat_player.py"
START = Position.start()


@contextmanager
def model(answer: Any, status: int = 200) -> Iterator[tuple[str, list[Any]]]:
    """The address of an endpoint that always answers the same, and what it was asked."""
    asked: list[Any] = []

    class Stub(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.headers["Authorization"], body))
            data = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None:
            """Nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Stub) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1/chat/completions", asked
        finally:
            server.shutdown()
            thread.join()


def saying(text: str) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}


def played(url: str, *requests: tuple[Position, str]) -> tuple[list[list[str]], str]:
    """The orders that the program gives in each of some positions, and what it says on standard error."""
    hears: list[dict[str, Any]] = [{"type": "setup", "power": requests[0][1]}]
    hears += [
        {"type": "orders", "id": number, "power": power, "position": position.to_json(), "time": 10}
        for number, (position, power) in enumerate(requests)
    ]
    run = subprocess.run(
        [sys.executable, EXAMPLE],
        input="".join(json.dumps(line) + "\n" for line in hears),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "CHAT_URL": url, "CHAT_KEY": "secret", "CHAT_MODEL": "mine", "no_proxy": "*"},
    )
    ready, *answers = map(json.loads, run.stdout.splitlines())
    assert ready == {"type": "ready"} and [answer["id"] for answer in answers] == [*range(len(requests))]
    return [answer["orders"] for answer in answers], run.stderr


@pytest.mark.parametrize(
    ("said", "orders"),
    [
        (
            "Perhaps A PAR - BUR.\nORDERS:\n1. a par - pic\n2. A MAR H (safe)\n3. F BRE \u2192 MAO",
            "A PAR - PIC; A MAR H; F BRE - MAO",
        ),
        (
            '```json\n{"orders": ["A PAR HOLD", "A MAR - SPA", "F BRE - MAO"]}\n```',
            "A PAR H; A MAR - SPA; F BRE - MAO",
        ),
    ],
)
def test_the_orders_of_the_model_count(said: str, orders: str) -> None:
    with model(saying(said)) as (url, asked):
        (played_orders,), stderr = played(url, (START, "FRANCE"))
    assert (played_orders, stderr) == (orders.split("; "), "")
    ((key, body),) = asked
    assert key == "Bearer secret" and body["model"] == "mine"
    (message,) = body["messages"]
    assert "A MAR S A PAR - BUR" in message["content"] and "You are FRANCE" in message["content"]


def test_a_failure_is_told_to_the_model_and_remains_its_own() -> None:
    with model(saying("A PAR - BUR\nA MAR - LON\nF BRE flies")) as (url, asked):
        (orders,), stderr = played(url, (START, "FRANCE"))
    assert orders == ["A PAR - BUR", "A MAR - LON VIA"]
    told = asked[1][1]["messages"][-1]["content"]
    assert len(asked) == 2 and "F BRE flies" in told and "A MAR - LON VIA is illegal" in told
    assert told.splitlines()[1] in stderr


@pytest.mark.parametrize(
    ("answer", "status"), [(saying("I would rather not"), 200), ([], 200), (saying(""), 404), ({}, 1000)]
)
def test_nobody_orders_for_a_model_that_fails(answer: Any, status: int) -> None:
    with model(answer, status) as (url, _):
        (orders,), stderr = played(url, (START, "ITALY"))
    assert orders == [] and ("no answer of the model" in stderr or "there is no legal order" in stderr)
