"""How talks are held in a phase of a game."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from bordeaux import Position
from bordeaux.daide import Bot, PlayerBot
from bordeaux.daide import language as d
from bordeaux.daide.client import envoy
from bordeaux.daide.translate import turn_of
from bordeaux.players.limits import LEVELS as STRENGTHS
from bordeaux.press.diplomat.cabinet.headquarters import Briefing
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter, Talker
from tests.daide.client.house import BUILDS, FALL, ended, house
from tests.daide.client.scripted import START, Result, Script, Talk, game, play
from tests.daide.client.talkers import Chatter, Parley, Spokesman
from tests.daide.client.test_envoy import PEACE
from tests.daide.client.test_link import back
from tests.patience import PATIENCE


def talking(voice: Parley, *scripts: Script, **options: object) -> Result:
    kind = type("Talking", (Spokesman,), {"voice": voice})
    return play(*scripts, kind=kind, **{"level": 130, "talk": 2.0, **options})


def phase(options: str, of: Position = START, *press: str) -> Script:
    """A game of one phase, at whose beginning ENG says something."""
    return game(of, *(f"FRM (ENG) (FRA) ({text})" for text in press), "all", options=options)


ANSWERS = tuple(f"SND (SPR 1901) (ENG) ({verb} (PRP (PCE (ENG FRA))))" for verb in ("YES", "REJ"))


def accepting(letter: Letter) -> list[Letter]:
    """Yes to every proposal."""
    yes = isinstance(letter.message, p.Propose | p.Insist)
    return [Letter("FRANCE", (letter.sender,), p.Accept(letter.message))] if yes else []


def test_talks_come_before_orders_and_in_their_thread() -> None:
    peace, thanks = Letter("FRANCE", ("ENGLAND",), PEACE), Letter("FRANCE", ("GERMANY",), PEACE)
    voice = Parley([peace], accepting, [thanks])
    # Calm is a second and a half, within which the letter comes however busy the machine is.
    result = talking(voice, phase("(LVL 20)", START, "PRP (DRW)"), talk=10.0)
    assert result.error is None
    assert voice.asked == ["open S1901M", "hear", "quiet", "quiet", "draw", "orders S1901M"]
    assert voice.levels == [20] and len(voice.threads) == 1
    assert threading.get_ident() not in voice.threads
    said = [text for text in result.said() if text.startswith(("SND", "SUB"))]
    assert said[:3] == [
        "SND (SPR 1901) (ENG) (PRP (PCE (FRA ENG)))",
        "SND (SPR 1901) (ENG) (YES (PRP (DRW)))",
        "SND (SPR 1901) (GER) (PRP (PCE (FRA ENG)))",
    ]
    assert said[3].startswith("SUB") and len(said) == 4


def test_what_is_above_the_level_is_answered_huh_and_not_heard() -> None:
    voice = Parley(answers=accepting)
    result = talking(voice, phase("(LVL 10)", START, "PRP (XDO ((ENG FLT LON) HLD))", "HUH (ERR DRW)"))
    huh, *rest = result.said("SND")
    assert huh == "SND (SPR 1901) (ENG) (HUH (PRP (ERR XDO ((ENG FLT LON) HLD))))" and "TRY" in rest[0]
    assert voice.heard == []


@pytest.mark.parametrize(
    ("options", "of", "level"),
    [("(LVL 0)", START, 130), ("(LVL 10) (NPB)", BUILDS, 130), ("(LVL 10)", START, 0)],
)
def test_where_nobody_may_talk_there_are_no_talks_but_orders_and_draws(
    options: str, of: Position, level: int
) -> None:
    voice = Parley([Letter("FRANCE", ("ENGLAND",), PEACE)], shared=())
    result = talking(voice, phase(options, of), level=level)
    assert result.error is None and not result.said("SND")
    assert voice.asked == ["draw", f"orders {of.phase}"] and result.said("DRW") == ["DRW"]


@pytest.mark.parametrize(
    ("player", "level"),
    [
        *((f"bordeaux:level={number.number},nodes=500", 20) for number in STRENGTHS),
        ("bordeaux:level=2", 25),
    ],
)
def test_the_engine_talks_at_every_level_of_strength(
    player: str, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(envoy, "MOST_CALM", envoy.LEAST_CALM)

    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 20)")
        talk.turn(START)
        await talk.all_orders()
        talk.say("FRM (ENG) (FRA) (PRP (PCE (ENG FRA)))")
        while not (await talk.hear()).startswith(ANSWERS):
            pass
        talk.end()

    result = play(script, kind=PlayerBot, player=player, level=level)
    assert result.error is None and result.said("SUB")


def test_an_engine_without_press_keeps_quiet() -> None:
    asked = phase("(LVL 20)", START, "PRP (PCE (ENG FRA))")
    result = play(asked, kind=PlayerBot, player="bordeaux:level=2,press=0", level=20, talk=0.1)
    assert result.error is None and result.said("SUB") and not result.said("SND")


def test_letters_go_out_as_they_are_written_and_stop_with_the_time() -> None:
    class Slow(Parley):
        def open_talks(self, position: Position, level: int) -> Iterator[Letter]:
            yield Letter("FRANCE", ("ENGLAND",), PEACE)
            assert said.wait(PATIENCE)
            while True:
                yield Letter("FRANCE", ("ITALY",), p.Propose(p.Draw()))

    said = threading.Event()
    script = game(START, "?SND", said.set, "all", options="(LVL 10)")
    result = talking(Slow(), script, talk=0.3)
    assert result.error is None and result.said("SND")[0] == "SND (SPR 1901) (ENG) (PRP (PCE (FRA ENG)))"
    assert 1 < len(result.said("SND")) <= envoy.MOST_LETTERS and result.said("SUB")


def test_a_talker_that_fails_is_silent_and_costs_no_orders() -> None:
    def fail(*about: object) -> Any:
        raise RuntimeError("speechless")

    voice = Parley(answers=fail, afterwards=[Letter("FRANCE", ("ENGLAND",), PEACE)])
    vars(voice).update(open_talks=fail, draw=fail)
    result = talking(voice, phase("(LVL 10)", START, "PRP (DRW)"))
    assert result.error is None and result.said("SUB") and len(result.said("SND")) == 1


def test_a_bot_without_a_talker_hears_press_and_keeps_quiet() -> None:
    class Silent(Spokesman):
        def talker(self, position: Position, power: str) -> None:
            raise RuntimeError("nobody")

    result = play(phase("(LVL 10)", START, "PRP (DRW)", "PRP (XDO ((ENG FLT NAR) HLD))"), kind=Silent)
    assert result.error is None and result.said("SUB")
    assert [text.split(") (")[2][:3] for text in result.said("SND")] == ["HUH", "TRY"], "level 20 alone"
    assert result.bot.envoy.next(0.0, lambda: False) is None


def test_late_letters_are_answered_and_what_is_agreed_changes_the_orders() -> None:
    class Talking(Spokesman):
        """Its orders change with what it agrees to."""

    def agreeing(letter: Letter) -> list[Letter]:
        said = accepting(letter)
        if said:
            Talking.given = ("A PAR - BUR",)
        return said

    late = ("FRM (ENG) (FRA) (FCT (DRW))", "FRM (ENG) (FRA) (PRP (PCE (FRA ENG)))")
    answered = "?SND (SPR 1901) (ENG) (YES (PRP (PCE (FRA ENG))))"
    again = ("?NOT (GOF)", "YES (NOT (GOF))", "orders", "?GOF")
    script = game(START, "orders", *late, answered, *again, options="(LVL 20)")
    voice = Talking.voice = Parley(answers=agreeing)
    result = play(script, kind=Talking, level=20, talk=0.2)
    assert result.error is None
    first, second = result.said("SUB")
    assert first != second and "(FRA AMY PAR) MTO BUR" in second
    assert voice.asked.count("orders S1901M") == 2


def test_short_deadlines_are_kept_whatever_the_talker_does() -> None:
    """A talker that never ends its talks, or thinks until there are orders, costs talks and not orders."""

    def endless(letter: Letter) -> list[Letter]:
        return [Letter("FRANCE", ("ENGLAND",), PEACE)]

    class Dreamer(Parley):
        def open_talks(self, position: Position, level: int) -> list[Letter]:
            if position.phase.season == "F":
                assert handed_in.wait(PATIENCE), "orders came before the talks were over"
            return []

    class Babbler(Parley):
        def quiet(self) -> list[Letter]:
            return [Letter("FRANCE", ("ENGLAND",), PEACE)]

    async def script(talk: Talk) -> None:
        await talk.seat("FRA", "(LVL 10) (MTL 2)")
        for of in (START, FALL):
            talk.turn(of, 2)
            while not (text := await talk.hear()).startswith("SUB"):
                if text.startswith("NOT (GOF)"):
                    talk.say("YES (NOT (GOF))")
                if text.startswith("SND"):
                    talk.say("FRM (ENG) (FRA) (PRP (DRW))")
        handed_in.set()
        talk.end()
        await talk.gone()

    for voice in (Babbler(answers=endless), Dreamer()):
        handed_in = threading.Event()
        result = talking(voice, script, talk=100.0)
        assert result.error is None and len(result.said("SUB (FAL 1901)")) == 1


def test_talks_go_on_after_a_lost_link() -> None:
    vanish = game(START, "?SND", options="(LVL 10)", end="leave")
    spring = (START, "FRM (ENG) (FRA) (PRP (DRW))", "?SND (SPR 1901) (ENG) (YES (PRP (DRW)))", "?SUB")
    fall = (FALL, "?SND (FAL 1901) (GER) (PRP (DRW))", "all")
    voice = Parley([Letter("FRANCE", ("GERMANY",), p.Propose(p.Draw()))], accepting)
    # The time for talks goes on while the link is sought again, however long that takes on a busy machine.
    result = talking(voice, vanish, back(*spring, *fall, options="(LVL 10)"), talk=20.0)
    assert result.error is None
    assert [question for question in voice.asked if question.startswith("open")] == [
        "open S1901M",
        "open F1901M",
    ]


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


class Chatty(Noting, PlayerBot):
    """Plays as a player that is quick, and talks at random."""

    chatter: Chatter

    def talker(self, position: Position, power: str) -> Talker | None:
        self.chatter = Chatter(power, self.envoy.level, self.seed, DRAWN)
        return self.chatter


@pytest.mark.parametrize(
    ("level", "limits"),
    [
        pytest.param(130, {"npr": True, "npb": True}, marks=pytest.mark.slow),
        pytest.param(8000, {"mtl": 4, "rtl": 3, "btl": 3, "ptl": 1}, marks=pytest.mark.slow),
    ],
)
def test_all_that_talkers_say_is_legal_and_heard(level: int, limits: dict[str, int]) -> None:
    with house(seed=level, level=level, **limits) as home:
        bots = [Chatty(home.address, "dumbbot", seed=n, level=level, talk=0.4) for n in range(7)]
        endings = asyncio.run(ended(*bots))
    assert {ending.kind for ending in endings} == {"draw"}
    assert {ending.phase[1:5] for ending in endings} == {str(DRAWN)}
    assert [line for bot in bots for line in bot.objections] == []
    letters = home.game.saved()["daide"]["press"]
    assert len(letters) == sum(bot.delivered for bot in bots) > 100
    assert sum(bot.chatter.heard for bot in bots) > 100


@pytest.mark.slow
def test_seven_engines_negotiate(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that they say is legal, a peace binds, and no deadline is missed."""
    powers = set()
    briefing = Diplomat.briefing

    def noted(self: Diplomat, position: Position) -> Briefing:
        powers.add(self.power)
        return briefing(self, position)

    monkeypatch.setattr(Diplomat, "briefing", noted)
    characters = ("honest", "tit-for-tat", "opportunist")
    with house(seed=130, level=130, until=1901, mtl=60, rtl=30, btl=30, npr=True, npb=True) as home:
        bots = [
            Noting(home.address, nodes=100, seed=n, level=130, talk=3.0, character=characters[n % 3])
            for n in range(7)
        ]
        endings = asyncio.run(ended(*bots))
    assert len({ending.power for ending in endings}) == 7
    assert [line for bot in bots for line in bot.objections] == []
    press = [entry["press"] for entry in home.game.saved()["daide"]["press"]]
    assert len(press) == sum(bot.delivered for bot in bots) > 20
    assert not any(text.startswith(("HUH", "TRY")) for text in press)
    answered = Counter(text.partition(" ")[0] for text in press)
    assert answered["YES"] > 3 and answered["PRP"] > 10
    assert any(word in text for text in press for word in ("XDO", "DMZ", "SCD", "AND"))
    # The search of each was told what it is to keep to.
    assert powers == {ending.power for ending in endings}
