"""The diplomat of one power in one game: negotiation, memory, trust, and constraints for the search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.press.diplomat.cabinet.appraisal import Appraisal
from bordeaux.press.diplomat.cabinet.defence import Defence
from bordeaux.press.diplomat.cabinet.headquarters import Briefing, Headquarters
from bordeaux.press.diplomat.cabinet.intelligence import Intelligence
from bordeaux.press.diplomat.cabinet.policy import ForeignPolicy
from bordeaux.press.diplomat.cabinet.prime_minister import ForeignOffice, PrimeMinister
from bordeaux.press.diplomat.grand_plan import GrandPlan
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.payoffs import Character, character
from bordeaux.press.language.letter import Letter, is_sound
from bordeaux.press.language.levels import level_of

#: The maximum number of letters of one power that are answered in a phase.
PATIENCE = 60


class Diplomat:
    """Negotiates for `power` on `map`, with searches of `engine`; a `Talker` (`bordeaux.press.language`).

    `level` is the highest that it speaks; at 0 it only watches the orders. `nature` is its character. In
    addition to the calls of a talker, it is told of every phase that was played (`observe`), and gives the
    constraints for the search of the orders (`briefing`). Equal letters and phases, with the same seed of the
    engine, give equal messages.
    """

    def __init__(
        self,
        map: Map,
        power: str,
        engine: Engine,
        *,
        level: int = 130,
        nature: Character | str = "honest",
    ) -> None:
        self.map = map
        self.power = map.power(power)
        self.engine = engine
        self.own_level = level
        self.character = nature if isinstance(nature, Character) else character(nature)
        self.ledger = Ledger(map, self.power)
        self.intelligence = Intelligence(map, self.power, evaluation=engine.config.evaluation)
        self.plan = GrandPlan(map, self.power)
        self.policy = ForeignPolicy(self.power, self.ledger, self.intelligence, self.character, self.plan)
        self.defence = Defence(engine, self.power)
        self.office = ForeignOffice(self.power)
        self.appraisal = Appraisal(self.power, self.defence, self.policy, self.ledger)
        self.headquarters = Headquarters(
            self.power, engine, self.ledger, self.intelligence, self.policy, self.character
        )
        self.minister = PrimeMinister(
            self.power, engine, self.ledger, self.office, self.policy, self.appraisal, self.headquarters
        )
        self.level = 0
        self._position: Position | None = None
        self._previous: Mapping[str, Sequence[Order]] = {}
        self._heard: dict[str, int] = {}

    # What talkers are asked.

    def open_talks(self, position: Position, level: int) -> Iterator[Letter]:
        """The first messages of a phase."""
        self._begin(position)
        self.level = min(level, self.own_level)
        self.minister.begin(position, self.level, self._previous)
        self._heard.clear()
        yield from self._sent(self.minister.opening() if self.level else ())

    def hear(self, letter: Letter) -> Iterator[Letter]:
        """The answers to a letter."""
        count = self._heard[letter.sender] = self._heard.get(letter.sender, 0) + 1
        if self.level == 0 or count > PATIENCE or self.power not in letter.to:
            return
        if not is_sound(letter, self.map):
            return
        self._note(letter)
        self.office.speaking.add(letter.sender)
        self.intelligence.heard(letter)
        yield from self._sent(self.minister.answer(letter))

    def quiet(self) -> Iterator[Letter]:
        """The messages when no letter is waiting."""
        yield from self._sent(self.minister.more() if self.level else ())

    def draw(self) -> tuple[str, ...] | None:
        """The powers that would share a draw that we want, or None."""
        return self.policy.draw()

    # What the search is told, and what was played.

    def briefing(self, position: Position) -> Briefing:
        """The constraints on the search of our orders in a phase."""
        self._begin(position)
        return self.headquarters.briefing(position)

    def observe(self, before: Position, orders: Mapping[str, Sequence[Order]], after: Position) -> None:
        """Process a phase that was played, of any kind."""
        self._begin(before)
        warned = frozenset(self.ledger.warned())
        judgements = self.ledger.judge(before, orders)
        self.intelligence.observe(before, orders, judgements, warned)
        self.minister.played(before.phase)
        if before.phase.kind == "M":
            self._previous = orders

    def _begin(self, position: Position) -> None:
        """Evaluate the board, once a phase."""
        if self._position == position:
            return
        self._position = position
        self.ledger.begin(position)
        self.policy.begin(position)
        self.office.begin()
        self.appraisal.begin(position)
        self.defence.begin(position, self._previous)
        self.defence.agree(self.headquarters.agreements(position))

    def _sent(self, letters: Iterable[Letter]) -> Iterator[Letter]:
        """Letters that the level allows, recorded as sent; deals that they conclude are respected."""
        for letter in letters:
            if level_of(letter.message) > self.level:
                continue
            self._note(letter)
            yield letter

    def _note(self, letter: Letter) -> None:
        """Record a letter; a deal that it concludes constrains later searches."""
        if self.ledger.note(letter) and self._position is not None:
            self.defence.agree(self.headquarters.agreements(self._position))
