"""Analyses in a process beside: rounds, streams, stops, and a process that is killed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bordeaux import Position
from bordeaux.engine import Limit, Request
from bordeaux.web.analyses import Analyses, Analysis
from bordeaux.web.rounds import Ask

from ..jobs.seen import alive, children

START = Position.start()
PATIENCE = 60.0


def asked(nodes: int | None = 30_000, powers: tuple[str, ...] = ("FRANCE", "TURKEY"), **more: Any) -> Ask:
    return Ask(Request(START, powers, Limit(None, nodes), **more))


def run(scenario: Callable[[Analyses], Awaitable[None]]) -> None:
    """Play a scenario with the analyses of a server."""

    async def whole() -> None:
        analyses = Analyses()
        try:
            async with asyncio.timeout(PATIENCE):
                await scenario(analyses)
        finally:
            await analyses.close()
        assert children() == []

    asyncio.run(whole())


async def heard(analysis: Analysis) -> list[tuple[str, Any]]:
    """All events of an analysis, to its end."""
    return [(name, json.loads(text)) async for name, text in analysis.channel.listen()]


async def until(analysis: Analysis, condition: Callable[[str, Any], bool]) -> Any:
    """The first event for which a condition holds."""
    async for name, text in analysis.channel.listen():
        if condition(name, content := json.loads(text)):
            return content
    raise AssertionError("the stream has ended")


def whole_round(name: str, content: Any) -> bool:
    return name == "analysis" and bool(content["final"])


def test_rounds_grow_and_answers_come_at_once() -> None:
    async def scenario(analyses: Analyses) -> None:
        events = await heard(analyses.begin("s", "0", asked()))
        assert events[-1] == ("end", {"reason": "limit"})
        found = [content for name, content in events if name == "analysis"]
        assert found[0]["nodes"] == 0 and set(found[0]["answers"]) == {"FRANCE", "TURKEY"}
        assert all(answer["orders"] for answer in found[0]["answers"].values())
        last = [each for each in found if each["final"]]
        assert [each["round"] for each in last] == [1, 2, 3]
        spent = [each["nodes"] for each in last]
        growth = [after - before for before, after in zip([0, *spent], spent, strict=False)]
        assert growth[1] > 1.5 * growth[0] and growth[2] > 1.5 * growth[1]
        assert 30_000 <= spent[-1] < 33_000
        assert [each["nodes"] for each in found] == sorted(each["nodes"] for each in found)
        for each in last:
            assert set(each["answers"]) == {"FRANCE", "TURKEY"}
            for answer in each["answers"].values():
                assert answer["lines"][0]["orders"] == answer["orders"] and len(answer["lines"]) <= 5
                assert answer["terms"] and answer["marginals"] and "RUSSIA" in answer["expected"]

    run(scenario)


def test_with_nodes_the_answer_is_the_same_every_time() -> None:
    async def scenario(analyses: Analyses) -> None:
        def plain(events: list[tuple[str, Any]]) -> list[Any]:
            return [
                (content["round"], content["nodes"], content["answers"])
                for name, content in events
                if whole_round(name, content)
            ]

        first = plain(await heard(analyses.begin("s", "0", asked(12_000))))
        # In between the engine is told a line, and has to forget it.
        told = asked(4000)._replace(history=((START, {"FRANCE": []}),))
        await heard(analyses.begin("s", "0", told))
        assert plain(await heard(analyses.begin("s", "0", asked(12_000)))) == first and len(first) == 2

    run(scenario)


def test_two_listen_and_a_late_one_gets_the_newest_of_everything() -> None:
    async def scenario(analyses: Analyses) -> None:
        analysis = analyses.begin("s", "0", asked())
        one, other = await asyncio.gather(heard(analysis), heard(analysis))
        assert one == other
        answers: dict[str, Any] = {}
        for name, content in one:
            if name == "analysis":
                answers |= content["answers"]
        late = await heard(analysis)
        assert [name for name, _ in late] == ["analysis", "end"]
        assert late[0][1]["answers"] == answers and late[1] == one[-1]
        assert analysis.channel.listeners == 0

    run(scenario)


def test_stopped_it_ends_and_what_was_found_stays() -> None:
    async def scenario(analyses: Analyses) -> None:
        analysis = analyses.begin("s", "0", asked(None))
        assert (await until(analysis, whole_round))["answers"].keys() == {"FRANCE", "TURKEY"}
        analyses.stop(analysis)
        events = await heard(analysis)
        assert events[-1] == ("end", {"reason": "stopped"})
        newest = [content for name, content in events if name == "analysis"][-1]
        assert newest["final"] or newest["round"] > 1
        analyses.stop(analysis)
        again = analyses.begin("s", "0", asked(4000))
        assert (await heard(again))[-1] == ("end", {"reason": "limit"})

    run(scenario)


def test_a_new_one_ends_the_one_before_even_one_that_has_not_begun() -> None:
    async def scenario(analyses: Analyses) -> None:
        many = [analyses.begin("s", str(node), asked(None)) for node in range(3)]
        last = analyses.begin("s", "9", asked(4000))
        for each in many:
            assert (await heard(each))[-1] == ("end", {"reason": "superseded"})
        assert (await heard(last))[-1] == ("end", {"reason": "limit"})
        assert len(children()) == 1

    run(scenario)


def test_a_killed_process_is_told_and_replaced_and_the_search_goes_on() -> None:
    async def scenario(analyses: Analyses) -> None:
        analysis = analyses.begin("s", "0", asked(None))
        before = await until(analysis, lambda name, content: whole_round(name, content) and content["round"] == 2)
        (process,) = children()
        os.kill(process, signal.SIGKILL)
        fault = await until(analysis, lambda name, _: name == "error")
        assert fault["again"] and "SIGKILL" in fault["error"]
        after = await until(
            analysis, lambda name, content: whole_round(name, content) and content["round"] > before["round"]
        )
        assert after["nodes"] > before["nodes"]
        assert children() != [process] and len(children()) == 1
        analyses.stop(analysis)
        assert (await heard(analysis))[-1] == ("end", {"reason": "stopped"})

    run(scenario)


def test_a_process_that_dies_again_and_again_ends_the_analysis_and_no_more() -> None:
    async def scenario(analyses: Analyses) -> None:
        analysis = analyses.begin("s", "0", asked(None))

        async def killing() -> None:
            while analysis.ended is None:
                for process in children():
                    os.kill(process, signal.SIGKILL)
                await asyncio.sleep(0.05)

        events, _ = await asyncio.gather(heard(analysis), killing())
        faults = [content for name, content in events if name == "error"]
        assert [fault["again"] for fault in faults] == [True, True, False]
        assert events[-1] == ("end", {"reason": "error"})
        assert (await heard(analyses.begin("s", "0", asked(4000))))[-1] == ("end", {"reason": "limit"})

    run(scenario)


def test_one_that_nobody_listens_to_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bordeaux.web.analyses.LONELY", 0.05)
    monkeypatch.setattr("bordeaux.web.analyses.LOOK", 0.01)

    async def scenario(analyses: Analyses) -> None:
        analysis = analyses.begin("s", "0", asked(None))
        while analysis.ended is None:
            await asyncio.sleep(0.01)
        assert analysis.ended == "stopped"

    run(scenario)


def test_a_phase_with_little_to_do_ends_before_its_time() -> None:
    async def scenario(analyses: Analyses) -> None:
        winter = Position.from_json(
            {"name": "W1901A", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR", "BRE"]}}
        )
        events = await heard(analyses.begin("s", "0", Ask(Request(winter, (), Limit(600.0)))))
        assert events[-1] == ("end", {"reason": "limit"})
        assert events[-2][1]["answers"]["FRANCE"]["orders"][0].endswith("BRE B")

    run(scenario)


ENDLESS = """
import asyncio, sys
from bordeaux import Position
from bordeaux.engine import Limit, Request
from bordeaux.web.analyses import Analyses
from bordeaux.web.rounds import Ask

from ..jobs.seen import alive, children

async def main():
    analyses = Analyses()
    analysis = analyses.begin("s", "0", Ask(Request(Position.start(), (), Limit(None, None))))
    async for name, text in analysis.channel.listen():
        print(name, flush=True)

asyncio.run(main())
"""


def test_a_killed_server_leaves_no_process_that_searches_on() -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stdout.readline() == "analysis\n"
        workers = children(server.pid)
        assert workers
        server.kill()
    deadline = time.monotonic() + PATIENCE
    while any(map(alive, workers)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
