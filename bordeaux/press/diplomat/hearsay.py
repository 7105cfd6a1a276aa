"""The statements of powers about each other and about themselves, their source, and confirmation by the
board."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

from bordeaux.board.map import Map
from bordeaux.board.order import HELPS
from bordeaux.board.phase import Phase
from bordeaux.press.diplomat import facts as f
from bordeaux.press.diplomat.deeds import TermOutcome, follow
from bordeaux.press.diplomat.truth import Truth
from bordeaux.press.diplomat.turn import ObservedTurn
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.terms import moment, parts, timed, undone

#: The number of reports of one source that are remembered, and the years.
MOST_TOLD, YEARS = 40, 3


class Hearsay:
    """The statements of a game, as premises in a truth maintenance system, with the expected behaviour of
    others."""

    def __init__(self, map: Map, power: str, truth: Truth) -> None:
        self._map = map
        self._power = power
        self._truth = truth
        self._open: dict[f.Told, p.Term | None] = {}

    def begin(self, phase: Phase) -> None:
        """Begin a phase; old statements are dropped."""
        oldest = moment(phase._replace(year=phase.year - YEARS))
        for statement in [statement for statement in self._open if moment(statement.phase) < oldest]:
            self._forget(statement)

    def note(self, letter: Letter, phase: Phase) -> list[f.Told]:
        """Record the statement of a letter, and return it. Statements of the own power are not believed."""
        statements = list(_told(letter, letter.message, phase))
        for statement in statements if letter.sender != self._power else ():
            self._enter(statement)
        return statements

    def judge(self, turn: ObservedTurn) -> None:
        """Compare the statements with the orders of a turn."""
        for statement, rest in list(self._open.items()):
            if rest is None:
                continue
            outcome = _shown(rest, turn)
            if outcome.kept is not None:
                self._truth.add(f.Proved(statement) if outcome.kept else f.Disproved(statement))
            self._open[statement] = None if outcome.kept is not None else outcome.rest

    def told(self, source: str | None = None) -> list[f.Told]:
        """The statements of all powers, or of one, the oldest first."""
        return [statement for statement in self._open if source in (None, statement.source)]

    def _enter(self, statement: f.Told) -> None:
        # A repeated or a changed statement replaces the earlier one.
        gone = undone(statement.term)
        for old in self.told(statement.source):
            if old.speaker == statement.speaker and (
                old.term in (statement.term, gone) or undone(old.term) == statement.term
            ):
                self._forget(old)
        self._open[statement] = timed(statement.term, statement.phase)
        self._truth.add(statement)
        for old in self.told(statement.source)[:-MOST_TOLD]:
            self._forget(old)
        match statement.term:
            case p.Not(p.Peace(powers) | p.Alliance(powers)):
                for pair in self._pairs(powers):
                    self._expect(statement, *pair)
                    self._expect(statement, *pair[::-1])
            case term:
                for part in parts(term):
                    if isinstance(part, p.Peace | p.Alliance):
                        self._befriend(statement, part)

    def _expect(self, statement: f.Told, power: str, other: str) -> None:
        """A statement makes hostility of a power to another expected; not for the own power."""
        if power not in (self._power, other):
            treaty = f.Treaty(self._pair(power, other))
            self._truth.add(f.Hostile(power, other), [statement], [f.Disproved(statement), treaty])

    def _befriend(self, statement: f.Told, term: p.Peace | p.Alliance) -> None:
        """A statement makes peace of others expected, and hostility to those against whom they are."""
        for pair in self._pairs(term.powers):
            if self._power not in pair:
                first, second = pair
                hostile = f.Hostile(first, second), f.Hostile(second, first)
                self._truth.add(f.AtPeace(pair), [statement], [f.Disproved(statement), *hostile])
        if isinstance(term, p.Alliance):
            for power, foe in product(term.powers, term.against):
                self._expect(statement, power, foe)

    def _pair(self, power: str, other: str) -> f.Pair:
        first, second = sorted((power, other), key=self._map.powers.index)
        return first, second

    def _pairs(self, powers: tuple[str, ...]) -> Iterator[f.Pair]:
        return combinations(sorted(set(powers), key=self._map.powers.index), 2)

    def _forget(self, statement: f.Told) -> None:
        del self._open[statement]
        for fact in (statement, f.Proved(statement), f.Disproved(statement)):
            self._truth.forget(fact)


def _told(letter: Letter, message: p.Message, phase: Phase, speaker: str = "") -> Iterator[f.Told]:
    """The statement of a message; of a report the innermost one, with the reporter as the source."""
    speaker = speaker or letter.sender
    match message:
        case p.State(p.Not(p.Ask(term))) | p.Think(p.Not(p.Ask(term))):
            yield f.Told(letter.sender, speaker, p.Not(term), phase)
        case p.State(p.Ask(term)) | p.Think(p.Ask(term)):
            yield f.Told(letter.sender, speaker, term, phase)
        case p.State(term) | p.Think(term):
            yield f.Told(letter.sender, speaker, term, phase)  # type: ignore[arg-type]
        case p.Report(sender, _, inner):
            yield from _told(letter, inner, phase, sender)
        case p.Accept(p.Propose(term) | p.Insist(term)) if speaker != letter.sender:
            yield f.Told(letter.sender, speaker, term, phase)


def _shown(term: p.Term, turn: ObservedTurn) -> TermOutcome:
    """What a turn shows about a statement: as for a deal, and a power that helps is at peace."""
    match term:
        case p.Not(term=p.Peace() | p.Alliance() as inner):
            outcome = _shown(inner, turn)
            return TermOutcome(None if outcome.kept is None else not outcome.kept, outcome.deeds, term)
        case p.Peace(powers) | p.Alliance(powers):
            outcome = follow(term, turn)
            helped = [
                (power, order)
                for power in powers
                for order in turn.orders[power]
                if order.kind in HELPS
                and (unit := turn.before.unit_at(order.target.partition("/")[0])) is not None
                and unit.power in powers
                and unit.power != power
            ]
            return TermOutcome(True, tuple(helped)) if outcome.kept is None and helped else outcome
    return follow(term, turn)
