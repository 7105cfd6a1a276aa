"""A server in this process, and the official client that calls its tools."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult

from bordeaux.protocols.mcp.desk import AgentDesk
from bordeaux.protocols.mcp.server import AgentServer
from bordeaux.studies.store import Store


class Agent:
    """What a model does: it calls tools by name, each call in a session of its own."""

    def __init__(self, server: AgentServer) -> None:
        self.server = server

    def session(self, use: Callable[[Client], Awaitable[Any]], mode: str = "auto") -> Any:
        """The result of something that is done with a client."""

        async def run() -> Any:
            async with Client(self.server, mode=mode) as client:
                return await use(client)

        return anyio.run(run)

    def result(self, tool: str, **arguments: Any) -> CallToolResult:
        """The result of a call."""
        result = self.session(functools.partial(Client.call_tool, name=tool, arguments=arguments))
        assert isinstance(result, CallToolResult)
        return result

    def __call__(self, tool: str, **arguments: Any) -> Any:
        """The data of an answer."""
        result = self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        assert text_of(result)
        return result.structured_content

    def wrong(self, tool: str, **arguments: Any) -> str:
        """The one line of an answer that says what is wrong."""
        result = self.result(tool, **arguments)
        line = text_of(result)
        assert result.is_error and "\n" not in line and "Traceback" not in line, line
        return line


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert content.type == "text"
    return content.text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "studies"


@pytest.fixture
def made(folder: Path) -> Iterator[Callable[[], Agent]]:
    """A maker of servers on one folder."""
    desks: list[AgentDesk] = []

    def make() -> Agent:
        desks.append(AgentDesk(Store(folder), lambda line: pytest.fail(line)))
        return Agent(AgentServer(desks[-1]))

    yield make
    for desk in desks:
        desk.close()


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """A server for all tests of a module that leave it as it was."""
    desk = AgentDesk(Store(tmp_path_factory.mktemp("studies")), lambda line: pytest.fail(line))
    yield Agent(AgentServer(desk))
    desk.close()
