"""The server: all tools, errors as answers, and two ways to talk: standard streams, and HTTP on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import groupby
from typing import Any, TextIO

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.types import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    PARSE_ERROR,
    CallToolRequestParams,
    CallToolResult,
    TextContent,
    Tool,
    ToolAnnotations,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from starlette.types import Receive, Scope, Send

from bordeaux import __version__
from bordeaux.board.errors import nearest, quote
from bordeaux.jobs import ENDING_SIGNALS
from bordeaux.protocols.loopback import listening, served
from bordeaux.protocols.mcp.answers import in_lines
from bordeaux.protocols.mcp.desk import CANCELLED, AgentDesk
from bordeaux.protocols.mcp.playing import PlayingTools
from bordeaux.protocols.mcp.tools import PositionTools
from bordeaux.protocols.request_guard import LARGEST_BODY, RequestGuard
from bordeaux.studies.store import fault_of

PATH = "/mcp"
INSTRUCTIONS = (
    "Bordeaux is an engine for the board game Diplomacy. Every tool that takes a position reads start, the id"
    " of a game, or the content of a position or saved game. Orders are written like A PAR - BUR,"
    " A MAR S A PAR - BUR, F NTH C A LON - NWY, A PAR H, F STP/NC B. To play: new_game, then for each phase"
    " my_orders and next_phase; send_message talks to the others where press is allowed. check_orders says"
    " what is wrong with orders, best_orders advises, forced_centres tells in Fall what is certain. Answers"
    " are short; detail=true makes them longer."
)
MOST_SESSIONS, IDLE = 64, 600.0
"""Sessions over HTTP, and the seconds without a request after which one ends."""
PACE = 0.03
"""Seconds between two requests that may open a session, which costs a tenth of that: others go first."""
KNOWN = b"mcp-session-id"
"""The header of requests that open none."""
OVER = "bordeaux.over"
"""In the scope of a request over HTTP: what is set when it is answered, or its client gone."""
LAST = 1.5
"""Seconds that calls have for their answers once the input has ended."""
MOST_FAULTS = 3
"""Wrong arguments that one answer names."""


class AgentServer(MCPServer[Any]):
    """The tools of a desk. What goes wrong in a call is one line of its answer that says what to do."""

    def __init__(self, desk: AgentDesk) -> None:
        super().__init__(
            "bordeaux",
            title="Bordeaux, a Diplomacy engine",
            version=__version__,
            instructions=INSTRUCTIONS,
            log_level="CRITICAL",
        )
        self.desk = desk
        self._told: list[Tool] = []
        told, played = PositionTools(desk), PlayingTools(desk)
        for name, tool in [*_tools(told), *_tools(played)]:
            reads = hasattr(told, name) or name.startswith(("list_", "game_state"))
            place = functools.partial(desk.place, "search") if tool in told.searching else nullcontext
            hints = ToolAnnotations(read_only_hint=reads, open_world_hint=False)
            self.add_tool(in_thread(tool, place), annotations=hints)

    async def list_tools(self) -> list[Tool]:
        """The tools, in few words: a model reads them before anything else."""
        if not self._told:
            self._told = await super().list_tools()
            for tool in self._told:
                tool.input_schema = _brief(tool.input_schema)
                if tool.output_schema:
                    # The lines of an answer show what is in its parts.
                    names = tool.output_schema["properties"]
                    tool.output_schema = {"type": "object", "properties": {name: {} for name in names}}
        return self._told

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> Any:
        """Call a tool; its answer is given as data and in lines. Raises ToolError with one line."""
        tools = {tool.name: tool for tool in await self.list_tools()}
        if name not in tools:
            raise ToolError(
                f"there is no tool {quote(name)}{nearest(name, tools)}; tools: {', '.join(tools)}"
            )
        known = tools[name].input_schema.get("properties", {})
        for argument in arguments:
            if argument not in known:
                listed = f"arguments: {', '.join(known)}" if known else "it takes none"
                raise ToolError(
                    f"{name} has no argument {quote(argument)}{nearest(argument, known)}; {listed}"
                )
        request = None if context is None else context.request_context.request
        CANCELLED.set(threading.Event() if request is None else request.scope[OVER])
        try:
            result = await super().call_tool(name, arguments, context)
        except ToolError as error:
            raise ToolError(self._line(error)) from None
        if isinstance(result, CallToolResult) and result.structured_content is not None:
            result.content = [TextContent(type="text", text=in_lines(result.structured_content))]
        return result

    def _line(self, error: ToolError) -> str:
        """One line about what went wrong."""
        cause = error.__cause__
        if isinstance(cause, ValidationError):
            said = [
                _wrong(list(faults)) for _, faults in groupby(cause.errors(), lambda fault: fault["loc"][:1])
            ]
            more = f"; and {len(said) - MOST_FAULTS} more" if len(said) > MOST_FAULTS else ""
            return "; ".join(said[:MOST_FAULTS]) + more
        if not isinstance(cause, Exception):
            return str(error)
        status, line = fault_of(cause)
        if status == 500:
            self.desk.log(line)
        return line


def _tools(owner: object) -> list[tuple[str, Callable[..., Any]]]:
    """The public methods of an object, by their names."""
    return [(name, getattr(owner, name)) for name in vars(type(owner)) if not name.startswith("_")]


def in_thread(
    tool: Callable[..., Any], place: Callable[[], AbstractContextManager[None]] = nullcontext
) -> Callable[..., Any]:
    """A tool that runs in a thread, if there is a place for it. A client that takes its call back does not
    wait for it, and stops it."""

    @functools.wraps(tool)
    async def call(**given: Any) -> Any:
        try:
            with place():
                return await anyio.to_thread.run_sync(
                    functools.partial(tool, **given), abandon_on_cancel=True
                )
        finally:
            CANCELLED.get().set()

    return call


UNTOLD = frozenset(["title", "maxLength", "minLength", "maxItems", "minItems", "additionalProperties"])


def _brief(schema: Any) -> Any:
    """A schema of arguments without what repeats the names, and without limits that no game reaches."""
    if isinstance(schema, list):
        return [_brief(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        key: _brief(value)
        for key, value in schema.items()
        if not (key in UNTOLD and isinstance(value, str | int | bool))
        and not (key == "default" and value in ("", None, {}, False))
    }
    if kept.get("anyOf", [])[1:] == [{"type": "null"}]:
        return {**kept.pop("anyOf")[0], **kept}
    return kept


def _wrong(faults: Sequence[Any]) -> str:
    """A wrong argument in words: what it must be, in one of the shapes that it may have."""
    serious = [fault for fault in faults if not fault["type"].endswith("_type")] or faults
    first = serious[0]
    parts = (part for part in map(str, first["loc"]) if "[" not in part and "-" not in part)
    place = ".".join(parts) or "the arguments"
    if first["type"] == "missing":
        return f"{place} is missing"
    wanted = dict.fromkeys(fault["msg"].replace("Input should", "it must") for fault in serious)
    return f"{place}: {' or '.join(wanted)}, not {quote(first['input'])}"


_REQUEST = (
    'write it like {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "legal_orders",'
    ' "arguments": {"position": "start"}}}'
)


def _is_identity(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


class _Requests:
    """The lines of standard input that hold a message of the protocol. The SDK leaves all others without an
    answer, so they get one here. `ended` is called at the end of the input."""

    def __init__(self, lines: TextIO, out: anyio.AsyncFile[str], ended: Callable[[], None]):
        self._lines, self._out, self._ended = lines, out, ended

    def __aiter__(self) -> _Requests:
        return self

    async def __anext__(self) -> str:
        while line := await anyio.to_thread.run_sync(self._lines.readline, LARGEST_BODY + 1):
            if len(line) > LARGEST_BODY:
                await self._refuse(None, f"a request has more than {LARGEST_BODY >> 20} MB", INVALID_REQUEST)
                while line and not line.endswith("\n"):
                    line = await anyio.to_thread.run_sync(self._lines.readline, LARGEST_BODY)
                continue
            identity: object = None
            code = PARSE_ERROR
            try:
                # A JSON parser of Python refuses what is nested too deeply for all that follows.
                message = json.loads(line)
                identity = message.get("id") if isinstance(message, dict) else None
                code = INVALID_REQUEST
                if isinstance(message, dict) and "id" in message and not _is_identity(identity):
                    raise ValueError(f"its id is neither a text nor a whole number; {_REQUEST}")
                jsonrpc_message_adapter.validate_json(line, by_name=False)
                if message.get("method") == "tools/call":
                    code = INVALID_PARAMS
                    CallToolRequestParams.model_validate(message.get("params"))
                return line
            except (ValueError, RecursionError) as error:
                why = str(error)
                if isinstance(error, ValidationError):
                    fault: Any = error.errors()[0]
                    code = PARSE_ERROR if fault["type"] == "json_invalid" else code
                    # The first part of a place in a message is the SDK's name for a kind of message.
                    inner = fault["loc"][1:] or ("the request",)
                    place = ("params", *fault["loc"]) if code == INVALID_PARAMS else inner
                    why = fault["msg"] if code == PARSE_ERROR else _wrong([{**fault, "loc": place}])
                    why = f"{why}; {_REQUEST}"
                await self._refuse(identity, f"this is no request: {why}", code)
        self._ended()
        raise StopAsyncIteration

    async def _refuse(self, identity: object, why: str, code: int) -> None:
        identity = identity if _is_identity(identity) else None
        error = {"code": code, "message": why}
        await self._out.write(json.dumps({"jsonrpc": "2.0", "id": identity, "error": error}) + "\n")
        await self._out.flush()


def serve_streams(server: AgentServer) -> int:
    """Answer on standard input and output until the input ends or a signal comes; returns 128 and its
    number, or 0. Lines that are no message are answered with an error."""
    return asyncio.run(_serve_streams(server))


async def _serve_streams(server: AgentServer) -> int:
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    code = 0

    def stop(number: int) -> None:
        nonlocal code
        code = 128 + number
        done.set()

    def ended() -> None:
        # What is asked already is answered.
        server.desk.stop()
        loop.call_later(LAST, done.set)

    async def serve() -> None:
        lines, written = _own_streams()
        out = anyio.wrap_file(written)
        requests: Any = _Requests(lines, out, ended)
        core = server._lowlevel_server
        async with stdio_server(requests, out) as (reading, writing):
            await core.run(reading, writing, core.create_initialization_options())

    for number in ENDING_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    serving = asyncio.ensure_future(serve())
    waiting = asyncio.ensure_future(done.wait())
    await asyncio.wait([serving, waiting], return_when=asyncio.FIRST_COMPLETED)
    server.desk.close()
    if not serving.done():
        # A thread of the SDK waits for a line of the input, and nothing but a line wakes it.
        os._exit(code)
    waiting.cancel()
    await serving
    return code


def _own_streams() -> tuple[TextIO, TextIO]:
    """Standard input and output for the protocol alone: others meet the null device, and standard error."""
    null = os.open(os.devnull, os.O_RDONLY)
    taken = os.dup(0), os.dup(1)
    os.dup2(null, 0)
    os.dup2(2, 1)
    os.close(null)
    return os.fdopen(taken[0], encoding="utf-8", errors="replace"), os.fdopen(taken[1], "w", encoding="utf-8")


def guarded(server: AgentServer, token: str, port: int) -> RequestGuard:
    """The application for HTTP at a port of this machine, with the guard of the page; only the token in the
    header ``Authorization`` gives access."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST_BODY,
        max_sessions=MOST_SESSIONS,
        session_idle_timeout=IDLE,
    )

    turn = asyncio.Semaphore()

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        scope[OVER] = over = threading.Event()
        if not any(name == KNOWN for name, _ in scope.get("headers", ())):
            await turn.acquire()
            asyncio.get_running_loop().call_later(PACE, turn.release)
        try:
            await app(scope, receive, send)
        finally:
            over.set()

    return RequestGuard(
        watched,
        token,
        port,
        page=False,
        advice="send the header that bordeaux mcp has printed, Authorization: Bearer TOKEN",
    )


def serve_http(server: AgentServer, port: int, ready: Callable[[int, str], None]) -> int:
    """Answer on a port of this machine, 0 for any free one, until a signal comes; returns 128 and its number,
    or 0. `ready` is called with the port and the token."""
    token = server.desk.store.token()
    with listening(port, option="--http") as sock, contextlib.closing(server.desk):
        number: int = sock.getsockname()[1]
        code = served(guarded(server, token, number), sock, lambda: ready(number, token), server.desk.stop)
    if code:
        # A thread may still search, and nothing waits for it.
        sys.stdout.flush()
        os._exit(code)
    return code
