"""Terms and messages drawn at random, for properties that all of them have."""

import random

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.press.language import messages as p

LAST = Phase(1905, "S", "M")


class Samples:
    """Draws what may be said on a map; the same seed draws the same."""

    def __init__(self, map: Map, seed: int) -> None:
        self.map = map
        self.random = random.Random(seed)

    def powers(self, least: int = 1, most: int = 3) -> tuple[str, ...]:
        return tuple(self.random.sample(self.map.powers, self.random.randint(least, most)))

    def alliance(self) -> p.Alliance:
        powers = self.powers(2)
        at = self.random.randint(1, len(powers) - 1)
        return p.Alliance(powers[:at], powers[at:])

    def power(self) -> str:
        return self.random.choice(self.map.powers)

    def provinces(self) -> tuple[str, ...]:
        return tuple(
            self.random.sample([province.name for province in self.map.provinces], self.random.randint(1, 3))
        )

    def station(self) -> p.Station:
        location = self.random.choice(self.map.locations)
        if self.random.random() < 0.3:
            return p.Station(self.power(), p.ANY_UNIT, location.name.partition("/")[0])
        return p.Station(self.power(), location.kind, location.name)

    def promise(self) -> p.Promise:
        unit, other = self.random.choice(self.map.locations), self.random.choice(self.map.locations)
        goals = self.map.adjacent(unit.kind, unit.name)
        goal = self.random.choice(goals or (unit.name,))
        reached = self.random.choice(self.map.adjacent(other.kind, other.name) or (other.name,))
        order = Order(self.random.choice(list(OrderKind)), unit.kind, unit.name)
        match order.kind:
            case OrderKind.MOVE:
                via = unit.kind == "A" and self.random.random() < 0.2
                return p.Promise(self.power(), order._replace(destination=goal, via=via))
            case OrderKind.RETREAT:
                return p.Promise(self.power(), order._replace(destination=goal))
            case OrderKind.SUPPORT_HOLD:
                helping = order._replace(target_unit=other.kind, target=other.name)
                return p.Promise(self.power(), helping, self.random.choice(("", self.power())))
            case OrderKind.SUPPORT_MOVE | OrderKind.CONVOY:
                helping = order._replace(target_unit=other.kind, target=other.name, destination=reached)
                return p.Promise(self.power(), helping, self.random.choice(("", self.power())))
            case OrderKind.WAIVE:
                return p.Promise(self.power(), Order(OrderKind.WAIVE))
        return p.Promise(self.power(), order)

    def phase(self) -> Phase:
        return Phase.parse(self.random.choice(("S1901M", "S1901R", "F1902M", "F1902R", "W1903A")))

    def simple(self) -> p.Term:
        """A term of level 40 at most, without parts."""
        share = [p.Share(self.random.choice(("", self.power())), self.provinces()) for _ in range(2)]
        return self.random.choice(
            (
                p.Peace(self.powers(2)),
                self.alliance(),
                p.Draw(self.random.choice(((), self.powers(2)))),
                p.Solo(self.power()),
                self.promise(),
                p.Demilitarised(self.powers(), self.provinces()),
                p.Division(tuple(share[: self.random.randint(1, 2)])),
                p.Stationing(tuple(self.station() for _ in range(self.random.randint(1, 2)))),
            )
        )

    def term(self, depth: int = 3) -> p.Term:
        """A term of any level."""
        if not depth or self.random.random() < 0.3:
            return self.simple()
        within = depth - 1
        return self.random.choice(
            (
                lambda: p.Not(self.term(within)),
                lambda: p.NoDeal(self.term(within)),
                lambda: p.All(self.parts(within)),
                lambda: p.Some(self.parts(within)),
                lambda: p.Choice(1, self.random.randint(1, 2), self.parts(within)),
                lambda: p.During(self.phase(), self.random.choice((None, LAST)), self.term(within)),
                lambda: p.Favour(self.power(), self.power()),
                lambda: p.Command(self.power(), (self.station(), self.station())),
                lambda: p.Pass(self.power(), self.powers(), self.message(within)),
                lambda: p.Forward(self.powers(), self.power(), self.power()),
                lambda: p.Copy(self.power(), self.powers(), self.power()),
            )
        )()

    def parts(self, depth: int) -> tuple[p.Term, ...]:
        return tuple(self.term(depth) for _ in range(self.random.randint(2, 3)))

    def message(self, depth: int = 3) -> p.Message:
        """A message of any level."""
        offers = (p.Propose, p.Insist, p.Suggest, p.State, p.Think, p.Ask)
        if not depth or self.random.random() < 0.5:
            return self.random.choice(offers)(self.term(depth))
        within = depth - 1
        quoting = self.random.choice((p.Accept, p.Refuse, p.Decline, p.Cancel, p.Unsure, p.Why))
        return self.random.choice(
            (
                lambda: p.State(p.Ask(self.term(within))),
                lambda: p.Think(p.Not(p.Ask(self.term(within)))),
                lambda: quoting(self.message(within)),
                lambda: p.AskUnit(self.station()),
                lambda: p.AskAttack(self.random.choice((self.power(), self.provinces()[0]))),
                lambda: p.Explain(self.phase(), self.message(within)),
                lambda: p.Sorry(p.Explain(self.phase(), self.message(within))),
                lambda: p.If(self.term(within), self.message(within), self.otherwise(within)),
                lambda: p.Report(self.power(), self.powers(), self.message(within)),
                lambda: p.OnBoard(p.Why(self.message(within))),
                lambda: p.Words(self.random.choice(("Leave Burgundy alone, please", "Why?"))),
            )
        )()

    def otherwise(self, depth: int) -> p.Message | None:
        return None if self.random.random() < 0.5 else self.message(depth)
