"""The same talks in an arena as in a DAIDE game: the same letters in every phase, and the same orders."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.board.phase import Phase
from bordeaux.daide import PlayerBot
from bordeaux.daide import language as d
from bordeaux.daide.client.envoy import Envoy
from bordeaux.daide.press import press_of
from bordeaux.daide.translate import turn_of
from bordeaux.players.base import Limit
from bordeaux.press.language.json_form import message_from_json
from bordeaux.press.language.letter import Letter, Talker
from tests.daide.client.house import ended, house
from tests.patience import PATIENCE

MAP = Map.standard()
SPECS = (*("diplominator", "blabbot") * 2, "liar", "diplominator", "liar:player=haai-berserk")
SEED, LEVEL, UNTIL = 12, 10, 1903

Letters = dict[str, Counter[tuple[str, tuple[str, ...], str]]]
Orders = dict[str, dict[str, frozenset[str]]]


class Post:
    """Knows what is on its way between talkers of one process, so that none ends its talks while there is
    anything: on a busy machine no calm is long enough to be sure of that."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._opened: Counter[str] = Counter()
        self._on_its_way = 0

    def said(self, letters: Iterable[Letter], *, heard: int = 0, opens: str = "") -> list[Letter]:
        """Count what somebody says, after having heard something or as the first words of a phase."""
        said = list(letters)
        with self._lock:
            self._on_its_way += sum(len(letter.to) for letter in said) - heard
            self._opened[opens] += 1
        return said

    def is_still(self, phase: str) -> bool:
        """Whether everybody has opened its talks of a phase, and all has been heard."""
        with self._lock:
            return self._opened[phase] == len(SPECS) and not self._on_its_way


class Counted:
    """A talker whose letters are counted."""

    def __init__(self, talker: Talker, post: Post) -> None:
        self.talker, self.post, self.phase = talker, post, ""

    def open_talks(self, position: Position, level: int) -> Iterable[Letter]:
        self.phase = str(position.phase)
        return self.post.said(self.talker.open_talks(position, level), opens=self.phase)

    def hear(self, letter: Letter) -> Iterable[Letter]:
        return self.post.said(self.talker.hear(letter), heard=1)

    def quiet(self) -> Iterable[Letter]:
        return self.post.said(self.talker.quiet())

    def draw(self) -> tuple[str, ...] | None:
        return self.talker.draw()


class Patient(Envoy):
    """Waits for letters as long as any are on their way."""

    post: Post

    def next(self, seconds: float | None, stopped: Callable[[], bool]) -> Letter | None:
        talker = self.talker
        while seconds is not None and isinstance(talker, Counted) and not stopped():
            still = self.post.is_still(talker.phase)
            letter = super().next(0.01, stopped)
            if letter is not None or still:
                return letter
        return super().next(seconds, stopped)


class Guest(PlayerBot):
    """A player that leaves no talks early."""

    def __init__(self, address: str, spec: str, post: Post) -> None:
        super().__init__(address, spec, seed=SEED, level=LEVEL, talk=PATIENCE)
        self.envoy = Patient(self.table, LEVEL)
        self.envoy.post = post

    def talker(self, position: Position, power: str) -> Talker | None:
        talker = super().talker(position, power)
        assert talker is not None
        return Counted(talker, self.envoy.post)  # type: ignore[attr-defined]


def orders_of(game: dict[str, Any]) -> Orders:
    """The orders of every phase, by power, of those that gave any; a server writes down no coast where a
    supported fleet is to go."""
    return {
        phase["name"]: {
            power: frozenset(re.sub(r"( S .*)/[NSEW]C$", r"\1", order) for order in given)
            for power, given in phase["orders"].items()
            if given
        }
        for phase in game["phases"][:-1]
    }


def of_server() -> tuple[dict[str, str], Letters, Orders]:
    """A game over loopback: who has sat where, and what was said and ordered."""
    # In other phases than of movement the server does not wait for those who owe no orders.
    with house(seed=3, level=LEVEL, until=UNTIL, npr=True, npb=True) as home:
        post = Post()
        bots = [Guest(home.address, spec, post) for spec in SPECS]
        asyncio.run(ended(*bots))
        game = home.game.saved()
    letters: Letters = {}
    for press in game["daide"]["press"]:
        letter = press["from"], tuple(press["to"]), press["press"]
        letters.setdefault(press["turn"], Counter())[letter] += 1
    return {bot.table.power or "": bot.spec for bot in bots}, letters, orders_of(game)


def of_arena(seats: dict[str, str]) -> tuple[Letters, Orders]:
    """The same players in the same chairs at a table of the arena."""
    specs = tuple(seats[power] for power in MAP.powers)
    result = play(Job(0, specs, SEED, Limit(nodes=1), UNTIL, level=LEVEL, keep=True))
    assert result.game is not None
    assert result.faults == ()
    letters: Letters = {}
    for phase in result.game["phases"][:-1]:
        turn = turn_of(Phase.parse(phase["name"]))
        for message in phase["messages"]:
            to = message["letter"]["to"]
            if message["recipient"] == to[0]:
                press = d.text(press_of(message_from_json(message["letter"]["message"], MAP), MAP))
                letter = MAP.tags[message["sender"]], tuple(MAP.tags[power] for power in to), press
                letters.setdefault(f"{turn.season} {turn.year}", Counter())[letter] += 1
    return letters, orders_of(result.game)


@pytest.mark.slow
def test_a_table_of_the_arena_talks_as_a_daide_game_does() -> None:
    seats, said, ordered = of_server()
    assert sorted(seats.values()) == sorted(SPECS)
    letters, orders = of_arena(seats)
    assert letters == said
    assert orders == ordered
    assert sum(map(Counter.total, said.values())) > 80
    assert len(said) > 1
    assert len(ordered) > 6
