"""Orders in people's text: ``I support you into Bud``, ``A VIE - GAL``, ``hold in tri``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from bordeaux.board.errors import BordeauxError
from bordeaux.board.notation_words import Place
from bordeaux.board.order import OrderKind
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.context import MessageContext
from bordeaux.press.language.english.units import Ref
from bordeaux.press.language.english.words import Words

__all__ = ["OrderClauses"]

Found = Iterator[tuple[p.Term, int]]
_KINDS = {"ARMY": "A", "A": "A", "FLEET": "F", "UNIT": ""}
_GOAL = ("TO", "DASH")


class OrderClauses:
    """Reads the clauses that promise an order."""

    def __init__(self, words: Words, context: MessageContext) -> None:
        self.words = words
        self.context = context

    def read(self, at: int) -> Found:
        """An order, with or without its unit."""
        words = self.words
        for actor, behind in chain(self._refs(at), [(Ref(), at)]):
            begin = words.skip(behind, "NOT")
            for promise, end in self._deeds(actor, begin, at):
                yield (p.Not(promise) if (begin - behind) % 2 else promise), end

    def _deeds(self, actor: Ref, at: int, begin: int) -> Found:
        words = self.words
        if words.key(at, "HOLD"):
            for ref, end in chain(self._refs(words.skip(at + 1, "IN", "WITH")), [(Ref(), at + 1)]):
                yield from self._promise(end, OrderKind.HOLD, self._same(actor, ref))
        if words.key(at, "MOVE", "FIGHT", *_GOAL, "GET") and (at > begin or not words.key(at, *_GOAL)):
            yield from self._moves(actor, at + 1 if words.key(at, "MOVE", "FIGHT", "GET") else at)
        if words.key(at, "SUPPORT"):
            yield from self._supports(actor, at + 1)
        if words.key(at, "CONVOY"):
            for target, goal, end in self._journeys(at + 1):
                for helper, last in self._helper(end, actor):
                    target_unit = target._replace(kind="A")
                    yield from self._promise(last, OrderKind.CONVOY, helper, target_unit, goal)
        if words.key(at, "RETREAT"):
            for origin, goal, end in self._journeys(at + 1):
                yield from self._promise(end, OrderKind.RETREAT, self._same(actor, origin), None, goal)
        if words.key(at, "DISBAND"):
            for ref, end in chain(self._refs(at + 1), [(Ref(), at + 1)]):
                yield from self._promise(end, OrderKind.DISBAND, self._same(actor, ref))
        if words.key(at, "BUILD"):
            for ref, end in self._refs(at + 1):
                if ref.place is not None:
                    yield from self._promise(end, OrderKind.BUILD, self._same(actor, ref))
            if actor.place is not None:
                yield from self._promise(at + 1, OrderKind.BUILD, actor)
        if words.key(at, "WAIVE"):
            end = words.skip(at + 1, "A", "BUILD")
            yield from self._promise(end, OrderKind.WAIVE, actor)

    def _moves(self, actor: Ref, at: int) -> Found:
        words = self.words
        for origin, goal, end in self._journeys(at):
            unit = self._same(actor, origin)
            convoy = words.key(end, "BY") and words.key(words.skip(end, "BY", "A"), "CONVOY")
            if convoy:
                end = words.skip(end, "BY", "A") + 1
            for mover, last in self._helper(end, unit):
                yield from self._promise(last, OrderKind.MOVE, mover, None, goal, convoy)

    def _supports(self, actor: Ref, at: int) -> Found:
        words = self.words
        for target, goal, end in self._journeys(at):
            for helper, last in self._helper(end, actor):
                if not words.key(end, "HOLD"):
                    other = self._other(target, helper)
                    yield from self._promise(last, OrderKind.SUPPORT_MOVE, helper, other, goal)
        for target, end in self._refs(at):
            behind = words.skip(end, "TO", "HOLD", "IN")
            if target.place is None and behind > end and (named_place := words.place(behind)) is not None:
                target, end = target._replace(place=named_place[0]), named_place[1]
            elif words.key(end, "HOLD") or (words.key(end, "TO") and words.key(end + 1, "HOLD")):
                end = words.skip(end, "TO", "HOLD")
            for helper, last in self._helper(end, actor):
                if target.place is not None and self._stands(target):
                    yield from self._promise(last, OrderKind.SUPPORT_HOLD, helper, target)
                elif target.place is not None and target.power and not target.kind:
                    # ``support me in Rumania`` where nobody of mine is yet: that I get there.
                    goal, other = target.place, target._replace(place=None)
                    yield from self._promise(last, OrderKind.SUPPORT_MOVE, helper, other, goal)
                elif target.place is not None:
                    yield from self._promise(last, OrderKind.SUPPORT_HOLD, helper, target)

    def _stands(self, ref: Ref) -> bool:
        unit = None if ref.place is None else self.context.board.unit_in(ref.place)
        return unit is not None and ref.fits(*unit)

    def _journeys(self, at: int) -> Iterator[tuple[Ref, Place, int]]:
        """A unit and its destination: ``me into rum``, ``vie - gal``, ``my move from vie to gal``,
        ``gal``."""
        words = self.words
        for ref, behind in chain(self._refs(at), [(Ref(), at)]):
            begin = words.skip(behind, "MOVE", "FIGHT")
            if words.key(begin, "FROM") and (origin := words.place(begin + 1)) is not None:
                ref, begin = ref._replace(place=origin[0]), origin[1]
            link = words.skip(begin, *_GOAL, "IN", "MOVE")
            place = words.place(link)
            if place is None or (link == begin and ref.place is not None and not words.key(at, "A", "ARMY")):
                continue
            goal, end = place
            if ref.place is None and words.key(end, "FROM") and (origin := words.place(end + 1)) is not None:
                yield ref._replace(place=origin[0]), goal, origin[1]
            yield ref, goal, end

    def _helper(self, at: int, actor: Ref) -> Iterator[tuple[Ref, int]]:
        """The unit that helps: given after the clause, ``with F BLA``, ``from bul``; else as given before."""
        if actor.place is None and self.words.key(at, "WITH", "FROM", "BY"):
            for ref, end in self._refs(at + 1):
                if ref.place is not None or ref.kind:
                    yield self._same(actor, ref), end
        yield actor, at

    def _same(self, one: Ref, other: Ref) -> Ref:
        """One unit that was named in two places."""
        return Ref(one.power or other.power, one.kind or other.kind, one.place or other.place)

    def _other(self, target: Ref, helper: Ref) -> Ref:
        """A target without a power belongs to the other one of the two correspondents."""
        if target != Ref():
            return target
        mine = helper.power == self.context.speaker
        return Ref(power=self.context.to[0] if mine and self.context.to else self.context.speaker)

    def _refs(self, at: int) -> Iterator[tuple[Ref, int]]:
        """A unit: power, kind, place; the longest reading first."""
        words = self.words
        named = self.context.one(at)
        owners = [("", at)]
        if named is not None and len(named[0]) == 1:
            owners.insert(0, (named[0][0], named[1]))
        for power, begin in owners:
            kind_at = words.skip(begin, "A") if words.key(words.skip(begin, "A"), *_KINDS) else begin
            kind = _KINDS.get(words.keys[kind_at]) if kind_at < len(words) else None
            behind = begin if kind is None else kind_at + 1
            for link in dict.fromkeys((words.skip(behind, "IN", "OF"), behind)):
                place = words.place(link)
                if place is not None:
                    yield Ref(power, kind or "", place[0]), place[1]
            if (power or kind) and not (kind == "A" and words.key(behind - 1, "A")):
                yield Ref(power, kind or "", None), behind

    def _promise(
        self,
        end: int,
        kind: OrderKind,
        actor: Ref,
        target: Ref | None = None,
        to: Place | None = None,
        via: bool = False,
    ) -> Found:
        """The promise, if exactly one order fits; else a complaint."""
        if not actor.power and actor.place is None and kind != OrderKind.BUILD:
            actor = actor._replace(power=(self.context.you() or ("",))[0])
        if kind == OrderKind.BUILD and actor.place is not None and not actor.power:
            actor = actor._replace(power=actor.place.province.home_of or self.context.speaker)
        try:
            yield self.context.board.promise(kind, actor, target, to, via), end
        except BordeauxError as error:
            self.context.complain(str(error))
