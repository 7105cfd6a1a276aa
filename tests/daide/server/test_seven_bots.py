"""Seven of our bots play a game to its end on our server; one is killed, and its power taken over."""

from __future__ import annotations

import asyncio
import sys

from bordeaux import Position
from bordeaux.daide import Ending, PlayerBot
from bordeaux.daide import language as d
from bordeaux.daide.translate import now_of
from bordeaux.formats.games import game_from_json

from .wires import Client, Gone, run, serving


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


def test_a_whole_game() -> None:
    async def body() -> None:
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

    run(body)
