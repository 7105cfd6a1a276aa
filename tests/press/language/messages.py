"""Terms, messages and letters at random, by seed: of any level, sensible for a position or not, and
nonsense."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.press.language import messages as p
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.levels import level_of
from bordeaux.rules.adjudication import legal_codes

TEXTS = ("peace?", "it's (late)", "", "Zürich ☃", "a\udcffb")
DEEPEST = 4
TRIES = 30
Said = TypeVar("Said", p.Message, p.Term)


class Talk:
    """What powers might say in a position, by the choices of a Random. All that comes of it is sound: names
    are those of the map, lists are not empty, and no message is of a higher level than asked for."""

    def __init__(self, position: Position, random: Random) -> None:
        self.position = position
        self.random = random
        self.map = position.map
        self._legal = [
            (self.map.powers[0] if owner is None else owner, decode(self.map, code))
            for owner, units in legal_codes(position).items()
            for codes in units.values()
            for code in codes
        ]
        self._terms: dict[type, Callable[[int], p.Term]] = {
            p.Peace: lambda deep: p.Peace(self.powers(2)),
            p.Alliance: self._alliance,
            p.Draw: lambda deep: p.Draw(random.choice(((), self.powers(2)))),
            p.Solo: lambda deep: p.Solo(self.power()),
            p.Promise: lambda deep: self.promise(),
            p.Demilitarised: lambda deep: p.Demilitarised(self.powers(1), self.provinces()),
            p.Division: self._division,
            p.Stationing: lambda deep: p.Stationing(tuple(self.station() for _ in range(self.few()))),
            p.Not: lambda deep: p.Not(self._term(deep)),
            p.NoDeal: lambda deep: p.NoDeal(self._term(deep)),
            p.All: lambda deep: p.All(self._terms_of(deep)),
            p.Some: lambda deep: p.Some(self._terms_of(deep)),
            p.Choice: self._choice,
            p.During: self._during,
            p.Favour: lambda deep: p.Favour(*self.powers(2)[:2]),
            p.Command: lambda deep: p.Command(self.power(), tuple(self.unit() for _ in range(self.few()))),
            p.Pass: lambda deep: p.Pass(self.power(), self.powers(1), self._message(deep)),
            p.Forward: self._forward,
            p.Copy: self._copy,
        }
        asked = (p.Why, p.Ask, p.Explain)
        self._messages: dict[type, Callable[[int], p.Message]] = {
            p.Propose: lambda deep: p.Propose(self._term(deep)),
            p.Insist: lambda deep: p.Insist(self._term(deep)),
            p.Suggest: lambda deep: p.Suggest(self._term(deep)),
            p.Ask: lambda deep: p.Ask(self._term(deep)),
            p.State: lambda deep: p.State(self._told(deep)),
            p.Think: lambda deep: p.Think(self._told(deep)),
            p.Accept: lambda deep: p.Accept(self._message(deep)),
            p.Refuse: lambda deep: p.Refuse(self._message(deep)),
            p.Decline: lambda deep: p.Decline(self._message(deep)),
            p.Cancel: lambda deep: p.Cancel(self._message(deep)),
            p.AskUnit: lambda deep: p.AskUnit(self.unit()),
            p.AskAttack: lambda deep: p.AskAttack(random.choice((self.power(), self.province()))),
            p.Explain: lambda deep: p.Explain(self.phase(), self._message(deep)),
            p.If: self._if,
            p.Report: lambda deep: p.Report(self.power(), self.powers(1), self._message(deep)),
            p.Unsure: lambda deep: p.Unsure(self._message(deep, asked)),
            p.Sorry: lambda deep: p.Sorry(p.Explain(self.phase(), self._message(deep))),
            p.Why: self._why,
            p.OnBoard: lambda deep: p.OnBoard(p.Why(random.choice((p.State, p.Think))(self._term(deep)))),
            p.Words: lambda deep: p.Words(random.choice(TEXTS)),
        }

    def term(self, level: int) -> p.Term:
        """A term that may stand in a proposal at a level."""
        return self._within(
            level, lambda: self._term(self.random.randint(1, DEEPEST)), p.Peace(self.powers(2))
        )

    def simple(self) -> p.Term:
        """A term of level 40 at most, without parts, that people may say."""
        kinds = (p.Peace, p.Alliance, p.Draw, p.Demilitarised, p.Division)
        return self._terms[self.random.choice(kinds)](0)

    def message(self, level: int) -> p.Message:
        """A message that may be sent at a level."""
        return self._within(
            level, lambda: self._message(self.random.randint(1, DEEPEST)), p.Propose(p.Draw())
        )

    def letter(self, level: int, heard: Sequence[Letter] = ()) -> Letter:
        """A message from a power to others; half of the time, if anything was heard, an answer to some of
        that."""
        if heard and self.random.random() < 0.5:
            return self.answer(self.random.choice(heard))
        sender, *to = self.powers(2)
        return Letter(sender, tuple(to), self.message(level))

    def answer(self, letter: Letter) -> Letter:
        """What one of those who got a letter, or its sender, says to all others who did."""
        everybody = [letter.sender, *letter.to]
        if self.random.random() < 0.2:
            return Letter(letter.sender, letter.to, p.Cancel(letter.message))
        sender = self.random.choice(letter.to)
        kind = self.random.choice((p.Accept, p.Accept, p.Accept, p.Accept, p.Refuse, p.Decline))
        return Letter(sender, tuple(power for power in everybody if power != sender), kind(letter.message))

    def agreement(self, letter: Letter) -> list[Letter]:
        """Everybody's yes to a letter, said to all others."""
        everybody = (letter.sender, *letter.to)
        yes = p.Accept(letter.message)
        return [Letter(who, tuple(power for power in everybody if power != who), yes) for who in letter.to]

    def _within(self, level: int, draw: Callable[[], Said], least: Said) -> Said:
        for _ in range(TRIES):
            message = draw()
            if level_of(message) <= level:
                return message
        return least

    def _term(self, deep: int) -> p.Term:
        kinds = list(self._terms) if deep > 0 else [p.Peace, p.Alliance, p.Draw, p.Promise, p.Demilitarised]
        return self._terms[self.random.choice(kinds)](deep - 1)

    def _message(self, deep: int, kinds: Sequence[type] = ()) -> p.Message:
        shallow = [p.Propose, p.State, p.AskUnit, p.AskAttack]
        return self._messages[self.random.choice(kinds or (list(self._messages) if deep > 0 else shallow))](
            deep - 1
        )

    def _terms_of(self, deep: int) -> tuple[p.Term, ...]:
        return tuple(self._term(deep) for _ in range(self.random.randint(2, 3)))

    def _told(self, deep: int) -> p.Term | p.Ask | p.Not:
        term = self._term(deep)
        return self.random.choice((term, term, term, p.Ask(term), p.Not(p.Ask(term))))

    def _alliance(self, deep: int) -> p.Alliance:
        powers = self.powers(3)
        return p.Alliance(powers[:2], powers[2:])

    def _division(self, deep: int) -> p.Division:
        return p.Division(
            tuple(
                p.Share(power, tuple(self.random.sample(self.map.centres, self.random.randint(1, 4))))
                for power in self.powers(1)
            )
        )

    def _choice(self, deep: int) -> p.Choice:
        parts = self._terms_of(deep)
        least = self.random.randint(0, len(parts))
        return p.Choice(least, self.random.randint(least, len(parts)), parts)

    def _during(self, deep: int) -> p.During:
        phase = self.phase()
        last = self.random.choice((None, phase._replace(year=phase.year + self.random.randint(0, 2))))
        return p.During(phase, last, self._within(80, lambda: self._term(deep), self.promise()))

    def _forward(self, deep: int) -> p.Forward:
        to, also, *senders = self.powers(3)
        return p.Forward(tuple(senders), to, also)

    def _copy(self, deep: int) -> p.Copy:
        sender, also, *to = self.powers(3)
        return p.Copy(sender, tuple(to), also)

    def _if(self, deep: int) -> p.If:
        otherwise = self._message(deep) if self.random.random() < 0.5 else None
        return p.If(self._term(deep), self._message(deep), otherwise)

    def _why(self, deep: int) -> p.Why:
        kind = self.random.choice((p.State, p.Think, p.Suggest, p.Propose, p.Insist))
        return p.Why(kind(self._term(deep)))

    def few(self) -> int:
        """One to three."""
        return self.random.randint(1, 3)

    def power(self) -> str:
        """Any power."""
        return self.random.choice(self.map.powers)

    def powers(self, least: int) -> tuple[str, ...]:
        """So many powers at least, none twice."""
        most = min(len(self.map.powers), least + self.random.choice((0, 0, 0, 1, 2)))
        return tuple(self.random.sample(self.map.powers, most))

    def province(self) -> str:
        """Any province."""
        return self.random.choice(self.map.provinces).name

    def provinces(self) -> tuple[str, ...]:
        """One to three provinces."""
        return tuple(province.name for province in self.random.sample(self.map.provinces, self.few()))

    def phase(self) -> Phase:
        """A phase of these years."""
        year = self.position.phase.year + self.random.randint(-1, 2)
        return Phase(year, *self.random.choice((("S", "M"), ("S", "R"), ("F", "M"), ("F", "R"), ("W", "A"))))

    def unit(self) -> p.Station:
        """A unit of the board, if there are any."""
        if not self.position.units:
            return self.station()
        unit = self.random.choice(self.position.units)
        return p.Station(unit.power, unit.kind, unit.location)

    def station(self) -> p.Station:
        """A unit anywhere that such a unit can stand."""
        if self.random.random() < 0.3:
            return p.Station(self.power(), p.ANY_UNIT, self.province())
        place = self.random.choice(self.map.locations)
        return p.Station(self.power(), place.kind, place.name)

    def promise(self) -> p.Promise:
        """A promise of an order: mostly one that is legal now, else any."""
        if self._legal and self.random.random() < 0.8:
            power, order = self.random.choice(self._legal)
            return p.Promise(power, order, self._helped(order))
        first, second = self.random.choice(self.map.locations), self.random.choice(self.map.locations)
        kind = self.random.choice((OrderKind.HOLD, OrderKind.MOVE, OrderKind.RETREAT, OrderKind.BUILD))
        goal = second.name if kind in (OrderKind.MOVE, OrderKind.RETREAT) else ""
        return p.Promise(self.power(), Order(kind, first.kind, first.name, destination=goal))

    def _helped(self, order: Order) -> str:
        unit = self.position.unit_at(order.target.partition("/")[0]) if order.kind in HELPS else None
        return unit.power if unit else ""


def nested(message: p.Message, levels: int) -> p.Message:
    """A message within so many others."""
    for _ in range(levels):
        message = p.Accept(message)
    return message


#: Names of no map, parts of the wrong kind, and what is far too deep or long.
WRONG: list[object] = [
    None,
    7,
    "peace",
    p.Peace(("FRANCE", "ITALY")),
    nested(p.Propose(p.Draw()), 60),
    nested(p.Propose(p.Draw()), 3000),
    p.Propose(None),  # type: ignore[arg-type]
    p.Propose("peace"),  # type: ignore[arg-type]
    p.Accept(p.Draw()),  # type: ignore[arg-type]
    p.State(p.Propose(p.Draw())),  # type: ignore[arg-type]
    p.Sorry(p.Words("")),  # type: ignore[arg-type]
    p.OnBoard(p.Words("")),  # type: ignore[arg-type]
    p.Report("", (), p.Propose(p.Draw())),
    p.Words("x" * 100_000),
    *map(
        p.Propose,  # type: ignore[arg-type]
        [
            p.Peace("FRANCE"),  # type: ignore[arg-type]
            p.Peace(["FRANCE", "ITALY"]),  # type: ignore[arg-type]
            p.Peace(("FRANCE",)),
            p.Peace(("FRANCE", "SPAIN")),
            p.Peace(("FRANCE", ["ITALY"])),  # type: ignore[arg-type]
            p.Demilitarised(("ATLANTIS",), ("BLA",)),
            p.Demilitarised(("FRANCE",), ("XYZ",)),
            p.Promise("FRANCE", "A PAR H"),  # type: ignore[arg-type]
            p.Promise("FRANCE", Order("H", "A", "PAR")),  # type: ignore[arg-type]
            p.Promise("FRANCE", Order(OrderKind.HOLD, "A", None)),  # type: ignore[arg-type]
            p.Promise("FRANCE", Order(OrderKind.MOVE, "Q", "PAR", destination="NOWHERE")),
            p.Promise("FRANCE", Order(OrderKind.HOLD)),
            p.During("S1901M", None, p.Draw()),  # type: ignore[arg-type]
            p.During(Phase(1901, "X", "Y"), None, p.Draw()),
            p.Choice(3, 1, (p.Draw(), p.Draw())),
            p.Choice("1", None, (p.Draw(),)),  # type: ignore[arg-type]
            p.All(()),
            p.All((p.Draw(),) * 5000),
            p.Stationing((p.Share("FRANCE", ("PAR",)),)),  # type: ignore[arg-type]
            p.Division((("FRANCE", ("PAR",)),)),  # type: ignore[arg-type]
        ],
    ),
]


def nonsense(random: Random, letter: Letter) -> Letter:
    """A letter that nothing can be made of: a wrong message, or a wrong address."""
    return random.choice(
        [
            *[letter._replace(message=random.choice(WRONG))] * 2,  # type: ignore[arg-type]
            letter._replace(sender=random.choice(("", "ATLANTIS", "fra"))),
            letter._replace(to=random.choice(((), ("ATLANTIS",), (letter.sender,)))),
        ]
    )
