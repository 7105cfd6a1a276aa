"""The talks of one phase between the players of a table, as values and in one common order.

They follow a DAIDE game at a level without the options NPR and NPB: there are talks in every phase, and draws
are of all survivors. First every talker is asked for its messages, in the order of the powers. The recipients
hear each letter, in the same order, before the next letter is delivered. When the queue is empty, all are
asked again. The talks are over when nobody has a message.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from bordeaux.arena.guard import Guard
from bordeaux.arena.job import LETTER
from bordeaux.board.position import Position
from bordeaux.press.language.letter import Letter, Talker, is_sound
from bordeaux.press.language.levels import level_of
from bordeaux.rules.outcome import Draws, survivors

MOST_LETTERS = 128
"""Letters that a power may send in a phase."""
ROUNDS = 32
"""The number of rounds of talks in a phase, including the first."""
SHOWN = 3
"""Kinds of undelivered letters that are named."""


class Said(NamedTuple):
    """The result of the talks of a phase: the letters in the order of delivery, and whether all survivors
    have agreed to a draw."""

    letters: tuple[Letter, ...] = ()
    draw: bool = False


def talk(guard: Guard, position: Position, level: int) -> Said:
    """Hold the talks of a phase at a level, 0 for none.

    A fault of a player is recorded, see `Guard`; a player that fails is silent to the end of the phase.
    Letters that may not be delivered (see `Talker`), and objects that are not letters, are dropped and
    counted as a fault of kind ``letter``.
    """
    if not level:
        return Said()
    talks = Talks(guard, position, level)
    talks.hold()
    return Said(tuple(talks.letters), talks.draw())


class Talks:
    """The talks of one phase."""

    def __init__(self, guard: Guard, position: Position, level: int) -> None:
        self.letters: list[Letter] = []
        self._guard = guard
        self._position = position
        self._level = level
        self._powers = position.map.powers
        self._alive = survivors(position)
        players: Sequence[object] = guard.players
        self._talkers: dict[int, Talker] = {
            seat: player
            for seat, player in enumerate(players)
            if isinstance(player, Talker) and self._powers[seat] in self._alive
        }
        self._queue: deque[Letter] = deque()
        self._sent: Counter[int] = Counter()
        #: Reasons of letters that were not delivered, by seat.
        self._dropped: defaultdict[int, Counter[str]] = defaultdict(Counter)

    def hold(self) -> None:
        """Ask all until nobody has a message, or the limit is reached."""
        self._open()
        self._settle()

    def hold_again(self, said: Iterable[Letter]) -> None:
        """Repeat talks: all are asked as then, and hear the recorded letters in place of new ones. If no
        talker has a message, a letter came from outside."""
        left = deque(said)
        self._open()
        while True:
            while self._queue and left:
                self._queue.popleft()
                self._hear(left.popleft())
            self._ask_on()
            if not left:
                break
            if not self._queue:
                self._hear(left.popleft())
        self._queue.clear()
        self._dropped.clear()

    def go_on(self, letter: Letter) -> None:
        """Deliver a letter from outside, and the answers, until nobody has a message."""
        self._queue.append(letter)
        self._settle()

    def _open(self) -> None:
        for seat, talker in list(self._talkers.items()):
            self._take(seat, talker.open_talks, self._position, self._level)

    def _ask_on(self) -> None:
        for seat, talker in list(self._talkers.items()):
            self._take(seat, talker.quiet)

    def _settle(self) -> None:
        for _ in range(ROUNDS - 1):
            self._deliver()
            self._ask_on()
            if not self._queue:
                break
        self._deliver()
        for seat, reasons in sorted(self._dropped.items()):
            counted = [f"{count} {reason}" for reason, count in reasons.most_common(SHOWN)]
            self._guard.blame(seat, LETTER, "; ".join(counted), reasons.total())
        self._dropped.clear()

    def draw(self) -> bool:
        """Whether all survivors accept a draw among all of them."""
        draws = Draws()
        for seat, talker in list(self._talkers.items()):
            given = self._guard.say(seat, drawn, talker)
            if given and isinstance(given[0], tuple) and all(power in self._alive for power in given[0]):
                draws.offer(self._powers[seat], given[0])
        return draws.agreed(self._alive) == self._alive

    def _deliver(self) -> None:
        while self._queue:
            self._hear(self._queue.popleft())

    def _hear(self, letter: Letter) -> None:
        self.letters.append(letter)
        for seat, talker in list(self._talkers.items()):
            if self._powers[seat] in letter.to:
                self._take(seat, talker.hear, letter)

    def _take(self, seat: int, answer: Callable[..., Iterable[object]], *args: object) -> None:
        """Queue the messages of a talker."""
        said = self._guard.say(seat, answer, *args)
        if said is None:
            del self._talkers[seat]
            return
        for letter in said:
            if reason := self._obstacle(letter, seat):
                self._dropped[seat][reason] += 1
            else:
                assert isinstance(letter, Letter)
                self._sent[seat] += 1
                self._queue.append(letter)

    def _obstacle(self, letter: object, seat: int) -> str:
        """The reason why a letter of a seat may not be delivered; "" if it may."""
        if self._sent[seat] == MOST_LETTERS:
            return f"more than {MOST_LETTERS} letters"
        if not isinstance(letter, Letter) or not is_sound(letter, self._position.map):
            return "that are no letters, to nobody else, or without a sound message about this map"
        if (level := level_of(letter.message)) > self._level:
            return f"above the level: {level} instead of {self._level}"
        if letter.sender != self._powers[seat]:
            return "in the name of another"
        if len(set(letter.to)) < len(letter.to) or not set(letter.to) <= set(self._alive):
            return "to powers that are not in the game, or twice to one"
        return ""


def drawn(talker: Talker) -> list[object]:
    """The draw that a talker accepts, if any, as a list of messages."""
    return [talker.draw()]
