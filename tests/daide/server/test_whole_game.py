"""Whole games of seven players who order anything legal, against the rules themselves."""

from __future__ import annotations

import asyncio
import random
import sys
from typing import Any

import pytest

from bordeaux import Order, Position
from bordeaux.board.order import OrderKind
from bordeaux.daide import Ending, PlayerBot
from bordeaux.daide import language as d
from bordeaux.daide.server import ServerGame
from bordeaux.daide.translate import (
    adjustments_owed,
    now_of,
    order_of,
    phase_of,
    position_of,
    turn_of,
    value_of,
)
from bordeaux.formats.games import game_from_json
from bordeaux.rules import adjudicate
from bordeaux.rules.outcome import eliminated
from bordeaux.rules.rulesets import DAIDE
from tests.daide.server.scene import Scene, dull
from tests.oracle.scenarios import Seeded
from tests.rules.playing import chosen_orders

from .wires import Client, Gone, serving

WATCHER = 1
WORDS = {"BNC": "bounce", "CUT": "cut", "DSR": "disrupted"}
LIMITS: dict[str, Any] = {"mtl": 60, "rtl": 30, "btl": 30}


class Turn:
    """One turn of a scene: what was submitted, and what the watcher was told of it."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.before = scene.game.position
        self.sent: dict[str, list[Order]] = {}

    @property
    def open(self) -> bool:
        return self.scene.game.position is self.before

    def submit(self, token: str, text: str) -> None:
        """Send orders that must all be taken."""
        self.scene.say(token, f"SUB {text}")
        thanks = [value for value in self.scene.values[self.scene.of[token]] if isinstance(value, d.THX)]
        assert thanks and all(value.note == "MBV" for value in thanks), thanks
        for value in thanks:
            power, order = order_of(value.order, self.before.map)
            self.sent.setdefault(power, []).append(order)

    def told(self, kind: type) -> list[Any]:
        """What the watcher has heard, of one kind."""
        return [value for value in self.scene.values[WATCHER] if isinstance(value, kind)]

    def missing(self, token: str) -> d.MIS:
        self.scene.say(token, "MIS")
        (missing,) = (value for value in self.scene.values[self.scene.of[token]] if isinstance(value, d.MIS))
        return missing


def play(scene: Scene, chance: random.Random, lazy: float) -> None:
    """Every power submits random orders in pieces, the lazy ones not all of them; the turn ends by
    itself, or at the deadline."""
    turn = Turn(scene)
    before = turn.before
    for power, orders in chosen_orders(before, Seeded(chance.getrandbits(32))).items():
        values = [value_of(order, power, before) for order in orders if chance.random() >= lazy]
        chance.shuffle(values)
        while values and turn.open:
            some, values = values[:2], values[2:]
            named = f"({turn_of(before.phase)}) " if chance.random() < 0.5 else ""
            turn.submit(before.map.tags[power], named + " ".join(f"({value})" for value in some))
    for token in scene.of:
        if turn.open and not lazy and (rest := dull(turn.missing(token), token, before)):
            turn.submit(token, rest)
    if turn.open:
        late = {token for token in scene.of if waited_for(turn.missing(token), token, before)}
        assert late and lazy
        wake = scene.game.wake(scene.now)
        assert wake is not None
        scene.now = wake
        scene.take(scene.game.tick(wake))
        out = {before.map.tags[power] for power in eliminated(scene.game.position)}
        assert {value.power for value in turn.told(d.CCD)} == late - out
    check(turn)


def waited_for(missing: d.MIS, token: str, position: Position) -> bool:
    """Whether a turn waits for what a power misses: not for builds that no home is open for."""
    power = position.map.power(token)
    needless = adjustments_owed(position, power) - position.adjustments(power)
    number = missing.number or 0
    return missing.units is not None or number > 0 or -number > needless


def check(turn: Turn) -> None:
    """Hold what the watcher has heard against what the rules say."""
    before, after = turn.before, turn.scene.game.position
    expected = adjudicate(before, turn.sent, DAIDE)
    assert after == expected.after
    results = turn.told(d.ORD)
    (now,) = turn.told(d.NOW)
    turn.scene.say(WATCHER, "SCO")
    (sco,) = turn.told(d.SCO)
    if after.phase.kind != "-":
        assert phase_of(now.turn) == after.phase
        assert position_of(now, sco, before.map) == after
    assert {value.turn for value in results} == {turn_of(before.phase)}
    check_results(before, results, turn.sent, expected.results)


def check_results(
    before: Position, results: list[d.ORD], sent: dict[str, list[Order]], words: dict[str, list[str]]
) -> None:
    """One result for each unit, of the order that was sent, with the words of the rules."""
    given = {order.location: order for orders in sent.values() for order in orders if order.location}
    units = [str(unit) for unit in before.units]
    if before.phase.kind == "R":
        units = [str(dislodged.unit) for dislodged in before.dislodged]
    seen = []
    for _, value, result in results:
        if isinstance(value, d.WVE):
            assert result == ("SUC",)
            continue
        _, order = order_of(value, before.map)
        seen.append(f"{order.unit} {order.location}")
        if before.phase.kind == "A":
            assert result == ("SUC",)
            continue
        assert order._replace(route=()) == given.get(order.location, order)._replace(route=())
        said = set(words[seen[-1]])
        assert ("RET" in result) == ("dislodged" in said)
        if order.kind != OrderKind.HOLD:
            failed = {WORDS[token] for token in result if token in WORDS}
            assert failed == said & set(WORDS.values()) or (failed == {"cut"} and "void" in said)
            assert ("NSO" in result) == (("void" in said and not failed) or "no convoy" in said)
    if before.phase.kind != "A":
        assert sorted(seen) == sorted(units)


@pytest.mark.parametrize(
    ("seed", "lazy", "options"),
    [
        (1, 0.0, {}),
        (2, 0.4, LIMITS),
        (3, 0.05, {**LIMITS, "aoa": True, "level": 130, "pda": True}),
    ],
)
def test_a_game_of_random_players(seed: int, lazy: float, options: dict[str, Any]) -> None:
    chance = random.Random(seed)
    scene = Scene.started(seed=seed, observers=1, **options)
    turns = 0
    while scene.game.state == "running" and scene.game.position.phase.year < 1909:
        play(scene, chance, lazy)
        turns += 1
    assert turns > 12
    saved = scene.game.saved()
    assert len(saved["phases"]) == turns + 1
    if scene.game.state == "running":
        assert ServerGame.resume(saved).saved() == saved


class Fighter(PlayerBot):
    """One that accepts no draw."""

    def draw(self, position: Position, power: str) -> None:
        """No."""


async def observe(client: Client) -> list[d.Value]:
    """Everything an observer hears, until the server says goodbye."""
    heard: list[d.Value] = []
    try:
        while True:
            heard.append(d.read(await client.hear(), side="server", level=8000))
    except Gone:
        return heard


@pytest.mark.slow
async def test_a_whole_game() -> None:
    async with serving(level=10, seed=2, linger=1.5) as served:
        watcher = await served.client()
        watcher.say("OBS", "YES (MAP ('standard'))")
        watching = asyncio.create_task(observe(watcher))
        address = f"127.0.0.1:{served.port}"
        command = (sys.executable, "-P", "-m", "bordeaux", "bot", address, "--player", "dumbbot")
        victim = await asyncio.create_subprocess_exec(
            *command, "--name", "Victim", stdout=asyncio.subprocess.DEVNULL
        )
        await served.logged("a player (Victim")
        bots = [
            asyncio.create_task(Fighter(address, "hold", name="Hold", seed=number).play())
            for number in range(6)
        ]
        await served.logged("F1901M")
        power = next(line.split(" is ")[1][:3] for line in reversed(served.lines) if "(Victim" in line)
        victim.kill()
        await victim.wait()
        await served.logged(f"nobody plays {power}")
        heir = Fighter(address, "dumbbot", name="Heir", claim=(power, served.game.passcode(power)))
        bots.append(asyncio.create_task(heir.play()))
        endings: list[Ending] = await asyncio.gather(*bots)
        heard = await watching

    outcome = served.game.outcome
    assert outcome is not None and outcome.kind == "solo"
    assert {(ending.kind, ending.powers) for ending in endings} == {("solo", outcome.powers)}

    assert heard[:3] == [d.YES(d.OBS()), d.MAP("standard"), d.HLO("UNO", 0, (d.Option("LVL", 10),))]
    assert [type(value) for value in heard[-4:]] == [d.SCO, d.SLO, d.SMR, d.OFF]
    assert d.CCD(power) in heard and d.NOT(d.CCD(power)) in heard
    summary = heard[-2]
    assert isinstance(summary, d.SMR)
    assert {line.power: line.name for line in summary.lines}[power] == "Victim"
    assert sum(line.centres for line in summary.lines) <= 34

    game = game_from_json(served.saves[-1])
    positions = [value for value in heard if isinstance(value, d.NOW)]
    kept = [now_of(game.position(number)) for number in range(len(game.phases) - 1)]
    assert positions[: len(kept)] == kept, "the observer saw what was saved"
    for number, phase in enumerate(game.phases[:-1]):
        turn = kept[number].turn
        results = [value for value in heard if isinstance(value, d.ORD) and value.turn == turn]
        if phase.name.endswith("M"):
            assert len(results) == len(kept[number].units), "one result for every unit"
