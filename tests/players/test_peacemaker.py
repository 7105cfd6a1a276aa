"""Talks of peace: who is asked, what is answered, and who is a friend after that."""

from __future__ import annotations

from typing import TypeVar

import pytest

from bordeaux import Map, Position, Unit
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.players.base import Limit, Seat, Turn
from bordeaux.players.diplominator import Diplominator
from bordeaux.players.talkers import BlabBot
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter, Talker

Player = TypeVar("Player", BlabBot, Diplominator)

MAP = Map.standard()
START = Position.start()
FRANCE = Seat("FRANCE", MAP, 1)
OTHERS = tuple(power for power in MAP.powers if power != "FRANCE")
FALL = START.next({})
PEACE = p.Propose(p.Peace(("ITALY", "FRANCE")))
OURS = p.Propose(p.Peace(("FRANCE", "ITALY")))


def letter(message: p.Message, sender: str = "ITALY", *more: str) -> Letter:
    return Letter(sender, ("FRANCE", *more), message)


def asked(player: Talker, where: Position) -> list[str]:
    """Whom a player offers peace."""
    letters = list(player.open_talks(where, 10))
    for letter in letters:
        assert letter == Letter("FRANCE", letter.to, p.Propose(p.Peace(("FRANCE", *letter.to))))
    return [power for letter in letters for power in letter.to]


def opened(player: Player) -> Player:
    list(player.open_talks(START, 10))
    return player


@pytest.mark.parametrize("kind", [BlabBot, Diplominator])
def test_peace_is_offered_to_all_once_and_then_to_those_who_can_talk(kind: type) -> None:
    player = kind(FRANCE)
    assert asked(player, START) == list(OTHERS)
    assert asked(player, FALL) == []
    assert list(player.hear(letter(p.Refuse(OURS)))) == []
    assert asked(player, FALL) == ["ITALY"]
    # Not in Winter, nor whoever is a friend already.
    assert asked(player, Position(MAP, "W1901A", START.units, START.centres)) == []
    player.hear(letter(p.Accept(OURS)))
    assert list(player.hear(letter(p.Accept(OURS)))) == []
    assert player.friends == {"ITALY"}
    assert asked(player, FALL) == []
    assert (list(player.quiet()), player.draw()) == ([], None)


@pytest.mark.parametrize(
    ("message", "answers"),
    [
        (p.Propose(p.Alliance(("ITALY", "FRANCE"), ("TURKEY",))), True),
        (p.Propose(p.Draw()), True),
        # A peace of others, or one that the sender has no part in.
        (p.Propose(p.Peace(("ITALY", "TURKEY"))), True),
        (p.Propose(p.Peace(("FRANCE", "TURKEY"))), True),
        # Only a yes to an own offer makes a friend.
        (p.Accept(PEACE), False),
        (p.Accept(p.Propose(p.Peace(("FRANCE", "TURKEY")))), False),
        (p.Accept(p.Propose(p.Draw())), False),
        (p.State(p.Peace(("FRANCE", "ITALY"))), False),
        (p.Refuse(OURS), False),
    ],
)
def test_all_else_is_refused_or_passed_over(message: p.Message, answers: bool) -> None:
    player = opened(Diplominator(FRANCE))
    no = [Letter("FRANCE", ("ITALY",), p.Refuse(message))]
    assert list(player.hear(letter(message))) == (no if answers else [])
    assert player.friends == set()


@pytest.mark.parametrize(
    "message",
    [
        p.State(p.Not(p.Peace(("ITALY", "FRANCE")))),
        p.State(p.NoDeal(p.Peace(("FRANCE", "ITALY")))),
        p.Cancel(p.Accept(OURS)),
    ],
)
def test_a_friend_may_take_its_word_back(message: p.Message) -> None:
    player = opened(BlabBot(FRANCE))
    list(player.hear(letter(PEACE)))
    list(player.hear(letter(p.State(p.Not(p.Peace(("TURKEY", "GERMANY")))), "TURKEY")))
    assert player.friends == {"ITALY"}
    assert list(player.hear(letter(message))) == []
    assert player.friends == set()


def test_the_diplominator_makes_no_peace_with_an_attacker_nor_in_a_back_stab() -> None:
    player = opened(Diplominator(FRANCE))
    where = Position(MAP, "S1902M", [Unit("FRANCE", "A", "MAR"), Unit("ITALY", "A", "PIE")], START.centres)
    player.observe(Turn(where, {"ITALY": ["A PIE - MAR"]}, where.next({"ITALY": ["A PIE - MAR"]})))
    assert list(player.hear(letter(PEACE))) == [Letter("FRANCE", ("ITALY",), p.Refuse(PEACE))]
    assert "ITALY" not in asked(player, where)
    list(player.hear(letter(p.Propose(p.Peace(("TURKEY", "FRANCE"))), "TURKEY")))
    assert player.friends == {"TURKEY"}
    large = Position(MAP, "S1905M", where.units, {"FRANCE": MAP.centres[:10], "TURKEY": MAP.centres[10:14]})
    assert asked(player, large) == []
    assert (player.stabbing, player.friends) == (True, set())
    turkish = p.Propose(p.Peace(("TURKEY", "FRANCE")))
    assert list(player.hear(letter(turkish, "TURKEY"))) == [Letter("FRANCE", ("TURKEY",), p.Refuse(turkish))]
    # Given up below nine centres, and friendship asked for again, of those who can talk.
    small = Position(MAP, "F1905M", where.units, {"FRANCE": MAP.centres[:8], "TURKEY": MAP.centres[10:14]})
    assert asked(player, small) == ["TURKEY"]


def test_a_blabbot_at_peace_with_all_asks_for_a_draw_or_not() -> None:
    for policy, wish in (("ignore", []), ("draw", [Letter("FRANCE", OTHERS, p.Propose(p.Draw()))])):
        player = BlabBot(FRANCE, peace=policy)  # type: ignore[arg-type]
        opened(player)
        for power in OTHERS[1:]:
            assert player.make_peace(power)
        assert list(player.open_talks(FALL, 10)) == []
        assert list(player.hear(letter(p.Propose(p.Draw())))) == [
            Letter("FRANCE", ("ITALY",), p.Refuse(p.Propose(p.Draw())))
        ]
        assert player.make_peace(OTHERS[0])
        assert player.draw() is None
        assert list(player.open_talks(FALL, 10)) == wish
        assert player.draw() == (() if wish else None)
        (answer,) = player.hear(letter(p.Propose(p.Draw())))
        assert isinstance(answer.message, p.Accept if wish else p.Refuse)


def job(*seats: str, level: int = 10, until: int = 1904) -> Job:
    return Job(0, seats, 5, Limit(nodes=1), until, level=level, keep=True)


def test_seven_blabbots_draw_as_soon_as_all_are_at_peace() -> None:
    result = play(job(*["blabbot:peace=draw"] * 7))
    assert (result.end, result.phase, result.alive) == ("draw", "F1901M", (True,) * 7)
    assert play(job(*["blabbot:peace=draw"] * 6, "blabbot")).end == "cap"
    # At peace with all they play as DumbBots do.
    plain, silent = (play(job(*[name] * 7, level=level)) for name, level in (("blabbot", 10), ("dumbbot", 0)))
    assert plain.centres == silent.centres
