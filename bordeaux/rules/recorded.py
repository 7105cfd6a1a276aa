"""A state of a game as records keep it, for comparison by replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from bordeaux.board.position import Position

__all__ = ["Recorded"]

Owned = frozenset[tuple[str, str]]


class Recorded(NamedTuple):
    """The name of a phase with its units, ``("FRANCE", "*A PAR")``, the dislodged ones with a star,
    its centres, ``("FRANCE", "PAR")``, and the retreats open to each dislodged unit,
    ``("FRANCE", "A PAR: BRE GAS")``, or None where the record does not say."""

    name: str
    units: Owned
    centres: Owned
    retreats: Owned | None

    @classmethod
    def of_state(cls, name: str, state: Mapping[str, Any]) -> Recorded:
        """What the JSON form of a position records."""
        units = owned(state.get("units") or {})
        options = state.get("retreats") or {}
        retreats = frozenset(
            (power, choices(unit, places))
            for power, by_unit in options.items()
            for unit, places in (by_unit or {}).items()
        )
        return cls(name, units, owned(state.get("centers") or {}), retreats or None)

    @classmethod
    def of_position(cls, position: Position) -> Recorded:
        """What a record of `position` would say."""
        units = [(unit.power, str(unit)) for unit in position.units]
        units += [(unit.power, f"*{unit}") for unit, _ in position.dislodged]
        retreats = [(unit.power, choices(str(unit), places)) for unit, places in position.dislodged]
        return cls(str(position.phase), frozenset(units), owned(position.centres), frozenset(retreats))

    def agrees(self, expected: Recorded) -> bool:
        """Whether this state is the `expected` one, as far as that says anything."""
        if self[:3] != expected[:3]:
            return False
        return expected.retreats is None or somewhere(expected.retreats) == somewhere(self.retreats)

    def differences(self, expected: Recorded) -> tuple[str, ...]:
        """In words, what `expected` and this state do not have in common."""
        # What the record does not say is no difference.
        told = (somewhere(expected.retreats), somewhere(self.retreats))
        retreats = told if expected.retreats else (None, None)
        found = []
        if self.name != expected.name:
            found.append(f"phase: {expected.name} expected, {self.name} got")
        for what, theirs, ours in (
            ("unit", expected.units, self.units),
            ("centre", expected.centres, self.centres),
            ("retreats of", *retreats),
        ):
            theirs, ours = theirs or frozenset(), ours or frozenset()
            found += [f"{power}: {what} {name} expected, not got" for power, name in sorted(theirs - ours)]
            found += [f"{power}: {what} {name} got, not expected" for power, name in sorted(ours - theirs)]
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """The state in the JSON form of positions, without what replay does not compare."""
        return {"name": self.name, "units": by_power(self.units), "centers": by_power(self.centres)}


def owned(table: Mapping[str, Iterable[str]]) -> Owned:
    """Pairs out of ``{power: [names]}``."""
    return frozenset((power, name) for power, names in table.items() for name in names or ())


def somewhere(retreats: Owned | None) -> Owned:
    """The units that have a retreat; some records name those that have none as well, others do not."""
    return frozenset(each for each in retreats or () if not each[1].endswith(":"))


def choices(unit: str, places: Iterable[str]) -> str:
    """A dislodged unit and where it may go, as one comparable text."""
    return " ".join([f"{unit}:", *sorted(places)])


def by_power(pairs: Owned) -> dict[str, list[str]]:
    """``{power: [names]}`` out of pairs, sorted."""
    table: dict[str, list[str]] = {}
    for power, name in sorted(pairs):
        table.setdefault(power, []).append(name)
    return table
