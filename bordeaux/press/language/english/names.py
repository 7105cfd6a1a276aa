"""The names of powers, places, units and phases in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.board.errors import MapError
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase

COMPASS = {"N": "north", "E": "east", "S": "south", "W": "west"}
_KINDS = {"A": "army", "F": "fleet"}
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class Names:
    """The names of a map in sentences: ``France``, ``the North Sea``, ``Italy's army in Venice``.

    Names that the map does not have are unchanged.
    """

    def __init__(self, map: Map) -> None:
        self.map = map

    def power(self, power: str) -> str:
        """``France``; a name that is only a tag is unchanged."""
        return power if self.map.tags.get(power) == power else power.replace("_", " ").title()

    def powers(self, powers: Sequence[str]) -> str:
        """``England, France and Italy``; ``nobody`` for none."""
        return listed([self.power(power) for power in powers]) or "nobody"

    def province(self, tag: str) -> str:
        """``Venice``, ``the North Sea``."""
        try:
            province = self.map.province(tag)
        except MapError:
            return tag
        the = "the " if province.kind == "sea" and province.full != province.name else ""
        return f"{the}{province.full}"

    def place(self, location: str) -> str:
        """``Venice``, ``the south coast of Spain``."""
        tag, _, coast = location.partition("/")
        name = self.province(tag)
        if not coast:
            return name
        side = "".join(COMPASS.get(letter, letter) for letter in coast.removesuffix("C"))
        return f"the {side} coast of {name}"

    def where(self, location: str) -> str:
        """``in Venice``, ``on the south coast of Spain``."""
        return f"{'on' if '/' in location else 'in'} {self.place(location)}"

    def places(self, locations: Sequence[str]) -> str:
        """``Belgium, Burgundy and the North Sea``; ``nothing`` for none."""
        return listed([self.place(location) for location in locations]) or "nothing"

    def unit(self, power: str, kind: str, location: str) -> str:
        """``Italy's army in Venice``, ``the fleet in the North Sea`` without a power."""
        owner = f"{self.possessive(power)} " if power else "the "
        return f"{owner}{self.kind(kind)} {self.where(location)}"

    def kind(self, kind: str) -> str:
        """``army``, ``fleet``, or ``unit`` where it may be either."""
        return _KINDS.get(kind, "unit")

    def possessive(self, power: str) -> str:
        """``Italy's``."""
        name = self.power(power)
        return f"{name}'" if name.endswith("s") else f"{name}'s"

    def phase(self, phase: Phase) -> str:
        """``Spring 1901``, ``the Spring 1901 retreats``, ``Winter 1901``."""
        if phase == Phase.COMPLETED:
            return "the end of the game"
        turn = f"{_SEASONS[phase.season]} {phase.year}"
        return f"the {turn} retreats" if phase.kind == "R" else turn


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; empty for none."""
    *most, last = words or ("",)
    return f"{', '.join(most)} and {last}" if most else last


def counted(number: int) -> str:
    """A number in words up to ten."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def ordinal(number: int) -> str:
    """``first`` for 1, in words up to tenth."""
    return _ORDINALS[number - 1] if 0 < number <= len(_ORDINALS) else f"number {number}"
