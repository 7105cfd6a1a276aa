"""Whole games on our own server in which all seven powers talk, all of whose messages are legal."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import pytest

from bordeaux import Position
from bordeaux.daide import Bot, Ending, PlayerBot
from bordeaux.daide import language as d
from bordeaux.daide.translate import turn_of
from bordeaux.press.diplomat.cabinet.headquarters import Briefing
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language.letter import Talker
from tests.daide.client.house import house
from tests.daide.client.talkers import Chatter
from tests.patience import PATIENCE

DRAWN = 1903


class Noting(Bot):
    """A bot that notes what the server says to its press."""

    def __init__(self, *args: object, **rest: object) -> None:
        super().__init__(*args, **rest)  # type: ignore[arg-type]
        self.delivered = 0
        self.objections: list[str] = []

    def heard(self, message: d.Value) -> None:
        match message:
            case d.YES(d.SND()):
                self.delivered += 1
            case d.REJ() if self.table.over:
                pass
            case d.REJ(d.SND(turn) | d.SUB(turn)):
                # Who owes no orders, or thinks about them again, may be late: the phase does not wait.
                assert self.table.phase is not None
                if turn == turn_of(self.table.phase):
                    self.objections.append(d.text(message))
            case d.HUH() | d.PRN() | d.REJ() | d.OUT() | d.CCD():
                self.objections.append(d.text(message))


class Guest(Noting, PlayerBot):
    """A player of ours."""


class Chatty(Guest):
    """Plays as a player that is quick, and talks at random."""

    chatter: Chatter

    def talker(self, position: Position, power: str) -> Talker | None:
        self.chatter = Chatter(power, self.envoy.level, self.seed, draws=DRAWN)
        return self.chatter


async def play(bots: Sequence[Noting]) -> list[Ending]:
    async with asyncio.timeout(PATIENCE):
        return await asyncio.gather(*(bot.play() for bot in bots))


@pytest.mark.parametrize(
    ("level", "limits"),
    [(20, {}), (130, {"npr": True, "npb": True}), (8000, {"mtl": 4, "rtl": 3, "btl": 3, "ptl": 1})],
)
def test_all_that_talkers_say_is_legal_and_heard(level: int, limits: dict[str, int]) -> None:
    with house(seed=level, level=level, **limits) as home:
        bots = [Chatty(home.address, "dumbbot", seed=n, level=level, talk=0.4) for n in range(7)]
        endings = asyncio.run(play(bots))
    assert {ending.kind for ending in endings} == {"draw"}
    assert {ending.phase[1:5] for ending in endings} == {str(DRAWN)}
    assert [line for bot in bots for line in bot.objections] == []
    letters = home.game.saved()["daide"]["press"]
    assert len(letters) == sum(bot.delivered for bot in bots) > 100
    assert sum(bot.chatter.heard for bot in bots) > 100


@pytest.mark.parametrize(
    ("level", "specs"),
    [
        (10, ("blabbot", "diplominator", "blabbot:peace=draw", "diplominator", "liar", "parrot", "dumbbot")),
        pytest.param(
            20,
            ("diplominator:bank=true",) * 3 + ("bordeaux:nodes=60,press=20", "parrot", "blabbot", "hold"),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            130,
            ("bordeaux:nodes=60,press=130",) * 2 + ("parrot", "liar", "blabbot", "dumbbot", "hold"),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_players_that_talk_do_so_on_a_server(level: int, specs: tuple[str, ...]) -> None:
    with house(seed=level, level=level, until=1902) as home:
        bots = [
            Guest(home.address, spec, seed=number, level=level, talk=1.0, nodes=60)
            for number, spec in enumerate(specs)
        ]
        endings = asyncio.run(play(bots))
    assert len(endings) == 7
    assert [line for bot in bots for line in bot.objections] == []
    press = [entry["press"] for entry in home.game.saved()["daide"]["press"]]
    assert any(text.startswith("PRP (PCE") for text in press)
    assert any(text.startswith("YES (PRP (PCE") for text in press)
    assert not any(text.startswith(("HUH", "TRY")) for text in press)
    assert all(bot.envoy.talker is not None for bot in bots if bot.spec not in ("dumbbot", "hold"))
    assert all(bot.envoy.talker is None for bot in bots if bot.spec in ("dumbbot", "hold"))


@pytest.mark.parametrize(
    ("level", "limits"), [(20, {}), (130, {"mtl": 60, "rtl": 30, "btl": 30, "npr": True, "npb": True})]
)
@pytest.mark.slow
def test_seven_engines_negotiate(level: int, limits: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """All that they say is legal, a peace binds, and no deadline is missed."""
    powers = set()
    briefing = Diplomat.briefing

    def noted(self: Diplomat, position: Position) -> Briefing:
        powers.add(self.power)
        return briefing(self, position)

    monkeypatch.setattr(Diplomat, "briefing", noted)
    characters = ("honest", "tit-for-tat", "opportunist")
    with house(seed=level, level=level, until=1902, **limits) as home:
        bots = [
            Noting(home.address, nodes=300, seed=n, level=level, talk=1.0, character=characters[n % 3])
            for n in range(7)
        ]
        endings = asyncio.run(play(bots))
    assert len({ending.power for ending in endings}) == 7
    assert [line for bot in bots for line in bot.objections] == []
    press = [entry["press"] for entry in home.game.saved()["daide"]["press"]]
    assert len(press) == sum(bot.delivered for bot in bots) > 50
    assert not any(text.startswith(("HUH", "TRY")) for text in press)
    answered = Counter(text.partition(" ")[0] for text in press)
    assert answered["YES"] > 10 and answered["REJ"] > 2
    assert any(word in text for text in press for word in ("XDO", "DMZ", "SCD", "AND"))
    # The search of each was told what it is to keep to.
    assert powers == {ending.power for ending in endings}
