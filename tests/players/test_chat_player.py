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

from bordeaux import Position, legal_orders
from bordeaux.board.submission import submit
from tests.patience import PATIENCE

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "chat_player.py"
START = Position.start()
WINTER = Position.from_json(
    {
        "name": "W1901A",
        "units": {"FRANCE": ["A SPA"], "TURKEY": ["A CON", "A SMY", "F ANK"]},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "TURKEY": ["CON"]},
    }
)


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


def complete(position: Position, power: str, orders: list[str]) -> bool:
    """Whether these are legal orders for all units of a power, one for each."""
    faults = [order.fault for order in submit(position, {power: orders}).orders if order.fault]
    return not faults and len(orders) == len(legal_orders(position, power))


def test_legal_orders_of_the_model_count_and_the_engine_orders_the_rest() -> None:
    said = "Here you are:\n1. a par - bur\n- **A PAR - PIC**\n* A MAR - LON\nF BRE - MAO.\nGood luck"
    with model(saying(said)) as (url, asked):
        (orders,), stderr = played(url, (START, "FRANCE"))
    assert {"A PAR - BUR", "F BRE - MAO"} < set(orders) and complete(START, "FRANCE", orders)
    assert stderr == ""
    ((key, body),) = asked
    assert key == "Bearer secret" and body["model"] == "mine"
    (message,) = body["messages"]
    assert "A MAR S A PAR - BUR" in message["content"] and "You are FRANCE" in message["content"]


def test_in_winter_no_more_is_ordered_than_is_due() -> None:
    said = "F BRE B\nA PAR B\nA MAR B\nF ANK D\nA CON D\nA SMY D"
    with model(saying(said)) as (url, _):
        (builds, disbands), _ = played(url, (WINTER, "FRANCE"), (WINTER, "TURKEY"))
    assert builds == ["F BRE B", "A PAR B"] and disbands == ["F ANK D", "A CON D"]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (saying("I would rather not"), 200),
        ({"error": "no"}, 500),
        ([], 200),
        (saying(""), 404),
        ({}, 200),
        ({}, 1000),
    ],
)
def test_whatever_the_endpoint_answers_there_are_orders(answer: Any, status: int) -> None:
    with model(answer, status) as (url, _):
        (orders,), _ = played(url, (START, "ITALY"))
    assert complete(START, "ITALY", orders)


def test_without_an_endpoint_there_are_orders_and_the_reason() -> None:
    (orders,), stderr = played("http://127.0.0.1:1/", (START, "ITALY"))
    assert complete(START, "ITALY", orders) and "no orders of the model" in stderr
