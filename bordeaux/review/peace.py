"""Peace between two powers by their messages and by their orders, and stabs: attacks against it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bordeaux.board.code import codes_in, kind_of, target_of
from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position, near
from bordeaux.formats.games import Game
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.diplomat.stance import FIRST, Restraint, conduct
from bordeaux.press.language.english import understand
from bordeaux.press.language.json_form import message_from_json
from bordeaux.press.language.letter import Letter
from bordeaux.review.record import GameRecord, RecordedPhase, held, owned_after
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement, Bond
from bordeaux.search.sets import from_orders, in_full

TRUST = 0.75
"""A power's trust that another keeps its promise."""
NO_LETTER = BordeauxError, KeyError, IndexError, TypeError, AttributeError, RecursionError
"""Exceptions of messages in other formats, which may contain anything."""
TOLD = ("peace", "alliance", "demilitarised", "support")
"""Kinds of promises; breaking one is a stab."""
FRIENDLY = ("peace", "alliance")
"""Kinds by which powers are at peace."""


class Word(NamedTuple):
    """A promise that a power broke in a phase: its kind and its recipient."""

    number: int
    power: str
    kind: str
    partners: tuple[str, ...]


class TalkSummary(NamedTuple):
    """The result of the talks of a game: the agreements of each power, by phase number and power, and the
    broken promises. `heard` counts the messages that were understood, `all` all of them."""

    agreements: Mapping[int, Mapping[str, tuple[Agreement, ...]]]
    broken: tuple[Word, ...]
    heard: int = 0
    all: int = 0


def listen(game: Game, record: GameRecord) -> TalkSummary:
    """Read the messages of a game, from the values in our games or from their English. Messages that cannot
    be understood are skipped; in games of people these are most."""
    said = sum(len(game.phases[turn.number].messages) for turn in record.turns)
    if not said:
        return TalkSummary({}, ())
    ledgers = {power: Ledger(record.map, power) for power in record.map.powers}
    agreed: dict[int, dict[str, tuple[Agreement, ...]]] = {}
    broken: dict[Word, None] = {}
    heard = 0
    for turn in record.turns:
        for ledger in ledgers.values():
            ledger.begin(turn.before)
        for letter in _letters(game.phases[turn.number].messages, turn.before):
            heard += 1
            for power in (letter.sender, *letter.to):
                ledgers[power].note(letter)
        for power, ledger in ledgers.items():
            if turn.before.phase.kind == "M":
                agreements = ledger.binding(turn.before, lambda *_: TRUST, free=(power,))
                agreed.setdefault(turn.number, {})[power] = tuple(agreements)
            for judged in ledger.judge(turn.before, turn.orders):
                if judged.power == power and judged.orders and judged.kind in TOLD and not judged.kept:
                    partners = tuple(party for party in judged.deal.parties if party != power)
                    broken[Word(turn.number, power, judged.kind, partners)] = None
    return TalkSummary(agreed, tuple(broken), heard, said)


def _letters(messages: Iterable[Mapping[str, Any]], position: Position) -> list[Letter]:
    """The messages of a phase as letters, one for all recipients."""
    letters: list[Letter] = []
    heard: dict[str, Letter] = {}
    for message in messages:
        with contextlib.suppress(*NO_LETTER):
            letter = _letter(message, position, heard)
            if not letters or letter != letters[-1]:
                letters.append(letter)
                heard[letter.sender] = letter
    return letters


def _letter(message: Mapping[str, Any], position: Position, heard: Mapping[str, Letter]) -> Letter:
    """One message: its value, else the meaning of its text. Raises BordeauxError if it is not understood."""
    board = position.map
    sender = board.power(message["sender"])
    value = message.get("letter")
    if isinstance(value, Mapping):
        to = tuple(board.power(name) for name in value["to"])
        return Letter(sender, to, message_from_json(value["message"], board))
    everybody = str(message["recipient"]).upper() in ("GLOBAL", "ALL")
    others = tuple(power for power in board.powers if power != sender)
    to = others if everybody else (board.power(message["recipient"]),)
    last, own = heard.get(to[0]), heard.get(sender)
    meant, _ = understand(
        str(message["message"]),
        speaker=sender,
        to=to,
        position=position,
        answering=last.message if last is not None and sender in last.to else None,
        said=own.message if own is not None else None,
    )
    return Letter(sender, to, meant)


QUIET = 4
"""Movement phases (two years) without a fight between two powers that could have fought, after which they are
at peace."""
NEAR = 2
"""The number of moves within which two powers could soon attack each other."""

Pair = frozenset[str]
Quiet = dict[int, Mapping[Pair, int]]
"""The number of movement phases without an attack between pairs of powers, by the number of the phase."""
Peaces = Mapping[int, Mapping[str, tuple[Agreement, ...]]]
"""The obligations of each power in a movement phase or in retreats, by the number of the phase and the
power."""


def quiet_before(record: GameRecord) -> Quiet:
    """For each movement phase by its number: how many movement phases before it two powers near each other
    had not attacked each other. A phase in which one of the two sent no orders does not count."""
    by_turn: Quiet = {}
    quiet: dict[Pair, int] = {}
    for turn in record.movements():
        by_turn[turn.number] = dict(quiet)
        met, calm, _ = _pairs(turn)
        quiet |= dict.fromkeys(met, 0)
        quiet |= {pair: quiet.get(pair, 0) + 1 for pair in calm}
    return by_turn


def peaces(record: GameRecord) -> dict[int, frozenset[Pair]]:
    """The pairs at peace by their orders, by the number of the movement phase: near each other, and without
    an attack for at least QUIET phases. The attack that ends this time is an attack in peace. Who supports a
    unit of another is at peace with it for that phase, however long they have been."""
    pairs_by_turn: dict[int, set[Pair]] = {turn.number: set() for turn in record.movements()}
    spells: dict[Pair, list[int]] = {}

    def over(pair: Pair, *last: int) -> None:
        spell = spells.pop(pair, [])
        if len(spell) >= QUIET:
            for number in (*spell, *last):
                pairs_by_turn[number].add(pair)

    for turn in record.movements():
        met, calm, helped = _pairs(turn)
        pairs_by_turn[turn.number] |= helped
        for pair in met:
            over(pair, turn.number)
        for pair in calm:
            spells.setdefault(pair, []).append(turn.number)
    for pair in list(spells):
        over(pair)
    return {number: frozenset(pairs) for number, pairs in pairs_by_turn.items()}


def agreed_peace(record: GameRecord, said: TalkSummary) -> Peaces:
    """The agreements that bound the powers in every movement phase and in the retreats after it: those by
    words, and peace by orders between powers without one. The trust in a partner follows from its orders
    until then (`bordeaux.press.diplomat.stance`), not from its words."""
    by_turn: dict[int, dict[str, tuple[Agreement, ...]]] = {}
    at_peace, restraint = peaces(record), Restraint(record.map)
    pairs: frozenset[Pair] = frozenset()
    for turn in record.turns:
        kind = turn.before.phase.kind
        if kind == "A":
            continue
        pairs = at_peace[turn.number] if kind == "M" else pairs
        words = said.agreements.get(turn.number, {})
        bound = {}
        for power in record.map.powers:
            spoken = words.get(power, ())
            friends = {party for one in spoken if one.kind in FRIENDLY for party in one.parties}
            partners = sorted(other for pair in pairs if power in pair for other in pair - {power} - friends)
            bound[power] = (*spoken, *(_by_deeds(restraint, power, other) for other in partners))
        by_turn[turn.number] = bound
        if kind == "M":
            # A power that has just been attacked may retreat anywhere.
            pairs -= _pairs(turn)[0]
        restraint.observe(turn.before, turn.orders)
    return by_turn


class Pacts:
    """The agreements that bound a power in a phase: what its orders `kept`, and what they `broke`."""

    def __init__(
        self, position: Position, power: str, agreements: Sequence[Agreement], orders: bytes
    ) -> None:
        self.power = power
        own = [agreement for agreement in agreements if power in agreement.parties]
        self._bonds = [(agreement, Bond(position, power, agreement, DATC)) for agreement in own]
        self.broke = self._broken_by(orders)
        self.kept = tuple(agreement for agreement in agreements if agreement not in self.broke)

    def chosen(self) -> tuple[Agreement, ...]:
        """The agreements after the power's own choice: those that it kept."""
        return (*_stabbed(self.kept), *_stabbed(self.broke, self.power))

    def otherwise(self) -> tuple[Agreement, ...]:
        """The agreements after the opposite choice. Empty if nothing bound the power."""
        if self.broke:
            return _stabbed((*self.kept, *self.broke))
        return _stabbed(self.kept, self.power)

    def is_other(self, orders: bytes) -> bool:
        """Whether a set of orders makes the opposite choice: it keeps all if the power broke something, or
        breaks something if the power kept all."""
        return bool(self._broken_by(orders)) != bool(self.broke)

    def victims(self, orders: bytes) -> tuple[str, ...]:
        """The powers with which a set of orders breaks an agreement."""
        return self._others(self._broken_by(orders))

    def partners(self) -> tuple[str, ...]:
        """The powers with which the orders kept peace."""
        return self._others(agreement for agreement in self.kept if agreement.kind in FRIENDLY)

    def _others(self, agreements: Iterable[Agreement]) -> tuple[str, ...]:
        parties = (party for agreement in agreements for party in agreement.parties)
        return tuple(dict.fromkeys(party for party in parties if party != self.power))

    def _broken_by(self, orders: bytes) -> tuple[Agreement, ...]:
        codes = codes_in(orders)
        return tuple(agreement for agreement, bond in self._bonds if any(map(bond.breaks, codes)))


def _stabbed(agreements: Sequence[Agreement], *powers: str) -> tuple[Agreement, ...]:
    """The agreements, free for those of some powers that are parties, and binding for all others."""
    return tuple(
        replace(agreement, stabbed_by=tuple(power for power in powers if power in agreement.parties))
        for agreement in agreements
    )


def _pairs(turn: RecordedPhase) -> tuple[set[Pair], set[Pair], set[Pair]]:
    """The pairs of powers that met in a movement phase: one attacked the other, or they were near each other,
    both sent orders, and neither attacked. Also those of whom one supported the other, and neither
    attacked."""
    how = conduct(turn.before, turn.orders)
    met = {frozenset(pair) for pair in how.attacks}
    beside = {frozenset(pair) for pair in near(turn.before, NEAR)} - met
    calm = {pair for pair in beside if all(turn.orders.get(power) for power in pair)}
    return met, calm, {frozenset(pair) for pair in how.helps} - met


def _by_deeds(restraint: Restraint, one: str, other: str) -> Agreement:
    trust = min(restraint.trust(one, other), restraint.trust(other, one))
    return Agreement("peace", (one, other), trust=min(TRUST, max(FIRST, trust)))


class Stab(NamedTuple):
    """An attack of one power on another after `quiet` movement phases without one, or against its `word`, a
    kind of promise. `taken` are the victim's centres that the attacker had after it, `entered` all of the
    victim's provinces that the attacker entered."""

    turn: RecordedPhase
    power: str
    victim: str
    quiet: int
    word: str
    taken: tuple[str, ...]
    entered: tuple[str, ...]


def stabs(record: GameRecord, quiet: Quiet, broken: Iterable[Word] = ()) -> Iterator[Stab]:
    """The stabs of a game, in order. An attack without a result counts only if it broke a promise. A power
    that is attacked in the same phase does not stab."""
    words = {(word.number, word.power): word for word in broken}
    for turn in record.movements():
        attacks = conduct(turn.before, turn.orders).attacks
        for power, victim in sorted(attacks):
            since = quiet[turn.number].get(frozenset((power, victim)), 0)
            word = words.get((turn.number, power))
            broke = word.kind if word is not None and victim in word.partners else ""
            entered = _entered(turn, power, victim)
            if broke or (since >= QUIET and entered and not attacks[victim, power]):
                taken = (held(turn.before, victim) & owned_after(turn.after, power)) & set(entered)
                yield Stab(turn, power, victim, since, broke, tuple(sorted(taken)), entered)


def _entered(turn: RecordedPhase, power: str, victim: str) -> tuple[str, ...]:
    """Provinces with a unit or a centre of the victim that units of a power entered."""
    map, before, after = turn.before.map, turn.before, turn.after
    codes = in_full(before, power, from_orders(before, power, turn.orders.get(power, ()))).values()
    moves = (map.locations[target_of(code)] for code in codes if kind_of(code) == OrderKind.MOVE)
    entered = []
    for goal in sorted({map.provinces[location.province].name for location in moves}):
        theirs = _stands(before, goal, victim) or goal in held(before, victim)
        if theirs and _stands(after, goal, power) and not _stands(before, goal, power):
            entered.append(goal)
    return tuple(entered)


def _stands(position: Position, province: str, power: str) -> bool:
    unit = position.unit_at(province)
    return unit is not None and unit.power == power
