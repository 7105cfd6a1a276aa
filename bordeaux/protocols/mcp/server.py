"""The server: all tools, errors as answers, and two ways to talk: standard streams, and HTTP on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import CallToolResult, TextContent, Tool, ToolAnnotations
from pydantic import ValidationError

from bordeaux import __version__
from bordeaux.board.errors import nearest, quote
from bordeaux.jobs.process import ENDING_SIGNALS
from bordeaux.protocols.loopback import listening, served
from bordeaux.protocols.mcp.answers import in_lines
from bordeaux.protocols.mcp.desk import AgentDesk
from bordeaux.protocols.mcp.playing import PlayingTools
from bordeaux.protocols.mcp.tools import PositionTools
from bordeaux.protocols.request_guard import LARGEST_BODY, RequestGuard
from bordeaux.studies.host import fault_of

__all__ = ["PATH", "AgentServer", "guarded", "serve_http", "serve_streams"]

PATH = "/mcp"
INSTRUCTIONS = (
    "Bordeaux is an engine for the board game Diplomacy. Every tool that takes a position reads start, the id"
    " of a game, or the content of a position or saved game. Orders are written like A PAR - BUR,"
    " A MAR S A PAR - BUR, F NTH C A LON - NWY, A PAR H, F STP/NC B. To play: new_game, then for each phase"
    " my_orders and next_phase; send_message talks to the others where press is allowed. check_orders says"
    " what is wrong with orders, best_orders advises, forced_centres tells in Fall what is certain. Answers"
    " are short; detail=true makes them longer."
)
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
        for tool in PositionTools(desk).all:
            self.add_tool(tool, annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
        for move in PlayingTools(desk).all:
            reads = move.__name__.startswith(("list_", "game_state"))
            self.add_tool(move, annotations=ToolAnnotations(read_only_hint=reads, open_world_hint=False))

    async def list_tools(self) -> list[Tool]:
        """The tools; their schemas have no titles, which repeat the names."""
        tools = await super().list_tools()
        for tool in tools:
            tool.input_schema = _untitled(tool.input_schema)
            tool.output_schema = tool.output_schema and _untitled(tool.output_schema)
        return tools

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
            faults = cause.errors()
            more = f"; and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
            return "; ".join(_wrong(fault) for fault in faults[:MOST_FAULTS]) + more
        if not isinstance(cause, Exception):
            return str(error)
        status, line = fault_of(cause)
        if status == 500:
            self.desk.log(line)
        return line


def _untitled(schema: Any) -> Any:
    """A schema without the titles that pydantic makes."""
    if isinstance(schema, dict):
        return {
            key: _untitled(value)
            for key, value in schema.items()
            if key != "title" or not isinstance(value, str)
        }
    return [_untitled(part) for part in schema] if isinstance(schema, list) else schema


def _wrong(fault: Any) -> str:
    """A wrong argument in words."""
    place = ".".join(str(part) for part in fault["loc"]) or "the arguments"
    said = fault["msg"][:1].lower() + fault["msg"][1:]
    return (
        f"{place}: {said}" if fault["type"] == "missing" else f"{place}: {said}, not {quote(fault['input'])}"
    )


def serve_streams(server: AgentServer) -> int:
    """Answer on standard input and output until the input ends or a signal comes; returns 128 and its
    number, or 0."""
    return asyncio.run(_serve_streams(server))


async def _serve_streams(server: AgentServer) -> int:
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    code = 0

    def stop(number: int) -> None:
        nonlocal code
        code = 128 + number
        done.set()

    for number in ENDING_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    serving = asyncio.ensure_future(server.run_stdio_async())
    ended = asyncio.ensure_future(done.wait())
    await asyncio.wait([serving, ended], return_when=asyncio.FIRST_COMPLETED)
    server.desk.close()
    if code:
        # A thread of the SDK waits for a line of the input, and nothing but a line wakes it.
        os._exit(code)
    ended.cancel()
    await serving
    return code


def guarded(server: AgentServer, token: str, port: int) -> RequestGuard:
    """The application for HTTP at a port of this machine, with the guard of the page; only the token in the
    header ``Authorization`` gives access."""
    app = server.streamable_http_app(streamable_http_path=PATH, max_request_body_size=LARGEST_BODY)
    return RequestGuard(
        app,
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
        return served(guarded(server, token, number), sock, lambda: ready(number, token))
