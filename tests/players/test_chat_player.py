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

from bordeaux import Position
from tests.patience import PATIENCE

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "chat_player.py"
START = Position.start()


@contextmanager
def model(*answers: tuple[Any, int]) -> Iterator[tuple[str, list[Any]]]:
    """The address of an endpoint that gives answers in turn, each with a status, and what it was asked."""
    asked: list[Any] = []

    class Stub(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.headers["Authorization"], body))
            answer, status = answers[len(asked) - 1]
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


def saying(text: str, status: int = 200) -> tuple[Any, int]:
    return {"choices": [{"message": {"role": "assistant", "content": text}}]}, status


def played(url: str, power: str, times: int) -> tuple[list[list[str]], str]:
    """The orders that the program gives a power each time at the start, and what it says on standard
    error."""
    hears: list[dict[str, Any]] = [{"type": "setup", "power": power}]
    hears += [
        {"type": "orders", "id": number, "power": power, "position": START.to_json(), "time": 10}
        for number in range(times)
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
    assert ready == {"type": "ready"} and [answer["id"] for answer in answers] == [*range(times)]
    return [answer["orders"] for answer in answers], run.stderr


def test_the_orders_of_the_model_count() -> None:
    listed = "Perhaps A PAR - BUR.\nORDERS:\n1. a par - pic\n2. A MAR H (safe)\n3. F BRE \u2192 MAO"
    fenced = '```json\n{"orders": ["A PAR HOLD", "A MAR - SPA", "F BRE - MAO"]}\n```'
    with model(saying(listed), saying(fenced)) as (url, asked):
        orders, stderr = played(url, "FRANCE", 2)
    assert (orders, stderr) == (
        [["A PAR - PIC", "A MAR H", "F BRE - MAO"], ["A PAR H", "A MAR - SPA", "F BRE - MAO"]],
        "",
    )
    (key, body), _ = asked
    assert key == "Bearer secret" and body["model"] == "mine"
    (message,) = body["messages"]
    assert "A MAR S A PAR - BUR" in message["content"] and "You are FRANCE" in message["content"]


def test_a_failure_is_told_to_the_model_and_remains_its_own() -> None:
    with model(*[saying("A PAR - BUR\nA MAR - LON\nF BRE flies")] * 2) as (url, asked):
        (orders,), stderr = played(url, "FRANCE", 1)
    assert orders == ["A PAR - BUR", "A MAR - LON VIA"]
    told = asked[1][1]["messages"][-1]["content"]
    assert len(asked) == 2 and "F BRE flies" in told and "A MAR - LON VIA is illegal" in told
    assert told.splitlines()[1] in stderr


def test_nobody_orders_for_a_model_that_fails() -> None:
    unwilling = [saying("I would rather not")] * 2
    with model(*unwilling, ([], 200), saying("", 404), ({}, 1000)) as (url, asked):
        orders, stderr = played(url, "ITALY", 4)
    assert orders == [[]] * 4 and len(asked) == 5
    assert stderr.count("there is no legal order") == 2 * 3 and stderr.count("no answer of the model") == 3
