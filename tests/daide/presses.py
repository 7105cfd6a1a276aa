"""Random press that makes sense on a map, from the grammar."""

from __future__ import annotations

from random import Random

from bordeaux import Map
from bordeaux.daide import language as d
from bordeaux.daide.translate import names
from tests.daide.language.sentences import Sentences

__all__ = ["OnMap"]


class OnMap(Sentences):
    """What may be said at a level of units where they can stand and of years that come, on a map."""

    def __init__(self, level: int, random: Random, map: Map) -> None:
        super().__init__(level, random)
        known = names(map)
        self.powers = list(known.powers)
        self.tokens = list(known.provinces)
        self.places = [(location.kind, known.place(location.name)) for location in map.locations]

    def say(self, rule: str, deep: int = 6, barred: str | None = None) -> d.Tokens:
        """Tokens of a rule."""
        chance = self.random
        match rule:
            case "press" | "press_message":
                while True:
                    said = super().say(rule, deep, barred)
                    if not {"HUH", "TRY"} & set(said):
                        return said
            case "turn":
                return (chance.choice(("SPR", "SUM", "FAL", "AUT", "WIN")), chance.randrange(0, 8192))
            case "unit":
                kind, place = chance.choice(self.places)
                token = {"A": "AMY", "F": "FLT"}[kind]
                return d.tokens(d.Unit(chance.choice(self.powers), token, place))
            case "province_alone":
                return (chance.choice(self.tokens),)
            case "order":
                order = super().say(rule, deep, barred)
                if "MTO" in order or "RTO" in order:
                    return self.move(order)
                return order
        return super().say(rule, deep, barred)

    def move(self, order: d.Tokens) -> d.Tokens:
        """The same move to a place that units of that kind can stand in."""
        if "SUP" in order:
            return order
        kind = {"AMY": "A", "FLT": "F"}[str(order[2])]
        place = self.random.choice([place for kind_there, place in self.places if kind_there == kind])
        verb = next(at for at, token in enumerate(order) if token in ("MTO", "RTO"))
        return (*order[: verb + 1], *d.tokens(place))

    def part(self, part: object, deep: int, barred: str | None) -> d.Tokens:
        said = super().part(part, deep, barred)  # type: ignore[arg-type]
        label = getattr(part, "name", "")
        row = {"power": self.powers, "province": self.tokens}.get(label)
        return (self.random.choice(row),) if row else said
