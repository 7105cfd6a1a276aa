"""Messages made up from the grammar at random."""

from __future__ import annotations

import functools
from random import Random

from bordeaux import Map
from bordeaux.daide import language as d
from bordeaux.daide.language import Token, Tokens, Vocabulary
from bordeaux.daide.language.grammar import Bracketed, OneOf, OneOfClass, Part, Reference, Several, grammar
from bordeaux.daide.translate import names

__all__ = ["OnMap", "Sentences"]

STANDARD = Vocabulary.standard()
NAMES: dict[str, tuple[Token, ...]] = {
    "power": STANDARD.powers,
    "province": STANDARD.provinces,
    "coast": ("NCS", "ECS", "SCS", "WCS", "NEC", "SEC", "SWC", "NWC"),
    "season": ("SPR", "SUM", "FAL", "AUT", "WIN"),
    "number": (0, 1, -1, 34, 1901, 8191, -8192),
}
TEXTS = ("x", "Bordeaux 1.0", "it's (late)", "Zürich ☃", "\x00\x7f", "a\udcffb")
ANYTHING: tuple[Token, ...] = ("SUB", "ERR", "PRP", "FRA", "0x4C01", "0x41FF", 7, "'q")


class Sentences:
    """What may be said at a level, by the choices of a Random."""

    def __init__(self, level: int, random: Random, *, lenient: bool = False) -> None:
        self.level = level
        self.lenient = lenient
        self.random = random

    def say(self, rule: str, deep: int = 6, barred: str | None = None) -> Tokens:
        """Tokens of a rule; with `deep` spent, the shallowest that are to be had."""
        barred = None if rule == "press" else barred
        heights = _heights(self.level)
        choices = [
            (high, alternative)
            for alternative in grammar().rules[rule].alternatives
            if alternative.level <= self.level
            and alternative.lenient <= self.lenient
            and barred not in alternative.head
            and (high := _high(alternative.parts, heights)) is not None
        ]
        least = min(high for high, _ in choices)
        chosen = self.random.choice([choice for high, choice in choices if deep > 0 or high == least])
        return self.parts(chosen.parts, deep - 1, barred)

    def parts(self, parts: tuple[Part, ...], deep: int, barred: str | None) -> Tokens:
        said: list[Token] = []
        for part in parts:
            times = 1 if isinstance(part, Bracketed) else self.times(part.repeat, deep)
            for _ in range(times):
                said += self.part(part, deep, barred)
        return tuple(said)

    def times(self, repeat: str, deep: int) -> int:
        most = 3 if deep > 0 else 1
        return {
            "": 1,
            "+": self.random.randint(1, most),
            "*": self.random.randint(0, most),
            "?": self.random.randint(0, 1),
        }[repeat]

    def part(self, part: Part, deep: int, barred: str | None) -> Tokens:
        match part:
            case OneOf(tokens):
                return (self.random.choice(tokens),)
            case OneOfClass("string"):
                data = self.random.choice(TEXTS).encode("utf-8", "surrogateescape")
                return tuple(f"'{chr(byte)}" for byte in data)
            case OneOfClass("any"):
                return self.anything(deep)
            case OneOfClass(name):
                return (self.random.choice(NAMES[name]),)
            case Reference(rule, without):
                return self.say(rule, deep, without or barred)
            case Bracketed(inner):
                return ("(", *self.parts(inner, deep, barred), ")")
            case Several(inner):
                return self.parts(inner, deep, barred)

    def anything(self, deep: int) -> Tokens:
        said: list[Token] = []
        for _ in range(self.random.randrange(4)):
            if deep > 0 and self.random.random() < 0.3:
                said += ("(", *self.anything(deep - 1), ")")
            else:
                said.append(self.random.choice(ANYTHING))
        return tuple(said)


@functools.cache
def _heights(level: int) -> dict[str, int]:
    """How deep brackets must nest to say each rule at a level; rules that cannot be said are left out."""
    heights: dict[str, int] = {}
    changed = True
    while changed:
        changed = False
        for rule in grammar().rules.values():
            highs = [
                high
                for alternative in rule.alternatives
                if alternative.level <= level and (high := _high(alternative.parts, heights)) is not None
            ]
            if highs and heights.get(rule.name, 1 << 20) > min(highs):
                heights[rule.name] = min(highs)
                changed = True
    return heights


def _high(parts: tuple[Part, ...], heights: dict[str, int]) -> int | None:
    """How deep parts nest at least; None if that is not known yet."""
    most = 0
    for part in parts:
        match part:
            case Reference(rule, _, _, repeat):
                high = 0 if repeat in ("*", "?") else heights.get(rule)
            case Bracketed(inner):
                high = _high(inner, heights)
                high = None if high is None else high + 1
            case Several(inner):
                high = _high(inner, heights)
            case _:
                high = 0
        if high is None:
            return None
        most = max(most, high)
    return most


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
