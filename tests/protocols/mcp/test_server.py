"""The server as clients meet it: the handshake, wrong input, HTTP with its guard, and a process."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient

from bordeaux import __version__, load_games
from bordeaux.protocols.mcp.desk import PLACES, AgentDesk
from bordeaux.protocols.mcp.server import PATH, AgentServer, guarded, in_thread
from bordeaux.protocols.request_guard import LARGEST_BODY
from bordeaux.studies.intake import SHORT
from bordeaux.studies.store import Store
from bordeaux.studies.study import Refused
from tests.patience import PATIENCE, examples

from .conftest import Agent, text_of

DATA = Path(__file__).parents[2] / "data"
PORT, TOKEN = 4321, "t" * 43
BASE = f"http://127.0.0.1:{PORT}"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
START = {"position": "start"}
FRANCE = {**START, "power": "FRANCE"}
MANY = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
CLIENT = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "a test", "version": "1"},
}
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": CLIENT}


def test_the_handshake_names_the_server_and_says_how_to_begin(agent: Agent) -> None:
    async def look(client: Client) -> tuple[Any, Any]:
        return client.server_info, client.instructions

    for mode in ("legacy", "auto"):
        info, instructions = agent.session(look, mode)
        assert (info.name, info.version) == ("bordeaux", __version__)
        assert "new_game" in instructions and len(instructions) < 800


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("best_ordrs", {}, "did you mean 'best_orders'?"),
        ("legal_orders", {"powr": "FRANCE"}, "did you mean 'power'?"),
        ("list_players", {"power": "FRANCE"}, "takes none"),
        ("legal_orders", {"power": 3}, "power: it must be a valid string, not '3'"),
        ("best_orders", {"power": "FRANCE"}, "position is missing"),
        ("check_orders", {**START, "orders": 5}, "valid dictionary or it must be a valid string, not '5'"),
        ("check_orders", {**START, "orders": {"FRANCE": [1]}}, "orders are texts, not 1"),
        ("best_orders", {**FRANCE, "seconds": 31}, "less than or equal to 30"),
        ("best_orders", {**FRANCE, "nodes": 10**9}, "less than or equal to"),
        ("check_orders", {**FRANCE, "orders": ["A" * 201]}, "at most 200"),
        ("check_orders", {**FRANCE, "orders": ["x"] * 301}, "at most 300"),
        ("check_orders", {**START, "orders": {"fra": ["A PAR H"], "FRANCE": []}}, "two lists of"),
        ("show_position", {"position": "x" * 4_000_001}, "at most 4000000"),
        ("show_position", {"position": "[" * 100_000}, "nested too deeply"),
        ("show_position", {"position": "F1901M\nFRANCE: A XYZ"}, "line 2"),
        ("best_orders", {**FRANCE, "given": {"FRANCE": ["A PAR H"]}}, "given are orders of others"),
        ("new_game", {"power": "FRANCE", "level": 9}, "less than or equal to 8"),
        ("send_message", {"game": "0" * 16, "to": ["ITALY"], "text": "x" * 1001}, "at most 1000"),
        ("best_orders", {**START, "power": "NOBODY"}, "NOBODY"),
    ],
)
def test_wrong_input_is_one_line_that_says_what_to_do(
    agent: Agent, tool: str, arguments: dict[str, Any], says: str
) -> None:
    line = agent.wrong(tool, **arguments)
    assert says in line and len(line) < 700 and "pydantic" not in line


RUBBISH: tuple[Any, ...] = (
    *(
        None,
        True,
        -1,
        0.5,
        10**30,
        "",
        " ",
        "start",
        "FRANCE",
        "\0\ud7ff\x1b[31m",
        "../../etc/passwd",
        "0" * 16,
    ),
    *([], ["A PAR H"], [[]], [None], {}, {"FRANCE": ["A PAR - BUR"]}, {"FRANCE": None}, {"a": {"b": [1]}}),
    "{" * 2000,
)


def test_no_argument_of_a_wrong_type_is_a_fault(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault would be logged, and the fixture fails on a log; what is right by chance is answered."""
    monkeypatch.setattr("bordeaux.protocols.mcp.desk.SECONDS", 0.02)
    monkeypatch.setattr("bordeaux.protocols.mcp.playing.REPLIES", 0.0)
    chance = random.Random(0)

    async def hunt(client: Client) -> int:
        tools = (await client.list_tools()).tools
        wrong = 0
        for _ in range(examples(300)):
            tool = chance.choice(tools)
            named = list(tool.input_schema.get("properties", {}))
            given = {name: chance.choice(RUBBISH) for name in named if chance.random() < 0.6}
            result = await client.call_tool(tool.name, given)
            wrong += result.is_error
            if result.is_error:
                line = text_of(result)
                assert "\n" not in line and "internal error" not in line, (tool.name, given, line)
                assert "\x1b" not in line and "\0" not in line, (tool.name, given, line)
        return wrong

    assert agent.session(hunt) > examples(300) // 2


def test_an_inner_fault_is_one_line_and_logged(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    agent = Agent(AgentServer(AgentDesk(Store(folder), lines.append)))
    monkeypatch.setattr("bordeaux.protocols.mcp.tools.prospect", lambda position: 1 // 0)
    line = agent.wrong("show_position", detail=True)
    assert line.startswith("internal error, a fault of bordeaux and not of yours: ZeroDivisionError")
    assert lines == [line]


def test_a_folder_that_cannot_be_written_is_told(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: object, **rest: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("bordeaux.studies.store.write_document", full)
    monkeypatch.setattr(agent.server.desk, "log", lambda line: None)
    assert "No space left" in agent.wrong("new_game", power="FRANCE", level=3)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    desk = AgentDesk(Store(tmp_path_factory.mktemp("studies")))
    app = guarded(AgentServer(desk), TOKEN, PORT)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as made:
        yield made
    desk.close()


def test_http_answers_who_has_the_token(web: TestClient) -> None:
    answer = web.post(PATH, json=HELLO, headers={**BEARER, **MANY})
    assert answer.status_code == 200 and "bordeaux" in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (
        web.post(PATH, json=HELLO, headers={**BEARER, **MANY, "Host": f"localhost:{PORT}"}).status_code == 200
    )


@pytest.mark.parametrize(
    ("headers", "says"),
    [
        ({}, "the token is missing or wrong"),
        ({"Authorization": "Bearer wrong"}, "the token is missing or wrong"),
        ({"Origin": BASE}, "the token is missing or wrong"),
        ({"Authorization": TOKEN}, ""),
        ({"Cookie": f"bordeaux-{PORT}={TOKEN}", "Origin": BASE}, ""),
        ({**BEARER, "Origin": "http://evil.example"}, ""),
        ({**BEARER, "Origin": "null"}, ""),
        ({**BEARER, "Host": f"evil.example:{PORT}"}, ""),
        ({**BEARER, "Host": "127.0.0.1:1"}, ""),
    ],
)
def test_http_answers_nobody_else(web: TestClient, headers: dict[str, str], says: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = web.request(method, PATH, json=HELLO, headers={**MANY, **headers})
        assert answer.status_code == 403 and says in answer.json()["error"] and TOKEN not in answer.text
    for path in ("/", f"/?token={TOKEN}", f"{PATH}?token={TOKEN}"):
        answer = web.get(path, headers={**MANY, **headers})
        assert answer.status_code == 403 and "set-cookie" not in answer.headers


def test_http_takes_no_body_without_an_end(web: TestClient) -> None:
    assert web.post(PATH, content=b" " * (LARGEST_BODY + 1), headers={**BEARER, **MANY}).status_code == 413

    def pieces() -> Any:
        yield from [b" " * (1 << 20)] * 9

    assert web.post(PATH, content=pieces(), headers={**BEARER, **MANY}).status_code == 413
    assert web.post(PATH, content=b"rubbish", headers={**BEARER, **MANY}).status_code == 400
    assert web.get("/elsewhere", headers=BEARER).status_code == 404


def test_who_is_known_goes_before_new_sessions(web: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.protocols.mcp.server.PACE", 2.0)
    headers = {**BEARER, **MANY}
    known = {"Mcp-Session-Id": web.post(PATH, json=HELLO, headers=headers).headers["mcp-session-id"]}
    ended: list[str] = []

    def end(name: str, document: dict[str, Any], **more: str) -> None:
        assert web.post(PATH, json=document, headers={**headers, **more}).is_success
        ended.append(name)

    new = threading.Thread(target=end, args=("new", HELLO))
    new.start()
    for _ in range(20):
        end("known", {"jsonrpc": "2.0", "method": "notifications/initialized"}, **known)
    new.join(PATIENCE)
    assert ended == [*["known"] * 20, "new"]


PROGRAM = (sys.executable, "-P", "-m", "bordeaux", "mcp")


@pytest.fixture(scope="module")
def over_http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """A process that serves over HTTP, by its address and header. It ends at a signal."""
    command = [*PROGRAM, "--http", "0", "--studies", str(tmp_path_factory.mktemp("studies"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as serving:
        assert serving.stdout is not None
        address, header = (serving.stdout.readline().strip() for _ in range(2))
        name, _, value = header.partition(": ")
        try:
            yield address, {name: value}
        finally:
            serving.send_signal(signal.SIGTERM)
        assert serving.wait(PATIENCE) == 128 + signal.SIGTERM


@pytest.mark.slow
def test_the_official_client_calls_over_http(over_http: tuple[str, dict[str, str]]) -> None:
    address, header = over_http

    async def legal() -> Any:
        with anyio.fail_after(PATIENCE):
            async with (
                httpx2.AsyncClient(headers=header, timeout=PATIENCE) as http,
                Client(streamable_http_client(address, http_client=http)) as client,
            ):
                answer = await client.call_tool("legal_orders", {"power": "TURKEY", "unit": "CON"})
                return answer.structured_content

    assert "A CON - BUL" in anyio.run(legal)["orders"]["CON"]


@pytest.mark.slow
def test_a_process_ends_at_a_signal(folder: Path) -> None:
    command = [*PROGRAM, "--studies", str(folder)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as serving:
        assert serving.stdin is not None and serving.stdout is not None and serving.stderr is not None
        serving.stdin.write(json.dumps(HELLO).encode() + b"\n")
        serving.stdin.flush()
        assert b"bordeaux" in serving.stdout.readline()
        serving.send_signal(signal.SIGTERM)
        assert serving.wait(PATIENCE) == 128 + signal.SIGTERM
        assert b"Traceback" not in serving.stderr.read()


@pytest.mark.parametrize("what", ["search", "read", "wait"])
def test_few_calls_do_what_takes_long_and_others_are_refused_at_once(agent: Agent, what: str) -> None:
    desk = agent.server.desk
    with contextlib.ExitStack() as held:
        for _ in range(PLACES[what][0]):
            held.enter_context(desk.place(what))
        with pytest.raises(Refused, match="try again in a minute"):
            held.enter_context(desk.place(what))
        long = "\n".join(["S1901M", "FRANCE: A PAR", "#" + "x" * SHORT])
        line = {
            "search": lambda: agent.wrong("best_orders", position="start", power="FRANCE", nodes=50),
            "read": lambda: agent.wrong("show_position", position=long),
            "wait": lambda: agent.wrong("new_game", power="FRANCE", level=3),
        }[what]()
        assert "4 calls" in line or "16 calls" in line
        assert agent("show_position")["phase"] == "S1901M"
    assert agent("best_orders", position="start", power="FRANCE", nodes=50)["orders"]


@pytest.mark.slow
def test_a_search_that_is_taken_back_is_ended_whatever_it_does(
    made: Callable[[], Agent], tmp_path: Path
) -> None:
    """The next one has the engine, and who waits can be taken back too."""
    agent = made()
    desk, works = agent.server.desk, tmp_path / "works"
    slumber = ["sh", "-c", f"touch {works}; sleep {2 * PATIENCE}"]
    agent.server.add_tool(in_thread(lambda: desk.search(subprocess.run, slumber)), name="slumber")

    async def take_back(client: Client) -> None:
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                for _ in range(2):
                    tasks.start_soon(client.call_tool, "slumber")
                while not works.exists():
                    await anyio.sleep(0.01)
                tasks.cancel_scope.cancel()
            await client.call_tool("best_orders", {"position": "start", "power": "ITALY", "nodes": 50})

    agent.session(take_back)


@pytest.mark.slow
def test_clients_that_are_gone_leave_their_places(over_http: tuple[str, dict[str, str]]) -> None:
    """Those of the older protocol too, whose calls belong to a session and not to a connection."""
    address, header = over_http
    crowd = str(load_games(DATA / "selfplay.jsonl.gz")[0].position(13))

    def ask(number: int, **given: Any) -> dict[str, Any]:
        params = {"name": "best_orders", "arguments": given}
        return {**HELLO, "id": number, "method": "tools/call", "params": params}

    with httpx2.Client(headers={**MANY, **header}, timeout=PATIENCE) as http:
        http.headers["Mcp-Session-Id"] = http.post(address, json=HELLO).headers["mcp-session-id"]
        http.post(address, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
        for number in range(PLACES["search"][0]):
            long = ask(number, position=crowd, power="GERMANY", seconds=30)
            with pytest.raises(httpx2.TimeoutException):
                http.post(address, json=long, timeout=0.3)
        answer = http.post(address, json=ask(9, position="start", power="ITALY", nodes=50)).text
        assert "A VEN" in answer, answer


def test_the_end_of_all_stops_what_searches(made: Callable[[], Agent]) -> None:
    desk = made().server.desk
    assert not desk.stopped()
    desk.stop()
    assert desk.stopped()


@pytest.mark.slow
def test_every_line_of_standard_input_is_answered_and_its_end_ends_searches(folder: Path) -> None:
    command, pipe = [*PROGRAM, "--studies", str(folder)], subprocess.PIPE
    ask = {"method": "tools/call", "jsonrpc": "2.0", "id": 7}
    search = {"position": "start", "power": "FRANCE", "seconds": 30}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as serving:
        assert serving.stdin is not None and serving.stdout is not None

        def said(text: str) -> Any:
            assert serving.stdin is not None and serving.stdout is not None
            serving.stdin.write(text + "\n")
            serving.stdin.flush()
            return json.loads(serving.stdout.readline())

        assert "result" in said(json.dumps(HELLO))
        for line, identity, code, why in (
            ("rubbish", None, -32700, "Expecting value"),
            ('{"id": 5, "x": "\\ud800"}', 5, -32700, "Invalid JSON"),
            ('{"id": 6, "a": ' + "[" * 500 + "]" * 500 + "}", 6, -32700, "Invalid JSON"),
            ("[" * 100_000, None, -32700, ""),
            ("5", None, -32600, "the request: it must be an object, not '5'; write it like"),
            ('{"id": 8}', 8, -32600, "jsonrpc is missing; write it like"),
            (json.dumps({**ask, "id": 1.5}), None, -32600, "its id is neither a text nor a whole number"),
            ("x" * (9 << 20), None, -32600, ""),
            (json.dumps(ask), 7, -32602, "params: it must be a valid dictionary"),
            (json.dumps({**ask, "params": {}}), 7, -32602, "params.name is missing; write it like"),
        ):
            answer = said(line)
            assert answer["id"] == identity and answer["error"]["code"] == code
            assert answer["error"]["message"].startswith((f"this is no request: {why}", "a request has more"))
        serving.stdin.write(json.dumps({**ask, "params": {"name": "best_orders", "arguments": search}}))
        serving.stdin.write("\n")
        serving.stdin.close()
        assert serving.wait(PATIENCE) == 0
