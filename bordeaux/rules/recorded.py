"""A recorded state of a game, for comparison by replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from bordeaux.board.position import Position

__all__ = ["Recorded"]

Owned = frozenset[tuple[str, str]]


class Recorded(NamedTuple):
    """The name of a phase with its units, ``("FRANCE", "*A PAR")`` (a star for dislodged ones), and its
    centres, ``("FRANCE", "PAR")``. The possible retreats of each dislodged unit are ``("FRANCE", "A PAR: BRE
    GAS")``, or None if not recorded."""

    name: str
    units: Owned
    centres: Owned
    retreats: Owned | None

    @classmethod
    def of_state(cls, name: str, state: Mapping[str, Any]) -> Recorded:
        """The recorded state of a position's JSON form."""
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
        """The recorded state of `position`."""
        units = [(unit.power, str(unit)) for unit in position.units]
        units += [(unit.power, f"*{unit}") for unit, _ in position.dislodged]
        retreats = [(unit.power, choices(str(unit), places)) for unit, places in position.dislodged]
        return cls(str(position.phase), frozenset(units), owned(position.centres), frozenset(retreats))

    def agrees(self, expected: Recorded) -> bool:
        """Whether this state equals the `expected` one in all recorded parts."""
        if self[:3] != expected[:3]:
            return False
        return expected.retreats is None or somewhere(expected.retreats) == somewhere(self.retreats)

    def differences(self, expected: Recorded) -> tuple[str, ...]:
        """The differences between `expected` and this state, in words."""
        # What the record does not say is no difference.
        retreating = (somewhere(expected.retreats), somewhere(self.retreats))
        retreats = retreating if expected.retreats else (None, None)
        lines = []
        if self.name != expected.name:
            lines.append(f"phase: {expected.name} expected, {self.name} got")
        for what, theirs, ours in (
            ("unit", expected.units, self.units),
            ("centre", expected.centres, self.centres),
            ("retreats of", *retreats),
        ):
            theirs, ours = theirs or frozenset(), ours or frozenset()
            lines += [f"{power}: {what} {name} expected, not got" for power, name in sorted(theirs - ours)]
            lines += [f"{power}: {what} {name} got, not expected" for power, name in sorted(ours - theirs)]
        return tuple(lines)

    def to_json(self) -> dict[str, Any]:
        """The state in the JSON form of positions, without what replay does not compare."""
        return {"name": self.name, "units": by_power(self.units), "centers": by_power(self.centres)}


def owned(table: Mapping[str, Iterable[str]]) -> Owned:
    """Pairs from ``{power: [names]}``."""
    return frozenset((power, name) for power, names in table.items() for name in names or ())


def somewhere(retreats: Owned | None) -> Owned:
    """The units that have a retreat; some records also name those that have none."""
    return frozenset(retreat for retreat in retreats or () if not retreat[1].endswith(":"))


def choices(unit: str, places: Iterable[str]) -> str:
    """A dislodged unit and its retreats, as one comparable text."""
    return " ".join([f"{unit}:", *sorted(places)])


def by_power(pairs: Owned) -> dict[str, list[str]]:
    """``{power: [names]}`` from pairs, sorted."""
    table: dict[str, list[str]] = {}
    for power, name in sorted(pairs):
        table.setdefault(power, []).append(name)
    return table
