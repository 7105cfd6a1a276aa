"""Levels of strength at a DAIDE server: they order what their level draws at any table, and say nothing."""

from __future__ import annotations

import asyncio

from bordeaux import Map, Position
from bordeaux.daide import Ending, PlayerBot
from bordeaux.players import registry
from bordeaux.players.base import Limit, Seat
from bordeaux.players.limits import LEVELS
from tests.daide.client.house import house
from tests.patience import PATIENCE

MAP = Map.standard()
LOW = [level for level in LEVELS if level.temperature is not None]
SEED = 4


def test_low_levels_play_a_daide_game_as_at_any_table_and_do_not_talk() -> None:
    async def all_of(bots: list[PlayerBot]) -> list[Ending]:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.gather(*(bot.play() for bot in bots))

    specs = [f"bordeaux:level={level.number}" for level in LOW] + ["hold", "hold"]
    with house(seed=3, level=20, until=1901, npr=True, npb=True) as home:
        bots = [PlayerBot(home.address, spec, name=f"Guest{n}", seed=SEED) for n, spec in enumerate(specs)]
        asyncio.run(all_of(bots))
        game = home.game.saved()
    assert game["daide"]["press"] == []
    first = game["phases"][0]
    for bot, spec in zip(bots[: len(LOW)], specs, strict=False):
        power = next(
            name for name in MAP.powers if MAP.tags[name] == bot.table.power or name == bot.table.power
        )
        player = registry.create(spec, Seat(power, MAP, SEED))
        assert set(first["orders"][power]) == set(map(str, player.orders(Position.start(MAP), Limit()))), spec
        # Whatever became of the board, every unit had an order in Fall too.
        fall = next(phase for phase in game["phases"] if phase["name"] == "F1901M")
        assert len(fall["orders"][power]) == len(fall["state"]["units"][power]), spec
