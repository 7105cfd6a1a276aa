"""The conversation on docs/agents.md is held: every call gets the answer that the page shows."""

from __future__ import annotations

import json
import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
import golden

from .conftest import Agent, text_of

PAGE = golden.ROOT / "docs" / "agents.md"
CALL = re.compile(r"> (\w+) (\{.*\})")


def calls() -> Iterator[tuple[str, dict[str, object], list[str]]]:
    """Tool, arguments and shown answer of every call on the page."""
    for block in re.findall(r"```conversation\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL):
        for part in re.split(r"^(?=> )", block, flags=re.MULTILINE)[1:]:
            call, *shown = part.rstrip().splitlines()
            match = CALL.fullmatch(call)
            assert match is not None, call
            yield match[1], json.loads(match[2]), shown


@pytest.mark.slow
def test_the_conversation_of_the_page_is_held(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    held = list(calls())
    assert len(held) > 8
    game = next(str(arguments["game"]) for _, arguments, _ in held if "game" in arguments)
    monkeypatch.setattr(secrets, "token_hex", lambda count: game)
    for tool, arguments, shown in held:
        lines = [line for line in text_of(agent.result(tool, **arguments)).splitlines() if line]
        assert golden.renewed(shown, lines) == shown, f"{tool}:\n" + "\n".join(lines)


def test_the_page_names_every_tool(agent: Agent) -> None:
    tools = {tool.name for tool in agent.session(lambda client: client.list_tools()).tools}
    rows = set(re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE))
    assert rows == tools
