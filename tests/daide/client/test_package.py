"""A whole game on the DAIDE server of the PyPI package `diplomacy`, seven bots at once, on loopback.

Its quirks are listed in docs/daide-servers.md.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Position
from bordeaux.daide import Bot
from bordeaux.daide import language as d
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language.letter import Talker
from tests.daide.client.house import ended
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "package_server.py"
NODES = 50


@contextmanager
def server(*options: str) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The address of the package's server, a process of its own, and what it says of the game at its end."""
    words = [sys.executable, str(SCRIPT), "--serve", *options]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on "), line
        yield line.split()[-1], lambda: json.loads(process.communicate(timeout=PATIENCE)[0])
    finally:
        process.kill()
        process.communicate()


class Counting(Bot):
    """Counts what the server says to its orders."""

    def begin(self) -> None:
        self.notes: Counter[str] = Counter()

    def heard(self, message: d.Value) -> None:
        match message:
            case d.THX(_, note):
                self.notes[note] += 1
            case d.HUH() | d.PRN() | d.REJ(d.SUB()):
                self.notes[d.text(message)] += 1


class Sharer(Diplomat):
    """Wants a draw from the second phase on."""

    def draw(self) -> tuple[str, ...] | None:
        return () if self._position is not None and str(self._position.phase) != "S1901M" else None


class Drawing(Counting):
    """A bot with a diplomat that wants a draw."""

    def talker(self, position: Position, power: str) -> Talker | None:
        return Sharer(position.map, power, self.engine, level=self.envoy.own_level)

    def made_peace(self) -> bool:
        diplomat = self.envoy.talker
        assert isinstance(diplomat, Sharer)
        return any(diplomat.ledger.at_peace(diplomat.power, other) for other in diplomat.policy.others)


def test_with_press_until_a_draw() -> None:
    with server("--deadline", "60", "--press") as (address, saved):
        given: dict[str, Any] = {"nodes": NODES, "patience": PATIENCE, "talk": 2.0, "level": 30}
        bots = [Drawing(address, seed=number, **given) for number in range(7)]
        endings = asyncio.run(ended(*bots))
        result = saved()
    assert {ending.kind for ending in endings} == {"draw"}
    assert result["phase"] == "COMPLETED"
    assert all(bot.table.level == 30 for bot in bots)
    assert sum(bot.made_peace() for bot in bots) >= 2, "nobody made peace"
    # None was refused, but for those of a bot whose last set crossed with the end of the game.
    notes = sum((bot.notes for bot in bots), Counter())
    crossed = [note for note in notes if note.startswith("REJ (SUB")]
    assert set(notes) - set(crossed) == {"MBV"} and notes["MBV"] >= 22
    assert sum(notes[note] for note in crossed) <= len(bots)
    for bot in bots:
        assert bot.table.position is not None
        assert {p: len(c) for p, c in bot.table.position.centres.items()} == {
            power: count for power, count in result["centres"].items() if count
        }
