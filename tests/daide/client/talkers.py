"""Talkers for tests, and bots that talk with them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from random import Random

from bordeaux import Position
from bordeaux.daide import Bot, Limit
from bordeaux.daide import language as d
from bordeaux.daide.client.thinking import Orders
from bordeaux.daide.press import message_of
from bordeaux.players.base import Turn
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter, Talker
from tests.daide.language.sentences import OnMap


class Parley:
    """Says what it was told to say, and notes what it is asked, and in which thread. `opening` is said first,
    `answers` gives what to answer to a letter, each of `afterwards` is said when all is quiet, once, and
    `shared` is the draw that it would accept."""

    def __init__(
        self,
        opening: Iterable[Letter] = (),
        answers: Callable[[Letter], Iterable[Letter]] = lambda letter: (),
        afterwards: Iterable[Letter] = (),
        shared: tuple[str, ...] | None = None,
    ) -> None:
        self.opening = list(opening)
        self.answers = answers
        self.afterwards = list(afterwards)
        self.shared = shared
        self.asked: list[str] = []
        self.heard: list[Letter] = []
        self.levels: list[int] = []
        self.threads: set[int] = set()

    def note(self, what: str) -> None:
        self.asked.append(what)
        self.threads.add(threading.get_ident())

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        self.note(f"open {position.phase}")
        self.levels.append(level)
        return self.opening

    def hear(self, letter: Letter) -> Iterable[Letter]:
        self.note("hear")
        self.heard.append(letter)
        return self.answers(letter)

    def quiet(self) -> Iterable[Letter]:
        self.note("quiet")
        return [self.afterwards.pop(0)] if self.afterwards else []

    def draw(self) -> tuple[str, ...] | None:
        self.note("draw")
        return self.shared


class Spokesman(Bot):
    """A bot whose talker is `voice`, if not None, and whose units hold; the talker notes that, too."""

    voice: Parley | None = None
    given: Orders = ()

    def talker(self, position: Position, power: str) -> Talker | None:
        return self.voice

    def orders(self, position: Position, power: str, limit: Limit) -> Orders:
        if self.voice is not None:
            self.voice.note(f"orders {position.phase}")
        return self.given

    def observe(self, turn: Turn) -> None:
        if self.voice is not None:
            self.voice.note(f"observe {turn.before.phase}")


class Chatter:
    """Says and answers anything that a level has words for, at random, and wants a draw from some year on."""

    def __init__(self, power: str, level: int, seed: int, draws: int) -> None:
        self.power = power
        self.level = level
        self.draws = draws
        self.random = Random(f"chatter {power} {seed}")
        self.position = Position.start()
        self.said = self.heard = 0
        self.left = 0

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        assert level == self.level
        self.position = position
        self.left = 6
        return [self.anything() for _ in range(self.random.randrange(3))]

    def hear(self, letter: Letter) -> Iterable[Letter]:
        assert self.power in letter.to and letter.sender != self.power
        self.heard += 1
        if self.left <= 0:
            return
        self.left -= 1
        match letter.message:
            case p.Propose() | p.Insist() | p.Suggest() | p.If():
                kind = self.random.choice((p.Accept, p.Refuse, p.Decline, p.Cancel))
                yield self.letter((letter.sender,), kind(letter.message))
            case p.Ask() | p.AskUnit() | p.AskAttack() | p.Explain():
                yield self.letter((letter.sender,), p.Unsure(letter.message))
            case _:
                yield self.anything()

    def quiet(self) -> Iterable[Letter]:
        if self.left > 0:
            self.left -= 1
            yield self.anything()

    def draw(self) -> tuple[str, ...] | None:
        return () if self.position.phase.year >= self.draws else None

    def letter(self, to: tuple[str, ...], message: p.Message) -> Letter:
        self.said += 1
        return Letter(self.power, to, message)

    def anything(self) -> Letter:
        map = self.position.map
        tokens = OnMap(self.level, self.random, map).say("press", 4)
        others = [power for power in map.powers if power != self.power]
        to = tuple(self.random.sample(others, self.random.choice((1, 1, 2, 6))))
        return self.letter(to, message_of(d.read_part("press", tokens, level=self.level), map))
