"""Orders in people's text: pronouns resolved, partial orders completed with the one legal order that fits."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.notation_words import Place
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.press.language import messages as p
from bordeaux.press.language.english.names import Names
from bordeaux.press.language.english.words import VERBS, Words
from bordeaux.press.language.terms import slot
from bordeaux.rules.adjudication import legal_codes

# Movement orders that are promised outside a movement phase are completed for the current units.

#: The maximum number of choices that a question names.
MOST_CHOICES = 6
_VERBS = {
    OrderKind.HOLD: "hold",
    OrderKind.MOVE: "move",
    OrderKind.SUPPORT_HOLD: "support",
    OrderKind.SUPPORT_MOVE: "support",
    OrderKind.CONVOY: "convoy",
    OrderKind.RETREAT: "retreat",
    OrderKind.DISBAND: "disband",
    OrderKind.BUILD: "build",
}


class Ref(NamedTuple):
    """The given details of a unit: power, kind (A, F), place."""

    power: str = ""
    kind: str = ""
    place: Place | None = None

    def fits(self, power: str, kind: str, location: str) -> bool:
        """Whether a unit matches the details."""
        if self.place is not None:
            tag, _, coast = location.partition("/")
            if tag != self.place.province.name or (coast and self.place.coast not in ("", coast)):
                return False
        return self.power in ("", power) and self.kind in ("", kind)


class PromisableOrders:
    """The orders that can be promised in a position."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.names = Names(position.map)

    def unit_in(self, place: Place) -> Unit | None:
        """The unit in a province; in retreat phases a dislodged one first."""
        tag = place.province.name
        driven_out = [
            dislodged.unit for dislodged in self.position.dislodged if dislodged.unit.province == tag
        ]
        return driven_out[0] if driven_out else self.position.unit_at(tag)

    def promise(
        self,
        kind: OrderKind,
        actor: Ref,
        target: Ref | None = None,
        to: Place | None = None,
        via: bool = False,
    ) -> p.Promise:
        """The promise of the one order that fits. Raises BordeauxError if none or several fit, with the
        reason or the choices."""
        if kind == OrderKind.WAIVE:
            return p.Promise(actor.power, Order(OrderKind.WAIVE))
        possible = [
            (power, order)
            for power, order in _legal(self._ordered_in(kind))
            if order.kind == kind and self._fits(power, order, actor, target, to)
        ]
        possible = [choice for choice in possible if choice[1].via == via] or possible
        possible = [choice for choice in possible if self._on_foot(choice[1])] or possible
        if len(possible) > 1:
            named = [str(order) for _, order in possible[:MOST_CHOICES]]
            more = " and others" if len(possible) > MOST_CHOICES else ""
            raise BordeauxError(f"several orders fit, name the one you mean: {', '.join(named)}{more}")
        if not possible:
            return self._as_written(kind, actor, target, to, via)
        ((power, order),) = possible
        other = self.position.unit_at(order.target.partition("/")[0]) if target is not None else None
        return p.Promise(power, order, other.power if other is not None else "")

    def _ordered_in(self, kind: OrderKind) -> Position:
        """The position; in a phase of another kind the present units, before their next movement."""
        now = self.position
        phase = slot(kind, now.phase)
        if phase == now.phase or phase.kind != "M":
            return now
        return Position(now.map, phase, now.units, now.centres)

    def _fits(self, power: str, order: Order, actor: Ref, target: Ref | None, to: Place | None) -> bool:
        if not actor.fits(power, order.unit, order.location):
            return False
        if target is not None:
            other = self.position.unit_at(order.target.partition("/")[0])
            if other is None or not target.fits(*other):
                return False
        if to is None:
            return True
        tag, _, coast = order.destination.partition("/")
        return tag == to.province.name and (not coast or to.coast in ("", coast))

    def _on_foot(self, order: Order) -> bool:
        """Whether the move that an order supports needs no convoy."""
        if order.kind != OrderKind.SUPPORT_MOVE:
            return True
        near = self.position.map.adjacent(order.target_unit, order.target)
        return order.destination in near

    def _as_written(
        self, kind: OrderKind, actor: Ref, target: Ref | None, to: Place | None, via: bool
    ) -> p.Promise:
        """An order of completely specified units that may still get there."""
        refs = [ref for ref in (actor, target) if ref is not None]
        for ref in refs:
            self._check(ref, build=kind == OrderKind.BUILD)
        standing = [ref.place is not None and self.unit_in(ref.place) is not None for ref in refs]
        whole = all(ref.power and ref.kind and ref.place is not None for ref in refs)
        if kind == OrderKind.BUILD and actor.place and actor.power not in actor.place.province.homes:
            raise BordeauxError(f"{self.names.power(actor.power)} cannot build {self._where(actor)}")
        now = self.position.phase == slot(kind, self.position.phase)
        if not whole or (all(standing) and now):
            raise BordeauxError(self._why_not(kind, actor, target, to))
        unit, location = _told(actor)
        order = Order(kind, unit, location, via=via and kind == OrderKind.MOVE)
        if target is not None:
            order = order._replace(target_unit=_told(target)[0], target=_told(target)[1])
        if to is not None:
            order = order._replace(destination=to.location(unit if target is None else order.target_unit))
        return p.Promise(actor.power, order, "" if target is None else target.power)

    def _check(self, ref: Ref, build: bool) -> None:
        """Raise BordeauxError if another unit is there than was given, or none and too little was given."""
        if ref.place is None or build:
            return
        unit, where = self.unit_in(ref.place), self.names.where(ref.place.province.name)
        if unit is None and not (ref.power and ref.kind):
            raise BordeauxError(f"there is no unit {where}")
        if unit is not None and not ref.fits(*unit):
            raise BordeauxError(f"there stands {self.names.unit(*unit)}, no other unit")

    def _why_not(self, kind: OrderKind, actor: Ref, target: Ref | None, to: Place | None) -> str:
        who = self._called(actor)
        what = _VERBS[kind] + ("" if target is None else f" {self._called(target)}")
        goal = "" if to is None else f" to {self.names.province(to.province.name)}"
        return f"{who} cannot {what}{goal} as things stand"

    def _called(self, ref: Ref) -> str:
        unit = None if ref.place is None else self.unit_in(ref.place)
        if unit is not None:
            return self.names.unit(*unit)
        kind = {"A": "armies", "F": "fleets"}.get(ref.kind, "units")
        whose = f"{self.names.possessive(ref.power)} {kind}" if ref.power else kind
        return whose if ref.place is None else f"{whose} {self._where(ref)}"

    def _where(self, ref: Ref) -> str:
        return "" if ref.place is None else self.names.where(ref.place.province.name)


def _told(ref: Ref) -> tuple[str, str]:
    assert ref.place is not None
    return ref.kind, ref.place.location(ref.kind)


@functools.lru_cache(maxsize=8)
def _legal(position: Position) -> list[tuple[str, Order]]:
    """Every legal order with its power."""
    return [
        (power, decode(position.map, code))
        for power, places in legal_codes(position).items()
        for codes in places.values()
        for code in codes
    ]


class MessageContext:
    """The correspondents. `complaint` is the first near miss of the parser; `complain` records one."""

    def __init__(self, words: Words, speaker: str, to: Sequence[str], position: Position) -> None:
        self.words = words
        self.speaker = speaker
        self.to = tuple(power for power in to if power != speaker)
        self.board = PromisableOrders(position)
        self.complaint = ""

    def complain(self, text: str) -> None:
        """Record why something cannot be meant."""
        self.complaint = self.complaint or text

    def you(self) -> tuple[str, ...]:
        """The addressed power; none, with a complaint, if there are several."""
        if len(self.to) > 1:
            names = Names(self.board.position.map)
            self.complain(f"who is 'you'? name {names.powers(self.to).replace(' and ', ' or ')}")
        return self.to

    def party(self, powers: Sequence[str]) -> tuple[str, ...]:
        """The powers, if they are at least two; else with the speaker, and with the addressed powers."""
        parties = tuple(dict.fromkeys(powers))
        if len(parties) < 2:
            parties = tuple(dict.fromkeys((*(parties if parties != self.to else ()), self.speaker, *parties)))
        return parties if len(parties) > 1 else tuple(dict.fromkeys((*parties, *self.to)))

    def who(self, at: int, subject: bool = False) -> Iterator[tuple[tuple[str, ...], int]]:
        """Powers and pronouns in sequence, the longest sequence first.

        As a `subject` they may be before a verb; otherwise a power before a verb begins another clause.
        """
        ways: list[tuple[tuple[str, ...], int]] = []
        powers: tuple[str, ...] = ()
        power = self.one(at)
        while power is not None:
            named, end = power
            if not subject and self.words.key(end, *VERBS):
                break
            powers = tuple(dict.fromkeys((*powers, *named)))
            ways.append((powers, end))
            power = self.one(self.words.skip(end, "AND"))
        yield from reversed(ways)

    def one(self, at: int) -> tuple[tuple[str, ...], int] | None:
        """A power or a pronoun, which may mean several powers."""
        if self.words.key(at, "I"):
            return (self.speaker,), at + 1
        if self.words.key(at, "YOU"):
            return self.you(), at + 1
        if self.words.key(at, "WE"):
            return (self.speaker, *self.to), at + 1
        power = self.words.power(at)
        return None if power is None else ((power[0],), power[1])


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
